//! Names of curves: beside their ends, or above the plot where there is no space beside it.

use plotters::prelude::*;

use super::backend::{Area, Dashed, DrawResult, RIGHT, in_units, stroke, text_style};
use super::curve_style::dashes;
use super::figure::{Curve, CurveStyle, Figure};
use super::frame::{self, BELOW};
use super::marker::marker;
use crate::picture::geometry::{Point, Size};

/// Draws the names of curves, whose numbers and end pixels are `ends`. The legend of plotters is
/// unsuitable: its box hides curves, and it measures text in a document, which neither workers nor
/// Node.js have.
pub(crate) fn draw_names(area: &Area<'_>, figure: &Figure, mut ends: Vec<(usize, Point)>, size: Size) -> DrawResult {
    if figure.unnamed {
        return Ok(());
    }
    if frame::is_narrow(size.width) {
        ends = frame::names_above_plot(figure, size);
    } else {
        push_apart(&mut ends, 16.0, size.height - BELOW.0 - BELOW.1 + 4.0);
        ends.iter_mut().for_each(|end| end.1.x = size.width - 158.0);
    }
    for (index, at) in ends {
        if let Some(curve) = figure.curves.get(index) {
            draw_name(area, curve, at)?;
        }
    }
    Ok(())
}

/// Moves overlapping names down, and then names below `lowest` up again, from the last to the
/// first.
fn push_apart(ends: &mut [(usize, Point)], apart: f64, lowest: f64) {
    ends.sort_by(|a, b| a.1.y.total_cmp(&b.1.y).then(a.0.cmp(&b.0)));
    let mut before = f64::NEG_INFINITY;
    for (_, at) in ends.iter_mut() {
        at.y = at.y.max(before + apart);
        before = at.y;
    }
    let mut highest = lowest;
    for (_, at) in ends.iter_mut().rev() {
        at.y = at.y.min(highest);
        highest = at.y - apart;
    }
}

/// Draws one name, and before it a piece of its curve.
fn draw_name(area: &Area<'_>, curve: &Curve, at: Point) -> DrawResult {
    let before = |distance: f64| in_units(Point::new(at.x - distance, at.y));
    area.draw(&Text::new(curve.name.clone(), in_units(at), text_style(12.5, curve.role, RIGHT)))?;
    if curve.kind != CurveStyle::Published {
        let points = vec![before(26.0), before(6.0)];
        area.draw(&Dashed { points, style: stroke(curve.role, 1.0, 2.0), dash: dashes(curve.dash) })?;
    }
    area.draw(&marker(curve, before(16.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_overlap_are_pushed_apart() {
        let end = |index: usize, y| (index, Point::new(0.0, y));
        let mut ends = vec![end(0, 10.0), end(1, 95.0), end(2, 12.0), end(3, 96.0)];
        push_apart(&mut ends, 16.0, 100.0);
        assert_eq!(ends, [end(0, 10.0), end(2, 26.0), end(1, 84.0), end(3, 100.0)]);
    }
}
