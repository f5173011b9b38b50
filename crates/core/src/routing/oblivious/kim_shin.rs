//! Kim & Shin's routing through a healthy subcube, the competitor in thesis sections 2.1 and 2.3.

use std::borrow::Cow;

use super::{
    Endpoint, IntermediateNodes, NoRoute, Oblivious, ObliviousPhase, ObliviousRoute, ObliviousRouting, Subcube,
    Unavailable, healthy_subcube,
};
use crate::fault::FaultyNodes;
use crate::routing::hypercube::worm::KimShinWorm;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, Shared, cost};
use crate::topology::{Link, NodeId, set_dimensions};

/// Entry of Kim & Shin's scheme in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("kim-shin"),
    name: Cow::Borrowed("Kim & Shin"),
    summary: "Goes to the nearest node of a fault-free subcube, by bit-fixing to its node nearest to the destination, \
              and on to the destination. The subcube has n-1 dimensions if all faults agree in a bit, otherwise n-2.",
    guarantee: "A fault-free subcube of n-2 dimensions exists with any 5 faults at n = 5 to 10, 6 at 11 to 15, 7 at 16 \
                to 35; some permutations load a channel with order sqrt(N) messages.",
    promises: Promises::detours(DeadlockFreedom::Always),
    paper: "Kim & Shin, in the thesis, section 2.1",
    cost: cost::oblivious::KIM_SHIN,
    method: Method::Oblivious(Oblivious {
        deadlock_free: true,
        intermediate_nodes: IntermediateNodes::Subcube,
        butterfly: None,
        build: |faulty, _| match KimShin::new(faulty) {
            Ok(routing) => Ok(Box::new(routing)),
            Err(why) => Err(why),
        },
    }),
    dimension: None,
    worm: Some(Shared::Static(&KimShinWorm)),
};

/// Returns the number of faults with which an n-cube always has a healthy (n-2)-subcube, wherever
/// the faults are. The number is the largest F with C(F-1, floor(F/2)-1) < n, at least 3; 0 below n
/// = 2.
///
/// Faults that leave no healthy subcube are the rows of a binary array in which any two of the n
/// columns contain all four pairs of bits. By Kleitman and Spencer's theorem, such an array of F
/// rows has at most C(F-1, floor(F/2)-1) columns.
pub fn kim_shin_guarantee(n: u8) -> u32 {
    if n < 2 {
        return 0;
    }
    let columns = |f: u64| (1..f / 2).fold(1u64, |product, k| product * (f - k) / k);
    (4..=64u64).take_while(|&f| columns(f) < u64::from(n)).last().unwrap_or(3) as u32
}

/// Kim & Shin's scheme; every healthy node is active.
#[derive(Clone, Debug)]
pub struct KimShin {
    faulty: FaultyNodes,
    subcube: Subcube,
}

impl KimShin {
    /// Creates the scheme for the faults `faulty`.
    ///
    /// # Errors
    /// Returns an error if no subcube of n-2 dimensions is healthy, or if there are fewer than 2
    /// dimensions.
    pub fn new(faulty: FaultyNodes) -> Result<Self, Unavailable> {
        if faulty.cube().dimension() < 2 {
            return Err(Unavailable::Dimensions(2));
        }
        let subcube = healthy_subcube(&faulty).ok_or(Unavailable::NoSubcube)?;
        Ok(Self { faulty, subcube })
    }

    /// Returns the healthy subcube H.
    pub fn subcube(&self) -> Subcube {
        self.subcube
    }

    /// Returns the dimensions from `node` to its projection, in an order without faults. If both
    /// orders are possible, the lowest dimension comes first. The destination is reached in the
    /// opposite direction, so that the links into it count.
    fn approach(&self, node: NodeId, end: Endpoint) -> Result<[Option<u8>; 2], NoRoute> {
        let mut dims = set_dimensions(node.0 ^ self.subcube.projection(node).0);
        let (first, second) = (dims.next(), dims.next());
        let between = |first: u8| NodeId(node.0 ^ 1 << first);
        let faulty_link = |from: NodeId, dim| {
            let link = Link { from, dim };
            let link = if end == Endpoint::Source { link } else { link.reverse() };
            self.faulty.is_link_faulty(link).then_some(link)
        };
        let is_healthy = |first: u8, second: u8| {
            !self.faulty.contains(between(first))
                && faulty_link(node, first).or_else(|| faulty_link(between(first), second)).is_none()
        };
        match (first, second) {
            (Some(first), Some(second)) if is_healthy(first, second) => Ok([Some(first), Some(second)]),
            (Some(first), Some(second)) if is_healthy(second, first) => Ok([Some(second), Some(first)]),
            (Some(_), Some(_)) => Err(NoRoute::Enclosed(end, node)),
            (Some(only), None) => {
                faulty_link(node, only).map_or(Ok([first, None]), |link| Err(NoRoute::FaultyLink(link)))
            }
            _ => Ok([None, None]),
        }
    }
}

impl ObliviousRouting for KimShin {
    fn faulty(&self) -> &FaultyNodes {
        &self.faulty
    }

    fn healthy_subcube(&self) -> Option<Subcube> {
        Some(self.subcube)
    }

    fn route_via(&self, from: NodeId, to: NodeId, _via: Option<NodeId>) -> Result<ObliviousRoute, NoRoute> {
        let approach = self.approach(from, Endpoint::Source)?;
        let leave = self.approach(to, Endpoint::Destination)?;
        let mut route = ObliviousRoute::new(from, None);
        // Every route takes its channels in one order: channels towards the subcube by the distance
        // at which they start, channels inside by dimension, then channels away from the subcube.
        let distance = |dims: &[Option<u8>; 2]| dims.iter().flatten().count() as u8;
        for (dim, class) in approach.into_iter().flatten().zip(3 - distance(&approach)..) {
            route.hop(dim, ObliviousPhase::Approach, class);
        }
        route.fix(self.subcube.projection(to), ObliviousPhase::Inside, 3);
        for (dim, class) in leave.into_iter().rev().flatten().zip(4..) {
            route.hop(dim, ObliviousPhase::Leave, class);
        }
        Ok(route)
    }
}
