//! Trial-by-trial comparison of two routings as a document.

use std::fmt::Write as _;

use super::document::Document;
use super::files::record::{Record, Value, csv, json};
use super::files::table::{align_columns, with_interval};
use faultlab_core::VERSION;
use faultlab_experiment::{ComparedPoint, Comparison, Estimate};

/// CSV column names, which are also the names in JSON.
const COLUMNS: [&str; 19] = [
    "series",
    "against",
    "x",
    "outcome",
    "reason",
    "metric",
    "unit",
    "difference",
    "difference_low",
    "difference_high",
    "gain",
    "gain_low",
    "gain_high",
    "base",
    "trials",
    "apart",
    "crossing",
    "crossing_low",
    "crossing_high",
];

impl Document for Comparison {
    fn text(&self) -> String {
        let mut text = format!("{}\n", self.experiment());
        let (metric, scale) = (self.metric(), scale(self));
        let parameter = self.experiment().vary.as_ref().map_or("", |vary| vary.parameter.id);
        for of_one in self.points().chunk_by(|one, next| one.challenger == next.challenger) {
            let Some(first) = of_one.first() else { continue };
            let _ = writeln!(
                text,
                "\n{} minus {}, {}, on the same faults and messages",
                first.challenger.name, first.other.name, metric.axis
            );
            let head = [parameter, "difference", "gain, %", &format!("mean of {}", first.other.name), "trials", ""];
            let lines: Vec<_> = std::iter::once(head.map(str::to_owned).to_vec())
                .chain(of_one.iter().map(|point| line(point, scale)))
                .collect();
            for line in align_columns(&lines) {
                let _ = writeln!(text, "  {line}");
            }
            for (at, below) in self.crossings(&first.challenger) {
                let side = if below { "below" } else { "above" };
                let (ours, theirs) = (&first.challenger.name, &first.other.name);
                let _ = writeln!(
                    text,
                    "  {ours} {side} {theirs} from {parameter} = {:.3} on [{:.3}, {:.3}]",
                    at.mean, at.low, at.high
                );
            }
        }
        let _ = writeln!(
            text,
            "\nThe gain is the improvement as a share of the other routing's mean. 95% intervals in brackets; \
             Faultlab {VERSION}"
        );
        text
    }

    fn csv(&self) -> String {
        csv(self.experiment(), &COLUMNS, &records(self))
    }

    fn json(&self) -> String {
        json(self.experiment(), records(self))
    }
}

/// Returns the display factor of values: 100 for probabilities, which are shown as percentages.
fn scale(comparison: &Comparison) -> f64 {
    if comparison.metric().probability { 100.0 } else { 1.0 }
}

fn records(comparison: &Comparison) -> Vec<Record> {
    comparison.points().iter().map(|point| record(comparison, point)).collect()
}

fn record(comparison: &Comparison, point: &ComparedPoint) -> Record {
    let (by, share) = (point.difference(), point.gain());
    // The first crossing of the curves is repeated in every point of a challenger.
    let crossing = comparison.crossings(&point.challenger).first().map(|(at, _)| *at);
    let three = |record: Record, names: [&'static str; 3], found: Option<Estimate>| {
        let interval = found.filter(|found| !found.is_exact());
        record
            .with(names[0], found.map(|found| found.mean))
            .with(names[1], interval.map(|found| found.low))
            .with(names[2], interval.map(|found| found.high))
    };
    let record = Record::default()
        .with("series", &*point.challenger.id)
        .with("against", &*point.other.id)
        .with("x", point.x)
        .with("outcome", point.status.id())
        .with("reason", point.status.reason())
        .with("metric", comparison.metric().id)
        .with("unit", comparison.metric().unit);
    let record = three(record, ["difference", "difference_low", "difference_high"], by);
    let record = three(record, ["gain", "gain_low", "gain_high"], share)
        .with("base", by.map_or(Value::Nothing, |_| point.base().into()))
        .with("trials", point.pairs.len())
        .with("apart", point.unpaired_trials);
    three(record, ["crossing", "crossing_low", "crossing_high"], crossing)
}

/// Returns the cells of a point's line.
fn line(point: &ComparedPoint, scale: f64) -> Vec<String> {
    let shown = |found: Option<Estimate>, scale: f64| match found.map(|found| found.scaled(scale, 0.0)) {
        None => point.status.id().to_owned(),
        Some(found) => with_interval(found),
    };
    let base = if point.pairs.is_empty() { String::new() } else { format!("{:.3}", point.base() * scale) };
    let apart = match point.unpaired_trials {
        0 => String::new(),
        apart => format!(", {apart} more lack a value"),
    };
    vec![
        point.x.map_or(String::new(), |x| x.to_string()),
        shown(point.difference(), scale),
        shown(point.gain(), 100.0),
        base,
        format!("{}{apart}", point.pairs.len()),
        point.status.id().to_owned(),
    ]
}
