//! Picture of a cycle of the channel dependency graph on its mesh.

use serde::{Deserialize, Serialize};

use crate::picture::geometry::{Point, Size};
use crate::picture::layers::Layers;
use crate::picture::mesh::MeshPicture;
use crate::picture::mesh::faults::{FaultPainter, FaultViewOptions};
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use faultlab_core::fault::BlockFaults;
use faultlab_core::topology::{NodeId, Port};

/// Virtual-channel class of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshChannel {
    /// Node that the channel leaves.
    pub from: NodeId,
    /// Port by which the channel leaves the node.
    pub port: Port,
    /// Virtual-channel class.
    pub class: u8,
}

/// Dashes of classes 0, 1, 2, and 3 or higher. A class is recognisable by its dashes and by its
/// offset in the channel.
const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.5, 2.5], &[8.0, 2.5, 2.0, 2.5]];

/// Draws the channels of a cycle, numbered in order; a message that holds one channel waits for the
/// next one. The algorithm needs `classes` virtual-channel classes.
pub(crate) fn scene(faults: &BlockFaults, cycle: &[MeshChannel], classes: u8, size: Size) -> Scene {
    let picture = MeshPicture::whole(faults.mesh(), size);
    if !picture.is_drawn() {
        return picture.not_drawn_scene();
    }
    let mut links: Vec<_> = faults.regions().iter().flat_map(|region| region.links.iter().copied()).collect();
    links.sort();
    let shown = FaultViewOptions { links: &links, rounds: faults.rounds().len(), positions: false };
    let painter = FaultPainter { picture: &picture, faults, ringed: faults, shown, focus: None };
    let mut shapes = Layers::default();
    painter.draw_below(false, &mut shapes);
    let radius = (picture.step() * 0.16).clamp(5.0, 8.0);
    let mut numbers: Vec<(Point, Role, String)> = Vec::new();
    for (place, channel) in cycle.iter().enumerate() {
        let aside = picture.aside(channel.class, classes);
        let dash = DASHES[usize::from(channel.class).min(DASHES.len() - 1)].to_vec();
        let role = Role::Series(channel.class);
        for run in picture.segments(channel.from, channel.port) {
            let points = run.line(aside, 2.5).to_vec();
            shapes.push(Shape::Stroke { points, role, width: 2.5, dash: dash.clone(), alpha: 1.0 });
        }
        let Some(run) = picture.last_segment(channel.from, channel.port) else { continue };
        let points = head(run.along().0, run.line(aside, 2.5)[1]);
        shapes.push(Shape::Stroke { points, role, width: 2.5, dash: Vec::new(), alpha: 1.0 });
        // The number is beside the channel, on the outer side, so that the line and the arrow stay
        // visible.
        let line = run.line(aside + (radius + 3.0) / run.scale, 0.0);
        numbers.push((free_position(line, radius, &numbers), role, (place + 1).to_string()));
    }
    painter.draw_above(&mut shapes);
    for (at, role, text) in numbers {
        shapes.push(Shape::Disc { at, radius, fill: Role::Paper, stroke: Some((role, 1.5)) });
        shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size: radius * 1.35, text });
    }
    picture.numbers(&mut shapes);
    Scene { size, shapes: shapes.into_shapes() }
}

/// Positions of a number along its channel, from the preferred one, as shares of the line.
const POSITIONS: [f64; 5] = [0.5, 0.25, 0.75, 0.0, 1.0];

/// Returns the position along a line at which a number covers no other: channels of several classes
/// share a link. Without such a position, it is the one farthest from the others.
fn free_position([a, b]: [Point; 2], radius: f64, numbers: &[(Point, Role, String)]) -> Point {
    let nearest = |at: &Point| numbers.iter().map(|other| (other.0 - *at).length()).fold(f64::INFINITY, f64::min);
    let positions = POSITIONS.map(|share| a + (b - a) * share);
    let free = positions.iter().find(|at| nearest(at) >= 2.0 * radius);
    let farthest = || positions.iter().max_by(|first, second| nearest(first).total_cmp(&nearest(second)));
    free.or_else(farthest).copied().unwrap_or(a)
}

/// Returns an arrowhead at `to`, the end of a line with the given direction.
fn head(Point { x: ux, y: uy }: Point, to: Point) -> Vec<Point> {
    const LENGTH: f64 = 5.0;
    let barb = |side: f64| Point::new(to.x - LENGTH * (ux + side * uy), to.y - LENGTH * (uy - side * ux));
    vec![barb(0.7), to, barb(-0.7)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_channels_of_one_link_are_apart() {
        let mut numbers: Vec<(Point, Role, String)> = Vec::new();
        for place in 0..3u8 {
            let offset = f64::from(place) * 3.0;
            let line = [Point::new(0.0, offset), Point::new(80.0, offset)];
            numbers.push((free_position(line, 8.0, &numbers), Role::Ink, place.to_string()));
        }
        let at = |place: usize| numbers[place].0;
        assert_eq!(at(0), Point::new(40.0, 0.0), "alone in the middle");
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            assert!((at(first) - at(second)).length() >= 16.0, "{numbers:?}");
        }
    }
}
