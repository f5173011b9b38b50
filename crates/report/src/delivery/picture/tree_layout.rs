//! Layout of a picture of a fat-tree: the root on top, the processors at the bottom. Every channel
//! pair is two bands side by side, up on the left and down on the right. Subtrees that do not fit
//! are collapsed.

use crate::picture::geometry::{Point, Size};
use faultlab_core::topology::fat_tree::{ChannelLocation, TreeChannels};

/// Maximum number of processors drawn one by one.
const MAX_DRAWN: u32 = 256;

/// Minimum width of a processor, in pixels.
const LEAST: f64 = 4.0;
/// Minimum width of a collapsed subtree with its counts, in pixels.
const LEAST_COLLAPSED: f64 = 20.0;

/// Space above the root.
const TOP: f64 = 34.0;
/// Space above the root in a low picture.
const LOW_TOP: f64 = 14.0;
/// Length of the root's external channel.
const STUB: f64 = 24.0;
/// Length of the root's external channel in a low picture.
const LOW_STUB: f64 = 10.0;
/// Height of a collapsed subtree.
pub(crate) const TRIANGLE: f64 = 18.0;
/// Height of the area below the lowest drawn nodes, with waiting and arrived messages.
const BINS: f64 = 72.0;
/// Height of this area in a low picture, without the numbers of messages.
const LOW_BINS: f64 = 34.0;
/// Distance between neighbouring levels below which a picture is low: the channels need the space
/// of the legend.
const LOW_STEP: f64 = 26.0;
/// Right margin.
const RIGHT: f64 = 10.0;
/// Height of a line of the legend.
pub(crate) const LEGEND: f64 = 18.0;

/// Maximum width of the band of a single wire, in pixels.
const BASE: f64 = 3.4;
/// Increase in width of a band for each doubling of its wires, in pixels.
const SLOPE: f64 = 3.0;
/// Maximum width of a band, in pixels.
const WIDEST: f64 = 20.0;

/// Element of the picture that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeElement {
    /// Channel; on the second network one with all its wires, addressed as wire 0.
    Channel(ChannelLocation),
    /// Processor.
    Processor(u32),
}

/// Layout of a fat-tree's picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeLayout {
    /// Channels.
    pub channels: TreeChannels,
    /// Width and height in pixels.
    pub size: Size,
    /// Magnification, which the margins share.
    pub zoom: f64,
}

impl TreeLayout {
    /// Returns the layout for a width in pixels, with a suitable height.
    pub fn of_width(channels: TreeChannels, width: f64) -> Self {
        let mut picture = Self { channels, size: Size::new(width, 0.0), zoom: 1.0 };
        let levels = picture.levels();
        let step = (0.42 * width / levels).clamp(46.0, 92.0);
        picture.size.height = TOP + levels * step + BINS + picture.full_legend_height();
        picture
    }

    /// Returns the number of drawn distances between neighbouring levels.
    fn levels(&self) -> f64 {
        f64::from(self.channels.levels() - self.floor()).max(1.0)
    }

    /// Returns whether the picture is low, like a figure in lecture notes. Then it has no legend and
    /// no numbers.
    pub(crate) fn is_low(&self) -> bool {
        self.size.height < (TOP + self.levels() * LOW_STEP + BINS) * self.zoom + self.full_legend_height()
    }

    fn top(&self) -> f64 {
        self.zoom * if self.is_low() { LOW_TOP } else { TOP }
    }

    fn bins(&self) -> f64 {
        self.zoom * if self.is_low() { LOW_BINS } else { BINS }
    }

    /// Returns the length of the root's external channel.
    fn stub(&self) -> f64 {
        self.zoom * if self.is_low() { LOW_STUB } else { STUB }
    }

    /// Returns whether the picture is narrow, with more lines of legend and shorter texts.
    pub(crate) fn is_narrow(&self) -> bool {
        self.size.width < 620.0 * self.zoom
    }

    pub(crate) fn legend_height(&self) -> f64 {
        if self.is_low() { 0.0 } else { self.full_legend_height() }
    }

    fn full_legend_height(&self) -> f64 {
        LEGEND * self.zoom * if self.is_narrow() { 3.0 } else { 2.0 }
    }

    /// Returns the left edge of the tree; the levels are named beside it.
    pub(crate) fn left(&self) -> f64 {
        self.zoom * if self.is_narrow() { 26.0 } else { 84.0 }
    }

    /// Returns the height of the lowest drawn nodes: 0, or the height of the collapsed subtrees.
    pub fn floor(&self) -> u8 {
        let all = self.channels.processors();
        if f64::from(all) <= f64::from(MAX_DRAWN) * self.zoom && self.spacing(0) >= LEAST {
            return 0;
        }
        let top = self.channels.levels();
        (1..top).find(|&height| self.spacing(height) >= LEAST_COLLAPSED).unwrap_or(top)
    }

    /// Returns the number of children of a node.
    pub(crate) fn arity(&self) -> u32 {
        self.channels.children()
    }

    /// Returns the heights whose channels are drawn, from the lowest.
    pub(crate) fn heights(&self) -> std::ops::Range<u8> {
        self.floor()..self.channels.levels() + u8::from(self.channels.has_external_channels())
    }

    /// Returns the distance between neighbouring nodes of one height.
    pub(crate) fn spacing(&self, height: u8) -> f64 {
        (self.size.width - self.left() - RIGHT * self.zoom) / f64::from(self.channels.nodes_at(height).max(1))
    }

    /// Returns the distance between neighbouring levels.
    pub(crate) fn step(&self) -> f64 {
        ((self.size.height - self.top() - self.bins() - self.legend_height()) / self.levels()).max(1.0)
    }

    /// Returns the centre of a node.
    pub(crate) fn at(&self, height: u8, node: u32) -> Point {
        let down = f64::from(self.channels.levels().saturating_sub(height.max(self.floor())));
        Point::new(self.left() + (f64::from(node) + 0.5) * self.spacing(height), self.top() + down * self.step())
    }

    /// Returns the width of a band at `height`: more for each doubling of its wires, and never more
    /// than fits.
    pub(crate) fn width(&self, height: u8) -> f64 {
        let floor = self.floor();
        let most = |height| (0.4 * self.spacing(height)).min(WIDEST);
        let doublings = |height| libm::log2(f64::from(self.channels.wires_at(height).max(1)));
        let base = most(floor).min(BASE);
        let fits = |height: u8| ((most(height) - base) / doublings(height).max(1.0)).max(0.2);
        let slope = (floor..self.channels.levels()).map(fits).fold(SLOPE, f64::min);
        (base + slope * (doublings(height) - doublings(floor))).min(most(height)).max(0.8)
    }

    /// Returns the distance of a band's middle from the middle of its pair.
    pub(crate) fn aside(&self, height: u8) -> f64 {
        let width = self.width(height);
        (width + if width < 3.0 { 1.0 } else { 2.0 }) / 2.0
    }

    /// Returns half the length of a node.
    pub(crate) fn half_node(&self, height: u8) -> f64 {
        let pair = |height: u8| self.aside(height) + self.width(height) / 2.0;
        let below = if height > self.floor() { f64::from(self.arity()) * self.pitch(height - 1) / 2.0 } else { 0.0 };
        pair(height).max(below).min(0.38 * self.spacing(height))
    }

    /// Returns the distance between sibling pairs at their parent.
    fn pitch(&self, height: u8) -> f64 {
        2.0 * self.aside(height) + self.width(height) + 1.0
    }

    /// Returns the middle line of a band, from its lower node to its upper node.
    pub(crate) fn band(&self, place: ChannelLocation) -> Vec<Point> {
        const PIECES: u32 = 16;
        let ChannelLocation { height, node, down, .. } = place;
        let Point { x, y } = self.at(height, node);
        let aside = self.aside(height) * if down { 1.0 } else { -1.0 };
        if height >= self.channels.levels() {
            return vec![Point::new(x + aside, y), Point::new(x + aside, y - self.stub())];
        }
        let Point { x: parent, y: top } = self.at(height + 1, node / self.arity());
        let sibling = f64::from(node % self.arity()) - f64::from(self.arity() - 1) / 2.0;
        let to = parent + sibling * self.pitch(height);
        if (to - x).abs() < 3.0 {
            return vec![Point::new(x + aside, y), Point::new(to + aside, top)];
        }
        // First a straight vertical part, for labels and marks, then a curve that ends vertically
        // at the parent.
        let bend = y + 0.28 * (top - y);
        let pull = 0.5 + 0.35 * ((to - x).abs() / (y - top).max(1.0)).min(1.0);
        let (low, high) = (bend + pull * (top - bend), top + pull * (bend - top));
        let mut line = vec![Point::new(x + aside, y)];
        line.extend((0..=PIECES).map(|piece| {
            let t = f64::from(piece) / f64::from(PIECES);
            let ((across, dx), (down, dy)) = (curve([x, x, to, to], t), curve([bend, low, high, top], t));
            // Offset at right angles to the curve, so that the two bands stay apart where it is
            // flat.
            let length = libm::hypot(dx, dy).max(1e-9);
            Point::new(across - aside * dy / length, down + aside * dx / length)
        }));
        line
    }

    /// Returns the point on a band at which excess messages are marked.
    pub(crate) fn mark_point(&self, place: ChannelLocation) -> Point {
        let Point { x, y } = self.at(place.height, place.node);
        let room = if place.height < self.channels.levels() { self.step() } else { self.stub() };
        let up = (0.17 * room).max(4.0);
        Point::new(x + self.aside(place.height) * if place.down { 1.0 } else { -1.0 }, y - up)
    }

    /// Returns the position of a processor; in a collapsed subtree, on its base.
    pub(crate) fn leaf(&self, processor: u32) -> Point {
        let y = self.at(self.floor(), 0).y;
        let x = self.left() + (f64::from(processor) + 0.5) * self.spacing(0);
        Point::new(x, y + if self.floor() > 0 { TRIANGLE } else { 2.0 })
    }

    /// Returns the element at a point, within the reach of a finger (`touch`) or a pointer.
    pub fn hit(&self, point: Point, touch: bool) -> Option<TreeElement> {
        let (left, bottom) = (self.left(), self.at(self.floor(), 0).y);
        if point.y > bottom + 2.0 {
            let place = (point.x - left) / self.spacing(0);
            let inside =
                place >= 0.0 && place < f64::from(self.channels.processors()) && point.y < bottom + self.bins();
            return inside.then_some(TreeElement::Processor(place as u32));
        }
        let reach = if touch { 12.0 } else { 4.0 };
        let mut best: Option<(f64, ChannelLocation)> = None;
        for height in self.heights() {
            let low = self.at(height, 0).y;
            if point.y > low + reach || point.y < low - self.step() - reach {
                continue;
            }
            for place in self.places(height) {
                let off = (distance(point, &self.band(place)) - self.width(height) / 2.0).max(0.0);
                if off <= reach && best.is_none_or(|(other, _)| off < other) {
                    best = Some((off, place));
                }
            }
        }
        best.map(|(_, place)| TreeElement::Channel(place))
    }

    /// Iterates over the channels at `height`, without their wires.
    pub(crate) fn places(&self, height: u8) -> impl Iterator<Item = ChannelLocation> + use<> {
        let nodes = self.channels.nodes_at(height);
        (0..2 * nodes).map(move |number| ChannelLocation { height, node: number / 2, wire: 0, down: number % 2 == 1 })
    }

    /// Returns the neighbouring element, `right` steps to the right and `down` steps down; `spot`
    /// itself at the edge of the picture.
    pub fn toward(&self, spot: TreeElement, (right, down): (i8, i8)) -> TreeElement {
        let floor = self.floor();
        match spot {
            TreeElement::Processor(processor) if down < 0 => {
                let node = self.channels.node_above(floor, processor);
                TreeElement::Channel(ChannelLocation { height: floor, node, wire: 0, down: false })
            }
            TreeElement::Processor(processor) => {
                let next = processor.saturating_add_signed(right.into());
                TreeElement::Processor(next.min(self.channels.processors() - 1))
            }
            TreeElement::Channel(place) if down > 0 && place.height <= floor => {
                TreeElement::Processor(place.node * (self.channels.processors() / self.channels.nodes_at(place.height)))
            }
            TreeElement::Channel(place) => TreeElement::Channel(self.next_channel(place, (right, down))),
        }
    }

    fn next_channel(&self, place: ChannelLocation, (right, down): (i8, i8)) -> ChannelLocation {
        let ChannelLocation { height, node, .. } = place;
        if down > 0 {
            return ChannelLocation { height: height - 1, node: node * self.arity(), ..place };
        }
        if down < 0 {
            let up = ChannelLocation { height: height + 1, node: node / self.arity(), ..place };
            return if self.heights().contains(&up.height) { up } else { place };
        }
        let number = (2 * node + u32::from(place.down)).saturating_add_signed(right.into());
        let number = number.min(2 * self.channels.nodes_at(height) - 1);
        ChannelLocation { node: number / 2, down: number % 2 == 1, ..place }
    }
}

/// Returns a coordinate of a cubic curve, and its derivative.
fn curve([a, b, c, d]: [f64; 4], t: f64) -> (f64, f64) {
    let s = 1.0 - t;
    let at = s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d;
    (at, 3.0 * (s * s * (b - a) + 2.0 * s * t * (c - b) + t * t * (d - c)))
}

/// Returns the distance of a point from a line.
fn distance(Point { x, y }: Point, line: &[Point]) -> f64 {
    let to_piece = |ends: &[Point]| {
        let (a, b) = (ends[0], ends[1]);
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let t = (((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy).max(1e-9)).clamp(0.0, 1.0);
        libm::hypot(a.x + t * dx - x, a.y + t * dy - y)
    };
    line.windows(2).map(to_piece).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_core::topology::fat_tree::{FatTree, Profile, SecondNetwork};

    #[test]
    fn hit_finds_channels_and_processors_where_drawn() {
        let tree = |n| FatTree::new(n, &Profile::Standard).unwrap().channels();
        let second = SecondNetwork::new(64).unwrap().channels();
        let space = SecondNetwork::new_in_space(64).unwrap().channels();
        for channels in [tree(2), tree(8), tree(64), tree(4096), second, space] {
            for width in [360.0, 1200.0] {
                let picture = TreeLayout::of_width(channels, width);
                for place in picture.heights().flat_map(|height| picture.places(height)) {
                    let at = picture.mark_point(place);
                    assert!(at.x > 0.0 && at.x < width && at.y > 0.0 && at.y < picture.size.height);
                    assert_eq!(picture.hit(at, false), Some(TreeElement::Channel(place)), "{width}");
                }
                for processor in [0, channels.processors() - 1] {
                    let Point { x, y } = picture.leaf(processor);
                    assert_eq!(picture.hit(Point::new(x, y + 20.0), true), Some(TreeElement::Processor(processor)));
                }
            }
        }
    }

    #[test]
    fn low_picture_gives_legend_height_to_channels() {
        let channels = FatTree::new(64, &Profile::Standard).unwrap().channels();
        let low = TreeLayout { channels, size: Size::new(308.0, 162.0), zoom: 1.0 };
        assert!(low.is_low() && low.legend_height() == 0.0 && low.step() > 18.0, "{}", low.step());
        for place in low.heights().flat_map(|height| low.places(height)) {
            let at = low.mark_point(place);
            assert!(at.y > 0.0 && low.hit(at, false) == Some(TreeElement::Channel(place)), "{place:?}");
        }
        for width in [360.0, 1200.0] {
            assert!(!TreeLayout::of_width(channels, width).is_low());
        }
    }

    #[test]
    fn arrow_keys_reach_the_root_and_come_back() {
        let channels = FatTree::new(4096, &Profile::Standard).unwrap().channels();
        let picture = TreeLayout::of_width(channels, 1200.0);
        let mut spot = TreeElement::Processor(4095);
        for _ in 0..20 {
            spot = picture.toward(spot, (0, -1));
        }
        let root = ChannelLocation { height: 12, node: 0, wire: 0, down: false };
        assert_eq!(spot, TreeElement::Channel(root));
        for _ in 0..20 {
            spot = picture.toward(spot, (0, 1));
        }
        assert_eq!(spot, TreeElement::Processor(0));
        assert_eq!(picture.toward(spot, (1, 0)), TreeElement::Processor(1));
    }
}
