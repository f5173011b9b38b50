//! Interconnection networks with faults: routing of messages, and exact results about it.
//!
//! | module | contents |
//! |---|---|
//! | [`topology`] | hypercubes, meshes, tori and fat-trees |
//! | [`fault`] | faulty nodes, links and wires: fault models, fault rings, fault-free paths |
//! | [`traffic`] | sources and destinations of messages, and when they are generated |
//! | [`routing`] | the routing algorithms of five papers, and a language for new ones |
//! | [`switching`] | engines for messages, circuits, worms, permutations and delivery cycles |
//! | [`theory`] | channel dependency graphs, deadlock conditions, closed forms and exact counts |
//! | [`rich_text`] | sentences that refer to nodes, links, channels and messages |
//! | [`random`] | random numbers, all derived from one seed |
//!
//! Each module uses only the modules above it in the table, [`rich_text`] and [`random`].
//! Everything is deterministic: the same seed gives the same bits on every target and with any
//! number of threads.
//!
//! The following example steps wormhole routing by hand, flit by flit, on a mesh with one faulty
//! node ([`switching::WormholeNetwork`]):
//!
//! ```
//! use std::sync::Arc;
//!
//! use faultlab_core::fault::BlockFaults;
//! use faultlab_core::random::Key;
//! use faultlab_core::routing;
//! use faultlab_core::switching::{WormholeConfig, WormholeNetwork};
//! use faultlab_core::topology::{Mesh, NodeId};
//!
//! let mesh = Mesh::new(8, 8).expect("8 x 8 is a valid size");
//! let faults = BlockFaults::new(mesh, &[NodeId(27)], &[]);
//! let routing = routing::find("f-cube2")?.worm.clone().expect("f-cube2 routes worms");
//! let terms = WormholeConfig { load: 0.2, ..WormholeConfig::new(routing) };
//! let mut worms = WormholeNetwork::new(terms, Arc::new(faults), Key::from_seed(7))?;
//! while worms.delivered() < 100 {
//!     worms.step(&mut ());
//! }
//! println!("100 messages were delivered in {} cycles", worms.cycle());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Other engines are [`switching::MessageWalk`], which routes a single message hop by hop,
//! [`switching::CircuitNetwork`] for circuit switching, [`switching::BatchRun`] for the
//! messages of a whole permutation, and [`switching::delivery`] for the delivery cycles of fat-trees.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod fault;
mod names;
mod parse_error;
pub mod random;
mod retain;
pub mod rich_text;
pub mod routing;
pub mod spelling;
pub mod switching;
pub mod theory;
pub mod topology;
pub mod traffic;

pub use parse_error::ParseError;

/// Version of Faultlab, as written to exported files.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
