//! Worms by the memoryless algorithms of Gordon & Stout.

use super::{HEADER, add_request, check_cube, open_dimensions};
use crate::fault::BlockFaults;
use crate::routing::Header;
use crate::routing::worm::{VcRequests, WormHeader, WormPosition, WormRouting};
use crate::routing::{Dimensions, Knowledge, LocalRouting, Order, Position, Unsupported};
use crate::topology::{Mesh, NodeId, set_dimensions};

/// A local routing for worms: any dimension of the first tier that faults leave usable. A worm
/// waits only for these dimensions while other worms occupy them.
///
/// A worm under a blind algorithm is lost if its only dimension is faulty. Blind algorithms that
/// choose at random are not supported: requests are sets of live channels.
pub(in crate::routing) struct LocalWorm(pub(in crate::routing) &'static dyn LocalRouting);

impl WormRouting for LocalWorm {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_cube(mesh)
    }

    fn initial_header(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        HEADER
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let wrong = at.here.0 ^ at.to.0;
        let cube = u64::from(faults.mesh().nodes()) - 1;
        let highest = |dims: u64| dims.checked_ilog2().map_or(0, |highest| 1 << highest);
        for tier in self.0.tiers(Position { here: at.here, wrong, header: Header::default() }).iter() {
            // A message that is blocked at its source fails at once.
            if tier.dimensions == Dimensions::Right && at.input_port.is_none() {
                return;
            }
            let dims = tier.dimensions.mask(wrong, cube);
            let dims = match (self.0.order(), self.0.knowledge()) {
                (Order::Highest, Knowledge::Nothing) => open_dimensions(faults, at.here, highest(dims)),
                (Order::Highest, _) => highest(open_dimensions(faults, at.here, dims)),
                (Order::Random, _) => open_dimensions(faults, at.here, dims),
            };
            set_dimensions(dims).for_each(|dim| add_request(choices, at, dim, at.header, tier.rule));
            if dims != 0 {
                return;
            }
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        // Without faults, descending dimensions and one path for each pair exclude deadlock.
        matches!(self.0.order(), Order::Highest) && faults.is_none()
    }
}
