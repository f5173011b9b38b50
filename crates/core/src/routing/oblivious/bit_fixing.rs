//! Bit-fixing: always corrects the lowest wrong bit (thesis section 2.2).

use std::borrow::Cow;

use super::{ButterflyScheme, IntermediateNodes, NoRoute, Oblivious, ObliviousPhase, ObliviousRoute, ObliviousRouting};
use crate::fault::{FaultyNodes, PathFault};
use crate::routing::hypercube::worm::BitFixingWorm;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, Shared, cost};
use crate::topology::{Link, NodeId, set_dimensions};

/// Entry of bit-fixing in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("bit-fixing"),
    name: Cow::Borrowed("Bit-fixing"),
    summary: "Always corrects the lowest wrong bit, and ignores faults.",
    guarantee: "Shortest paths and no deadlock; some permutations load a channel with 2^floor((n-1)/2) messages.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "thesis, section 2.2",
    cost: cost::oblivious::BIT_FIXING,
    method: Method::Oblivious(Oblivious {
        deadlock_free: true,
        intermediate_nodes: IntermediateNodes::Nothing,
        butterfly: Some(ButterflyScheme::Direct),
        build: |faulty, _| Ok(Box::new(BitFixing::new(faulty))),
    }),
    dimension: None,
    worm: Some(Shared::Static(&BitFixingWorm)),
};

/// Returns the channels of the bit-fixing path from `from` to `to`, in order: one for each
/// dimension in which the nodes differ, ascending. A path from a node to itself is empty.
pub fn bit_fixing_path(from: NodeId, to: NodeId) -> impl Iterator<Item = Link> {
    let mut here = from;
    set_dimensions(from.0 ^ to.0).map(move |dim| {
        let link = Link { from: here, dim };
        here = link.end();
        link
    })
}

/// Bit-fixing; every healthy node is active.
#[derive(Clone, Debug)]
pub struct BitFixing {
    faulty: FaultyNodes,
}

impl BitFixing {
    /// Creates bit-fixing for the faults `faulty`.
    pub fn new(faulty: FaultyNodes) -> Self {
        Self { faulty }
    }
}

impl ObliviousRouting for BitFixing {
    fn faulty(&self) -> &FaultyNodes {
        &self.faulty
    }

    fn route_via(&self, from: NodeId, to: NodeId, _via: Option<NodeId>) -> Result<ObliviousRoute, NoRoute> {
        check_path(&self.faulty, from, to)?;
        let mut route = ObliviousRoute::new(from, None);
        route.fix(to, ObliviousPhase::Direct, 1);
        Ok(route)
    }
}

/// Checks that the bit-fixing path from `from` to `to` is fault-free. The error contains the first
/// fault.
#[inline]
pub(super) fn check_path(faulty: &FaultyNodes, from: NodeId, to: NodeId) -> Result<(), NoRoute> {
    match faulty.first_faulty_on_path(from, to) {
        None => Ok(()),
        Some(PathFault::Node(node)) => Err(NoRoute::Faulty(node)),
        Some(PathFault::Link(link)) => Err(NoRoute::FaultyLink(link)),
    }
}

/// Returns the route of general randomized routing through `via` (thesis figure 3-1), if both of
/// its paths are fault-free.
#[inline]
pub(super) fn two_legs(faulty: &FaultyNodes, from: NodeId, via: NodeId, to: NodeId) -> Result<ObliviousRoute, NoRoute> {
    check_path(faulty, from, via)?;
    check_path(faulty, via, to)?;
    let mut route = ObliviousRoute::new(from, Some(via));
    route.fix(via, ObliviousPhase::ToIntermediate, 0);
    route.fix(to, ObliviousPhase::FromIntermediate, 0);
    Ok(route)
}
