//! Picture of a mesh: nodes at the positions of the layout, the two one-way channels of every link
//! side by side, and their virtual channels.

pub mod faults;
pub(crate) mod layout;

use std::ops::Range;

pub use self::layout::ratio;
use self::layout::{MeshLayout, Place};
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, Size};
use crate::picture::layers::Layers;
use crate::picture::projection::{DEPTHS, MeshView, scale};
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use crate::picture::viewport::{Viewport, Window};
use faultlab_core::topology::{Link, Mesh, NodeId, Port};

/// First line of the message that a mesh is too large to draw.
pub const TOO_LARGE: &str = "too large to draw node by node;";

/// Returns the maximum number of nodes of a mesh like this one whose picture can be shown.
pub fn max_shown_nodes(mesh: Mesh) -> u32 {
    if mesh.dimensions() > 2 { Mesh::MAX_PICTURE_NODES } else { Mesh::MAX_NODES }
}

/// Second line of the message that a mesh is too large to draw: it can still be measured.
pub const TOO_LARGE_HINT: &str = "Measure works as usual";

/// Margin on the left and on top, for the numbers of rows and columns.
const MARGIN: f64 = 18.0;
/// Margin on the other sides.
const BORDER: f64 = 4.0;

/// Maximum distance between neighbours, in pixels.
const WIDEST: f64 = 130.0;

/// Minimum distance between neighbours at which nodes are drawn one by one, in pixels.
const NARROWEST: f64 = 4.0;

/// Maximum number of visible nodes that are drawn one by one; more are drawn as a density.
const MAX_VISIBLE_NODES: f64 = 5000.0;

/// Half a node, the gap between the two channels of a link, and the width of one channel, as shares
/// of the distance between neighbours. The first row is for a grid, the second for space, where
/// links cross.
const SHARES: [[f64; 3]; 2] = [[0.225, 0.012, 0.21], [0.12, 0.008, 0.085]];

/// Length of the drawn piece of a wraparound link on a grid, from the centre of its node, in steps.
const AROUND: f64 = 0.68;
/// Length of the drawn piece of a wraparound link in space, in steps.
const BEYOND: f64 = 0.5;
/// Start and end of the drawn piece of a link between panels, from the corner of its node, in
/// steps.
const ASLANT: [f64; 2] = [0.06, 0.3];

/// Minimum width of a distinguishable virtual channel, from which flits are drawn one by one, in
/// pixels.
const LANE: f64 = 1.25;

/// Layout of a picture of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPicture {
    /// Mesh.
    pub mesh: Mesh,
    /// Width and height in pixels.
    pub size: Size,
    /// Visible part.
    window: Window,
    layout: MeshLayout,
    solid: bool,
    step: f64,
    /// Pixel of the layout's position (0, 0).
    origin: Point,
}

/// Drawn channel: whole from node to node, or the piece at one of its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChannelSegment {
    pub(crate) from: Point,
    pub(crate) to: Point,
    /// Lengths covered by the nodes at the ends.
    trim: [f64; 2],
    /// Factor of the channel's width.
    pub(crate) scale: f64,
    pub(crate) depth: u8,
}

impl ChannelSegment {
    /// Returns the segment of a plane between two nodes, of which `half` is half the side.
    pub(crate) fn whole(from: Point, to: Point, half: f64) -> Self {
        Self { from, to, trim: [half; 2], scale: 1.0, depth: DEPTHS }
    }

    /// Returns the unit vector along the channel, and its length.
    pub(crate) fn along(&self) -> (Point, f64) {
        let way = self.to - self.from;
        let length = libm::hypot(way.x, way.y).max(1e-9);
        (Point::new(way.x / length, way.y / length), length)
    }

    /// Returns a line along the channel, `aside` pixels to its right, shortened for the round ends
    /// of a line of width `width`.
    pub(crate) fn line(&self, aside: f64, width: f64) -> [Point; 2] {
        let (along, length) = self.along();
        let trim = |end: f64| if end > 0.0 { (end + 0.5 + width * self.scale / 2.0).min(length / 2.0) } else { 0.0 };
        let aside = aside * self.scale;
        let at = |far: f64| self.from + along * far + along.turned_right() * aside;
        [at(trim(self.trim[0])), at(length - trim(self.trim[1]))]
    }

    /// Returns the distance of a point to the right of the channel; `None` if the point is beyond
    /// its ends.
    fn find(&self, point: Point) -> Option<f64> {
        let (Point { x: ux, y: uy }, length) = self.along();
        let Point { x: dx, y: dy } = point - self.from;
        let along = dx * ux + dy * uy;
        let inside = self.trim[0] - 0.5 <= along && along <= length - self.trim[1] + 0.5;
        inside.then_some(dy * ux - dx * uy)
    }
}

impl MeshPicture {
    /// Returns the layout of the mesh in `view`, in a magnified picture of this size.
    pub fn new(mesh: Mesh, size: Size, view: MeshView, viewport: Viewport) -> Self {
        let layout = MeshLayout::new(mesh, view);
        let solid = mesh.dimensions() > 2 && view != MeshView::Slices;
        let zoom = viewport.zoom();
        let (margin, margins) = (MARGIN * zoom, (MARGIN + BORDER) * zoom);
        let room = Size::new(size.width - margins, size.height - margins);
        let step = (room.width / layout.extent.width).min(room.height / layout.extent.height).min(WIDEST * zoom);
        let start = |room: f64, count: f64| margin + (room - count * step) / 2.0 + step / 2.0;
        let origin = Point::new(start(room.width, layout.extent.width), start(room.height, layout.extent.height));
        Self { mesh, size, window: viewport.window(size), layout, solid, step, origin }
    }

    /// Returns the picture with another visible part, for a picture with space below the network.
    pub(crate) fn with_window(self, window: Window) -> Self {
        Self { window, ..self }
    }

    /// Returns the layout of the whole mesh, with more than two dimensions in slices.
    pub fn whole(mesh: Mesh, size: Size) -> Self {
        Self::new(mesh, size, MeshView::Slices, Viewport::WHOLE)
    }

    /// Returns whether nodes are few enough, and far enough apart, to draw them one by one.
    pub fn is_drawn(&self) -> bool {
        let Size { width, height } = self.window.size;
        let visible = f64::from(self.mesh.nodes()).min(width * height / (self.step * self.step));
        !self.is_too_large() && self.step >= NARROWEST && visible <= MAX_VISIBLE_NODES
    }

    /// Returns whether the mesh has too many nodes and dimensions for any picture.
    pub(crate) fn is_too_large(&self) -> bool {
        MeshLayout::is_too_large(self.mesh)
    }

    /// Returns a message in place of the picture: the reason why it is not drawn.
    pub(crate) fn not_drawn_scene(&self) -> Scene {
        let lines: &[&str] = match self.is_too_large() {
            true => &[TOO_LARGE, TOO_LARGE_HINT],
            false => &["too small to draw here:", "zoom in (+), or widen the window"],
        };
        let Window { corner, size } = self.window;
        let (middle, first) = (corner.x + size.width / 2.0, corner.y + size.height / 2.0 - 9.0);
        let text = |(line, text): (u8, &&str)| Shape::Text {
            at: Point::new(middle, first + 20.0 * f64::from(line)),
            anchor: Anchor::Middle,
            role: Role::Soft,
            size: 14.0,
            text: (*text).to_owned(),
        };
        Scene { size: self.size, shapes: (0..).zip(lines).map(text).collect() }
    }

    /// Returns the visible part of the picture.
    pub(crate) fn window(&self) -> Window {
        self.window
    }

    /// Returns the distance between neighbours in a panel, in pixels.
    pub fn step(&self) -> f64 {
        self.step
    }

    fn shares(&self) -> [f64; 3] {
        SHARES[usize::from(self.solid)]
    }

    /// Returns whether the mesh has at most two dimensions: a single grid of rows and columns.
    pub(crate) fn is_plane(&self) -> bool {
        self.mesh.dimensions() <= 2
    }

    /// Returns half the side of a node.
    pub fn half(&self) -> f64 {
        self.step * self.shares()[0]
    }

    /// Returns half the side of a node, scaled by the node's depth.
    pub(crate) fn half_of(&self, node: NodeId) -> f64 {
        self.half() * scale(self.depth(node))
    }

    /// Returns the width of a channel.
    pub fn band(&self) -> f64 {
        self.step * self.shares()[2]
    }

    /// Returns the width of one of `count` virtual channels; `None` if they are too narrow to be
    /// distinguished.
    pub fn vc_width(&self, count: u8) -> Option<f64> {
        Some(self.band() / f64::from(count.max(1))).filter(|&lane| lane >= LANE)
    }

    fn node_place(&self, node: NodeId) -> Place {
        self.layout.place(self.mesh, node)
    }

    /// Converts a position of the layout to pixels.
    fn point(&self, place: Point) -> Point {
        self.origin + place * self.step
    }

    /// Returns the position of a node in pixels.
    pub fn at(&self, node: NodeId) -> Point {
        self.point(self.node_place(node).at)
    }

    /// Returns the position of a node in steps, independent of the size of the picture: on a grid
    /// its column and row.
    pub fn layout_position(&self, node: NodeId) -> Point {
        self.node_place(node).at
    }

    /// Returns the depth layer of a node: 0 is farthest from the viewer.
    pub(crate) fn depth(&self, node: NodeId) -> u8 {
        self.node_place(node).depth
    }

    /// Returns whether the picture is a body, in which nodes can hide each other.
    pub(crate) fn is_solid(&self) -> bool {
        self.solid
    }

    /// Returns the range of the columns (`dim` 0) or rows (1) of a plane that can be visible.
    pub(crate) fn visible_range(&self, dim: u8) -> Range<u16> {
        self.range_in(self.window, dim)
    }

    /// Returns the range of the columns or rows of a plane that can reach into a window.
    fn range_in(&self, window: Window, dim: u8) -> Range<u16> {
        let last = if dim < self.mesh.dimensions() { self.mesh.radix(dim) } else { 1 };
        let (first, start, end) = (self.at(NodeId(0)), window.corner, window.end());
        let [first, start, end] = [first, start, end].map(|point| if dim == 0 { point.x } else { point.y });
        let index = |at: f64| ((at - first) / self.step).clamp(0.0, f64::from(last)) as u16;
        index(start - self.step)..(index(end + self.step) + 1).min(last)
    }

    /// Returns the nodes that can be visible, ascending.
    pub(crate) fn visible_nodes(&self) -> Vec<NodeId> {
        self.nodes_in(self.window)
    }

    /// Returns the nodes that can reach into a window, ascending. On a plane the cost is the number
    /// of these nodes.
    fn nodes_in(&self, window: Window) -> Vec<NodeId> {
        if !self.is_plane() {
            return self.mesh.iter_nodes().filter(|&node| window.contains(self.at(node), self.step)).collect();
        }
        let (columns, visible) = (u64::from(self.mesh.columns()), self.range_in(window, 0));
        let row = |row: u16| visible.clone().map(move |column| NodeId(u64::from(row) * columns + u64::from(column)));
        self.range_in(window, 1).flat_map(row).collect()
    }

    /// Returns the links of which an end can be visible, ascending for each node.
    pub(crate) fn visible_links(&self) -> Vec<Link> {
        self.links_of(&self.visible_nodes())
    }

    /// Returns the links of which an end is among `nodes`, which ascend.
    fn links_of(&self, nodes: &[NodeId]) -> Vec<Link> {
        let up = |from: NodeId, dim: u8| Some(Link { from, dim }).filter(|&link| self.mesh.link_end(link).is_some());
        // The first end of a link can be outside: beyond the edge, or far away if the link wraps around.
        let from_outside = |node: NodeId, dim: u8| {
            let from = self.mesh.neighbor(node, Port::along(dim, false))?;
            up(from, dim).filter(|_| nodes.binary_search(&from).is_err())
        };
        let of =
            |&node: &NodeId| (0..self.mesh.dimensions()).flat_map(move |dim| [up(node, dim), from_outside(node, dim)]);
        nodes.iter().flat_map(of).flatten().collect()
    }

    /// Iterates over the drawn pieces of the channel from `node` over `port`, in its direction. A
    /// wraparound link and a link between panels have a piece at each end; other links have one
    /// piece.
    pub(crate) fn segments(&self, node: NodeId, port: Port) -> impl Iterator<Item = ChannelSegment> + use<> {
        let next = self.mesh.neighbor(node, port);
        let pieces = next.map(|next| {
            if self.is_whole(node, port) {
                let ends = [self.node_place(node), self.node_place(next)];
                let ([from, to], depth) = (ends.map(|end| self.point(end.at)), ends[0].depth.min(ends[1].depth));
                let trim = ends.map(|end| self.half() * scale(end.depth));
                return [Some(ChannelSegment { from, to, trim, scale: scale(depth), depth }), None];
            }
            let back = self.stub(next, port.opposite());
            let back = ChannelSegment { from: back.to, to: back.from, trim: [0.0, back.trim[0]], ..back };
            [Some(self.stub(node, port)), Some(back)]
        });
        pieces.into_iter().flatten().flatten()
    }

    /// Returns the last drawn piece of the channel from `node` over `port`.
    pub(crate) fn last_segment(&self, node: NodeId, port: Port) -> Option<ChannelSegment> {
        self.segments(node, port).last()
    }

    /// Returns whether a link is drawn as one line from node to node.
    fn is_whole(&self, node: NodeId, port: Port) -> bool {
        let dim = port.dim();
        let last = if port.grows() { self.mesh.radix(dim) - 1 } else { 0 };
        let around = self.mesh.wraps(dim) && self.mesh.coordinate(node, dim) == last;
        !around && (self.solid || dim < 2)
    }

    /// Returns the piece of a link drawn at `node`, outwards, where the link continues elsewhere.
    fn stub(&self, node: NodeId, port: Port) -> ChannelSegment {
        let (at, half, depth) = (self.at(node), self.half_of(node), self.depth(node));
        let way = self.stub_direction(node, port);
        let whole = ChannelSegment { from: at, to: at + way, trim: [half, 0.0], scale: scale(depth), depth };
        if self.solid || port.dim() < 2 {
            return whole;
        }
        // Several pieces can leave the same corner: they are narrower, and start far enough from it
        // to lie side by side.
        let sharing = self.links_per_corner();
        let from = at + Point::new(way.x.signum(), way.y.signum()) * half;
        let start = (ASLANT[0] * sharing).min(ASLANT[1] / 2.0) * self.step;
        ChannelSegment { from, to: from + way, trim: [start, 0.0], scale: 0.5 / sharing, depth }
    }

    /// Returns the direction of link pieces over `port` at `node`. In space they continue the links
    /// that arrive. On grids they follow rows and columns or, in higher dimensions, leave the
    /// corners, alternately upwards and downwards.
    fn stub_direction(&self, node: NodeId, port: Port) -> Point {
        let sign = if port.grows() { self.step } else { -self.step };
        match port.dim() {
            _ if self.solid => {
                let (at, before) = (self.at(node), self.mesh.neighbor(node, port.opposite()));
                (at - before.map_or(at, |before| self.at(before))) * BEYOND
            }
            0 => Point::new(sign * AROUND, 0.0),
            1 => Point::new(0.0, sign * AROUND),
            dim => {
                let share = (f64::from(dim / 2 - 1) + 0.5) / self.links_per_corner();
                let (sin, cos) = libm::sincos((10.0 + 70.0 * share).to_radians());
                let up = if dim % 2 == 0 { -sin } else { sin };
                let far = sign * ASLANT[1] / (0.8 + 0.2 * self.links_per_corner());
                Point::new(far * cos, far * up)
            }
        }
    }

    /// Returns the number of links that leave a node from the same corner.
    fn links_per_corner(&self) -> f64 {
        f64::from(self.mesh.dimensions().saturating_sub(1) / 2).max(1.0)
    }

    /// Returns the distance, in pixels, of the centre of virtual channel `lane` of `count` to the
    /// right of the line between the two nodes.
    pub(crate) fn aside(&self, lane: u8, count: u8) -> f64 {
        let [_, gap, _] = self.shares();
        self.step * gap + self.band() * (f64::from(lane) + 0.5) / f64::from(count.max(1))
    }

    /// Returns the distance, in pixels, of the centre of a channel to the right of the line between
    /// the two nodes.
    pub(crate) fn middle(&self) -> f64 {
        self.aside(0, 1)
    }

    /// Returns the window with everything that an element at a point can belong to. In space a link
    /// can pass far from its nodes.
    fn around(&self, point: Point) -> Window {
        if self.is_plane() { Window { corner: point, size: Size::default() } } else { self.window }
    }

    /// Returns the node or link at a point, within the reach of a finger (`touch`) or a pointer.
    pub fn hit(&self, point: Point, touch: bool) -> Option<NetworkElement> {
        let more = if touch { (9.0_f64).min(self.step * 0.1) } else { 1.0 };
        if !self.is_drawn() {
            return None;
        }
        let near = self.nodes_in(self.around(point)).into_iter().filter_map(|node| {
            let (Point { x, y }, reach) = (self.at(node), self.half_of(node) + more);
            let (dx, dy) = ((point.x - x).abs(), (point.y - y).abs());
            // Prefers the front one of nodes that hide each other, then the nearest node.
            let rank = (std::cmp::Reverse(self.depth(node)), (libm::hypot(dx, dy) * 64.0) as u32);
            (dx <= reach && dy <= reach).then_some((rank, node))
        });
        let node = near.min().map(|(_, node)| NetworkElement::Node(node));
        node.or_else(|| {
            self.link_at(point, touch).map(|(node, port, _)| self.mesh.link(node, port).map(NetworkElement::Link))?
        })
    }

    /// Returns the channel at a point, with the point's distance from the channel's inner side as a
    /// share of the width.
    pub fn channel_at(&self, point: Point) -> Option<(NodeId, Port, f64)> {
        match self.hit(point, false)? {
            NetworkElement::Link(_) => self.link_at(point, false),
            NetworkElement::Node(_) => None,
        }
    }

    /// Returns the channel nearest to a point.
    fn link_at(&self, point: Point, touch: bool) -> Option<(NodeId, Port, f64)> {
        let [_, gap, band] = self.shares();
        let more = if touch { 4.0 } else { 1.0 };
        let mut best: Option<(f64, (NodeId, Port, f64))> = None;
        for link in self.links_of(&self.nodes_in(self.around(point))) {
            let port = Port::along(link.dim, true);
            for run in self.segments(link.from, port) {
                let Some(across) = run.find(point) else { continue };
                let width = self.step * run.scale;
                let far = across.abs() / width;
                if across.abs() > width * (gap + band) + more || best.is_some_and(|best| best.0 <= far) {
                    continue;
                }
                // The ascending channel is on the right of the ascending direction.
                let Some(end) = self.mesh.link_end(link) else { continue };
                let (node, port) = if across >= 0.0 { (link.from, port) } else { (end, port.opposite()) };
                best = Some((far, (node, port, ((far - gap) / band).clamp(0.0, 0.999))));
            }
        }
        best.map(|best| best.1)
    }

    /// Adds the labels beside the grid: the numbers of rows and columns, or the captions of panels,
    /// if there is space.
    pub(crate) fn numbers(&self, shapes: &mut Layers) {
        // A number inside the picture covers the links below it.
        let mut text = |at, size, is_inside, text: String| {
            if is_inside {
                let radius = 4.0 + 3.0 * text.len() as f64;
                shapes.push(Shape::Disc { at, radius, fill: Role::Paper, stroke: None });
            }
            shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Soft, size, text });
        };
        // A panel has to be as wide as its caption.
        let room = (self.step - 4.0) * f64::from(self.mesh.columns());
        for (at, caption) in self.layout.captions.iter().filter(|caption| room > 5.0 * caption.1.len() as f64) {
            text(self.point(*at), (self.step * 0.42).clamp(9.0, 12.0), false, caption.clone());
        }
        if self.solid {
            return;
        }
        let width = if self.mesh.columns().max(self.mesh.rows()) > 100 { 26.0 } else { 15.0 };
        let every = (width / self.step).ceil().max(1.0) as u16;
        let lead = |at, dim| self.number_position(at, dim);
        // The numbers of a magnified picture stay at its visible edges.
        let (start, end) = (self.window.corner, self.window.end());
        for row in (0..self.mesh.rows()).step_by(usize::from(every)) {
            let Point { x, y } = self.at(NodeId(u64::from(row) * u64::from(self.mesh.columns())));
            if (start.y + MARGIN..end.y).contains(&y) {
                let (beside, edge) = (lead(x, 0), start.x + 10.0);
                text(Point::new(beside.max(edge), y), 10.0, beside < edge, row.to_string());
            }
        }
        for column in (0..self.mesh.columns()).step_by(usize::from(every)) {
            let Point { x, y } = self.at(NodeId(u64::from(column)));
            if (start.x + MARGIN..end.x).contains(&x) {
                let (above, edge) = (lead(y, 1), start.y + 8.0);
                text(Point::new(x, above.max(edge)), 10.0, above < edge, column.to_string());
            }
        }
    }

    /// Returns the position before the first node `at` of a line in dimension `dim` of the line's
    /// number. Row numbers are drawn to the left of wraparound links.
    fn number_position(&self, at: f64, dim: u8) -> f64 {
        (at - self.step * if self.mesh.wraps(dim) { AROUND + 0.1 } else { 0.5 } - 7.0).max(8.0)
    }

    /// Returns whether a short word in the middle of `at` may cover the number of a row or a column.
    pub(crate) fn may_cover_number(&self, at: Point) -> bool {
        let (first, corner) = (self.at(NodeId(0)), self.window.corner);
        let column = self.number_position(first.x, 0).max(corner.x + 10.0);
        let row = self.number_position(first.y, 1).max(corner.y + 8.0);
        !self.solid && (at.x < column + 23.0 || at.y < row + 12.0)
    }

    /// Adds the mark of the element in focus, and its name.
    pub(crate) fn focus(&self, spot: NetworkElement, text: String, shapes: &mut Layers) {
        let marks: Vec<[Point; 4]> = match spot {
            NetworkElement::Node(node) => {
                let (at, half) = (self.at(node), self.half_of(node) + 3.0);
                let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
                vec![corners.map(|(x, y)| at + Point::new(x, y))]
            }
            NetworkElement::Link(link) => {
                let [_, gap, band] = self.shares();
                let wide = |run: &ChannelSegment| self.step * (gap + band) + 2.0 / run.scale;
                let around = |run: ChannelSegment| {
                    let ([a, b], [d, c]) = (run.line(wide(&run), 0.0), run.line(-wide(&run), 0.0));
                    [a, b, c, d]
                };
                self.segments(link.from, Port::along(link.dim, true)).map(around).collect()
            }
        };
        for [a, b, c, d] in &marks {
            let points = vec![*a, *b, *c, *d, *a];
            shapes.push(Shape::Stroke { points, role: Role::Ink, width: 2.0, dash: Vec::new(), alpha: 1.0 });
        }
        let bound = |of: fn(&Point) -> f64, pick: fn(f64, f64) -> f64| {
            marks.first().map(|mark| mark.iter().map(of).fold(of(&mark[0]), pick))
        };
        let (Some(left), Some(right)) = (bound(|p| p.x, f64::min), bound(|p| p.x, f64::max)) else { return };
        let (Some(top), Some(bottom)) = (bound(|p| p.y, f64::min), bound(|p| p.y, f64::max)) else { return };
        let Window { corner, size } = self.window;
        let (anchor, x) = if left < corner.x + size.width / 2.0 { (Anchor::Start, left) } else { (Anchor::End, right) };
        let y = if top < corner.y + 30.0 { bottom + 12.0 } else { top - 10.0 };
        shapes.push(Shape::Text { at: Point::new(x, y), anchor, role: Role::Ink, size: 13.0, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns points of a channel as it is drawn.
    fn points(picture: &MeshPicture, node: NodeId, port: Port, aside: f64) -> impl Iterator<Item = Point> {
        picture.segments(node, port).flat_map(move |run| {
            let [start, end] = run.line(aside, 0.0);
            [0.05, 0.45, 0.55, 0.95].map(|share| start + (end - start) * share)
        })
    }

    #[test]
    fn hit_finds_nodes_links_and_channels_where_drawn() {
        let of = |radices: &[u16]| Mesh::from_radices(radices).unwrap();
        let meshes = [of(&[5, 9]), of(&[4, 6]).to_torus(), of(&[4, 3, 5]), of(&[3, 2, 3, 3]).to_torus(), of(&[2; 5])];
        for (mesh, zoom) in meshes.into_iter().flat_map(|mesh| [(mesh, 1.0), (mesh, 3.0)]) {
            let canvas = Size::new(620.0, 400.0);
            let view = Viewport::WHOLE.zoomed(zoom, zoom, Point::new(300.0, 100.0), canvas);
            let picture = MeshPicture::new(mesh, view.picture_size(canvas), MeshView::Slices, view);
            for node in picture.visible_nodes() {
                assert_eq!(picture.hit(picture.at(node), false), Some(NetworkElement::Node(node)));
                for port in mesh.ports().filter(|&port| mesh.neighbor(node, port).is_some()) {
                    for point in points(&picture, node, port, picture.aside(2, 4)) {
                        assert_eq!(
                            picture.hit(point, false),
                            mesh.link(node, port).map(NetworkElement::Link),
                            "{mesh} {zoom}"
                        );
                        let (found, by, aside) = picture.channel_at(point).unwrap();
                        assert_eq!((found, by, (aside * 4.0) as u8), (node, port, 2));
                    }
                }
            }
        }
    }

    #[test]
    fn hit_finds_all_nodes_and_links_of_solids() {
        for mesh in [Mesh::from_radices(&[4, 4, 4]).unwrap(), Mesh::from_radices(&[3, 3, 3]).unwrap().to_torus()] {
            let picture = MeshPicture::new(mesh, Size::new(700.0, 700.0), MeshView::SOLID, Viewport::WHOLE);
            let hidden = mesh
                .iter_nodes()
                .filter(|&node| picture.hit(picture.at(node), false) != Some(NetworkElement::Node(node)));
            assert_eq!(hidden.count(), 0, "{mesh}");
            let links: Vec<_> = mesh.iter_links().collect();
            let found = links.iter().filter(|link| {
                let mut points = points(&picture, link.from, Port::along(link.dim, true), 0.0);
                points.any(|point| picture.hit(point, false) == Some(NetworkElement::Link(**link)))
            });
            assert_eq!(found.count(), links.len(), "{mesh}");
        }
    }

    #[test]
    fn meshes_too_large_for_the_picture_are_not_drawn() {
        let drawn = |radices: &[u16], side| {
            MeshPicture::whole(Mesh::from_radices(radices).unwrap(), Size::new(side, side)).is_drawn()
        };
        assert!(drawn(&[64, 64], 300.0) && !drawn(&[64, 64], 150.0) && !drawn(&[256, 256], 3000.0));
        assert!(!drawn(&[17, 17, 17], 3000.0));
        let picture = MeshPicture::whole(Mesh::from_radices(&[1024, 1024]).unwrap(), Size::new(500.0, 500.0));
        assert_eq!(picture.hit(Point::new(250.0, 250.0), true), None);
    }
}
