//! What runs of worms came to.

use serde::{Deserialize, Serialize};

use crate::switching::WormRun;

/// A run of worms without the flits of every single channel, which would be most of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WormTally {
    /// The run; its `flits` are empty.
    pub run: WormRun,
    /// The flits that crossed the busiest channel.
    pub busiest: u64,
    /// By how much more messages waited at the end than at the beginning, as a share of those generated, where sources keep what
    /// they cannot send in a queue; 0 where they discard it. What a full queue did not take counts as waiting.
    pub growth: f64,
}

impl WormTally {
    /// What `run` came to, whose sources have queues or not.
    pub(crate) fn new(mut run: WormRun, queues: bool) -> Self {
        let flits = std::mem::take(&mut run.flits);
        let left = run.delivered + run.lost;
        let growth = if queues { (run.generated as f64 - left as f64) / (run.generated as f64).max(1.0) } else { 0.0 };
        Self { busiest: flits.into_iter().max().unwrap_or(0), growth, run }
    }
}
