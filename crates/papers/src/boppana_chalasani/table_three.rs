//! Table III with numbers: the schemes of the table on the same fault sets.

use super::{PAPER, exact};
use crate::{Item, PaperValue};
use faultlab_core::fault::BlockFaults;
use faultlab_core::random::{Key, below};
use faultlab_core::routing::{self, Shared, Unsupported, VcRequests, WormHeader, WormPosition, WormRouting};
use faultlab_core::theory::MeshDependencies;
use faultlab_core::topology::{Mesh, NodeId};

pub(super) const TABLE_3: Item = Item {
    paper: &PAPER,
    id: "boppana-table3",
    title: "Table III: techniques for fault-tolerant wormhole routing, on the same fault sets",
    about: "Numbers are exact, over all pairs and choices; a pair counts as delivered if no choice loses its message. Faulty \
            nodes lie anywhere on the 8 x 8 mesh; a node that closure or labelling deactivates counts as lost, with \
            its pairs. Block faults cost f-cube4 and lh4 a few nodes, planar-adaptive whole rows of the border. \
            Negative-first tolerates any one faulty node of the 6 x 6 mesh, `n - 1` as the table says. In three \
            dimensions it should tolerate two, but on the 4 x 4 x 4 mesh one can cut off 216 of 3906 pairs. Static \
            dimension reversal with `r = 4` should tolerate three blocks, but one faulty node of the 5 x 5 mesh can \
            cost 48 of 552 pairs: a message may spend its reversals before it meets the fault.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

/// Fault model of a scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Model {
    Arbitrary,
    Blocks,
    /// Blocks with whole rings: further nodes are disabled until no partial ring remains.
    Rings,
}

/// Column of the table: name, algorithm, virtual channels as printed, fault model, and the claim
/// that the dependency graph has no cycle.
struct Scheme(&'static str, &'static str, &'static str, Model, bool);

const SCHEMES: [Scheme; 7] = [
    Scheme("negative-first", "negative-first", "1", Model::Arbitrary, true),
    Scheme("negative-first, minimal", "negative-first-minimal", "1", Model::Arbitrary, true),
    Scheme("dimension reversal, static, r = 4", "dr-static", "r >= 2", Model::Arbitrary, true),
    Scheme("dimension reversal, dynamic", "dr-dynamic", "r >= 2", Model::Arbitrary, false),
    Scheme("planar-adaptive", "planar-adaptive", "3", Model::Rings, true),
    Scheme("f-cube4", "f-cube4", "4", Model::Blocks, true),
    Scheme("fully adaptive, lh4", "lh4", "4 extra", Model::Blocks, true),
];

/// Numbers of faulty nodes.
const COUNTS: [u32; 4] = [1, 2, 4, 8];
/// Number of fault sets for each number of faulty nodes.
const SETS: u64 = 6;

/// Results of a scheme over some fault sets.
#[derive(Default)]
struct SchemeResult {
    /// Number of ordered pairs of connected live nodes.
    pairs: u64,
    /// Number of connected pairs whose messages are delivered.
    delivered: u64,
    /// Number of pairs between nodes that the scheme uses whose messages may be lost.
    lost: u64,
    /// Number of live nodes, over all sets, that the scheme does not use.
    given_up: usize,
    cyclic: u32,
}

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mesh = Mesh::new(8, 8)?;
    let mut cells = Vec::new();
    for scheme in &SCHEMES {
        let Scheme(row, id, channels, model, is_ordered) = *scheme;
        let routing = routing::find(id).ok()?.worm.clone()?;
        let text = text(mesh, id, COUNTS[2]);
        let cell = |column: &str, value: f64, printed: &str| exact(item, &text, (row, column), value, printed, true);
        cells.push(cell("virtual channels", f64::from(routing.vc_classes(mesh)), channels));
        let (mut cyclic, mut lost) = (0, 0);
        for count in COUNTS {
            let found = examine(mesh, &*routing, model, count)?;
            cyclic += found.cyclic;
            lost += found.lost;
            cells.push(cell(&column("delivered %", count), share(&found), ""));
            if model != Model::Arbitrary {
                cells.push(cell(&column("nodes given up", count), found.given_up as f64 / SETS as f64, ""));
            }
        }
        let mut claim =
            |column: &str, value: f64| cells.push(exact(item, &text, (row, column), value, "0", value == 0.0));
        if is_ordered {
            claim("fault sets with a cycle", f64::from(cyclic));
        }
        if model != Model::Arbitrary {
            claim("pairs lost of nodes in use", lost as f64);
        }
    }
    cells.push(single_fault_cell(item)?);
    cells.push(worst_node(item, "negative-first, 4 x 4 x 4", "negative-first", &[4, 4, 4])?);
    cells.push(worst_node(item, "dimension reversal, static, r = 4, 5 x 5", "dr-static", &[5, 5])?);
    cells.extend(alone(item, mesh)?);
    Some(cells)
}

fn column(what: &str, count: u32) -> String {
    format!("{what}, {count} faulty")
}

fn share(found: &SchemeResult) -> f64 {
    100.0 * found.delivered as f64 / found.pairs as f64
}

/// Checks the claim "up to (n - 1) in nD meshes" for each single faulty node.
fn single_fault_cell(item: &Item) -> Option<PaperValue> {
    let mesh = Mesh::new(6, 6)?;
    let routing = routing::find("negative-first").ok()?.worm.clone()?;
    let lost = |node| {
        let faults = BlockFaults::unclosed(mesh, &[node], &[]);
        Some(MeshDependencies::build(&faults, &*routing)?.arrivals().lost)
    };
    let lost = mesh.iter_nodes().map(lost).sum::<Option<u64>>()? as f64;
    let text = "net=mesh:6x6&switch=wormhole&route=negative-first&faults=none&break=3.3&view=check";
    Some(exact(item, text, ("negative-first, 6 x 6", "pairs lost, any one faulty node"), lost, "0", lost == 0.0))
}

/// Returns the cell of the single faulty node that loses most pairs, for schemes that claim to
/// tolerate one fault.
fn worst_node(item: &Item, row: &str, id: &str, radices: &[u16]) -> Option<PaperValue> {
    let mesh = Mesh::from_radices(radices)?;
    let routing = routing::find(id).ok()?.worm.clone()?;
    let arrivals = |node| {
        let faults = BlockFaults::unclosed(mesh, &[node], &[]);
        Some((MeshDependencies::build(&faults, &*routing)?.arrivals(), node))
    };
    let all = mesh.iter_nodes().map(arrivals).collect::<Option<Vec<_>>>()?;
    // `max_by_key` returns the last maximum, so the reversed order selects the first of the worst
    // nodes.
    let (found, node) = all.into_iter().rev().max_by_key(|(found, _)| found.lost)?;
    let (node, lost) = (mesh.format_node(node), found.lost);
    let text = format!("net=mesh:{mesh}&switch=wormhole&route={id}&faults=none&break={node}&view=check");
    let mut cell = exact(item, &text, (row, "pairs lost, worst faulty node"), lost as f64, "0", lost == 0);
    cell.remark = format!("node {node}, of {} pairs", found.pairs);
    Some(cell)
}

/// Returns the cells of the dynamic algorithm without other messages: no channel is ever busy.
fn alone(item: &Item, mesh: Mesh) -> Option<Vec<PaperValue>> {
    let routing = WithoutLastResort(routing::find("dr-dynamic").ok()?.worm.clone()?);
    let cell = |count| {
        let found = examine(mesh, &routing, Model::Arbitrary, count)?;
        let at = ("dimension reversal, dynamic, without traffic", &*column("delivered %", count));
        Some(exact(item, &text(mesh, "dr-dynamic", count), at, share(&found), "", true))
    };
    COUNTS.into_iter().map(cell).collect()
}

/// Returns the nodes of a fault set, without duplicates and with equal probabilities.
fn nodes(mesh: Mesh, count: u32, set: u64) -> Vec<NodeId> {
    let mut generator = Key::from_seed(3).child(u64::from(count)).child(set).generator();
    let mut nodes: Vec<NodeId> = Vec::new();
    while nodes.len() < count as usize {
        let node = NodeId(u64::from(below(&mut generator, mesh.nodes())));
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    nodes
}

/// Returns the experiment of the first fault set.
fn text(mesh: Mesh, id: &str, count: u32) -> String {
    let broken: Vec<_> = nodes(mesh, count, 0).into_iter().map(|node| mesh.format_node(node)).collect();
    format!("net=mesh:{mesh}&switch=wormhole&route={id}&faults=none&break={}&view=check", broken.join(","))
}

fn examine(mesh: Mesh, routing: &dyn WormRouting, model: Model, count: u32) -> Option<SchemeResult> {
    let mut found = SchemeResult::default();
    for set in 0..SETS {
        let nodes = nodes(mesh, count, set);
        let given = BlockFaults::unclosed(mesh, &nodes, &[]);
        let faults = if model == Model::Arbitrary { given.clone() } else { BlockFaults::new(mesh, &nodes, &[]) };
        let built = MeshDependencies::build(&faults, routing)?;
        let arrivals = built.arrivals();
        let is_used =
            |node: &NodeId| faults.is_member(*node) && !(model == Model::Rings && faults.is_deactivated(*node));
        let (live, used) = (given.members().count(), given.members().filter(is_used).count());
        let pairs = |nodes: usize| (nodes * nodes.saturating_sub(1)) as u64;
        let delivered = arrivals.pairs - arrivals.lost - arrivals.livelocked;
        found.pairs += pairs(live);
        found.delivered += delivered;
        found.lost += pairs(used).saturating_sub(delivered);
        found.given_up += live - used;
        found.cyclic += u32::from(built.graph().acyclic_order().is_err());
    }
    Some(found)
}

/// Routing without last-resort choices, which are needed only if other messages occupy channels.
struct WithoutLastResort(Shared<dyn WormRouting>);

impl WormRouting for WithoutLastResort {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        self.0.vc_classes(mesh)
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        self.0.check_network(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        self.0.initial_header(faults, from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let all = self.0.choices(faults, at);
        all.iter()
            .filter(|choice| !all.is_ranked() || !choice.rule.is_last_resort())
            .for_each(|choice| choices.add(*choice));
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        self.0.is_proved(faults)
    }
}
