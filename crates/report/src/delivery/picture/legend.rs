//! Legend of a picture of a fat-tree.

use super::bins::MessageState;
use super::painter::{DEAD, DeliveryPainter, FREE, SIZE};
use super::tree_layout::LEGEND;
use crate::picture::geometry::{Point, text_width};
use crate::picture::scene::{Anchor, Role};

/// Left edge of the legend.
const LEFT: f64 = 8.0;

/// Draws the legend below the picture.
pub(crate) fn draw(painter: &mut DeliveryPainter<'_>) {
    if painter.picture.is_low() {
        return;
    }
    let mut at = Point::new(LEFT, painter.picture.size.height - painter.picture.legend_height() + LEGEND / 2.0);
    let narrow = painter.picture.is_narrow();
    let series = Role::Series(painter.index as u8);
    let filled: &[(Role, f64, &[f64])] = &[(Role::Link, 9.0, &[]), (series, 4.0, &[])];
    let words = match (painter.before, narrow) {
        (true, true) => "load per wire",
        (true, false) => "width: wires; filled: messages that must cross, per wire; left up, right down",
        (false, true) => "messages per wire",
        (false, false) => "width: wires; filled: messages of this cycle per wire; left up, right down",
    };
    entry(painter, &mut at, filled, words);
    if painter.before {
        entry(painter, &mut at, &[(Role::Ink, 2.0, &[])], "attains the load factor");
    } else {
        // The bar crosses the channel as in the picture.
        let text = if narrow { "over-subscribed, lost" } else { "over-subscribed: −lost" };
        let start = entry(painter, &mut at, &[(Role::Link, 9.0, &[])], text);
        let bar = [-8.0, 8.0].map(|y| start + Point::new(11.0, y)).to_vec();
        painter.line(bar, Role::Fault, 3.0, &[], 1.0);
    }
    if painter.watch.trial.live.is_some() {
        entry(painter, &mut at, &[(Role::Fault, 9.0, DEAD), (Role::Link, 4.0, &[])], "thinner: dead wires");
    }
    let cut_off = painter.run.undeliverable() > 0;
    let piles =
        [(MessageState::Waiting, "waiting"), (MessageState::Lost, "lost now"), (MessageState::Arrived, "arrived")];
    for (pile, text) in piles.into_iter().chain(cut_off.then_some((MessageState::CutOff, "cut off"))) {
        bar(painter, &mut at, pile, text);
    }
}

/// Moves to the next line if an entry of width `width` does not fit.
fn break_line(painter: &DeliveryPainter<'_>, at: &mut Point, width: f64) {
    if at.x > LEFT && at.x + width > painter.picture.size.width - 6.0 {
        *at = Point::new(LEFT, at.y + LEGEND);
    }
}

/// Draws an entry: a sample of lines over each other, and its meaning. Returns the start of the
/// sample.
fn entry(painter: &mut DeliveryPainter<'_>, at: &mut Point, lines: &[(Role, f64, &[f64])], text: &str) -> Point {
    let width = 30.0 + text_width(text, SIZE);
    break_line(painter, at, width);
    let start = *at;
    for &(role, weight, dash) in lines {
        let alpha = if role == Role::Link { FREE } else { 1.0 };
        painter.line(vec![start, Point::new(start.x + 22.0, start.y)], role, weight, dash, alpha);
    }
    painter.text(Point::new(start.x + 29.0, start.y), Anchor::Start, Role::Soft, SIZE, text.to_owned());
    at.x += width + 12.0;
    start
}

fn bar(painter: &mut DeliveryPainter<'_>, at: &mut Point, pile: MessageState, text: &str) {
    let width = 12.0 + text_width(text, SIZE);
    break_line(painter, at, width);
    painter.pile(pile, at.x + 3.0, at.y + 6.0, at.y - 6.0, 6.0);
    painter.text(Point::new(at.x + 11.0, at.y), Anchor::Start, Role::Soft, SIZE, text.to_owned());
    at.x += width + 10.0;
}
