//! Interconnection networks with faults: topologies, faults, traffic, routing, switching and theory.
//!
//! Each module may use those above it in this list:
//!
//! * [`topology`]: hypercubes, meshes, tori and fat-trees,
//! * [`fault`]: faulty nodes and links, drawn by fault models, and fault rings,
//! * [`traffic`]: who sends to whom, and when,
//! * [`routing`]: routing functions of the papers and of users,
//! * [`switching`]: engines that simulate messages, circuits, wormhole flits and delivery cycles,
//! * [`theory`]: channel dependency graphs, closed forms and exact counts,
//! * [`random`]: the random numbers of all of them, which derive from a seed.
//!
//! Everything is deterministic: the same seed gives the same bits on every target and any number of threads.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod fault;
mod keep;
mod names;
mod parse_error;
pub mod random;
pub mod routing;
pub mod switching;
pub mod theory;
pub mod topology;
pub mod traffic;

pub use parse_error::ParseError;

/// The version of Faultlab, as exported files carry it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
