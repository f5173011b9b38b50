//! Circuits under load.

mod cost;
mod keys;
mod kind;
pub(crate) mod mesh;
mod mesh_trace;
mod mesh_watch;
mod metrics;
mod setting;
mod steady;
pub(crate) mod trial;
mod watch;

pub use kind::KIND;
pub use mesh_trace::{ProbeMove, ProbeMoveKind, ProbeOutcome, ProbeTrace, ProbeTraces};
pub use mesh_watch::{MeshCircuitWatch, WatchedProbes};
pub use setting::CircuitSetting;
use trial::{COARSE_RUNS, check_tally, counted};
pub use watch::{CircuitCounts, CircuitWatch, LoggedCircuits, Watched, WatchedEngine};
