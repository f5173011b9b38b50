//! Weakly adaptive routing on meshes (Duato) and its fault-tolerant version (Boppana & Chalasani
//! section IV.A). One class of channels serves any minimal hop. Routing in the escape classes
//! cannot deadlock by itself.

use super::MeshAlgorithm;
use super::fcube::{EcubeWorm, FCUBE2_WORM, FCUBE4_WORM, Fcube};
use super::planes;
use crate::fault::BlockFaults;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, check_borders,
};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
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
struct WeakFcube {
    /// The routing of the escape classes.
    escape: &'static Fcube,
    numbering: Numbering,
}

/// Numbering of the classes of a channel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    /// The classes of the escape routing, then the adaptive class.
    Plain,
    /// Four classes for f-cube4 on meshes: 0 is the adaptive class, 1 serves the type in the
    /// direction of the channel, 2 and 3 serve the two types of the other dimension whose messages
    /// detour over the channel.
    ///
    /// No message of f-cube4 goes against the direction of its type, so each channel needs only
    /// three of the four escape classes, and the fourth is free for the adaptive class. Different
    /// types still have different virtual channels, so the dependencies are those of weak f-cube4.
    Compact,
}

/// Weakly adaptive routing with two classes.
pub(crate) const WEAK: Algorithm = MeshAlgorithm {
    id: "weak",
    name: "Weakly adaptive",
    summary: "Takes any minimal hop in an adaptive class of virtual channels, or the e-cube hop in an escape class.",
    guarantee: "Fully adaptive and free of deadlock without faults; two classes of virtual channels. A fault that \
                blocks an e-cube hop removes the escape: messages can deadlock (Fig. 12).",
    promises: Promises::shortest(DeadlockFreedom::WhereProved),
    paper: "Duato; Boppana & Chalasani, section IV.A",
    worm: &Weak,
}
.algorithm(cost::mesh::WEAK);

/// Weakly adaptive routing with f-cube4, in five classes.
pub(crate) const WEAK_FCUBE4: Algorithm = MeshAlgorithm {
    id: "weak-f-cube4",
    name: "Weak f-cube4",
    summary: "Takes any minimal hop in an adaptive class of virtual channels, or the hop of f-cube4 in its four classes; \
              once that leads around a fault, f-cube4 for the rest of the journey.",
    guarantee: "Delivers between all connected nodes, and never deadlocks, where f-cube4 does; five classes of virtual \
                channels. On tori six.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section IV.A",
    worm: &WeakFcube { escape: &FCUBE4_WORM, numbering: Numbering::Plain },
}
.algorithm(cost::mesh::WEAK_FCUBE);

/// Weakly adaptive routing with f-cube4, in four classes: an answer to the question at the end of
/// section VII.
pub(crate) const WEAK_COMPACT: Algorithm = MeshAlgorithm {
    id: "weak-compact",
    name: "Weak f-cube4, four classes",
    summary: "As weak f-cube4. Messages of f-cube4 never go against the direction of their type, so each channel has one \
              unused class of f-cube4's four, which serves as the adaptive class.",
    guarantee: "Delivers between all connected nodes, and never deadlocks, where f-cube4 does; four classes of virtual \
                channels. The paper asks whether four are enough; this answer is Faultlab's.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section VII (open question)",
    worm: &WeakFcube { escape: &FCUBE4_WORM, numbering: Numbering::Compact },
}
.algorithm(cost::mesh::WEAK_FCUBE);

/// Weakly adaptive routing with f-cube2, in three classes.
pub(crate) const WEAK_FCUBE2: Algorithm = MeshAlgorithm {
    id: "weak-f-cube2",
    name: "Weak f-cube2",
    summary: "Takes any minimal hop in an adaptive class of virtual channels, or the hop of f-cube2 in its two classes; \
              once that leads around a fault, f-cube2 for the rest of the journey.",
    guarantee: "Delivers, and never deadlocks, where fault rings are whole and do not overlap; three classes of virtual \
                channels. On tori five.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, sections IV.A and VII (open question)",
    worm: &WeakFcube { escape: &FCUBE2_WORM, numbering: Numbering::Plain },
}
.algorithm(cost::mesh::WEAK_FCUBE);

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
    /// Returns the adaptive class.
    fn adaptive(&self, mesh: Mesh) -> u8 {
        match self.numbering {
            Numbering::Plain => self.escape.vc_classes(mesh),
            Numbering::Compact => 0,
        }
    }

    /// Returns the class of a hop of the escape routing.
    fn escape_class(&self, choice: &VcRequest) -> u8 {
        let kind = choice.header.message_type;
        match self.numbering {
            Numbering::Plain => choice.class,
            Numbering::Compact if kind.dim() == choice.port.dim() => 1,
            Numbering::Compact => 2 + (kind.number() & 1),
        }
    }
}

impl WormRouting for WeakFcube {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        match self.numbering {
            Numbering::Plain => self.escape.vc_classes(mesh) + 1,
            Numbering::Compact => planes::CLASSES,
        }
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        if self.numbering == Numbering::Compact {
            check_borders(mesh)?;
        }
        self.escape.check_network(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        self.escape.initial_header(faults, from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mut escape = VcRequests::NONE;
        let committed = at.header.memory == AlgorithmState::Committed;
        // If both ways around a torus are equally long, an adaptive hop decides between them, so the
        // type follows from the hops that are left now.
        let free = || WormPosition { header: self.escape.initial_header(faults, at.here, at.to, 0), ..*at };
        let at = if faults.mesh().is_torus() && !committed { &free() } else { at };
        self.escape.route_compute(faults, at, &mut escape);
        for &choice in escape.iter() {
            let commits = committed || choice.rule.is_detour();
            let memory = if commits { AlgorithmState::Committed } else { AlgorithmState::Nothing };
            let (class, header) = (self.escape_class(&choice), WormHeader { memory, ..choice.header });
            choices.add(VcRequest { class, header, ..choice });
        }
        if !committed {
            // Recompute the type from the remaining hops: lower dimensions never need hops again.
            adaptive(
                faults,
                at,
                self.adaptive(faults.mesh()),
                self.escape.initial_header(faults, at.here, at.to, 0),
                choices,
            );
        }
    }

    fn is_escape(&self, mesh: Mesh, class: u8) -> bool {
        class != self.adaptive(mesh)
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        self.escape.is_proved(faults)
    }
}
