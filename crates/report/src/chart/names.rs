//! Names of curves: beside their ends, or above the plot where there is no space beside it.

use plotters::prelude::*;

use super::backend::{Area, Dashed, Drawn, RIGHT, in_units, stroke, words};
use super::figure::{Curve, Figure, Kind};
use super::frame::{self, BELOW};
use super::look::dashes;
use super::marker::marker;
use crate::picture::geometry::Point;

/// Draws the names of the curves whose ends are at these pixels. The legend of plotters is
/// unsuitable: its box hides curves, and it measures text in the page's document, which neither
/// workers nor Node.js have.
pub(crate) fn draw_names(
    area: &Area<'_>,
    figure: &Figure,
    mut ends: Vec<(usize, Point)>,
    (width, height): (f64, f64),
) -> Drawn {
    if figure.unnamed {
        return Ok(());
    }
    if frame::is_narrow(width) {
        ends = frame::above(figure, (width, height));
    } else {
        push_apart(&mut ends, 16.0, height - BELOW.0 - BELOW.1 + 4.0);
        ends.iter_mut().for_each(|end| end.1.0 = width - 158.0);
    }
    for (index, at) in ends {
        if let Some(curve) = figure.curves.get(index) {
            draw_name(area, curve, at)?;
        }
    }
    Ok(())
}

/// Moves overlapping names down, and then those below `lowest` up again, from the last to the
/// first.
fn push_apart(ends: &mut [(usize, Point)], apart: f64, lowest: f64) {
    ends.sort_by(|a, b| a.1.1.total_cmp(&b.1.1).then(a.0.cmp(&b.0)));
    let mut before = f64::NEG_INFINITY;
    for (_, (_, y)) in ends.iter_mut() {
        *y = y.max(before + apart);
        before = *y;
    }
    let mut highest = lowest;
    for (_, (_, y)) in ends.iter_mut().rev() {
        *y = y.min(highest);
        highest = *y - apart;
    }
}

/// Draws one name, and before it a piece of its curve.
fn draw_name(area: &Area<'_>, curve: &Curve, (x, y): Point) -> Drawn {
    area.draw(&Text::new(curve.name.clone(), in_units((x, y)), words(12.5, curve.role, RIGHT)))?;
    if curve.kind != Kind::Published {
        let points = vec![in_units((x - 26.0, y)), in_units((x - 6.0, y))];
        area.draw(&Dashed { points, style: stroke(curve.role, 1.0, 2.0), dash: dashes(curve.dash) })?;
    }
    area.draw(&marker(curve, in_units((x - 16.0, y))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_overlap_are_pushed_apart() {
        let mut ends = vec![(0, (0.0, 10.0)), (1, (0.0, 95.0)), (2, (0.0, 12.0)), (3, (0.0, 96.0))];
        push_apart(&mut ends, 16.0, 100.0);
        assert_eq!(ends, [(0, (0.0, 10.0)), (2, (0.0, 26.0)), (1, (0.0, 84.0)), (3, (0.0, 100.0))]);
    }
}
