//! Worms by the algorithms of Gordon & Stout that remember nothing.

use super::{HEADER, add, check_cube, open};
use crate::fault::BlockFaults;
use crate::routing::Header;
use crate::routing::worm::{WormAt, WormChoices, WormHeader, WormRouting};
use crate::routing::{Dimensions, Knowledge, LocalRouting, Misfit, Order, Position};
use crate::topology::{Mesh, NodeId, dimensions_of};

/// Any dimension of the first tier that faults leave usable; a worm waits for these alone, however long others hold them.
///
/// A blind node whose one dimension is dead sends its worm into the fault: it is lost there. Not for blind nodes that choose at
/// random: what may be asked for is a set of live channels.
pub(in crate::routing) struct LocalWorm(pub(in crate::routing) &'static dyn LocalRouting);

impl WormRouting for LocalWorm {
    fn classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Misfit> {
        check_cube(mesh)
    }

    fn start(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        HEADER
    }

    fn choose(&self, faults: &BlockFaults, at: &WormAt, choices: &mut WormChoices) {
        let wrong = at.here.0 ^ at.to.0;
        let cube = u64::from(faults.mesh().nodes()) - 1;
        let highest = |dims: u64| dims.checked_ilog2().map_or(0, |highest| 1 << highest);
        for tier in self.0.tiers(Position { here: at.here, wrong, header: Header::default() }).iter() {
            // Blocked at its source, a message fails at once.
            if tier.dimensions == Dimensions::Right && at.came.is_none() {
                return;
            }
            let dims = tier.dimensions.mask(wrong, cube);
            let dims = match (self.0.order(), self.0.knowledge()) {
                (Order::Highest, Knowledge::Nothing) => open(faults, at.here, highest(dims)),
                (Order::Highest, _) => highest(open(faults, at.here, dims)),
                (Order::Random, _) => open(faults, at.here, dims),
            };
            dimensions_of(dims).for_each(|dim| add(choices, at, dim, at.header, tier.rule));
            if dims != 0 {
                return;
            }
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        // Descending dimensions, one path for each pair.
        matches!(self.0.order(), Order::Highest) && faults.is_none()
    }
}
