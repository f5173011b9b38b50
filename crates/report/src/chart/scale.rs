//! View options of a chart: hidden curves, logarithmic axes, a part of x.

use super::figure::{Curve, CurveStyle, Figure};
use faultlab_experiment::ChartOptions;

/// Number of ticks from which a logarithmic axis shows powers of ten only.
const MAX_MINOR_TICKS: usize = 9;

/// Leading digits of ticks.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];

/// Minimum ratio of the lower to the upper end of a logarithmic y axis: six powers of ten.
const MIN_LOG_RATIO: f64 = 1e-6;

/// Clears the curves that `view` hides. `places` has the index of each curve in the legend, from 0.
/// The curves stay in the figure, without points.
pub fn hide_curves(figure: &mut Figure, view: &ChartOptions, places: &[usize]) {
    for (curve, place) in figure.curves.iter_mut().zip(places) {
        if view.is_hidden(*place) {
            clear(curve);
        }
    }
}

/// Removes everything that is drawn of a curve.
pub(crate) fn clear(curve: &mut Curve) {
    curve.points.clear();
    curve.intervals.clear();
    curve.marks.clear();
}

/// Extends the x axis so that it contains `first` and `last`.
pub(crate) fn extend_x_axis(figure: &mut Figure, first: f64, last: f64) {
    let (low, high) = figure.x_range;
    // Values without a logarithm are not drawn on a logarithmic axis.
    let first = if figure.powers.is_empty() || first > 0.0 { first } else { low };
    if first > last || (first >= low && last <= high) {
        return;
    }
    let (first, last) = (first.min(low), last.max(high));
    let is_log = !figure.powers.is_empty();
    let room = if is_log { libm::pow(last / first, 0.02) } else { (last - first) * 0.02 };
    let (before, behind) = if is_log { (first / room, last * room) } else { (first - room, last + room) };
    figure.x_range = (if first < low { before } else { low }, if last > high { behind } else { high });
    if is_log {
        figure.powers = ticks(first, last);
    }
}

/// Gives the x axis the scale and the range of `view`, unless the axis has names or a grid instead
/// of numbers. Returns the whole range.
pub fn set_x_axis(figure: &mut Figure, view: &ChartOptions) -> (f64, f64) {
    if figure.grid.is_some() || !figure.names.is_empty() {
        return figure.x_range;
    }
    match view.x_log {
        Some(true) if figure.powers.is_empty() => logarithmic(figure),
        Some(false) if !figure.powers.is_empty() => linear(figure),
        _ => {}
    }
    let (all, is_log) = (figure.x_range, !figure.powers.is_empty());
    if let Some((low, high)) = view.zoom.and_then(|zoom| visible_part(figure.x_range, zoom)) {
        figure.x_range = (low, high);
        figure.limits.retain(|limit| (low..=high).contains(&limit.x));
        figure.powers.retain(|tick| (low..=high).contains(tick));
        if is_log && figure.powers.len() < 2 {
            figure.powers = ticks(low, high);
        }
    }
    all
}

/// Returns the intersection of the chosen part with the whole axis; `None` if it is too short for
/// ticks.
fn visible_part(all: (f64, f64), zoom: (f64, f64)) -> Option<(f64, f64)> {
    let (low, high) = (zoom.0.max(all.0), zoom.1.min(all.1));
    (high - low > (all.1 - all.0) * 1e-6).then_some((low, high))
}

/// Gives the y axis the scale and the range of `view`. Bands add up, so they only have a linear scale.
pub fn set_y_axis(figure: &mut Figure, view: &ChartOptions) {
    let bands = figure.curves.iter().any(|curve| curve.kind == CurveStyle::Band);
    if view.y_log && figure.grid.is_none() && !bands && figure.y_range.1 > 0.0 {
        logarithmic_y(figure);
    }
    let part = view.y_zoom.filter(|_| figure.grid.is_none());
    if let Some((low, high)) = part.and_then(|part| visible_part(figure.y_range, part)) {
        figure.y_range = (low, high);
        figure.y_powers = if figure.y_powers.is_empty() { Vec::new() } else { ticks(low, high) };
    }
}

/// Returns the range of y over the visible points, with some space above and below; `None` if there
/// is no range.
pub fn y_extent(figure: &Figure) -> Option<(f64, f64)> {
    let (first, last) = figure.x_range;
    let is_log = !figure.y_powers.is_empty();
    let points = figure.curves.iter().flat_map(|curve| &curve.points);
    let seen = points.filter(|(x, y)| (first..=last).contains(x) && y.is_finite() && (!is_log || *y > 0.0));
    let (low, high) = seen.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, y)| (low.min(*y), high.max(*y)));
    let room = if is_log { libm::pow(high / low, 0.05) } else { (high - low) * 0.05 };
    (low < high).then(|| if is_log { (low / room, high * room) } else { (low - room, high + room) })
}

/// Gives the y axis a logarithmic scale.
fn logarithmic_y(figure: &mut Figure) {
    let (low, high) = figure.y_range;
    let values = figure.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    let least = values.filter(|&value| value > 0.0).fold(high, f64::min).max(high * MIN_LOG_RATIO);
    let low = if low > 0.0 { low } else { least / 1.5 };
    (figure.y_range, figure.y_powers) = ((low, high), ticks(low, high));
}

/// Returns the range of x over everything that is drawn beyond `from`.
fn x_extent(figure: &Figure, from: f64) -> (f64, f64) {
    let values = figure
        .curves
        .iter()
        .flat_map(|curve| curve.points.iter().map(|point| point.0).chain(curve.marks.iter().map(|mark| mark.0)));
    values.filter(|&x| x > from).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

fn logarithmic(figure: &mut Figure) {
    let (low, high) = x_extent(figure, 0.0);
    if low < high {
        let room = libm::pow(high / low, 0.02);
        (figure.x_range, figure.powers) = ((low / room, high * room), ticks(low, high));
    }
}

fn linear(figure: &mut Figure) {
    let (low, high) = x_extent(figure, f64::NEG_INFINITY);
    figure.powers.clear();
    if low < high {
        let room = (high - low) * 0.02;
        figure.x_range = (low - room, high + room);
    }
}

/// Returns the ticks of a logarithmic axis between two positive ends: 1, 2 and 5 times powers of
/// ten, or only these powers if there are many. On a short part with fewer than three such ticks,
/// the ticks are evenly spaced.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let [first, last] = [low, high].map(|end| libm::floor(libm::log10(end)) as i32);
    let of = |steps: &'static [f64]| {
        let powers = (first..=last.min(first + 30)).map(|power| libm::pow(10.0, f64::from(power)));
        let ticks = powers.flat_map(move |power| steps.iter().map(move |step| step * power));
        ticks.filter(|tick| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(tick)).collect::<Vec<_>>()
    };
    let (fine, coarse) = (of(&STEPS), of(&STEPS[..1]));
    match (fine.len(), coarse.len()) {
        (0..3, _) => even_ticks(low, high, 4.0),
        (MAX_MINOR_TICKS.., 2..) => coarse,
        _ => fine,
    }
}

/// Returns at most `most + 1` ticks at even distances of 1, 2 or 5 times a power of ten.
pub(crate) fn even_ticks(low: f64, high: f64, most: f64) -> Vec<f64> {
    let rough = (high - low) / most;
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let step = STEPS.iter().map(|step| step * power).find(|&step| step >= rough).unwrap_or(10.0 * power);
    let (first, last) = (libm::ceil(low / step) as i64, libm::floor(high / step) as i64);
    (first..=last.min(first.saturating_add(most as i64))).map(|number| number as f64 * step).collect()
}

/// Returns at most `most + 1` whole ticks at even distances; ticks with decimals if only one whole
/// number lies between the ends, as in a magnified part.
#[cfg(feature = "charts")]
pub(crate) fn whole_ticks(low: f64, high: f64, most: f64) -> Vec<f64> {
    let mut ticks = even_ticks(low, high, most.min((high - low).max(1.0)));
    ticks.retain(|tick| tick.fract() == 0.0);
    if ticks.len() < 2 { even_ticks(low, high, most) } else { ticks }
}

/// Maximum number of powers of ten on a logarithmic axis with minor ticks.
#[cfg(feature = "charts")]
const MAX_MINOR_DECADES: f64 = 8.0;

/// Returns the multiples of powers of ten between the ends of a logarithmic axis, except its `ticks`;
/// empty for a linear axis, and for an axis that spans many powers of ten.
#[cfg(feature = "charts")]
pub(crate) fn minor_ticks((low, high): (f64, f64), ticks: &[f64]) -> Vec<f64> {
    if ticks.is_empty() || low <= 0.0 || high > low * libm::pow(10.0, MAX_MINOR_DECADES) {
        return Vec::new();
    }
    let [first, last] = [low, high].map(|end| libm::floor(libm::log10(end)) as i32);
    let multiples =
        (first..=last).flat_map(|power| (1..10).map(move |step| f64::from(step) * libm::pow(10.0, f64::from(power))));
    let is_tick = |value: f64| ticks.iter().any(|tick| (tick / value - 1.0).abs() < 1e-6);
    multiples.filter(|&value| (low..=high).contains(&value) && !is_tick(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scene::Role;

    fn figure() -> Figure {
        let points = vec![(0.0, 0.0), (0.01, 0.001), (0.1, 0.5), (1.0, 1.0)];
        let curve = |name: &str| Curve {
            name: name.to_owned(),
            role: Role::Ink,
            dash: 0,
            points: points.clone(),
            intervals: Vec::new(),
            marks: Vec::new(),
            kind: CurveStyle::Measured,
        };
        let curves = vec![curve("a"), curve("b")];
        Figure { x_range: (-0.02, 1.02), y_range: (0.0, 1.0), percent: true, curves, ..Figure::default() }
    }

    fn viewed_figure(text: &str) -> Figure {
        let (mut figure, view) = (figure(), ChartOptions::parse(text).unwrap());
        hide_curves(&mut figure, &view, &[0, 1]);
        set_x_axis(&mut figure, &view);
        set_y_axis(&mut figure, &view);
        figure
    }

    #[test]
    fn default_options_change_nothing() {
        assert_eq!(viewed_figure(""), figure());
    }

    #[test]
    fn hidden_curves_keep_their_index() {
        let figure = viewed_figure("hide:1,hide:9");
        assert!(
            figure.curves[0].points.is_empty() && figure.curves[1].points.len() == 4 && figure.curves[0].name == "a"
        );
    }

    #[test]
    fn x_axis_extends_only_as_needed() {
        let mut figure = figure();
        extend_x_axis(&mut figure, 0.5, 1.0);
        assert_eq!(figure.x_range, (-0.02, 1.02));
        extend_x_axis(&mut figure, 0.5, 2.0);
        assert!(figure.x_range.0 == -0.02 && (2.04..2.05).contains(&figure.x_range.1), "{:?}", figure.x_range);
        let mut log = viewed_figure("x:log");
        extend_x_axis(&mut log, 0.0, 10.0);
        assert!(log.x_range.0 > 0.009 && log.x_range.1 > 10.0 && log.powers.last() == Some(&10.0), "{log:?}");
        extend_x_axis(&mut log, f64::INFINITY, f64::NEG_INFINITY);
        assert!(log.x_range.1 < 20.0);
    }

    #[test]
    fn axes_use_the_chosen_scale() {
        let log = viewed_figure("x:log,y:log");
        assert_eq!(log.powers, [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]);
        assert!(log.x_range.0 > 0.009 && log.x_range.0 < 0.01);
        assert_eq!(log.y_powers, [0.001, 0.01, 0.1, 1.0]);
        let mut back = log;
        set_x_axis(&mut back, &ChartOptions { x_log: Some(false), ..ChartOptions::default() });
        assert_eq!((back.powers.len(), back.x_range), (0, (-0.02, 1.02)));
    }

    #[cfg(feature = "charts")]
    #[test]
    fn whole_numbers_have_whole_ticks() {
        assert_eq!(whole_ticks(-0.06, 3.06, 10.0), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(whole_ticks(0.0, 9.4, 5.0), [0.0, 2.0, 4.0, 6.0, 8.0]);
        assert_eq!(whole_ticks(1.1, 1.5, 4.0), [1.1, 1.2, 1.3, 1.4, 1.5].map(|x: f64| (x * 10.0).round() * 0.1));
    }

    #[cfg(feature = "charts")]
    #[test]
    fn minor_ticks_lie_between_powers_of_ten() {
        assert_eq!(minor_ticks((0.95, 30.0), &[1.0, 10.0]), [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 20.0, 30.0]);
        assert!(minor_ticks((0.0, 30.0), &[10.0]).is_empty() && minor_ticks((1.0, 30.0), &[]).is_empty());
        assert!(minor_ticks((1e-9, 30.0), &[1.0]).is_empty());
    }

    #[test]
    fn zoomed_axes_have_their_own_range_and_ticks() {
        assert_eq!(viewed_figure("zoom:0.1..0.4").x_range, (0.1, 0.4));
        assert_eq!(viewed_figure("zoom:0.5..1e300").x_range, (0.5, 1.02));
        assert_eq!([viewed_figure("zoom:7..8"), viewed_figure("zoom:0.1..0.1000000001")], [figure(), figure()]);
        assert_eq!(viewed_figure("x:log,zoom:0.2..0.4").powers.len(), 5);
        assert_eq!(ticks(8.0, 30.0), [10.0, 20.0, 30.0]);
        assert_eq!(viewed_figure("x:log,zoom:0.1..0.6").powers, [0.1, 0.2, 0.5]);
    }
}
