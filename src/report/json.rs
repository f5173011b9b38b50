//! JSON in the shapes that the command line documents. Numbers are the shortest that read back to the same bits.

use serde::{Serialize, Serializer};

use super::check::{Check, Dependencies};
use super::words;
use crate::VERSION;
use crate::experiment::papers::PaperCell;
use crate::experiment::{Estimate, Experiment, Instance, METRICS, PointResult, Sweep, Trace};
use crate::topology::NodeId;

/// `run`: `{experiment, version, points: [{series, x, outcome, metrics: {name: {mean, ci95: [low, high], n}}, lengths:
/// [[length, messages], ...]}]}`.
///
/// `x` is null when nothing is varied, `mean` where no message tells, the ends of `ci95` where the interval is
/// unbounded.
pub fn run(sweep: &Sweep) -> String {
    written(&Run {
        experiment: sweep.experiment().to_string(),
        version: VERSION,
        points: sweep.points().iter().map(Point::new).collect(),
    })
}

/// `route`: `{experiment, series, outcome, hops: [{from, to, class, rule, reason}], ending}`, for one of the messages
/// of `instance`.
///
/// `from` and `to` are decimal numbers in strings: JavaScript's numbers cannot hold them all.
pub fn route(experiment: &Experiment, instance: &mut Instance, trace: &Trace) -> String {
    let ending = words::ending(&instance.cell, trace);
    let hops = trace.hops.iter().enumerate().map(|(number, hop)| Hop {
        from: hop.from.to_string(),
        to: hop.to.to_string(),
        class: 0,
        rule: hop.rule.id(),
        reason: words::reason(instance, trace, number),
    });
    written(&Route {
        experiment: experiment.to_string(),
        series: trace.algorithm.id,
        outcome: trace.outcome.id(),
        hops: hops.collect(),
        ending,
    })
}

/// `check`: `{experiment, series, acyclic, channels, dependencies, cycle: [{from, to, class}], connected, live,
/// exact_success, exact_length, closed_form, theorem}` of one algorithm; null where it cannot be computed. `cycle` is empty when
/// the graph is acyclic.
pub fn check(experiment: &Experiment, check: &Check) -> String {
    let graph = check.dependencies.as_ref();
    let channel = |&(from, to): &(NodeId, NodeId)| Channel { from: from.to_string(), to: to.to_string(), class: 0 };
    let cycle = |graph: &Dependencies| graph.cycle.as_deref().unwrap_or_default().iter().map(channel).collect();
    written(&Checked {
        experiment: experiment.to_string(),
        series: check.algorithm.id,
        acyclic: graph.map(|graph| graph.cycle.is_none()),
        channels: graph.map(|graph| graph.channels),
        dependencies: graph.map(|graph| graph.dependencies as u64),
        cycle: graph.map(cycle),
        connected: check.connectivity.as_ref().map(|found| found.connected),
        live: check.connectivity.as_ref().map(|found| found.live),
        exact_success: check.exact_success,
        exact_length: check.exact_length,
        closed_form: check.closed_form.map(|(share, _)| share),
        theorem: check.theorem,
    })
}

/// `papers`: `[{paper, item, cell, published, measured, ci95: [low, high], verdict, remark}]`, null where there is no
/// number.
pub fn papers(cells: &[PaperCell]) -> String {
    written(&cells.iter().map(Compared::new).collect::<Vec<_>>())
}

/// The text of a value made of strings, numbers and lists, which can always be written.
fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[derive(Serialize)]
struct Run {
    experiment: String,
    version: &'static str,
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    series: &'static str,
    x: Option<f64>,
    outcome: &'static str,
    metrics: InOrder,
    lengths: Vec<(u32, u64)>,
}

impl Point {
    fn new(point: &PointResult) -> Self {
        Self {
            series: point.algorithm.id,
            x: point.x,
            outcome: point.status.id(),
            metrics: InOrder(METRICS.iter().map(|metric| (metric.id, Measured::new(point.estimate(metric)))).collect()),
            lengths: point.tally.histogram(point.cell.distance()).collect(),
        }
    }
}

/// An object whose keys stay in this order.
struct InOrder(Vec<(&'static str, Measured)>);

impl Serialize for InOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, measured)| (name, measured)))
    }
}

/// Values that are not finite are written as null.
#[derive(Serialize)]
struct Measured {
    mean: Option<f64>,
    ci95: [Option<f64>; 2],
    n: u64,
}

impl Measured {
    fn new(estimate: Option<Estimate>) -> Self {
        Self {
            mean: estimate.map(|estimate| estimate.mean),
            ci95: [estimate.map(|estimate| estimate.low), estimate.map(|estimate| estimate.high)],
            n: estimate.map_or(0, |estimate| estimate.n),
        }
    }
}

#[derive(Serialize)]
struct Route {
    experiment: String,
    series: &'static str,
    outcome: &'static str,
    hops: Vec<Hop>,
    ending: String,
}

#[derive(Serialize)]
struct Hop {
    from: String,
    to: String,
    /// The virtual channel class; a single message needs only one.
    class: u8,
    rule: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct Checked {
    experiment: String,
    series: &'static str,
    acyclic: Option<bool>,
    channels: Option<u32>,
    dependencies: Option<u64>,
    cycle: Option<Vec<Channel>>,
    connected: Option<bool>,
    live: Option<u64>,
    exact_success: Option<f64>,
    exact_length: Option<f64>,
    closed_form: Option<f64>,
    theorem: Option<f64>,
}

#[derive(Serialize)]
struct Channel {
    from: String,
    to: String,
    class: u8,
}

#[derive(Serialize)]
struct Compared<'a> {
    paper: &'static str,
    item: &'static str,
    cell: &'a str,
    published: Option<f64>,
    measured: Option<f64>,
    ci95: Option<[f64; 2]>,
    verdict: &'static str,
    remark: &'a str,
}

impl<'a> Compared<'a> {
    fn new(cell: &'a PaperCell) -> Self {
        Self {
            paper: cell.paper,
            item: cell.item,
            cell: &cell.cell,
            published: cell.published,
            measured: cell.measured,
            ci95: cell.ci95,
            verdict: cell.verdict.id(),
            remark: &cell.remark,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::run as run_sweep;
    use serde_json::Value;

    #[test]
    fn run_has_its_shape_and_null_for_nothing() {
        let mut sweep = Sweep::new(&"net=cube:3&trials=1".parse().unwrap());
        let before: Value = serde_json::from_str(&run(&sweep)).unwrap();
        let success = &before["points"][0]["metrics"]["success"];
        assert_eq!((&success["mean"], &success["ci95"][1], &success["n"]), (&Value::Null, &Value::Null, &0.into()));
        run_sweep(&mut sweep);
        let after: Value = serde_json::from_str(&run(&sweep)).unwrap();
        let point = &after["points"][0];
        assert_eq!(after["experiment"], "v=1&net=cube:3&trials=1");
        assert_eq!((&point["x"], &point["outcome"]), (&Value::Null, &"out-of-budget".into()));
        // One message: its length has a mean and no bounds.
        let length = &point["metrics"]["length"];
        assert_eq!((&length["mean"], &length["ci95"][0]), (&3.0.into(), &Value::Null));
        assert_eq!(point["lengths"], serde_json::json!([[3, 1]]));
    }

    #[test]
    fn route_names_large_nodes_exactly() {
        let experiment: Experiment = "net=cube:64".parse().unwrap();
        let mut instance = Instance::new(&experiment);
        let trace = instance.traces[0].clone();
        let json: Value = serde_json::from_str(&route(&experiment, &mut instance, &trace)).unwrap();
        assert_eq!(json["outcome"], "delivered");
        assert_eq!(json["hops"][63]["to"], u64::MAX.to_string());
        assert!(json["hops"][0]["reason"].is_string() && json["hops"][0]["class"] == 0);
    }
}
