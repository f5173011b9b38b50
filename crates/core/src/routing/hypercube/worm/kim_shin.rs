//! Worms through a healthy subcube (Kim & Shin).

use super::randomized::{NO_ROUTE_HEADER, follow, next};
use super::{HEADER, check_cube};
use crate::fault::BlockFaults;
use crate::routing::Unsupported;
use crate::routing::oblivious::{ObliviousPhase, Subcube, healthy_subcube};
use crate::routing::worm::{
    AlgorithmState, PackedSubcube, SubcubePart, VcRequests, WormHeader, WormPosition, WormRouting,
};
use crate::topology::{Mesh, NodeId, set_dimensions};

/// Kim & Shin's scheme. The header stores the subcube, which is the same for all worms.
pub(in crate::routing) struct KimShinWorm;

impl PackedSubcube {
    fn from_subcube(subcube: Subcube) -> Self {
        let first = subcube.fixed.trailing_zeros() as u16 & 15;
        let second = subcube.fixed.checked_ilog2().unwrap_or(0) as u16 & 15;
        let bit = |dim: u16| (subcube.value >> dim & 1) as u16;
        Self(first | second << 4 | bit(first) << 8 | bit(second) << 9)
    }

    fn unpack(self) -> Subcube {
        let (first, second) = (self.0 & 15, self.0 >> 4 & 15);
        let value = u64::from(self.0 >> 8 & 1) << first | u64::from(self.0 >> 9 & 1) << second;
        Subcube { fixed: 1 << first | 1 << second, value }
    }
}

/// Returns the first dimension from `node` towards the subcube: the lowest that leads to a live
/// node. If only one dimension is left, the result is that dimension.
fn towards(faults: &BlockFaults, node: NodeId, subcube: Subcube) -> Option<u8> {
    let mut dims = set_dimensions(node.0 ^ subcube.projection(node).0);
    let (first, second) = (dims.next(), dims.next());
    let live = |dim: &u8| !faults.is_faulty(NodeId(node.0 ^ 1 << dim));
    match second {
        None => first,
        Some(_) => first.filter(live).or(second.filter(live)),
    }
}

impl WormRouting for KimShinWorm {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_cube(mesh)?;
        if mesh.dimensions() < 2 { Err(Unsupported::NetworkRequirement("at least 2 dimensions")) } else { Ok(()) }
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, _number: u32) -> WormHeader {
        let Some(subcube) = faults.cube_sets().and_then(|sets| healthy_subcube(sets.faulty())) else {
            return NO_ROUTE_HEADER;
        };
        if ![from, to].iter().all(|&node| is_open_to(faults, node, subcube)) {
            return NO_ROUTE_HEADER;
        }
        WormHeader {
            memory: AlgorithmState::BySubcube(SubcubePart::Approach, PackedSubcube::from_subcube(subcube)),
            ..HEADER
        }
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let AlgorithmState::BySubcube(part, packed) = at.header.memory else { return };
        let subcube = packed.unpack();
        let goal = subcube.projection(at.to);
        let (part, phase, dim) = if part == SubcubePart::Approach && !subcube.contains(at.here) {
            (SubcubePart::Approach, ObliviousPhase::Approach, towards(faults, at.here, subcube))
        } else if part != SubcubePart::Leave && at.here != goal {
            (SubcubePart::Inside, ObliviousPhase::Inside, next(at.here, goal, 0))
        } else {
            // Follow the path from the destination to the subcube in reverse: its first dimension
            // comes last.
            let last = towards(faults, at.to, subcube);
            let rest = set_dimensions(at.here.0 ^ at.to.0).filter(|&dim| Some(dim) != last);
            (SubcubePart::Leave, ObliviousPhase::Leave, rest.last().or(last))
        };
        if let Some(dim) = dim {
            let memory = AlgorithmState::BySubcube(part, packed);
            follow(faults, at, dim, WormHeader { memory, ..at.header }, phase, choices);
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        // Kim & Shin's channel order excludes deadlock. Delivery requires that every node has a
        // path to the subcube: nodes enclosed by faults have none.
        let subcube = faults.cube_sets().and_then(|sets| healthy_subcube(sets.faulty()));
        let all = |subcube| faults.members().all(|node| is_open_to(faults, node, subcube)) && !faults.has_link_faults();
        subcube.is_some_and(all)
    }
}

/// Returns whether `node` has a path to the subcube.
fn is_open_to(faults: &BlockFaults, node: NodeId, subcube: Subcube) -> bool {
    subcube.contains(node) || towards(faults, node, subcube).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packs and unpacks any two fixed dimensions of any cube, with any two bits.
    #[test]
    fn packed_subcube_unpacks_to_the_original() {
        for (first, second) in (0..16u32).flat_map(|second| (0..second).map(move |first| (first, second))) {
            for bits in 0..4u64 {
                let fixed = 1 << first | 1 << second;
                let subcube = Subcube { fixed, value: (bits & 1) << first | (bits >> 1) << second };
                assert_eq!(PackedSubcube::from_subcube(subcube).unpack(), subcube);
            }
        }
    }
}
