//! What a number of trials came to: counts, and runs in their order, so that tallies merge in any order to the same bits.

use serde::{Deserialize, Serialize};

use crate::switching::{CircuitRun, Outcome, Trapping, WormRun};
use crate::theory::PairCounts;

/// What the trials of one point and one algorithm came to. A trial is a message, a run of circuits or worms, or a fault set, by the
/// kind of switching; what belongs to the other kinds stays empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Trials made.
    pub trials: u64,
    /// Messages by [`Outcome`], in the order of [`Outcome::ALL`].
    pub outcomes: [u64; Outcome::ALL.len()],
    /// Messages that ran into the path limit while tunnelling.
    pub tunnelling: u64,
    /// Messages that ran into the path limit inside a closed set of nodes, tunnelling included.
    pub trapped: u64,
    /// Delivered messages by excess: `lengths[i]` had a path of distance + 2i hops. No other lengths exist.
    pub lengths: Vec<u64>,
    /// Runs of circuits, by ascending number.
    pub runs: Vec<(u64, CircuitRun)>,
    /// Runs of worms, by ascending number.
    pub worms: Vec<(u64, WormTally)>,
    /// Pairs of nodes.
    pub pairs: PairTally,
}

/// A run of worms without the flits of every single channel, which would be most of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WormTally {
    /// The run; its `flits` are empty.
    pub run: WormRun,
    /// The flits that crossed the busiest channel.
    pub busiest: u64,
}

impl From<WormRun> for WormTally {
    fn from(mut run: WormRun) -> Self {
        let flits = std::mem::take(&mut run.flits);
        Self { run, busiest: flits.into_iter().max().unwrap_or(0) }
    }
}

/// Sums over fault sets: integers, from which mean and deviation of a ratio follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairTally {
    /// Fault sets.
    pub sets: u64,
    /// Ordered pairs of live nodes,
    pub live: u64,
    /// and those of them that are cut off.
    pub cut: u64,
    /// Sums of the squares of the live pairs of a set,
    pub live_live: u128,
    /// of its live pairs times those cut off,
    pub live_cut: u128,
    /// and of the squares of those cut off.
    pub cut_cut: u128,
}

impl PairTally {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.sets == 0
    }

    /// Counts one fault set.
    pub(super) fn add(&mut self, counts: PairCounts) {
        let (live, cut) = (counts.live, counts.cut_off);
        self.sets += 1;
        self.live += live;
        self.cut += cut;
        let (live, cut) = (u128::from(live), u128::from(cut));
        self.live_live += live * live;
        self.live_cut += live * cut;
        self.cut_cut += cut * cut;
    }

    fn merge(&mut self, other: &Self) {
        self.sets += other.sets;
        self.live += other.live;
        self.cut += other.cut;
        self.live_live += other.live_live;
        self.live_cut += other.live_cut;
        self.cut_cut += other.cut_cut;
    }
}

/// Puts runs in their places by number.
fn insert<T: Clone>(runs: &mut Vec<(u64, T)>, more: &[(u64, T)]) {
    for (number, run) in more {
        let place = runs.partition_point(|(before, _)| before < number);
        runs.insert(place, (*number, run.clone()));
    }
}

impl Tally {
    /// Counts one message.
    pub(super) fn add(&mut self, outcome: Outcome, excess: u32, trapping: Trapping) {
        self.trials += 1;
        self.outcomes[outcome.index()] += 1;
        self.tunnelling += u64::from(trapping == Trapping::Tunnelling);
        self.trapped += u64::from(trapping != Trapping::Open);
        if outcome == Outcome::Delivered {
            let index = (excess / 2) as usize;
            if self.lengths.len() <= index {
                self.lengths.resize(index + 1, 0);
            }
            self.lengths[index] += 1;
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.tunnelling += other.tunnelling;
        self.trapped += other.trapped;
        let add = |into: &mut [u64], from: &[u64]| into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
        add(&mut self.outcomes, &other.outcomes);
        if self.lengths.len() < other.lengths.len() {
            self.lengths.resize(other.lengths.len(), 0);
        }
        add(&mut self.lengths, &other.lengths);
        insert(&mut self.runs, &other.runs);
        insert(&mut self.worms, &other.worms);
        self.pairs.merge(&other.pairs);
    }

    /// Messages that ended so.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome.index()]
    }

    /// Messages that arrived.
    pub fn delivered(&self) -> u64 {
        self.count(Outcome::Delivered)
    }

    /// Path lengths of delivered messages over `distance`, each with its number of messages.
    pub fn histogram(&self, distance: u32) -> impl Iterator<Item = (u32, u64)> {
        self.lengths.iter().enumerate().map(move |(i, &count)| (distance + 2 * i as u32, count)).filter(|&(_, n)| n > 0)
    }
}
