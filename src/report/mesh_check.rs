//! What can be said exactly of wormhole routing on one mesh with its faults (Boppana & Chalasani sections II to IV).

use std::sync::Arc;

use super::facts::{Fact, fact};
use super::{words, worm_words};
use crate::experiment::{Cell, Experiment};
use crate::fault::BlockFaults;
use crate::fault::block::{RegionKind, positions, positions_from_messages, positions_from_printed_table};
use crate::routing::Algorithm;
use crate::theory::{ChannelId, MeshArrivals, MeshDependencies, mesh_channel_ends, mesh_witnesses};
use crate::topology::{NodeId, Port};
use crate::traffic::Pair;

/// What is proved of one mesh, and of each algorithm on it.
#[derive(Clone, Debug)]
pub struct MeshChecks {
    /// The mesh and its faults.
    pub faults: Arc<BlockFaults>,
    /// What is proved of each algorithm, in the order of the experiment.
    pub algorithms: Vec<MeshCheck>,
}

/// What is proved of one algorithm.
#[derive(Clone, Debug)]
pub struct MeshCheck {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// The classes of virtual channels that it needs.
    pub classes: u8,
    /// Whether the paper proves that it delivers and cannot deadlock on these faults.
    pub proved: bool,
    /// Its dependency graph and whether its messages arrive; `None` on meshes of more than 1024 nodes.
    pub graph: Option<MeshGraph>,
}

/// A channel dependency graph over classes of virtual channels.
#[derive(Clone, Debug)]
pub struct MeshGraph {
    /// The classes of all live channels.
    pub channels: u32,
    /// The dependencies between them.
    pub dependencies: usize,
    /// All of them in an order in which every dependency points forward; empty if there is a cycle.
    pub order: Vec<MeshChannel>,
    /// A shortest cycle; empty if there is none.
    pub cycle: Vec<MeshChannel>,
    /// For each channel of the cycle a message that holds it and may ask for the next.
    pub witnesses: Vec<Pair>,
    /// Whether messages arrive.
    pub arrivals: MeshArrivals,
}

/// One class of virtual channels of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshChannel {
    /// The node it leaves.
    pub from: NodeId,
    /// By which port.
    pub port: Port,
    /// The class.
    pub class: u8,
}

impl MeshChecks {
    /// Checks every algorithm of `experiment` on the faults it is watched with. `None` if its network is no mesh, or no such
    /// fault set is found. Cost: as [`MeshChecks::new`].
    pub fn of(experiment: &Experiment) -> Option<Self> {
        let faults = Cell::new(experiment, None).blocks(experiment.view.sample)?;
        Some(Self::new(faults, &experiment.routing))
    }

    /// Checks every algorithm of `routing` that has a way on meshes. Cost: up to a second each for 1024 nodes.
    pub fn new(faults: Arc<BlockFaults>, routing: &[&'static Algorithm]) -> Self {
        let algorithms = routing.iter().filter_map(|&algorithm| MeshCheck::new(&faults, algorithm)).collect();
        Self { faults, algorithms }
    }

    /// A channel as `(3,4) East c1`.
    pub fn channel(&self, channel: MeshChannel) -> String {
        let from = worm_words::node(self.faults.mesh(), channel.from);
        format!("{from} {} c{}", channel.port.name(), channel.class)
    }

    /// A pair as `(3,4) → (5,0)`.
    fn pair(&self, pair: Pair) -> String {
        let [from, to] = [pair.from, pair.to].map(|node| worm_words::node(self.faults.mesh(), node));
        format!("{from} → {to}")
    }

    /// The messages that realise the cycle of a graph, one sentence each; none if it has no cycle.
    pub fn witnesses(&self, graph: &MeshGraph) -> Vec<String> {
        let next = graph.cycle.iter().cycle().skip(1);
        let told = |(number, ((&held, &wanted), &pair)): (usize, ((&MeshChannel, &MeshChannel), &Pair))| {
            let (pair, held, wanted) = (self.pair(pair), self.channel(held), self.channel(wanted));
            format!("message {}, {pair}, holds {held} and waits for {wanted}", number + 1)
        };
        graph.cycle.iter().zip(next).zip(&graph.witnesses).enumerate().map(told).collect()
    }
}

impl MeshCheck {
    fn new(faults: &BlockFaults, algorithm: &'static Algorithm) -> Option<Self> {
        let routing = algorithm.worm?;
        let (mesh, classes) = (faults.mesh(), routing.classes());
        let channel = |channel: ChannelId| {
            let (from, port, class) = mesh_channel_ends(mesh, channel, classes);
            MeshChannel { from, port, class }
        };
        let live = |channel: &MeshChannel| faults.is_open(channel.from, channel.port);
        let graph = MeshDependencies::build(faults, routing).map(|built| {
            let graph = built.graph();
            let (order, cycle) = match graph.acyclic_order() {
                Ok(order) => (order.into_iter().map(channel).filter(live).collect(), None),
                Err(cycle) => (Vec::new(), Some(cycle)),
            };
            let open: u32 = mesh.all().map(|node| faults.open(node).count_ones()).sum();
            MeshGraph {
                channels: open * u32::from(classes),
                dependencies: graph.dependencies(),
                order,
                witnesses: cycle.as_ref().map(|cycle| mesh_witnesses(faults, routing, cycle)).unwrap_or_default(),
                cycle: cycle.map(|cycle| cycle.channels.into_iter().map(channel).collect()).unwrap_or_default(),
                arrivals: built.arrivals(),
            }
        });
        Some(Self { algorithm, classes, proved: routing.is_proved(faults), graph })
    }
}

/// What holds of the mesh, whatever the algorithm.
pub fn network(checks: &MeshChecks) -> Vec<Fact> {
    let faults = &checks.faults;
    let mesh = faults.mesh();
    let live = mesh.all().filter(|&node| !faults.is_faulty(node)).count();
    let open: u32 = mesh.all().map(|node| faults.open(node).count_ones()).sum();
    let size = format!("{live} of {} nodes and {} of {} links are live", mesh.nodes(), open / 2, mesh.links());
    let mut facts = vec![fact("Mesh", mesh.to_string(), size)];
    facts.push(closure(faults));
    facts.push(regions(faults));
    let shared: Vec<_> = faults.shared_links().into_iter().map(|link| worm_words::link(mesh, link)).collect();
    if !faults.regions().is_empty() {
        let (value, meaning) = match shared.as_slice() {
            [] => {
                ("none overlap".to_owned(), "no two rings share a link: two classes are enough for f-cube2".to_owned())
            }
            some => {
                let shared = words::several(some, 6);
                (words::count(some.len() as u32, "shared link"), format!("rings overlap on {shared}"))
            }
        };
        facts.push(fact("Overlap of rings", value, meaning));
        facts.push(table_1(faults));
    }
    facts.push(parts(faults));
    facts
}

/// What closure added.
fn closure(faults: &BlockFaults) -> Fact {
    let mesh = faults.mesh();
    let rounds: Vec<_> = faults
        .rounds()
        .iter()
        .enumerate()
        .map(|(number, nodes)| {
            let nodes: Vec<_> = nodes.iter().map(|&node| worm_words::node(mesh, node)).collect();
            format!("round {}: {}", number + 1, words::several(&nodes, 8))
        })
        .collect();
    let added = faults.rounds().iter().map(Vec::len).sum::<usize>() as u32;
    let what = "Block closure";
    if added == 0 {
        return fact(
            what,
            "adds nothing",
            "no live node has faulty links in both dimensions: the faults are rectangles as they are",
        );
    }
    let why = "nodes with faulty links in both dimensions, or with no live link, give up too";
    fact(what, words::count(added, "more node"), format!("{why}; {}", rounds.join("; ")))
}

/// Regions and what surrounds them.
fn regions(faults: &BlockFaults) -> Fact {
    let of = |kind| faults.regions().iter().filter(|region| region.kind == kind).count() as u32;
    let (blocks, rows, columns) = (of(RegionKind::Nodes), of(RegionKind::RowLinks), of(RegionKind::ColumnLinks));
    let chains = faults.regions().iter().filter(|region| faults.is_chain(region)).count() as u32;
    let rings = faults.regions().len() as u32 - chains;
    let parts = [(blocks, "node block"), (rows, "row-link run"), (columns, "column-link run")];
    let parts: Vec<_> =
        parts.iter().filter(|part| part.0 > 0).map(|&(count, what)| words::count(count, what)).collect();
    let around = format!("{} and {}", words::count(rings, "fault ring"), words::count(chains, "fault chain"));
    let meaning = if parts.is_empty() {
        "nothing is faulty".into()
    } else {
        format!("{}; around them {around}", parts.join(", "))
    };
    fact("Fault regions", faults.regions().len().to_string(), meaning)
}

/// What nodes find out from their neighbours, by Table I as printed and corrected.
fn table_1(faults: &BlockFaults) -> Fact {
    let live = || faults.mesh().all().filter(|&node| !faults.is_faulty(node));
    let on_rings = live().filter(|&node| !positions(faults, node).is_empty()).count();
    let wrong = |by: fn(&BlockFaults, NodeId) -> Vec<_>| {
        live().filter(|&node| by(faults, node) != positions(faults, node)).count()
    };
    let (printed, corrected) = (wrong(positions_from_printed_table), wrong(positions_from_messages));
    let value = format!("{} of {on_rings} nodes right", on_rings.saturating_sub(printed));
    let meaning = format!(
        "nodes that find their positions on the rings by near-neighbour messages and Table I as printed, which misses most \
         sides of regions one wide; by the corrected table {} of {on_rings}",
        on_rings.saturating_sub(corrected)
    );
    fact("Positions by Table I", value, meaning)
}

/// Whether the live nodes hang together.
fn parts(faults: &BlockFaults) -> Fact {
    let live = faults.mesh().all().filter(|&node| !faults.is_faulty(node)).count();
    let members = faults.members().count();
    let meaning = match faults.components() {
        0 => "no node is live".into(),
        1 => "every live node reaches every other".to_owned(),
        _ => format!("the largest, of {members} nodes, is simulated; {} nodes take no part", live - members),
    };
    fact("Components of live nodes", faults.components().to_string(), meaning)
}

/// What holds of one algorithm.
pub fn of(checks: &MeshChecks, check: &MeshCheck) -> Vec<Fact> {
    let proof = if check.proved { "covers these faults" } else { "does not cover these faults" };
    let mut facts = vec![fact("The paper's proof", proof, check.algorithm.guarantee)];
    let Some(graph) = &check.graph else {
        facts.push(fact("Channel dependency graph", "not built", "it is built for up to 1024 nodes"));
        return facts;
    };
    facts.push(dependencies(checks, graph));
    facts.extend(arrivals(checks, graph));
    facts
}

fn dependencies(checks: &MeshChecks, graph: &MeshGraph) -> Fact {
    let what = "Channel dependency graph";
    let size = format!(
        "{} channels, the classes of a link counting each, {} dependencies",
        graph.channels, graph.dependencies
    );
    if graph.cycle.is_empty() {
        let first: Vec<_> = graph.order.iter().map(|&channel| checks.channel(channel)).take(5).collect();
        let meaning = format!(
            "{size}: worms can never deadlock. An order in which every dependency points forward begins {}, ...",
            first.join(", ")
        );
        return fact(what, "acyclic", meaning);
    }
    let cycle = words::count(graph.cycle.len() as u32, "channel");
    fact(what, "cyclic", format!("{size}; a shortest cycle has {cycle}: worms can deadlock"))
}

fn arrivals(checks: &MeshChecks, graph: &MeshGraph) -> Vec<Fact> {
    let found = &graph.arrivals;
    let what = "Messages of all pairs";
    let of = format!("{} of {} pairs", found.lost + found.circling, found.pairs);
    let example = found.example.map(|pair| checks.pair(pair)).unwrap_or_default();
    let arrive = match (found.lost, found.circling) {
        (0, 0) => fact(
            what,
            "all arrive",
            format!("{} pairs, whichever way they take: no dead end, no livelock", found.pairs),
        ),
        (_, 0) => fact(
            what,
            format!("{} can be lost", found.lost),
            format!("{of} can come where faults leave no way on, {example} for one"),
        ),
        _ => fact(
            what,
            format!("{} can be lost or circle", found.lost + found.circling),
            format!("{of}, {example} for one"),
        ),
    };
    let detour = found
        .detoured
        .map(|pair| format!("; the longest detour is {}, {}", words::count(found.detour, "hop"), checks.pair(pair)));
    let longest = format!("over all pairs that arrive and all choices{}", detour.unwrap_or_default());
    vec![arrive, fact("Longest journey", words::count(found.longest, "hop"), longest)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing;
    use crate::topology::Mesh;

    fn checks(size: (u16, u16), nodes: &str, ids: &[&str]) -> MeshChecks {
        let mesh = Mesh::new(size.0, size.1).unwrap();
        let nodes: Vec<_> = nodes.split(',').filter_map(|text| mesh.parse_node(text)).collect();
        let routing: Vec<_> = ids.iter().map(|id| routing::find(id).unwrap()).collect();
        MeshChecks::new(Arc::new(BlockFaults::new(mesh, &nodes, &[])), &routing)
    }

    #[test]
    fn a_proof_has_its_order_and_a_counterexample_its_messages() {
        let checks = checks((8, 8), "3.3,3.4,4.3,4.4", &["f-cube2", "f-cube2-either", "sidetracking"]);
        let [proved, unsafe_one] = checks.algorithms.as_slice() else { panic!("sidetracking has no way on meshes") };
        let graph = proved.graph.as_ref().unwrap();
        assert!(proved.proved && graph.cycle.is_empty() && graph.order.len() as u32 == graph.channels);
        let graph = unsafe_one.graph.as_ref().unwrap();
        assert!(!unsafe_one.proved && !graph.cycle.is_empty() && graph.order.is_empty());
        assert_eq!(checks.witnesses(graph).len(), graph.cycle.len());
        for facts in [network(&checks), of(&checks, proved), of(&checks, unsafe_one)] {
            for fact in facts {
                println!("{}: {}; {}", fact.what, fact.value, fact.meaning);
            }
        }
    }
}
