//! The same as CSV and JSON.

use super::{MeshChannel, WormCheck, WormChecks};
use crate::report::files::record::{Record, Value};
use crate::topology::Mesh;
use crate::traffic::Pair;

/// `check` of worms as CSV: a line for each algorithm; `duato` is of weakly adaptive routing; a cycle is its channels,
/// `FROM>TOcCLASS`, with blanks between.
pub(super) const COLUMNS: [&str; 13] = [
    "series",
    "classes",
    "proved",
    "acyclic",
    "channels",
    "dependencies",
    "cycle",
    "pairs",
    "lost",
    "circling",
    "longest",
    "detour",
    "duato",
];

/// `check` of worms as JSON: a line `{experiment, seed, version, series, classes, proved, acyclic, duato, channels, dependencies,
/// cycle: [{from, to, class}], order: [{from, to, class}], witnesses: [{from, to}], pairs, lost, circling, longest, detour}`
/// for each algorithm; null where it cannot be computed.
///
/// `pairs` are all ordered pairs of nodes that take part; `lost` and `circling` those whose messages may not arrive, by a dead
/// end or a livelock; `longest` and `detour` count hops. `duato` says of weakly adaptive routing whether Duato's condition holds.
pub(super) fn records(checks: &WormChecks) -> Vec<Record> {
    let mesh = checks.faults.mesh();
    checks.algorithms.iter().map(|check| record(mesh, check)).collect()
}

fn record(mesh: Mesh, check: &WormCheck) -> Record {
    let graph = check.graph.as_ref();
    let arrivals = graph.map(|graph| graph.arrivals);
    let channels = |channels: &[MeshChannel]| channels.iter().map(|&channel| named(mesh, channel)).collect::<Value>();
    let ends = |pair: &Pair| Record::default().with("from", mesh.label(pair.from)).with("to", mesh.label(pair.to));
    let cycle = graph.map(|graph| graph.cycle.as_slice()).unwrap_or_default();
    let short: Vec<_> = cycle.iter().map(|&channel| short(mesh, channel)).collect();
    Record::default()
        .with("series", &*check.algorithm.id)
        .with("classes", check.classes)
        .with("proved", check.proved)
        .with("acyclic", graph.map(|graph| graph.cycle.is_empty()))
        .with("duato", check.escape.as_ref().and_then(|escape| escape.found).map(|found| found.holds()))
        .with("channels", graph.map(|graph| graph.channels))
        .with("dependencies", graph.map(|graph| graph.dependencies))
        .with_field("cycle", graph.map(|graph| channels(&graph.cycle)), short.join(" "))
        .with("order", graph.map(|graph| channels(&graph.order)))
        .with("witnesses", graph.map(|graph| graph.witnesses.iter().map(ends).collect::<Value>()))
        .with("pairs", arrivals.map(|found| found.pairs))
        .with("lost", arrivals.map(|found| found.lost))
        .with("circling", arrivals.map(|found| found.circling))
        .with("longest", arrivals.map(|found| found.longest))
        .with("detour", arrivals.map(|found| found.detour))
}

/// The node that a channel leads to, as files name it.
fn to(mesh: Mesh, channel: MeshChannel) -> String {
    mesh.neighbor(channel.from, channel.port).map(|to| mesh.label(to)).unwrap_or_default()
}

fn named(mesh: Mesh, channel: MeshChannel) -> Record {
    let from = mesh.label(channel.from);
    Record::default().with("from", from).with("to", to(mesh, channel)).with("class", channel.class)
}

fn short(mesh: Mesh, channel: MeshChannel) -> String {
    format!("{}>{}c{}", mesh.label(channel.from), to(mesh, channel), channel.class)
}
