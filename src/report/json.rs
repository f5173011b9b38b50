//! JSON in the shapes that the command line documents. Numbers are the shortest that read back to the same bits.
//!
//! Every shape says what made it: `experiment`, the text, exact in every reader; `seed`, a number, which the text leaves
//! out where it is the default; `version`, that of Faultlab.

use serde::{Serialize, Serializer};

use super::check::{Check, Checks, Dependencies};
use super::mesh_check::{MeshChannel, MeshCheck, MeshChecks};
use super::words;
use crate::VERSION;
use crate::experiment::papers::PaperCell;
use crate::experiment::{Estimate, Experiment, Instance, Metric, PointResult, Sweep, Trace};
use crate::theory::{Obstacle, Relabelling};
use crate::topology::Link;
use crate::traffic::Pair;

/// `run`: `{experiment, seed, version, points: [{series, x, outcome, metrics: {name: {mean, ci95: [low, high], n}},
/// lengths: [[length, messages], ...]}]}`; of circuits also `setups: [[time, messages], ...]`, the setup times by upper ends
/// of buckets, and `utilization: [[up, down], ...]`, by dimension, each as a metric; of whole permutations `channels:
/// [[messages, channels], ...]`, how many channels so many messages cross.
///
/// `x` is null when nothing is varied, `mean` where no message tells, the ends of `ci95` where the interval is
/// unbounded.
pub fn run(sweep: &Sweep) -> String {
    let metrics = Metric::all(sweep.experiment().switching);
    let points = sweep.points().iter().map(|point| Point::new(point, metrics.clone()));
    written(&Run { made: Made::by(sweep.experiment()), points: points.collect() })
}

/// `route`: a line `{experiment, seed, version, series, outcome, hops: [{from, to, class, rule, reason}], ending}` for
/// each message of `instance`, which is of `experiment`.
///
/// `from` and `to` are decimal numbers in strings: JavaScript's numbers cannot hold them all.
pub fn routes(experiment: &Experiment, instance: &mut Instance) -> String {
    let traces = instance.traces.clone();
    traces.iter().map(|trace| route(experiment, instance, trace) + "\n").collect()
}

fn route(experiment: &Experiment, instance: &mut Instance, trace: &Trace) -> String {
    let ending = words::ending(&instance.cell, trace);
    let hops = trace.hops.iter().enumerate().map(|(number, hop)| Hop {
        from: hop.from.to_string(),
        to: hop.to.to_string(),
        class: 0,
        rule: hop.rule.id(),
        reason: words::reason(instance, trace, number),
    });
    written(&Route {
        made: Made::by(experiment),
        series: trace.algorithm.id,
        outcome: trace.outcome.id(),
        hops: hops.collect(),
        ending,
    })
}

/// `check`: a line `{experiment, seed, version, series, acyclic, channels, dependencies, cycle: [{from, to, class}], order:
/// [link], witnesses: [{from, to}], connected, live, exact_success, exact_length, closed_form, theorem, pairs, cut_off,
/// closed_form_pairs, taken, legal: [link], obstacles: [fault], disjoint: [[node]], relabelling: {exchange, flip, route,
/// cut_off}}` for each algorithm; null where it cannot be computed.
///
/// `cycle` and `witnesses` are empty when the graph is acyclic, `order` when it is not. A link is written as in experiments:
/// `24_1`.
pub fn checks(experiment: &Experiment, checks: &Checks) -> String {
    checks.algorithms.iter().map(|found| check(experiment, checks, found) + "\n").collect()
}

/// `check` of worms on a mesh: a line `{experiment, seed, version, series, classes, proved, acyclic, duato, channels, dependencies,
/// cycle: [{from, to, class}], order: [{from, to, class}], witnesses: [{from, to}], pairs, lost, circling, longest, detour}`
/// for each algorithm; null where it cannot be computed.
///
/// `pairs` are all ordered pairs of nodes that take part; `lost` and `circling` those whose messages may not arrive, by a dead
/// end or a livelock; `longest` and `detour` count hops. `duato` says of weakly adaptive routing whether Duato's condition holds.
pub fn mesh_checks(experiment: &Experiment, checks: &MeshChecks) -> String {
    let mesh = checks.faults.mesh();
    let channel = |channel: &MeshChannel| Channel {
        from: mesh.label(channel.from),
        to: mesh.neighbor(channel.from, channel.port).map(|to| mesh.label(to)).unwrap_or_default(),
        class: channel.class,
    };
    let ends = |pair: &Pair| Ends { from: mesh.label(pair.from), to: mesh.label(pair.to) };
    let line = |check: &MeshCheck| {
        let graph = check.graph.as_ref();
        let arrivals = graph.map(|graph| graph.arrivals);
        written(&MeshChecked {
            made: Made::by(experiment),
            series: check.algorithm.id,
            classes: check.classes,
            proved: check.proved,
            acyclic: graph.map(|graph| graph.cycle.is_empty()),
            duato: check.escape.as_ref().and_then(|escape| escape.found).map(|found| found.holds()),
            channels: graph.map(|graph| graph.channels),
            dependencies: graph.map(|graph| graph.dependencies as u64),
            cycle: graph.map(|graph| graph.cycle.iter().map(channel).collect()),
            order: graph.map(|graph| graph.order.iter().map(channel).collect()),
            witnesses: graph.map(|graph| graph.witnesses.iter().map(ends).collect()),
            pairs: arrivals.map(|found| found.pairs),
            lost: arrivals.map(|found| found.lost),
            circling: arrivals.map(|found| found.circling),
            longest: arrivals.map(|found| found.longest),
            detour: arrivals.map(|found| found.detour),
        }) + "\n"
    };
    checks.algorithms.iter().map(line).collect()
}

fn check(experiment: &Experiment, checks: &Checks, check: &Check) -> String {
    let graph = check.dependencies.as_ref();
    let permitted = check.permitted.as_ref();
    let channel = |link: &Link| Channel { from: link.from.to_string(), to: link.to().to_string(), class: 0 };
    let cycle = |graph: &Dependencies| graph.cycle.as_deref().unwrap_or_default().iter().map(channel).collect();
    let ends = |pair: &Pair| Ends { from: pair.from.to_string(), to: pair.to.to_string() };
    let obstacle = |obstacle: &Obstacle| match obstacle {
        Obstacle::Node(node) => node.to_string(),
        Obstacle::Link(link) => link.to_string(),
    };
    let counts = permitted.and_then(|permitted| permitted.pairs);
    let relabelling = checks.relabelling.filter(|_| permitted.is_some()).map(|found| {
        let Relabelling { exchange, flip, algorithm } = found.relabelling;
        Relabelled { exchange, flip: flip.to_string(), route: algorithm.id, cut_off: found.counts.cut_off }
    });
    written(&Checked {
        made: Made::by(experiment),
        series: check.algorithm.id,
        acyclic: graph.map(|graph| graph.cycle.is_none()),
        channels: graph.map(|graph| graph.channels),
        dependencies: graph.map(|graph| graph.dependencies as u64),
        cycle: graph.map(cycle),
        order: graph.map(|graph| texts(&graph.order)),
        witnesses: graph.map(|graph| graph.witnesses.iter().map(ends).collect()),
        connected: checks.connected,
        live: checks.connectivity.as_ref().map(|found| found.live),
        exact_success: check.exact_success,
        exact_length: check.exact_length,
        closed_form: check.closed_form.map(|(share, _)| share),
        theorem: check.theorem,
        pairs: counts.map(|counts| counts.live),
        cut_off: counts.map(|counts| counts.cut_off),
        closed_form_pairs: permitted.and_then(|permitted| permitted.affected).map(|affected| affected.pairs),
        taken: permitted.map(|permitted| permitted.taken.id),
        legal: permitted.map(|permitted| texts(&permitted.legal)),
        obstacles: permitted.and_then(|p| p.obstacles.as_ref()).map(|met| met.iter().map(obstacle).collect()),
        disjoint: permitted.and_then(|p| p.disjoint.as_ref()).map(|all| all.iter().map(|path| texts(path)).collect()),
        relabelling,
    })
}

/// Nodes, links: in words.
fn texts(list: &[impl ToString]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

/// `papers`: `[{paper, item, cell, published, measured, ci95: [low, high], verdict, remark, experiment, seed,
/// version}]`, null where there is no number.
pub fn papers(cells: &[PaperCell]) -> String {
    written(&cells.iter().map(Compared::new).collect::<Vec<_>>())
}

/// The text of a value made of strings, numbers and lists, which can always be written.
pub(super) fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What made the numbers.
#[derive(Serialize)]
pub(super) struct Made {
    experiment: String,
    seed: u64,
    version: &'static str,
}

impl Made {
    /// What made the numbers of `experiment`.
    pub(super) fn by(experiment: &Experiment) -> Self {
        Self { experiment: experiment.to_string(), seed: experiment.seed, version: VERSION }
    }
}

#[derive(Serialize)]
struct Run {
    #[serde(flatten)]
    made: Made,
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    series: &'static str,
    x: Option<f64>,
    outcome: &'static str,
    metrics: InOrder,
    lengths: Vec<(u32, u64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    channels: Vec<(f64, u64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    setups: Vec<(f64, u64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    latencies: Vec<(f64, u64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    utilization: Vec<[Measured; 2]>,
}

impl Point {
    fn new(point: &PointResult, metrics: impl Iterator<Item = &'static Metric>) -> Self {
        Self {
            series: point.algorithm.id,
            x: point.x,
            outcome: point.status.id(),
            metrics: InOrder(metrics.map(|metric| (metric.id, Measured::new(point.estimate(metric)))).collect()),
            lengths: super::csv::lengths_of(point),
            channels: point.congestion(),
            setups: point.setups(),
            latencies: point.latencies(),
            utilization: point.utilization().into_iter().map(|ways| ways.map(|way| Measured::new(Some(way)))).collect(),
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
    #[serde(flatten)]
    made: Made,
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
    #[serde(flatten)]
    made: Made,
    series: &'static str,
    acyclic: Option<bool>,
    channels: Option<u32>,
    dependencies: Option<u64>,
    cycle: Option<Vec<Channel>>,
    order: Option<Vec<String>>,
    witnesses: Option<Vec<Ends>>,
    connected: Option<bool>,
    live: Option<u64>,
    exact_success: Option<f64>,
    exact_length: Option<f64>,
    closed_form: Option<f64>,
    theorem: Option<f64>,
    pairs: Option<u64>,
    cut_off: Option<u64>,
    closed_form_pairs: Option<u64>,
    taken: Option<&'static str>,
    legal: Option<Vec<String>>,
    obstacles: Option<Vec<String>>,
    disjoint: Option<Vec<Vec<String>>>,
    relabelling: Option<Relabelled>,
}

#[derive(Serialize)]
struct MeshChecked {
    #[serde(flatten)]
    made: Made,
    series: &'static str,
    classes: u8,
    proved: bool,
    acyclic: Option<bool>,
    duato: Option<bool>,
    channels: Option<u32>,
    dependencies: Option<u64>,
    cycle: Option<Vec<Channel>>,
    order: Option<Vec<Channel>>,
    witnesses: Option<Vec<Ends>>,
    pairs: Option<u64>,
    lost: Option<u64>,
    circling: Option<u64>,
    longest: Option<u32>,
    detour: Option<u32>,
}

#[derive(Serialize)]
struct Ends {
    from: String,
    to: String,
}

#[derive(Serialize)]
struct Relabelled {
    exchange: Option<(u8, u8)>,
    flip: String,
    route: &'static str,
    cut_off: u64,
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
    #[serde(flatten)]
    made: Made,
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
            made: Made::by(&cell.experiment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{CubeCell, run as run_sweep};
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
        assert_eq!((&after["experiment"], &after["seed"]), (&"v=1&net=cube:3&trials=1".into(), &1.into()));
        assert_eq!((&point["x"], &point["outcome"]), (&Value::Null, &"out-of-budget".into()));
        // One message: its length has a mean and no bounds.
        let length = &point["metrics"]["length"];
        assert_eq!((&length["mean"], &length["ci95"][0]), (&3.0.into(), &Value::Null));
        assert_eq!(point["lengths"], serde_json::json!([[3, 1]]));
    }

    #[test]
    fn route_names_large_nodes_exactly() {
        let experiment: Experiment = "net=cube:64".parse().unwrap();
        let mut instance = Instance::new(&experiment, CubeCell::new(&experiment, None).unwrap());
        let json: Value = serde_json::from_str(&routes(&experiment, &mut instance)).unwrap();
        assert_eq!(json["outcome"], "delivered");
        assert_eq!(json["hops"][63]["to"], u64::MAX.to_string());
        assert!(json["hops"][0]["reason"].is_string() && json["hops"][0]["class"] == 0);
    }
}
