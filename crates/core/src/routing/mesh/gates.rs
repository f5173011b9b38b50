//! Routing around fault regions of any shape by the rectangles in which they are inscribed (Boppana &
//! Chalasani section VII).
//!
//! Outside of the rectangles, messages are routed as among rectangular regions. A message from a live
//! node in a notch first follows the search tree to its gate, and one to such a node follows the tree
//! from the gate down. The channels of a tree towards the gate and those away from it are different, and
//! no other message uses them: if the inner routing has no cyclic dependency, there is none at all.

use super::MeshAlgorithm;
use super::adaptive::LH4_WORM;
use super::fcube::{FCUBE2_WORM, FCUBE4_WORM};
use crate::fault::BlockFaults;
use crate::fault::block::GateTrees;
use crate::routing::worm::{VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormType};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
use crate::topology::{Mesh, NodeId};

/// A hop out of the notch of a region, towards the gate.
static OUT: Rule = Rule::worm("out-of-notch", |_| "in the notch of a fault region: towards the gate".into()).detour();

/// A hop from the gate into the notch of a region.
static INTO: Rule = Rule::worm("into-notch", |_| "its destination is in the notch of a fault region".into());

/// The inner routing among rectangles, extended by the notches.
struct Gates {
    inner: &'static dyn WormRouting,
}

/// f-cube2 with notches.
pub(crate) const FCUBE2: Algorithm = MeshAlgorithm {
    id: "f-cube2-notches",
    name: "f-cube2 with notches",
    summary: "As f-cube2 around the rectangles of fault regions of any shape (regions=solid or any); live nodes inside a \
              rectangle send and receive by a search tree to its edge.",
    guarantee: "Delivers, and never deadlocks, where the rectangles leave the network connected and their rings are \
                whole and do not overlap; two classes of virtual channels.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section VII (regions inscribed in rectangles); Faultlab",
    worm: &Gates { inner: &FCUBE2_WORM },
}
.algorithm(cost::mesh::FCUBE_NOTCHES);

/// f-cube4 with notches.
pub(crate) const FCUBE4: Algorithm = MeshAlgorithm {
    id: "f-cube4-notches",
    name: "f-cube4 with notches",
    summary: "As f-cube4 around the rectangles of fault regions of any shape (regions=solid or any); live nodes inside a \
              rectangle send and receive by a search tree to its edge.",
    guarantee: "Delivers, and never deadlocks, where the rectangles leave the network connected; four classes of virtual \
                channels.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section VII (regions inscribed in rectangles); Faultlab",
    worm: &Gates { inner: &FCUBE4_WORM },
}
.algorithm(cost::mesh::FCUBE_NOTCHES);

/// LH4 with notches.
pub(crate) const LH4: Algorithm = MeshAlgorithm {
    id: "lh4-notches",
    name: "LH4 with notches",
    summary: "As LH4 around the rectangles of fault regions of any shape (regions=solid or any); live nodes inside a \
              rectangle send and receive by a search tree to its edge.",
    guarantee: "Delivers, and never deadlocks, where the rectangles leave the network connected; six classes of virtual \
                channels.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section VII (regions inscribed in rectangles); Faultlab",
    worm: &Gates { inner: &LH4_WORM },
}
.algorithm(cost::mesh::LH_NOTCHES);

impl Gates {
    /// Adds the hops of a message among regions with notches.
    fn add_hops(&self, trees: &GateTrees, at: &WormPosition, choices: &mut VcRequests) {
        let mut add = |port, rule| choices.add(VcRequest { port, class: 0, header: at.header, rule });
        if let Some(port) = trees.down(at.here, at.to) {
            return add(port, &INTO);
        }
        if let Some(port) = trees.up(at.here) {
            return add(port, &OUT);
        }
        // The inner routing knows nothing of notches: a message from one starts at its gate.
        let is_inside = |node: NodeId| trees.up(node).is_some();
        let came = |port: crate::topology::Port| trees.blocks().mesh().neighbor(at.here, port.opposite());
        let input_port = at.input_port.filter(|&port| !came(port).is_some_and(is_inside));
        let outside = WormPosition { to: trees.gate(at.to), input_port, ..*at };
        self.inner.route_compute(trees.blocks(), &outside, choices);
    }
}

impl WormRouting for Gates {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        self.inner.vc_classes(mesh)
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        crate::routing::worm::check_plane(mesh)
    }

    fn initial_header_count(&self, faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
        let Some(trees) = faults.gates() else { return self.inner.initial_header_count(faults, from, to) };
        let (from, to) = (trees.gate(from), trees.gate(to));
        if from == to { 1 } else { self.inner.initial_header_count(trees.blocks(), from, to) }
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        let Some(trees) = faults.gates() else { return self.inner.initial_header(faults, from, to, number) };
        let (from, to) = (trees.gate(from), trees.gate(to));
        if from == to {
            return WormHeader::normal(WormType::WE);
        }
        self.inner.initial_header(trees.blocks(), from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        match faults.gates() {
            None => self.inner.route_compute(faults, at, choices),
            Some(trees) => self.add_hops(trees, at, choices),
        }
    }

    fn routed_faults<'a>(&self, faults: &'a BlockFaults) -> &'a BlockFaults {
        faults.gates().map_or(faults, GateTrees::blocks)
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        match faults.gates() {
            None => self.inner.is_proved(faults),
            Some(trees) => trees.blocks().components() == 1 && self.inner.is_proved(trees.blocks()),
        }
    }
}
