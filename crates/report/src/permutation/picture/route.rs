//! Route of one message on the square of subcubes: its hops with a line for each phase, its ends,
//! the message itself.

use super::painter::{FollowedRoute, PermutationPainter, arrow, diamond, direction, part, phase_look};
use crate::picture::geometry::{Point, text_width};
use crate::picture::labels::{LabelPlacer, beside};
use crate::picture::scene::{Anchor, Role, Shape};
use crate::picture::viewport::Window;
use faultlab_core::routing::oblivious::{ObliviousHop, ObliviousRoute};
use faultlab_core::topology::NodeId;

impl PermutationPainter<'_> {
    /// Draws the hops made, with a line for each phase, the ends and the intermediate node, and the
    /// message.
    pub(crate) fn route(&mut self, shown: FollowedRoute<'_>) {
        let width = self.route_width();
        let made = shown.hops.max(0.0);
        let hops: Vec<_> = shown.route.hops().take(libm::ceil(made) as usize).collect();
        for (number, hop) in hops.iter().enumerate() {
            let mut points = self.picture.line(hop.link);
            part(&mut points, made - number as f64);
            // A margin separates the route from the lines that it crosses.
            self.line(points, Role::Paper, width + 3.0, &[], 0.85);
        }
        for (number, hop) in hops.iter().enumerate() {
            self.hop(hop, made - number as f64, width);
        }
        self.marks(shown.route);
        self.draw_message(&hops, made, width);
    }

    fn route_width(&self) -> f64 {
        (self.picture.radius() * 0.5).clamp(1.8, 3.6)
    }

    fn hop(&mut self, hop: &ObliviousHop, share: f64, width: f64) {
        let mut points = self.picture.line(hop.link);
        part(&mut points, share);
        let (dash, weight) = phase_look(hop.phase);
        let dash: Vec<_> = dash.iter().map(|length| length * width / 2.4).collect();
        if share >= 1.0 && self.picture.radius() > 2.4 {
            let wings = arrow(&points, width * 1.5 + 1.5);
            self.line(wings, Role::Ink, width * 0.8, &[], 1.0);
        }
        self.line(points, Role::Ink, width * weight, &dash, 1.0);
    }

    /// Writes the names of the ends and the numbers of the hops, as far as they cover neither nodes
    /// nor each other.
    pub(crate) fn labels(&mut self, shown: FollowedRoute<'_>) {
        let radius = self.picture.radius();
        let mut placer = LabelPlacer::new(Window::whole(self.picture.size));
        self.nodes_of_cube().filter_map(|node| self.picture.at(node)).for_each(|at| placer.take(at, radius * 0.8));
        self.ends(shown.route, &mut placer);
        self.numbers(shown, &mut placer);
    }

    /// Writes the numbers of the hops: on the hop, or beside a short one.
    fn numbers(&mut self, shown: FollowedRoute<'_>, placer: &mut LabelPlacer) {
        let (hops, width) = (shown.route.hops().take(libm::ceil(shown.hops.max(0.0)) as usize), self.route_width());
        let size = if self.picture.is_narrow() { 9.0 } else { 10.0 };
        let radius = size * 0.72;
        for (number, hop) in (1..).zip(hops) {
            let line = self.picture.line(hop.link);
            let (Some(on_line), Some(along)) = (middle(&line), direction(&line)) else { continue };
            let short = line.first().zip(line.last()).is_some_and(|(&a, &b)| (a - b).length() < radius * 5.0);
            let aside = if short { radius + width * 0.5 + 1.5 } else { 0.0 };
            let places = [1.0, -1.0].map(|side| on_line + along.turned_right() * aside * side);
            let Some(at) = placer.place_disc(&places, radius) else { continue };
            self.shapes.push(Shape::Disc { at, radius, fill: Role::Paper, stroke: Some((Role::Ink, 1.2)) });
            self.text(at, Anchor::Middle, Role::Ink, size, u32::to_string(&number));
        }
    }

    /// Draws the ends and the intermediate node, each with its shape.
    fn marks(&mut self, route: &ObliviousRoute) {
        let radius = self.picture.radius().max(4.0);
        let at = |node| self.picture.at(node);
        let [from, to, via] = [at(route.from()), at(route.to()), route.via().and_then(at)];
        if let Some(at) = to {
            self.shapes.push(Shape::Disc { at, radius, fill: Role::Paper, stroke: Some((Role::Done, 3.0)) });
        }
        if let Some(at) = from {
            let radius = if from == to { radius * 0.5 } else { radius };
            self.shapes.push(Shape::Disc { at, radius, fill: Role::Ink, stroke: Some((Role::Paper, 1.0)) });
        }
        if let Some(at) = via {
            self.line(diamond(at, radius * 1.5).to_vec(), Role::Detour, 2.4, &[], 1.0);
        }
    }

    /// Writes the names of the ends and of the intermediate node.
    fn ends(&mut self, route: &ObliviousRoute, placer: &mut LabelPlacer) {
        const SIZE: f64 = 11.0;
        let far = self.picture.radius().max(4.0) * 1.5 + 7.0;
        let named = [(Some(route.from()), "from"), (route.via(), "via"), (Some(route.to()), "to")];
        let mut labels: Vec<(NodeId, String)> = Vec::new();
        for (node, what) in named {
            let Some(node) = node else { continue };
            match labels.iter_mut().find(|label| label.0 == node) {
                Some(label) => label.1 += &[", ", what].concat(),
                None => labels.push((node, what.to_owned())),
            }
        }
        for (node, text) in labels {
            let Some(middle) = self.picture.at(node) else { continue };
            let half = text_width(&text, SIZE) / 2.0 + 3.0;
            let at = if self.picture.is_low() {
                self.label_position(node, middle, far - 4.0 + half, half)
            } else {
                let x = middle.x.clamp(half, (self.picture.size.width - half).max(half));
                Point::new(x, self.above_or_below(node, middle.y, far, text.starts_with("to")))
            };
            let mut positions = vec![(at, Anchor::Middle)];
            positions.extend(beside(middle, self.picture.radius().max(4.0) + 2.0, SIZE));
            if let Some((at, anchor)) = placer.place(&positions, SIZE, &text) {
                self.text_with_background(at, anchor, Role::Ink, SIZE, text);
            }
        }
    }

    /// Returns the position of a name beside a node. The name is on the outer side of the node
    /// unless the frame's edge or the frame's name is in the way. `half` is half the width of the
    /// name.
    fn label_position(&self, node: NodeId, Point { x, y }: Point, aside: f64, half: f64) -> Point {
        let frame = self.picture.frame(node.0 & 3);
        let by_name = y - frame.top < self.picture.name_line() + 13.0;
        let edge = frame.left + if by_name { 42.0 } else { 0.0 };
        let is_left = x < frame.left + frame.width / 2.0 && x - aside - half >= edge;
        Point::new(if is_left { x - aside } else { x + aside }, y)
    }

    /// Returns the y of a name: below the destination, above other nodes, as far as that is inside
    /// the frame.
    fn above_or_below(&self, node: NodeId, y: f64, far: f64, is_destination: bool) -> f64 {
        let frame = self.picture.frame(node.0 & 3);
        let (top, bottom) = (frame.top + self.picture.head() + 4.0, frame.top + frame.height - 4.0);
        let up = if is_destination { y + far > bottom } else { y - far >= top };
        if up { y - far } else { y + far }
    }

    /// Draws the message itself.
    fn draw_message(&mut self, hops: &[ObliviousHop], made: f64, width: f64) {
        let Some((last, before)) = hops.split_last() else { return };
        let share = made - before.len() as f64;
        if share >= 1.0 {
            return;
        }
        let mut points = self.picture.line(last.link);
        part(&mut points, share);
        if let Some(&at) = points.last() {
            let fill = Role::Series(self.shown.series);
            self.shapes.push(Shape::Disc { at, radius: width + 2.5, fill, stroke: Some((Role::Paper, 1.5)) });
        }
    }
}

/// Returns the middle of a line.
fn middle(points: &[Point]) -> Option<Point> {
    let (a, b) = (points.get(points.len().checked_sub(1)? / 2)?, points.get(points.len() / 2)?);
    Some(a.middle(*b))
}
