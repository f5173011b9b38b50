//! Adversaries: placement of faults for the worst case, which the thesis assumes (section 1.1).

mod placement;
mod search;
mod spread;

use super::FaultyNodes;
use crate::names;
use crate::random::Key;
use crate::topology::{Hypercube, NodeId};

/// The strategy by which faults are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adversary {
    /// Random placement: all sets of this size are equally likely.
    Random,
    /// A subcube, or its first nodes: the addresses that differ from the centre in the highest
    /// dimensions, in order.
    Subcube,
    /// A Hamming ball: the nodes nearest to the centre, starting with the centre.
    Ball,
    /// The neighbours of the centre, then the nodes at distance 3, 5 and so on. The centre stays
    /// healthy; n faults cut it off.
    Neighbors,
    /// A local search for the set that leaves the fewest active nodes under Algorithm A or
    /// Algorithm B.
    ///
    /// The search evaluates random sets and sets spread evenly over a part of the cube. It improves
    /// the best one by moving one node at a time.
    Greedy {
        /// `true` for the rule of Algorithm B, `false` for the rule of Algorithm A.
        squares: bool,
    },
    /// A local search for nodes on many bit-fixing paths.
    ///
    /// Among the sets found that leave fewer active nodes than random sets, the search selects the
    /// one with the fewest fault-free paths.
    Busiest,
    /// A congestion funnel: all messages of a subcube that cross one of the middle dimensions have
    /// to take one channel. The nearest channels parallel to it lead to faulty nodes.
    Funnel,
}

names! {
    Adversary {
        Random: "random",
        Subcube: "subcube",
        Ball: "ball",
        Neighbors: "neighbors",
        Greedy { squares: false }: "greedy-a",
        Greedy { squares: true }: "greedy-b",
        Busiest: "busiest",
        Funnel: "funnel",
    }
}

impl Adversary {
    /// Largest cube dimension on which experiments allow adversaries.
    pub const MAX_DIMENSION: u8 = 20;

    /// Places `count` faults, or all nodes if there are fewer, around `centre`. Random choices come
    /// from `key`.
    ///
    /// Returns `None` above [`FaultyNodes::MAX_DIMENSION`], for searching adversaries above
    /// [`Adversary::MAX_DIMENSION`], or if `centre` is not in the cube. Cost: the number of nodes.
    /// A search takes about 2^28 additions, and at least 48 sets: a tenth of a second at n = 14,
    /// one or two seconds at n = 20.
    pub fn place_faults(self, cube: Hypercube, count: u32, centre: NodeId, key: Key) -> Option<FaultyNodes> {
        let faulty = FaultyNodes::empty(cube)?;
        let searches = matches!(self, Self::Greedy { .. } | Self::Busiest);
        if !cube.contains(centre) || (searches && cube.dimension() > Self::MAX_DIMENSION) {
            return None;
        }
        let count = u64::from(count).min(cube.mask() + 1) as u32;
        Some(match self {
            Self::Random => placement::random(faulty, count, key),
            Self::Subcube => placement::place_first(faulty, count, |place| {
                place.reverse_bits() >> (64 - u32::from(cube.dimension())) ^ centre.0
            }),
            Self::Ball => placement::place_nearest(faulty, count, centre, |distance| distance),
            Self::Neighbors => placement::place_nearest(faulty, count, centre, |distance| {
                if distance % 2 == 1 { distance } else { 64 + distance }
            }),
            Self::Greedy { squares: true } => search::search_squares(faulty, count, key),
            Self::Greedy { squares: false } => search::search(faulty, count, search::Objective::Active, key),
            Self::Busiest => search::search(faulty, count, search::Objective::Paths, key),
            Self::Funnel => placement::funnel(faulty, count, centre),
        })
    }
}
