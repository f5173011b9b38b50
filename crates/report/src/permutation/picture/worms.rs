//! Picture of a batch of worms on the square of subcubes: holders of channels, waiting headers, and
//! the cyclic wait of a deadlock.

use super::painter::{BatchAtCycle, PermutationPainter, arrow, dot, part};
use super::subcube_layout::MAX_CHANNELS;
use crate::permutation::batch_state::{BatchState, Holders, state};
use crate::picture::layers::LineBatches;
use crate::picture::scene::{Anchor, Role, Shape};
use faultlab_core::switching::{BatchOutcome, BatchWait};
use faultlab_core::topology::Link;
use faultlab_experiment::PermutationTrial;

/// Number of colours of messages.
const COLORS: u32 = 7;

/// Draws the current state of the batch.
pub(crate) fn draw(painter: &mut PermutationPainter<'_>, trial: &PermutationTrial, shown: BatchAtCycle<'_>) {
    let circle = match shown.batch.outcome() {
        Some(BatchOutcome::Deadlock(circle)) => circle.as_slice(),
        _ => &[],
    };
    let followed = shown.followed.and_then(|number| shown.numbers.batch_index(number));
    draw_held_channels(painter, shown, !circle.is_empty() || followed.is_some());
    headers(painter, trial, shown, circle);
    if let Some(place) = followed {
        draw_followed(painter, trial, shown, place);
    }
    draw_wait_cycle(painter, shown, circle);
}

fn line_width(painter: &PermutationPainter<'_>) -> f64 {
    (painter.picture.radius() * 0.45).clamp(0.9, 3.4)
}

/// Draws every held channel, in the colour of its message.
fn draw_held_channels(painter: &mut PermutationPainter<'_>, shown: BatchAtCycle<'_>, stands_back: bool) {
    let small = painter.picture.cube.dimension() <= MAX_CHANNELS;
    let (mut lines, width) = (LineBatches::default(), line_width(painter) * if small { 1.0 } else { 0.6 });
    let alpha = match (small, stands_back) {
        (true, false) => 0.9,
        (true, true) | (false, false) => 0.5,
        (false, true) => 0.22,
    };
    for place in 0..shown.batch.finished().len() as u32 {
        let role = Role::Series((place % COLORS) as u8);
        for link in shown.batch.held_channels(place) {
            lines.add(role, width, alpha, &painter.picture.line(link));
        }
    }
    lines.finish(&mut painter.shapes);
}

/// Draws a short arrow for each header that waits for a held channel, and a dot for each message
/// that has arrived.
fn headers(
    painter: &mut PermutationPainter<'_>,
    trial: &PermutationTrial,
    shown: BatchAtCycle<'_>,
    circle: &[BatchWait],
) {
    let holders = Holders::new(painter.picture.cube, shown.batch);
    let (mut lines, radius) = (LineBatches::default(), painter.picture.radius());
    let width = (line_width(painter) * 0.6).max(0.7);
    for place in 0..shown.batch.finished().len() as u32 {
        let Some(route) = shown.numbers.route(trial, shown.batch, place) else { continue };
        match state(shown.batch, place, &route) {
            BatchState::OnTheWay(_, wants) if holders.holder(wants).is_some() => {
                if circle.iter().any(|wait| wait.message == place) {
                    continue;
                }
                let mut line = painter.picture.line(wants);
                let length: f64 = line.windows(2).map(|ends| (ends[0] - ends[1]).length()).sum();
                part(&mut line, painter.picture.step() * 0.45 / length.max(1.0));
                lines.add(Role::Ink, width, 0.8, &line);
                lines.add(Role::Ink, width, 0.8, &arrow(&line, width + 1.0));
            }
            BatchState::Arrived(_) => {
                if let Some(at) = painter.picture.at(route.to()) {
                    lines.add(Role::Done, radius * 0.8, 1.0, &dot(at));
                }
            }
            _ => {}
        }
    }
    lines.finish(&mut painter.shapes);
}

/// Draws the followed message: the channels that it holds, emphasised, and the channel that it
/// requests, dashed.
fn draw_followed(painter: &mut PermutationPainter<'_>, trial: &PermutationTrial, shown: BatchAtCycle<'_>, place: u32) {
    let width = line_width(painter) * 1.4 + 0.8;
    let Some(route) = shown.numbers.route(trial, shown.batch, place) else { return };
    for link in shown.batch.held_channels(place) {
        let points = painter.picture.line(link);
        painter.line(points.clone(), Role::Paper, width + 3.0, &[], 0.9);
        painter.line(points, Role::Ink, width, &[], 1.0);
    }
    if let BatchState::OnTheWay(_, wants) = state(shown.batch, place, &route) {
        draw_requested_channel(painter, wants, Role::Ink, width);
    }
}

fn draw_requested_channel(painter: &mut PermutationPainter<'_>, link: Link, role: Role, width: f64) {
    let points = painter.picture.line(link);
    let wings = arrow(&points, width + 1.5);
    painter.line(wings, role, width * 0.6, &[], 1.0);
    painter.line(points, role, width * 0.7, &[width * 1.3, width * 1.1], 1.0);
}

/// Draws the cyclic wait: the channels that its messages hold, solid, and request, dashed, with the
/// messages' numbers.
fn draw_wait_cycle(painter: &mut PermutationPainter<'_>, shown: BatchAtCycle<'_>, circle: &[BatchWait]) {
    let width = line_width(painter) * 1.6 + 0.8;
    for wait in circle {
        for link in shown.batch.held_channels(wait.message) {
            let points = painter.picture.line(link);
            painter.line(points, Role::Trap, width, &[], 1.0);
        }
    }
    for wait in circle {
        // Requested channels are held too, so they are drawn above the held channels.
        let points = painter.picture.line(wait.wants);
        let wings = arrow(&points, width + 3.5);
        painter.line(points, Role::Paper, width * 0.5, &[width * 1.4, width * 1.4], 1.0);
        painter.line(wings, Role::Trap, width * 0.7, &[], 1.0);
    }
    for wait in circle {
        let Some(at) = painter.picture.at(wait.wants.from) else { continue };
        let text = shown.numbers.number(wait.message).unwrap_or(wait.message).to_string();
        let radius = 5.0 + 2.6 * text.len() as f64;
        painter.shapes.push(Shape::Disc { at, radius, fill: Role::Paper, stroke: Some((Role::Trap, 2.0)) });
        painter.text(at, Anchor::Middle, Role::Ink, 11.0, text);
    }
}
