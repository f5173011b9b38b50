//! Sweeps under way, in workers.

pub(crate) mod job;
pub(crate) mod pool;
pub(crate) mod protocol;
pub(crate) mod runner;
mod search;
pub mod worker;
