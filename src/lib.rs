//! Faultlab: a laboratory for fault-tolerant routing in interconnection networks.
//!
//! One sentence, read from top to bottom; each room may use those above it and none below:
//!
//! * [`topology`]: what the network is,
//! * [`fault`]: what is broken,
//! * [`traffic`]: who talks to whom, and when,
//! * [`routing`]: where a message may go next, and why,
//! * [`switching`]: how messages move in time,
//! * [`theory`]: what the papers prove,
//! * [`experiment`]: what is asked and answered,
//! * [`report`]: how an answer is written,
//! * `worker`: what computes beside the page (feature `worker`),
//! * `web`: what a person sees and touches (feature `web`).
//!
//! Everything above `worker` is pure and deterministic: the same [`experiment::Experiment`] text gives the same bits on
//! every target and any number of threads.

pub mod experiment;
pub mod fault;
mod keep;
mod names;
pub mod random;
pub mod report;
pub mod routing;
mod sort;
pub mod switching;
pub mod theory;
pub mod topology;
pub mod traffic;
#[cfg(feature = "web")]
pub mod web;
#[cfg(feature = "worker")]
pub mod worker;

/// The version of Faultlab, as exported files carry it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
