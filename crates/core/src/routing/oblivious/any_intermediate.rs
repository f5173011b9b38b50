//! General randomized routing with the largest possible sets of intermediate nodes. The comparison,
//! which is not in the thesis, separates the cost of the thesis' active sets from the cost of
//! faults.

use std::borrow::Cow;

use super::bit_fixing::two_legs;
use super::{
    ButterflyScheme, IntermediateChoice, IntermediateNodes, Intermediates, Legs, NoRoute, Oblivious, ObliviousRoute,
    ObliviousRouting,
};
use crate::fault::FaultyNodes;
use crate::random::Generator;
use crate::routing::hypercube::worm::IntermediateSet;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, Shared, cost};
use crate::topology::NodeId;

/// Entry of general randomized routing in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("general"),
    name: Cow::Borrowed("General randomized"),
    summary: "Goes through any node with fault-free bit-fixing paths to and from it; every healthy node takes part.",
    guarantee: "None on congestion or length with faults; it can deadlock.",
    promises: Promises::detours(DeadlockFreedom::No),
    paper: "thesis, section 3.1, with the largest sets of intermediate nodes",
    cost: cost::oblivious::GENERAL,
    method: Method::Oblivious(Oblivious {
        deadlock_free: false,
        intermediate_nodes: IntermediateNodes::Any,
        butterfly: Some(ButterflyScheme::FaultFree),
        build: |faulty, _| Ok(Box::new(AnyIntermediate { faulty })),
    }),
    dimension: None,
    worm: Some(Shared::Static(&IntermediateSet::FaultFree)),
};

/// General randomized routing in which every healthy node is active, and every node with two
/// fault-free paths is a valid intermediate node.
#[derive(Clone, Debug)]
struct AnyIntermediate {
    faulty: FaultyNodes,
}

impl AnyIntermediate {
    fn intermediates(&self) -> Intermediates<'_> {
        Intermediates::with_cap(&self.faulty, u32::MAX)
    }
}

impl ObliviousRouting for AnyIntermediate {
    fn faulty(&self) -> &FaultyNodes {
        &self.faulty
    }

    fn choice(&self, from: NodeId, to: NodeId) -> Option<IntermediateChoice> {
        let valid = self.intermediates().all(from, to);
        Some(IntermediateChoice { out_of: valid.len() as u64, valid })
    }

    fn legs(&self, from: NodeId, to: NodeId) -> Option<Legs> {
        Some(Legs { start: from, end: to, crossing: None, lowest: 0 })
    }

    fn draw(&self, from: NodeId, to: NodeId, generator: &mut Generator) -> Result<Option<NodeId>, NoRoute> {
        self.intermediates().draw(from, to, generator).map_or(Err(NoRoute::NoIntermediate), |via| Ok(Some(via)))
    }

    fn route_via(&self, from: NodeId, to: NodeId, via: Option<NodeId>) -> Result<ObliviousRoute, NoRoute> {
        two_legs(&self.faulty, from, via.ok_or(NoRoute::NoIntermediate)?, to)
    }
}
