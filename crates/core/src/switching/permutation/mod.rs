//! Permutations and h-relations: statically counted routes, and batches of worms that start at
//! once.

mod batch;
mod static_paths;

pub use batch::{BatchOutcome, BatchWait, WormBatchRun};
pub use static_paths::{ClassCongestion, StaticCongestion, relation_route};
