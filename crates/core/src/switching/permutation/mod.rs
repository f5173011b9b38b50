//! Permutations and h-relations: static route counts, and batches of worms that all start at once.

mod batch;
mod static_paths;

pub use batch::{BatchOutcome, BatchWait, WormBatchRun};
pub use static_paths::{ClassCongestion, StaticCongestion, relation_route};
