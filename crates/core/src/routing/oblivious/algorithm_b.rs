//! Algorithm B: Algorithm A made free of deadlock by two classes of channels (thesis section 3.3).

use std::borrow::Cow;

use super::bit_fixing::check_path;
use super::{
    EdgeRank, IntermediateChoice, IntermediateNodes, Intermediates, Legs, NoRoute, Oblivious, ObliviousPhase,
    ObliviousRoute, ObliviousRouting, Unavailable,
};
use crate::fault::{ActiveSet, FaultyNodes, Tolerance};
use crate::random::Generator;
use crate::routing::hypercube::worm::SquareWorm;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, Shared, cost};
use crate::topology::{Link, NodeId};

/// Entry of Algorithm B in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("algorithm-b"),
    name: Cow::Borrowed("Algorithm B"),
    summary: "Goes clockwise to the subcube C00, to a random node in C00, across to C01, to its destination's square in \
              C01, and counter-clockwise to its destination.",
    guarantee: "Never deadlocks; with at most N/(12n(n-2)^2) faults: short routes, expected congestion (4+o(1))h, and \
                (1-o(1))N active nodes.",
    promises: Promises::detours(DeadlockFreedom::Always),
    paper: super::THESIS,
    cost: cost::oblivious::ALGORITHM_B,
    method: Method::Oblivious(Oblivious {
        deadlock_free: true,
        intermediate_nodes: IntermediateNodes::ActiveSquares,
        butterfly: None,
        build: |faulty, tolerance| match AlgorithmB::new(faulty, tolerance) {
            Some(routing) => Ok(Box::new(routing)),
            None => Err(Unavailable::Dimensions(3)),
        },
    }),
    dimension: None,
    worm: Some(Shared::Static(&SquareWorm)),
};

/// Dimension of the first coordinate, x1.
const X1: u8 = 0;
/// Dimension of the second coordinate, x2.
const X2: u8 = 1;

/// Subcubes by the first two address bits of a node.
const C00: u64 = 0b00;
const C10: u64 = 0b01;
const C01: u64 = 0b10;

/// Algorithm B (thesis figure 3-6).
#[derive(Clone, Debug)]
pub struct AlgorithmB {
    active: ActiveSet,
}

impl AlgorithmB {
    /// Creates Algorithm B for the faults `faulty`; `None` below n = 3. Cost: two sweeps of n N / 4
    /// additions.
    pub fn new(faulty: FaultyNodes, tolerance: Tolerance) -> Option<Self> {
        ActiveSet::algorithm_b(faulty, tolerance).map(|active| Self { active })
    }

    /// Returns the sets I_sd of intermediate squares.
    pub fn intermediates(&self) -> Intermediates<'_> {
        Intermediates::new(self.active.core())
    }
}

/// Returns the rank of `link` in the order of figure 3-7; `None` for the channels that no route
/// takes: channels inside C10 and C11, and from C11 to C01.
pub fn edge_rank(link: Link) -> Option<EdgeRank> {
    let class = match (link.from.0 & 0b11, link.dim) {
        (C01, X1) => 1,
        (0b11, X2) => 2,
        (C10, X1) => 3,
        (C00, X2) => 5,
        (C01, X2) => 7,
        (C00, X1) => 8,
        (C10, X2) => 9,
        (C00, dim) => return Some(EdgeRank { class: 4, dim }),
        (C01, dim) => return Some(EdgeRank { class: 6, dim }),
        _ => return None,
    };
    Some(EdgeRank { class, dim: 0 })
}

impl ObliviousRouting for AlgorithmB {
    fn faulty(&self) -> &FaultyNodes {
        self.active.faulty()
    }

    fn active_set(&self) -> Option<&ActiveSet> {
        Some(&self.active)
    }

    fn choice(&self, from: NodeId, to: NodeId) -> Option<IntermediateChoice> {
        let squares = self.intermediates().all(self.active.to_core(from), self.active.to_core(to));
        let valid: Vec<_> = squares.into_iter().map(|square| NodeId(square.0 << 2)).collect();
        Some(IntermediateChoice { out_of: valid.len() as u64, valid })
    }

    fn legs(&self, from: NodeId, to: NodeId) -> Option<Legs> {
        let start = NodeId(from.0 & !0b11);
        Some(Legs { start, end: NodeId(to.0 & !0b11 | C01), crossing: Some(X2), lowest: 2 })
    }

    fn draw(&self, from: NodeId, to: NodeId, generator: &mut Generator) -> Result<Option<NodeId>, NoRoute> {
        let square = self.intermediates().draw(self.active.to_core(from), self.active.to_core(to), generator);
        square.map_or(Err(NoRoute::NoIntermediate), |square| Ok(Some(NodeId(square.0 << 2))))
    }

    /// Returns the route through the square of `via`, which it passes in C00 and in C01.
    fn route_via(&self, from: NodeId, to: NodeId, via: Option<NodeId>) -> Result<ObliviousRoute, NoRoute> {
        let via = NodeId(via.ok_or(NoRoute::NoIntermediate)?.0 & !0b11);
        let core = |node| self.active.to_core(node);
        // Test squares rather than nodes: a marked square is excluded even if this route meets none
        // of its faulty nodes.
        let first = |square: NodeId| NodeId(square.0 << 2);
        for (start, end) in [(from, via), (via, to)] {
            match check_path(self.active.core(), core(start), core(end)) {
                Err(NoRoute::Faulty(square)) => return Err(self.fault_in(first(square))),
                Err(NoRoute::FaultyLink(link)) => {
                    return Err(self.fault_between(Link { from: first(link.from), dim: link.dim + 2 }));
                }
                _ => {}
            }
        }
        Ok(route(from, via, to))
    }
}

impl AlgorithmB {
    /// Returns a faulty node of a marked square or, if all are healthy, a faulty link.
    fn fault_in(&self, square: NodeId) -> NoRoute {
        let nodes = || (0..4).map(|corner| NodeId(square.0 | corner));
        let mut links = nodes().flat_map(|from| [X1, X2].map(|dim| Link { from, dim }));
        if let Some(node) = nodes().find(|&node| self.faulty().contains(node)) {
            return NoRoute::Faulty(node);
        }
        let link = links.find(|&link| self.faulty().is_link_faulty(link));
        link.map_or(NoRoute::Faulty(square), NoRoute::FaultyLink)
    }

    /// Returns a faulty link of the four that join two squares; `link` is the first of them.
    fn fault_between(&self, link: Link) -> NoRoute {
        let mut links = (0..4).map(|corner| Link { from: NodeId(link.from.0 | corner), dim: link.dim });
        NoRoute::FaultyLink(links.find(|&link| self.faulty().is_link_faulty(link)).unwrap_or(link))
    }
}

/// Returns the route in five phases; the class of each hop is that of its [`edge_rank`].
#[inline]
fn route(from: NodeId, via: NodeId, to: NodeId) -> ObliviousRoute {
    use ObliviousPhase::{Clockwise, CounterClockwise, Crossing, FromIntermediate, ToIntermediate};
    let mut route = ObliviousRoute::new(from, Some(via));
    // The clockwise hops are a suffix of 01 -> 11 -> 10 -> 00.
    let clockwise = [(X1, 1), (X2, 2), (X1, 3)];
    let skipped = match from.0 & 0b11 {
        C00 => 3,
        C10 => 2,
        C01 => 0,
        _ => 1,
    };
    clockwise.iter().skip(skipped).for_each(|&(dim, class)| route.hop(dim, Clockwise, class));
    route.fix(via, ToIntermediate, 4);
    route.hop(X2, Crossing, 5);
    route.fix(NodeId(to.0 & !0b11 | C01), FromIntermediate, 6);
    // The counter-clockwise hops are a prefix of 01 -> 00 -> 10 -> 11.
    let counter_clockwise = [(X2, 7), (X1, 8), (X2, 9)];
    let taken = match to.0 & 0b11 {
        C00 => 1,
        C10 => 2,
        C01 => 0,
        _ => 3,
    };
    counter_clockwise.iter().take(taken).for_each(|&(dim, class)| route.hop(dim, CounterClockwise, class));
    route
}
