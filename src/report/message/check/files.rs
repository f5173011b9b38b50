//! The same as CSV and JSON.

use super::{Check, Checks, Dependencies};
use crate::report::files::record::{Record, Value};
use crate::theory::{Obstacle, Relabelling};
use crate::topology::{Link, NodeId};
use crate::traffic::Pair;

/// `check` as CSV: a line for each algorithm; a cycle is its channels, `FROM>TO`, with blanks between, `disjoint` the number of
/// disjoint paths.
pub(super) const COLUMNS: [&str; 15] = [
    "series",
    "acyclic",
    "channels",
    "dependencies",
    "cycle",
    "connected",
    "live",
    "exact_success",
    "exact_length",
    "closed_form",
    "theorem",
    "pairs",
    "cut_off",
    "closed_form_pairs",
    "disjoint",
];

/// `check` as JSON: a line `{experiment, seed, version, series, acyclic, channels, dependencies, cycle: [{from, to, class}],
/// order: [link], witnesses: [{from, to}], connected, live, exact_success, exact_length, closed_form, theorem, pairs, cut_off,
/// closed_form_pairs, taken, legal: [link], obstacles: [fault], disjoint: [[node]], relabelling: {exchange, flip, route,
/// cut_off}}` for each algorithm; null where it cannot be computed.
///
/// `cycle` and `witnesses` are empty when the graph is acyclic, `order` when it is not. A link is written as in experiments:
/// `24_1`.
pub(super) fn records(checks: &Checks) -> Vec<Record> {
    checks.algorithms.iter().map(|check| record(checks, check)).collect()
}

fn record(checks: &Checks, check: &Check) -> Record {
    let permitted = check.permitted.as_ref();
    let counts = permitted.and_then(|permitted| permitted.pairs);
    let disjoint = permitted.and_then(|permitted| permitted.disjoint.as_ref());
    let paths =
        |all: &Vec<Vec<NodeId>>| all.iter().map(|path| path.iter().copied().collect::<Value>()).collect::<Value>();
    let number = disjoint.map_or(String::new(), |paths| paths.len().to_string());
    let obstacles = permitted.and_then(|permitted| permitted.obstacles.as_ref());
    graph(Record::default().with("series", &*check.algorithm.id), check.dependencies.as_ref())
        .with("connected", checks.connected)
        .with("live", checks.connectivity.as_ref().map(|found| found.live))
        .with("exact_success", check.exact_success)
        .with("exact_length", check.exact_length)
        .with("closed_form", check.closed_form.map(|(share, _)| share))
        .with("theorem", check.theorem)
        .with("pairs", counts.map(|counts| counts.live))
        .with("cut_off", counts.map(|counts| counts.cut_off))
        .with("closed_form_pairs", permitted.and_then(|permitted| permitted.affected).map(|affected| affected.pairs))
        .with("taken", permitted.map(|permitted| &*permitted.taken.id))
        .with("legal", permitted.map(|permitted| permitted.legal.iter().copied().collect::<Value>()))
        .with("obstacles", obstacles.map(|met| met.iter().copied().collect::<Value>()))
        .with_field("disjoint", disjoint.map(paths), number)
        .with(
            "relabelling",
            permitted
                .and(checks.relabelling.as_ref())
                .map(|found| relabelling(&found.relabelling, found.counts.cut_off)),
        )
}

/// Adds what is found of the dependency graph.
fn graph(record: Record, graph: Option<&Dependencies>) -> Record {
    let cycle = graph.and_then(|graph| graph.cycle.as_deref()).unwrap_or_default();
    let short: Vec<_> = cycle.iter().map(|link| format!("{}>{}", link.from, link.to())).collect();
    let channel = |link: &Link| Record::default().with("from", link.from).with("to", link.to()).with("class", 0u8);
    let ends = |pair: &Pair| Record::default().with("from", pair.from).with("to", pair.to);
    record
        .with("acyclic", graph.map(|graph| graph.cycle.is_none()))
        .with("channels", graph.map(|graph| graph.channels))
        .with("dependencies", graph.map(|graph| graph.dependencies))
        .with_field("cycle", graph.map(|_| cycle.iter().map(channel).collect::<Value>()), short.join(" "))
        .with("order", graph.map(|graph| graph.order.iter().copied().collect::<Value>()))
        .with("witnesses", graph.map(|graph| graph.witnesses.iter().map(ends).collect::<Value>()))
}

fn relabelling(labels: &Relabelling, cut_off: u64) -> Record {
    let exchange = labels.exchange.map(|(a, b)| [a, b].into_iter().collect::<Value>());
    Record::default()
        .with("exchange", exchange)
        .with("flip", labels.flip.to_string())
        .with("route", &*labels.algorithm.id)
        .with("cut_off", cut_off)
}

impl From<Obstacle> for Value {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Node(node) => node.into(),
            Obstacle::Link(link) => link.into(),
        }
    }
}
