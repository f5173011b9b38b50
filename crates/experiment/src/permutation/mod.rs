//! Whole permutations and h-relations: as routes that are counted, and as batches of worms.

mod butterfly;
mod butterfly_watch;
mod cost;
mod instance;
mod keys;
mod kind;
mod metrics;
mod setting;
mod tally;
pub(crate) mod trial;
mod watch;

pub use butterfly::{ButterflyInstance, ButterflyTrial, followed_message};
pub use butterfly_watch::{ButterflyBatch, ButterflyWatch, WatchedButterfly};
pub use instance::{PermutationInstance, PermutationSeries, PermutationTrial};
pub use kind::{BATCH, KIND};
pub use setting::{BatchSetting, PermutationSetting};
pub use tally::PermutationTally;
pub use watch::{BatchEnd, BatchIndex, FollowedMessage, PermutationWatch, WatchedBatch, WatchedPermutation};
