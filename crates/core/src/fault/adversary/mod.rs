//! Adversaries: fault sets placed to do harm, where the thesis supposes the worst case (section 1.1).

mod net;
mod search;
mod shapes;

use super::FaultyNodes;
use crate::names;
use crate::random::Key;
use crate::topology::{Hypercube, NodeId};

/// Who places the faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adversary {
    /// Chance: all sets of so many nodes are equally likely.
    Random,
    /// A subcube, as many of its nodes as there are faults: the addresses that differ from the centre in the highest
    /// dimensions, in order.
    Subcube,
    /// A Hamming ball: the nodes nearest to the centre, itself first.
    Ball,
    /// The neighbours of the centre, then the nodes at distance 3, 5 and so on: the centre stays healthy and is cut off.
    Neighbors,
    /// The set, of those that it finds, that leaves the fewest nodes active under Algorithm A, or under Algorithm B: it looks at
    /// random sets and at sets spread evenly over a part of the cube, and goes on from the best one, a node at a time.
    Greedy {
        /// Whether Algorithm B's rule is meant.
        squares: bool,
    },
    /// The nodes on the most bit-fixing paths: the set, of those that leave fewer nodes active than the random ones that it has
    /// looked at, that leaves the fewest paths fault-free.
    Busiest,
    /// A congestion funnel: all messages of a subcube that have to cross one of the middle dimensions are to take one
    /// channel. The channels parallel to it lead to faulty nodes, nearest first.
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
    /// The largest cube that experiments let them loose on.
    pub const MAX_DIMENSION: u8 = 20;

    /// `count` faults, or all nodes if there are fewer, around `centre`; chance comes from `key`. `None` above
    /// [`FaultyNodes::MAX_DIMENSION`], for those that search above [`Adversary::MAX_DIMENSION`], or if the cube does not have
    /// the centre. Cost: the number of nodes; those that search, about 2^28 additions, and 48 sets at least: a tenth of a
    /// second at n = 14, one or two seconds at n = 20.
    pub fn place(self, cube: Hypercube, count: u32, centre: NodeId, key: Key) -> Option<FaultyNodes> {
        let faulty = FaultyNodes::none(cube)?;
        let searches = matches!(self, Self::Greedy { .. } | Self::Busiest);
        if !cube.contains(centre) || (searches && cube.dimension() > Self::MAX_DIMENSION) {
            return None;
        }
        let count = u64::from(count).min(cube.mask() + 1) as u32;
        Some(match self {
            Self::Random => shapes::random(faulty, count, key),
            Self::Subcube => shapes::first(faulty, count, |place| {
                place.reverse_bits() >> (64 - u32::from(cube.dimension())) ^ centre.0
            }),
            Self::Ball => shapes::nearest(faulty, count, centre, |distance| distance),
            Self::Neighbors => {
                shapes::nearest(
                    faulty,
                    count,
                    centre,
                    |distance| if distance % 2 == 1 { distance } else { 64 + distance },
                )
            }
            Self::Greedy { squares: true } => search::squares(faulty, count, key),
            Self::Greedy { squares: false } => search::search(faulty, count, search::Aim::Active, key),
            Self::Busiest => search::search(faulty, count, search::Aim::Paths, key),
            Self::Funnel => shapes::funnel(faulty, count, centre),
        })
    }
}
