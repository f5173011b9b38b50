//! Worms that never re-enter a node where they were blocked (Gordon & Stout section 3). Cubes must
//! be small enough for headers to list such nodes.

use super::{HEADER, add, check_cube, open};
use crate::fault::BlockFaults;
use crate::routing::Misfit;
use crate::routing::hypercube::backtracking::MARK_AND_SIDETRACK;
use crate::routing::hypercube::random::ANY_LIVE_WRONG;
use crate::routing::worm::{WormAt, WormChoices, WormHeader, WormMemory, WormRouting};
use crate::topology::{Mesh, NodeId, dimensions_of};

/// Randomized backtracking for worms. The header has a bit for each node, set where the worm was
/// blocked.
pub(in crate::routing) struct BacktrackingWorm;

/// Maximum dimension of a cube: the header has one bit for each node.
const MOST: u8 = u16::BITS.trailing_zeros() as u8;

impl BacktrackingWorm {
    /// Returns those of `dims` that lead to live nodes that are not in `marks`.
    fn usable(faults: &BlockFaults, here: NodeId, dims: u64, marks: u16) -> u64 {
        let unmarked = |dim: &u8| marks >> ((here.0 ^ 1 << dim) & 15) & 1 == 0;
        dimensions_of(open(faults, here, dims)).filter(unmarked).fold(0, |usable, dim| usable | 1 << dim)
    }
}

impl WormRouting for BacktrackingWorm {
    fn classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Misfit> {
        check_cube(mesh)?;
        if mesh.dimensions() > MOST {
            return Err(Misfit::Wants("at most 4 dimensions: its header lists the nodes that it has marked"));
        }
        Ok(())
    }

    fn start(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        WormHeader { memory: WormMemory::Marks(0), ..HEADER }
    }

    fn choose(&self, faults: &BlockFaults, at: &WormAt, choices: &mut WormChoices) {
        let WormMemory::Marks(marks) = at.header.memory else { return };
        let wrong = at.here.0 ^ at.to.0;
        let forward = Self::usable(faults, at.here, wrong, marks);
        if forward != 0 {
            let rule = &ANY_LIVE_WRONG;
            dimensions_of(forward).for_each(|dim| add(choices, at, dim, at.header, rule));
        } else if at.came.is_some() {
            let marks = marks | 1 << (at.here.0 & 15);
            let right = u64::from(faults.mesh().nodes() - 1) & !wrong;
            let header = WormHeader { memory: WormMemory::Marks(marks), ..at.header };
            let rule = &MARK_AND_SIDETRACK;
            dimensions_of(Self::usable(faults, at.here, right, marks))
                .for_each(|dim| add(choices, at, dim, header, rule));
        }
    }

    fn is_proved(&self, _faults: &BlockFaults) -> bool {
        false
    }
}
