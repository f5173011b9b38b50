//! Counts of wormhole runs.

use serde::{Deserialize, Serialize};

use faultlab_core::switching::WormRun;

/// Result of a wormhole run. Counts per channel are optional, because they would be most of the
/// data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WormTally {
    /// Run; its `flits` and `first_half` are empty.
    pub run: WormRun,
    /// Number of flits that crossed the busiest channel.
    pub busiest: u64,
    /// Sum over both halves of the run: number of flits on the channel that was busiest in the
    /// other half.
    pub busiest_of_other_half: u64,
    /// Number of flits on each channel in each half of the run; empty if they are not kept.
    pub channels: [Vec<u32>; 2],
    /// Growth of the number of waiting messages during the run, as a share of those generated.
    ///
    /// The growth is 0 if sources discard messages. Messages that a full queue rejected count as
    /// waiting.
    pub growth: f64,
}

/// Selection of the details that a tally keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TallyDetail {
    /// Flag for sources with queues, which may grow.
    pub(crate) queues: bool,
    /// Flag for counts of the flits of every channel.
    pub(crate) channels: bool,
}

impl WormTally {
    /// Creates the tally of `run`.
    pub(crate) fn new(mut run: WormRun, keep: TallyDetail) -> Self {
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

/// Returns the first of the channels with the most flits; `None` without channels.
pub(super) fn busiest(flits: &[u64]) -> Option<usize> {
    let most = flits.iter().max()?;
    flits.iter().position(|flits| flits == most)
}
