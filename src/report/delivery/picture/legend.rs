//! What the shapes on a fat-tree mean.

use super::painter::{Painter, SIZE};
use super::tree::LEGEND;
use crate::report::picture::geometry::{Point, text_width};
use crate::report::picture::scene::{Anchor, Role};

/// The left edge.
const LEFT: f64 = 8.0;

/// Draws it below the picture.
pub(crate) fn draw(painter: &mut Painter<'_>) {
    let mut at = (LEFT, painter.picture.size.1 - painter.picture.legend_height() + LEGEND / 2.0);
    let narrow = painter.picture.is_narrow();
    let series = Role::Series(painter.index as u8);
    let filled: &[(Role, f64)] = &[(Role::Link, 9.0), (series, 4.0)];
    let words = match (painter.before, narrow) {
        (true, true) => "load per wire",
        (true, false) => "width: wires; filled: messages that must cross it, per wire; left up, right down",
        (false, true) => "messages per wire",
        (false, false) => "width: wires; filled: messages of this cycle per wire; left up, right down",
    };
    entry(painter, &mut at, filled, words);
    if painter.before {
        entry(painter, &mut at, &[(Role::Ink, 2.0)], "attains the load factor");
    } else {
        entry(
            painter,
            &mut at,
            &[(Role::Fault, 3.0)],
            if narrow { "over-subscribed, lost" } else { "over-subscribed: −lost" },
        );
    }
    if painter.watch.trial.live.is_some() {
        entry(painter, &mut at, &[(Role::Link, 4.0)], "thinner: dead wires");
    }
    for (role, text) in [(Role::Idle, "waiting"), (Role::Fault, "lost now"), (Role::Done, "arrived")] {
        bar(painter, &mut at, role, text);
    }
}

/// Makes room for an entry of this width: in this line, or the next.
fn room(painter: &Painter<'_>, at: &mut Point, width: f64) {
    if at.0 > LEFT && at.0 + width > painter.picture.size.0 - 6.0 {
        *at = (LEFT, at.1 + LEGEND);
    }
}

/// A sample of lines over each other, and what they mean.
fn entry(painter: &mut Painter<'_>, at: &mut Point, lines: &[(Role, f64)], text: &str) {
    let width = 28.0 + text_width(text, SIZE);
    room(painter, at, width);
    for &(role, weight) in lines {
        painter.line(vec![*at, (at.0 + 22.0, at.1)], role, weight, &[], 1.0);
    }
    painter.text((at.0 + 27.0, at.1), Anchor::Start, Role::Soft, SIZE, text.to_owned());
    at.0 += width + 12.0;
}

fn bar(painter: &mut Painter<'_>, at: &mut Point, role: Role, text: &str) {
    let width = 12.0 + text_width(text, SIZE);
    room(painter, at, width);
    painter.line(vec![(at.0 + 3.0, at.1 - 5.0), (at.0 + 3.0, at.1 + 5.0)], role, 6.0, &[], 1.0);
    painter.text((at.0 + 11.0, at.1), Anchor::Start, Role::Soft, SIZE, text.to_owned());
    at.0 += width + 10.0;
}
