//! How messages move in time.

mod batch;
mod circuit;
pub mod delivery;
mod kind;
mod message;
mod path;
mod static_paths;
mod trap;
mod worm_walk;
mod wormhole;

pub use batch::{BatchOutcome, BatchWait, RouteBatch};
pub use circuit::{
    Avail, Batch, CircuitError, CircuitEvent, CircuitMessage, CircuitOutcome, CircuitRun, CircuitTerms, Circuits,
    Deadlock, Histogram, LinkState, Measurement, Observer, Refusal, RunEnd, Wait, Waited, Wanting, Window,
};
pub use kind::Switching;
pub use message::{Event, Hop, MessageWalk, Outcome, Walker};
pub use path::PathFinder;
pub use static_paths::{ClassCongestion, StaticPaths, relation_route};
pub use trap::{TRAP_SEARCH_LIMIT, Trap, Trapping};
pub use worm_walk::{WormHop, WormOutcome, worm_walk};
pub use wormhole::{
    Arbitration, HeldChannel, Injection, InjectionPolicy, WormArrival, WormBatch, WormDeadlock, WormDelivery, WormEnd,
    WormError, WormHold, WormMeasurement, WormMessage, WormObserver, WormRun, WormState, WormTerms, WormWait,
    WormWindow, Worms,
};
