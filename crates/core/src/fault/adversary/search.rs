//! Adversaries that search: the best of sets that are even and of random ones, then one node after the other put elsewhere as
//! long as that does no less harm, all within a bounded number of additions.

use rand::RngExt as _;

use super::{net, shapes};
use crate::fault::{FaultyNodes, Left, Tolerance};
use crate::random::{Generator, Key};
use crate::topology::NodeId;

/// What is to be left as little of as can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// Active nodes.
    Active,
    /// Fault-free paths, among the sets that leave fewer nodes active than chance.
    Paths,
}

/// About how many additions one search is allowed.
const EFFORT: u64 = 1 << 28;

/// The fewest and the most sets that it looks at.
const SETS: [u64; 2] = [48, 512];

/// The parts of the cube, of 1024 in either coordinate, over which faults are spread: the fewer there are, the closer they have
/// to be to push a node over its limit together.
const SHARES: [u64; 20] =
    [1024, 900, 800, 700, 600, 512, 440, 360, 300, 256, 200, 150, 110, 80, 55, 40, 28, 20, 14, 10];

/// The most random sets that it begins with.
const MOST_RANDOM: u64 = 100;

/// `count` faults, at most as many as there are nodes in `none`, which are all healthy.
pub(super) fn search(none: FaultyNodes, count: u32, aim: Aim, key: Key) -> FaultyNodes {
    let nodes = none.cube().mask() + 1;
    if count == 0 || u64::from(count) == nodes {
        return shapes::random(none, count, key);
    }
    let sets = (EFFORT / Left::cost(none.cube(), count).max(1)).clamp(SETS[0], SETS[1]);
    let random = (sets / 4).min(MOST_RANDOM);
    // In a part that is smaller they would not find room, but for a few.
    let fits = |share: &u64| (share * share * nodes) >> 20 >= u64::from(count);
    let parts = SHARES.into_iter().filter(fits).map(Start::Part);
    let starts: Vec<_> = (0..random).map(|_| Start::Random).chain([Start::Whole]).chain(parts).collect();
    let set = |number: usize| starts[number].set(none.clone(), count, key.child(number as u64 + 1));
    let left: Vec<_> = (0..starts.len()).map(|number| left(&set(number))).collect();
    let best = |worth: &dyn Fn(Left) -> Worth| (0..starts.len()).min_by_key(|&number| worth(left[number])).unwrap_or(0);
    let (mut generator, exchanges) = (key.child(0).generator(), sets.saturating_sub(starts.len() as u64));
    let active = |left: Left| (left.active, 0);
    let mut search = Search::new(set(best(&active)), &active);
    match aim {
        Aim::Active => search.exchange(exchanges, &active, &mut generator),
        Aim::Paths => {
            search.exchange(exchanges / 2, &active, &mut generator);
            // Well below what chance leaves of active nodes, for it is to be so of any hundred random sets.
            let chance = left[..random as usize].iter().map(|left| left.active).min().unwrap_or(0);
            let most = search.worth.0 + chance.saturating_sub(search.worth.0) / 4;
            let paths = |left: Left| (left.active.max(most), left.paths);
            search.worth = paths(self::left(&search.faulty));
            let even = best(&paths);
            if paths(left[even]) < search.worth {
                search = Search::new(set(even), &paths);
            }
            search.exchange(exchanges / 2, &paths, &mut generator);
        }
    }
    search.faulty
}

/// A set to begin with.
#[derive(Clone, Copy)]
enum Start {
    Random,
    /// See [`net::whole`].
    Whole,
    /// See [`net::part`].
    Part(u64),
}

impl Start {
    fn set(self, none: FaultyNodes, count: u32, key: Key) -> FaultyNodes {
        match self {
            Self::Random => shapes::random(none, count, key),
            Self::Whole => net::whole(none, count, &mut key.generator()),
            Self::Part(share) => net::part(none, count, share, &mut key.generator()),
        }
    }
}

fn left(faulty: &FaultyNodes) -> Left {
    Left::new(faulty, &faulty.iter().collect::<Vec<_>>(), Tolerance::Thesis)
}

/// The same against Algorithm B, in whose rule a square is what a node is in Algorithm A's.
pub(super) fn squares(mut none: FaultyNodes, count: u32, key: Key) -> FaultyNodes {
    let Some(squares) = none.squares() else { return search(none, count, Aim::Active, key) };
    let marked = count.min(1 << squares.cube().dimension());
    let marked = search(squares, marked, Aim::Active, key);
    for square in marked.iter() {
        let one = key.word_at(square.0) & 3;
        none.set(NodeId(square.0 << 2 | one), true);
    }
    shapes::fill(&mut none, count);
    none
}

/// What is left, such that less is better.
type Worth = (u32, u64);

/// A set under way, and what it leaves.
struct Search {
    faulty: FaultyNodes,
    nodes: Vec<NodeId>,
    worth: Worth,
}

impl Search {
    fn new(faulty: FaultyNodes, worth: &dyn Fn(Left) -> Worth) -> Self {
        let nodes: Vec<_> = faulty.iter().collect();
        let worth = worth(Left::new(&faulty, &nodes, Tolerance::Thesis));
        Self { faulty, nodes, worth }
    }

    /// Puts one fault elsewhere, so many times, and back where that leaves more; as long as there is something left.
    fn exchange(&mut self, times: u64, worth: &dyn Fn(Left) -> Worth, generator: &mut Generator) {
        let any = |nodes: &[NodeId], generator: &mut Generator| generator.random_range(0..nodes.len() as u64) as usize;
        for _ in 0..times {
            if self.worth == (0, 0) {
                return;
            }
            let (place, beside) = (any(&self.nodes, generator), any(&self.nodes, generator));
            let (old, new) = (self.nodes[place], self.somewhere(self.nodes[beside], generator));
            if self.faulty.contains(new) {
                continue;
            }
            self.put(place, new);
            let found = worth(Left::new(&self.faulty, &self.nodes, Tolerance::Thesis));
            if found <= self.worth {
                self.worth = found;
            } else {
                self.put(place, old);
            }
        }
    }

    fn put(&mut self, place: usize, node: NodeId) {
        self.faulty.set(self.nodes[place], false);
        self.faulty.set(node, true);
        self.nodes[place] = node;
    }

    /// Mostly a node that differs from `beside` in some dimensions next to each other, so that it agrees with it in the highest and in
    /// the lowest ones; one time in four any node.
    fn somewhere(&self, beside: NodeId, generator: &mut Generator) -> NodeId {
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
