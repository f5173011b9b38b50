//! Worst fault sets found, as a document.

use std::fmt::Write as _;

use crate::document::Document;
use crate::files::record::{self, Record, Value};
use crate::files::table::value_and_interval;
use faultlab_experiment::worst::{MeasuredMetric, WorstSearchResult};
use faultlab_experiment::{Estimate, Experiment, Metric, Status};

/// Worst faults for each algorithm of an experiment, in its order.
#[derive(Clone, Debug)]
pub struct WorstFaultsReport {
    /// Experiment without the worst faults.
    pub experiment: Experiment,
    /// Metric that the faults degrade.
    pub metric: &'static Metric,
    /// Worst fault sets; `None` if no fault set could be measured.
    pub worst: Vec<Option<WorstSearchResult>>,
}

const COLUMNS: [&str; 21] = [
    "series",
    "metric",
    "unit",
    "better",
    "faults",
    "outcome",
    "mean",
    "ci95_low",
    "ci95_high",
    "n",
    "without",
    "without_low",
    "without_high",
    "random",
    "random_low",
    "random_high",
    "sets",
    "of",
    "trials",
    "exact",
    "text",
];

impl Document for WorstFaultsReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n", self.experiment);
        let note = if self.metric.probability { ", %" } else { "" };
        let _ = writeln!(text, "\n{}{note}: {}", self.metric.axis, self.metric.meaning);
        for (algorithm, found) in self.experiment.routing.iter().zip(&self.worst) {
            let _ = writeln!(text, "\n{}", algorithm.name);
            match found {
                None => text.push_str("  no set of faults that was tried gave a measurement\n"),
                Some(worst) => {
                    let again = format!("experiment: {}", worst.experiment);
                    sentences(worst).iter().chain([&again]).for_each(|line| {
                        let _ = writeln!(text, "  {line}");
                    });
                }
            }
        }
        text
    }

    fn csv(&self) -> String {
        record::csv(&self.experiment, &COLUMNS, &self.records())
    }

    fn json(&self) -> String {
        record::json(&self.experiment, self.records())
    }
}

/// Returns the description of the worst faults, a sentence each.
pub fn sentences(worst: &WorstSearchResult) -> Vec<String> {
    let metric = worst.question.metric;
    let what = match (worst.question.links, worst.faults.len()) {
        (true, 1) => "link",
        (true, _) => "links",
        (false, 1) => "node",
        (false, _) => "nodes",
    };
    let exact = worst.is_exact();
    // Samples rank the sets only roughly.
    let found = if exact && !worst.draws { "the worst of all" } else { "the worst found" };
    let sets = match (worst.all, exact) {
        (_, true) => format!("all {} sets were measured", worst.evaluated_sets),
        (Some(all), _) => format!("{} of {all} sets were measured: there may be worse ones", worst.evaluated_sets),
        (None, _) => format!("{} of more than 2^64 sets were measured: there may be worse ones", worst.evaluated_sets),
    };
    let trials = match worst.draws {
        true => format!(
            "; each with the same {} trials, which rank the sets only roughly, so another set may be worse, above all \
             near saturation; the numbers here are from other trials",
            worst.question.trials
        ),
        false => "; nothing is sampled".to_owned(),
    };
    let of = match (exact, worst.draws) {
        (true, false) => "average over all sets of this size",
        (true, true) => "average over all sets of this size, in the short trials that ranked them",
        (false, _) => "average over random sets of this size",
    };
    vec![
        format!("faulty {what}, {found}: {}", worst.faults.join(", ")),
        format!("with these faults: {}", format_measured(metric, worst.worst_case)),
        format!("without these faults: {}", format_measured(metric, worst.without)),
        format!("{of}: {}", format_random(worst)),
        format!("{sets}{trials}"),
    ]
}

/// Returns the mean over random sets, or over all sets; without its interval if the sets share their
/// random numbers.
fn format_random(worst: &WorstSearchResult) -> String {
    let metric = worst.question.metric;
    match worst.random {
        None => "-".to_owned(),
        Some(estimate) if worst.has_random_interval() => format_estimate(metric, Status::Converged, Some(estimate)),
        Some(estimate) => {
            let [mean, _] = mean_and_interval(metric, estimate);
            mean
        }
    }
}

fn format_measured(metric: &Metric, measured: MeasuredMetric) -> String {
    format_estimate(metric, measured.status, measured.estimate)
}

/// Returns an estimate with its interval and its unit, to the significant digits, or the reason why
/// there is none.
fn format_estimate(metric: &Metric, status: Status, estimate: Option<Estimate>) -> String {
    match estimate {
        None => format!("no value ({})", status.reason()),
        Some(Estimate { mean, .. }) if !mean.is_finite() => "unbounded".into(),
        Some(estimate) => mean_and_interval(metric, estimate).join(" "),
    }
}

/// Returns the mean with its unit, and the interval, to the significant digits.
fn mean_and_interval(metric: &Metric, estimate: Estimate) -> [String; 2] {
    let scale = if metric.probability { 100.0 } else { 1.0 };
    let [mean, interval] = value_and_interval(estimate.scaled(scale, 0.0));
    let unit = if metric.probability { "%".to_owned() } else { format!(" {}", metric.unit) };
    [mean + &unit, interval]
}

impl WorstFaultsReport {
    /// Returns a record for each algorithm.
    fn records(&self) -> Vec<Record> {
        let series = self.experiment.routing.iter().map(|algorithm| algorithm.id.to_string());
        series.zip(&self.worst).map(|(series, found)| self.record(series, found.as_ref())).collect()
    }

    fn record(&self, series: String, found: Option<&WorstSearchResult>) -> Record {
        let of = |part: fn(&WorstSearchResult) -> Option<Estimate>| found.and_then(part);
        let worst_case = of(|worst| worst.worst_case.estimate);
        let record = Record::default()
            .with("series", series)
            .with("metric", self.metric.id)
            .with("unit", self.metric.unit)
            .with("better", self.metric.better.id())
            .with("faults", found.map(|worst| worst.faults.iter().map(String::as_str).collect::<Value>()))
            .with("outcome", found.map(|worst| worst.worst_case.status.id()));
        let record = with_estimate(record, ["mean", "ci95_low", "ci95_high"], worst_case);
        let record = record.with("n", worst_case.map_or(0, |estimate| estimate.n));
        let record =
            with_estimate(record, ["without", "without_low", "without_high"], of(|worst| worst.without.estimate));
        let random = of(|worst| worst.random);
        let interval =
            random.filter(|random| !random.is_exact() && found.is_some_and(|worst| worst.has_random_interval()));
        let record = with_interval(record, ["random", "random_low", "random_high"], random, interval);
        record
            .with("sets", found.map(|worst| worst.evaluated_sets))
            .with("of", found.and_then(|worst| worst.all))
            .with("trials", found.map(|worst| if worst.draws { worst.question.trials } else { 1 }))
            .with("exact", found.map(WorstSearchResult::is_exact))
            .with("text", found.map(|worst| worst.experiment.to_string()))
    }
}

/// Adds an estimate as three fields; an exact number has no interval.
fn with_estimate(record: Record, names: [&'static str; 3], estimate: Option<Estimate>) -> Record {
    with_interval(record, names, estimate, estimate.filter(|estimate| !estimate.is_exact()))
}

/// Adds the mean of an estimate, and the ends of an interval if there is one.
fn with_interval(
    record: Record,
    names: [&'static str; 3],
    estimate: Option<Estimate>,
    interval: Option<Estimate>,
) -> Record {
    record
        .with(names[0], estimate.map(|estimate| estimate.mean))
        .with(names[1], interval.map(|estimate| estimate.low))
        .with(names[2], interval.map(|estimate| estimate.high))
}
