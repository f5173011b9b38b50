//! Worms by the criteria of Chiu, Chalasani & Raghavendra.

use super::{HEADER, add_request, check_cube, open_dimensions};
use crate::fault::BlockFaults;
use crate::routing::hypercube::criterion::{ANY_REQUIRED, DOWN_TRANSITION, UP_TRANSITION};
use crate::routing::worm::{AlgorithmState, VcRequests, WormHeader, WormPosition, WormRouting};
use crate::routing::{Criterion, Header, LocalRouting as _, Position, Unsupported};
use crate::topology::{Mesh, NodeId, set_dimensions};

/// A criterion for shortest paths of worms: all legal live links, in the order in which they become
/// idle.
///
/// The decision depends only on the links of the node. The set-up of circuits also uses the nodes
/// from which the destination is still reachable. A worm that arrives at a node without a live
/// legal link is lost.
pub(in crate::routing) struct CriterionWorm(pub(in crate::routing) Criterion);

impl WormRouting for CriterionWorm {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_cube(mesh)
    }

    fn initial_header_count(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId) -> u32 {
        u32::from(self.0.initial_header_count())
    }

    fn initial_header(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, number: u32) -> WormHeader {
        WormHeader { memory: AlgorithmState::Criterion(Header(number as u8)), ..HEADER }
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let AlgorithmState::Criterion(header) = at.header.memory else { return };
        let position = Position { here: at.here, wrong: at.here.0 ^ at.to.0, header };
        for tier in self.0.tiers(position).iter() {
            let dims = tier.dimensions.mask(position.wrong, u64::MAX);
            for dim in set_dimensions(open_dimensions(faults, at.here, dims)) {
                let header =
                    WormHeader { memory: AlgorithmState::Criterion(self.0.header_after(position, dim)), ..at.header };
                // A single hop has a direction, unlike the set of a tier.
                let rule = match at.here.0 >> dim & 1 {
                    _ if *tier.rule != ANY_REQUIRED => tier.rule,
                    0 => &UP_TRANSITION,
                    _ => &DOWN_TRANSITION,
                };
                add_request(choices, at, dim, header, rule);
            }
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        self.0.is_deadlock_free() && faults.is_none()
    }
}
