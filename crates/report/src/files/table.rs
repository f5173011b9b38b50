//! Table from which every export is written: one row for each algorithm, value and metric, in a
//! fixed order.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::sweep_charts::left_out::left_out_of_sweep;
use crate::sweep_charts::saturation;
use crate::wording;
use crate::wording::cut_off::fixed_cut_off;
use crate::wording::numbers::{fixed, varied};
use crate::wording::offered_load::offered_load;
use crate::wording::unused_keys::unused_buffer;
use faultlab_core::VERSION;
use faultlab_core::theory::MAX_LOAD_NODES;
use faultlab_experiment::crossover;
use faultlab_experiment::crossover::Crossing;
use faultlab_experiment::saturation::{Saturation, saturations};
use faultlab_experiment::{Estimate, Experiment, Metric, PointResult, Status, Sweep, Vary};

/// Numbers of a sweep, with the experiment that reproduces them.
#[derive(Clone, Debug)]
pub struct SweepTable {
    /// Experiment.
    pub experiment: Experiment,
    /// Rows: by algorithm, then by ascending x, then by metric.
    pub rows: Vec<TableRow>,
}

/// Number of the table.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Identifier of the algorithm.
    pub series: Cow<'static, str>,
    /// Value of the varied parameter; `None` without a sweep.
    pub x: Option<f64>,
    /// Outcome of the point.
    pub outcome: Status,
    /// Reason of the outcome, in words.
    pub reason: Cow<'static, str>,
    /// Metric.
    pub metric: &'static Metric,
    /// Estimate; `None` if no message contributes.
    pub estimate: Option<Estimate>,
}

/// Returns the table of `sweep`, finished or not.
pub fn table(sweep: &Sweep) -> SweepTable {
    let row = |point: &PointResult, reason: &Cow<'static, str>, metric: &'static Metric| TableRow {
        series: point.algorithm.id.clone(),
        x: point.x,
        outcome: point.status,
        reason: reason.clone(),
        metric,
        estimate: point.estimate(metric),
    };
    let metrics = sweep.experiment().kind().metrics.iter();
    let rows = sweep.points().iter().flat_map(|point| {
        let reason = point.reason();
        metrics.clone().map(move |metric| row(point, &reason, metric))
    });
    SweepTable { experiment: sweep.experiment().clone(), rows: rows.collect() }
}

/// Returns the table as text: a block for each metric, a line for each x, a column for each
/// algorithm.
pub fn text(sweep: &Sweep) -> String {
    let mut text = format!("{}\n", heading(sweep.experiment()));
    // Metrics without an estimate at any point are left out, such as the time until listed messages
    // have arrived where none are listed.
    let measured = |metric: &Metric| sweep.points().iter().any(|point| point.estimate(metric).is_some());
    let first = sweep.experiment().kind().first_metric();
    for metric in sweep.experiment().kind().metrics.iter().filter(|metric| **metric == *first || measured(metric)) {
        let note = if metric.probability { ", %" } else { "" };
        let _ = write!(text, "\n{}{note}: {}\n", metric.axis, metric.meaning);
        for line in align_columns(&block(sweep, metric)) {
            let _ = writeln!(text, "  {line}");
        }
        if let Some(left_out) = left_out_of_sweep(sweep, metric) {
            let _ = writeln!(text, "  {left_out}");
        }
        for crossing in crossover::crossings(sweep, metric) {
            let Estimate { low, high, .. } = crossing.at;
            let _ = writeln!(text, "  {} [{low:.2}, {high:.2}]", self::crossing(sweep, &crossing));
        }
    }
    text.push_str(&saturation_block(sweep));
    if let Some(load) = offered_load(sweep.experiment()) {
        let _ = writeln!(text, "\n{load}");
    }
    if let Some(unused) = unused_buffer(sweep.experiment()) {
        let _ = writeln!(text, "\n{unused}");
    }
    if let Some(cut_off) = fixed_cut_off(sweep.experiment()) {
        let _ = writeln!(text, "\n{}", cut_off.trim_end());
    }
    let _ = writeln!(text, "\n{}", outcome_summary(sweep));
    if let Some(shortcoming) = sweep.experiment().known_defect() {
        let _ = writeln!(text, "{shortcoming}");
    }
    text
}

/// Returns the table of saturation with its title; empty if the sweep does not vary the offered
/// traffic.
fn saturation_block(sweep: &Sweep) -> String {
    let found = saturations(sweep);
    if found.is_empty() {
        return String::new();
    }
    format!("\n{}", saturation_table(sweep.experiment(), &found))
}

/// Returns the table of saturation with its title, a line for each algorithm.
pub fn saturation_table(experiment: &Experiment, found: &[Saturation]) -> String {
    let head = std::iter::once(String::new()).chain(saturation::headings(experiment)).collect();
    let line = |saturation: &Saturation| {
        let bound = saturation::saturation_bound(experiment, &saturation.algorithm, MAX_LOAD_NODES.into());
        std::iter::once(saturation.algorithm.name.to_string())
            .chain(saturation::cells(saturation, bound).map(|cell| cell.to_string()))
            .collect()
    };
    let lines: Vec<_> = std::iter::once(head).chain(found.iter().map(line)).collect();
    let rows: String = align_columns(&lines).into_iter().map(|line| format!("  {line}\n")).collect();
    format!("{}\n{rows}", saturation::TITLE)
}

/// Maximum number of characters of an experiment's text above its table. Messages from a file are
/// longer.
const MAX_HEADING: usize = 1000;

/// Returns the text of an experiment, without the end of a very long one.
fn heading(experiment: &Experiment) -> String {
    let text = experiment.to_string();
    match text.char_indices().nth(MAX_HEADING) {
        None => text,
        Some((end, _)) => format!("{}... ({} characters; --json has all of them)", &text[..end], text.chars().count()),
    }
}

/// Returns the crossing of two curves in words.
pub fn crossing(sweep: &Sweep, crossing: &Crossing) -> String {
    let side = if crossing.below { "below" } else { "above" };
    let parameter = sweep.experiment().vary.as_ref().map_or("", |vary| vary.parameter.id);
    let (ours, theirs) = (&crossing.challenger.name, &crossing.other.name);
    format!("{ours} {side} {theirs} from {parameter} = {:.2} on", crossing.at.mean)
}

/// Returns one metric's lines as cells, headings first.
fn block(sweep: &Sweep, metric: &Metric) -> Vec<Vec<String>> {
    let vary = sweep.experiment().vary.as_ref();
    let mut lines = vec![vec![vary.map_or("", |vary| vary.parameter.id).to_owned()]];
    lines[0].extend(sweep.experiment().routing.iter().map(|algorithm| algorithm.id.to_string()));
    let values = vary.map_or(Vec::new(), Vary::values);
    for at in 0..values.len().max(1) {
        // Points are ordered by series: points with the same x are one series apart.
        let points = sweep.points().iter().skip(at).step_by(values.len().max(1));
        let x = points
            .clone()
            .next()
            .and_then(|point| point.x)
            .map_or(String::new(), |x| varied(sweep.experiment(), &values, x));
        lines.push(std::iter::once(x).chain(points.map(|point| format_estimate(point, metric))).collect());
    }
    lines
}

/// Returns an estimate with its interval, to the significant digits.
fn format_estimate(point: &PointResult, metric: &Metric) -> String {
    let scale = if metric.probability { 100.0 } else { 1.0 };
    match point.estimate(metric).map(|estimate| estimate.scaled(scale, 0.0)) {
        None if matches!(point.status, Status::Unstable | Status::Deadlocked | Status::Impossible) => {
            point.status.id().into()
        }
        None => "-".into(),
        Some(estimate) if !estimate.mean.is_finite() => format!("> {:.0}", estimate.low),
        Some(estimate) => with_interval(estimate),
    }
}

/// Formats an estimate with a finite mean: `0.52 [0.50, 0.54]`, `3 exact`, or `7.30 (one trial)`
/// where the interval is unbounded.
pub(crate) fn with_interval(estimate: Estimate) -> String {
    value_and_interval(estimate).join(" ")
}

/// Formats the value and the interval of an estimate as [`with_interval`] does.
pub(crate) fn value_and_interval(estimate: Estimate) -> [String; 2] {
    let Estimate { mean, low, high, .. } = estimate;
    if estimate.is_exact() {
        return [format_exact(mean), "exact".to_owned()];
    }
    if !estimate.half_width().is_finite() {
        return [fixed(mean, 2), format!("({})", estimate.why_unbounded())];
    }
    let [mean, low, high] = [mean, low, high].map(|value| fixed(value, significant_digits(estimate.half_width())));
    [mean, format!("[{low}, {high}]")]
}

/// Returns an exact number with up to six digits after the point.
fn format_exact(value: f64) -> String {
    fixed(value, 6).trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the number of significant digits after the point: two of the half-width, at least two.
pub fn significant_digits(half_width: f64) -> usize {
    let decade = if half_width > 0.0 { libm::floor(libm::log10(half_width)) } else { 0.0 };
    (1.0 - decade).clamp(2.0, 8.0) as usize
}

/// Returns the cells in columns: the first one left-aligned, the others right-aligned.
pub fn align_columns(lines: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max();
    lines
        .iter()
        .map(|line| {
            let cells = line.iter().enumerate().map(|(column, cell)| match (column, width(column).unwrap_or(0)) {
                (0, width) => format!("{cell:<width$}"),
                (_, width) => format!("{cell:>width$}"),
            });
            cells.collect::<Vec<_>>().join("   ").trim_end().to_owned()
        })
        .collect()
}

/// Returns the number of messages sent, and the outcomes of the points with their reasons.
fn outcome_summary(sweep: &Sweep) -> String {
    let messages: u64 = sweep.points().iter().map(|point| point.tally.trials).sum();
    let mut ends: Vec<(&str, usize, String)> = Vec::new();
    for point in sweep.points() {
        let (id, reason) = (point.status.id(), point.reason());
        match ends.iter_mut().find(|(other, _, why)| *other == id && *why == reason) {
            Some((_, count, _)) => *count += 1,
            None => ends.push((id, 1, reason.into_owned())),
        }
    }
    let what = sweep.experiment().kind().trials;
    let mut text = format!("{messages} {what}; 95% intervals in brackets; Faultlab {VERSION}");
    for (id, count, why) in ends {
        let _ = write!(text, "\n{}: {id}: {why}", wording::count(count as u32, "point"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::run;

    #[test]
    fn rows_are_points_times_metrics_in_order() {
        let text = "net=cube:4&faults=nodes:0.3&vary=p:0.1,0.5&route=sidetracking,random&within=0.1";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        let before = table(&sweep);
        assert!(before.rows.iter().all(|row| row.estimate.is_none() && row.outcome == Status::Running));
        run(&mut sweep);
        let table = table(&sweep);
        let metrics = || sweep.experiment().kind().metrics.iter();
        assert_eq!(table.rows.len(), 2 * 2 * metrics().count());
        assert_eq!((&*table.rows[0].series, table.rows[0].x), ("sidetracking", Some(0.1)));
        assert_eq!(table.rows.last().map(|row| (&*row.series, row.x)), Some(("random", Some(0.5))));
        assert!(metrics().all(|metric| !metric.unit.is_empty()));
    }

    #[test]
    fn unstable_points_show_their_outcome_instead_of_a_mean() {
        let text = "net=cube:2&switch=circuit&route=e-cube&vary=rate:0.2,3&within=0.5&trials=1000";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let lines = block(&sweep, sweep.experiment().kind().first_metric());
        assert!(lines[1][1].contains('[') && lines[2] == ["3", "unstable"], "{lines:?}");
        let row = table(&sweep).rows.into_iter().rfind(|row| row.metric.id == "setup");
        assert!(row.is_some_and(|row| row.estimate.is_none() && row.outcome == Status::Unstable));
    }

    #[test]
    fn with_interval_explains_unbounded_and_exact_intervals() {
        let estimate = |low, high| Estimate { mean: -0.001, low, high, n: 2, runs: 1 };
        assert_eq!(with_interval(estimate(f64::NEG_INFINITY, f64::INFINITY)), "0.00 (one trial)");
        assert_eq!(with_interval(estimate(-0.101, 0.099)), "0.00 [-0.10, 0.10]");
        assert_eq!(with_interval(estimate(-0.001, -0.001)), "-0.001 exact");
    }

    #[test]
    fn columns_align() {
        let lines = [vec!["p".to_owned(), "a".to_owned()], vec!["0.5".to_owned(), "12.5".to_owned()]];
        assert_eq!(align_columns(&lines), ["p        a", "0.5   12.5"]);
    }
}
