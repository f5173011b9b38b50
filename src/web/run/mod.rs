//! Sweeps under way, in workers.

mod crew;
pub(crate) mod errand;
pub(crate) mod job;
mod life;
mod orders;
pub(crate) mod pool;
pub(crate) mod protocol;
mod resume;
pub(crate) mod runner;
mod search;
mod shelf;
pub(crate) mod state;
pub mod worker;
