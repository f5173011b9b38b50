//! Legend of the square of subcubes, with the shapes that occur.

use super::congestion::{STEPS, alpha, width};
use super::painter::{NodeKind, PermutationPainter, dot, has_ranks, phase_look};
use super::subcube_layout::{LEGEND, MAX_CHANNELS};
use crate::picture::geometry::{Point, text_width};
use crate::picture::layers::LineBatches;
use crate::picture::scene::{Anchor, Role};
use faultlab_core::routing::oblivious::{ObliviousPhase, ObliviousRoute};
use faultlab_core::switching::StaticCongestion;

/// Left edge of the legend.
const LEFT: f64 = 12.0;
/// Font size of the legend.
const SIZE: f64 = 11.0;

/// Draws the legend below the picture.
pub(crate) fn draw(painter: &mut PermutationPainter<'_>) {
    if painter.picture.legend_height() == 0.0 {
        return;
    }
    let mut at = Point::new(LEFT, painter.picture.size.height - painter.picture.legend_height() + LEGEND / 2.0);
    let narrow = painter.picture.is_narrow();
    if painter.picture.is_drawn() {
        kinds(painter, &mut at, narrow);
        if let Some(paths) = painter.shown.heat {
            scale(painter, &mut at, paths);
        }
        if painter.shown.batch.is_some() {
            batch(painter, &mut at);
        }
    }
    if let Some(shown) = painter.shown.route.filter(|_| painter.picture.is_drawn()) {
        at = Point::new(LEFT, at.y + LEGEND);
        phases(painter, &mut at, shown.route, narrow);
    }
}

/// Moves to the next line if an entry of width `width` does not fit.
fn break_line(painter: &PermutationPainter<'_>, at: &mut Point, width: f64) {
    if at.x > LEFT && at.x + width > painter.picture.size.width - 6.0 {
        *at = Point::new(LEFT, at.y + LEGEND);
    }
}

fn kinds(painter: &mut PermutationPainter<'_>, at: &mut Point, narrow: bool) {
    let kinds = [
        (NodeKind::Active, "active", "active"),
        (NodeKind::Inactive, "inactive", "inactive: too many faulty paths"),
        (NodeKind::Marked, "marked", "marked: in a square with a fault"),
        (NodeKind::Faulty, "faulty", "faulty"),
    ];
    for (kind, short, long) in kinds {
        let is = |node| NodeKind::from_node(painter.instance, painter.series, node) == kind;
        if !painter.nodes_of_cube().any(is) {
            continue;
        }
        let text = if narrow { short } else { long };
        let width = 14.0 + text_width(text, SIZE);
        break_line(painter, at, width);
        let mut lines = LineBatches::default();
        let radius = painter.picture.radius().clamp(2.4, 5.0);
        painter.node(kind, Point::new(at.x + 4.0, at.y), radius, &mut lines);
        lines.finish(&mut painter.shapes);
        painter.text(Point::new(at.x + 13.0, at.y), Anchor::Start, Role::Soft, SIZE, text.to_owned());
        at.x += width + 14.0;
    }
    if painter.instance.faulty.has_faulty_links() && painter.picture.cube.dimension() <= MAX_CHANNELS {
        sample(painter, at, (Role::Fault, 1.0, &[3.0, 3.0]), "faulty link");
    }
}

/// Draws the scale of the congestion: its steps, from 0 to the maximum.
fn scale(painter: &mut PermutationPainter<'_>, at: &mut Point, paths: &StaticCongestion) {
    let small = painter.picture.cube.dimension() <= MAX_CHANNELS;
    let what = match (small, painter.picture.is_narrow()) {
        (true, _) => "messages on a channel",
        (false, true) => "messages on the busiest channel",
        (false, false) => "messages on a node's busiest channel",
    };
    let text = format!("{} {what}", paths.max_congestion());
    let each = 20.0;
    let total = 16.0 + each * f64::from(STEPS) + 6.0 + text_width(&text, 11.0);
    break_line(painter, at, total);
    painter.text(*at, Anchor::Start, Role::Soft, 11.0, "0".into());
    let role = Role::Series(painter.shown.series);
    let mut lines = LineBatches::default();
    for step in 1..=STEPS {
        let level = f64::from(step) / f64::from(STEPS);
        let x = at.x + 14.0 + each * (f64::from(step) - 1.0);
        let line = if small {
            [Point::new(x, at.y), Point::new(x + each - 6.0, at.y)]
        } else {
            dot(Point::new(x + 6.0, at.y))
        };
        lines.add(role, width(painter, level).min(13.0), alpha(level), &line);
    }
    lines.finish(&mut painter.shapes);
    painter.text(Point::new(at.x + 14.0 + each * f64::from(STEPS), at.y), Anchor::Start, Role::Soft, 11.0, text);
    at.x += total + 6.0;
}

/// Draws a sample of a line, and its meaning.
fn sample(painter: &mut PermutationPainter<'_>, at: &mut Point, line: (Role, f64, &[f64]), text: &str) {
    let width = 32.0 + text_width(text, SIZE);
    break_line(painter, at, width);
    let points = vec![*at, Point::new(at.x + 26.0, at.y)];
    painter.line(points, line.0, line.1, line.2, 1.0);
    painter.text(Point::new(at.x + 31.0, at.y), Anchor::Start, Role::Soft, SIZE, text.to_owned());
    at.x += width + 12.0;
}

/// Draws the lines of the phases of a route.
fn phases(painter: &mut PermutationPainter<'_>, at: &mut Point, route: &ObliviousRoute, narrow: bool) {
    let squares = painter.trial.is_some_and(has_ranks);
    if narrow && route.hops().next().is_some() {
        painter.text(*at, Anchor::Start, Role::Soft, SIZE, "phases".into());
        at.x += 46.0;
    }
    let mut last = None;
    for hop in route.hops() {
        if last.replace(hop.phase) == Some(hop.phase) {
            continue;
        }
        let (dash, weight) = phase_look(hop.phase);
        let text = short(hop.phase, squares);
        let text = if narrow { text.0 } else { text.1 };
        sample(painter, at, (Role::Ink, 2.0 * weight, dash), text);
    }
}

/// Returns a short and a longer name of a phase.
fn short(phase: ObliviousPhase, squares: bool) -> (&'static str, &'static str) {
    use ObliviousPhase as Phase;
    match phase {
        Phase::Direct => ("direct", "bit-fixing"),
        Phase::Clockwise => ("1", "1 clockwise to C00"),
        Phase::ToIntermediate if squares => ("2", "2 to the intermediate node"),
        Phase::ToIntermediate => ("1", "1 to the intermediate node"),
        Phase::Crossing => ("3", "3 over to C01"),
        Phase::FromIntermediate if squares => ("4", "4 to the destination's square"),
        Phase::FromIntermediate => ("2", "2 to the destination"),
        Phase::CounterClockwise => ("5", "5 counter-clockwise"),
        Phase::Approach => ("approach", "to the healthy subcube"),
        Phase::Inside => ("inside", "inside the subcube"),
        Phase::Leave => ("leave", "to the destination"),
    }
}

/// Draws the marks of a batch.
fn batch(painter: &mut PermutationPainter<'_>, at: &mut Point) {
    sample(painter, at, (Role::Series(0), 2.4, &[]), "held");
    sample(painter, at, (Role::Ink, 1.6, &[4.0, 3.0]), "requested");
    break_line(painter, at, 60.0);
    let mut lines = LineBatches::default();
    lines.add(Role::Done, 6.0, 1.0, &dot(Point::new(at.x + 4.0, at.y)));
    lines.finish(&mut painter.shapes);
    painter.text(Point::new(at.x + 13.0, at.y), Anchor::Start, Role::Soft, SIZE, "arrived".into());
    at.x += 70.0;
}
