//! Layout of a chart: the position of its plot, and the points at its pixels.

use super::axis::Axis;
use super::chart_point::ChartPoint;
use super::figure::{Curve, CurveStyle, Figure, VerticalMarker};
use super::map_grid;
use crate::picture::geometry::{Point, Size, text_width};

/// Height of numbers and other small text, in CSS pixels.
pub(crate) const SMALL: f64 = 12.0;

/// Chart width below which names of curves are above the plot instead of beside it.
const NARROW: f64 = 560.0;

/// Height of a row of text above the plot.
pub(crate) const ROW: f64 = 15.0;

/// Height of a row of names above the plot.
pub(crate) const NAMES: f64 = 18.0;
/// Position of the first name above the plot.
pub(crate) const FIRST_NAME: f64 = 14.0;

/// Space left of the plot: for the title of its axis, and for the numbers.
pub(crate) const LEFT: (f64, f64) = (8.0, 64.0);
/// Space under the plot: for the title of its axis, and for the numbers.
pub(crate) const BELOW: (f64, f64) = (11.0, 47.0);

/// Minimum height of a plot below labels of vertical markers.
const MIN_LABELLED_PLOT_HEIGHT: f64 = 120.0;

/// Minimum height of a plot; names above it that would leave less are left out.
const MIN_PLOT_HEIGHT: f64 = 40.0;

/// Plot of a chart, in pixels from the top left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotArea {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
    /// Axis from the left edge to the right edge.
    pub x: Axis,
    /// Axis from the lower edge to the upper edge.
    pub y: Axis,
}

/// Returns whether names of curves are above the plot of a chart of width `width`.
pub(crate) fn is_narrow(width: f64) -> bool {
    width < NARROW
}

impl PlotArea {
    /// Returns the plot of `figure` in a chart of size `size`.
    pub fn new(figure: &Figure, size: Size) -> Self {
        let rows = names_above_plot(figure, size).last().map_or(0.0, |name| name.1.y + NAMES - FIRST_NAME);
        let mut area = Self {
            left: LEFT.0 + LEFT.1,
            top: FIRST_NAME + rows,
            right: size.width - if is_narrow(size.width) || figure.unnamed { 14.0 } else { 190.0 },
            bottom: size.height - BELOW.0 - BELOW.1,
            x: Axis::new(figure.x_range, !figure.powers.is_empty()),
            y: Axis::new(figure.y_range, !figure.y_powers.is_empty()),
        };
        area.top += ROW * area.limit_labels(figure, size).len() as f64;
        area
    }

    /// Returns the labels of the vertical markers above the plot, from top to bottom. There are none
    /// if a label does not fit beside its line, or if the labels leave too little height for the
    /// plot: the lines then stand alone.
    pub(crate) fn limit_labels(&self, figure: &Figure, size: Size) -> Vec<LimitLabel> {
        let labels: Vec<_> = figure.limits.iter().enumerate().map(|(index, limit)| self.label(index, limit)).collect();
        let rows = names_above_plot(figure, size).last().map_or(0.0, |name| name.1.y + NAMES - FIRST_NAME);
        let height = self.bottom - FIRST_NAME - rows - ROW * labels.len() as f64;
        if height < MIN_LABELLED_PLOT_HEIGHT {
            return Vec::new();
        }
        // Left of the plot, labels would cover the title of the axis and its upper number.
        let beside = arrange_labels(labels.clone(), self.left, size.width);
        if beside.is_empty() { arrange_labels(labels, 0.0, size.width) } else { beside }
    }

    /// Returns the label of a marker, on its right.
    fn label(&self, index: usize, limit: &VerticalMarker) -> LimitLabel {
        // The label of a marker beyond the axis is at the end of the axis.
        let x = self.x.nearest(limit.x);
        let text = if limit.x < x { format!("← {}", limit.label) } else { limit.label.clone() };
        let x = self.left + (self.right - self.left) * self.x.share(x);
        LimitLabel { index, x, at: x + LABEL_GAP, is_left: false, text }
    }

    /// Returns the pixel of a point.
    pub fn to_pixel(&self, (x, y): (f64, f64)) -> Point {
        let (over, up) = (self.x.share(x), self.y.share(y));
        Point::new(self.left + (self.right - self.left) * over, self.bottom - (self.bottom - self.top) * up)
    }

    /// Returns whether a point lies in the plot.
    pub fn contains(&self, (x, y): (f64, f64)) -> bool {
        self.x.contains(x) && self.y.contains(y)
    }

    /// Returns the x at a pixel column; beyond the plot the axis is extrapolated.
    pub fn x_at(&self, left: f64) -> f64 {
        self.x.value((left - self.left) / (self.right - self.left))
    }

    /// Returns the y at a pixel row; beyond the plot the axis is extrapolated.
    pub fn y_at(&self, top: f64) -> f64 {
        self.y.value((self.bottom - top) / (self.bottom - self.top))
    }

    /// Returns the y pixel of the marks of a curve at the upper edge. `row` counts the curves that
    /// have such marks.
    pub(crate) fn upper_mark_y(&self, row: usize) -> f64 {
        self.top + 7.0 + 15.0 * row as f64
    }
}

/// Returns the curves whose names are above the plot of a narrow chart, with positions estimated
/// without a font.
pub(crate) fn names_above_plot(figure: &Figure, Size { width, height }: Size) -> Vec<(usize, Point)> {
    if figure.unnamed || !is_narrow(width) {
        return Vec::new();
    }
    let first = LEFT.0 + 30.0;
    let (mut x, mut y) = (first, FIRST_NAME);
    let named = figure.curves.iter().enumerate().filter(|(_, curve)| last_finite_point(curve).is_some());
    let placed = named.map(|(index, curve)| {
        let wide = 7.0 * curve.name.chars().count() as f64;
        if x > first && x + wide > width {
            (x, y) = (first, y + NAMES);
        }
        let at = Point::new(x, y);
        x += wide + 44.0;
        (index, at)
    });
    let placed: Vec<_> = placed.collect();
    let has_room = y + NAMES + MIN_PLOT_HEIGHT < height - BELOW.0 - BELOW.1;
    if has_room { placed } else { Vec::new() }
}

/// Distance of a label from its vertical marker.
const LABEL_GAP: f64 = 5.0;

/// Label of a vertical marker, in its own row above the plot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LimitLabel {
    /// Index of the marker.
    pub(crate) index: usize,
    /// Pixel column of the marker.
    pub(crate) x: f64,
    /// Pixel column at which the text starts, or ends if it is on the left of the marker.
    pub(crate) at: f64,
    /// True if the text is on the left of the marker.
    pub(crate) is_left: bool,
    /// Text of the label.
    pub(crate) text: String,
}

impl LimitLabel {
    /// Returns this label on the left of its marker.
    fn on_the_left(&self) -> Self {
        Self { at: self.x - LABEL_GAP, is_left: true, ..self.clone() }
    }

    /// Returns this label above its marker, inside a picture of this width.
    fn above(&self, width: f64) -> Self {
        Self { at: width - text_width(&self.text, SMALL), is_left: false, ..self.clone() }
    }

    /// Returns whether the text is above a pixel column.
    pub(crate) fn covers(&self, x: f64) -> bool {
        let width = text_width(&self.text, SMALL);
        let start = if self.is_left { self.at - width } else { self.at };
        (start..=start + width).contains(&x)
    }

    /// Returns whether the text lies between two pixel columns.
    fn fits(&self, first: f64, last: f64) -> bool {
        let width = text_width(&self.text, SMALL);
        let start = if self.is_left { self.at - width } else { self.at };
        first <= start && start + width <= last
    }
}

/// Places labels on the side that has space, and orders them from top to bottom so that the lines,
/// which reach up to their labels, do not cross other labels. Returns no labels if one does not fit
/// between the pixel columns `first` and `last`.
fn arrange_labels(labels: Vec<LimitLabel>, first: f64, last: f64) -> Vec<LimitLabel> {
    let on_the_left: Vec<_> = labels.iter().map(LimitLabel::on_the_left).collect();
    let all_fit = |labels: &[LimitLabel]| labels.iter().all(|label| label.fits(first, last));
    let placed = match (all_fit(&labels), all_fit(&on_the_left)) {
        (true, _) => labels,
        (false, true) => on_the_left,
        (false, false) => {
            let sides = labels.into_iter().zip(on_the_left).map(|(right, left)| {
                let above = right.above(last);
                [right, left, above].into_iter().find(|label| label.fits(first, last))
            });
            sides.collect::<Option<_>>().unwrap_or_default()
        }
    };
    let (mut left, mut right): (Vec<_>, Vec<_>) = placed.into_iter().partition(|label| label.is_left);
    left.sort_by(|a, b| b.x.total_cmp(&a.x));
    right.sort_by(|a, b| a.x.total_cmp(&b.x));
    if right.iter().any(|upper| left.iter().any(|lower| lower.covers(upper.x))) {
        [left, right].concat()
    } else {
        [right, left].concat()
    }
}

/// Returns the last finite point of a curve, beside which its name is drawn.
pub(crate) fn last_finite_point(curve: &Curve) -> Option<(f64, f64)> {
    curve.points.iter().rev().copied().find(|point| point.1.is_finite())
}

/// Returns whether a part of the curve lies beyond a plot that ends at `top`.
pub(crate) fn has_points_above(curve: &Curve, top: f64) -> bool {
    !curve.marks.is_empty() || curve.points.iter().any(|point| point.1 > top)
}

/// Returns every point of a chart of size `size` that can be pointed at, curve by curve.
pub fn spots(figure: &Figure, size: Size) -> Vec<ChartPoint> {
    if let Some(shape) = figure.grid {
        return map_grid::spots(figure, shape, size);
    }
    let frame = PlotArea::new(figure, size);
    let top = figure.y_range.1;
    let mut rows = 0;
    let mut spots = Vec::new();
    for (number, curve) in figure.curves.iter().enumerate() {
        let edge = frame.upper_mark_y(rows);
        rows += usize::from(has_points_above(curve, top));
        let first = spots.len();
        let points = curve.points.iter().map(|&(x, y)| (x, y, Some(y)));
        let marks = curve.marks.iter().map(|mark| (mark.0, f64::INFINITY, None));
        let has_place = |(x, y, _): &(f64, f64, _)| frame.x.contains(*x) && frame.y.share(*y) > -1e-6;
        for (x, y, value) in points.chain(marks).filter(has_place) {
            let Point { x: left, y: middle } = frame.to_pixel((x, y.min(top)));
            let at = Point::new(left, if y > top { edge } else { middle });
            spots.push(ChartPoint { curve: number, value: (x, value), pixel: at });
        }
        if !curve.marks.is_empty() {
            spots[first..].sort_by(|a: &ChartPoint, b| a.pixel.x.total_cmp(&b.pixel.x));
        }
    }
    spots
}

/// Distance in pixels by which a computed point has to be nearer than a measured point to be
/// selected.
const CLOSED_FORM_PENALTY: f64 = 6.0;

/// Returns the index of the spot nearest to a pixel.
pub fn nearest(figure: &Figure, spots: &[ChartPoint], at: Point) -> Option<usize> {
    let far = |spot: &ChartPoint| {
        let computed = figure.curves.get(spot.curve).is_some_and(|curve| curve.kind == CurveStyle::ClosedForm);
        libm::hypot(spot.pixel.x - at.x, spot.pixel.y - at.y) + if computed { CLOSED_FORM_PENALTY } else { 0.0 }
    };
    (0..spots.len()).min_by(|&a, &b| far(&spots[a]).total_cmp(&far(&spots[b])))
}

/// Direction in which a key moves from a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartStep {
    /// Previous point along the curve.
    Back,
    /// Next point along the curve.
    On,
    /// First point of the curve.
    First,
    /// Last point of the curve.
    Last,
    /// Curve above, or row above on a map.
    Up,
    /// Curve below, or row below on a map.
    Down,
}

/// Returns the spot that a key reaches from the spot `from`; from `None`, the first spot.
pub fn step(figure: &Figure, spots: &[ChartPoint], from: Option<usize>, step: ChartStep) -> Option<usize> {
    let Some((from, here)) = from.and_then(|from| Some((from, spots.get(from)?))) else {
        return (!spots.is_empty()).then_some(0);
    };
    let first = spots.iter().position(|spot| spot.curve == here.curve)?;
    let last = spots.iter().rposition(|spot| spot.curve == here.curve)?;
    let row = figure.grid.map(|grid| usize::from(grid.columns));
    let to = match (step, row) {
        (ChartStep::Back, _) => from.checked_sub(1),
        (ChartStep::On, _) => Some(from + 1),
        (ChartStep::First, _) => Some(first),
        (ChartStep::Last, _) => Some(last),
        (ChartStep::Up, Some(row)) => from.checked_sub(row),
        (ChartStep::Down, Some(row)) => Some(from + row),
        (ChartStep::Up | ChartStep::Down, None) => {
            return adjacent_curve(spots, here, step == ChartStep::Up).or(Some(from));
        }
    };
    // A step continues from one map to the next, but stops at the end of a curve.
    let (first, last) = if row.is_some() { (0, spots.len() - 1) } else { (first, last) };
    to.filter(|to| (first..=last).contains(to)).or(Some(from))
}

/// Returns the next spot above or below among the spots of other curves that are nearest along x.
/// Curves that meet are ordered by their numbers.
fn adjacent_curve(spots: &[ChartPoint], here: &ChartPoint, up: bool) -> Option<usize> {
    let place = |spot: &ChartPoint| (spot.pixel.y, spot.curve);
    let before = |a: (f64, usize), b: (f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).is_lt();
    let far = |number: usize| (spots[number].pixel.x - here.pixel.x).abs();
    let curves = spots.iter().map(|spot| spot.curve).max().unwrap_or(0);
    let nearest = (0..=curves).filter(|&curve| curve != here.curve).filter_map(|curve| {
        (0..spots.len()).filter(|&number| spots[number].curve == curve).min_by(|&a, &b| far(a).total_cmp(&far(b)))
    });
    let on_side = nearest.filter(|&number| match up {
        true => before(place(&spots[number]), place(here)),
        false => before(place(here), place(&spots[number])),
    });
    on_side.reduce(|a, b| if before(place(&spots[a]), place(&spots[b])) == up { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::figure::MissingMean;

    /// Returns two curves over 0, 1, 2; the second has no mean at 2.
    fn figure() -> Figure {
        let mut second = Curve::through("b", &[(0.0, 0.0), (1.0, 1.0)]);
        second.marks.push((2.0, MissingMean::Unstable));
        let curves = vec![Curve::through("a", &[(0.0, 2.0), (1.0, 1.0), (2.0, 0.0)]), second];
        Figure { x_range: (0.0, 2.0), y_range: (0.0, 2.0), curves, ..Figure::default() }
    }

    #[test]
    fn points_are_positioned_by_the_axes() {
        let (figure, size) = (figure(), Size::new(900.0, 500.0));
        let frame = PlotArea::new(&figure, size);
        assert_eq!((frame.left, frame.top, frame.right, frame.bottom), (72.0, 14.0, 710.0, 442.0));
        let spots = spots(&figure, size);
        assert_eq!(spots.len(), 6);
        assert_eq!((spots[0].pixel, spots[2].pixel), (Point::new(72.0, 14.0), Point::new(710.0, 442.0)));
        assert_eq!(spots[5], ChartPoint { curve: 1, value: (2.0, None), pixel: Point::new(710.0, 21.0) });
        assert!((frame.x_at(391.0) - 1.0).abs() < 1e-12 && frame.x_at(72.0) == 0.0 && frame.x_at(72.0 + 1276.0) == 4.0);
    }

    #[test]
    fn logarithmic_points_are_positioned_and_zero_is_omitted() {
        let mut figure = figure();
        figure.curves = vec![Curve::through("a", &[(1.0, 10.0), (10.0, 1.0), (100.0, 0.0)])];
        (figure.x_range, figure.y_range) = ((1.0, 100.0), (1.0, 10.0));
        (figure.powers, figure.y_powers) = (vec![1.0], vec![1.0]);
        let found = spots(&figure, Size::new(900.0, 500.0));
        // A zero is not drawn.
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].pixel, found[1].value), (Point::new(72.0 + 638.0 / 2.0, 442.0), (10.0, Some(1.0))));
    }

    #[test]
    fn nearest_finds_the_closest_point() {
        let figure = figure();
        let spots = spots(&figure, Size::new(900.0, 500.0));
        assert_eq!(nearest(&figure, &spots, Point::new(80.0, 30.0)), Some(0));
        assert_eq!(nearest(&figure, &spots, Point::new(700.0, 30.0)), Some(5));
        assert_eq!(nearest(&figure, &[], Point::new(0.0, 0.0)), None);
    }

    #[test]
    fn keys_step_along_curves_and_between_them() {
        let figure = figure();
        let spots = spots(&figure, Size::new(900.0, 500.0));
        let go = |from, by| step(&figure, &spots, from, by);
        assert_eq!(
            (go(None, ChartStep::On), go(Some(0), ChartStep::On), go(Some(2), ChartStep::On)),
            (Some(0), Some(1), Some(2))
        );
        assert_eq!(
            (go(Some(3), ChartStep::Back), go(Some(3), ChartStep::Last), go(Some(5), ChartStep::First)),
            (Some(3), Some(5), Some(3))
        );
        assert_eq!(
            (go(Some(0), ChartStep::Down), go(Some(3), ChartStep::Up), go(Some(0), ChartStep::Up)),
            (Some(3), Some(0), Some(0))
        );
        // Curves that meet are ordered by their numbers.
        assert_eq!((go(Some(1), ChartStep::Down), go(Some(4), ChartStep::Up)), (Some(4), Some(1)));
        assert_eq!((go(Some(5), ChartStep::Down), go(Some(2), ChartStep::Up)), (Some(2), Some(5)));
        assert_eq!(step(&figure, &[], None, ChartStep::On), None);
    }

    #[test]
    fn labels_of_markers_are_not_crossed_or_cut() {
        let limit = |x: f64, label: &str| VerticalMarker {
            x,
            label: label.into(),
            role: crate::picture::scene::Role::Ink,
            measured: true,
        };
        let long = "e-cube saturates at 0.5–0.7";
        let figure =
            Figure { limits: vec![limit(0.2, long), limit(1.0, long), limit(1.8, long)], unnamed: true, ..figure() };
        let labels = |width: f64, height: f64| {
            let size = Size::new(width, height);
            PlotArea::new(&figure, size).limit_labels(&figure, size)
        };
        let wide = labels(900.0, 500.0);
        assert_eq!(
            wide.iter().map(|label| (label.index, label.is_left)).collect::<Vec<_>>(),
            [(0, false), (1, false), (2, true)]
        );
        for (row, upper) in wide.iter().enumerate() {
            assert!(upper.fits(LEFT.0 + LEFT.1, 900.0));
            assert!(wide[row + 1..].iter().all(|lower| !lower.covers(upper.x)));
        }
        // Lines stand alone in a chart that is too narrow or too low.
        assert!(labels(320.0, 500.0).iter().all(|label| label.fits(LEFT.0 + LEFT.1, 320.0)));
        assert!(labels(160.0, 500.0).is_empty() && labels(900.0, 200.0).is_empty());
        assert_eq!(PlotArea::new(&figure, Size::new(900.0, 200.0)).top, FIRST_NAME);
    }

    #[test]
    fn names_move_above_the_plot_of_narrow_charts() {
        let figure = figure();
        let placed = names_above_plot(&figure, Size::new(320.0, 300.0));
        assert_eq!(placed.iter().map(|name| name.1.y).collect::<Vec<_>>(), [14.0, 14.0]);
        assert_eq!(PlotArea::new(&figure, Size::new(320.0, 300.0)).top, 32.0);
        assert_eq!(names_above_plot(&figure, Size::new(60.0, 300.0))[1].1, Point::new(38.0, 32.0));
        assert!(
            names_above_plot(&figure, Size::new(320.0, 128.0)).is_empty()
        // A low chart keeps its plot.
                && PlotArea::new(&figure, Size::new(320.0, 128.0)).top == 14.0
        );
        let figure_of = |unnamed| Figure { unnamed, ..figure.clone() };
        let unnamed = figure_of(true);
        assert_eq!(PlotArea::new(&unnamed, Size::new(320.0, 300.0)).top, 14.0);
        assert_eq!(
            [figure_of(false), figure_of(true)].map(|figure| PlotArea::new(&figure, Size::new(900.0, 500.0)).right),
            [710.0, 886.0]
        );
    }
}
