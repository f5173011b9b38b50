//! What a number of trials came to: counts, and runs in their order, so that tallies merge in any order to the same bits.

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::estimate::student_t;
use crate::switching::{CircuitRun, Outcome, Trapping, WormRun};

/// What the trials of one point and one algorithm came to. A trial is a message, a run of circuits or worms, a fault set with a whole permutation
/// or without, by the kind of switching; what belongs to the other kinds stays empty.
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
    /// Ordered pairs of live nodes that are cut off, of all such pairs, by fault sets.
    pub pairs: RatioTally,
    /// Whole permutations.
    pub relations: Box<RelationTally>,
    /// Delivery cycles.
    pub deliveries: Box<DeliveryTally>,
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

/// Sums over trials, each with a part and the whole that it is of: integers, from which the mean of the parts and the ratio of
/// both follow with their deviations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatioTally {
    /// Trials.
    pub trials: u64,
    /// The wholes, together,
    pub whole: u64,
    /// and the parts.
    pub part: u64,
    /// Sums of the squares of the wholes,
    pub whole_whole: u128,
    /// of wholes times parts,
    pub whole_part: u128,
    /// and of the squares of the parts.
    pub part_part: u128,
}

impl RatioTally {
    /// Counts one trial.
    pub(super) fn add(&mut self, part: u64, whole: u64) {
        self.trials += 1;
        self.whole += whole;
        self.part += part;
        let (whole, part) = (u128::from(whole), u128::from(part));
        self.whole_whole += whole * whole;
        self.whole_part += whole * part;
        self.part_part += part * part;
    }

    fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.whole += other.whole;
        self.part += other.part;
        self.whole_whole += other.whole_whole;
        self.whole_part += other.whole_part;
        self.part_part += other.part_part;
    }

    /// The share that the parts are of the wholes: a ratio of sums over trials, its interval by the delta method. Of one trial
    /// it is exact; `None` without anything to share.
    pub(super) fn ratio(&self) -> Option<Estimate> {
        if self.trials == 0 || self.whole == 0 {
            return None;
        }
        let ratio = self.part as f64 / self.whole as f64;
        // The sum over trials of (part - ratio * whole)^2.
        let residual =
            self.part_part as f64 - 2.0 * ratio * self.whole_part as f64 + ratio * ratio * self.whole_whole as f64;
        let half = half_width(residual.max(0.0), self.trials) * self.trials as f64 / self.whole as f64;
        // No part is negative, and none that is at most its whole makes a share above 1.
        let most = if self.part <= self.whole { 1.0 } else { f64::INFINITY };
        Some(Estimate { mean: ratio, low: (ratio - half).max(0.0), high: (ratio + half).min(most), n: self.trials })
    }

    /// The mean of the parts; `None` without trials.
    pub(super) fn mean(&self) -> Option<Estimate> {
        if self.trials == 0 {
            return None;
        }
        let mean = self.part as f64 / self.trials as f64;
        let squares = self.part_part as f64 - mean * self.part as f64;
        let half = half_width(squares.max(0.0), self.trials);
        Some(Estimate { mean, low: (mean - half).max(0.0), high: mean + half, n: self.trials })
    }
}

/// Half the interval of a mean of `n` values with this sum of squared deviations.
fn half_width(squares: f64, n: u64) -> f64 {
    if n < 2 { 0.0 } else { student_t(n - 1) * (squares / (n - 1) as f64 / n as f64).sqrt() }
}

/// What whole permutations came to. Of most numbers only those trials count that had a message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RelationTally {
    /// Trials to whose faults the scheme does not apply.
    pub unavailable: u64,
    /// Active nodes, of all nodes.
    pub active: RatioTally,
    /// Messages of a rule that are not sent for an inactive end, of all it has.
    pub kept_back: RatioTally,
    /// Messages without a route, of those sent.
    pub undelivered: RatioTally,
    /// The most messages that cross one channel; of 1.
    pub congestion: RatioTally,
    /// The most messages with the same intermediate node; of 1.
    pub load: RatioTally,
    /// Hops, of the routes.
    pub length: RatioTally,
    /// The hops of the longest route; of 1.
    pub longest: RatioTally,
    /// The smallest set of intermediate nodes of a message, of all nodes; in small cubes.
    pub choice: RatioTally,
    /// Channels by the number of messages that cross them.
    pub channels: Vec<u64>,
    /// Routes by their number of hops.
    pub lengths: Vec<u64>,
    /// The cycles of the batches that came to their ends; of 1.
    pub finish: RatioTally,
    /// The cycles until nobody could move, of those that froze; of 1.
    pub freeze: RatioTally,
    /// Messages that arrive, of those with a route, batches that froze included.
    pub arrived: RatioTally,
}

impl RelationTally {
    fn merge(&mut self, other: &Self) {
        self.unavailable += other.unavailable;
        let ratios = [
            (&mut self.active, &other.active),
            (&mut self.kept_back, &other.kept_back),
            (&mut self.undelivered, &other.undelivered),
            (&mut self.congestion, &other.congestion),
            (&mut self.load, &other.load),
            (&mut self.length, &other.length),
            (&mut self.longest, &other.longest),
            (&mut self.choice, &other.choice),
            (&mut self.finish, &other.finish),
            (&mut self.freeze, &other.freeze),
            (&mut self.arrived, &other.arrived),
        ];
        ratios.into_iter().for_each(|(ratio, more)| ratio.merge(more));
        add_counts(&mut self.channels, &other.channels);
        add_counts(&mut self.lengths, &other.lengths);
    }
}

/// What delivery cycles came to. Of most numbers only those runs count that came to an end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeliveryTally {
    /// Runs that are stuck for ever, or take too long.
    pub unfinished: u64,
    /// The cycle in which the last message arrived; of 1.
    pub cycles: RatioTally,
    /// The same over the load factor, as a fraction.
    pub per_load: RatioTally,
    /// The load factor, as a fraction.
    pub load_factor: RatioTally,
    /// The cycles that the pseudo-code executes; of 1.
    pub literal: RatioTally,
    /// Those of them in which a message was sent; of 1.
    pub busy: RatioTally,
    /// Messages sent, again and again, for those that arrive.
    pub transmissions: RatioTally,
    /// Messages that arrive in the first cycle, of all.
    pub first: RatioTally,
    /// Messages that arrive, of all.
    pub delivered: RatioTally,
    /// The cycles of the off-line schedule; of 1.
    pub offline: RatioTally,
}

impl DeliveryTally {
    fn merge(&mut self, other: &Self) {
        self.unfinished += other.unfinished;
        let ratios = [
            (&mut self.cycles, &other.cycles),
            (&mut self.per_load, &other.per_load),
            (&mut self.load_factor, &other.load_factor),
            (&mut self.literal, &other.literal),
            (&mut self.busy, &other.busy),
            (&mut self.transmissions, &other.transmissions),
            (&mut self.first, &other.first),
            (&mut self.delivered, &other.delivered),
            (&mut self.offline, &other.offline),
        ];
        ratios.into_iter().for_each(|(ratio, more)| ratio.merge(more));
    }
}

/// Adds a histogram, the longer of the two or not.
pub(super) fn add_counts<T: Copy + Into<u64>>(into: &mut Vec<u64>, more: &[T]) {
    if into.len() < more.len() {
        into.resize(more.len(), 0);
    }
    into.iter_mut().zip(more).for_each(|(into, &more)| *into += more.into());
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
        self.outcomes.iter_mut().zip(&other.outcomes).for_each(|(into, more)| *into += more);
        add_counts(&mut self.lengths, &other.lengths);
        insert(&mut self.runs, &other.runs);
        insert(&mut self.worms, &other.worms);
        self.pairs.merge(&other.pairs);
        self.relations.merge(&other.relations);
        self.deliveries.merge(&other.deliveries);
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
