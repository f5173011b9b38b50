//! Results of a check on wormhole routing as CSV and JSON.

use super::facts::{TableOneResult, blocks};
use super::load;
use super::{ComponentCheck, MeshChannel, MeshEscape, WormCheck, WormChecks};
use crate::cost;
use crate::deadlock;
use crate::files::record::{Record, Value};
use crate::worm::busiest_channel::BusiestChannel;
use faultlab_core::fault::BlockFaults;
use faultlab_core::fault::block::{PlaneFamily, Region, RegionKind};
use faultlab_core::theory::{EscapeViolation, LivePaths};
use faultlab_core::topology::{Link, Mesh, Network, NodeId};
use faultlab_core::traffic::Pair;

/// CSV columns of `check` for worms, which has a line for each algorithm. `duato` is for weakly
/// adaptive routing. Lists have blanks between their values; a cycle is the list of its channels,
/// `FROM>TOcCLASS`. `outer.name` is the field `name` of `outer` in JSON.
pub(super) const COLUMNS: [&str; 38] = [
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
    "deadlock_free",
    "because",
    "example",
    "detoured",
    "escape.classes",
    "escape.dependencies",
    "escape.cycle",
    "escape.stranded",
    "network.nodes",
    "network.live",
    "network.links",
    "network.live_links",
    "network.added",
    "network.rounds",
    "network.rings",
    "network.chains",
    "network.regions",
    "network.shared_links",
    "network.table_1",
    "network.blocks",
    "network.invalid",
    "network.components",
    "busiest.from",
    "busiest.to",
    "busiest.load",
];

/// Returns the records of `check` for worms, one for each algorithm. The JSON line is `{experiment,
/// seed, version, series, classes, proved, acyclic, duato, channels, dependencies, cycle: [{from,
/// to, class}], order: [{from, to, class}], witnesses: [{from, to}], pairs, lost, circling,
/// longest, detour, deadlock_free, because, deadlock: {verdict, proof, escape: [class], messages:
/// [{from, to, waits: [{from, to, channel, holder}]}], runs, text}, example: {from, to}, detoured:
/// {from, to}, escape: {classes: [class], dependencies, cycle, stranded: {from, to, at, waits}},
/// busiest: {from, to, load}, guarantee, other_components: [{nodes, deadlock_free, pairs, arrive}],
/// unchecked_components, network, cost}`; `cost` has the fields of `faultlab cost`.
///
/// Values that cannot be computed are null; so is `proved` for a user-defined routing, which is in
/// no paper. `deadlock_free` is true if proved, false if a run ends in a deadlock, null if
/// undecided; `because` is the reason. In `deadlock` the verdict is `proved free`, `deadlocks` or
/// `undecided`. `holder` is the number, from 1, of the message that holds the requested channel.
/// `text` is the run. The numbers of `escape` are those of Duato's condition.
///
/// `network` is `{nodes, live, links, live_links, added, rounds: [[node]], regions: [{kind, ring,
/// nodes: [node], links: [link]}], rings, chains, shared_links: [link], table_1: {nodes, printed,
/// corrected, printed_wrong: [node], corrected_wrong: [node]}, blocks, invalid, components,
/// members, ring_sharing: {link, node, link_bound, node_bound}, formation: {messages, sent,
/// received, sent_bound, received_bound}, live_paths: {hops, excess, longest, detour, pairs,
/// live_pairs}, offered_load: {share, flits_per_node, messages_per_node, length, capacity},
/// load_factor: {value, at_most, exact, messages, wires, flits_per_node, other_nodes, side:
/// [node]}}`, the same in every line:
///
/// - `rounds` are the `added` nodes that block closure adds.
/// - The kind of a region is `nodes`, `row-links`, `column-links` or, in more dimensions, `links`.
///   Its ring is `ring`, `chain` or, where a ring would meet itself around a torus, `none`.
/// - `rings` and `chains` count them. On a plane, a region that touches two opposite borders has
///   two chains.
/// - `table_1` counts the nodes on rings that find their positions.
/// - `blocks`, on meshes of more than two dimensions, are those of a valid block fault (section
///   VI); `invalid` is the reason if there is none.
///
/// - `ring_sharing` has the largest numbers of rings at a link and at a node, `formation` the
///   number of messages that form the rings and the most that a node sends and receives, each with
///   the paper's bounds. `live_paths` has the mean hops of shortest live paths; it is null without
///   faults.
/// - `offered_load` has the load as a share of capacity, the load that saturates the bisection, and
///   per node and cycle; it is null for listed messages.
/// - `load_factor` has the load factor of the traffic, the `value` of the cut from the nodes of
///   `side`, and an upper bound; it is null on large networks and without messages.
///
/// `unchecked_components` is the number of components of two or more live nodes that are neither
/// simulated nor among `other_components`.
///
/// `pairs` are all ordered pairs of participating nodes. `lost` and `circling` are those whose
/// messages may not arrive, because of a dead end or a livelock. `longest` and `detour` count hops.
/// `busiest` is the channel with the largest expected load, a share of time. `duato` is the verdict
/// on Duato's condition for weakly adaptive routing.
pub(super) fn records(checks: &WormChecks) -> Vec<Record> {
    let mesh = checks.faults.mesh();
    let all = |mesh, check: &WormCheck| {
        let others = check.other_components.iter().map(component).collect::<Value>();
        let cost = cost::record_for(&checks.experiment, &check.algorithm);
        record(mesh, check)
            .with("other_components", others)
            .with("unchecked_components", checks.unchecked_components)
            .with("cost", cost)
    };
    checks.algorithms.iter().map(|check| all(mesh, check).with("network", network(checks))).collect()
}

/// Returns the record of the network.
fn network(checks: &WormChecks) -> Record {
    let faults = &checks.faults;
    let mesh = faults.mesh();
    let nodes = |nodes: &[NodeId]| nodes.iter().map(|&node| mesh.format_node(node)).collect::<Value>();
    let links = |links: &[Link]| links.iter().map(|&link| mesh.format_link(link)).collect::<Value>();
    let live = mesh.iter_nodes().filter(|&node| !faults.is_faulty(node)).count();
    let open = mesh.iter_nodes().map(|node| faults.open_ports(node).count_ones()).sum::<u32>() / 2;
    let regions = faults.regions().iter();
    let counts = faults.ring_counts();
    let region = |region: &Region| {
        let kind = match region.kind {
            RegionKind::Nodes => "nodes",
            RegionKind::ROW_LINKS if mesh.is_plane() => "row-links",
            RegionKind::COLUMN_LINKS if mesh.is_plane() => "column-links",
            RegionKind::Links { .. } => "links",
        };
        let is_shut = || {
            PlaneFamily::all(mesh).any(|plane| region.meets_plane(plane) && faults.ring_overlaps_itself(region, plane))
        };
        let ring = match faults.is_chain(region) {
            _ if is_shut() => "none",
            true => "chain",
            false => "ring",
        };
        let made = Record::default().with("kind", kind).with("ring", ring);
        made.with("nodes", nodes(&region.nodes)).with("links", links(&region.links))
    };
    let table = TableOneResult::compute(faults).map(|found| {
        let [printed, corrected] = found.right();
        let counted = Record::default().with("nodes", found.on_rings).with("printed", printed);
        let counted = counted.with("corrected", corrected).with("printed_wrong", nodes(&found.wrong[0]));
        counted.with("corrected_wrong", nodes(&found.wrong[1]))
    });
    let blocks = (!mesh.is_plane() && !mesh.is_torus() && !mesh.is_cube() && !faults.regions().is_empty())
        .then(|| blocks(faults));
    let (blocks, invalid) = blocks.map_or((None, None), |found| (found.as_ref().ok().copied(), found.err()));
    let (shared, members) = (faults.shared_links(), faults.members().count());
    Record::default()
        .with("nodes", mesh.nodes())
        .with("live", live)
        .with("links", mesh.links())
        .with("live_links", open)
        .with("added", faults.rounds().iter().map(Vec::len).sum::<usize>())
        .with("rounds", faults.rounds().iter().map(|round| nodes(round)).collect::<Value>())
        .with("regions", regions.clone().map(region).collect::<Value>())
        .with("rings", counts.rings)
        .with("chains", counts.chains)
        .with("shared_links", links(&shared))
        .with("table_1", table)
        .with("blocks", blocks)
        .with("invalid", invalid)
        .with("components", faults.components())
        .with("members", members)
        .with("ring_sharing", ring_sharing(faults))
        .with("formation", formation(faults))
        .with("live_paths", checks.live_paths.as_ref().map(live_paths))
        .with("offered_load", load::offered_record(checks))
        .with("load_factor", checks.load_factor.as_ref().map(|found| load::record(checks, found)))
}

/// Returns the record of the largest numbers of rings that share a link and a node.
fn ring_sharing(faults: &BlockFaults) -> Record {
    let (found, n) = (faults.ring_sharing(), u32::from(faults.mesh().dimensions()));
    let count = |count: Option<u32>| count.unwrap_or(0);
    Record::default()
        .with("link", count(found.link.map(|(count, _)| count)))
        .with("node", count(found.node.map(|(count, _)| count)))
        .with("link_bound", n)
        .with("node_bound", 2 * n)
}

/// Returns the record of the messages that form the rings.
fn formation(faults: &BlockFaults) -> Record {
    let (found, n) = (faults.formation_messages(), u32::from(faults.mesh().dimensions()));
    Record::default()
        .with("messages", found.total)
        .with("sent", found.most_sent)
        .with("received", found.most_received)
        .with("sent_bound", 4 * n.saturating_sub(1))
        .with("received_bound", 4 * n)
}

/// Returns the record of the shortest live paths.
fn live_paths(found: &LivePaths) -> Record {
    let mean = |sum: u64| sum as f64 / found.pairs as f64;
    Record::default()
        .with("hops", mean(found.hops))
        .with("excess", mean(found.hops - found.distances))
        .with("longest", found.longest)
        .with("detour", found.detour)
        .with("pairs", found.pairs)
        .with("live_pairs", found.live_pairs)
}

/// Returns the record of an algorithm in a component that is not simulated.
fn component(part: &ComponentCheck) -> Record {
    Record::default()
        .with("nodes", part.nodes)
        .with("deadlock_free", part.is_deadlock_free)
        .with("pairs", part.pairs)
        .with("arrive", part.pairs - part.undelivered)
}

/// Returns the record of Duato's condition on the escape channels.
fn escape(mesh: Mesh, escape: &MeshEscape) -> Record {
    let found = escape.result;
    let stranded = |stranded: EscapeViolation| {
        pair_record(mesh, stranded.pair).with("at", mesh.format_node(stranded.node)).with("waits", stranded.waits)
    };
    Record::default()
        .with("classes", escape.classes.iter().copied().collect::<Value>())
        .with("dependencies", found.map(|found| found.dependencies))
        .with("cycle", found.map(|found| found.cycle))
        .with("stranded", found.and_then(|found| found.stranded).map(stranded))
}

fn pair_record(mesh: Mesh, pair: Pair) -> Record {
    Record::default().with("from", mesh.format_node(pair.from)).with("to", mesh.format_node(pair.to))
}

fn record(mesh: Mesh, check: &WormCheck) -> Record {
    let graph = check.graph.as_ref();
    let arrivals = graph.map(|graph| graph.arrivals);
    let channels =
        |channels: &[MeshChannel]| channels.iter().map(|&channel| channel_record(mesh, channel)).collect::<Value>();
    let ends = |pair| pair_record(mesh, pair);
    let network = mesh.cube().map_or(Network::Mesh(mesh), Network::Hypercube);
    let cycle = graph.map(|graph| graph.cycle.as_slice()).unwrap_or_default();
    let short: Vec<_> = cycle.iter().map(|&channel| short(mesh, channel)).collect();
    Record::default()
        .with("series", &*check.algorithm.id)
        .with("classes", check.classes)
        .with("proved", check.proved)
        .with("acyclic", graph.map(|graph| graph.cycle.is_empty()))
        .with("duato", check.escape.as_ref().and_then(|escape| escape.result).map(|found| found.holds()))
        .with("channels", graph.map(|graph| graph.channels))
        .with("dependencies", graph.map(|graph| graph.dependencies))
        .with_field("cycle", graph.map(|graph| channels(&graph.cycle)), short.join(" "))
        .with("order", graph.map(|graph| channels(&graph.order)))
        .with("witnesses", graph.map(|graph| graph.witnesses.iter().copied().map(ends).collect::<Value>()))
        .with("pairs", arrivals.map(|found| found.pairs))
        .with("lost", arrivals.map(|found| found.lost))
        .with("circling", arrivals.map(|found| found.livelocked))
        .with("longest", arrivals.map(|found| found.longest))
        .with("detour", arrivals.map(|found| found.detour))
        .with("deadlock_free", check.deadlock.is_free())
        .with("because", deadlock::sentence(&check.deadlock, network))
        .with("deadlock", deadlock::record(&check.deadlock, network))
        .with("example", arrivals.and_then(|found| found.example()).map(ends))
        .with("detoured", arrivals.and_then(|found| found.detoured).map(ends))
        .with("escape", check.escape.as_ref().map(|found| escape(mesh, found)))
        .with("busiest", check.busiest.map(|found| busiest(mesh, found)))
        .with("guarantee", check.algorithm.guarantee)
}

/// Returns the record of the channel with the largest expected load.
fn busiest(mesh: Mesh, found: BusiestChannel) -> Record {
    let to = mesh.neighbor(found.from, found.port).map(|to| mesh.format_node(to)).unwrap_or_default();
    Record::default().with("from", mesh.format_node(found.from)).with("to", to).with("load", found.load)
}

/// Returns the label in files of the node that a channel leads to.
fn to(mesh: Mesh, channel: MeshChannel) -> String {
    mesh.neighbor(channel.from, channel.port).map(|to| mesh.format_node(to)).unwrap_or_default()
}

fn channel_record(mesh: Mesh, channel: MeshChannel) -> Record {
    let from = mesh.format_node(channel.from);
    Record::default().with("from", from).with("to", to(mesh, channel)).with("class", channel.class)
}

fn short(mesh: Mesh, channel: MeshChannel) -> String {
    format!("{}>{}c{}", mesh.format_node(channel.from), to(mesh, channel), channel.class)
}
