//! Maps: a value for every node of a mesh, as squares.

use plotters::prelude::*;

use super::axis::Axis;
use super::backend::{Area, CENTERED, DrawResult, LEFT, RIGHT, SMALL, TITLE, in_units, stroke, text_style, units};
use super::figure::{Curve, Figure, Grid};
use super::map_grid::{self, MapPosition};
use crate::picture::geometry::{Point, Size, text_width};
use crate::picture::scene::Role;
use crate::wording::numbers::fixed;

/// Minimum side of a square that shows its value.
const MIN_LABELLED_SIDE: f64 = 27.0;

/// Space above a map for its name and the column numbers.
const ABOVE: f64 = 37.0;
/// Space left of a map for the row numbers.
const BEFORE: f64 = 26.0;
/// Half the distance of row and of column numbers from the map.
const LABEL_DISTANCE: (f64, f64) = (1.5, 3.0);

/// Width and height of the colour bar.
const BAR: (f64, f64) = (72.0, 9.0);
/// Opacity of the weakest and of the strongest colour. On the strongest, text has a contrast of at
/// least 4.5 in both themes.
const ALPHAS: (f64, f64) = (0.04, 0.48);

/// Number of shades of the colour bar.
const BAR_STEPS: u32 = 24;

/// Draws a map for every curve, whose x are node numbers. The farther a value is below the maximum,
/// the stronger its colour; all are weak if the intervals of minimum and maximum overlap.
pub(crate) fn draw(area: &Area<'_>, figure: &Figure, grid: Grid, size: Size) -> DrawResult {
    let (range, differs) = (range(figure), differs(figure));
    for (curve, place) in figure.curves.iter().zip(map_grid::places(figure.curves.len(), grid, size)) {
        Map { area, figure, grid, range, differs, place }.draw(curve, size)?;
    }
    Ok(())
}

/// Returns the minimum and the maximum value of all maps.
fn range(figure: &Figure) -> (f64, f64) {
    let values = figure.curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// Returns whether the intervals of the minimum and of the maximum value are disjoint, or unknown.
fn differs(figure: &Figure) -> bool {
    let points = || figure.curves.iter().flat_map(|curve| curve.points.iter().map(move |point| (curve, point)));
    let interval = |(curve, point): (&Curve, &(f64, f64))| {
        curve.intervals.iter().find(|(x, ..)| *x == point.0).map(|&(_, low, high)| (low, high))
    };
    let least = points().min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1)).and_then(interval);
    let most = points().max_by(|(_, a), (_, b)| a.1.total_cmp(&b.1)).and_then(interval);
    least.zip(most).is_none_or(|((_, least_high), (most_low, _))| least_high < most_low)
}

/// Map at its position.
struct Map<'a, 's> {
    area: &'a Area<'s>,
    figure: &'a Figure,
    grid: Grid,
    range: (f64, f64),
    /// False if chance alone may explain the differences.
    differs: bool,
    place: MapPosition,
}

impl Map<'_, '_> {
    /// Draws the map of a curve: columns from left to right, rows downward.
    fn draw(&self, curve: &Curve, Size { width, height }: Size) -> DrawResult {
        let MapPosition { left, top, side } = self.place;
        let (rows, columns) = (f64::from(self.grid.rows), f64::from(self.grid.columns));
        // Labels only as many rows or columns as have space for their numbers.
        let every = ((18.0 / side).ceil() as usize).max(1);
        let middles = |count: u16| (0..count).step_by(every).map(|number| f64::from(number) + 0.5).collect();
        let mut plot = ChartBuilder::on(self.area)
            .margin_left(units(left - BEFORE))
            .margin_top(units(top - ABOVE))
            .margin_right(units(width - left - columns * side))
            .margin_bottom(units(height - top - rows * side))
            .y_label_area_size(units(BEFORE))
            .top_x_label_area_size(units(ABOVE))
            .build_cartesian_2d(
                Axis::new((0.0, columns), false).with_key_points(middles(self.grid.columns)),
                Axis::new((rows, 0.0), false).with_key_points(middles(self.grid.rows)),
            )?;
        plot.configure_mesh()
            .disable_mesh()
            .axis_style(TRANSPARENT)
            .set_tick_mark_size(LabelAreaPosition::Top, units(LABEL_DISTANCE.0))
            .set_tick_mark_size(LabelAreaPosition::Left, units(LABEL_DISTANCE.1))
            .label_style(text_style(SMALL, Role::Soft, CENTERED))
            .axis_desc_style(text_style(TITLE, Role::Ink, CENTERED))
            .x_label_formatter(&|x| x.floor().to_string())
            .y_label_formatter(&|y| y.floor().to_string())
            .x_desc(curve.name.clone())
            .draw()?;
        let gap = units((side * 0.04).max(1.0)).unsigned_abs();
        let square = |x: f64, style: ShapeStyle| {
            let (column, row) = (x % columns, (x / columns).floor());
            let mut square = Rectangle::new([(column, row), (column + 1.0, row + 1.0)], style);
            square.set_margin(0, gap, 0, gap);
            square
        };
        let nodes = u32::from(self.grid.rows) * u32::from(self.grid.columns);
        plot.draw_series((0..nodes).map(|node| square(f64::from(node), stroke(Role::Link, 0.2, 1.0))))?;
        let marks = || self.figure.limits.iter();
        let other = curve.points.iter().filter(|point| marks().all(|mark| mark.x != point.0));
        plot.draw_series(other.map(|&(x, y)| square(x, curve.role.mix(self.alpha(y)).filled())))?;
        plot.draw_series(marks().map(|mark| square(mark.x, stroke(mark.role, 1.0, 2.0))))?;
        if side >= MIN_LABELLED_SIDE {
            let half = 0.5 - f64::from(gap) / 2.0 / f64::from(units(side));
            let digits = self.square_digits(curve, side - 2.0 * f64::from(gap) / f64::from(units(1.0)));
            plot.draw_series(curve.points.iter().map(|&(x, value)| {
                let at = (x % columns + half, (x / columns).floor() + half);
                Text::new(self.square_label(value, digits), at, text_style(SMALL, Role::Ink, CENTERED))
            }))?;
            let has_value = |node: &u32| curve.points.iter().any(|point| point.0 == f64::from(*node));
            plot.draw_series((0..nodes).filter(|node| !has_value(node)).map(|node| {
                let at = (f64::from(node) % columns + half, (f64::from(node) / columns).floor() + half);
                Text::new("–", at, text_style(SMALL, Role::Soft, CENTERED))
            }))?;
        }
        self.scale(curve)
    }

    /// Returns the strength of the colour of a value, from 0 to 1.
    fn color_strength(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        if high > low && self.differs { (high - value) / (high - low) } else { 0.0 }
    }

    /// Draws the colour bar of all maps below the map, from the minimum to the maximum, and names
    /// the lowest value of this map, unless the values do not differ beyond their intervals.
    fn scale(&self, curve: &Curve) -> DrawResult {
        let Some(worst) = curve.points.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(()) };
        let columns = u32::from(self.grid.columns);
        let (row, column) = (worst.0 as u32 / columns, worst.0 as u32 % columns);
        let unit = if self.figure.percent { "%" } else { "" };
        let label = |value: f64| format!("{}{unit}", fixed(value * self.factor(), self.digits()));
        let middle = self.place.left + f64::from(columns) * self.place.side / 2.0;
        let bottom = self.place.top + f64::from(self.grid.rows) * self.place.side;
        let write = |text: String, at: Point, side| {
            self.area.draw(&Text::new(text, in_units(at), text_style(SMALL, Role::Soft, side)))
        };
        let (low, high) = self.range;
        let (first, y) = (middle - BAR.0 / 2.0, bottom + 14.0);
        let step = BAR.0 / f64::from(BAR_STEPS);
        for number in 0..BAR_STEPS {
            let value = low + (high - low) * (f64::from(number) + 0.5) / f64::from(BAR_STEPS);
            let left = first + step * f64::from(number);
            let corners = [(left, y - BAR.1 / 2.0), (left + step, y + BAR.1 / 2.0)];
            let color = curve.role.mix(self.alpha(value)).filled();
            self.area.draw(&Rectangle::new(corners.map(|(x, y)| in_units(Point::new(x, y))), color))?;
        }
        write(label(low), Point::new(first - 5.0, y), LEFT)?;
        write(label(high), Point::new(first + BAR.0 + 5.0, y), RIGHT)?;
        let note = match self.differs {
            true => format!("lowest: {} at ({row},{column})", label(worst.1)),
            false => "equal within 95% intervals".to_owned(),
        };
        write(note, Point::new(middle, bottom + 32.0), CENTERED)
    }

    /// Returns the factor of the numbers that the map shows: probabilities are percentages.
    fn factor(&self) -> f64 {
        if self.figure.percent { 100.0 } else { 1.0 }
    }

    /// Returns the number of decimals that distinguish a quarter of the range of all maps.
    fn digits(&self) -> usize {
        let (low, high) = self.range;
        let quarter = (high - low) * self.factor() / 4.0;
        if quarter > 0.0 { (-libm::log10(quarter).floor()).clamp(0.0, 3.0) as usize } else { 2 }
    }

    /// Returns the number of decimals with which every value of a map fits a square of width
    /// `side`.
    fn square_digits(&self, curve: &Curve, side: f64) -> usize {
        let fits = |digits: &usize| {
            curve.points.iter().all(|point| text_width(&self.square_label(point.1, *digits), SMALL) <= side)
        };
        (0..=self.digits()).rev().find(fits).unwrap_or(0)
    }

    /// Returns a value as written in its square: without the percent sign and the zero before the
    /// decimal point, for which there is no space.
    fn square_label(&self, value: f64, digits: usize) -> String {
        let text = fixed(value * self.factor(), digits);
        text.strip_prefix('0').filter(|rest| rest.starts_with('.')).map_or(text.clone(), str::to_owned)
    }

    /// Returns the opacity of the square of a value.
    fn alpha(&self, value: f64) -> f64 {
        ALPHAS.0 + (ALPHAS.1 - ALPHAS.0) * self.color_strength(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::draw::scene;
    use crate::chart::figure::VerticalMarker;
    use crate::picture::scene::Shape;

    fn labels(values: &[f64], percent: bool) -> Vec<String> {
        let points: Vec<_> = (0u8..).zip(values).map(|(node, value)| (f64::from(node), *value)).collect();
        let curves = vec![Curve::through("e-cube", &points)];
        let figure = Figure { curves, percent, grid: Some(Grid { rows: 2, columns: 2 }), ..Figure::default() };
        let shapes = scene(&figure, Size::new(120.0, 180.0)).shapes;
        shapes
            .into_iter()
            .filter_map(|shape| if let Shape::Label { text, .. } = shape { Some(text) } else { None })
            .collect()
    }

    #[test]
    fn marked_squares_have_a_frame_instead_of_a_colour() {
        let curves = vec![Curve::through("e-cube", &[(0.0, 0.25), (1.0, 0.5), (2.0, 0.75)])];
        let mark = VerticalMarker { x: 1.0, label: String::new(), role: Role::Fault, measured: false };
        let unmarked = Figure { curves, grid: Some(Grid { rows: 2, columns: 2 }), ..Figure::default() };
        let marked = Figure { limits: vec![mark], ..unmarked.clone() };
        let drawn = |figure: &Figure| format!("{:?}", scene(figure, Size::new(120.0, 180.0)).shapes);
        assert!(drawn(&marked).contains("Fault") && !drawn(&unmarked).contains("Fault"), "{}", drawn(&marked));
    }

    /// Disjoint intervals of the extremes name the lowest value; overlapping ones do not.
    #[test]
    fn maps_of_noise_name_no_lowest_value() {
        let notes = |half: f64| {
            let points = [(0.0, 0.25), (1.0, 0.5), (2.0, 0.75)];
            let mut curve = Curve::through("e-cube", &points);
            curve.intervals = points.map(|(x, y)| (x, y - half, y + half)).to_vec();
            let figure = Figure { curves: vec![curve], grid: Some(Grid { rows: 2, columns: 2 }), ..Figure::default() };
            format!("{:?}", scene(&figure, Size::new(120.0, 180.0)).shapes)
        };
        assert!(notes(0.2).contains("lowest: ") && !notes(0.2).contains("equal within"));
        assert!(notes(0.3).contains("equal within 95% intervals") && !notes(0.3).contains("lowest: "));
    }

    #[test]
    fn squares_show_the_digits_that_distinguish_them() {
        let small = labels(&[0.251, 0.317, 0.27], false);
        for text in [".25", ".32", ".27", "–", "0.25", "lowest: 0.25 at (0,0)"] {
            assert!(small.iter().any(|label| label == text), "{text}: {small:?}");
        }
        let shares = labels(&[0.5, 0.75, 1.0, 0.63], true);
        for text in ["50", "75", "100", "63", "50%", "100%"] {
            assert!(shares.iter().any(|label| label == text), "{text}: {shares:?}");
        }
    }
}
