//! Algorithm A: randomized routing among faults (thesis section 3.2).

use std::borrow::Cow;

use super::bit_fixing::two_legs;
use super::{
    ButterflyScheme, IntermediateChoice, IntermediateNodes, Intermediates, Legs, NoRoute, Oblivious, ObliviousRoute,
    ObliviousRouting,
};
use crate::fault::{ActiveSet, FaultyNodes, Tolerance};
use crate::random::Generator;
use crate::routing::hypercube::worm::IntermediateSet;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, Shared, cost};
use crate::topology::NodeId;

/// Entry of Algorithm A in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("algorithm-a"),
    name: Cow::Borrowed("Algorithm A"),
    summary: "Goes through a random node with fault-free bit-fixing paths to and from it; nodes with too many faulty \
              paths do not take part.",
    guarantee: "With at most N/(3n^2(n+2)) faults: short routes, expected congestion (1+o(1))h, and (1-1/n)N active \
                nodes; it can deadlock.",
    promises: Promises::detours(DeadlockFreedom::No),
    paper: super::THESIS,
    cost: cost::oblivious::ALGORITHM_A,
    method: Method::Oblivious(Oblivious {
        deadlock_free: false,
        intermediate_nodes: IntermediateNodes::ActiveNodes,
        butterfly: Some(ButterflyScheme::ActiveRows),
        build: |faulty, tolerance| Ok(Box::new(AlgorithmA::new(faulty, tolerance))),
    }),
    dimension: None,
    worm: Some(Shared::Static(&IntermediateSet::Active)),
};

/// Algorithm A (thesis figure 3-2).
#[derive(Clone, Debug)]
pub struct AlgorithmA {
    active: ActiveSet,
}

impl AlgorithmA {
    /// Creates Algorithm A for the faults `faulty`. Cost: two sweeps of n N additions.
    pub fn new(faulty: FaultyNodes, tolerance: Tolerance) -> Self {
        Self { active: ActiveSet::algorithm_a(faulty, tolerance) }
    }

    /// Returns the sets I_sd of intermediate nodes.
    pub fn intermediates(&self) -> Intermediates<'_> {
        Intermediates::new(self.active.core())
    }
}

impl ObliviousRouting for AlgorithmA {
    fn faulty(&self) -> &FaultyNodes {
        self.active.faulty()
    }

    fn active_set(&self) -> Option<&ActiveSet> {
        Some(&self.active)
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
        two_legs(self.faulty(), from, via.ok_or(NoRoute::NoIntermediate)?, to)
    }
}
