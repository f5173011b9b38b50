//! Cuts of a network: all of them, or the best one of a local search.

use super::LoadProblem;
use crate::random::{Key, below};

/// Returns the ratio of messages to wires; infinite if messages cross a cut without wires.
pub(super) fn ratio(load: f64, wires: f64) -> f64 {
    if load <= 0.0 { 0.0 } else { load / wires }
}

/// Cut from the nodes inside a set to those outside.
#[derive(Clone)]
pub(super) struct Cut<'a> {
    problem: &'a LoadProblem,
    inside: Vec<bool>,
    count: usize,
    wires: i64,
    /// Number of messages that cross, without those of every pair.
    listed: f64,
}

/// Change of a cut by the move of one node to the other side.
struct Move {
    count: usize,
    wires: i64,
    listed: f64,
}

impl<'a> Cut<'a> {
    /// Creates the cut out of the nodes whose flags are set. Cost: the nodes, channels and listed
    /// messages.
    pub(super) fn new(problem: &'a LoadProblem, inside: Vec<bool>) -> Self {
        let count = inside.iter().filter(|&&inside| inside).count();
        let (mut wires, mut listed) = (0, 0.0);
        for node in (0..problem.nodes()).filter(|&node| inside[node]) {
            wires += problem.outgoing(node).iter().filter(|half| !inside[half.node as usize]).count() as i64;
            let crossing = problem.sent(node).iter().filter(|(to, _)| !inside[*to as usize]);
            listed += crossing.map(|(_, messages)| messages).sum::<f64>();
        }
        Self { problem, inside, count, wires, listed }
    }

    /// Returns the flags of the nodes on the sending side.
    pub(super) fn inside(&self) -> &[bool] {
        &self.inside
    }

    /// Returns the number of wires.
    pub(super) fn wires(&self) -> u32 {
        self.wires as u32
    }

    /// Returns the number of messages that must cross.
    pub(super) fn load(&self) -> f64 {
        self.load_of(self.count, self.listed)
    }

    fn load_of(&self, count: usize, listed: f64) -> f64 {
        let pairs = count as f64 * (self.problem.nodes() - count) as f64;
        self.problem.base() * pairs + listed
    }

    /// Returns the number of messages for each wire.
    pub(super) fn ratio(&self) -> f64 {
        ratio(self.load(), self.wires as f64)
    }

    /// Returns the cut after the move of `node` to the other side.
    fn moved(&self, node: usize) -> Move {
        let inside = |other: u32| self.inside[other as usize];
        let outside = |other: u32| !inside(other) && other as usize != node;
        let within = |other: u32| inside(other) && other as usize != node;
        let leaving = self.problem.outgoing(node).iter().filter(|half| outside(half.node)).count() as i64;
        let entering = self.problem.incoming(node).iter().filter(|half| within(half.node)).count() as i64;
        let sum = |list: &[(u32, f64)], counts: &dyn Fn(u32) -> bool| {
            list.iter().filter(|(other, _)| counts(*other)).map(|(_, messages)| messages).sum::<f64>()
        };
        let sent = sum(self.problem.sent(node), &outside);
        let received = sum(self.problem.received(node), &within);
        match self.inside[node] {
            false => Move {
                count: self.count + 1,
                wires: self.wires + leaving - entering,
                listed: self.listed + sent - received,
            },
            true => Move {
                count: self.count - 1,
                wires: self.wires + entering - leaving,
                listed: self.listed + received - sent,
            },
        }
    }

    fn apply(&mut self, node: usize, Move { count, wires, listed }: Move) {
        self.inside[node] = !self.inside[node];
        (self.count, self.wires, self.listed) = (count, wires, listed);
    }

    /// Moves single nodes as long as a move raises the ratio. Cost: the channels and listed
    /// messages, for each of at most [`MAX_PASSES`] passes.
    fn climb(&mut self) {
        for _ in 0..MAX_PASSES {
            let mut is_improved = false;
            for node in 0..self.problem.nodes() {
                let moved = self.moved(node);
                let next = ratio(self.load_of(moved.count, moved.listed), moved.wires as f64);
                let is_proper = moved.count > 0 && moved.count < self.problem.nodes();
                if is_proper && next > self.ratio() * (1.0 + 1e-12) {
                    self.apply(node, moved);
                    is_improved = true;
                }
            }
            if !is_improved {
                return;
            }
        }
    }
}

/// Maximum number of passes over the nodes in a local search.
const MAX_PASSES: u32 = 64;

/// Number of cuts from which the local search starts.
const STARTS: usize = 24;

/// Number of random cuts among the candidates for a start.
const RANDOM_STARTS: u32 = 8;

/// Returns the sending side of the cut with the largest ratio of all cuts; `None` if no cut has a
/// load. Cost: 2^nodes moves of a node.
pub(super) fn best_of_all(problem: &LoadProblem) -> Option<Vec<bool>> {
    let last = problem.nodes().checked_sub(1)?;
    let mut best: (f64, Option<Vec<bool>>) = (0.0, None);
    // In the order of a Gray code, two successive sets differ by a node.
    for has_last in [false, true] {
        let mut inside = vec![false; problem.nodes()];
        inside[last] = has_last;
        let mut cut = Cut::new(problem, inside);
        for number in 0..1u32 << last {
            if number > 0 {
                let node = number.trailing_zeros() as usize;
                cut.apply(node, cut.moved(node));
            }
            // Sums of moves have rounding errors, which must not make a better cut.
            if cut.ratio() > best.0 * (1.0 + 1e-12) + 1e-12 {
                best = (cut.ratio(), Some(cut.inside.clone()));
            }
        }
    }
    best.1
}

/// Returns the sending side of the best cut of local searches from the best of `sides` and their
/// complements, single nodes, and random sets; `None` if no cut has a load.
pub(super) fn search(problem: &LoadProblem, sides: impl Iterator<Item = Vec<bool>>) -> Option<Vec<bool>> {
    let nodes = problem.nodes();
    let mut starts: Vec<Cut> = Vec::new();
    let mut add = |side: Vec<bool>| {
        let cut = Cut::new(problem, side);
        if cut.count > 0 && cut.count < nodes {
            starts.push(cut);
        }
        // The candidates are sorted now and then, so that few of them take memory.
        if starts.len() >= 8 * STARTS {
            keep_best(&mut starts);
        }
    };
    for side in sides.filter(|side| side.len() == nodes) {
        add(side.iter().map(|inside| !inside).collect());
        add(side);
    }
    for node in 0..nodes {
        add((0..nodes).map(|other| other == node).collect());
        add((0..nodes).map(|other| other != node).collect());
    }
    keep_best(&mut starts);
    let mut generator = Key::from_seed(0).named("load factor").generator();
    for _ in 0..RANDOM_STARTS {
        let side = (0..nodes).map(|_| below(&mut generator, 2) == 0).collect();
        starts.push(Cut::new(problem, side));
    }
    starts.iter_mut().for_each(Cut::climb);
    let best = starts.into_iter().reduce(|best, cut| if cut.ratio() > best.ratio() { cut } else { best })?;
    (best.ratio() > 0.0).then_some(best.inside)
}

/// Removes all but the best [`STARTS`] cuts; earlier ones precede equal ones.
fn keep_best(starts: &mut Vec<Cut>) {
    starts.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    starts.truncate(STARTS);
}
