//! Routing on meshes and tori by tables with global fault information: shortest up*/down* paths
//! (Schroeder et al. 1991; Boppana & Chalasani sections I and II.A).

use super::MeshAlgorithm;
use crate::fault::BlockFaults;
use crate::fault::block::MAX_TABLE_NODES;
use crate::rich;
use crate::routing::wording;
use crate::routing::worm::{VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormType};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, WormExplanationContext, cost};
use crate::topology::{Mesh, NodeId};

/// A hop up the order of the live nodes.
static UP: Rule = Rule::worm("up", |why| {
    let left = hops_left(why);
    rich!["a hop up the search tree, on a shortest path by the tables; ", left]
});

/// A hop down the order of the live nodes, after which no hop leads up.
static DOWN: Rule = Rule::worm("down", |why| {
    let left = hops_left(why);
    rich!["a hop down the search tree, on a shortest path by the tables: from here on only down; ", left]
});

/// Returns the number of hops left, including this one.
fn hops_left(why: &WormExplanationContext<'_>) -> String {
    let tables = why.faults.up_down();
    let here = why.at.here;
    let before = why.at.input_port.and_then(|came| why.mesh().neighbor(here, came.opposite()));
    let only_down = tables.is_some_and(|tables| before.is_some_and(|before| tables.is_down(before, here)));
    let left = tables.and_then(|tables| tables.hops(here, why.at.to, only_down)).unwrap_or(0);
    format!("{} left", wording::count(u32::from(left), "hop"))
}

/// Shortest legal paths by tables, with one class of virtual channels.
struct UpDown;

/// Up*/down* routing.
pub(crate) const ALGORITHM: Algorithm = MeshAlgorithm {
    id: "up-down",
    name: "up*/down* tables",
    summary: "Takes any shortest path whose hops up a search tree of the live nodes come before those down; every node \
              has a table for the whole network, which is computed again for every fault set.",
    guarantee: "Delivers between all connected nodes, and never deadlocks, whatever is faulty, with one class of virtual \
                channels; at most 1024 nodes. Paths can be longer than the shortest live ones.",
    promises: Promises::detours(DeadlockFreedom::Always),
    paper: "Schroeder et al., Autonet; Boppana & Chalasani, sections I and II.A (global information)",
    worm: &UpDown,
}
.algorithm(cost::mesh::UP_DOWN);

impl WormRouting for UpDown {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        if mesh.nodes() > MAX_TABLE_NODES {
            return Err(Unsupported::NetworkRequirement(
                "at most 1024 nodes: it has a table entry for each pair of nodes",
            ));
        }
        Ok(())
    }

    fn initial_header(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        WormHeader::normal(WormType::WE)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let Some(tables) = faults.up_down() else { return };
        for port in faults.up_down_ports(at.here, at.to, at.input_port) {
            let down = faults.mesh().neighbor(at.here, port).is_some_and(|next| tables.is_down(at.here, next));
            let rule = if down { &DOWN } else { &UP };
            choices.add(VcRequest { port, class: 0, header: at.header, rule });
        }
    }

    fn is_proved(&self, _faults: &BlockFaults) -> bool {
        true
    }
}
