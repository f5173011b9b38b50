//! Worms that never re-enter a node where they were blocked (Gordon & Stout section 3). The cube
//! must be small enough for a header to mark all such nodes.

use super::{HEADER, add_request, check_cube, open_dimensions};
use crate::fault::BlockFaults;
use crate::routing::Unsupported;
use crate::routing::hypercube::random::{ANY_LIVE_WRONG, MARK_AND_SIDETRACK};
use crate::routing::worm::{AlgorithmState, VcRequests, WormHeader, WormPosition, WormRouting};
use crate::topology::{Mesh, NodeId, set_dimensions};

/// Randomized backtracking for worms. The header has a bit for each node, set where the worm was
/// blocked.
pub(in crate::routing) struct BacktrackingWorm;

/// Maximum dimension of a cube: the header has one bit for each node.
const MAX_DIMENSION: u8 = u16::BITS.trailing_zeros() as u8;

impl BacktrackingWorm {
    /// Returns the dimensions in `dims` that lead to live nodes that are not in `marks`.
    fn usable(faults: &BlockFaults, here: NodeId, dims: u64, marks: u16) -> u64 {
        let unmarked = |dim: &u8| marks >> ((here.0 ^ 1 << dim) & 15) & 1 == 0;
        set_dimensions(open_dimensions(faults, here, dims)).filter(unmarked).fold(0, |usable, dim| usable | 1 << dim)
    }
}

impl WormRouting for BacktrackingWorm {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_cube(mesh)?;
        if mesh.dimensions() > MAX_DIMENSION {
            return Err(Unsupported::NetworkRequirement(
                "at most 4 dimensions: its header lists the nodes that it has marked",
            ));
        }
        Ok(())
    }

    fn initial_header(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        WormHeader { memory: AlgorithmState::Marks(0), ..HEADER }
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let AlgorithmState::Marks(marks) = at.header.memory else { return };
        let wrong = at.here.0 ^ at.to.0;
        let forward = Self::usable(faults, at.here, wrong, marks);
        if forward != 0 {
            let rule = &ANY_LIVE_WRONG;
            set_dimensions(forward).for_each(|dim| add_request(choices, at, dim, at.header, rule));
        } else if at.input_port.is_some() {
            let marks = marks | 1 << (at.here.0 & 15);
            let right = u64::from(faults.mesh().nodes() - 1) & !wrong;
            let header = WormHeader { memory: AlgorithmState::Marks(marks), ..at.header };
            let rule = &MARK_AND_SIDETRACK;
            set_dimensions(Self::usable(faults, at.here, right, marks))
                .for_each(|dim| add_request(choices, at, dim, header, rule));
        }
    }

    fn is_proved(&self, _faults: &BlockFaults) -> bool {
        false
    }
}
