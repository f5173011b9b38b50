//! The picture of a hypercube with both one-way links of every edge, whatever they stand for.

use super::geometry::{Point, Size};
use super::layout::Places;
use super::scene::{Anchor, Role, Scene, Shape};
use crate::words;
use faultlab_core::topology::{Hypercube, Link, NodeId};

/// What of a cube can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A node.
    Node(NodeId),
    /// A one-way link.
    Link(Link),
}

impl Spot {
    /// Marks the number of a link, whose dimension begins at another bit.
    const LINK: u64 = 1 << 63;
    const DIMENSION: u32 = 56;

    /// Its number, in networks of fewer than 2^56 nodes.
    pub fn code(self) -> u64 {
        match self {
            Self::Node(node) => node.0,
            Self::Link(Link { from, dim }) => Self::LINK | u64::from(dim) << Self::DIMENSION | from.0,
        }
    }

    /// What has this number.
    pub fn of(code: u64) -> Self {
        let node = NodeId(code & ((1 << Self::DIMENSION) - 1));
        match code & Self::LINK {
            0 => Self::Node(node),
            _ => Self::Link(Link { from: node, dim: (code >> Self::DIMENSION) as u8 & 0x7f }),
        }
    }

    /// The node, or that where the link begins.
    pub fn node(self) -> NodeId {
        match self {
            Self::Node(node) => node,
            Self::Link(link) => link.from,
        }
    }

    /// From a node to its first link, from there to the next, from the last back to the node.
    pub fn next_link(self, dimensions: u8) -> Self {
        match self {
            Self::Node(from) => Self::Link(Link { from, dim: 0 }),
            Self::Link(Link { from, dim }) if dim + 1 < dimensions => Self::Link(Link { from, dim: dim + 1 }),
            Self::Link(link) => Self::Node(link.from),
        }
    }

    /// Its name in a picture of `cube`.
    pub fn name(self, cube: Hypercube) -> String {
        match self {
            Self::Node(node) => format!("node {}", words::node(cube, node)),
            Self::Link(link) => format!("link {} → {}", words::node(cube, link.from), words::node(cube, link.to())),
        }
    }
}

/// How a node looks.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLook {
    /// Its inside.
    pub fill: Role,
    /// Its outline.
    pub stroke: Role,
    /// The outline's width.
    pub width: f64,
    /// Whether it is crossed out.
    pub faulty: bool,
    /// A ring around it.
    pub ring: Option<Role>,
    /// What stands on it where there is room: a few letters.
    pub label: String,
}

impl NodeLook {
    /// A node that nothing is said of.
    pub const IDLE: Self =
        Self { fill: Role::Paper, stroke: Role::Idle, width: 1.5, faulty: false, ring: None, label: String::new() };
    /// A faulty node.
    pub const FAULTY: Self =
        Self { fill: Role::Paper, stroke: Role::Fault, width: 1.5, faulty: true, ring: None, label: String::new() };
}

/// How a one-way link looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkLook {
    /// Not drawn: what leads to or from a faulty node.
    Absent,
    /// Thin, in the background.
    Free,
    /// Crossed out.
    Faulty,
    /// With an arrow.
    Used(Stroke),
}

/// The line of a link that is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub role: Role,
    /// Its width, as a multiple of what suits the picture.
    pub width: f64,
    /// Its dashes and gaps; empty is solid.
    pub dash: &'static [f64],
    /// Its opacity, 0 to 1.
    pub alpha: f64,
    /// The length of a bar across its beginning, 0 to 1; 0 for none.
    pub gate: f64,
}

impl Stroke {
    /// A solid line.
    pub const fn solid(role: Role) -> Self {
        Self { role, width: 1.0, dash: &[], alpha: 1.0, gate: 0.0 }
    }
}

/// Above this number of nodes only what matters most is drawn: one straight line an edge, no arrows.
const CROWD: f64 = 300.0;

/// The margins around the nodes, in pixels.
const MARGIN: Size = Size::new(26.0, 22.0);

/// Where everything is in a picture of a cube.
#[derive(Clone, Copy, Debug)]
pub struct CubePicture<'a> {
    /// The cube.
    pub cube: Hypercube,
    /// Where its nodes are.
    pub places: &'a Places,
    /// Width and height in pixels.
    pub size: Size,
}

impl CubePicture<'_> {
    /// Where a node is, in pixels; `None` if it is not in the picture.
    pub fn at(&self, node: NodeId) -> Option<Point> {
        let Point { x, y } = self.places.get(node)?;
        let (width, height) = (self.size.width - 2.0 * MARGIN.width, self.size.height - 2.0 * MARGIN.height);
        Some(Point::new(MARGIN.width + x * width, MARGIN.height + y * height))
    }

    /// The radius of a node, in pixels.
    pub fn radius(&self) -> f64 {
        (self.places.spacing * (self.size.width - 2.0 * MARGIN.width) * 0.27).clamp(1.6, 13.0)
    }

    /// The width of a link that is used.
    pub fn stroke_width(&self) -> f64 {
        (self.radius() * 0.3).clamp(0.6, 3.0)
    }

    /// The line of a link, from the rim of one node to that of the other: on its right-hand side, so that the two
    /// directions lie beside each other; bent round what lies between where the layout asks for it.
    pub fn line(&self, link: Link) -> Option<Vec<Point>> {
        const PIECES: u32 = 10;
        let (a, b) = (self.at(link.from)?, self.at(link.to())?);
        let way = b - a;
        let length = way.length().max(1.0);
        let across = Point::new(way.x / length, way.y / length).turned_right();
        let radius = self.radius();
        let aside = (radius * 0.36).clamp(0.8, 3.6);
        let (start, end) = ((radius / length).min(0.3), 1.0 - ((radius + 1.5) / length).min(0.35));
        let bend =
            if self.places.bends(link.from, link.to()) { self.bend(a, b) * (length * 0.14).min(44.0) } else { 0.0 };
        let at = |t: f64| {
            let out = aside + bend * 4.0 * t * (1.0 - t);
            a + way * t + across * out
        };
        let pieces = if bend == 0.0 { 1 } else { PIECES };
        Some((0..=pieces).map(|piece| at(start + (end - start) * f64::from(piece) / f64::from(pieces))).collect())
    }

    /// The side to which a line from `a` to `b` is bent: towards the middle of the picture, so that it stays within.
    fn bend(&self, a: Point, b: Point) -> f64 {
        let inward = Point::new(self.size.width - a.x - b.x, self.size.height - a.y - b.y);
        let across = (a.y - b.y) * inward.x + (b.x - a.x) * inward.y;
        // In the middle either side will do, if only it is the same one both ways.
        let side = if across.abs() < 1e-6 { if a < b { 1.0 } else { -1.0 } } else { across };
        side.signum()
    }

    /// What is at a point: the nearest node, else the nearest one-way link, within reach of a finger (`touch`) or a
    /// pointer.
    pub fn hit(&self, point: Point, touch: bool) -> Option<Spot> {
        let near = |distance: f64, reach: f64| distance <= reach;
        let nodes = self
            .places
            .iter()
            .filter_map(|(node, _)| self.at(node).map(|at| (Spot::Node(node), (at - point).length())));
        let node = nearest(nodes).filter(|(_, d)| near(*d, self.radius() + if touch { 9.0 } else { 3.0 }));
        let links = self.links().filter_map(|link| {
            let line = self.line(link)?;
            let off = line.windows(2).map(|ends| off_segment(point, ends[0], ends[1])).fold(f64::INFINITY, f64::min);
            Some((Spot::Link(link), off))
        });
        let hit = node.or_else(|| nearest(links).filter(|(_, d)| near(*d, if touch { 16.0 } else { 7.0 })));
        hit.map(|(spot, _)| spot)
    }

    fn links(&self) -> impl Iterator<Item = Link> {
        let dims = self.cube.dimension();
        self.places.iter().flat_map(move |(from, _)| (0..dims).map(move |dim| Link { from, dim }))
    }

    /// Draws the cube: links as `link` says, nodes as `node` says.
    pub fn draw(&self, mut link: impl FnMut(Link) -> LinkLook, mut node: impl FnMut(NodeId) -> NodeLook) -> Scene {
        let crowd = self.places.iter().count() as f64;
        let (mut mesh, mut shapes, mut top) = (Vec::new(), Vec::new(), Vec::new());
        for at in self.links() {
            let look = link(at);
            let Some(line) = self.line(at).filter(|_| look != LinkLook::Absent) else { continue };
            match look {
                // What is brought out lies above the rest.
                LinkLook::Used(stroke) if stroke.width > 1.0 => self.used(&line, stroke, &mut top),
                LinkLook::Used(stroke) => self.used(&line, stroke, &mut shapes),
                LinkLook::Faulty => {
                    let stroke = Stroke { width: 0.5, dash: &[3.0, 3.0], ..Stroke::solid(Role::Fault) };
                    self.line_of(&line, stroke, &mut shapes);
                    let radius = (self.radius() * 0.55).clamp(2.0, 6.0);
                    top.push(Shape::Cross { at: along(&line, 0.32), radius, role: Role::Fault });
                }
                _ if crowd > CROWD && !at.is_up() => {}
                _ if crowd > CROWD => mesh.push(line.first().into_iter().chain(line.last()).copied().collect()),
                _ => mesh.push(line),
            }
        }
        let alpha = (90.0 / crowd).clamp(0.25, 1.0);
        shapes.insert(0, Shape::Mesh { lines: mesh, role: Role::Link, width: 1.0, alpha });
        shapes.append(&mut top);
        for (at, _) in self.places.iter() {
            self.node(at, node(at), &mut shapes);
        }
        Scene { size: self.size, shapes }
    }

    fn line_of(&self, line: &[Point], stroke: Stroke, shapes: &mut Vec<Shape>) {
        let width = self.stroke_width() * stroke.width;
        let dash = stroke.dash.iter().map(|length| length * width.max(1.0) / 2.5).collect();
        shapes.push(Shape::Stroke { points: line.to_vec(), role: stroke.role, width, dash, alpha: stroke.alpha });
    }

    /// A line with its arrow, and the bar across its beginning.
    fn used(&self, line: &[Point], stroke: Stroke, shapes: &mut Vec<Shape>) {
        self.line_of(line, stroke, shapes);
        if self.radius() < 2.5 {
            return;
        }
        let width = self.stroke_width() * stroke.width;
        let (role, alpha) = (stroke.role, stroke.alpha);
        let mut solid = |points, width| shapes.push(Shape::Stroke { points, role, width, dash: Vec::new(), alpha });
        let (tip, back) = (along(line, 0.66), along(line, 0.6));
        let along_line = direction(back, tip);
        let wing = width * 1.4 + 1.2;
        let side = |sign: f64| tip - along_line * wing * 1.3 + along_line.turned_right() * sign * wing;
        solid(vec![side(1.0), tip, side(-1.0)], width.max(1.0));
        if stroke.gate > 0.0 {
            let (a, b) = (along(line, 0.12), along(line, 0.18));
            let across = direction(a, b).turned_right();
            let half = 2.5 + 6.5 * stroke.gate.min(1.0) * (self.radius() / 9.0).min(1.0);
            solid(vec![a + across * half, a - across * half], width.max(1.2));
        }
    }

    fn node(&self, node: NodeId, look: NodeLook, shapes: &mut Vec<Shape>) {
        let Some(at) = self.at(node) else { return };
        let radius = self.radius();
        if let Some(ring) = look.ring {
            shapes.push(Shape::Disc { at, radius: radius + 4.0, fill: Role::Paper, stroke: Some((ring, 2.5)) });
        }
        if look.faulty {
            shapes.push(Shape::Cross { at, radius: radius * 0.9, role: Role::Fault });
            return;
        }
        let width = if radius < 4.0 { look.width * 0.5 } else { look.width };
        shapes.push(Shape::Disc { at, radius: radius * 0.85, fill: look.fill, stroke: Some((look.stroke, width)) });
        if !look.label.is_empty() && radius >= 6.0 {
            // Its letters must fit into the disc.
            let size = (radius * 1.15).min(radius * 2.6 / look.label.chars().count() as f64).min(12.0);
            shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size, text: look.label });
        }
    }

    /// What marks the spot in focus, and its name.
    pub fn focus(&self, spot: Spot, state: &str) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let at = match spot {
            Spot::Node(node) => self.at(node),
            Spot::Link(link) => self.line(link).map(|line| {
                self.used(&line, Stroke { width: 1.3, ..Stroke::solid(Role::Ink) }, &mut shapes);
                along(&line, 0.5)
            }),
        };
        let Some(Point { x, y }) = at else { return shapes };
        let radius = self.radius();
        if let Spot::Node(_) = spot {
            for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                let (near, far) = (radius * 0.9 + 2.0, radius * 0.9 + 7.0);
                let ends = [near, far].map(|reach| Point::new(x + sx * reach, y + sy * reach));
                shapes.push(Shape::Line { ends, role: Role::Ink, width: 2.0, alpha: 1.0 });
            }
        }
        let y = if y < 44.0 { y + radius + 18.0 } else { y - radius - 12.0 };
        let text = format!("{}{}{state}", spot.name(self.cube), if state.is_empty() { "" } else { ", " });
        // Towards the middle, and no farther than the picture, as far as one can tell how wide it is.
        let wide = text.chars().count() as f64 * 6.8;
        let left = if x < self.size.width / 2.0 { x } else { x - wide };
        let at = Point::new(left.min(self.size.width - wide - 2.0).max(2.0), y);
        shapes.push(Shape::Text { at, anchor: Anchor::Start, role: Role::Ink, size: 13.0, text });
        shapes
    }
}

fn nearest(spots: impl Iterator<Item = (Spot, f64)>) -> Option<(Spot, f64)> {
    spots.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The unit vector from `a` to `b`.
fn direction(a: Point, b: Point) -> Point {
    let way = b - a;
    let length = way.length().max(1e-9);
    Point::new(way.x / length, way.y / length)
}

/// The distance of a point from a line segment.
pub(crate) fn off_segment(point: Point, a: Point, b: Point) -> f64 {
    let (way, from_a) = (b - a, point - a);
    let t = (from_a.x * way.x + from_a.y * way.y) / (way.x * way.x + way.y * way.y).max(1e-9);
    let t = t.clamp(0.0, 1.0);
    (point - (a + way * t)).length()
}

/// The point at a share of a line, of pieces of about the same length.
fn along(line: &[Point], share: f64) -> Point {
    let pieces = line.len().saturating_sub(1);
    let place = (share * pieces as f64).clamp(0.0, pieces as f64);
    let first = (place as usize).min(pieces.saturating_sub(1));
    let (Some(&a), Some(&b)) = (line.get(first), line.get(first + 1)) else {
        return line.first().copied().unwrap_or_default();
    };
    let part = place - first as f64;
    a + (b - a) * part
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::Layout;

    #[test]
    fn every_node_and_link_is_hit_where_it_is_drawn() {
        for (n, layout) in [(2, Layout::Cube), (4, Layout::Grid), (5, Layout::Cube), (5, Layout::Layers)] {
            let cube = Hypercube::new(n).unwrap();
            let places = Places::of_cube(cube, NodeId(0), layout, 0.8).unwrap();
            let picture = CubePicture { cube, places: &places, size: Size::new(1400.0, 1120.0) };
            for (node, _) in places.iter() {
                assert_eq!(picture.hit(picture.at(node).unwrap(), false), Some(Spot::Node(node)));
            }
            for link in picture.links() {
                // Lines may cross: near its beginning at the latest, each is alone.
                let line = picture.line(link).unwrap();
                let hits = |share| picture.hit(along(&line, share), false) == Some(Spot::Link(link));
                assert!((5..60).any(|share| hits(f64::from(share) / 100.0)), "{link} of the {n}-cube, {layout:?}");
            }
        }
        assert!(Places::of_cube(Hypercube::new(11).unwrap(), NodeId(0), Layout::Cube, 1.0).is_none());
    }

    #[test]
    fn both_directions_lie_apart_and_faults_are_crossed_out() {
        let cube = Hypercube::new(3).unwrap();
        let places = Places::of_cube(cube, NodeId(0), Layout::Cube, 1.0).unwrap();
        let picture = CubePicture { cube, places: &places, size: Size::new(600.0, 600.0) };
        let link = Link { from: NodeId(0), dim: 1 };
        let (there, back) = (picture.line(link).unwrap(), picture.line(link.reverse()).unwrap());
        assert!(off_segment(along(&there, 0.5), back[0], back[1]) > 3.0);
        let look = |at: Link| if at == link { LinkLook::Faulty } else { LinkLook::Free };
        let scene = picture.draw(look, |node| if node.0 == 5 { NodeLook::FAULTY } else { NodeLook::IDLE });
        let crosses = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Cross { .. }));
        assert_eq!(crosses.count(), 2);
        assert!(matches!(&scene.shapes[0], Shape::Mesh { lines, .. } if lines.len() == 23));
        assert!(scene.svg(crate::picture::palette::print_css, "").matches('M').count() >= 23);
    }
}
