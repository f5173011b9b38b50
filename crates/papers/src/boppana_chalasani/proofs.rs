//! Lemmas 1 and 2, Theorem 1 and section IV.A, checked by dependency graph, and the cycles of the
//! variants that the paper calls unsafe.

use super::{PAPER, exact, faults};
use crate::{Item, PaperValue};
use faultlab_core::fault::BlockFaults;
use faultlab_core::fault::block::sample_isolated;
use faultlab_core::random::{Key, below};
use faultlab_core::routing::{
    self, Shared, Unsupported, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus,
};
use faultlab_core::theory::MeshDependencies;
use faultlab_core::topology::{Link, Mesh, NodeId};

pub(super) const PROOFS: Item = Item {
    paper: &PAPER,
    id: "boppana-proofs",
    title: "Lemmas 1 to 3, Theorem 1 and section IV.A, over all pairs and all choices",
    about: "The checks cover the channel dependency graph over classes of virtual channels, and every permitted route, \
            on the paper's examples and on random fault sets. Where the paper proves freedom from deadlock and \
            livelock, there is no exception. The cases that it warns of have cycles; open one of them in Watch to see \
            it deadlock. One rule had to be added for rings that overlap: a message blocked by another region changes \
            to that region's ring and keeps its direction.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

/// Proved cases on a fault set of the paper: row, algorithm, faults of the 6 x 6 mesh.
const PROVED: [(&str, &str, &str); 4] = [
    ("f-cube2, Figure 6", "f-cube2", "2.2,3.4-3.5"),
    ("f-cube4, Figure 9", "f-cube4", "2.2,3.2,2.4,2.5,4.0-4.1"),
    ("fully adaptive with four classes, Figure 11", "lh4", "0.4-0.5,1.4-1.5,3.4-4.4"),
    ("f-cube4, Figure 1", "f-cube4", "3.3,3.4,4.3,4.4,1.1-2.1,1.2-2.2,0.4-0.5"),
];

/// Cases that the paper calls unsafe: row, algorithm, faults of the 8 x 8 mesh.
const UNSAFE: [(&str, &str, &str); 4] = [
    ("one class only, a faulty node", "f-cube1", "3.3"),
    ("f-cube2 either way, a 2 x 2 block", "f-cube2-either", "3.3,3.4,4.3,4.4"),
    ("LH2, a 2 x 2 block", "lh2", "3.3,3.4,4.3,4.4"),
    ("f-cube2, rings that overlap", "f-cube2", OVERLAPPING),
];

/// Three faulty nodes in a column. Each ring shares links with the next ring.
const OVERLAPPING: &str = "1.4,3.4,5.4";

/// Number of random fault sets of each kind.
const SETS: u64 = 60;

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for (row, id, broken) in PROVED {
        let text = text(6, id, broken);
        let (cycle, lost) = examine(&faults(6, 6, broken)?, id)?;
        cells.push(exact(item, &text, (row, "channels of a shortest cycle"), cycle, "0", cycle == 0.0));
        cells.push(exact(item, &text, (row, "pairs that may not arrive"), lost, "0", lost == 0.0));
    }
    cells.extend(random(item, "f-cube2, whole rings that do not overlap", "f-cube2", |_| true)?);
    cells.extend(random(item, "f-cube4, any faults", "f-cube4", |_| true)?);
    cells.extend(random(item, "four classes for affected messages, any faults", "lh4", |_| true)?);
    cells.extend(random(item, "LH2, isolated faults", "lh2", BlockFaults::are_isolated)?);
    cells.push(other_reading(item)?);
    for (row, id, broken) in UNSAFE {
        let (cycle, _) = examine(&faults(8, 8, broken)?, id)?;
        cells.push(exact(item, &text(8, id, broken), (row, "channels of a shortest cycle"), cycle, "", true));
    }
    Some(cells)
}

/// f-cube4 with another reading of Fig. 8: the hop by which a row message became a column message does not count as
/// a row hop, so such a message may go either way around a fault.
struct OtherReading(Shared<dyn WormRouting>);

impl WormRouting for OtherReading {
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
        // A misrouted message keeps its direction, whatever its last hop.
        let is_hidden = at.header.status == WormStatus::Normal && at.header.message_type.dim() == 0;
        let input_port = if is_hidden { None } else { at.input_port };
        self.0.route_compute(faults, &WormPosition { input_port, ..*at }, choices);
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        self.0.is_proved(faults)
    }
}

/// Counts random fault sets on which f-cube4 has a dependency cycle under the other reading of Fig. 8.
fn other_reading(item: &Item) -> Option<PaperValue> {
    let routing = OtherReading(routing::find("f-cube4").ok()?.worm.clone()?);
    let row = "f-cube4, the hop that ends a row does not count";
    let cyclic = |number| {
        let faults = random_set(number);
        let built = MeshDependencies::build(&faults, &routing)?;
        Some(f64::from(u8::from(built.graph().acyclic_order().is_err())))
    };
    let cyclic = (0..SETS).map(cyclic).sum::<Option<f64>>()?;
    let text = text(8, "f-cube4", "");
    let text = text.trim_end_matches("&break=&view=check");
    let mut cell = exact(item, text, (row, "random fault sets with a cycle"), cyclic, "", true);
    cell.remark = format!("of {SETS} sets on the 8 x 8 mesh; another reading of Fig. 8");
    Some(cell)
}

fn text(size: u8, id: &str, broken: &str) -> String {
    format!("net=mesh:{size}x{size}&switch=wormhole&route={id}&break={broken}&view=check")
}

/// Returns the length of a shortest dependency cycle (0 without one), and the number of pairs whose
/// messages may not arrive.
pub(super) fn examine(faults: &BlockFaults, id: &str) -> Option<(f64, f64)> {
    let routing = routing::find(id).ok()?.worm.clone()?;
    let built = MeshDependencies::build(faults, &*routing)?;
    let cycle = built.graph().acyclic_order().err().map_or(0, |cycle| cycle.channels.len());
    Some((cycle as f64, (built.arrivals().lost + built.arrivals().livelocked) as f64))
}

/// Counts the exceptions among random fault sets that the proof for `id` covers and that `also`
/// accepts.
fn random(item: &Item, row: &str, id: &str, also: fn(&BlockFaults) -> bool) -> Option<Vec<PaperValue>> {
    let routing = routing::find(id).ok()?.worm.clone()?;
    let sets = (0u64..).map(random_set).filter(|faults| routing.is_proved(faults) && also(faults)).take(SETS as usize);
    let (mut cyclic, mut lost) = (0.0, 0.0);
    for faults in sets {
        let (cycle, pairs) = examine(&faults, id)?;
        cyclic += f64::from(cycle > 0.0);
        lost += pairs;
    }
    let text = text(8, id, "");
    let mut cells = vec![
        exact(
            item,
            text.trim_end_matches("&break=&view=check"),
            (row, "random fault sets with a cycle"),
            cyclic,
            "0",
            cyclic == 0.0,
        ),
        exact(
            item,
            text.trim_end_matches("&break=&view=check"),
            (row, "pairs that may not arrive"),
            lost,
            "0",
            lost == 0.0,
        ),
    ];
    cells.iter_mut().for_each(|cell| cell.remark = format!("of {SETS} sets on the 8 x 8 mesh"));
    Some(cells)
}

/// Returns random faults on the 8 x 8 mesh: isolated ones in every other set, otherwise up to four
/// nodes and four links anywhere.
fn random_set(number: u64) -> BlockFaults {
    const MESH: Mesh = match Mesh::new(8, 8) {
        Some(mesh) => mesh,
        None => unreachable!(),
    };
    let mut generator = Key::from_seed(3).child(number).generator();
    if number.is_multiple_of(2)
        && let Some((nodes, links)) = sample_isolated(MESH, 1, 2, &mut generator)
    {
        return BlockFaults::new(MESH, &nodes, &links);
    }
    let all: Vec<Link> = MESH.iter_links().collect();
    let count = |generator: &mut _| 0..below(generator, 5);
    let nodes: Vec<_> = count(&mut generator).map(|_| NodeId(u64::from(below(&mut generator, MESH.nodes())))).collect();
    let links: Vec<_> = count(&mut generator).map(|_| all[below(&mut generator, all.len() as u32) as usize]).collect();
    BlockFaults::new(MESH, &nodes, &links)
}
