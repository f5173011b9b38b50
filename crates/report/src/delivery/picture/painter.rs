//! Painter shared by all parts of a fat-tree's picture.

use super::tree_layout::{TreeElement, TreeLayout};
use crate::delivery::channel_loads::ChannelCounts;
use crate::picture::geometry::Point;
use crate::picture::layers::LineBatches;
use crate::picture::scene::{Anchor, Role, Shape};
use faultlab_core::switching::delivery::DeliveryRun;
use faultlab_core::topology::fat_tree::ChannelLocation;
use faultlab_experiment::DeliveryWatch;

/// Font size.
pub(crate) const SIZE: f64 = 10.5;

/// Opacity of an unused channel. Unused channels are broad, but must not dominate the moving
/// messages.
pub(crate) const FREE: f64 = 0.55;

/// Dashes of dead wires.
pub(crate) const DEAD: &[f64] = &[1.5, 2.5];

/// View options of a tree.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeViewOptions {
    /// Number of the followed message.
    pub followed: Option<u32>,
    /// Element in focus.
    pub focus: Option<TreeElement>,
    /// Step of Theorem 9's construction that is shown instead of the cycle.
    pub bad_step: Option<usize>,
}

/// Algorithm in the watched cycle, and the shapes painted so far.
pub(crate) struct DeliveryPainter<'a> {
    pub(crate) watch: &'a DeliveryWatch,
    pub(crate) index: usize,
    pub(crate) run: &'a DeliveryRun,
    pub(crate) picture: &'a TreeLayout,
    pub(crate) shown: &'a TreeViewOptions,
    /// True before the first cycle, when the load of the whole set is shown.
    pub(crate) before: bool,
    pub(crate) shapes: Vec<Shape>,
}

impl DeliveryPainter<'_> {
    pub(crate) fn text(&mut self, at: Point, anchor: Anchor, role: Role, size: f64, text: String) {
        self.shapes.push(Shape::Text { at, anchor, role, size, text });
    }

    pub(crate) fn line(&mut self, points: Vec<Point>, role: Role, width: f64, dash: &[f64], alpha: f64) {
        self.shapes.push(Shape::Stroke { points, role, width, dash: dash.to_vec(), alpha });
    }

    /// Draws `lines` without round caps, which would lengthen them.
    pub(crate) fn draw_without_caps(&mut self, lines: LineBatches) {
        let mut shapes = Vec::new();
        lines.finish(&mut shapes);
        for shape in shapes {
            if let Shape::Mesh { lines, role, width, alpha } = shape {
                lines.into_iter().for_each(|points| self.line(points, role, width, &[], alpha));
            }
        }
    }

    /// Draws a channel without its load: as wide as its wires, with dead wires as outlines.
    pub(crate) fn draw_empty_channel(&mut self, place: ChannelLocation, tally: ChannelCounts) {
        let (line, width) = (self.picture.band(place), self.picture.width(place.height));
        if tally.live == 0 && tally.wires > 0 {
            self.line(line, Role::Fault, width.min(1.6), &[3.0, 3.0], 0.9);
            let at = self.picture.mark_point(place);
            if self.picture.spacing(place.height) < 14.0 {
                return;
            }
            self.shapes.push(Shape::Cross { at, radius: (width * 0.8).clamp(2.0, 5.0), role: Role::Fault });
            return;
        }
        let live = width * ratio(tally.live, tally.wires);
        if live < width {
            self.line(line.clone(), Role::Fault, width, DEAD, 0.75);
            self.line(line.clone(), Role::Paper, live.max(0.6), &[], 1.0);
        }
        let middle = match line.as_slice() {
            [a, b] => a.middle(*b),
            curve => curve.get(curve.len() / 2).copied().unwrap_or_default(),
        };
        self.line(line, Role::Link, live.max(0.6), &[], FREE);
        if live < width && self.picture.spacing(place.height) >= 14.0 {
            self.shapes.push(Shape::Cross { at: middle, radius: (width * 0.5).clamp(2.6, 4.0), role: Role::Fault });
            if self.picture.spacing(place.height) >= 90.0 {
                // The label is on the side away from the other children of the node's parent.
                let is_right = 2 * (place.node % self.picture.arity()) >= self.picture.arity();
                let (away, anchor) =
                    if is_right { (width / 2.0 + 6.0, Anchor::Start) } else { (-width / 2.0 - 6.0, Anchor::End) };
                let text = format!("{} dead", tally.wires - tally.live);
                self.text(Point::new(middle.x + away, middle.y - 9.0), anchor, Role::Fault, SIZE, text);
            }
        }
    }

    /// Writes a text beside a channel: left of up channels, right of down channels.
    pub(crate) fn beside(&mut self, place: ChannelLocation, role: Role, text: String) {
        let Point { x, y } = self.picture.mark_point(place);
        let away = self.picture.width(place.height) / 2.0 + 5.0;
        let (left, anchor) = if place.down { (x + away, Anchor::Start) } else { (x - away, Anchor::End) };
        self.text(Point::new(left, y), anchor, role, SIZE, text);
    }

    /// Draws the nodes over the ends of their channels.
    pub(crate) fn nodes(&mut self) {
        let picture = self.picture;
        for height in picture.floor()..=picture.channels.levels() {
            let half = picture.half_node(height);
            let width = if picture.spacing(height) < 14.0 { 1.6 } else { 3.0 };
            for node in 0..picture.channels.nodes_at(height) {
                let Point { x, y } = picture.at(height, node);
                self.line(vec![Point::new(x - half, y), Point::new(x + half, y)], Role::Ink, width, &[], 0.8);
            }
        }
    }
}

/// Returns the ratio of `part` to `all`; 0 if `all` is 0.
pub(crate) fn ratio(part: u32, all: u32) -> f64 {
    if all == 0 { 0.0 } else { f64::from(part) / f64::from(all) }
}
