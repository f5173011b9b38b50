//! Painter shared by all parts of the picture of the square of subcubes.

use super::subcube_layout::SquaresPicture;
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, text_width};
use crate::picture::layers::LineBatches;
use crate::picture::scene::{Anchor, Role, Shape};
use faultlab_core::fault::{ActiveSet, NodeStatus};
use faultlab_core::routing::oblivious::{ObliviousPhase, ObliviousRoute};
use faultlab_core::switching::{BatchRun, StaticCongestion};
use faultlab_core::topology::NodeId;
use faultlab_experiment::{BatchIndex, PermutationInstance, PermutationSeries, PermutationTrial};

/// View options of the nodes.
#[derive(Clone, Copy, Default)]
pub struct SubcubeViewOptions<'a> {
    /// Number of the series, which selects its colour.
    pub series: u8,
    /// Route of the followed message.
    pub route: Option<FollowedRoute<'a>>,
    /// Counts of all routes, shown as congestion.
    pub heat: Option<&'a StaticCongestion>,
    /// True if the arrows between the subcubes, and the subcubes, show the congestion of their
    /// channels; needs `heat`.
    pub classes: bool,
    /// Batch at a cycle.
    pub batch: Option<BatchAtCycle<'a>>,
    /// Element in focus, and its description.
    pub focus: Option<(NetworkElement, &'a str)>,
}

/// Route of one message, with its progress.
#[derive(Clone, Copy)]
pub struct FollowedRoute<'a> {
    /// Route.
    pub route: &'a ObliviousRoute,
    /// Number of hops made, including a fraction of the last one.
    pub hops: f64,
}

/// Batch of worms at the end of a cycle.
#[derive(Clone, Copy)]
pub struct BatchAtCycle<'a> {
    /// Batch.
    pub batch: &'a BatchRun,
    /// Numbers of the messages in the batch.
    pub numbers: &'a BatchIndex,
    /// Number of the followed message.
    pub followed: Option<u32>,
}

/// Kind of a node under the scheme, which decides its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Active: may send and receive.
    Active,
    /// Healthy, but inactive because too many of its paths are faulty.
    Inactive,
    /// Healthy, in a square with a faulty node (Algorithm B).
    Marked,
    /// Faulty.
    Faulty,
}

impl NodeKind {
    /// Returns the kind of `node`; for a scheme that does not apply, by the faults alone.
    pub fn from_node(instance: &PermutationInstance, series: &PermutationSeries, node: NodeId) -> Self {
        let set = series.trial.as_ref().ok().and_then(|trial| trial.routing.active_set());
        match set.map(|set| set.status(node)) {
            _ if instance.faulty.contains(node) => Self::Faulty,
            None | Some(NodeStatus::Active) => Self::Active,
            Some(NodeStatus::Marked) => Self::Marked,
            Some(_) => Self::Inactive,
        }
    }
}

/// Returns whether the scheme routes around the square of subcubes, with the channel ranks of
/// figure 3-7.
pub fn has_ranks(trial: &PermutationTrial) -> bool {
    trial.routing.active_set().is_some_and(ActiveSet::has_squares)
}

/// Returns the dashes and gaps of a phase's hops, and a factor of their width.
pub fn phase_look(phase: ObliviousPhase) -> (&'static [f64], f64) {
    match phase {
        ObliviousPhase::Direct | ObliviousPhase::ToIntermediate | ObliviousPhase::Inside => (&[], 1.0),
        ObliviousPhase::FromIntermediate => (&[7.0, 3.0], 1.0),
        ObliviousPhase::Crossing => (&[], 1.9),
        ObliviousPhase::Clockwise | ObliviousPhase::Approach => (&[2.0, 2.5], 1.0),
        ObliviousPhase::CounterClockwise | ObliviousPhase::Leave => (&[9.0, 2.5, 2.0, 2.5], 1.0),
    }
}

/// Scheme with the shapes painted so far.
pub(crate) struct PermutationPainter<'a> {
    pub(crate) instance: &'a PermutationInstance,
    pub(crate) series: &'a PermutationSeries,
    pub(crate) trial: Option<&'a PermutationTrial>,
    pub(crate) picture: &'a SquaresPicture,
    pub(crate) shown: &'a SubcubeViewOptions<'a>,
    pub(crate) shapes: Vec<Shape>,
}

impl PermutationPainter<'_> {
    pub(crate) fn text(&mut self, at: Point, anchor: Anchor, role: Role, size: f64, text: String) {
        self.shapes.push(Shape::Text { at, anchor, role, size, text });
    }

    pub(crate) fn line(&mut self, points: Vec<Point>, role: Role, width: f64, dash: &[f64], alpha: f64) {
        self.shapes.push(Shape::Stroke { points, role, width, dash: dash.to_vec(), alpha });
    }

    pub(crate) fn nodes_of_cube(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..=self.picture.cube.mask()).map(NodeId)
    }

    pub(crate) fn node(&mut self, kind: NodeKind, at: Point, radius: f64, lines: &mut LineBatches) {
        draw_node(kind, at, radius, lines, &mut self.shapes);
    }

    /// Writes a text on a background of paper.
    pub(crate) fn text_with_background(&mut self, at: Point, anchor: Anchor, role: Role, size: f64, text: String) {
        let width = text_width(&text, size);
        let left = match anchor {
            Anchor::Start => at.x,
            Anchor::Middle => at.x - width / 2.0,
            Anchor::End => at.x - width,
        };
        let ends = [Point::new(left - 1.0, at.y), Point::new(left + width + 1.0, at.y)];
        self.shapes.push(Shape::Line { ends, role: Role::Paper, width: size + 3.0, alpha: 0.88 });
        self.text(at, anchor, role, size, text);
    }
}

/// Draws a node of a kind.
pub(crate) fn draw_node(kind: NodeKind, at: Point, radius: f64, lines: &mut LineBatches, shapes: &mut Vec<Shape>) {
    match kind {
        NodeKind::Active => lines.add(Role::Idle, radius * 1.4, 1.0, &dot(at)),
        NodeKind::Inactive => hatched(at, radius, lines),
        NodeKind::Marked => lines.add(Role::Fault, (radius * 0.22).clamp(0.7, 1.6), 1.0, &diamond(at, radius)),
        NodeKind::Faulty => shapes.push(Shape::Cross { at, radius: radius.max(2.0), role: Role::Fault }),
    }
}

/// Returns a line so short that its round caps make a dot.
pub(crate) fn dot(at: Point) -> [Point; 2] {
    [Point::new(at.x - 0.05, at.y), Point::new(at.x + 0.05, at.y)]
}

pub(crate) fn diamond(at: Point, radius: f64) -> [Point; 5] {
    [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, y)| at + Point::new(x, y) * radius)
}

/// Adds a hollow node with hatching; without space, only the hatching.
fn hatched(at: Point, radius: f64, lines: &mut LineBatches) {
    let r = radius * 0.8;
    let width = (radius * 0.16).clamp(0.6, 1.2);
    if radius >= 3.0 {
        const CORNERS: [Point; 9] = [
            Point::new(1.0, 0.41),
            Point::new(0.41, 1.0),
            Point::new(-0.41, 1.0),
            Point::new(-1.0, 0.41),
            Point::new(-1.0, -0.41),
            Point::new(-0.41, -1.0),
            Point::new(0.41, -1.0),
            Point::new(1.0, -0.41),
            Point::new(1.0, 0.41),
        ];
        lines.add(Role::Idle, width, 1.0, &CORNERS.map(|corner| at + corner * r));
    }
    lines.add(Role::Idle, width, 1.0, &[-0.65, 0.65].map(|part| at + Point::new(r * part, -r * part)));
}

/// Shortens a line to its first part; its pieces must have about the same length.
pub(crate) fn part(points: &mut Vec<Point>, share: f64) {
    let pieces = points.len().saturating_sub(1);
    if share >= 1.0 || pieces == 0 {
        return;
    }
    let place = share.max(0.0) * pieces as f64;
    let whole = place as usize;
    let (a, b, rest) = (points[whole], points[whole + 1], place - whole as f64);
    points.truncate(whole + 1);
    points.push(a + (b - a) * rest);
}

/// Returns the unit vector from the first point of a line to its last.
pub(crate) fn direction(points: &[Point]) -> Option<Point> {
    let (&a, &b) = (points.first()?, points.last()?);
    let way = b - a;
    let length = way.length().max(1e-9);
    Some(Point::new(way.x / length, way.y / length))
}

/// Returns the wings of an arrow at the end of a line.
pub(crate) fn arrow(points: &[Point], wing: f64) -> Vec<Point> {
    let [.., _, tip] = points else { return Vec::new() };
    let Some(Point { x: ux, y: uy }) = direction(&points[points.len() - 2..]) else { return Vec::new() };
    let side = |sign: f64| *tip - Point::new(ux * 1.3 + sign * uy * 0.8, uy * 1.3 - sign * ux * 0.8) * wing;
    vec![side(1.0), *tip, side(-1.0)]
}
