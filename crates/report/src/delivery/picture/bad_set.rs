//! Picture of the construction of Theorem 9's bad set: the examined subtree, its quarters, the
//! number of messages that each quarter sent out of the root, and the assigned loads.

use super::bins::{base_line, triangles};
use super::painter::{DeliveryPainter, SIZE};
use crate::delivery::channel_loads;
use crate::picture::geometry::{Point, text_width};
use crate::picture::layers::LineBatches;
use crate::picture::scene::{Anchor, Role};
use faultlab_core::theory::fat_tree::{BadChoice, BadSet};

/// Height of the bars of loads.
const BAR: f64 = 24.0;

/// Draws the tree without the traffic of a cycle, and the construction after step number `step`,
/// from 0.
pub(crate) fn draw(painter: &mut DeliveryPainter<'_>, bad: &BadSet, step: usize) {
    let Some(choice) = bad.choices.get(step.min(bad.choices.len().saturating_sub(1))).copied() else { return };
    let picture = painter.picture;
    for height in picture.heights().rev() {
        for place in picture.places(height).filter(|place| !place.down) {
            let tally = channel_loads::channel(painter.run, place);
            painter.draw_empty_channel(place, tally);
        }
    }
    painter.nodes();
    let is_last = step + 1 >= bad.choices.len();
    loads(painter, bad, choice, is_last);
    quarters(painter, choice);
    draw_explanation(painter, choice, is_last);
}

/// Draws the messages assigned to the processors so far.
fn loads(painter: &mut DeliveryPainter<'_>, bad: &BadSet, choice: BadChoice, is_last: bool) {
    let picture = painter.picture;
    let (floor, quarter) = (picture.floor(), choice.size / 4);
    let first = choice.first + u32::from(choice.unfavored) * quarter;
    let mut given = vec![0u32; picture.channels.nodes_at(floor) as usize];
    for &[from, _] in bad.messages.ends() {
        if is_last || !(first..first + quarter).contains(&from) {
            given[picture.channels.node_above(floor, from) as usize] += 1;
        }
    }
    let most = given.iter().copied().max().unwrap_or(0).max(1);
    let (base, width) = (base_line(painter), (0.6 * picture.spacing(floor)).min(16.0));
    let mut lines = LineBatches::default();
    if floor > 0 {
        triangles(painter, &mut lines);
    }
    for (node, &count) in (0..).zip(&given).filter(|(_, count)| **count > 0) {
        let x = picture.at(floor, node).x;
        let high = BAR * f64::from(count) / f64::from(most);
        lines.add(Role::Series(painter.index as u8), width, 0.8, &[Point::new(x, base), Point::new(x, base - high)]);
    }
    painter.draw_without_caps(lines);
    let fits = text_width(&most.to_string(), SIZE) + 2.0 <= picture.spacing(floor);
    for (node, &count) in (0..).zip(&given).filter(|(_, count)| fits && **count > 0) {
        let x = picture.at(floor, node).x;
        painter.text(Point::new(x, base + 8.0), Anchor::Middle, Role::Soft, SIZE, count.to_string());
    }
}

/// Draws the brackets of the examined subtree's quarters, with the number of messages that each
/// quarter sent out of the root.
fn quarters(painter: &mut DeliveryPainter<'_>, choice: BadChoice) {
    let picture = painter.picture;
    let y = base_line(painter) + 18.0;
    let edge = |processor: u32| picture.left() + f64::from(processor) * picture.spacing(0);
    let quarter = choice.size / 4;
    for number in 0..4 {
        let first = choice.first + number * quarter;
        let (left, right) = (edge(first) + 1.0, edge(first + quarter) - 1.0);
        let chosen = number == u32::from(choice.unfavored);
        let (role, width) = if chosen { (Role::Trap, 4.0) } else { (Role::Ink, 1.6) };
        painter.line(
            vec![
                Point::new(left, y - 4.0),
                Point::new(left, y),
                Point::new(right.max(left + 1.0), y),
                Point::new(right.max(left + 1.0), y - 4.0),
            ],
            role,
            width,
            &[],
            1.0,
        );
        let out = choice.removed[number as usize];
        let texts =
            [format!("{out} out{}", if chosen { ": fewest" } else { "" }), format!("{out} out"), out.to_string()];
        if let Some(text) = texts.into_iter().find(|text| text_width(text, SIZE) < right - left) {
            painter.text(Point::new((left + right) / 2.0, y + 9.0), Anchor::Middle, role, SIZE, text);
        }
    }
}

/// Writes the explanation below the picture.
fn draw_explanation(painter: &mut DeliveryPainter<'_>, choice: BadChoice, is_last: bool) {
    if painter.picture.is_low() {
        return;
    }
    let y = painter.picture.size.height - painter.picture.legend_height() + 12.0;
    let next = if is_last { "the last quarter gets lambda" } else { "next: the quarter with fewest out" };
    let mut lines = [
        format!("{} cycles of GREEDY; brackets: messages out", choice.cycles),
        format!("bars: assigned loads; {next}"),
    ];
    if !painter.picture.is_narrow() {
        lines[0] = format!("{} cycles of GREEDY; below the brackets: messages out of each quarter", choice.cycles);
    }
    for (line, text) in lines.into_iter().enumerate() {
        painter.text(Point::new(8.0, y + 16.0 * line as f64), Anchor::Start, Role::Soft, SIZE, text);
    }
}
