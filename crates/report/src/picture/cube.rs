//! Picture of a hypercube with both one-way links of every edge.

use super::geometry::{Point, Size};

use super::labels::{LabelPlacer, beside};
use super::layout::NodePositions;
use super::scene::{Anchor, Role, Scene, Shape};
use super::viewport::Window;
use crate::wording;
use faultlab_core::topology::{Hypercube, Link, NodeId};

/// Element of a cube that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkElement {
    /// Node.
    Node(NodeId),
    /// Link in one direction.
    Link(Link),
}

impl NetworkElement {
    /// Bit that marks the number of a link.
    const LINK: u64 = 1 << 63;
    /// Lowest bit of a link's dimension in its number.
    const DIMENSION: u32 = 56;

    /// Returns the number of the element, in networks of fewer than 2^56 nodes.
    pub fn code(self) -> u64 {
        match self {
            Self::Node(node) => node.0,
            Self::Link(Link { from, dim }) => Self::LINK | u64::from(dim) << Self::DIMENSION | from.0,
        }
    }

    /// Returns the element with the number `code`.
    pub fn from_code(code: u64) -> Self {
        let node = NodeId(code & ((1 << Self::DIMENSION) - 1));
        match code & Self::LINK {
            0 => Self::Node(node),
            _ => Self::Link(Link { from: node, dim: (code >> Self::DIMENSION) as u8 & 0x7f }),
        }
    }

    /// Returns the node, or the source of the link.
    pub fn node(self) -> NodeId {
        match self {
            Self::Node(node) => node,
            Self::Link(link) => link.from,
        }
    }

    /// Returns the next element in the cycle from a node through its links, by dimension, and back
    /// to the node.
    pub fn next_link(self, dimensions: u8) -> Self {
        match self {
            Self::Node(from) => Self::Link(Link { from, dim: 0 }),
            Self::Link(Link { from, dim }) if dim + 1 < dimensions => Self::Link(Link { from, dim: dim + 1 }),
            Self::Link(link) => Self::Node(link.from),
        }
    }

    /// Returns the name of the element in a picture of `cube`.
    pub fn name(self, cube: Hypercube) -> String {
        match self {
            Self::Node(node) => format!("node {}", wording::node(cube, node)),
            Self::Link(link) => {
                format!("link {} → {}", wording::node(cube, link.from), wording::node(cube, link.end()))
            }
        }
    }
}

/// Look of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeStyle {
    /// Fill colour.
    pub fill: Role,
    /// Outline colour.
    pub stroke: Role,
    /// Width of the outline.
    pub width: f64,
    /// True if the node is crossed out.
    pub faulty: bool,
    /// Colour of a ring around the node.
    pub ring: Option<Role>,
    /// Label of a few characters, shown if there is space.
    pub label: String,
}

impl NodeStyle {
    /// Look of a live node without emphasis.
    pub const IDLE: Self =
        Self { fill: Role::Paper, stroke: Role::Idle, width: 1.5, faulty: false, ring: None, label: String::new() };
    /// Look of a faulty node.
    pub const FAULTY: Self =
        Self { fill: Role::Paper, stroke: Role::Fault, width: 1.5, faulty: true, ring: None, label: String::new() };
}

/// Look of a one-way link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkStyle {
    /// Not drawn: a link to or from a faulty node.
    Absent,
    /// Thin line in the background.
    Free,
    /// Crossed-out link.
    Faulty,
    /// Line with an arrow.
    Used(Stroke),
}

/// Line of a used link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Colour of the line.
    pub role: Role,
    /// Width, as a multiple of the picture's default.
    pub width: f64,
    /// Dashes and gaps; empty for a solid line.
    pub dash: &'static [f64],
    /// Opacity, 0 to 1.
    pub alpha: f64,
    /// Length of a bar across the start of the line, 0 to 1; 0 for none.
    pub wait_bar: f64,
}

impl Stroke {
    /// Returns a solid line.
    pub const fn solid(role: Role) -> Self {
        Self { role, width: 1.0, dash: &[], alpha: 1.0, wait_bar: 0.0 }
    }
}

/// Number of nodes above which only the essentials are drawn: one straight line per edge, no
/// arrows.
const MAX_DETAILED_NODES: f64 = 300.0;

/// Margins around the nodes, in pixels.
const MARGIN: Size = Size::new(26.0, 22.0);

/// Layout of a picture of a cube.
#[derive(Clone, Copy, Debug)]
pub struct CubePicture<'a> {
    /// Hypercube.
    pub cube: Hypercube,
    /// Positions of the nodes.
    pub places: &'a NodePositions,
    /// Width and height in pixels.
    pub size: Size,
    /// Magnification, which the margins share.
    pub zoom: f64,
}

impl CubePicture<'_> {
    /// Returns the margins around the nodes.
    fn margin(&self) -> Size {
        Size::new(MARGIN.width * self.zoom, MARGIN.height * self.zoom)
    }

    /// Returns the position of a node in pixels; `None` if it is not in the picture.
    pub fn at(&self, node: NodeId) -> Option<Point> {
        let Point { x, y } = self.places.get(node)?;
        let margin = self.margin();
        let (width, height) = (self.size.width - 2.0 * margin.width, self.size.height - 2.0 * margin.height);
        Some(Point::new(margin.width + x * width, margin.height + y * height))
    }

    /// Returns the radius of a node, in pixels.
    pub fn radius(&self) -> f64 {
        (self.places.spacing * (self.size.width - 2.0 * self.margin().width) * 0.27).clamp(1.6, 13.0)
    }

    /// Returns a placer of labels that do not cover the nodes.
    pub(crate) fn label_placer(&self) -> LabelPlacer {
        let mut placer = LabelPlacer::new(Window::whole(self.size));
        self.places.iter().filter_map(|(node, _)| self.at(node)).for_each(|at| placer.take(at, self.radius() * 0.9));
        placer
    }

    /// Returns the width of a used link.
    pub fn stroke_width(&self) -> f64 {
        (self.radius() * 0.3).clamp(0.6, 3.0)
    }

    /// Returns the line of a link, from the edge of one node to the edge of the other. The line is
    /// shifted to its right, so that the two directions lie side by side. In layouts that require
    /// it, the line bends around the nodes in between.
    pub fn line(&self, link: Link) -> Option<Vec<Point>> {
        const PIECES: u32 = 10;
        let (a, b) = (self.at(link.from)?, self.at(link.end())?);
        let way = b - a;
        let length = way.length().max(1.0);
        let across = Point::new(way.x / length, way.y / length).turned_right();
        let radius = self.radius();
        let aside = (radius * 0.36).clamp(0.8, 3.6);
        let (start, end) = ((radius / length).min(0.3), 1.0 - ((radius + 1.5) / length).min(0.35));
        let bend =
            if self.places.bends(link.from, link.end()) { self.bend(a, b) * (length * 0.14).min(44.0) } else { 0.0 };
        let at = |t: f64| {
            let out = aside + bend * 4.0 * t * (1.0 - t);
            a + way * t + across * out
        };
        let pieces = if bend == 0.0 { 1 } else { PIECES };
        Some((0..=pieces).map(|piece| at(start + (end - start) * f64::from(piece) / f64::from(pieces))).collect())
    }

    /// Returns the side to which a line from `a` to `b` bends: towards the centre, so that it stays
    /// in the picture.
    fn bend(&self, a: Point, b: Point) -> f64 {
        let inward = Point::new(self.size.width - a.x - b.x, self.size.height - a.y - b.y);
        let across = (a.y - b.y) * inward.x + (b.x - a.x) * inward.y;
        // At the centre the side is arbitrary, but the same for both directions.
        let side = if across.abs() < 1e-6 { if a < b { 1.0 } else { -1.0 } } else { across };
        side.signum()
    }

    /// Returns the element at a point: the nearest node, otherwise the nearest one-way link, within
    /// the reach of a finger (`touch`) or a pointer.
    pub fn hit(&self, point: Point, touch: bool) -> Option<NetworkElement> {
        let near = |distance: f64, reach: f64| distance <= reach;
        let nodes = self
            .places
            .iter()
            .filter_map(|(node, _)| self.at(node).map(|at| (NetworkElement::Node(node), (at - point).length())));
        let node = nearest(nodes).filter(|(_, d)| near(*d, self.radius() + if touch { 9.0 } else { 3.0 }));
        let links = self.links().filter_map(|link| {
            let line = self.line(link)?;
            let off =
                line.windows(2).map(|ends| distance_to_segment(point, ends[0], ends[1])).fold(f64::INFINITY, f64::min);
            Some((NetworkElement::Link(link), off))
        });
        let hit = node.or_else(|| nearest(links).filter(|(_, d)| near(*d, if touch { 16.0 } else { 7.0 })));
        hit.map(|(spot, _)| spot)
    }

    fn links(&self) -> impl Iterator<Item = Link> {
        let dims = self.cube.dimension();
        self.places.iter().flat_map(move |(from, _)| (0..dims).map(move |dim| Link { from, dim }))
    }

    /// Draws the cube with the looks that `link` and `node` return.
    pub fn draw(&self, mut link: impl FnMut(Link) -> LinkStyle, mut node: impl FnMut(NodeId) -> NodeStyle) -> Scene {
        // The fewer nodes are visible at once, the more details a node has.
        let crowd = self.places.iter().count() as f64 / (self.zoom * self.zoom);
        let (mut mesh, mut shapes, mut top) = (Vec::new(), Vec::new(), Vec::new());
        for at in self.links() {
            let look = link(at);
            let Some(line) = self.line(at).filter(|_| look != LinkStyle::Absent) else { continue };
            match look {
                // Emphasised links lie above the others.
                LinkStyle::Used(stroke) if stroke.width > 1.0 => self.draw_used_link(&line, stroke, &mut top),
                LinkStyle::Used(stroke) => self.draw_used_link(&line, stroke, &mut shapes),
                LinkStyle::Faulty => {
                    let stroke = Stroke { width: 0.5, dash: &[3.0, 3.0], ..Stroke::solid(Role::Fault) };
                    self.line_of(&line, stroke, &mut shapes);
                    let radius = (self.radius() * 0.55).clamp(2.0, 6.0);
                    top.push(Shape::Cross { at: point_along(&line, 0.32), radius, role: Role::Fault });
                }
                _ if crowd > MAX_DETAILED_NODES && !at.is_up() => {}
                _ if crowd > MAX_DETAILED_NODES => {
                    mesh.push(line.first().into_iter().chain(line.last()).copied().collect())
                }
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

    /// Draws a line with its arrow, and the bar across its start.
    fn draw_used_link(&self, line: &[Point], stroke: Stroke, shapes: &mut Vec<Shape>) {
        self.line_of(line, stroke, shapes);
        if self.radius() < 2.5 {
            return;
        }
        let width = self.stroke_width() * stroke.width;
        let (role, alpha) = (stroke.role, stroke.alpha);
        let mut solid = |points, width| shapes.push(Shape::Stroke { points, role, width, dash: Vec::new(), alpha });
        let (tip, back) = (point_along(line, 0.66), point_along(line, 0.6));
        let along_line = direction(back, tip);
        let wing = width * 1.4 + 1.2;
        let side = |sign: f64| tip - along_line * wing * 1.3 + along_line.turned_right() * sign * wing;
        solid(vec![side(1.0), tip, side(-1.0)], width.max(1.0));
        if stroke.wait_bar > 0.0 {
            let (a, b) = (point_along(line, 0.12), point_along(line, 0.18));
            let across = direction(a, b).turned_right();
            let half = 2.5 + 6.5 * stroke.wait_bar.min(1.0) * (self.radius() / 9.0).min(1.0);
            solid(vec![a + across * half, a - across * half], width.max(1.2));
        }
    }

    fn node(&self, node: NodeId, look: NodeStyle, shapes: &mut Vec<Shape>) {
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
            // The label must fit into the disc.
            let size = (radius * 1.15).min(radius * 2.6 / look.label.chars().count() as f64).min(12.0);
            shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size, text: look.label });
        }
    }

    /// Returns the mark of the element in focus, and its name.
    pub fn focus(&self, spot: NetworkElement, state: &str) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let at = match spot {
            NetworkElement::Node(node) => self.at(node),
            NetworkElement::Link(link) => self.line(link).map(|line| {
                self.draw_used_link(&line, Stroke { width: 1.3, ..Stroke::solid(Role::Ink) }, &mut shapes);
                point_along(&line, 0.5)
            }),
        };
        let Some(Point { x, y }) = at else { return shapes };
        let radius = self.radius();
        if let NetworkElement::Node(_) = spot {
            for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                let (near, far) = (radius * 0.9 + 2.0, radius * 0.9 + 7.0);
                let ends = [near, far].map(|reach| Point::new(x + sx * reach, y + sy * reach));
                shapes.push(Shape::Line { ends, role: Role::Ink, width: 2.0, alpha: 1.0 });
            }
        }
        let text = format!("{}{}{state}", spot.name(self.cube), if state.is_empty() { "" } else { ", " });
        let mut positions = beside(Point::new(x, y), radius + 7.0, 13.0);
        // A finger would hide a name below.
        positions.swap(0, 1);
        if let Some((at, anchor)) = self.label_placer().place_best(&positions, 13.0, &text) {
            shapes.push(Shape::Text { at, anchor, role: Role::Ink, size: 13.0, text });
        }
        shapes
    }
}

fn nearest(spots: impl Iterator<Item = (NetworkElement, f64)>) -> Option<(NetworkElement, f64)> {
    spots.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Returns the unit vector from `a` to `b`.
fn direction(a: Point, b: Point) -> Point {
    let way = b - a;
    let length = way.length().max(1e-9);
    Point::new(way.x / length, way.y / length)
}

/// Returns the distance of a point from a line segment.
pub(crate) fn distance_to_segment(point: Point, a: Point, b: Point) -> f64 {
    let (way, from_a) = (b - a, point - a);
    let t = (from_a.x * way.x + from_a.y * way.y) / (way.x * way.x + way.y * way.y).max(1e-9);
    let t = t.clamp(0.0, 1.0);
    (point - (a + way * t)).length()
}

/// Returns the point at a share of a line whose pieces have about the same length.
fn point_along(line: &[Point], share: f64) -> Point {
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
    fn hit_finds_nodes_and_links_where_drawn() {
        for (n, layout) in [(2, Layout::Cube), (4, Layout::Grid), (5, Layout::Cube), (5, Layout::Layers)] {
            let cube = Hypercube::new(n).unwrap();
            let places = NodePositions::of_cube(cube, NodeId(0), layout, 0.8).unwrap();
            let picture = CubePicture { cube, places: &places, size: Size::new(1400.0, 1120.0), zoom: 1.0 };
            for (node, _) in places.iter() {
                assert_eq!(picture.hit(picture.at(node).unwrap(), false), Some(NetworkElement::Node(node)));
            }
            for link in picture.links() {
                // Lines may cross, but near the start of a line there is no other.
                let line = picture.line(link).unwrap();
                let hits = |share| picture.hit(point_along(&line, share), false) == Some(NetworkElement::Link(link));
                assert!((5..60).any(|share| hits(f64::from(share) / 100.0)), "{link} of the {n}-cube, {layout:?}");
            }
        }
        assert!(NodePositions::of_cube(Hypercube::new(11).unwrap(), NodeId(0), Layout::Cube, 1.0).is_none());
    }

    #[test]
    fn directions_are_separate_and_faults_are_crossed_out() {
        let cube = Hypercube::new(3).unwrap();
        let places = NodePositions::of_cube(cube, NodeId(0), Layout::Cube, 1.0).unwrap();
        let picture = CubePicture { cube, places: &places, size: Size::new(600.0, 600.0), zoom: 1.0 };
        let link = Link { from: NodeId(0), dim: 1 };
        let (there, back) = (picture.line(link).unwrap(), picture.line(link.reverse()).unwrap());
        assert!(distance_to_segment(point_along(&there, 0.5), back[0], back[1]) > 3.0);
        let look = |at: Link| if at == link { LinkStyle::Faulty } else { LinkStyle::Free };
        let scene = picture.draw(look, |node| if node.0 == 5 { NodeStyle::FAULTY } else { NodeStyle::IDLE });
        let crosses = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Cross { .. }));
        assert_eq!(crosses.count(), 2);
        assert!(matches!(&scene.shapes[0], Shape::Mesh { lines, .. } if lines.len() == 23));
        assert!(scene.svg(crate::picture::palette::print_css, "").matches('M').count() >= 23);
    }
}
