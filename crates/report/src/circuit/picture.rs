//! Pictures of circuit-switched networks: their links and, for large cubes, the shares of the links
//! of each dimension.

use super::wording::{message, state};
use crate::picture::cube::{CubePicture, LinkStyle, NetworkElement, NodeStyle, Stroke};
use crate::picture::geometry::{Point, Size};
use crate::picture::labels::{LabelPlacer, beside};
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use crate::wording;
use faultlab_core::switching::{CircuitNetwork, CircuitOutcome, LinkState};
use faultlab_core::topology::{Link, NodeId, set_dimensions};

/// Dashes of the path of a waiting message.
const WAITING: &[f64] = &[4.0, 3.0];

/// Largest dimension at which every node shows its address.
const ADDRESSED: u8 = 4;

/// Emphasis in the picture of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Emphasis {
    /// Number of the series, which selects its colour.
    pub series: u8,
    /// Number of the followed message.
    pub message: Option<u64>,
    /// True if everything except the followed message is faded.
    pub alone: bool,
    /// Node or link in focus.
    pub focus: Option<NetworkElement>,
}

/// Draws the state of a network. Transmitting circuits are solid, waiting paths dashed. A bar lies
/// across links that messages wait for, and nodes show their number of waiting messages.
pub fn draw(circuits: &CircuitNetwork, picture: &CubePicture<'_>, shown: Emphasis) -> Scene {
    let mut waiting = vec![0u32; circuits.cube().nodes().map_or(0, |nodes| nodes as usize)];
    for message in circuits.messages().filter(|message| !message.transmits()) {
        waiting[message.path_end().0 as usize] += 1;
    }
    let cycle: Vec<Link> = match circuits.outcome() {
        Some(CircuitOutcome::Deadlock(deadlock)) => deadlock.cycle.iter().map(|(_, link)| *link).collect(),
        _ => Vec::new(),
    };
    let ends = shown.message.and_then(|number| message(circuits, number)).map(|found| (found.from(), found.to()));
    let live = |node: NodeId| circuits.live().contains(node);
    let link = |link: Link| link_look(circuits, link, shown, &cycle);
    let node = |node: NodeId| {
        if !live(node) {
            return NodeStyle::FAULTY;
        }
        let count = waiting.get(node.0 as usize).copied().unwrap_or(0);
        let mut look = NodeStyle::IDLE;
        if count > 0 {
            (look.stroke, look.width, look.label) = (Role::Detour, 2.0, count.to_string());
        }
        match ends {
            Some((from, _)) if from == node => (look.stroke, look.width) = (Role::Ink, 3.0),
            Some((_, to)) if to == node => look.ring = Some(Role::Done),
            _ => {}
        }
        if cycle.iter().any(|link| link.from == node) {
            look.ring = Some(Role::Trap);
        }
        look
    };
    let mut scene = picture.draw(link, node);
    let mut placer = picture.label_placer();
    for (node, what) in ends.into_iter().flat_map(|(from, to)| [(from, "from"), (to, "to")]) {
        let Some(at) = picture.at(node) else { continue };
        // The ends have rings.
        placer.take(at, picture.radius() + 2.0);
        let positions = beside(at, picture.radius() + 4.0, 12.0);
        if let Some((at, anchor)) = placer.place(&positions, 12.0, what) {
            scene.shapes.push(Shape::Text { at, anchor, role: Role::Ink, size: 12.0, text: what.to_owned() });
        }
    }
    scene.shapes.extend(names(circuits, picture, &cycle, &mut placer));
    if let Some(spot) = shown.focus {
        scene.shapes.extend(picture.focus(spot, &state(circuits, spot)));
    }
    scene
}

/// Returns the names that the text uses: the addresses of the nodes of a small cube, and of the
/// nodes in a deadlock's cyclic wait. The links of the cyclic wait show their dimensions. Names that
/// would cover a node or another name are left out.
fn names(circuits: &CircuitNetwork, picture: &CubePicture<'_>, cycle: &[Link], placer: &mut LabelPlacer) -> Vec<Shape> {
    const SIZE: f64 = 11.0;
    let (cube, radius) = (circuits.cube(), picture.radius());
    if radius < 6.0 {
        return Vec::new();
    }
    let mut shapes = Vec::new();
    let mut name = |positions: &[(Point, Anchor)], role, text: String| {
        if let Some((at, anchor)) = placer.place(positions, SIZE, &text) {
            shapes.push(Shape::Text { at, anchor, role, size: SIZE, text });
        }
    };
    for &link in cycle {
        let Some(line) = picture.line(link) else { continue };
        let (Some(&first), Some(&last)) = (line.first(), line.last()) else { continue };
        let way = last - first;
        let right = way.turned_right() * (13.0 / way.length().max(1.0));
        // The name is beside the line, to the right of the link's direction.
        let positions = [0.42, 0.3, 0.55].map(|share| (first + way * share + right, Anchor::Middle));
        name(&positions, Role::Trap, format!("d{}", link.dim));
    }
    let is_named = |node| cube.dimension() <= ADDRESSED || cycle.iter().any(|link| link.from == node);
    for (node, _) in picture.places.iter().filter(|(node, _)| is_named(*node)) {
        let Some(at) = picture.at(node) else { continue };
        // The name is above the node and to its left, where the fewest links are. Elsewhere it could
        // seem to be that of another node.
        let [_, above, _, left, .., above_left] = beside(at, radius, SIZE);
        let positions = [above_left, left, above];
        name(&positions, Role::Soft, wording::node(cube, node).to_string());
    }
    shapes
}

fn link_look(circuits: &CircuitNetwork, link: Link, shown: Emphasis, cycle: &[Link]) -> LinkStyle {
    let (holder, mut stroke) = match circuits.link_state(link) {
        LinkState::Faulty => {
            let alone = circuits.live().contains(link.from) && circuits.live().contains(link.end());
            return if alone { LinkStyle::Faulty } else { LinkStyle::Absent };
        }
        LinkState::Free => return LinkStyle::Free,
        LinkState::Transmitting(number) => (number, Stroke::solid(Role::Series(shown.series))),
        LinkState::Reserved(number) => (number, Stroke { dash: WAITING, ..Stroke::solid(Role::Detour) }),
    };
    let queue = circuits.queue(link);
    stroke.wait_bar = if queue == 0 { 0.0 } else { (0.25 + (queue as f64).sqrt() / 6.0).min(1.0) };
    if cycle.contains(&link) {
        let width = if shown.alone && shown.message == Some(holder) { 2.8 } else { 1.7 };
        (stroke.role, stroke.width) = (Role::Trap, width);
    } else if shown.message == Some(holder) {
        (stroke.role, stroke.width) = (Role::Ink, 1.6);
    } else if shown.alone {
        stroke.alpha = 0.4;
    }
    LinkStyle::Used(stroke)
}

/// Returns rows of dimension, direction (up or not), share and waiting count, for cubes too large
/// to draw. The share is the share of reserved links; the count is the number of messages that wait
/// for the links.
pub fn by_dimension(circuits: &CircuitNetwork) -> Vec<(u8, bool, f64, u64)> {
    let cube = circuits.cube();
    let mut rows = Vec::new();
    let half = cube.nodes().unwrap_or(2) as f64 / 2.0;
    let mut sums = vec![[(0u64, 0u64); 2]; usize::from(cube.dimension())];
    for message in circuits.messages() {
        for link in message.path() {
            sums[usize::from(link.dim)][usize::from(link.is_up())].0 += 1;
        }
        for link in message.waits_for() {
            sums[usize::from(link.dim)][usize::from(link.is_up())].1 += 1;
        }
    }
    for dim in set_dimensions(cube.mask()) {
        for up in [true, false] {
            let (held, waiting) = sums[usize::from(dim)][usize::from(up)];
            rows.push((dim, up, held as f64 / half, waiting));
        }
    }
    rows
}

/// Draws [`by_dimension`] as bars: up-links to the right, down-links to the left.
pub fn draw_bars(circuits: &CircuitNetwork, size: Size, series: u8) -> Scene {
    let rows = by_dimension(circuits);
    let step = (size.height - 40.0) / f64::from(circuits.cube().dimension()).max(1.0);
    let (middle, reach) = (size.width / 2.0, size.width / 2.0 - 40.0);
    let mut shapes = Vec::new();
    let mut text =
        |at, anchor, text: String| shapes.push(Shape::Text { at, anchor, role: Role::Soft, size: 12.0, text });
    text(Point::new(middle - 20.0, 12.0), Anchor::End, "down-links reserved".into());
    text(Point::new(middle + 20.0, 12.0), Anchor::Start, "up-links reserved".into());
    for (dim, up, share, waiting) in rows {
        let y = 34.0 + step * f64::from(dim) + step * 0.4;
        let side = if up { 1.0 } else { -1.0 };
        let (start, end) = (middle + side * 18.0, middle + side * (18.0 + (reach - 18.0) * share.clamp(0.0, 1.0)));
        let ends = [start, end].map(|x| Point::new(x, y));
        shapes.push(Shape::Line { ends, role: Role::Series(series), width: step * 0.45, alpha: 1.0 });
        if up {
            let text = dim.to_string();
            shapes.push(Shape::Text {
                at: Point::new(middle, y),
                anchor: Anchor::Middle,
                role: Role::Ink,
                size: 13.0,
                text,
            });
        }
        let anchor = if up { Anchor::Start } else { Anchor::End };
        let text = format!("{:.0}%, {waiting} wait", share * 100.0);
        let room = reach * (1.0 - share) > 80.0;
        let at = if room { Point::new(end + side * 8.0, y) } else { Point::new(start, y + step * 0.42) };
        shapes.push(Shape::Text { at, anchor, role: Role::Soft, size: 11.0, text });
    }
    Scene { size, shapes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::tests::watch;

    #[test]
    fn shares_by_dimension_lie_between_zero_and_one() {
        let watch = watch("net=cube:6&route=up&switch=circuit", 20.0);
        let rows = by_dimension(watch.networks()[0].circuits());
        assert_eq!(rows.len(), 12);
        assert!(rows.iter().all(|row| (0.0..=1.0).contains(&row.2)) && rows.iter().any(|row| row.2 > 0.0));
    }
}
