//! How messages move in time.

mod circuit;
mod kind;
mod message;
mod path;
mod trap;

pub use circuit::{
    Avail, Batch, CircuitError, CircuitEvent, CircuitMessage, CircuitOutcome, CircuitRun, CircuitTerms, Circuits,
    Deadlock, Histogram, LinkState, Measurement, Observer, Refusal, RunEnd, Wait, Waited, Wanting, Window,
};
pub use kind::Switching;
pub use message::{Event, Hop, MessageWalk, Outcome, Walker};
pub use path::PathFinder;
pub use trap::{TRAP_SEARCH_LIMIT, Trap, Trapping};
