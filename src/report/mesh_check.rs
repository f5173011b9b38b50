//! What can be said exactly of wormhole routing on one mesh with its faults (Boppana & Chalasani sections II to IV).

use std::sync::Arc;

use super::facts::{Fact, fact};
use super::{words, worm_words};
use crate::experiment::{Cell, Experiment};
use crate::fault::BlockFaults;
use crate::fault::block::{
    RegionKind, faulty_blocks, positions, positions_from_messages, positions_from_printed_table,
};
use crate::routing::{Algorithm, WormRouting};
use crate::theory::{
    ChannelId, ExtendedDependencies, MAX_DUATO_NODES, MeshArrivals, MeshDependencies, Stranded, mesh_channel_ends,
    mesh_witnesses,
};
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
    /// Of weakly adaptive routing, what Duato's condition asks of its escape channels.
    pub escape: Option<MeshEscape>,
    /// Whether it keeps an order in who waits for whom, see [`WormRouting::is_ranked`].
    pub is_ranked: bool,
}

/// Duato's condition on the escape channels of weakly adaptive routing.
#[derive(Clone, Debug)]
pub struct MeshEscape {
    /// The escape classes, ascending.
    pub classes: Vec<u8>,
    /// Whether and why it holds; `None` on meshes of more than [`MAX_DUATO_NODES`] nodes.
    pub found: Option<MeshDuato>,
}

/// What was found of escape channels.
#[derive(Clone, Copy, Debug)]
pub struct MeshDuato {
    /// The extended dependencies.
    pub dependencies: usize,
    /// The channels of a shortest cycle of them; 0 if there is none.
    pub cycle: usize,
    /// A message that they fail, if there is one.
    pub stranded: Option<Stranded>,
}

impl MeshDuato {
    /// Whether escape channels lead every message to its destination, and wait in no circle.
    pub fn holds(&self) -> bool {
        self.cycle == 0 && self.stranded.is_none()
    }
}

impl MeshEscape {
    /// `None` of a routing without adaptive classes. Cost: as [`ExtendedDependencies::build`].
    fn new(faults: &BlockFaults, routing: &dyn WormRouting) -> Option<Self> {
        let mesh = faults.mesh();
        let escape = |class: &u8| routing.is_escape(mesh, *class);
        let all = routing.classes(mesh);
        let classes: Vec<_> = (0..all).filter(escape).collect();
        let found = || {
            let built = ExtendedDependencies::build(faults, routing)?;
            let graph = built.graph();
            let cycle = graph.acyclic_order().err().map_or(0, |cycle| cycle.channels.len());
            Some(MeshDuato { dependencies: graph.dependencies(), cycle, stranded: built.stranded() })
        };
        (classes.len() < usize::from(all)).then(|| Self { classes, found: found() })
    }
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

    /// A channel as `(3,4) East c1`, of a hypercube `1010 3+ c0`.
    pub fn channel(&self, channel: MeshChannel) -> String {
        let from = worm_words::node(self.faults.mesh(), channel.from);
        format!("{from} {} c{}", self.faults.mesh().port_name(channel.port), channel.class)
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
        let routing = algorithm.worm.filter(|worm| worm.wants(faults.mesh()).is_none())?;
        let (mesh, classes) = (faults.mesh(), routing.classes(faults.mesh()));
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
        Some(Self {
            algorithm,
            classes,
            proved: routing.is_proved(faults),
            graph,
            escape: MeshEscape::new(faults, routing),
            is_ranked: routing.is_ranked(),
        })
    }
}

/// What holds of the mesh, whatever the algorithm.
pub fn network(checks: &MeshChecks) -> Vec<Fact> {
    let faults = &checks.faults;
    let mesh = faults.mesh();
    let live = mesh.all().filter(|&node| !faults.is_faulty(node)).count();
    let open: u32 = mesh.all().map(|node| faults.open(node).count_ones()).sum();
    let size = format!("{live} of {} nodes and {} of {} links are live", mesh.nodes(), open / 2, mesh.links());
    if mesh.is_cube() {
        let name = format!("{} dimensions", mesh.dimensions());
        return vec![fact("Hypercube", name, size), parts(faults)];
    }
    let mut facts = vec![fact("Mesh", mesh.to_string(), size)];
    facts.push(closure(faults));
    facts.push(regions(faults));
    let shared: Vec<_> = faults.shared_links().into_iter().map(|link| worm_words::link(mesh, link)).collect();
    if !faults.regions().is_empty() {
        let (value, meaning) = match shared.as_slice() {
            [] if mesh.is_plane() => {
                ("none overlap".to_owned(), "no two rings share a link: two classes are enough for f-cube2".to_owned())
            }
            [] => ("none overlap".to_owned(), "no two rings share a link, in any plane".to_owned()),
            some => {
                let shared = words::several(some, 6);
                (words::count(some.len() as u32, "shared link"), format!("rings overlap on {shared}"))
            }
        };
        facts.push(fact("Overlap of rings", value, meaning));
        if mesh.is_plane() {
            facts.push(table_1(faults));
        } else if !mesh.is_torus() {
            facts.push(block_fault(faults));
        }
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
            "no live node has faulty links in two dimensions: the faults are rectangles in every plane as they are",
        );
    }
    let why = "nodes with faulty links in two dimensions, or with no live link, give up too";
    fact(what, words::count(added, "more node"), format!("{why}; {}", rounds.join("; ")))
}

/// Regions and what surrounds them.
fn regions(faults: &BlockFaults) -> Fact {
    let of = |kind| faults.regions().iter().filter(|region| region.kind == kind).count() as u32;
    let (blocks, rows, columns) = (of(RegionKind::Nodes), of(RegionKind::ROW_LINKS), of(RegionKind::COLUMN_LINKS));
    let chains = faults.regions().iter().filter(|region| faults.is_chain(region)).count() as u32;
    let rings = faults.regions().len() as u32 - chains;
    let runs = faults.regions().len() as u32 - blocks;
    let parts = match faults.mesh().is_plane() {
        true => [(blocks, "node block"), (rows, "row-link run"), (columns, "column-link run")],
        false => [(blocks, "node block"), (runs, "run of links in a plane"), (0, "")],
    };
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

/// Whether what closure leaves is a valid block fault of more than two dimensions (section VI).
fn block_fault(faults: &BlockFaults) -> Fact {
    let mesh = faults.mesh();
    let nodes: Vec<_> = mesh.all().filter(|&node| faults.is_faulty(node)).collect();
    let links: Vec<_> = faults.regions().iter().flat_map(|region| region.links.iter().copied()).collect();
    let what = "Valid block fault (section VI)";
    match faulty_blocks(mesh, &nodes, &links) {
        Ok(blocks) => fact(what, "yes", words::count(blocks.len() as u32, "faulty block")),
        Err(problem) => fact(what, "no", problem.told(mesh)),
    }
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
    facts.push(dependencies(checks, graph, check));
    facts.extend(check.escape.iter().map(|escape| duato(checks, escape)));
    facts.extend(arrivals(checks, graph));
    facts
}

fn dependencies(checks: &MeshChecks, graph: &MeshGraph, check: &MeshCheck) -> Fact {
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
    let so = match &check.escape {
        Some(_) => "no harm if there is always an escape, see below",
        None if check.is_ranked => {
            "no harm, as a message waits only for those of more reversals, and else takes to dimension order for good or \
             is lost: worms can never deadlock"
        }
        None => "worms can deadlock",
    };
    fact(what, "cyclic", format!("{size}; a shortest cycle has {cycle}: {so}"))
}

/// Whether escape channels keep worms from deadlocks.
fn duato(checks: &MeshChecks, escape: &MeshEscape) -> Fact {
    let what = "Duato's condition";
    let Some(found) = &escape.found else {
        return fact(what, "not checked", format!("it is for up to {MAX_DUATO_NODES} nodes"));
    };
    let classes = match escape.classes.as_slice() {
        [only] => format!("class c{only}"),
        [first, .., last] => format!("classes c{first} to c{last}"),
        [] => String::new(),
    };
    let size = format!("{} extended dependencies, adaptive stretches included", found.dependencies);
    match (found.stranded, found.cycle) {
        (None, 0) => {
            let meaning = format!(
                "from wherever a message is {classes} alone can bring it home, and no escape channel waits for itself in a circle \
                 ({size}): worms can never deadlock"
            );
            fact(what, "holds", meaning)
        }
        (Some(stranded), _) => {
            let at = worm_words::node(checks.faults.mesh(), stranded.node);
            let why = if stranded.waits {
                "no escape channel is left: it waits for adaptive channels alone, and worms can deadlock"
            } else {
                "no channel leads it home"
            };
            fact(what, "fails", format!("a message {} can come to {at}, where {why}", checks.pair(stranded.pair)))
        }
        (None, cycle) => {
            let cycle = words::count(cycle as u32, "channel");
            fact(what, "fails", format!("{size}; a shortest cycle of {classes} has {cycle}: worms can deadlock"))
        }
    }
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

    #[test]
    fn weak_algorithms_are_judged_by_their_escape() {
        let mesh = Mesh::new(6, 6).unwrap();
        let link = mesh.parse_link("2.2-2.3").unwrap();
        let routing = ["weak", "weak-f-cube4", "f-cube4"].map(|id| routing::find(id).unwrap());
        let checks = MeshChecks::new(Arc::new(BlockFaults::new(mesh, &[], &[link])), &routing);
        let verdicts: Vec<_> = checks.algorithms.iter().map(|check| of(&checks, check)).collect();
        let of = |place: usize, what: &str| verdicts[place].iter().find(|fact| fact.what == what);
        let duato = |place| of(place, "Duato's condition").map(|fact| fact.value.clone());
        assert_eq!([0, 1, 2].map(duato), [Some("fails".into()), Some("holds".into()), None]);
        assert!(of(0, "Duato's condition").unwrap().meaning.contains("it waits for adaptive channels alone"));
        assert!([0, 1].iter().all(|&place| of(place, "Channel dependency graph").unwrap().value == "cyclic"));

        // What keeps an order in who waits for whom has circles of channels, and needs no escape.
        let ranked = MeshChecks::new(checks.faults.clone(), &[routing::find("dr-dynamic").unwrap()]);
        let facts = super::of(&ranked, &ranked.algorithms[0]);
        let graph = facts.iter().find(|fact| fact.what == "Channel dependency graph").unwrap();
        assert!(graph.value == "cyclic" && graph.meaning.contains("worms can never deadlock"));
        assert!(facts.iter().all(|fact| fact.what != "Duato's condition"));
    }
}
