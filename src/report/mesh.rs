//! The picture of a mesh: nodes on a grid, beside each other the two one-way channels of every link, lanes in them.

use super::cube::Spot;
use super::scene::{Anchor, Role, Shape};
use crate::topology::{Link, Mesh, NodeId, Port};

/// A point of the picture, in pixels.
pub(super) type Point = (f64, f64);

/// The room on the left and on top, for the numbers of rows and columns; and on the other sides.
const MARGIN: f64 = 18.0;
const BORDER: f64 = 4.0;

/// Neighbours are never farther apart, in pixels.
const WIDEST: f64 = 130.0;

/// Half a node, the gap between the two channels of a link, and the width of one channel, as shares of the distance of
/// neighbours.
const HALF: f64 = 0.225;
const GAP: f64 = 0.012;
const BAND: f64 = 0.21;

/// The narrowest lane that can be told from its neighbours, and from which on flits are drawn one by one, in pixels.
const LANE: f64 = 1.25;

/// Where everything is in a picture of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshPicture {
    /// The mesh.
    pub mesh: Mesh,
    /// Width and height in pixels.
    pub size: (f64, f64),
    /// How many times larger than the whole mesh fits, at least 1.
    pub zoom: f64,
    /// The column and row in the middle when it does not fit.
    pub center: (f64, f64),
}

impl MeshPicture {
    /// The whole mesh.
    pub fn whole(mesh: Mesh, size: (f64, f64)) -> Self {
        Self { mesh, size, zoom: 1.0, center: (0.0, 0.0) }
    }

    /// The distance of neighbours, in pixels.
    pub fn step(&self) -> f64 {
        let (rows, columns) = self.extent();
        let fit = ((self.size.0 - MARGIN - BORDER) / columns).min((self.size.1 - MARGIN - BORDER) / rows);
        fit.min(WIDEST) * self.zoom
    }

    fn extent(&self) -> (f64, f64) {
        (f64::from(self.mesh.rows()), f64::from(self.mesh.columns()))
    }

    /// Half the side of a node.
    pub fn half(&self) -> f64 {
        self.step() * HALF
    }

    /// The width of a channel.
    pub fn band(&self) -> f64 {
        self.step() * BAND
    }

    /// The width of one of `count` lanes; `None` if they are too narrow to be told apart.
    pub fn lane(&self, count: u8) -> Option<f64> {
        Some(self.band() / f64::from(count.max(1))).filter(|&lane| lane >= LANE)
    }

    /// Where a place (row, column) of the grid is.
    pub fn place(&self, row: f64, column: f64) -> Point {
        let (step, (rows, columns)) = (self.step(), self.extent());
        let start = |room: f64, count: f64, center: f64| {
            let room = room - MARGIN - BORDER;
            // What fits is centred; else no room is left empty.
            let free = room - count * step;
            let shift = if free >= 0.0 { free / 2.0 } else { (room / 2.0 - (center + 0.5) * step).clamp(free, 0.0) };
            MARGIN + shift + step / 2.0
        };
        let left = start(self.size.0, columns, self.center.0);
        let top = start(self.size.1, rows, self.center.1);
        (left + column * step, top + row * step)
    }

    /// Where a node is.
    pub fn at(&self, node: NodeId) -> Point {
        let (row, column) = self.mesh.place(node);
        self.place(f64::from(row), f64::from(column))
    }

    /// Whether something this near to a point can be seen.
    pub(super) fn sees(&self, (x, y): Point) -> bool {
        let reach = self.step();
        -reach <= x && x <= self.size.0 + reach && -reach <= y && y <= self.size.1 + reach
    }

    /// The line from node to node over `port`, `aside` pixels to its right-hand side; for a line of this width, whose round
    /// ends reach farther.
    pub(super) fn channel(&self, node: NodeId, port: Port, aside: f64, width: f64) -> [Point; 2] {
        let (x, y) = self.at(node);
        let (ux, uy) = direction(port);
        let start = (self.half() + 0.5 + width / 2.0).min(self.step() / 2.0);
        let end = self.step() - start;
        let at = |far: f64| (x + ux * far - uy * aside, y + uy * far + ux * aside);
        [at(start), at(end)]
    }

    /// How far the middle of lane number `lane` of `count` lies aside.
    pub(super) fn aside(&self, lane: u8, count: u8) -> f64 {
        self.step() * GAP + self.band() * (f64::from(lane) + 0.5) / f64::from(count.max(1))
    }

    /// How far the middle of a channel lies aside.
    pub(super) fn middle(&self) -> f64 {
        self.aside(0, 1)
    }

    /// What is at a point: a node or a link, within reach of a finger (`touch`) or a pointer.
    pub fn hit(&self, point: Point, touch: bool) -> Option<Spot> {
        let (node, dx, dy) = self.nearest(point)?;
        let reach = self.half() + if touch { (9.0_f64).min(self.step() * 0.1) } else { 1.0 };
        if dx.abs() <= reach && dy.abs() <= reach {
            return Some(Spot::Node(node));
        }
        let (along, across) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
        let port = Port::along(u8::from(dx.abs() < dy.abs()), if dx.abs() < dy.abs() { dy > 0.0 } else { dx > 0.0 });
        let near = across <= self.step() * (GAP + BAND) + if touch { 4.0 } else { 1.0 };
        let link = self.mesh.link(node, port).filter(|_| near && along <= self.step() / 2.0 + 0.5);
        link.map(Spot::Link)
    }

    /// The channel at a point, with the share of its width from its inner side.
    pub fn channel_at(&self, point: Point) -> Option<(NodeId, Port, f64)> {
        let Some(Spot::Link(link)) = self.hit(point, false) else { return None };
        let (x, y) = self.at(link.from);
        let far = if link.dim == 0 { point.1 - y } else { x - point.0 };
        let share = (far.abs() / self.step() - GAP) / BAND;
        // Of a row link, the channel East runs below; of a column link, the channel South runs on the left.
        let grows = far >= 0.0;
        let node = if grows { link.from } else { self.mesh.link_end(link)? };
        Some((node, Port::along(link.dim, grows), share.clamp(0.0, 0.999)))
    }

    /// The nearest node, and how far the point is from it, right and down.
    fn nearest(&self, point: Point) -> Option<(NodeId, f64, f64)> {
        let ((x, y), step) = (self.place(0.0, 0.0), self.step());
        let (column, row) = (((point.0 - x) / step).round(), ((point.1 - y) / step).round());
        let node = self.mesh.node(row as i32, column as i32)?;
        Some((node, point.0 - x - column * step, point.1 - y - row * step))
    }

    /// The numbers of rows and columns along the left and upper edges, as far as there is room.
    pub(super) fn numbers(&self, shapes: &mut Vec<Shape>) {
        let every = (15.0 / self.step()).ceil().max(1.0) as usize;
        let mut text = |at, number: u16| {
            let text = number.to_string();
            shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Soft, size: 10.0, text });
        };
        for row in (0..self.mesh.rows()).step_by(every) {
            let (x, y) = self.place(f64::from(row), 0.0);
            if (MARGIN..self.size.1).contains(&y) {
                text(((x - self.step() / 2.0 - 7.0).max(8.0), y), row);
            }
        }
        for column in (0..self.mesh.columns()).step_by(every) {
            let (x, y) = self.place(0.0, f64::from(column));
            if (MARGIN..self.size.0).contains(&x) {
                text((x, (y - self.step() / 2.0 - 7.0).max(8.0)), column);
            }
        }
    }

    /// What marks the spot in focus, and its name.
    pub(super) fn focus(&self, spot: Spot, text: String, shapes: &mut Vec<Shape>) {
        let (ends, half) = match spot {
            Spot::Node(node) => ([self.at(node); 2], self.half() + 3.0),
            Spot::Link(link) => {
                let Some(end) = self.mesh.link_end(link) else { return };
                ([self.at(link.from), self.at(end)], self.step() * (GAP + BAND) + 2.0)
            }
        };
        let [(left, top), (right, bottom)] = ends;
        let inset = if left == right && top == bottom { 0.0 } else { self.half() + half };
        let (ix, iy) = if right > left { (inset, 0.0) } else { (0.0, inset) };
        let (left, top, right, bottom) = (left - half + ix, top - half + iy, right + half - ix, bottom + half - iy);
        let points = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        shapes.push(Shape::Stroke { points, role: Role::Ink, width: 2.0, dash: Vec::new(), alpha: 1.0 });
        let anchor = if left < self.size.0 / 2.0 { Anchor::Start } else { Anchor::End };
        let x = if left < self.size.0 / 2.0 { left } else { right };
        let y = if top < 30.0 { bottom + 12.0 } else { top - 10.0 };
        shapes.push(Shape::Text { at: (x, y), anchor, role: Role::Ink, size: 13.0, text });
    }
}

/// The unit vector of a port: columns grow to the right, rows downwards.
pub(super) fn direction(port: Port) -> Point {
    match port {
        Port::WEST => (-1.0, 0.0),
        Port::EAST => (1.0, 0.0),
        Port::NORTH => (0.0, -1.0),
        _ => (0.0, 1.0),
    }
}

/// The middle of a link.
pub(super) fn link_middle(picture: &MeshPicture, link: Link) -> Point {
    let (x, y) = picture.at(link.from);
    let half = picture.step() / 2.0;
    if link.dim == 0 { (x + half, y) } else { (x, y + half) }
}

/// Lines gathered by how they look, so that each kind is painted at one go.
#[derive(Default)]
pub(super) struct Batches {
    batches: Vec<Batch>,
}

struct Batch {
    role: Role,
    width: f64,
    alpha: f64,
    lines: Vec<Vec<Point>>,
}

impl Batches {
    pub(super) fn add(&mut self, role: Role, width: f64, alpha: f64, line: &[Point]) {
        let alike = |batch: &&mut Batch| batch.role == role && batch.width == width && batch.alpha == alpha;
        match self.batches.iter_mut().find(alike) {
            Some(batch) => batch.lines.push(line.to_vec()),
            None => self.batches.push(Batch { role, width, alpha, lines: vec![line.to_vec()] }),
        }
    }

    pub(super) fn finish(self, shapes: &mut Vec<Shape>) {
        let shape = |Batch { role, width, alpha, lines }| Shape::Mesh { lines, role, width, alpha };
        shapes.extend(self.batches.into_iter().map(shape));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_link_and_channel_is_hit_where_it_is_drawn() {
        let mesh = Mesh::new(5, 9).unwrap();
        for (zoom, center) in [(1.0, (0.0, 0.0)), (3.0, (4.0, 2.0))] {
            let picture = MeshPicture { mesh, size: (620.0, 400.0), zoom, center };
            for node in mesh.all() {
                assert_eq!(picture.hit(picture.at(node), false), Some(Spot::Node(node)));
                for port in Port::ALL.into_iter().filter(|&port| mesh.neighbor(node, port).is_some()) {
                    let [(ax, ay), (bx, by)] = picture.channel(node, port, picture.aside(2, 4), 0.0);
                    for share in [0.05, 0.45, 0.55, 0.95] {
                        let point = (ax + (bx - ax) * share, ay + (by - ay) * share);
                        assert_eq!(picture.hit(point, false), mesh.link(node, port).map(Spot::Link));
                        let (found, by, aside) = picture.channel_at(point).unwrap();
                        assert_eq!((found, by, (aside * 4.0) as u8), (node, port, 2));
                    }
                }
            }
        }
    }

    #[test]
    fn a_zoomed_picture_keeps_its_centre_and_leaves_no_room_empty() {
        let mesh = Mesh::new(16, 16).unwrap();
        let picture = |center| MeshPicture { mesh, size: (422.0, 422.0), zoom: 4.0, center };
        assert_eq!(picture((8.0, 8.0)).place(8.0, 8.0), (218.0, 218.0));
        let corner = picture((0.0, 15.0));
        assert_eq!((corner.place(0.0, 0.0).0, corner.place(15.0, 0.0).1), (68.0, 368.0));
    }
}
