//! Exact probability that a message arrives, averaged over all sets of faulty nodes.
//!
//! Minimal routings are evaluated by the partial fault information that a message has observed
//! ([`fault_knowledge`]). Nonminimal ones are evaluated per fault set ([`message_distribution`]).
//! If the algorithm treats dimensions alike, one representative of each class under permutations of
//! the dimensions suffices ([`orbits`]).

mod fault_knowledge;
mod message_distribution;
mod orbits;

use fault_knowledge::arrivals_by_knowledge;
use message_distribution::MessageDistribution;
use orbits::{Orbits, Symmetry};

use super::enumerate::ArrivalDistribution;
use super::fault_sets::{FaultSet, bernoulli_mixture};
use crate::routing::LocalRouting;
use crate::topology::Hypercube;
use crate::traffic::Pair;

/// Largest dimension of a cube for averages over all fault sets.
pub const MAX_ALL_SETS_DIMENSION: u8 = 5;

/// Distribution of the faulty nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultDistribution {
    /// Each node except the two ends is faulty with this probability (Model A).
    Each(f64),
    /// Exactly this many nodes other than the two ends are faulty (Model B).
    Exactly(u64),
}

/// Query for a message averaged over all sets of faulty nodes: its live ends and the nodes with a
/// fixed state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaultAverageQuery {
    /// Network, of at most [`MAX_ALL_SETS_DIMENSION`] dimensions.
    pub cube: Hypercube,
    /// Source and destination of the message.
    pub ends: Pair,
    /// Nodes that are faulty in every set.
    pub always_faulty: FaultSet,
    /// Nodes that are live in every set.
    pub always_live: FaultSet,
    /// Maximum number of hops.
    pub max_hops: u32,
}

impl FaultAverageQuery {
    fn always_faulty_mask(&self) -> u32 {
        self.always_faulty.0 as u32 & !self.ends_mask()
    }

    fn always_live_mask(&self) -> u32 {
        self.always_live.0 as u32 & !self.ends_mask()
    }

    fn ends_mask(&self) -> u32 {
        1 << self.ends.from.0 | 1 << self.ends.to.0
    }

    /// Returns the nodes whose state is fixed.
    fn fixed(&self) -> u32 {
        self.ends_mask() | self.always_faulty_mask() | self.always_live_mask()
    }

    /// Returns the arrival probabilities of a message routed by `routing`, averaged over the sets
    /// `drawn`, without sampling.
    ///
    /// The results include S(n, p) and S(n, f) of Gordon & Stout section 2.1. `None` above
    /// [`MAX_ALL_SETS_DIMENSION`] dimensions, and if a message can observe too many different
    /// states; use [`FaultSetEnumeration`] then. Cost: at most a tenth of a second.
    pub fn arrivals(&self, drawn: FaultDistribution, routing: &dyn LocalRouting) -> Option<ArrivalDistribution> {
        (self.cube.dimension() <= MAX_ALL_SETS_DIMENSION).then(|| arrivals_by_knowledge(self, drawn, routing))?
    }
}

/// Resumable enumeration of all fault sets.
///
/// Cost: for n = 5 and antipodal ends 9 million sets, about a microsecond each; 45 to 100 million
/// for other ends.
pub struct FaultSetEnumeration {
    asked: FaultAverageQuery,
    orbits: Orbits,
    walk: MessageDistribution,
    /// Sums over the sets of f of the free nodes: `sums[f][h]` belongs to the probability of
    /// arriving after h hops.
    sums: Vec<Vec<f64>>,
}

impl FaultSetEnumeration {
    /// Creates the enumeration, or returns `None` if the query or algorithm is not supported.
    ///
    /// Cubes above [`MAX_ALL_SETS_DIMENSION`] dimensions, blind algorithms, and algorithms whose
    /// messages have header state are not supported.
    pub fn new(asked: FaultAverageQuery, routing: &dyn LocalRouting) -> Option<Self> {
        if asked.cube.dimension() > MAX_ALL_SETS_DIMENSION {
            return None;
        }
        let walk = MessageDistribution::new(asked.cube, asked.ends, routing)?;
        let all = u32::MAX >> (u32::BITS - (1 << asked.cube.dimension()));
        let free = all & !asked.fixed();
        let keeps = |symmetry: &Symmetry| [free, asked.always_faulty_mask()].iter().all(|&set| symmetry.fixes(set));
        let symmetries = Symmetry::fixing(asked.cube, asked.ends).filter(|one| keeps(one) && walk.respects(one));
        let orbits = Orbits::new(free, &symmetries.collect::<Vec<_>>());
        let by_hops = vec![0.0; asked.max_hops as usize + 1];
        Some(Self { asked, orbits, walk, sums: vec![by_hops; free.count_ones() as usize + 1] })
    }

    /// Processes sets until all sets are done or `budget`, a number of sets, is used up. Returns
    /// whether all sets are done.
    pub fn advance(&mut self, budget: &mut u64) -> bool {
        while *budget > 0 {
            let Some((set, times)) = self.orbits.next() else { return true };
            *budget -= 1;
            let sums = &mut self.sums[set.count_ones() as usize];
            self.walk.add_arrivals(set | self.asked.always_faulty_mask(), f64::from(times), sums);
        }
        false
    }

    /// Returns the averages over all sets of each size.
    pub fn finish(self) -> AveragesByFaultCount {
        let free = self.sums.len() as u64 - 1;
        let average = |(f, by_hops): (u64, Vec<f64>)| {
            let sets = binomial(free, f);
            by_hops.into_iter().map(|sum| sum / sets).collect()
        };
        AveragesByFaultCount {
            drawable_nodes: self.asked.cube.others(),
            averages: (0..).zip(self.sums).map(average).collect(),
        }
    }
}

/// Arrival probabilities of a message for each number of faults.
#[derive(Clone, Debug, PartialEq)]
pub struct AveragesByFaultCount {
    /// Number of nodes other than the ends, from which faults are drawn.
    drawable_nodes: u64,
    /// Averages over all sets of f of the free nodes: `averages[f][h]` is the probability of
    /// arriving after h hops.
    averages: Vec<Vec<f64>>,
}

impl AveragesByFaultCount {
    /// Returns the arrival probabilities averaged over the sets `drawn`.
    pub fn arrivals(&self, drawn: FaultDistribution) -> ArrivalDistribution {
        let hops = self.averages.first().map_or(0, Vec::len);
        let at = |hop: usize| {
            let by_faults: Vec<f64> = self.averages.iter().map(|by_hops| by_hops[hop]).collect();
            match drawn {
                FaultDistribution::Each(p) => bernoulli_mixture(&by_faults, p),
                FaultDistribution::Exactly(faults) => self.average_at(&by_faults, faults),
            }
        };
        ArrivalDistribution { by_hops: (0..hops).map(at).collect() }
    }

    /// Averages over `faults` faulty nodes among all nodes except the ends. Fixed nodes are drawn
    /// like the others, without effect.
    fn average_at(&self, by_faults: &[f64], faults: u64) -> f64 {
        let free = by_faults.len() as u64 - 1;
        let fixed = self.drawable_nodes - free;
        let share = |f: u64| {
            binomial(free, f) * binomial(fixed, faults.saturating_sub(f)) / binomial(self.drawable_nodes, faults)
        };
        let possible = (0..=free).zip(by_faults).filter(|(f, _)| *f <= faults);
        possible.map(|(f, average)| share(f) * average).sum()
    }
}

/// Returns the binomial coefficient, which is exact for `n` up to 30, the maximum here.
fn binomial(n: u64, k: u64) -> f64 {
    if k > n { 0.0 } else { (0..k).fold(1, |sets, taken| sets * (n - taken) / (taken + 1)) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::{ALGORITHMS, Algorithm};
    use crate::topology::NodeId;

    fn local(id: &str) -> &'static dyn LocalRouting {
        ALGORITHMS.iter().find(|algorithm| algorithm.id == id).and_then(Algorithm::local).unwrap()
    }

    fn enumerate_sets(asked: FaultAverageQuery, routing: &dyn LocalRouting) -> AveragesByFaultCount {
        let mut search = FaultSetEnumeration::new(asked, routing).unwrap();
        // Small budgets, as on the page, also test resumption.
        while !search.advance(&mut 1000) {}
        search.finish()
    }

    /// Compares two methods that share only the decisions: by partial fault information, and set by
    /// set.
    #[test]
    fn partial_information_agrees_with_enumeration_of_sets() {
        let nodes = |nodes: &[u64]| FaultSet(nodes.iter().fold(0, |set, node| set | 1 << node));
        let few = nodes(&[1, 2, 4, 7, 9, 12, 14, 17, 20, 22, 27]);
        // The tuples (n, from, to, broken, mended) cover antipodes and other ends, with edits that
        // leave different symmetries.
        let cases = [
            (3, 0, 7, nodes(&[]), nodes(&[])),
            (4, 5, 10, nodes(&[]), nodes(&[])),
            (4, 1, 2, nodes(&[]), nodes(&[9])),
            (4, 15, 1, nodes(&[6]), nodes(&[8, 11])),
            (5, 0, 31, few, nodes(&[3, 5, 6, 8, 10, 11, 13, 15, 16])),
            (5, 3, 11, nodes(&[6, 7, 8, 9, 10, 19]), few),
        ];
        for (n, from, to, broken, mended) in cases {
            let ends = Pair { from: NodeId(from), to: NodeId(to) };
            let asked = FaultAverageQuery {
                cube: Hypercube::new(n).unwrap(),
                ends,
                always_faulty: broken,
                always_live: mended,
                max_hops: 12,
            };
            for id in ["sidetracking", "backtracking", "random", "deterministic", "up", "minimal"] {
                let by_size = enumerate_sets(asked, local(id));
                for drawn in [
                    FaultDistribution::Each(0.35),
                    FaultDistribution::Each(1.0),
                    FaultDistribution::Exactly(0),
                    FaultDistribution::Exactly(4),
                ] {
                    let by_knowledge = asked.arrivals(drawn, local(id)).unwrap();
                    for (one, other) in by_size.arrivals(drawn).by_hops.iter().zip(&by_knowledge.by_hops) {
                        assert!((one - other).abs() < 1e-12, "{id}, {asked:?}, {drawn:?}: {one} {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn enumeration_rejects_blind_and_stateful_algorithms() {
        let ends = Pair { from: NodeId(0), to: NodeId(7) };
        let none = FaultSet(0);
        let asked = FaultAverageQuery {
            cube: Hypercube::new(3).unwrap(),
            ends,
            always_faulty: none,
            always_live: none,
            max_hops: 3,
        };
        for id in ["random-blind", "restricted-up"] {
            assert!(FaultSetEnumeration::new(asked, local(id)).is_none(), "{id}");
        }
    }
}
