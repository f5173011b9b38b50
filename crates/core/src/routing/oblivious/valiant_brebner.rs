//! Valiant & Brebner's randomized routing: to a random node first (thesis section 2.2).

use std::borrow::Cow;

use rand::Rng as _;

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

/// Entry of Valiant & Brebner's scheme in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("valiant-brebner"),
    name: Cow::Borrowed("Valiant & Brebner"),
    summary: "Goes to a random node, then to its destination, both times by bit-fixing.",
    guarantee: "Without faults every permutation loads every channel with 1 message in expectation and O(n) with high \
                probability; it can deadlock.",
    promises: Promises::detours(DeadlockFreedom::No),
    paper: "thesis, section 2.2",
    cost: cost::oblivious::VALIANT_BREBNER,
    method: Method::Oblivious(Oblivious {
        deadlock_free: false,
        intermediate_nodes: IntermediateNodes::Any,
        butterfly: Some(ButterflyScheme::AnyRow),
        build: |faulty, _| Ok(Box::new(ValiantBrebner::new(faulty))),
    }),
    dimension: None,
    worm: Some(Shared::Static(&IntermediateSet::Any)),
};

/// Randomized routing that ignores faults; every healthy node is active.
#[derive(Clone, Debug)]
pub struct ValiantBrebner {
    faulty: FaultyNodes,
}

impl ValiantBrebner {
    /// Creates the scheme for the faults `faulty`.
    pub fn new(faulty: FaultyNodes) -> Self {
        Self { faulty }
    }
}

impl ObliviousRouting for ValiantBrebner {
    fn faulty(&self) -> &FaultyNodes {
        &self.faulty
    }

    fn choice(&self, from: NodeId, to: NodeId) -> Option<IntermediateChoice> {
        let valid = Intermediates::with_cap(&self.faulty, u32::MAX).all(from, to);
        Some(IntermediateChoice { valid, out_of: self.cube().mask() + 1 })
    }

    fn legs(&self, from: NodeId, to: NodeId) -> Option<Legs> {
        Some(Legs { start: from, end: to, crossing: None, lowest: 0 })
    }

    fn draw(&self, _from: NodeId, _to: NodeId, generator: &mut Generator) -> Result<Option<NodeId>, NoRoute> {
        Ok(Some(NodeId(generator.next_u64() >> (64 - u32::from(self.cube().dimension())))))
    }

    fn route_via(&self, from: NodeId, to: NodeId, via: Option<NodeId>) -> Result<ObliviousRoute, NoRoute> {
        two_legs(&self.faulty, from, via.ok_or(NoRoute::NoIntermediate)?, to)
    }
}
