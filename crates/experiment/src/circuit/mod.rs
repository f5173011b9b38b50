//! Circuits under load.

mod cost;
mod keys;
mod kind;
mod metrics;
mod setting;
mod steady;
pub(crate) mod trial;
mod watch;

pub use kind::KIND;
pub use setting::CircuitSetting;
use trial::{COARSE_RUNS, check_tally, counted};
pub use watch::{CircuitCounts, CircuitWatch, LoggedCircuits, Watched};
