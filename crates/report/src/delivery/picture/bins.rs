//! Area below the lowest drawn nodes of a fat-tree: collapsed subtrees, waiting messages, arrived
//! messages.

use super::painter::DeliveryPainter;
use super::tree_layout::TRIANGLE;
use crate::delivery::channel_loads;
use crate::delivery::channel_loads::SubtreeCounts;
use crate::picture::geometry::{Point, text_width};
use crate::picture::layers::LineBatches;
use crate::picture::scene::{Anchor, Role, Shape};

/// Height of the bars.
const BAR: f64 = 24.0;
/// Font size of the numbers on the bars.
const SIZE: f64 = 10.0;

/// Draws the area below the lowest nodes.
pub(crate) fn draw(painter: &mut DeliveryPainter<'_>) {
    let picture = painter.picture;
    let floor = picture.floor();
    let Some(watched) = painter.watch.series.get(painter.index) else { return };
    let bins = channel_loads::bins(watched, floor);
    let most = bins.iter().map(|bin| bin.sends.max(bin.receives)).max().unwrap_or(0).max(1);
    let spacing = picture.spacing(floor);
    let width = (0.34 * spacing).min(11.0);
    let mut lines = LineBatches::default();
    if floor > 0 {
        triangles(painter, &mut lines);
    }
    let base = base_line(painter);
    for (node, bin) in (0..).zip(&bins) {
        let x = picture.at(floor, node).x;
        let high = |count: u32| base - BAR * f64::from(count) / f64::from(most);
        let mut from = 0;
        for (pile, count) in [
            (MessageState::Lost, bin.lost),
            (MessageState::Waiting, bin.waiting - bin.lost - bin.cut_off),
            (MessageState::CutOff, bin.cut_off),
        ] {
            painter.pile(pile, x - 0.6 * width, high(from), high(from + count), width);
            from += count;
        }
        painter.pile(MessageState::Arrived, x + 0.6 * width, base, high(bin.arrived), width);
    }
    let edge = spacing / 2.0;
    let (first, last) = (picture.at(floor, 0).x - edge, picture.at(floor, bins.len() as u32 - 1).x + edge);
    lines.add(Role::Link, 1.0, 1.0, &[Point::new(first, base + 0.5), Point::new(last, base + 0.5)]);
    painter.draw_without_caps(lines);
    numbers(painter, &bins, base);
}

/// State of messages in a bar, distinguished by fill pattern as well as by colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageState {
    /// Waiting: hollow, or thin.
    Waiting,
    /// Lost in the watched cycle: striped.
    Lost,
    /// Cut off by dead wires: dotted, with a cross if there is space.
    CutOff,
    /// Arrived: filled.
    Arrived,
}

impl DeliveryPainter<'_> {
    /// Draws a bar from one height to another.
    pub(crate) fn pile(&mut self, pile: MessageState, x: f64, from: f64, to: f64, width: f64) {
        if from == to {
            return;
        }
        let line = vec![Point::new(x, from), Point::new(x, to)];
        match pile {
            MessageState::Waiting if width >= 4.0 => {
                let (half, low, top) = (width / 2.0 - 0.6, from - 0.6, to + 0.6);
                let frame = [(-half, low), (-half, top), (half, top), (half, low), (-half, low)];
                let frame = frame.map(|(aside, y)| Point::new(x + aside, y)).to_vec();
                self.line(frame, Role::Idle, 1.2, &[], 1.0);
            }
            MessageState::Waiting => self.line(line, Role::Idle, (0.5 * width).max(0.6), &[], 1.0),
            MessageState::Lost => self.line(line, Role::Fault, width, &[2.4, 1.4], 1.0),
            MessageState::CutOff => {
                self.line(line, Role::Fault, 1.4, &[1.5, 2.0], 1.0);
                if width >= 4.0 {
                    let at = Point::new(x, (from + to) / 2.0);
                    self.shapes.push(Shape::Cross { at, radius: (0.6 * width).min(4.0), role: Role::Fault });
                }
            }
            MessageState::Arrived => self.line(line, Role::Done, width, &[], 1.0),
        }
    }
}

/// Returns the y of the bars' base line.
pub(crate) fn base_line(painter: &DeliveryPainter<'_>) -> f64 {
    let floor = painter.picture.floor();
    let above = if floor > 0 { TRIANGLE } else { 2.0 };
    painter.picture.at(floor, 0).y + above + BAR + 4.0
}

/// Adds the collapsed subtrees.
pub(crate) fn triangles(painter: &DeliveryPainter<'_>, lines: &mut LineBatches) {
    let picture = painter.picture;
    let floor = picture.floor();
    let half = 0.46 * picture.spacing(floor);
    for node in 0..picture.channels.nodes_at(floor) {
        let Point { x, y } = picture.at(floor, node);
        let base = y + TRIANGLE;
        lines.add(
            Role::Idle,
            1.2,
            1.0,
            &[Point::new(x, y), Point::new(x - half, base), Point::new(x + half, base), Point::new(x, y)],
        );
    }
}

/// Writes the numbers of waiting and arrived messages, if they fit.
fn numbers(painter: &mut DeliveryPainter<'_>, bins: &[SubtreeCounts], base: f64) {
    let picture = painter.picture;
    let floor = picture.floor();
    let longest = |of: fn(&SubtreeCounts) -> u32| bins.iter().map(of).max().unwrap_or(0).to_string();
    let wide = text_width(&longest(|bin| bin.sends), SIZE).max(text_width(&longest(|bin| bin.receives), SIZE));
    let spacing = picture.spacing(floor);
    if wide + 2.0 > spacing || picture.is_low() {
        return;
    }
    for (node, bin) in (0..).zip(bins) {
        let x = picture.at(floor, node).x;
        let mut said = |count: u32, role: Role, y: f64| {
            if count > 0 {
                painter.text(Point::new(x, y), Anchor::Middle, role, SIZE, count.to_string());
            }
        };
        said(bin.waiting, if bin.lost + bin.cut_off > 0 { Role::Fault } else { Role::Soft }, base + 8.0);
        said(bin.arrived, Role::Done, base + 19.0);
    }
}
