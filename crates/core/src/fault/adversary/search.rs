//! Adversaries that search: a local search from the best of random and evenly spread sets.
//!
//! Each step moves one fault and keeps the move if the number of active nodes or paths does not
//! grow. The number of additions is bounded.

use rand::RngExt as _;

use super::{placement, spread};
use crate::fault::{FaultyNodes, RemainingPaths, Tolerance};
use crate::random::{Generator, Key};
use crate::topology::NodeId;

/// The quantity that a search minimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Objective {
    /// Number of active nodes.
    Active,
    /// Number of fault-free paths, among the sets that leave fewer active nodes than random sets.
    Paths,
}

/// Approximate number of additions that a search may use.
const MAX_ADDITIONS: u64 = 1 << 28;

/// Minimum and maximum number of sets that a search evaluates.
const SET_LIMITS: [u64; 2] = [48, 512];

/// Sizes of the parts of the cube over which faults are spread, in 1/1024 of either coordinate.
///
/// The fewer faults there are, the closer together they must be for a node to exceed its limit.
const PART_SHARES: [u64; 20] =
    [1024, 900, 800, 700, 600, 512, 440, 360, 300, 256, 200, 150, 110, 80, 55, 40, 28, 20, 14, 10];

/// Maximum number of random sets with which a search starts.
const MAX_RANDOM_STARTS: u64 = 100;

/// Searches for a set of `count` faults that minimises `aim`. All nodes of `none` are healthy, and
/// `count` is at most their number.
pub(super) fn search(none: FaultyNodes, count: u32, aim: Objective, key: Key) -> FaultyNodes {
    let nodes = none.cube().mask() + 1;
    if count == 0 || u64::from(count) == nodes {
        return placement::random(none, count, key);
    }
    let sets = (MAX_ADDITIONS / RemainingPaths::cost(none.cube(), count).max(1)).clamp(SET_LIMITS[0], SET_LIMITS[1]);
    let random = (sets / 4).min(MAX_RANDOM_STARTS);
    // A part must have at least `count` nodes.
    let fits = |share: &u64| (share * share * nodes) >> 20 >= u64::from(count);
    let parts = PART_SHARES.into_iter().filter(fits).map(InitialSet::Part);
    let starts: Vec<_> = (0..random).map(|_| InitialSet::Random).chain([InitialSet::Whole]).chain(parts).collect();
    let set = |number: usize| starts[number].set(none.clone(), count, key.child(number as u64 + 1));
    let left: Vec<_> = (0..starts.len()).map(|number| remaining(&set(number))).collect();
    let best = |worth: &dyn Fn(RemainingPaths) -> Score| {
        (0..starts.len()).min_by_key(|&number| worth(left[number])).unwrap_or(0)
    };
    let (mut generator, exchanges) = (key.child(0).generator(), sets.saturating_sub(starts.len() as u64));
    let active = |left: RemainingPaths| (left.active, 0);
    let mut search = LocalSearch::new(set(best(&active)), &active);
    match aim {
        Objective::Active => search.improve(exchanges, &active, &mut generator),
        Objective::Paths => {
            search.improve(exchanges / 2, &active, &mut generator);
            // The limit is so far below the number of active nodes after random faults that another
            // hundred random sets would not reach it.
            let chance = left[..random as usize].iter().map(|left| left.active).min().unwrap_or(0);
            let most = search.score.0 + chance.saturating_sub(search.score.0) / 4;
            let paths = |left: RemainingPaths| (left.active.max(most), left.paths);
            search.score = paths(self::remaining(&search.faulty));
            let even = best(&paths);
            if paths(left[even]) < search.score {
                search = LocalSearch::new(set(even), &paths);
            }
            search.improve(exchanges / 2, &paths, &mut generator);
        }
    }
    search.faulty
}

/// An initial set of the search.
#[derive(Clone, Copy)]
enum InitialSet {
    Random,
    /// Set spread evenly over the whole cube, see [`spread::spread_over_cube`].
    Whole,
    /// Set spread evenly over a part of the cube, see [`spread::spread_over_part`].
    Part(u64),
}

impl InitialSet {
    fn set(self, none: FaultyNodes, count: u32, key: Key) -> FaultyNodes {
        match self {
            Self::Random => placement::random(none, count, key),
            Self::Whole => spread::spread_over_cube(none, count, &mut key.generator()),
            Self::Part(share) => spread::spread_over_part(none, count, share, &mut key.generator()),
        }
    }
}

fn remaining(faulty: &FaultyNodes) -> RemainingPaths {
    RemainingPaths::new(faulty, &faulty.iter().collect::<Vec<_>>(), Tolerance::Thesis)
}

/// Searches for a set of `count` faults against Algorithm B, which applies the rule of Algorithm A
/// to squares.
pub(super) fn search_squares(mut none: FaultyNodes, count: u32, key: Key) -> FaultyNodes {
    let Some(squares) = none.squares() else { return search(none, count, Objective::Active, key) };
    let marked = count.min(1 << squares.cube().dimension());
    let marked = search(squares, marked, Objective::Active, key);
    for square in marked.iter() {
        let one = key.word_at(square.0) & 3;
        none.set(NodeId(square.0 << 2 | one), true);
    }
    placement::fill_lowest(&mut none, count);
    none
}

/// Score that a search minimises, compared lexicographically.
type Score = (u32, u64);

/// A local search: the current set and its score.
struct LocalSearch {
    faulty: FaultyNodes,
    nodes: Vec<NodeId>,
    score: Score,
}

impl LocalSearch {
    fn new(faulty: FaultyNodes, worth: &dyn Fn(RemainingPaths) -> Score) -> Self {
        let nodes: Vec<_> = faulty.iter().collect();
        let worth = worth(RemainingPaths::new(&faulty, &nodes, Tolerance::Thesis));
        Self { faulty, nodes, score: worth }
    }

    /// Moves a random fault `times` times and undoes each move that raises the score. Stops early
    /// if the score is 0.
    fn improve(&mut self, times: u64, worth: &dyn Fn(RemainingPaths) -> Score, generator: &mut Generator) {
        let any = |nodes: &[NodeId], generator: &mut Generator| generator.random_range(0..nodes.len() as u64) as usize;
        for _ in 0..times {
            if self.score == (0, 0) {
                return;
            }
            let (place, beside) = (any(&self.nodes, generator), any(&self.nodes, generator));
            let (old, new) = (self.nodes[place], self.random_target(self.nodes[beside], generator));
            if self.faulty.contains(new) {
                continue;
            }
            self.move_fault(place, new);
            let found = worth(RemainingPaths::new(&self.faulty, &self.nodes, Tolerance::Thesis));
            if found <= self.score {
                self.score = found;
            } else {
                self.move_fault(place, old);
            }
        }
    }

    fn move_fault(&mut self, place: usize, node: NodeId) {
        self.faulty.set(self.nodes[place], false);
        self.faulty.set(node, true);
        self.nodes[place] = node;
    }

    /// Returns a random target of a move.
    ///
    /// In three of four cases, the target differs from `beside` only in a random range of
    /// dimensions and agrees in the higher and lower dimensions. Otherwise the target is any node.
    fn random_target(&self, beside: NodeId, generator: &mut Generator) -> NodeId {
        let cube = self.faulty.cube();
        let any = generator.random_range(0..=cube.mask());
        if generator.random_range(0..4u32) == 0 {
            return NodeId(any);
        }
        let lowest = generator.random_range(0..u32::from(cube.dimension()));
        let highest = generator.random_range(lowest..u32::from(cube.dimension()));
        let between = (2 << highest) - (1 << lowest);
        NodeId(beside.0 ^ (any & between | 1 << lowest | 1 << highest))
    }
}
