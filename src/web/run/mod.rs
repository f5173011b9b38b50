//! Sweeps under way, in workers.

mod crew;
pub(crate) mod errand;
pub(crate) mod job;
mod life;
mod orders;
pub(crate) mod pool;
mod resume;
pub(crate) mod runner;
mod shelf;
pub(crate) mod state;
