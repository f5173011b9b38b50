//! What runs of worms came to.

use serde::{Deserialize, Serialize};

use faultlab_core::switching::WormRun;

/// A run of worms, whose channels are kept only where that is asked for: they would be most of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WormTally {
    /// The run; its `flits` and `first_half` are empty.
    pub run: WormRun,
    /// The flits that crossed the busiest channel.
    pub busiest: u64,
    /// The flits that crossed, in each half of the run, the channel that was busiest in the other half.
    pub busiest_of_other_half: u64,
    /// The flits that crossed each channel in each half of the run, where they are kept; else empty.
    pub channels: [Vec<u32>; 2],
    /// By how much more messages waited at the end than at the beginning, as a share of those generated, where sources keep what
    /// they cannot send in a queue; 0 where they discard it. What a full queue did not take counts as waiting.
    pub growth: f64,
}

/// The details of a run that a tally keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keep {
    /// True if sources have queues, which may grow.
    pub(crate) queues: bool,
    /// True if the tally keeps the flits of every channel.
    pub(crate) channels: bool,
}

impl WormTally {
    /// The tally of `run`.
    pub(crate) fn new(mut run: WormRun, keep: Keep) -> Self {
        let (flits, first) = (std::mem::take(&mut run.flits), std::mem::take(&mut run.first_half));
        let left = run.delivered + run.lost;
        let growth =
            if keep.queues { (run.generated as f64 - left as f64) / (run.generated as f64).max(1.0) } else { 0.0 };
        let second: Vec<u64> = flits.iter().zip(&first).map(|(all, first)| all - first).collect();
        let of_other = |values: &[u64], other: &[u64]| busiest(other).and_then(|channel| values.get(channel)).copied();
        let busiest_of_other_half = of_other(&first, &second).unwrap_or(0) + of_other(&second, &first).unwrap_or(0);
        let busiest = flits.iter().max().copied().unwrap_or(0);
        let narrow = |flits: &[u64]| flits.iter().map(|&flits| flits as u32).collect();
        let channels = if keep.channels { [narrow(&first), narrow(&second)] } else { <[Vec<u32>; 2]>::default() };
        Self { busiest, busiest_of_other_half, channels, growth, run }
    }
}

/// The first of the channels with the most flits; `None` without channels.
pub(super) fn busiest(flits: &[u64]) -> Option<usize> {
    let most = flits.iter().max()?;
    flits.iter().position(|flits| flits == most)
}
