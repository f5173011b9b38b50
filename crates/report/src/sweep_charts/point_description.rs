//! Descriptions of the points of a sweep's chart.

use super::left_out::left_out_of_point;
use crate::chart::chart_point::ChartPoint;
use crate::chart::figure::Figure;
use crate::files::table::significant_digits;
use crate::kinds::{LeftOut, reports};
use crate::wording::numbers::fixed;
use crate::wording::numbers::{counted, plain, varied};
use faultlab_experiment::{Estimate, Experiment, Metric, Plot, PointResult, Sweep, Vary};

/// Returns the point of the sweep that is drawn at a spot; `None` for closed forms, published
/// values and distributions.
pub fn point_at<'a>(sweep: &'a Sweep, plot: Plot, spot: &ChartPoint) -> Option<&'a PointResult> {
    let Plot::Metric(_) = plot else { return None };
    let algorithm = sweep.experiment().routing.get(spot.curve)?;
    let varied = sweep.experiment().vary.as_ref().map(|_| spot.value.0);
    sweep.points().iter().find(|point| point.x == varied && point.algorithm == *algorithm)
}

/// Returns the description of a spot of `figure`, line by line. The lines are the curve, x, the
/// value with its interval, the number of messages, and the outcome with its reason.
pub fn describe_point(sweep: &Sweep, plot: Plot, figure: &Figure, spot: &ChartPoint) -> Vec<String> {
    describe_spot(sweep.experiment(), plot, figure, spot, measured_lines(sweep, plot, spot))
}

/// Returns the measured value at a spot, and the lines after it; `None` for closed forms, published
/// values and distributions.
pub fn measured_lines(sweep: &Sweep, plot: Plot, spot: &ChartPoint) -> Option<Vec<String>> {
    let reasons = reports(sweep.experiment()).left_out;
    Some(measured(point_at(sweep, plot, spot)?, reasons, plot_of(plot)?))
}

/// Returns the description of a spot of `figure`, of a sweep of `experiment`, from the measured
/// lines `said`.
pub fn describe_spot(
    experiment: &Experiment,
    plot: Plot,
    figure: &Figure,
    spot: &ChartPoint,
    said: Option<Vec<String>>,
) -> Vec<String> {
    let name = figure.curves.get(spot.curve).map_or(String::new(), |curve| curve.name.clone());
    let mut lines = vec![name];
    if figure.names.is_empty() {
        let x = spot.value.0;
        let values = experiment.vary.as_ref().filter(|_| plot_of(plot).is_some()).map(Vary::values);
        let shown = values.map_or_else(|| plain(x), |values| varied(experiment, &values, x));
        lines.push(format!("{}: {shown}", figure.x_axis));
    } else if plot_of(plot).is_none() {
        lines.push(format!("{}: {}", figure.x_axis, figure.x_label(spot.value.0)));
    }
    match said {
        Some(said) => lines.extend(said),
        None => lines.extend(end_of_step(figure, spot).map(|y| format!("{}: {}", figure.y_axis, figure.y_label(y)))),
    }
    lines
}

/// Returns the y of a spot: of the corners of a step, the one that the curve reaches last.
fn end_of_step(figure: &Figure, spot: &ChartPoint) -> Option<f64> {
    let points = figure.curves.get(spot.curve).map(|curve| &*curve.points).unwrap_or_default();
    points.iter().rfind(|point| point.0 == spot.value.0).map(|point| point.1).or(spot.value.1)
}

fn plot_of(plot: Plot) -> Option<&'static Metric> {
    match plot {
        Plot::Metric(metric) => Some(metric),
        Plot::Spread(_) => None,
    }
}

/// Returns the lines of a measured point: the value with its interval, the numbers of messages and
/// runs, the shares of messages left out, and the outcome.
fn measured(point: &PointResult, reasons: &[LeftOut], metric: &Metric) -> Vec<String> {
    let estimate = point.estimate(metric);
    let mut lines: Vec<String> =
        estimate.map(|estimate| format!("{}: {}", metric.axis, value(&estimate, metric))).into_iter().collect();
    if let Some(Estimate { n, runs, .. }) = estimate.filter(|estimate| !estimate.is_exact()) {
        let of = point.config.setting.kind().trials;
        let sets = counted(runs, of);
        lines.push(if n == runs { format!("n = {sets}") } else { format!("n = {n}, in {sets}") });
    }
    lines.extend(left_out_of_point(point, reasons, metric));
    lines.push(format!("{}: {}", point.status.id(), point.reason()));
    lines
}

/// Returns an estimate with its interval, to the significant digits.
fn value(estimate: &Estimate, metric: &Metric) -> String {
    let (scale, unit) = if metric.probability { (100.0, "%") } else { (1.0, "") };
    let Estimate { mean, low, high, .. } = estimate.scaled(scale, 0.0);
    let half = (high - low) / 2.0;
    let fixed = |value| fixed(value, significant_digits(half));
    match mean.is_finite() {
        false => format!("more than {}{unit}", fixed(low)),
        true if estimate.is_exact() => format!("{}{unit}, exact", plain(mean)),
        true if !half.is_finite() => format!("{mean:.2}{unit}, {}", estimate.why_unbounded()),
        true => format!("{}{unit}, 95% interval {} to {}{unit}", fixed(mean), fixed(low), fixed(high)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::frame::spots;
    use crate::picture::geometry::Size;
    use crate::sweep_charts::figure::chart;
    use faultlab_experiment::run;

    fn readings(text: &str) -> (Sweep, Vec<Vec<String>>) {
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let plot = sweep.experiment().plot();
        let figure = chart(&sweep, plot);
        let told = spots(&figure, Size::new(900.0, 500.0))
            .iter()
            .map(|spot| describe_point(&sweep, plot, &figure, spot))
            .collect();
        (sweep, told)
    }

    #[test]
    fn points_have_value_interval_count_and_outcome() {
        let (sweep, told) =
            readings("net=cube:5&faults=nodes:0.3&route=random,sidetracking&vary=p:0.01011236,0.3&within=0.05");
        let point = &sweep.points()[1];
        let estimate = point.estimate(sweep.experiment().kind().first_metric()).unwrap();
        assert_eq!(told[1][..2], ["random, local", "fault rate p: 0.3"]);
        let start =
            format!("success probability: {:.2}%, 95% interval {:.2} to", estimate.mean * 100.0, estimate.low * 100.0);
        assert!(told[1][2].starts_with(&start), "{:?}", told[1]);
        assert_eq!(told[1][3], format!("n = {} messages", estimate.n));
        assert_eq!(told[1][4], "converged: the interval is as narrow as requested");
        assert_eq!(told[0][1], "fault rate p: 0.0101");
        // Computed values have neither interval nor outcome.
        for name in ["closed form, local", "sidetracking, published"] {
            assert!(told.iter().any(|lines| lines.len() == 3 && lines[0] == name), "{name}: {told:?}");
        }
    }

    #[test]
    fn points_without_mean_give_the_reason() {
        let (_, told) = readings("net=cube:2&switch=circuit&route=e-cube&vary=rate:0.2,3&within=0.5&trials=1000");
        let jams = told.iter().find(|lines| lines[1].ends_with(": 3")).unwrap();
        assert!(jams.last().unwrap().starts_with("unstable: queues grow"), "{jams:?}");
    }

    #[test]
    fn maps_and_comparisons_name_their_values() {
        let (_, map) = readings("switch=wormhole&net=mesh:3x3&faults=none&vary=at:0..8:9&trials=100");
        assert!(map[4][1].ends_with(": 1.1"), "{:?}", map[4]);
        let (_, compared) = readings("net=cube:4&route=random,global&trials=200");
        assert_eq!(compared[1][0], "global information");
        assert!(compared[1][1].starts_with("success probability: 100"), "{:?}", compared[1]);
        let (_, lengths) = readings("net=cube:4&route=random&trials=200&plot=lengths");
        assert_eq!(lengths[0], ["random, local", "hops: 4", "messages that have arrived: 100%"]);
    }
}
