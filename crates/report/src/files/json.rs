//! JSON in the formats that the command line documents. Numbers are the shortest that read back to
//! the same bits.
//!
//! Every format states its source. `experiment` is the text, exact in every reader. `seed` is a
//! number, or a text above 2^53, where many readers lose digits; the experiment's text omits the
//! default seed. `version` is the version of Faultlab.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::{CompactFormatter, Formatter};

use super::record::Record;
use super::saturation::saturation_record;
use super::without_negative_zero;
use faultlab_core::VERSION;
use faultlab_experiment::saturation::saturations;
use faultlab_experiment::{Estimate, Experiment, Metric, PointResult, Sweep};
use faultlab_papers::PaperValue;

/// Returns the results of `run`: `{experiment, seed, version, points: [{series, x, outcome, reason,
/// metrics: {name: {mean, ci95: [low, high], n, runs}}, lengths: [[length, messages], ...]}]}`.
///
/// Sweeps over the offered traffic also have `saturation: [{series, parameter, saturation, ...}]`, as
/// in the JSON of `saturation`.
///
/// Circuits also have `setups: [[time, messages], ...]`, the setup times by upper ends of buckets,
/// and `utilization: [[up, down], ...]`, by dimension, each as a metric. Whole permutations have
/// `channels: [[messages, channels], ...]`, the number of channels that so many messages cross.
///
/// `n` is the number of messages in a mean. `runs` is the number of independent trials from which
/// its interval is computed. Null values: `x` without a sweep; `mean` without a message that
/// contributes; the ends of `ci95` if the interval is unbounded, as with one trial, or the number
/// exact.
pub fn run(sweep: &Sweep) -> String {
    let metrics = sweep.experiment().kind().metrics.iter();
    let points = sweep.points().iter().map(|point| PointRecord::new(point, metrics.clone()));
    let found = saturations(sweep);
    let parameter = sweep.experiment().vary.as_ref().map_or("", |vary| vary.parameter.id);
    let saturation = found.iter().map(|found| saturation_record(sweep.experiment(), parameter, found));
    to_json(&RunRecord {
        made: ResultSource::new(sweep.experiment()),
        points: points.collect(),
        saturation: saturation.collect(),
    })
}

/// Returns the results of `papers`: `[{paper, item, cell, published, measured, ci95: [low, high],
/// verdict, remark, experiment, seed, version}]`; null where there is no number.
pub fn papers(cells: &[PaperValue]) -> String {
    to_json(&cells.iter().map(PaperRecord::new).collect::<Vec<_>>())
}

/// Returns the JSON text of a value made of strings, numbers and lists, whose serialization cannot
/// fail.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    match value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, UnsignedZero(CompactFormatter))) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// Formatter of JSON without blanks in which zero has no sign; serde_json itself writes non-finite
/// numbers as null.
struct UnsignedZero(CompactFormatter);

impl Formatter for UnsignedZero {
    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        self.0.write_f64(writer, without_negative_zero(value))
    }
}

/// Source of the numbers.
#[derive(Serialize)]
pub(crate) struct ResultSource {
    experiment: String,
    seed: SafeInteger,
    version: &'static str,
}

/// Whole number, written as a text if readers with floating-point numbers only would change it.
pub(crate) struct SafeInteger(pub(crate) u64);

impl Serialize for SafeInteger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            small if small <= 1 << 53 => serializer.serialize_u64(small),
            large => serializer.collect_str(&large),
        }
    }
}

impl ResultSource {
    /// Returns the source entry of `experiment`.
    pub(crate) fn new(experiment: &Experiment) -> Self {
        Self { experiment: experiment.to_string(), seed: SafeInteger(experiment.seed), version: VERSION }
    }
}

#[derive(Serialize)]
struct RunRecord {
    #[serde(flatten)]
    made: ResultSource,
    points: Vec<PointRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    saturation: Vec<Record>,
}

#[derive(Serialize)]
struct PointRecord {
    series: Cow<'static, str>,
    x: Option<f64>,
    outcome: &'static str,
    reason: Cow<'static, str>,
    metrics: OrderedObject,
    lengths: Vec<(u32, u64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    channels: Vec<(f64, u64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    setups: Vec<(f64, u64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    latencies: Vec<(f64, u64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    utilization: Vec<[EstimateRecord; 2]>,
}

impl PointRecord {
    fn new(point: &PointResult, metrics: impl Iterator<Item = &'static Metric>) -> Self {
        Self {
            series: point.algorithm.id.clone(),
            x: point.x,
            outcome: point.status.id(),
            reason: point.reason(),
            metrics: OrderedObject(
                metrics.map(|metric| (metric.id, EstimateRecord::new(point.estimate(metric)))).collect(),
            ),
            lengths: super::csv::lengths_of(point),
            channels: point.counts("channels"),
            setups: point.counts("setups"),
            latencies: point.counts("latencies"),
            utilization: point
                .utilization()
                .into_iter()
                .map(|ways| ways.map(|way| EstimateRecord::new(Some(way))))
                .collect(),
        }
    }
}

/// Object whose keys keep their order.
struct OrderedObject(Vec<(&'static str, EstimateRecord)>);

impl Serialize for OrderedObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, measured)| (name, measured)))
    }
}

/// Measured value. Non-finite values are written as null, and so are the interval ends of an exact
/// number.
#[derive(Serialize)]
struct EstimateRecord {
    mean: Option<f64>,
    ci95: [Option<f64>; 2],
    n: u64,
    runs: u64,
}

impl EstimateRecord {
    fn new(estimate: Option<Estimate>) -> Self {
        let interval = estimate.filter(|estimate| !estimate.is_exact());
        Self {
            mean: estimate.map(|estimate| estimate.mean),
            ci95: [interval.map(|estimate| estimate.low), interval.map(|estimate| estimate.high)],
            n: estimate.map_or(0, |estimate| estimate.n),
            runs: estimate.map_or(0, |estimate| estimate.runs),
        }
    }
}

#[derive(Serialize)]
struct PaperRecord<'a> {
    paper: &'static str,
    item: &'static str,
    cell: &'a str,
    published: Option<f64>,
    measured: Option<f64>,
    ci95: Option<[f64; 2]>,
    verdict: &'static str,
    remark: &'a str,
    #[serde(flatten)]
    made: ResultSource,
}

impl<'a> PaperRecord<'a> {
    fn new(cell: &'a PaperValue) -> Self {
        Self {
            paper: cell.paper,
            item: cell.item,
            cell: &cell.cell,
            published: cell.published,
            measured: cell.measured,
            ci95: cell.ci95,
            verdict: cell.verdict.id(),
            remark: &cell.remark,
            made: ResultSource::new(&cell.experiment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::run as run_sweep;
    use serde_json::Value;

    #[test]
    fn to_json_writes_no_negative_zero_and_null_for_non_finite() {
        let numbers = [-0.0, 0.0, -0.5, 1e-300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        assert_eq!(to_json(&numbers), "[0.0,0.0,-0.5,1e-300,null,null,null]");
    }

    #[test]
    fn run_has_its_documented_shape_and_null_if_unmeasured() {
        let mut sweep = Sweep::new(&"net=cube:3&trials=1".parse().unwrap());
        let before: Value = serde_json::from_str(&run(&sweep)).unwrap();
        let success = &before["points"][0]["metrics"]["success"];
        assert_eq!((&success["mean"], &success["ci95"][1], &success["n"]), (&Value::Null, &Value::Null, &0.into()));
        run_sweep(&mut sweep);
        let after: Value = serde_json::from_str(&run(&sweep)).unwrap();
        let point = &after["points"][0];
        assert_eq!((&after["experiment"], &after["seed"]), (&"v=1&net=cube:3&trials=1".into(), &1.into()));
        assert_eq!((&point["x"], &point["outcome"]), (&Value::Null, &"out-of-budget".into()));
        // One message: its length has a mean and no interval.
        let length = &point["metrics"]["length"];
        assert_eq!((&length["mean"], &length["ci95"][0]), (&3.0.into(), &Value::Null));
        assert_eq!(point["lengths"], serde_json::json!([[3, 1]]));
    }
}
