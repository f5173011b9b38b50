//! Permutations and h-relations: statically counted routes, and batches of worms that start at
//! once.

mod batch;
mod static_paths;

pub use batch::{BatchOutcome, BatchWait, RouteBatch};
pub use static_paths::{ClassCongestion, StaticPaths, relation_route};
