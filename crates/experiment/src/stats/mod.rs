//! Statistics: estimates with their intervals, and tests of runs.

pub(crate) mod estimate;
pub(crate) mod histogram;
pub mod paired;
pub(crate) mod poisson;
mod ratio;
pub(crate) mod run_estimates;
mod runs;
mod score_interval;
pub(crate) mod steady;
pub(crate) mod student;

pub use estimate::{Estimate, mean_estimate, proportion, sigma_estimate};
pub use ratio::RatioTally;
pub use runs::Runs;
pub use student::NORMAL_95;
