//! Saturation as a document: a table, CSV and JSON.

use faultlab_core::VERSION;
use faultlab_core::theory::MAX_LOAD_NODES;
use faultlab_experiment::saturation::{Saturation, SaturationLoad, SaturationSearch};
use faultlab_experiment::{Estimate, Experiment};

use super::record::{Record, Value, csv, json};
use super::table::saturation_table;
use crate::document::Document;
use crate::sweep_charts::saturation::{definition, saturation_bound};

/// CSV column names, which are also the names in JSON.
const COLUMNS: [&str; 15] = [
    "series",
    "parameter",
    "saturation",
    "saturation_low",
    "saturation_high",
    "bound",
    "peak",
    "peak_low",
    "peak_high",
    "peak_at",
    "latency",
    "latency_low",
    "latency_high",
    "latency_at",
    "points",
];

impl Document for SaturationSearch {
    fn text(&self) -> String {
        let table = saturation_table(self.experiment(), &self.saturations());
        format!("{}\n\n{table}\n{}\n95% intervals in brackets; Faultlab {VERSION}\n", self.experiment(), definition())
    }

    fn csv(&self) -> String {
        csv(self.experiment(), &COLUMNS, &records(self))
    }

    fn json(&self) -> String {
        json(self.experiment(), records(self))
    }
}

fn records(search: &SaturationSearch) -> Vec<Record> {
    let record = |saturation: &Saturation| {
        let points = search.point_count(&saturation.algorithm);
        saturation_record(search.experiment(), search.parameter(), saturation).with("points", points)
    };
    search.saturations().iter().map(record).collect()
}

/// Returns the saturation of an algorithm. An end of the interval of the saturation is missing if
/// the network was not saturated at the largest measured value, or was at the smallest.
pub(crate) fn saturation_record(experiment: &Experiment, parameter: &'static str, saturation: &Saturation) -> Record {
    let (mean, low, high) = match saturation.load {
        SaturationLoad::At(Estimate { mean, low, high, .. }) => (Some(mean), Some(low), Some(high)),
        SaturationLoad::Above(last) => (None, Some(last), None),
        SaturationLoad::Below(first) => (None, None, Some(first)),
    };
    let record = Record::default()
        .with("series", &*saturation.algorithm.id)
        .with("parameter", parameter)
        .with("saturation", mean)
        .with("saturation_low", low)
        .with("saturation_high", high)
        .with("bound", saturation_bound(experiment, &saturation.algorithm, MAX_LOAD_NODES.into()).ok());
    let record = with_estimate(record, ["peak", "peak_low", "peak_high", "peak_at"], saturation.peak);
    with_estimate(record, ["latency", "latency_low", "latency_high", "latency_at"], saturation.lowest)
}

fn with_estimate(record: Record, names: [&'static str; 4], found: Option<(f64, Estimate)>) -> Record {
    let end = |part: fn(&Estimate) -> f64| -> Value { found.map(|(_, estimate)| part(&estimate)).into() };
    record
        .with(names[0], end(|estimate| estimate.mean))
        .with(names[1], end(|estimate| estimate.low))
        .with(names[2], end(|estimate| estimate.high))
        .with(names[3], found.map(|(x, _)| x))
}
