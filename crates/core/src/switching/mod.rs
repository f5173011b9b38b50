//! Engines that simulate messages over time.

mod circuit;
pub mod delivery;
mod engine;
mod histogram;
mod message;
mod permutation;
mod wormhole;

pub use circuit::{
    Avail, Batch, CircuitError, CircuitEvent, CircuitMessage, CircuitOutcome, CircuitRun, CircuitTerms, Circuits,
    Deadlock, LinkState, Measurement, Observer, Refusal, RunEnd, Wait, Waited, Wanting, Window,
};
pub use engine::{Engine, Moment};
pub use histogram::Histogram;
pub use message::{Event, Hop, MessageWalk, Outcome, PathFinder, TRAP_SEARCH_LIMIT, Trap, Trapping, Walker};
pub use permutation::{BatchOutcome, BatchWait, ClassCongestion, RouteBatch, StaticPaths, relation_route};
pub use wormhole::{
    Arbitration, HeldChannel, Injection, InjectionPolicy, WormArrival, WormBatch, WormDeadlock, WormDelivery, WormEnd,
    WormError, WormHold, WormHop, WormKnot, WormMeasurement, WormMessage, WormObserver, WormOutcome, WormRun,
    WormState, WormTerms, WormWait, WormWarmUp, WormWindow, Worms, worm_walk,
};
