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
}

impl From<WormRun> for WormTally {
    fn from(mut run: WormRun) -> Self {
        let flits = std::mem::take(&mut run.flits);
        Self { run, busiest: flits.into_iter().max().unwrap_or(0) }
    }
}
