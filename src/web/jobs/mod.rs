//! Sweeps under way, in workers.

pub(crate) mod client;
mod crew;
pub(crate) mod errand;
pub(crate) mod job;
mod life;
mod orders;
pub(crate) mod pool;
mod resume;
mod shelf;
pub(crate) mod state;
