//! Picture of a hypercube with its faults and moving messages.

use crate::picture::cube::{NetworkElement, distance_to_segment};
use crate::picture::geometry::{Point, Size};
use crate::picture::labels::{LabelPlacer, beside};
use crate::picture::layout::NodePositions;
use crate::picture::scene::{Anchor, DASHES, Role, Scene, Shape};
use crate::picture::viewport::Window;
use crate::wording;
use faultlab_core::fault::Faults as _;
use faultlab_core::switching::Hop;
use faultlab_core::topology::{Hypercube, Link, NodeId};
use faultlab_experiment::{Instance, Trace};

/// View of an instance at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageFrame {
    /// Width and height in pixels.
    pub size: Size,
    /// Magnification, which the margins share.
    pub zoom: f64,
    /// Number of hops made, with the fraction of the next hop: 2.5 is half-way between the second
    /// and the third.
    pub time: f64,
    /// Node or link in focus, by pointer or keyboard.
    pub focus: Option<NetworkElement>,
}

/// Maximum number of hops drawn for one message; earlier hops have faded.
const DRAWN: usize = 500;

/// Margins around the nodes, in pixels: left and right, where the ends have their names, and above
/// and below.
const MARGIN: Size = Size::new(50.0, 30.0);

impl MessageFrame {
    /// Returns the margins around the nodes, and the size of the area between them.
    fn room(&self) -> (Size, Size) {
        let margin = Size::new(MARGIN.width * self.zoom, MARGIN.height * self.zoom);
        (margin, Size::new(self.size.width - 2.0 * margin.width, self.size.height - 2.0 * margin.height))
    }

    /// Converts a position in the unit square to pixels.
    pub fn to_pixels(&self, Point { x, y }: Point) -> Point {
        let (margin, room) = self.room();
        Point::new(margin.width + x * room.width, margin.height + y * room.height)
    }

    /// Converts a pixel to a position in the unit square.
    pub fn from_pixels(&self, Point { x, y }: Point) -> Point {
        let (margin, room) = self.room();
        Point::new((x - margin.width) / room.width.max(1.0), (y - margin.height) / room.height.max(1.0))
    }

    /// Returns the radius of a node, in pixels.
    pub fn node_radius(&self, places: &NodePositions) -> f64 {
        (places.spacing * self.room().1.width * 0.33).clamp(1.6, 12.0)
    }
}

/// Returns the element at a point of the picture. The element is a node or, where every node is
/// drawn, a link near the point, directed towards `to`. The reach is larger for `touch`.
pub fn hit(
    frame: &MessageFrame,
    places: &NodePositions,
    cube: Hypercube,
    to: NodeId,
    point: Point,
    touch: bool,
) -> Option<NetworkElement> {
    let reach = (frame.node_radius(places) + if touch { 14.0 } else { 5.0 }) / frame.size.width.max(1.0);
    let node = places.nearest(frame.from_pixels(point), reach, frame.size.aspect()).map(NetworkElement::Node);
    let at = |node| places.get(node).map(|place| frame.to_pixels(place));
    let off = |from: NodeId, dim: u8| {
        let link = Link { from, dim };
        let away = distance_to_segment(point, at(from)?, at(link.end())?);
        Some((link, away)).filter(|(_, away)| *away <= if touch { 9.0 } else { 5.0 })
    };
    // Selects the direction of a link that corrects a bit.
    let wrong = |from: NodeId, dim: u8| (from.0 ^ to.0) >> dim & 1 == 1;
    let ways = places.iter().flat_map(|(from, _)| (0..cube.dimension()).map(move |dim| (from, dim)));
    let near = ways.filter(|&(from, dim)| places.whole && wrong(from, dim)).filter_map(|(from, dim)| off(from, dim));
    node.or_else(|| near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(link, _)| NetworkElement::Link(link)))
}

/// Returns the state of the element in focus; for a source or destination, also that it can be
/// moved.
pub fn state(instance: &mut Instance, spot: NetworkElement) -> &'static str {
    let ends = instance.cell.ends;
    match spot {
        NetworkElement::Node(node) if instance.is_faulty(node) => "faulty",
        NetworkElement::Node(node) if node == ends.from => "source: drag to move",
        NetworkElement::Node(node) if node == ends.to => "destination: drag to move",
        NetworkElement::Link(link) if instance.faults().is_link_faulty(link) => "faulty",
        _ => "live",
    }
}

/// Draws `instance` with the view `frame`.
pub fn draw(instance: &mut Instance, places: &NodePositions, frame: MessageFrame) -> Scene {
    let mut painter = MessagePainter { places, frame, radius: frame.node_radius(places), shapes: Vec::new() };
    painter.links(instance);
    painter.traps(instance);
    for (index, trace) in instance.traces.iter().enumerate() {
        painter.path(trace, index, instance.traces.len());
    }
    painter.nodes(instance);
    let mut placer = painter.label_placer();
    painter.draw_ends(instance, &mut placer);
    let from = instance.cell.ends.from;
    for (index, trace) in instance.traces.iter().enumerate().rev() {
        painter.draw_message(trace, index, from);
    }
    painter.focus(instance, &mut placer);
    Scene { size: frame.size, shapes: painter.shapes }
}

/// Returns the middle of a line.
fn middle(points: &[Point]) -> Point {
    match *points {
        [a, b] => a.middle(b),
        _ => points.get(points.len() / 2).copied().unwrap_or_default(),
    }
}

struct MessagePainter<'a> {
    places: &'a NodePositions,
    frame: MessageFrame,
    radius: f64,
    shapes: Vec<Shape>,
}

impl MessagePainter<'_> {
    fn at(&self, node: NodeId) -> Option<Point> {
        self.places.get(node).map(|place| self.frame.to_pixels(place))
    }

    /// Returns a placer of labels that do not cover the nodes.
    fn label_placer(&self) -> LabelPlacer {
        let mut placer = LabelPlacer::new(Window::whole(self.frame.size));
        self.places.iter().for_each(|(_, place)| placer.take(self.frame.to_pixels(place), self.radius * 0.8));
        placer
    }

    fn line(&mut self, ends: [Point; 2], role: Role, width: f64, alpha: f64) {
        self.shapes.push(Shape::Line { ends, role, width, alpha });
    }

    fn text(&mut self, at: Point, anchor: Anchor, role: Role, size: f64, text: String) {
        self.shapes.push(Shape::Text { at, anchor, role, size, text });
    }

    /// Draws the links between drawn nodes, except links of faulty nodes, which are unusable.
    /// Faulty links are crossed out.
    fn links(&mut self, instance: &mut Instance) {
        let cube = instance.cell.cube;
        // The fewer nodes are visible at once, the stronger are the links.
        let crowd = self.places.iter().count() as f64 / (self.frame.zoom * self.frame.zoom);
        let alpha = (60.0 / crowd).clamp(0.16, 0.9);
        if !self.places.whole && crowd > 600.0 {
            return;
        }
        let mut broken = Vec::new();
        for (node, place) in self.places.iter() {
            if instance.is_faulty(node) {
                continue;
            }
            for other in cube.neighbors(node).filter(|other| other.0 > node.0) {
                let Some(there) = self.places.get(other) else { continue };
                if !instance.is_faulty(other) {
                    let ends = [place, there].map(|place| self.frame.to_pixels(place));
                    let link = Link { from: node, dim: (node.0 ^ other.0).trailing_zeros() as u8 };
                    let faulty = [link, link.reverse()].map(|link| instance.faults().is_link_faulty(link));
                    if faulty != [true; 2] {
                        self.line(ends, Role::Link, 1.0, alpha);
                    }
                    let ways = [ends, [ends[1], ends[0]]].into_iter().zip(faulty);
                    broken.extend(ways.filter(|(_, faulty)| *faulty).map(|(ends, _)| ends));
                }
            }
        }
        for ends in broken {
            self.broken_link(ends);
        }
    }

    /// Draws a faulty one-way link, crossed out near its start and on its right-hand side, because
    /// the other direction may be live.
    fn broken_link(&mut self, [from, to]: [Point; 2]) {
        let way = to - from;
        let length = way.length().max(1.0);
        let aside = Point::new(way.x / length, way.y / length).turned_right() * 2.5;
        let at = |share: f64| from + way * share + aside;
        let (points, dash) = (vec![at(0.0), at(1.0)], vec![4.0, 4.0]);
        self.shapes.push(Shape::Stroke { points, role: Role::Fault, width: 1.2, dash, alpha: 0.9 });
        let radius = (self.radius * 0.5).clamp(2.6, 5.5);
        self.shapes.push(Shape::Cross { at: at(0.3), radius, role: Role::Fault });
    }

    /// Draws the closed set that a trapped message cannot leave, once the message has made its last
    /// hop.
    fn traps(&mut self, instance: &Instance) {
        for trace in &instance.traces {
            let done = self.frame.time >= trace.hops.len() as f64;
            for trap in trace.trap.iter().filter(|_| done) {
                let links =
                    trap.nodes.iter().flat_map(|&node| instance.cell.cube.neighbors(node).map(move |to| (node, to)));
                for (one, other) in links.filter(|(one, other)| one < other && trap.nodes.contains(other)) {
                    if let (Some(one), Some(other)) = (self.at(one), self.at(other)) {
                        self.line([one, other], Role::Trap, 2.0 * self.radius + 12.0, 0.22);
                    }
                }
            }
            for &node in trace.trap.iter().filter(|_| done).flat_map(|trap| &trap.nodes) {
                if let Some(at) = self.at(node) {
                    let stroke = Some((Role::Trap, 3.0));
                    self.shapes.push(Shape::Disc { at, radius: self.radius + 5.0, fill: Role::Paper, stroke });
                }
            }
        }
    }

    /// Draws the hops that a message has made, and the fraction of the current hop. `lane`
    /// separates messages on the same link.
    fn path(&mut self, trace: &Trace, index: usize, messages: usize) {
        let width = (self.radius * 0.55).clamp(2.5, 5.0);
        let lane = (index as f64 - (messages as f64 - 1.0) / 2.0) * (width + 0.5);
        let dash: Vec<_> = DASHES[index % DASHES.len()].iter().map(|length| length * width / 3.0).collect();
        let made = self.hops_made(trace);
        for (number, hop) in trace.hops.iter().enumerate().take(made + 1).skip(made.saturating_sub(DRAWN)) {
            let part = if number < made { 1.0 } else { (self.frame.time - made as f64).clamp(0.0, 1.0) };
            if part > 0.0
                && let Some(points) = self.hop_points(hop, part, lane)
            {
                let role = if hop.rule.is_detour() { Role::Detour } else { Role::Series(index as u8) };
                // Earlier hops fade, so that a long path stays legible.
                let age = (made - number.min(made)) as f64;
                let alpha = (1.0 - age / 60.0).max(0.25);
                let middle = hop.rule.is_detour().then(|| middle(&points));
                self.shapes.push(Shape::Stroke { points, role, width, dash: dash.clone(), alpha });
                if let Some(at) = middle {
                    // A ring on the hop marks a detour without colour.
                    let stroke = Some((role, 2.0));
                    self.shapes.push(Shape::Disc { at, radius: width + 1.0, fill: Role::Paper, stroke });
                }
            }
        }
    }

    /// Returns the number of complete hops that a message has made.
    fn hops_made(&self, trace: &Trace) -> usize {
        (self.frame.time.max(0.0) as usize).min(trace.hops.len())
    }

    /// Returns the first `part` of a hop's line: straight, or bent around nodes in between in
    /// layouts that require it.
    fn hop_points(&self, hop: &Hop, part: f64, lane: f64) -> Option<Vec<Point>> {
        const PIECES: u32 = 16;
        let (from, to) = (self.at(hop.from)?, self.at(hop.to)?);
        let way = to - from;
        let length = way.length().max(1.0);
        // The side does not depend on the direction, so that both directions use the same line.
        let sign = if way.x < 0.0 || way.x == 0.0 && way.y < 0.0 { -1.0 } else { 1.0 };
        let side = Point::new(way.x / length, way.y / length).turned_right() * sign;
        // The line bends towards the centre of the picture, so that it stays inside.
        let (cx, cy) = (self.frame.size.width - from.x - to.x, self.frame.size.height - from.y - to.y);
        let inward = if cx * side.x + cy * side.y < 0.0 { -1.0 } else { 1.0 };
        let bend = if self.places.bends(hop.from, hop.to) { inward * (length * 0.16).min(48.0) } else { 0.0 };
        let at = |t: f64| {
            let aside = lane + bend * 4.0 * t * (1.0 - t);
            from + way * t + side * aside
        };
        let pieces = if bend == 0.0 { 1 } else { PIECES };
        Some((0..=pieces).map(|piece| at(part * f64::from(piece) / f64::from(pieces))).collect())
    }

    fn nodes(&mut self, instance: &mut Instance) {
        let radius = self.radius;
        for (node, place) in self.places.iter() {
            let at = self.frame.to_pixels(place);
            let shape = if instance.is_faulty(node) {
                Shape::Cross { at, radius: radius * 0.9, role: Role::Fault }
            } else {
                let stroke = Some((Role::Idle, if radius < 4.0 { 0.8 } else { 1.5 }));
                Shape::Disc { at, radius: radius * 0.72, fill: Role::Paper, stroke }
            };
            self.shapes.push(shape);
        }
    }

    /// Draws source and destination with their names.
    fn draw_ends(&mut self, instance: &Instance, placer: &mut LabelPlacer) {
        let radius = self.radius.max(5.0);
        let ends = instance.cell.ends;
        let cube = instance.cell.cube;
        for (node, role) in [(ends.from, Role::Ink), (ends.to, Role::Done)] {
            let Some(at) = self.at(node) else { continue };
            let stroke = Some((role, 3.0));
            let fill = if role == Role::Ink { Role::Ink } else { Role::Paper };
            self.shapes.push(Shape::Disc { at, radius: radius * 0.95, fill, stroke });
        }
        // The names follow after both nodes are drawn.
        for (node, what) in [(ends.from, "from"), (ends.to, "to")] {
            if let Some(at) = self.at(node) {
                self.name_end(at, [what, &wording::node(cube, node).to_string()], placer);
            }
        }
    }

    /// Writes the name and the address of an end in two short lines below the node, or above it if
    /// it is low; the name alone where both do not fit, and nothing where it does not fit either.
    fn name_end(&mut self, at: Point, lines: [&str; 2], placer: &mut LabelPlacer) {
        const SIZE: f64 = 12.0;
        let radius = self.radius.max(5.0);
        // Two centred lines stay within the margin, away from the neighbouring columns.
        let below = [radius + 12.0, radius + 26.0];
        let above = below.map(|by| -by);
        let up = at.y > self.frame.size.height - 60.0;
        let pairs = if up { [[above[1], above[0]], below] } else { [below, [above[1], above[0]]] };
        let pairs = pairs.map(|pair| pair.map(|by| Point::new(at.x, at.y + by)));
        if let Some(places) = placer.place_lines(&pairs, SIZE, lines) {
            for (at, text) in places.into_iter().zip(lines) {
                self.text(at, Anchor::Middle, Role::Soft, SIZE, text.to_owned());
            }
        } else if let Some((at, anchor)) = placer.place(&beside(at, radius, SIZE), SIZE, lines[0]) {
            self.text(at, anchor, Role::Soft, SIZE, lines[0].to_owned());
        }
    }

    /// Draws the message itself.
    fn draw_message(&mut self, trace: &Trace, index: usize, from: NodeId) {
        let made = self.hops_made(trace);
        let start = self.at(trace.at(made, from));
        let part = (self.frame.time - made as f64).clamp(0.0, 1.0);
        let moving = trace.hops.get(made).filter(|_| part > 0.0).and_then(|hop| self.hop_points(hop, part, 0.0));
        let Some(place) = moving.and_then(|points| points.last().copied()).or(start) else { return };
        let radius = self.radius.max(5.0) * 0.62;
        let offset = index as f64 * radius * 0.5;
        let stroke = Some((Role::Paper, 2.0));
        let at = place + Point::new(offset, -offset);
        self.shapes.push(Shape::Disc { at, radius, fill: Role::Series(index as u8), stroke });
    }

    fn focus(&mut self, instance: &mut Instance, placer: &mut LabelPlacer) {
        let Some(spot) = self.frame.focus else { return };
        let Some(node_at) = self.at(spot.node()) else { return };
        let state = state(instance, spot);
        let stroke = if state == "faulty" { Role::Fault } else { Role::Ink };
        let at = match spot {
            NetworkElement::Node(_) => node_at,
            NetworkElement::Link(link) => {
                let there = self.at(link.end()).unwrap_or(node_at);
                self.line([node_at, there], stroke, 2.5, 1.0);
                node_at.middle(there)
            }
        };
        for side in [-1.0, 1.0].into_iter().filter(|_| matches!(spot, NetworkElement::Node(_))) {
            let reach = self.radius + 5.0;
            for outward in [Point::new(side, 0.0), Point::new(0.0, side)] {
                self.line([reach, reach + 5.0].map(|reach| at + outward * reach), stroke, 2.0, 1.0);
            }
        }
        let label = format!("{}, {state}", spot.name(instance.cell.cube).trim_start_matches("node "));
        let mut positions = beside(at, self.radius + 10.0, 13.0);
        // A finger would hide a name below.
        positions.swap(0, 1);
        if let Some((at, anchor)) = placer.place_best(&positions, 13.0, &label) {
            self.text(at, anchor, Role::Ink, 13.0, label);
        }
    }
}
