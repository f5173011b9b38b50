//! Weakly adaptive routing on meshes (Duato) and its fault-tolerant version (Boppana & Chalasani
//! section IV.A). One class of channels serves any minimal hop. Routing in the escape classes
//! cannot deadlock by itself.

use std::borrow::Cow;

use super::fcube::{EcubeWorm, FCUBE4_WORM};
use crate::fault::BlockFaults;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, check_borders,
};
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, Rule, Shared, Unsupported};
use crate::topology::{Mesh, NodeId, iter_ports};

/// A live hop on a minimal path, in the adaptive class (section IV.A).
static ADAPTIVE: Rule = Rule::worm("adaptive", |_| "a minimal hop, in the adaptive class".into());

/// Weakly adaptive routing: any minimal hop in an adaptive class, the e-cube hop in the escape
/// class.
struct Weak;

/// Weakly adaptive routing with f-cube4 as escape, on meshes and tori.
///
/// A message is free as long as it meets no ring. At every node, also after e-cube hops, it may
/// request the adaptive class of all live minimal hops and the escape class of the e-cube hop. If
/// the e-cube hop is faulty, f-cube4's hop onto the ring replaces it. A message that takes that hop
/// follows f-cube4 for the rest of its journey.
///
/// No rules besides those of f-cube4 are needed. The previous hop, which f-cube4 considers, may be
/// adaptive. Every hop of a free message is minimal. Between two escape channels a message
/// therefore advances in its own dimension, or has no hops left in it. Adaptive stretches thus add
/// only forward dependencies to those of f-cube4.
///
/// Messages on rings have no such stretches. Suppose that these messages took adaptive channels
/// again once they are normal. Then one fault set in eight (up to 4 nodes and 4 links in a 7 x 7
/// mesh) would close a dependency cycle.
struct WeakFcube;

/// Weakly adaptive routing with two classes.
pub(crate) const WEAK: Algorithm = Algorithm {
    id: Cow::Borrowed("weak"),
    name: Cow::Borrowed("Weakly adaptive"),
    summary: "Takes any minimal hop in an adaptive class of virtual channels, or the e-cube hop in an escape class.",
    guarantee: "Fully adaptive and free of deadlock without faults; two classes of virtual channels. A fault that \
                blocks an e-cube hop removes the escape: messages can deadlock (Fig. 12).",
    promises: Promises::shortest(DeadlockFreedom::WhereProved),
    paper: "Duato; Boppana & Chalasani, section IV.A",
    method: Method::Mesh,
    dimension: None,
    worm: Some(Shared::Static(&Weak)),
};

/// Weakly adaptive routing with f-cube4, in five classes.
pub(crate) const WEAK_FCUBE4: Algorithm = Algorithm {
    id: Cow::Borrowed("weak-f-cube4"),
    name: Cow::Borrowed("Weak f-cube4"),
    summary: "Takes any minimal hop in an adaptive class of virtual channels, or the hop of f-cube4 in its four classes; \
              once that leads around a fault, f-cube4 for the rest of the journey.",
    guarantee: "Delivers between all connected nodes, and never deadlocks, where f-cube4 does; five classes of virtual \
                channels, on tori six.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section IV.A",
    method: Method::Mesh,
    dimension: None,
    worm: Some(Shared::Static(&WeakFcube)),
};

/// Adds every live minimal hop in the adaptive class.
#[inline]
fn adaptive(faults: &BlockFaults, at: &WormPosition, class: u8, header: WormHeader, choices: &mut VcRequests) {
    for port in iter_ports(faults.mesh().minimal_ports(at.here, at.to) & faults.open_ports(at.here)) {
        choices.add(VcRequest { port, class, header, rule: &ADAPTIVE });
    }
}

impl Weak {
    const ADAPTIVE: u8 = 1;
}

impl WormRouting for Weak {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        Self::ADAPTIVE + 1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_borders(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        EcubeWorm.initial_header(faults, from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        // The choices of e-cube have class 0.
        EcubeWorm.route_compute(faults, at, choices);
        adaptive(faults, at, Self::ADAPTIVE, EcubeWorm.initial_header(faults, at.here, at.to, 0), choices);
    }

    fn is_escape(&self, _mesh: Mesh, class: u8) -> bool {
        class != Self::ADAPTIVE
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}

impl WeakFcube {
    /// Returns the adaptive class, after those of f-cube4.
    fn adaptive(mesh: Mesh) -> u8 {
        FCUBE4_WORM.vc_classes(mesh)
    }
}

impl WormRouting for WeakFcube {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        Self::adaptive(mesh) + 1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        FCUBE4_WORM.check_network(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        FCUBE4_WORM.initial_header(faults, from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mut escape = VcRequests::NONE;
        let committed = at.header.memory == AlgorithmState::Committed;
        // If both ways around a torus are equally long, an adaptive hop decides between them, so the
        // type follows from the hops that are left now.
        let free = || WormPosition { header: FCUBE4_WORM.initial_header(faults, at.here, at.to, 0), ..*at };
        let at = if faults.mesh().is_torus() && !committed { &free() } else { at };
        FCUBE4_WORM.route_compute(faults, at, &mut escape);
        for &choice in escape.iter() {
            let commits = committed || choice.rule.is_detour();
            let memory = if commits { AlgorithmState::Committed } else { AlgorithmState::Nothing };
            choices.add(VcRequest { header: WormHeader { memory, ..choice.header }, ..choice });
        }
        if !committed {
            // Recompute the type from the remaining hops: lower dimensions never need hops again.
            adaptive(faults, at, Self::adaptive(faults.mesh()), FCUBE4_WORM.initial_header(faults, at.here, at.to, 0), choices);
        }
    }

    fn is_escape(&self, mesh: Mesh, class: u8) -> bool {
        class != Self::adaptive(mesh)
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        FCUBE4_WORM.is_proved(faults)
    }
}
