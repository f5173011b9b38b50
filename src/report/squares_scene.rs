//! One oblivious scheme among its faults, drawn on the square of subcubes: who is active, one message's route, the congestion,
//! a batch of worms.

use super::mesh::Point;
use super::mesh_layers::Batches;
use super::scene::{Anchor, Role, Scene, Shape};
use super::squares::{HEAD, MAX_CHANNELS, SquaresPicture, corner_name};
use super::{squares_batch, squares_heat, squares_legend, words};
use crate::experiment::{BatchNumbers, RelationInstance, RelationSeries, RelationTrial};
use crate::fault::{ActiveSet, NodeStatus};
use crate::routing::oblivious::{ObliviousPhase, ObliviousRoute};
use crate::switching::{RouteBatch, StaticPaths};
use crate::topology::NodeId;

/// What is laid over the nodes.
#[derive(Clone, Copy, Default)]
pub struct SquaresShown<'a> {
    /// The number of the series, for its colour.
    pub series: u8,
    /// The message that is followed.
    pub route: Option<RouteShown<'a>>,
    /// All routes laid over each other: the congestion.
    pub heat: Option<&'a StaticPaths>,
    /// Whether the arrows between the subcubes, and the subcubes, say the congestion of their channels; needs `heat`.
    pub classes: bool,
    /// The batch at a cycle.
    pub batch: Option<BatchShown<'a>>,
    /// The node in focus, and what is said of it.
    pub focus: Option<(NodeId, &'a str)>,
}

/// One message's route, as far as it is made.
#[derive(Clone, Copy)]
pub struct RouteShown<'a> {
    /// The route.
    pub route: &'a ObliviousRoute,
    /// The hops that are made; the last one in part.
    pub hops: f64,
}

/// A batch of worms at the end of a cycle.
#[derive(Clone, Copy)]
pub struct BatchShown<'a> {
    /// The batch.
    pub batch: &'a RouteBatch,
    /// Which message is which.
    pub numbers: &'a BatchNumbers,
    /// The number of the message that is followed.
    pub followed: Option<u32>,
}

/// How a node stands to the scheme; what each of them looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// It may send and receive.
    Active,
    /// Healthy, but in the shadow of the faults: too many of its paths are faulty.
    Shadow,
    /// Healthy, in a square with a faulty node (Algorithm B).
    Marked,
    /// Faulty.
    Faulty,
}

impl NodeKind {
    /// That of `node`; of a scheme that does not apply, by the faults alone.
    pub fn of(instance: &RelationInstance, series: &RelationSeries, node: NodeId) -> Self {
        let set = series.trial.as_ref().ok().and_then(|trial| trial.routing.active_set());
        match set.map(|set| set.status(node)) {
            _ if instance.faulty.contains(node) => Self::Faulty,
            None | Some(NodeStatus::Active) => Self::Active,
            Some(NodeStatus::Marked) => Self::Marked,
            Some(_) => Self::Shadow,
        }
    }
}

/// Draws one scheme of `instance`.
pub fn draw(
    instance: &RelationInstance,
    series: &RelationSeries,
    picture: &SquaresPicture,
    shown: &SquaresShown<'_>,
) -> Scene {
    let trial = series.trial.as_ref().ok();
    let mut painter = Painter { instance, series, trial, picture, shown, shapes: Vec::new() };
    painter.frames();
    let said = squares_heat::arrows(&mut painter);
    if picture.is_drawn() {
        if let Some(paths) = shown.heat {
            squares_heat::channels(&mut painter, paths);
        }
        painter.nodes();
        if let (Some(batch), Some(trial)) = (shown.batch, trial) {
            squares_batch::draw(&mut painter, trial, batch);
        }
        if let Some(route) = shown.route {
            painter.route(route);
        }
    }
    painter.titles(said);
    if let Some(route) = shown.route.filter(|_| picture.is_drawn()) {
        painter.numbers(route);
        painter.ends(route.route);
    }
    painter.focus();
    squares_legend::draw(&mut painter);
    Scene { size: picture.size, shapes: painter.shapes }
}

/// Whether the scheme goes round the square of subcubes, and its channels have the ranks of figure 3-7.
pub fn has_ranks(trial: &RelationTrial) -> bool {
    trial.routing.active_set().is_some_and(ActiveSet::has_squares)
}

/// How the hops of a phase are drawn: dashes and gaps, and the width as a multiple.
pub fn phase_look(phase: ObliviousPhase) -> (&'static [f64], f64) {
    match phase {
        ObliviousPhase::Direct | ObliviousPhase::ToIntermediate | ObliviousPhase::Inside => (&[], 1.0),
        ObliviousPhase::FromIntermediate => (&[7.0, 3.0], 1.0),
        ObliviousPhase::Crossing => (&[], 1.9),
        ObliviousPhase::Clockwise | ObliviousPhase::Approach => (&[2.0, 2.5], 1.0),
        ObliviousPhase::CounterClockwise | ObliviousPhase::Leave => (&[9.0, 2.5, 2.0, 2.5], 1.0),
    }
}

pub(super) struct Painter<'a> {
    pub(super) instance: &'a RelationInstance,
    pub(super) series: &'a RelationSeries,
    pub(super) trial: Option<&'a RelationTrial>,
    pub(super) picture: &'a SquaresPicture,
    pub(super) shown: &'a SquaresShown<'a>,
    pub(super) shapes: Vec<Shape>,
}

impl Painter<'_> {
    pub(super) fn text(&mut self, at: Point, anchor: Anchor, role: Role, size: f64, text: String) {
        self.shapes.push(Shape::Text { at, anchor, role, size, text });
    }

    pub(super) fn line(&mut self, points: Vec<Point>, role: Role, width: f64, dash: &[f64], alpha: f64) {
        self.shapes.push(Shape::Stroke { points, role, width, dash: dash.to_vec(), alpha });
    }

    pub(super) fn nodes_of_cube(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..=self.picture.cube.mask()).map(NodeId)
    }

    /// The frames of the subcubes; without room for nodes, what is in them.
    fn frames(&mut self) {
        for corner in 0..4u64.min(self.picture.cube.mask() + 1) {
            let frame = self.picture.frame(corner);
            let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
            let (left, top) = (frame.left, frame.top);
            let points = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
            self.line(points, Role::Link, 1.0, &[], 1.0);
            if !self.picture.is_drawn() {
                self.counts(corner, (left + frame.width / 2.0, top + HEAD + (frame.height - HEAD) / 2.0));
            }
        }
    }

    fn counts(&mut self, corner: u64, (x, y): Point) {
        let all = self.nodes_of_cube().filter(|node| node.0 & 3 == corner);
        let (mut total, mut active, mut faulty) = (0u32, 0u32, 0u32);
        for node in all {
            total += 1;
            match NodeKind::of(self.instance, self.series, node) {
                NodeKind::Active => active += 1,
                NodeKind::Faulty => faulty += 1,
                _ => {}
            }
        }
        let share = f64::from(active) / f64::from(total.max(1)) * 100.0;
        self.text((x, y - 8.0), Anchor::Middle, Role::Ink, 13.0, format!("{active} of {total} active ({share:.0}%)"));
        self.text((x, y + 10.0), Anchor::Middle, Role::Fault, 12.0, format!("{faulty} faulty"));
    }

    /// The names of the subcubes, and what is said of the channels.
    fn titles(&mut self, said: Vec<squares_heat::Said>) {
        for corner in 0..4u64.min(self.picture.cube.mask() + 1) {
            let frame = self.picture.frame(corner);
            let at = (frame.left + 8.0, frame.top + HEAD / 2.0 + 1.0);
            self.plate(at, Anchor::Start, Role::Ink, 13.0, corner_name(corner));
        }
        for said in said.into_iter().filter(|said| !said.text.is_empty()) {
            self.plate(said.at, said.anchor, Role::Ink, 11.0, said.text);
        }
    }

    /// The nodes, each by its kind: told apart by their shapes.
    fn nodes(&mut self) {
        let radius = self.picture.radius();
        let mut lines = Batches::default();
        for node in self.nodes_of_cube() {
            let Some(at) = self.picture.at(node) else { continue };
            match NodeKind::of(self.instance, self.series, node) {
                // The dot of its congestion stands for it; struck through, it is not active.
                NodeKind::Active if squares_heat::is_dot(self, node) => {}
                NodeKind::Shadow if squares_heat::is_dot(self, node) => {
                    let r = radius.max(1.5);
                    let ends = [(at.0 - r, at.1 + r), (at.0 + r, at.1 - r)];
                    lines.add(Role::Paper, (radius * 0.3).clamp(0.8, 2.2), 1.0, &ends);
                }
                kind => self.node(kind, at, radius, &mut lines),
            }
        }
        lines.finish(&mut self.shapes);
        self.names();
    }

    pub(super) fn node(&mut self, kind: NodeKind, at: Point, radius: f64, lines: &mut Batches) {
        match kind {
            NodeKind::Active => lines.add(Role::Idle, radius * 1.4, 1.0, &dot(at)),
            NodeKind::Shadow => hatched(at, radius, lines),
            NodeKind::Marked => lines.add(Role::Fault, (radius * 0.22).clamp(0.7, 1.6), 1.0, &diamond(at, radius)),
            NodeKind::Faulty => self.shapes.push(Shape::Cross { at, radius: radius.max(2.0), role: Role::Fault }),
        }
    }

    /// The names of the nodes, where there is room: aside, off the lines to the neighbours.
    fn names(&mut self) {
        let ((right, down), cube, radius) = (self.picture.steps(), self.picture.cube, self.picture.radius());
        let size = 10.0;
        if cube.dimension() > MAX_CHANNELS
            || down < 40.0
            || right < text_width(&words::node(cube, NodeId(0)), size) + 14.0
        {
            return;
        }
        for node in self.nodes_of_cube() {
            if let Some((x, y)) = self.picture.at(node) {
                let at = (x + radius * 0.6, y + radius + 6.0);
                self.text(at, Anchor::Start, Role::Soft, size, words::node(cube, node));
            }
        }
    }

    /// A text on a ground of paper.
    pub(super) fn plate(&mut self, (x, y): Point, anchor: Anchor, role: Role, size: f64, text: String) {
        let width = text_width(&text, size);
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        let ends = [(left - 1.0, y), (left + width + 1.0, y)];
        self.shapes.push(Shape::Line { ends, role: Role::Paper, width: size + 3.0, alpha: 0.88 });
        self.text((x, y), anchor, role, size, text);
    }

    fn focus(&mut self) {
        let Some((node, state)) = self.shown.focus else { return };
        let Some((x, y)) = self.picture.at(node) else { return };
        let radius = self.picture.radius() + 3.0;
        for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let (near, far) = (radius * 0.8, radius * 0.8 + 6.0);
            let ends = [(x + sx * near, y + sy * near), (x + sx * far, y + sy * far)];
            self.shapes.push(Shape::Line { ends, role: Role::Ink, width: 2.0, alpha: 1.0 });
        }
        let anchor = if x < self.picture.size.0 / 2.0 { Anchor::Start } else { Anchor::End };
        let name = words::node(self.picture.cube, node);
        let text = if state.is_empty() { name } else { [&name, ", ", state].concat() };
        self.plate((x, y - radius - 12.0), anchor, Role::Ink, 12.0, text);
    }
}

/// About how wide a text is, in pixels.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.54
}

/// A line so short that its round ends make a dot.
pub(super) fn dot((x, y): Point) -> [Point; 2] {
    [(x - 0.05, y), (x + 0.05, y)]
}

pub(super) fn diamond((x, y): Point, radius: f64) -> [Point; 5] {
    [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(dx, dy)| (x + dx * radius, y + dy * radius))
}

/// A hollow node, hatched; the hatching alone where there is no room.
fn hatched((x, y): Point, radius: f64, lines: &mut Batches) {
    let r = radius * 0.8;
    let width = (radius * 0.16).clamp(0.6, 1.2);
    if radius >= 3.0 {
        const CORNERS: [(f64, f64); 9] = [
            (1.0, 0.41),
            (0.41, 1.0),
            (-0.41, 1.0),
            (-1.0, 0.41),
            (-1.0, -0.41),
            (-0.41, -1.0),
            (0.41, -1.0),
            (1.0, -0.41),
            (1.0, 0.41),
        ];
        lines.add(Role::Idle, width, 1.0, &CORNERS.map(|(dx, dy)| (x + dx * r, y + dy * r)));
    }
    lines.add(Role::Idle, width, 1.0, &[(x - r * 0.65, y + r * 0.65), (x + r * 0.65, y - r * 0.65)]);
}

/// The first part of a line of pieces of about the same length.
pub(super) fn part(points: &mut Vec<Point>, share: f64) {
    let pieces = points.len().saturating_sub(1);
    if share >= 1.0 || pieces == 0 {
        return;
    }
    let place = share.max(0.0) * pieces as f64;
    let whole = place as usize;
    let (a, b, rest) = (points[whole], points[whole + 1], place - whole as f64);
    points.truncate(whole + 1);
    points.push((a.0 + (b.0 - a.0) * rest, a.1 + (b.1 - a.1) * rest));
}

pub(super) fn apart(a: Point, b: Point) -> f64 {
    libm::sqrt((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1))
}

/// The unit vector from the first point of a line to its last.
pub(super) fn direction(points: &[Point]) -> Option<Point> {
    let (&a, &b) = (points.first()?, points.last()?);
    let length = apart(a, b).max(1e-9);
    Some(((b.0 - a.0) / length, (b.1 - a.1) / length))
}

/// The wings of an arrow at the end of a line.
pub(super) fn arrow(points: &[Point], wing: f64) -> Vec<Point> {
    let [.., (_, _), (bx, by)] = points else { return Vec::new() };
    let Some((ux, uy)) = direction(&points[points.len() - 2..]) else { return Vec::new() };
    let side = |sign: f64| (bx - (ux * 1.3 + sign * uy * 0.8) * wing, by - (uy * 1.3 - sign * ux * 0.8) * wing);
    vec![side(1.0), (*bx, *by), side(-1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;

    fn instance(text: &str) -> RelationInstance {
        RelationInstance::new(&text.parse::<Experiment>().expect("an experiment")).expect("a cube")
    }

    fn said(scene: &Scene, what: &str) -> bool {
        scene.shapes.iter().any(|shape| matches!(shape, Shape::Text { text, .. } if text == what))
    }

    #[test]
    fn nodes_routes_and_congestion_are_drawn() {
        let instance = instance("net=cube:6&faults=nodes:0&break=5&route=algorithm-b&switch=permutation&tolerance=0.3");
        let (series, trial) = (&instance.series[0], instance.series[0].trial.as_ref().unwrap());
        let picture = SquaresPicture::of_width(instance.cell.cube, 1000.0);
        let bare = draw(&instance, series, &picture, &SquaresShown::default());
        let crosses = |scene: &Scene| scene.shapes.iter().filter(|it| matches!(it, Shape::Cross { .. })).count();
        // The faulty node, and its entry in the legend.
        assert_eq!(crosses(&bare), 2);
        assert!(said(&bare, "C00") && said(&bare, "rank 4") && said(&bare, "not used") && said(&bare, "000101"));

        let (paths, route) = (trial.paths().unwrap(), trial.route(0).unwrap());
        let shown = RouteShown { route: &route, hops: 2.5 };
        let shown = SquaresShown { route: Some(shown), heat: Some(&paths), classes: true, ..SquaresShown::default() };
        let scene = draw(&instance, series, &picture, &shown);
        assert!(said(&scene, "from") && said(&scene, "via") && said(&scene, "3") && !said(&scene, "4"));
        let class = paths.by_class(|link| edge_class(link.from.0 & 3, link.dim))[&5];
        assert!(said(&scene, &format!("rank 5: mean {:.2}, max {} (without faults 4)", class.mean(), class.max)));
        let small = SquaresPicture::of_width(instance.cell.cube, 360.0);
        assert!(said(&draw(&instance, series, &small, &shown), "phases"));
    }

    fn edge_class(corner: u64, dim: u8) -> Option<u8> {
        (corner == 0 && dim == 1).then_some(5)
    }

    #[test]
    fn a_frozen_batch_shows_its_circle() {
        let text = "net=cube:2&faults=nodes:0&route=valiant-brebner&switch=batch&length=2&traffic=0-3-2,3-0-1";
        let instance = instance(text);
        let (series, trial) = (&instance.series[0], instance.series[0].trial.as_ref().unwrap());
        let (numbers, mut batch) = (BatchNumbers::of(trial), trial.batch(2).unwrap());
        batch.run_until(100);
        let shown = BatchShown { batch: &batch, numbers: &numbers, followed: Some(0) };
        let picture = SquaresPicture::of_width(instance.cell.cube, 500.0);
        let scene = draw(&instance, series, &picture, &SquaresShown { batch: Some(shown), ..SquaresShown::default() });
        let of =
            |role| scene.shapes.iter().filter(|it| matches!(it, Shape::Stroke { role: r, .. } if *r == role)).count();
        // Two channels held by each, and two arrows.
        assert!(of(Role::Trap) == 6 && said(&scene, "0") && said(&scene, "1"), "{}", of(Role::Trap));
    }

    #[test]
    fn a_large_cube_and_a_scheme_that_does_not_apply_are_drawn_all_the_same() {
        let large = instance("net=cube:13&faults=nodes:0&break=5&route=algorithm-b&switch=permutation");
        let picture = SquaresPicture::of_width(large.cell.cube, 700.0);
        let scene = draw(&large, &large.series[0], &picture, &SquaresShown::default());
        assert!(said(&scene, "1 faulty") && scene.shapes.len() < 100);
        let none = instance("net=cube:2&faults=nodes:0&route=algorithm-b&switch=permutation");
        let picture = SquaresPicture::of_width(none.cell.cube, 300.0);
        assert!(said(&draw(&none, &none.series[0], &picture, &SquaresShown::default()), "active"));
    }
}
