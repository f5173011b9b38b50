//! Theorems, checked for every link, node and pair of small hypercubes.

use super::{PAPER, exact};
use crate::{Item, PaperValue};
use faultlab_core::fault::Faults;
use faultlab_core::routing::{self, Header, Position};
use faultlab_core::theory::{self, ChannelId, DependencyGraph, FaultSet, FreeLinks, Relabelling};
use faultlab_core::topology::{Hypercube, Link, NodeId, set_dimensions};
use faultlab_core::traffic::Pair;

pub(super) const THEOREMS: Item = Item {
    paper: &PAPER,
    id: "chiu-theorems",
    title: "Theorems, for every link, node and pair in cubes of up to five dimensions",
    about: "Each closed form is compared with a count over all permitted paths, each construction with its stated \
            property; an order of the channels shows deadlock freedom. There are no exceptions. The rules that the \
            paper forbids, any minimal path and a mix of UP and DP, do have cycles.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item)),
};

/// Dimension of the largest hypercube to check.
const MOST: u8 = 5;

/// Single fault.
#[derive(Clone, Copy)]
pub(super) enum SingleFault {
    Node(NodeId),
    Link(Link),
}

impl Faults for SingleFault {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        matches!(self, Self::Node(faulty) if *faulty == node)
    }

    fn has_link_faults(&self) -> bool {
        matches!(self, Self::Link(_))
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        matches!(self, Self::Link(faulty) if *faulty == link)
    }
}

/// Number of checked cases, and of exceptions among them.
#[derive(Default)]
struct CheckCounts {
    cases: u64,
    exceptions: u64,
}

impl CheckCounts {
    fn note(&mut self, holds: Option<bool>) {
        self.cases += 1;
        self.exceptions += u64::from(holds != Some(true));
    }
}

fn cubes() -> impl Iterator<Item = Hypercube> {
    (2..=MOST).filter_map(Hypercube::new)
}

fn nodes(cube: Hypercube) -> impl Iterator<Item = NodeId> {
    (0..=cube.mask()).map(NodeId)
}

fn links(cube: Hypercube) -> impl Iterator<Item = Link> {
    nodes(cube).flat_map(move |from| (0..cube.dimension()).map(move |dim| Link { from, dim }))
}

/// Returns the number of pairs that one fault cuts off under the algorithm called `id`.
fn cut(cube: Hypercube, mut fault: SingleFault, id: &str) -> Option<u64> {
    Some(theory::cut_off(cube, &mut fault, &*routing::find(id).ok()?)?.counts().cut_off)
}

fn check_links(id: &str, formula: fn(Hypercube, Link) -> Option<u64>) -> CheckCounts {
    let mut found = CheckCounts::default();
    for cube in cubes() {
        for link in links(cube) {
            if let Some(pairs) = formula(cube, link) {
                found.note(cut(cube, SingleFault::Link(link), id).map(|cut| cut == pairs));
            }
        }
    }
    found
}

fn check_nodes(id: &str, formula: fn(Hypercube, NodeId) -> Option<u64>) -> CheckCounts {
    let mut found = CheckCounts::default();
    for cube in cubes() {
        for node in nodes(cube) {
            let ends = theory::with_ends(cube, 0);
            let counted = cut(cube, SingleFault::Node(node), id).zip(ends).map(|(transit, ends)| transit + ends);
            found.note(counted.map(|counted| formula(cube, node) == Some(counted)));
        }
    }
    found
}

/// Checks Theorem 4: the paths of its proof are permitted, node-disjoint and maximal in number.
///
/// The maximum is the number of nodes from which a permitted path can reach the destination.
fn disjoint() -> CheckCounts {
    let mut found = CheckCounts::default();
    for cube in cubes() {
        for from in nodes(cube) {
            for to in nodes(cube).filter(|&to| to != from) {
                found.note(pair_is_disjoint(cube, Pair { from, to }));
            }
        }
    }
    found
}

fn pair_is_disjoint(cube: Hypercube, ends: Pair) -> Option<bool> {
    let criterion = routing::find("up").ok()?.criterion()?;
    let paths = theory::disjoint_paths(cube, ends, FreeLinks::Up)?;
    let count = theory::disjoint_count(cube, ends, FreeLinks::Up)?;
    // The inner nodes of a path fit one word, since the hypercubes are small.
    let inner = |path: &Vec<NodeId>| {
        path.iter().filter(|&&node| !ends.contains(node)).fold(0u64, |set, node| set | 1 << node.0)
    };
    let sets: Vec<u64> = paths.iter().map(inner).collect();
    let apart =
        sets.iter().fold(0, |all, set| all | set).count_ones() == sets.iter().map(|set| set.count_ones()).sum::<u32>();
    let permitted = paths.iter().all(|path| theory::is_permitted(&criterion, path));
    let (mut seen, mut last, mut rest) = (0u64, 0u64, vec![ends.from]);
    while let Some(here) = rest.pop() {
        if seen >> here.0 & 1 == 1 {
            continue;
        }
        seen |= 1 << here.0;
        let at = Position { here, wrong: here.0 ^ ends.to.0, header: Header::default() };
        let (low, free) = criterion.legal(at);
        for next in set_dimensions(low | free).map(|dim| cube.neighbor(here, dim)) {
            match next == ends.to {
                true => last |= 1 << here.0,
                false => rest.push(next),
            }
        }
    }
    Some(apart && permitted && paths.len() as u64 == u64::from(count) && last.count_ones() == count)
}

fn relabelled_links() -> CheckCounts {
    let mut found = CheckCounts::default();
    for cube in cubes() {
        for link in links(cube) {
            let counts = Relabelling::for_link(cube, link)
                .and_then(|new| theory::relabelled_cut_off(cube, &mut SingleFault::Link(link), &new));
            found.note(counts.map(|cut| cut.counts().cut_off == 1));
        }
    }
    found
}

fn relabelled_nodes() -> CheckCounts {
    let mut found = CheckCounts::default();
    for cube in cubes() {
        for node in nodes(cube) {
            let counts = Relabelling::for_node(cube, node)
                .and_then(|new| theory::relabelled_cut_off(cube, &mut SingleFault::Node(node), &new));
            found.note(counts.map(|cut| cut.counts().cut_off == 0));
        }
    }
    found
}

/// Counts the cycles of the dependency graph of minimal routing, in cubes of two and three dimensions.
///
/// Lemma 2 holds for each: a cycle of partial paths holds a cycle of channels, which is a closed walk
/// and so crosses each dimension as often down as up. The down-link belongs to another path than the
/// up-link, because a shortest path crosses each dimension once.
fn cycles_of_minimal_routing() -> u64 {
    let mut cycles = 0;
    for cube in (2..=3).filter_map(Hypercube::new) {
        let Some(graph) = routing::find("minimal")
            .ok()
            .and_then(|algorithm| theory::hypercube_dependencies(cube, &mut FaultSet::default(), algorithm.local()?))
        else {
            continue;
        };
        for start in (0..graph.channels()).map(ChannelId) {
            each_cycle(&graph, &mut vec![start], &mut |_| cycles += 1);
        }
    }
    cycles
}

/// Calls `see` with every simple cycle that begins with `path` and whose lowest channel is its first.
fn each_cycle(graph: &DependencyGraph, path: &mut Vec<ChannelId>, see: &mut dyn FnMut(&[ChannelId])) {
    let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return };
    for next in graph.successors(last) {
        if next == first {
            see(path);
        } else if next > first && !path.contains(&next) {
            path.push(next);
            each_cycle(graph, path, see);
            path.pop();
        }
    }
}

fn cells(item: &Item) -> Vec<PaperValue> {
    let checked = |(row, found): (&str, CheckCounts)| {
        let mut cell = exact(item, row, "exceptions", found.exceptions as f64, "0", found.exceptions == 0);
        cell.remark = format!("{} cases, n = 2 to {MOST}", found.cases);
        cell
    };
    let theorems = [
        ("Theorem 2: an up-link under UP affects 2^p pairs", check_links("up", theory::up_link_under_up)),
        ("Theorem 3: a down-link under UP affects 2^(i+p) pairs", check_links("up", theory::down_link_under_up)),
        ("Corollary 1: the same under DP, exchanged", check_links("dp", theory::link_under_dp)),
        ("a link under e-cube affects N/2 pairs", check_links("e-cube", theory::link_under_ecube)),
        ("Theorem 4: node-disjoint shortest paths under UP", disjoint()),
        ("Theorem 5: a node under UP", check_nodes("up", theory::node_under_up)),
        ("a node under e-cube affects (N-1) + nN/2 pairs", check_nodes("e-cube", theory::node_under_ecube)),
        ("a faulty link relabelled affects 1 pair", relabelled_links()),
        ("a faulty node relabelled affects 2(N-1) pairs", relabelled_nodes()),
    ];
    let row = "Lemma 2: a cycle with an up-link has a down-link of its dimension";
    let mut lemma = exact(item, row, "cycles of minimal routing", cycles_of_minimal_routing() as f64, "", true);
    lemma.remark = "all for n = 2 and 3; no exception is possible, because a cycle is a closed walk".into();
    theorems.into_iter().map(checked).chain([lemma]).chain(deadlock(item)).collect()
}

/// Checks Theorem 1 and section V.B by the shortest cycle of channel dependencies, 0 if there is
/// none.
fn deadlock(item: &Item) -> Vec<PaperValue> {
    let cycle = |id: &str| {
        let algorithm = routing::find(id).ok()?;
        let cube = Hypercube::new(algorithm.dimension.unwrap_or(4))?;
        let graph = theory::hypercube_dependencies(cube, &mut FaultSet::default(), algorithm.local()?)?;
        Some(graph.acyclic_order().err().map_or(0, |cycle| cycle.channels.len()))
    };
    let row = |id: &str, n: u8, printed: &str| {
        let length = cycle(id)?;
        let row = format!("deadlock, n={n}: {id}");
        let mut cell = exact(item, &row, "shortest cycle of channels", length as f64, printed, length == 0);
        cell.remark =
            if length == 0 { "none: cannot deadlock" } else { "can deadlock, and does in simulations" }.into();
        Some(cell)
    };
    let free = [("e-cube", 4), ("up", 4), ("dp", 4), ("restricted-up", 4), ("2f+3f", 5), ("2e+2r+1e", 5)];
    let free = free.into_iter().filter_map(|(id, n)| row(id, n, "0"));
    free.chain(["minimal", "up-dp-mix"].into_iter().filter_map(|id| row(id, 4, ""))).collect()
}
