//! Congestion on the square of subcubes: channel by channel, node by node, and class by class.

use super::painter::{PermutationPainter, arrow, dot, has_ranks};
use super::subcube_layout::MAX_CHANNELS;
use crate::picture::geometry::Point;
use crate::picture::layers::LineBatches;
use crate::picture::scene::{Anchor, Role};
use faultlab_core::routing::oblivious::edge_rank;
use faultlab_core::switching::{ClassCongestion, StaticCongestion};
use faultlab_core::topology::{Link, NodeId};
use faultlab_core::traffic::BatchTraffic;

/// Number of steps of the scale.
pub(crate) const STEPS: u32 = 6;

/// Returns the step of a number of messages, 0 (none) to [`STEPS`], as a share of the scale.
pub(crate) fn level(count: u32, max: u32) -> f64 {
    f64::from((count * STEPS).div_ceil(max.max(1))) / f64::from(STEPS)
}

/// Returns the opacity of a step.
pub(crate) fn alpha(level: f64) -> f64 {
    0.25 + 0.75 * level
}

/// Returns the width of a channel's line at a step, or the size of a node's dot.
pub(crate) fn width(painter: &PermutationPainter<'_>, level: f64) -> f64 {
    if painter.picture.cube.dimension() <= MAX_CHANNELS {
        (painter.picture.radius() * 0.6).clamp(1.6, 6.0) * level
    } else {
        painter.picture.step() * (0.28 + 0.62 * level)
    }
}

/// Draws the congestion of every channel or, in larger cubes, the maximum over the channels out of
/// every node.
pub(crate) fn channels(painter: &mut PermutationPainter<'_>, paths: &StaticCongestion) {
    let (max, role) = (paths.max_congestion(), Role::Series(painter.shown.series));
    let mut lines = LineBatches::default();
    let small = painter.picture.cube.dimension() <= MAX_CHANNELS;
    if small {
        for (link, count) in paths.channels().filter(|&(_, count)| count > 0) {
            let level = level(count, max);
            lines.add(role, width(painter, level), alpha(level), &painter.picture.line(link));
        }
    } else {
        let n = usize::from(paths.cube().dimension());
        for (node, counts) in (0..).map(NodeId).zip(paths.congestion().chunks_exact(n)) {
            let most = counts.iter().copied().max().unwrap_or(0);
            if let Some(at) = painter.picture.at(node).filter(|_| most > 0) {
                let level = level(most, max);
                lines.add(role, width(painter, level), alpha(level), &dot(at));
            }
        }
    }
    lines.finish(&mut painter.shapes);
}

/// Returns whether a node is drawn as a congestion dot: in larger cubes, if any message crosses
/// the channels of the node.
pub(crate) fn is_dot(painter: &PermutationPainter<'_>, node: NodeId) -> bool {
    let n = painter.picture.cube.dimension();
    let used = |paths: &StaticCongestion| (0..n).any(|dim| paths.congestion_of(Link { from: node, dim }) > 0);
    n > MAX_CHANNELS && painter.shown.heat.is_some_and(used)
}

/// Class of a channel on the square: inside its subcube, or from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChannelClass {
    /// Subcube in which the channel starts.
    corner: u64,
    /// Dimension that leads to the next subcube; `None` for channels inside a subcube.
    dim: Option<u8>,
}

impl ChannelClass {
    fn from_link(link: Link) -> Self {
        Self { corner: link.from.0 & 3, dim: Some(link.dim).filter(|&dim| dim < 2) }
    }

    /// Returns the rank in the order of figure 3-7, 1 to 9; `None` if Algorithm B does not use the
    /// class.
    fn rank(self) -> Option<u8> {
        edge_rank(Link { from: NodeId(self.corner), dim: self.dim.unwrap_or(2) }).map(|rank| rank.class)
    }
}

/// Expected congestion of the classes 1 to 9 under Algorithm B without faults and with all nodes
/// sending, as a multiple of h.
const EXPECTED: [u32; 9] = [1, 2, 3, 2, 4, 2, 3, 2, 1];

/// Label of a class.
struct ClassLabel {
    text: String,
    /// True if the scheme does not use the class.
    unused: bool,
    /// Mean as a share of the largest mean.
    weight: f64,
}

fn labels(painter: &PermutationPainter<'_>) -> Box<dyn Fn(ChannelClass) -> ClassLabel> {
    let ranked = painter.trial.is_some_and(has_ranks);
    let h = painter.trial.map_or(1, |trial| trial.relation.h());
    let whole = matches!(painter.instance.cell.permutation_setting().demand, BatchTraffic::Rule(_));
    let paths = painter.shown.heat.filter(|_| painter.shown.classes);
    let found = paths.map(|paths| paths.by_class(|link| Some(ChannelClass::from_link(link)))).unwrap_or_default();
    let most = found.values().map(ClassCongestion::mean).fold(0.0, f64::max).max(1e-9);
    let narrow = painter.picture.is_narrow() || painter.picture.is_low();
    Box::new(move |side| {
        let rank = side.rank().filter(|_| ranked);
        let class = found.get(&side);
        let mut parts: Vec<String> = Vec::new();
        if let Some(rank) = rank {
            let colon = if class.is_some() { ":" } else { "" };
            parts.push(if narrow { format!("{rank}{colon}") } else { format!("rank {rank}{colon}") });
        }
        if ranked && rank.is_none() {
            return ClassLabel {
                text: if narrow { String::new() } else { "not used".into() },
                unused: true,
                weight: 0.0,
            };
        }
        if let Some(class) = class {
            let (mean, max) = (class.mean(), class.max);
            parts.push(if narrow { format!("{mean:.1}, max {max}") } else { format!("mean {mean:.2}, max {max}") });
        }
        if let (Some(rank), Some(_), true) = (rank, class, whole) {
            let expected = EXPECTED[usize::from(rank) - 1] * h;
            parts.push(if narrow { format!("({expected})") } else { format!("(without faults {expected})") });
        }
        let weight = class.map_or(0.4, |class| class.mean() / most);
        ClassLabel { text: parts.join(" "), unused: false, weight }
    })
}

/// Draws the arrows between the subcubes. Returns the labels of the arrows and of the subcubes, to
/// be written on top.
pub(crate) fn arrows(painter: &mut PermutationPainter<'_>) -> Vec<PlacedLabel> {
    let (label, cube) = (labels(painter), painter.picture.cube);
    let mut placed = Vec::new();
    for corner in (0..4).filter(|&corner| cube.contains(NodeId(corner))) {
        for dim in (0..2).filter(|&dim| dim < cube.dimension()) {
            let label = label(ChannelClass { corner, dim: Some(dim) });
            placed.push(if dim == 0 { vertical(painter, corner, label) } else { horizontal(painter, corner, label) });
        }
        if cube.dimension() > 2 {
            let (frame, text) = (painter.picture.frame(corner), label(ChannelClass { corner, dim: None }).text);
            let at = Point::new(frame.left + frame.width - 8.0, frame.top + painter.picture.name_line());
            placed.push(PlacedLabel { at, anchor: Anchor::End, text });
        }
    }
    placed
}

/// Label of a class of channels, and its position.
pub(crate) struct PlacedLabel {
    pub(crate) at: Point,
    pub(crate) anchor: Anchor,
    pub(crate) text: String,
}

fn shaft(painter: &mut PermutationPainter<'_>, ends: [Point; 2], label: &ClassLabel) {
    let quiet = label.unused || label.text.is_empty();
    let (role, width) = if quiet { (Role::Link, 1.5) } else { (Role::Soft, 1.0 + 3.0 * label.weight) };
    let dash: &[f64] = if label.unused { &[2.0, 4.0] } else { &[] };
    painter.line(ends.to_vec(), role, width, dash, 1.0);
    painter.line(arrow(&ends, 5.0 + width * 0.6), role, width.min(2.0), &[], 1.0);
}

/// Draws an arrow to the right or back, in the band above the upper subcubes or below the lower
/// ones.
fn horizontal(painter: &mut PermutationPainter<'_>, corner: u64, label: ClassLabel) -> PlacedLabel {
    let (here, there) = (painter.picture.frame(corner), painter.picture.frame(corner ^ 2));
    let right = corner & 2 == 0;
    let top = if corner & 1 == 0 { 0.0 } else { here.top + here.height };
    let y = top + painter.picture.band() * if right { 0.27 } else { 0.73 };
    let inset = here.width * 0.12;
    let (from, to) = if right {
        (here.left + inset, there.left + there.width - inset)
    } else {
        (here.left + here.width - inset, there.left + inset)
    };
    shaft(painter, [Point::new(from, y), Point::new(to, y)], &label);
    PlacedLabel { at: Point::new((from + to) / 2.0, y), anchor: Anchor::Middle, text: label.text }
}

/// Draws an arrow down or up, in the strip between the upper subcubes and the lower ones.
fn vertical(painter: &mut PermutationPainter<'_>, corner: u64, label: ClassLabel) -> PlacedLabel {
    let down = corner & 1 == 0;
    let upper = painter.picture.frame(corner & 2);
    let (top, bottom) = (upper.top + upper.height + 4.0, upper.top + upper.height + painter.picture.strip() - 4.0);
    let x = upper.left + upper.width * if down { 0.06 } else { 0.94 };
    let (upper, lower) = (Point::new(x, top), Point::new(x, bottom));
    shaft(painter, if down { [upper, lower] } else { [lower, upper] }, &label);
    let y = (top + bottom) / 2.0 + if down { -9.0 } else { 9.0 };
    let (x, anchor) = if down { (x + 9.0, Anchor::Start) } else { (x - 9.0, Anchor::End) };
    PlacedLabel { at: Point::new(x, y), anchor, text: label.text }
}
