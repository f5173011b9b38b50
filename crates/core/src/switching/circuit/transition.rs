//! Faults that arrive while circuits are set up or held: what both engines count, and when (Boppana
//! & Chalasani section II.C, applied to circuits).
//!
//! At an onset every path and circuit over a fault is torn down, without a loss of time. Its source
//! starts again after a random time, as after a failed attempt. A message is lost if one of its
//! ends is faulty, or if faults leave its source no permitted path. All other circuits stay.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::CircuitError;

/// Counts of the messages that are generated in one period around the arrival of faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CircuitPeriod {
    /// Messages generated, including refused ones.
    pub generated: u64,
    /// Messages refused when they were generated.
    pub refused: u64,
    /// Messages accepted, and lost when faults arrived.
    pub lost: u64,
    /// Messages whose circuits were set up at least once.
    pub completed: u64,
    /// Sum of their setup times up to the first complete circuit, in mean transmission times.
    pub setup: f64,
}

/// Counts of faults that arrive while circuits are set up or held, from the start of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CircuitTransitionCounts {
    /// Paths and circuits torn down because they held a faulty link, or could not be completed.
    pub torn: u64,
    /// Circuits among them that were complete.
    pub torn_complete: u64,
    /// Torn messages whose sources have started again.
    pub retried: u64,
    /// Torn messages whose circuits are complete again.
    pub restored: u64,
    /// Sum of the times from the last tear-down of a restored message to its complete circuit, in
    /// mean transmission times.
    pub recovery: f64,
    /// Messages lost: an end is faulty, or faults leave no permitted path.
    pub lost: u64,
    /// Time for which a torn message was not yet restored or lost, in mean transmission times. A
    /// transition that is not over does not count.
    pub time: f64,
    /// Messages generated before the first onset, during transitions and after them. The first half
    /// of the time before the first onset does not count: the network fills.
    pub periods: [CircuitPeriod; 3],
}

/// Period in which a message was generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Period {
    Before,
    During,
    After,
}

/// Message that has been torn down, until its circuit is complete again.
#[derive(Clone, Copy, Debug)]
struct TornMessage {
    time: f64,
    has_started_again: bool,
}

/// Faults that will arrive in an engine, and the counts of those that have. `F` are all faults from
/// an onset on.
#[derive(Clone, Debug)]
pub(super) struct FaultArrivals<F> {
    onsets: Vec<f64>,
    coming: VecDeque<(f64, F)>,
    /// Torn messages by number.
    torn: BTreeMap<u64, TornMessage>,
    /// Messages in the network by number: their period, if it counts, and whether their circuits
    /// were complete at least once.
    messages: BTreeMap<u64, (Option<Period>, bool)>,
    /// Start of the current transition.
    began: f64,
    counts: CircuitTransitionCounts,
}

impl<F> FaultArrivals<F> {
    pub(super) fn new() -> Self {
        Self {
            onsets: Vec::new(),
            coming: VecDeque::new(),
            torn: BTreeMap::new(),
            messages: BTreeMap::new(),
            began: 0.0,
            counts: CircuitTransitionCounts::default(),
        }
    }

    /// Adds faults that arrive at `time`, after all others.
    ///
    /// # Errors
    /// If the time is negative, not finite, or at most that of others.
    pub(super) fn add(&mut self, time: f64, faults: F) -> Result<(), CircuitError> {
        let is_later = self.onsets.last().is_none_or(|&last| last < time);
        if !(time >= 0.0 && time.is_finite() && is_later) {
            return Err(CircuitError::Onset(time));
        }
        self.onsets.push(time);
        self.coming.push_back((time, faults));
        Ok(())
    }

    pub(super) fn onsets(&self) -> &[f64] {
        &self.onsets
    }

    pub(super) fn counts(&self) -> CircuitTransitionCounts {
        self.counts
    }

    /// Returns the time of the next onset, infinite if there is none.
    pub(super) fn next_time(&self) -> f64 {
        self.coming.front().map_or(f64::INFINITY, |next| next.0)
    }

    /// Removes and returns the next faults, with their time.
    pub(super) fn pop(&mut self) -> Option<(f64, F)> {
        self.coming.pop_front()
    }

    /// Returns the time at which the message was torn down; `None` if it was not, or is complete
    /// again.
    pub(super) fn torn_since(&self, number: u64) -> Option<f64> {
        self.torn.get(&number).map(|torn| torn.time)
    }

    /// Returns whether the circuit of a message in the network was complete at least once.
    pub(super) fn has_completed(&self, number: u64) -> bool {
        self.messages.get(&number).is_some_and(|message| message.1)
    }

    /// Returns the period of a message generated at `time`.
    fn period(&self, time: f64) -> Option<Period> {
        let first = self.onsets.first().copied().unwrap_or(f64::INFINITY);
        if self.coming.len() == self.onsets.len() {
            return (time >= first / 2.0).then_some(Period::Before);
        }
        Some(if self.torn.is_empty() { Period::After } else { Period::During })
    }

    fn period_counts(&mut self, period: Option<Period>) -> Option<&mut CircuitPeriod> {
        period.map(|period| &mut self.counts.periods[period as usize])
    }

    /// Counts a message that is accepted.
    pub(super) fn generated(&mut self, number: u64, time: f64) {
        let period = self.period(time);
        self.messages.insert(number, (period, false));
        if let Some(counts) = self.period_counts(period) {
            counts.generated += 1;
        }
    }

    /// Counts a message that is refused.
    pub(super) fn refused(&mut self, time: f64) {
        let period = self.period(time);
        if let Some(counts) = self.period_counts(period) {
            counts.generated += 1;
            counts.refused += 1;
        }
    }

    /// Counts a tear-down at `time`.
    pub(super) fn torn(&mut self, number: u64, time: f64, was_complete: bool) {
        self.counts.torn += 1;
        self.counts.torn_complete += u64::from(was_complete);
        if self.torn.is_empty() {
            self.began = time;
        }
        self.torn.insert(number, TornMessage { time, has_started_again: false });
    }

    /// Counts a source that starts again, if it does so after a tear-down.
    pub(super) fn started_again(&mut self, number: u64) {
        if let Some(torn) = self.torn.get_mut(&number).filter(|torn| !torn.has_started_again) {
            torn.has_started_again = true;
            self.counts.retried += 1;
        }
    }

    /// Counts a message that is lost at `time`.
    pub(super) fn lost(&mut self, number: u64, time: f64) {
        self.counts.lost += 1;
        let period = self.messages.remove(&number).and_then(|message| message.0);
        if let Some(counts) = self.period_counts(period) {
            counts.lost += 1;
        }
        self.end_tear_down(number, time);
    }

    /// Counts a complete circuit. Returns whether the message had one before.
    pub(super) fn completed(&mut self, number: u64, generated: f64, time: f64) -> bool {
        if let Some(torn) = self.end_tear_down(number, time) {
            self.counts.restored += 1;
            self.counts.recovery += time - torn.time;
        }
        let Some((period, has_completed)) = self.messages.get_mut(&number) else { return false };
        let (period, is_repeated) = (*period, std::mem::replace(has_completed, true));
        if let Some(counts) = self.period_counts(period).filter(|_| !is_repeated) {
            counts.completed += 1;
            counts.setup += time - generated;
        }
        is_repeated
    }

    /// Forgets a message that has been transmitted.
    pub(super) fn transmitted(&mut self, number: u64) {
        self.messages.remove(&number);
    }

    fn end_tear_down(&mut self, number: u64, time: f64) -> Option<TornMessage> {
        let torn = self.torn.remove(&number)?;
        if self.torn.is_empty() {
            self.counts.time += time - self.began;
        }
        Some(torn)
    }
}
