//! Results of a check on wormhole routing, in words.

use super::{ComponentCheck, MAX_OTHER_COMPONENTS, MeshEscape, WormCheck, WormChecks, WormGraph};
use crate as report;
use crate::wording::facts::{Fact, fact};
use crate::worm;
use crate::worm::busiest_channel::BusiestChannel;
use faultlab_core::fault::BlockFaults;
use faultlab_core::fault::block::{
    RegionForm, RegionKind, RingCounts, faulty_blocks, positions, positions_from_messages, positions_from_printed_table,
};
use faultlab_core::theory::{LivePaths, MAX_DEPENDENCY_NODES, MAX_DUATO_NODES};
use faultlab_core::topology::NodeId;

/// Returns the facts that hold on the mesh under every algorithm.
pub(super) fn network(checks: &WormChecks) -> Vec<Fact> {
    let faults = &checks.faults;
    let mesh = faults.mesh();
    let live = mesh.iter_nodes().filter(|&node| !faults.is_faulty(node)).count();
    let open: u32 = mesh.iter_nodes().map(|node| faults.open_ports(node).count_ones()).sum();
    let size = format!("{live} of {} nodes and {} of {} links are live", mesh.nodes(), open / 2, mesh.links());
    if mesh.is_cube() {
        let name = format!("{} dimensions", mesh.dimensions());
        return vec![fact("Hypercube", name, size), parts(checks)];
    }
    let mut facts = vec![fact(if mesh.is_torus() { "Torus" } else { "Mesh" }, mesh.to_string(), size)];
    facts.push(closure(faults));
    facts.push(regions(faults));
    let shared: Vec<_> = faults.shared_links().into_iter().map(|link| worm::wording::link(mesh, link)).collect();
    if !faults.regions().is_empty() {
        let (value, meaning) = match shared.as_slice() {
            [] if mesh.is_plane() => (
                "none overlap".to_owned(),
                "no two rings share a link, so two classes are enough for f-cube2".to_owned(),
            ),
            [] => ("none overlap".to_owned(), "no two rings share a link, in any plane".to_owned()),
            some => {
                let shared = report::wording::list_first(some, 6);
                (report::wording::count(some.len() as u32, "shared link"), format!("rings overlap on {shared}"))
            }
        };
        facts.push(fact("Overlap of rings", value, meaning));
        facts.push(sharing(faults));
        facts.push(formation(faults));
        facts.extend(TableOneResult::compute(faults).map(|found| table_1(&found)));
        if !mesh.is_plane() && !mesh.is_torus() {
            facts.push(block_fault(faults));
        }
    }
    facts.push(parts(checks));
    facts.extend(checks.live_paths.as_ref().map(live_paths));
    facts
}

/// Returns the fact on the rings that share a link or a node (section II.B).
fn sharing(faults: &BlockFaults) -> Fact {
    let (mesh, found) = (faults.mesh(), faults.ring_sharing());
    let n = u32::from(mesh.dimensions());
    let link =
        found.link.map_or((0, String::new()), |(count, link)| (count, worm::wording::link(mesh, link).to_string()));
    let node =
        found.node.map_or((0, String::new()), |(count, node)| (count, worm::wording::node(mesh, node).to_string()));
    let value = format!("{} at a link, {} at a node", link.0, node.0);
    let most = format!("the paper says at most n = {n} and 2n = {}", 2 * n);
    let exception = if n > 2 { " for valid block faults; 2(n-1) rings of others can share a link" } else { "" };
    let at = if link.0 > 0 { format!("the most rings at {} and at {}; ", link.1, node.1) } else { String::new() };
    fact("Rings per link and node", value, format!("{at}{most}{exception}"))
}

/// Returns the fact on the messages that form the rings (section II.C).
fn formation(faults: &BlockFaults) -> Fact {
    let (n, found) = (u32::from(faults.mesh().dimensions()), faults.formation_messages());
    let value = report::wording::count(u32::try_from(found.total).unwrap_or(u32::MAX), "message");
    let meaning = format!(
        "each live node tells its live neighbours in other dimensions about each of its faulty links; a node sends at \
         most {} and receives at most {}. The paper allows 4(n-1) = {} and 4n = {}",
        found.most_sent,
        found.most_received,
        4 * (n - 1),
        4 * n
    );
    fact("Formation of rings", value, meaning)
}

/// Returns the fact on the nodes that block closure added.
fn closure(faults: &BlockFaults) -> Fact {
    let mesh = faults.mesh();
    let rounds: Vec<_> = faults
        .rounds()
        .iter()
        .enumerate()
        .map(|(number, nodes)| {
            let nodes: Vec<_> = nodes.iter().map(|&node| worm::wording::node(mesh, node)).collect();
            format!("round {}: {}", number + 1, report::wording::list_first(&nodes, 8))
        })
        .collect();
    let added = faults.rounds().iter().map(Vec::len).sum::<usize>() as u32;
    let (what, why) = match faults.form() {
        RegionForm::Blocks => {
            ("Block closure", "nodes with faulty links in two dimensions, or without a live link, become faulty too")
        }
        RegionForm::Solid => {
            ("Solid closure", "nodes between two nodes of a region in a row or column become faulty too")
        }
        RegionForm::Any => ("Closure", "nodes with a faulty link beside another fault become faulty too"),
    };
    if added == 0 && faults.form() != RegionForm::Blocks {
        return fact(what, "adds nothing", "regions have the shape of the faults");
    }
    if added == 0 {
        return fact(
            what,
            "adds nothing",
            "no live node has faulty links in two dimensions: the faults already form rectangles in every plane",
        );
    }
    fact(what, report::wording::count(added, "more node"), format!("{why}; {}", rounds.join("; ")))
}

/// Returns the fact on the fault regions and the rings around them.
fn regions(faults: &BlockFaults) -> Fact {
    let of = |kind| faults.regions().iter().filter(|region| region.kind == kind).count() as u32;
    let (blocks, rows, columns) = (of(RegionKind::Nodes), of(RegionKind::ROW_LINKS), of(RegionKind::COLUMN_LINKS));
    let RingCounts { rings, chains, without_ring: without } = faults.ring_counts();
    let runs = faults.regions().len() as u32 - blocks;
    let parts = match faults.mesh().is_plane() {
        true => [(blocks, "node block"), (rows, "row-link run"), (columns, "column-link run")],
        false => [(blocks, "node block"), (runs, "link run"), (0, "")],
    };
    let parts: Vec<_> =
        parts.iter().filter(|part| part.0 > 0).map(|&(count, what)| report::wording::count(count, what)).collect();
    let mut around = format!(
        "{} and {}",
        report::wording::count(rings, "fault ring"),
        report::wording::count(chains, "fault chain")
    );
    if without > 0 {
        let regions = report::wording::count(without, "region");
        around.push_str(&format!("; {regions} without a ring, because the ring would meet itself around the torus"));
    }
    let meaning = if parts.is_empty() {
        "the network has no faults".into()
    } else {
        format!("{}; around them {around}", parts.join(", "))
    };
    fact("Fault regions", faults.regions().len().to_string(), meaning)
}

/// Returns the number of blocks after closure, if they form a valid block fault of more than two
/// dimensions (section VI); otherwise the reason.
pub(super) fn blocks(faults: &BlockFaults) -> Result<u32, String> {
    let mesh = faults.mesh();
    let nodes: Vec<_> = mesh.iter_nodes().filter(|&node| faults.is_faulty(node)).collect();
    let links: Vec<_> = faults.regions().iter().flat_map(|region| region.links.iter().copied()).collect();
    faulty_blocks(mesh, &nodes, &links).map(|blocks| blocks.len() as u32).map_err(|problem| problem.describe(mesh))
}

fn block_fault(faults: &BlockFaults) -> Fact {
    let what = "Valid block fault (section VI)";
    match blocks(faults) {
        Ok(blocks) => fact(what, "yes", report::wording::count(blocks, "faulty block")),
        Err(why) => fact(what, "no", why),
    }
}

/// Number of nodes on rings, and the nodes for which Table I gives wrong positions: as printed, and
/// corrected.
pub(super) struct TableOneResult {
    pub(super) on_rings: usize,
    pub(super) wrong: [Vec<NodeId>; 2],
}

impl TableOneResult {
    /// Compares Table I with the true positions; `None` without a ring on a plane.
    pub(super) fn compute(faults: &BlockFaults) -> Option<Self> {
        if faults.regions().is_empty() || !faults.mesh().is_plane() || !faults.are_boxes() {
            return None;
        }
        let live = || faults.mesh().iter_nodes().filter(|&node| !faults.is_faulty(node));
        let wrong = |by: fn(&BlockFaults, NodeId) -> Vec<_>| {
            live().filter(|&node| by(faults, node) != positions(faults, node)).collect()
        };
        let on_rings = live().filter(|&node| !positions(faults, node).is_empty()).count();
        Some(Self { on_rings, wrong: [wrong(positions_from_printed_table), wrong(positions_from_messages)] })
    }

    /// Returns the number of nodes for which Table I gives the right positions, as printed and
    /// corrected.
    pub(super) fn right(&self) -> [usize; 2] {
        [0, 1].map(|table| self.on_rings.saturating_sub(self.wrong[table].len()))
    }
}

/// Returns the fact on the positions that nodes find from their neighbours, by Table I as printed
/// and corrected.
fn table_1(found: &TableOneResult) -> Fact {
    let (on_rings, [printed, corrected]) = (found.on_rings, found.right());
    let value = format!("{printed} of {on_rings} nodes right");
    let meaning = format!(
        "nodes that find their positions on the rings by near-neighbour messages and Table I as printed, which misses \
         most sides of regions of width one; the corrected table is right for {corrected} of {on_rings}"
    );
    fact("Positions by Table I", value, meaning)
}

/// Returns the fact on the components of live nodes.
fn parts(checks: &WormChecks) -> Fact {
    let faults = &checks.faults;
    let live = faults.mesh().iter_nodes().filter(|&node| !faults.is_faulty(node)).count();
    let members = faults.members().count();
    let meaning = match faults.components() {
        0 => "no node is live".into(),
        1 => "all live nodes reach each other".to_owned(),
        _ => {
            let without = match checks.unchecked_components {
                0 => String::new(),
                count => {
                    format!(
                        ", except {count}: at most {MAX_OTHER_COMPONENTS} are, in up to {MAX_DEPENDENCY_NODES} nodes"
                    )
                }
            };
            let which = if faults.simulates_largest() { "the largest component" } else { "the selected component" };
            format!(
                "{which}, of {members} nodes, is simulated; {} nodes take no part, but components of two \
                 or more of them are checked{without}; the key component selects another one",
                live - members
            )
        }
    };
    fact("Components of live nodes", faults.components().to_string(), meaning)
}

/// Returns the fact on the shortest live paths, a bound for every routing.
fn live_paths(found: &LivePaths) -> Fact {
    let mean = |sum: u64| sum as f64 / found.pairs as f64;
    let value = format!("{:.2} hops on average", mean(found.hops));
    let meaning = format!(
        "no routing needs fewer, even if every node knows all faults: at most {}, and at most {} more than without \
         faults, {:.2} more on average. {} of {} pairs of live nodes are in the simulated component",
        report::wording::count(found.longest, "hop"),
        found.detour,
        mean(found.hops - found.distances),
        found.pairs,
        found.live_pairs
    );
    fact("Shortest live paths", value, meaning)
}

/// Returns the fact on the components that take no part in simulations; `None` if there are none of
/// two or more nodes.
fn other_components(check: &WormCheck) -> Option<Fact> {
    let all = &check.other_components;
    let good = all.iter().filter(|part| part.is_deadlock_free && part.undelivered == 0).count();
    let described = |part: &ComponentCheck| {
        let free = if part.is_deadlock_free { "proved free of deadlock" } else { "not proved free of deadlock" };
        let arrive = part.pairs - part.undelivered;
        format!("{} nodes, {free}, messages of {arrive} of {} pairs arrive", part.nodes, part.pairs)
    };
    let parts: Vec<_> = all.iter().map(described).collect();
    let value = format!("{good} of {} safe", all.len());
    (!all.is_empty()).then(|| fact("Other components", value, report::wording::list_first(&parts, 4)))
}

/// Returns the guarantee of an algorithm, without its sentence on tori if the network is another.
fn guarantee_here(checks: &WormChecks, check: &WormCheck) -> &'static str {
    let guarantee = check.algorithm.guarantee;
    match guarantee.split_once(" On tori ") {
        Some((on_meshes, _)) if !checks.faults.mesh().is_torus() => on_meshes,
        _ => guarantee,
    }
}

/// Returns the facts on one algorithm.
pub(super) fn algorithm_facts(checks: &WormChecks, check: &WormCheck) -> Vec<Fact> {
    // User-defined routings are in no paper.
    let covers = check.proved.map(|proved| if proved { "covers these faults" } else { "does not cover these faults" });
    let guarantee = covers.map(|covers| fact("Guarantee", covers, guarantee_here(checks, check)));
    let mut facts: Vec<_> = guarantee.into_iter().collect();
    let Some(graph) = &check.graph else {
        facts.push(fact("Channel dependency graph", "not built", ""));
        facts.push(deadlock(checks, check));
        return facts;
    };
    facts.push(dependencies(checks, graph));
    facts.extend(check.escape.iter().map(|escape| duato(checks, escape)));
    facts.push(deadlock(checks, check));
    facts.extend(arrivals(checks, graph));
    facts.extend(other_components(check));
    facts.extend(check.busiest.map(|found| busiest(checks, found)));
    facts
}

/// Returns the fact on the largest expected load of a channel.
fn busiest(checks: &WormChecks, found: BusiestChannel) -> Fact {
    let mesh = checks.faults.mesh();
    let channel = format!("{} {}", report::worm::wording::node(mesh, found.from), mesh.port_name(found.port));
    let over = if found.load > 1.0 { ", which exceeds its capacity" } else { "" };
    let meaning = format!(
        "expected share of time in which {channel} transmits a flit at this load, summed over all pairs{over}; no \
         other channel transmits more"
    );
    fact("Busiest channel", format!("{:.1}%", 100.0 * found.load), meaning)
}

/// Returns the fact on deadlocks.
fn deadlock(checks: &WormChecks, check: &WormCheck) -> Fact {
    let meaning = report::deadlock::meaning(&check.deadlock, checks.experiment.network);
    fact("Deadlock", report::deadlock::verdict_label(&check.deadlock), meaning)
}

fn dependencies(checks: &WormChecks, graph: &WormGraph) -> Fact {
    let what = "Channel dependency graph";
    let size =
        format!("{} channels, counting each class of a link, and {} dependencies", graph.channels, graph.dependencies);
    if graph.cycle.is_empty() {
        let first: Vec<_> = graph.order.iter().map(|&channel| checks.channel(channel)).take(5).collect();
        let meaning =
            format!("{size}. An order that makes every dependency point forward begins {}, ...", first.join(", "));
        return fact(what, "acyclic", meaning);
    }
    let cycle = report::wording::count(graph.cycle.len() as u32, "channel");
    let meaning =
        format!("{size}. A shortest cycle has {cycle}. Messages in a cycle may have other channels to take: see below");
    fact(what, "cyclic", meaning)
}

/// Returns the fact on Duato's condition: escape channels lead every message to its destination
/// without a cycle.
fn duato(checks: &WormChecks, escape: &MeshEscape) -> Fact {
    let what = "Duato's condition";
    let Some(found) = &escape.result else {
        return fact(what, "not checked", format!("the condition is checked for up to {MAX_DUATO_NODES} nodes"));
    };
    let classes = match escape.classes.as_slice() {
        [only] => format!("class c{only}"),
        [first, .., last] => format!("classes c{first} to c{last}"),
        [] => String::new(),
    };
    let size = format!("{} extended dependencies, including adaptive segments", found.dependencies);
    match (found.stranded, found.cycle) {
        (None, 0) => {
            let meaning = format!(
                "every message can reach its destination from every node on the way by {classes} alone. The escape \
                 channels have no dependency cycle ({size})"
            );
            fact(what, "holds", meaning)
        }
        (Some(stranded), _) => {
            let at = worm::wording::node(checks.faults.mesh(), stranded.node);
            let why = if stranded.waits {
                "it waits for no escape channel, only for adaptive ones"
            } else {
                "no channel leads to its destination"
            };
            fact(what, "fails", format!("a message {} can reach {at}, where {why}", checks.pair(stranded.pair)))
        }
        (None, cycle) => {
            let cycle = report::wording::count(cycle as u32, "channel");
            fact(what, "fails", format!("{size}; a shortest cycle of {classes} has {cycle}"))
        }
    }
}

fn arrivals(checks: &WormChecks, graph: &WormGraph) -> Vec<Fact> {
    let found = &graph.arrivals;
    let what = "Messages of all pairs";
    let of = format!("{} of {} pairs", found.lost + found.livelocked, found.pairs);
    let example = found.example().map(|pair| checks.pair(pair)).unwrap_or_default();
    let arrive = match (found.lost, found.livelocked) {
        (0, 0) => {
            fact(what, "all arrive", format!("{} pairs, on every route, without dead end or livelock", found.pairs))
        }
        (_, 0) => fact(
            what,
            format!("{} can be lost", found.lost),
            format!("{of} can reach a dead end, for example {example}"),
        ),
        _ => fact(
            what,
            format!("{} can be lost or circle", found.lost + found.livelocked),
            format!("{of} may not arrive, for example {example}"),
        ),
    };
    let detour = found.detoured.map(|pair| {
        format!("; the longest detour is {}, {}", report::wording::count(found.detour, "hop"), checks.pair(pair))
    });
    let longest = format!("over all pairs that arrive and all choices{}", detour.unwrap_or_default());
    vec![arrive, fact("Longest path", report::wording::count(found.longest, "hop"), longest)]
}
