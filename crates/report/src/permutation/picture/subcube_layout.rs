//! Layout of the square of subcubes: a hypercube as four subcubes of n-2 dimensions at the corners
//! of a square. Each subcube is a grid of its nodes in Gray code, as in the thesis on deadlock-free
//! randomized routing (figures 3-5 and 3-7).

use crate::picture::geometry::{Point, Size};
use faultlab_core::topology::{Hypercube, Link, NodeId};

/// Maximum dimension at which nodes are drawn; larger subcubes show numbers.
pub const MAX_DRAWN: u8 = 12;

/// Maximum dimension at which congestion is shown for each channel; in larger cubes it is shown for
/// each node.
pub const MAX_CHANNELS: u8 = 6;

/// Margin around the picture, in pixels.
const MARGIN: f64 = 8.0;
/// Height of the bands above and below, with the arrows to the right and back.
const BAND: f64 = 42.0;
/// Height of the bands in a low picture.
const LOW_BAND: f64 = 24.0;
/// Height of the strip between the upper and the lower subcubes, with the arrows up and down.
const STRIP: f64 = 46.0;
/// Height of the strip in a low picture.
const LOW_STRIP: f64 = 24.0;
/// Height in pixels below which a picture is low, like figures in lecture notes: the nodes need the
/// space.
const LOW: f64 = 380.0;
/// Width and height in pixels below which a picture is small: it has neither legend nor labels.
const SMALL: Size = Size::new(300.0, 300.0);
/// Height of the bands and the strip in a small picture, for the channels that bend around nodes.
const SMALL_BAND: f64 = 10.0;
/// Height of a subcube's heading.
const HEAD: f64 = 20.0;
/// Height above a subcube in a low picture, where the name lies beside the first row.
const LOW_HEAD: f64 = 4.0;
/// Space between the frame of a subcube and its grid.
const PADDING: f64 = 3.0;
/// Height of a line of the legend.
pub(crate) const LEGEND: f64 = 18.0;

/// Maximum ratio of a cell's sides.
const STRETCH: f64 = 1.5;
/// Maximum ratio of a cell's sides in a low picture.
const LOW_STRETCH: f64 = 4.0;
/// Maximum distance between neighbours, in pixels.
const WIDEST: f64 = 120.0;

/// Layout of a picture of a cube as a square of subcubes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquaresPicture {
    /// Hypercube.
    pub cube: Hypercube,
    /// Width and height in pixels.
    pub size: Size,
    /// Magnification, which the margins share.
    pub zoom: f64,
}

/// Rectangle: left, top, width, height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SquareFrame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl SquaresPicture {
    /// Returns the layout for a width in pixels, with a suitable height.
    pub fn of_width(cube: Hypercube, width: f64) -> Self {
        let mut picture = Self { cube, size: Size::new(width, 0.0), zoom: 1.0 };
        let (columns, rows) = picture.grid();
        let frame = picture.frame(0);
        let step = ((frame.width - 2.0 * PADDING) / f64::from(columns)).min(WIDEST);
        let room = if picture.is_drawn() { step * f64::from(rows) } else { 40.0 };
        let grids = 2.0 * (room.max(48.0) + HEAD + PADDING);
        picture.size.height = grids + 2.0 * BAND + STRIP + picture.legend_height() + MARGIN;
        picture
    }

    /// Returns whether nodes are drawn.
    pub fn is_drawn(&self) -> bool {
        self.cube.dimension() <= MAX_DRAWN
    }

    /// Returns the number of columns and rows of a subcube.
    fn grid(&self) -> (u32, u32) {
        let inner = u32::from(self.cube.dimension().min(MAX_DRAWN).saturating_sub(2));
        (1 << inner.div_ceil(2), 1 << (inner / 2))
    }

    /// Returns whether the picture is low, so that the nodes need the space of the labels around
    /// them.
    pub(crate) fn is_low(&self) -> bool {
        self.size.height < LOW * self.zoom
    }

    /// Returns whether the picture is small, so that it has neither legend nor labels.
    pub(crate) fn is_small(&self) -> bool {
        // The height is still 0 while it is computed from the width.
        self.size.height >= 1.0
            && (self.size.height < SMALL.height * self.zoom || self.size.width < SMALL.width * self.zoom)
    }

    /// Returns the height of the bands above and below.
    pub(crate) fn band(&self) -> f64 {
        let band = match (self.is_small(), self.is_low()) {
            (true, _) => SMALL_BAND,
            (false, true) => LOW_BAND,
            (false, false) => BAND,
        };
        self.zoom * band
    }

    /// Returns the height of the strip in the middle.
    pub(crate) fn strip(&self) -> f64 {
        let strip = match (self.is_small(), self.is_low()) {
            (true, _) => SMALL_BAND,
            (false, true) => LOW_STRIP,
            (false, false) => STRIP,
        };
        self.zoom * strip
    }

    /// Returns the height of a subcube's heading.
    pub(crate) fn head(&self) -> f64 {
        self.zoom * if self.is_low() { LOW_HEAD } else { HEAD }
    }

    /// Returns the distance of the middle of a subcube's name from the top of its frame.
    pub(crate) fn name_line(&self) -> f64 {
        HEAD / 2.0 + 1.0
    }

    /// Returns the maximum ratio of a cell's sides.
    fn stretch(&self) -> f64 {
        if self.is_low() { LOW_STRETCH } else { STRETCH }
    }

    /// Returns whether the picture is narrow, with more lines of legend and shorter texts.
    pub(crate) fn is_narrow(&self) -> bool {
        self.size.width < 620.0 * self.zoom
    }

    pub(crate) fn legend_height(&self) -> f64 {
        if self.is_small() {
            return 0.0;
        }
        LEGEND * self.zoom * if self.is_narrow() { 3.0 } else { 2.0 }
    }

    /// Returns the frame of a subcube, by the two lowest address bits. The lowest one, x1, is 1 in
    /// the lower row; x2 is 1 on the right.
    pub(crate) fn frame(&self, corner: u64) -> SquareFrame {
        let margin = MARGIN * self.zoom;
        let gap = (self.size.width * 0.03).clamp(8.0 * self.zoom, 36.0 * self.zoom);
        let width = (self.size.width - 2.0 * margin - gap) / 2.0;
        let height =
            ((self.size.height - 2.0 * self.band() - self.strip() - self.legend_height() - margin) / 2.0).max(1.0);
        SquareFrame {
            left: margin + if corner & 2 != 0 { width + gap } else { 0.0 },
            top: self.band() + if corner & 1 != 0 { height + self.strip() } else { 0.0 },
            width,
            height,
        }
    }

    /// Returns the distances between neighbouring columns and rows.
    pub(crate) fn steps(&self) -> Size {
        let (frame, (columns, rows)) = (self.frame(0), self.grid());
        let (padding, widest) = (PADDING * self.zoom, WIDEST * self.zoom);
        let x = ((frame.width - 2.0 * padding) / f64::from(columns)).min(widest);
        let y = ((frame.height - self.head() - padding) / f64::from(rows)).min(widest);
        Size::new(x.min(y * self.stretch()), y.min(x * self.stretch()))
    }

    /// Returns the smaller of the distances between neighbouring columns and rows.
    pub(crate) fn step(&self) -> f64 {
        let steps = self.steps();
        steps.width.min(steps.height)
    }

    /// Returns the radius of a node.
    pub fn radius(&self) -> f64 {
        (self.step() * 0.26).clamp(1.0, 12.0)
    }

    /// Returns the column and row of a node in its subcube.
    fn cell(&self, node: NodeId) -> (u32, u32) {
        let (columns, _) = self.grid();
        let inner = (node.0 >> 2) as u32;
        (rank(inner & (columns - 1)), rank(inner / columns))
    }

    /// Returns the node in a column and row of a subcube; `None` beyond its edges.
    fn node_in(&self, corner: u64, column: i64, row: i64) -> Option<NodeId> {
        let (columns, rows) = self.grid();
        let code =
            |place: i64, count: u32| u64::try_from(place).ok().filter(|&at| at < count.into()).map(|at| at ^ at >> 1);
        let inner = code(column, columns)? + code(row, rows)? * u64::from(columns);
        let node = NodeId(inner << 2 | corner);
        self.cube.contains(node).then_some(node)
    }

    /// Returns the centre of the first cell of a subcube.
    fn first(&self, corner: u64) -> Point {
        let (frame, (columns, rows), steps) = (self.frame(corner), self.grid(), self.steps());
        let start = |room: f64, count: u32, step: f64| (room - step * f64::from(count)) / 2.0 + step / 2.0;
        let down = start(frame.height - self.head() - PADDING * self.zoom, rows, steps.height);
        Point::new(frame.left + start(frame.width, columns, steps.width), frame.top + self.head() + down)
    }

    /// Returns the position of a node; `None` if it is not drawn.
    pub fn at(&self, node: NodeId) -> Option<Point> {
        (self.is_drawn() && self.cube.contains(node)).then(|| {
            let (first, (column, row), steps) = (self.first(node.0 & 3), self.cell(node), self.steps());
            Point::new(first.x + steps.width * f64::from(column), first.y + steps.height * f64::from(row))
        })
    }

    /// Returns the node at a point, within the reach of a finger (`touch`) or a pointer.
    pub fn hit(&self, point: Point, touch: bool) -> Option<NodeId> {
        let reach = (self.radius() + if touch { 9.0 } else { 3.0 }).max(self.step() * 0.5);
        let near = |corner: u64| {
            let (off, steps) = (point - self.first(corner), self.steps());
            let (column, row) = ((off.x / steps.width).round(), (off.y / steps.height).round());
            let (dx, dy) = (off.x - column * steps.width, off.y - row * steps.height);
            let node = self.node_in(corner, column as i64, row as i64)?;
            (dx * dx + dy * dy <= reach * reach).then_some(node)
        };
        (0..4).filter(|_| self.is_drawn()).find_map(near)
    }

    /// Returns the neighbouring node, `right` steps to the right and `down` steps down; `node`
    /// itself at the edge of the picture.
    pub fn toward(&self, node: NodeId, (right, down): (i8, i8)) -> NodeId {
        let ((columns, rows), (column, row)) = (self.grid(), self.cell(node));
        let go = |place: u32, count: u32, side: u64, step: i8| {
            let all = i64::from(place) + if side == 0 { 0 } else { i64::from(count) } + i64::from(step);
            let last = if all >= i64::from(count) { 1 } else { 0 };
            (all - last * i64::from(count), last as u64)
        };
        let (column, x2) = go(column, columns, node.0 & 2, right);
        let (row, x1) = go(row, rows, node.0 & 1, down);
        self.node_in(x1 | x2 << 1, column, row).unwrap_or(node)
    }

    /// Returns the line of a channel, from the edge of one node to the edge of the other, shifted
    /// to the right. The line bends around nodes in between; it is empty if the channel is not
    /// drawn.
    pub(crate) fn line(&self, link: Link) -> Vec<Point> {
        const PIECES: u32 = 12;
        let (Some(a), Some(b)) = (self.at(link.from), self.at(link.end())) else { return Vec::new() };
        let way = b - a;
        let length = way.length().max(1.0);
        let across = Point::new(way.x / length, way.y / length).turned_right();
        let (radius, step) = (self.radius(), self.step());
        let near = length <= step * self.stretch() * 1.01 && link.dim > 1;
        let bend = if near {
            0.0
        } else {
            (length * 0.1).clamp(step * 0.42, (step * 0.42).max((self.size.width * 0.04).min(34.0)))
        };
        let aside = (radius * 0.42).clamp(0.5, 3.6);
        let (start, end) = ((radius / length).min(0.3), 1.0 - ((radius + 1.5) / length).min(0.35));
        let bend = bend * self.side(link, a, b);
        let at = |t: f64| {
            let out = aside + bend * 4.0 * t * (1.0 - t);
            a + way * t + across * out
        };
        let pieces = if near { 1 } else { PIECES };
        (0..=pieces).map(|piece| at(start + (end - start) * f64::from(piece) / f64::from(pieces))).collect()
    }
}

impl SquaresPicture {
    /// Returns the side to which a channel's line bends. Where all channels are drawn, this is the
    /// right side, so that the two directions are apart; otherwise inwards, away from the labels
    /// outside.
    fn side(&self, link: Link, a: Point, b: Point) -> f64 {
        if self.cube.dimension() <= MAX_CHANNELS {
            return 1.0;
        }
        let (width, height) = (self.size.width, self.size.height - self.legend_height());
        let frame = self.frame(link.from.0 & 3);
        let center = match link.dim {
            0 | 1 => (width / 2.0, height / 2.0),
            _ => (frame.left + frame.width / 2.0, frame.top + frame.height / 2.0),
        };
        let inward = (center.0 * 2.0 - a.x - b.x, center.1 * 2.0 - a.y - b.y);
        let right = (a.y - b.y, b.x - a.x);
        if inward.0 * right.0 + inward.1 * right.1 < 0.0 { -1.0 } else { 1.0 }
    }
}

/// Returns the position of a code word in the Gray code.
fn rank(code: u32) -> u32 {
    (0..4).fold(code, |rank, step| rank ^ rank >> (1 << step))
}

/// Returns the name of a subcube: C and its x1 and x2.
pub fn corner_name(corner: u64) -> String {
    format!("C{}{}", corner & 1, corner >> 1 & 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_finds_nodes_where_drawn() {
        for n in 1..=12 {
            let cube = Hypercube::new(n).unwrap();
            for width in [340.0, 1200.0] {
                let picture = SquaresPicture::of_width(cube, width);
                for node in (0..=cube.mask()).map(NodeId) {
                    let at = picture.at(node).unwrap();
                    assert_eq!(picture.hit(at, false), Some(node), "{node} of {n} at {width}");
                    assert!(at.x > 0.0 && at.x < width && at.y > BAND && at.y < picture.size.height - BAND);
                }
            }
        }
        // In a picture as low as a figure in lecture notes, no node overlaps another one or lies
        // outside its frame.
        let low = SquaresPicture { cube: Hypercube::new(4).unwrap(), size: Size::new(320.0, 200.0), zoom: 1.0 };
        for node in (0..16).map(NodeId) {
            let (at, frame) = (low.at(node).unwrap(), low.frame(node.0 & 3));
            assert_eq!(low.hit(at, false), Some(node));
            assert!(at.y - low.radius() > frame.top && at.y + low.radius() < frame.top + frame.height, "{node}");
        }
        assert_eq!(SquaresPicture::of_width(Hypercube::new(13).unwrap(), 400.0).at(NodeId(0)), None);
    }

    #[test]
    fn neighbours_in_the_grid_are_neighbours_in_the_cube() {
        let cube = Hypercube::new(7).unwrap();
        let picture = SquaresPicture::of_width(cube, 700.0);
        for node in (0..=cube.mask()).map(NodeId) {
            for step in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let next = picture.toward(node, step);
                let far = (next.0 ^ node.0).count_ones();
                // A step from one subcube to the next leads to the opposite edge of its grid.
                assert!(next == node || (next.0 ^ node.0) & 3 != 0 || far == 1);
                assert!(next == node || picture.toward(next, (-step.0, -step.1)) == node);
            }
        }
        assert_eq!(corner_name(0b01), "C10");
    }
}
