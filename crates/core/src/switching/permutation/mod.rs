//! Permutations and h-relations: static route counts, and batches of messages that all start at
//! once.

mod batch;
mod batch_run;
mod butterfly;
mod channel_routes;
mod queued;
mod static_paths;

pub use batch::{BatchOutcome, BatchWait, WormBatchRun};
pub use batch_run::BatchRun;
pub use butterfly::ButterflyCongestion;
pub use queued::{BatchOnset, QueuedBatchRun};
pub use static_paths::{ClassCongestion, StaticCongestion, relation_route};
