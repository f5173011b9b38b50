//! Engines that simulate messages over time.

mod circuit;
pub mod delivery;
mod engine;
mod flow_control;
mod histogram;
mod message;
mod permutation;
mod wormhole;

pub use circuit::{
    BlockedAttempt, CircuitBatch, CircuitConfig, CircuitEnd, CircuitError, CircuitEvent, CircuitMeasurement,
    CircuitMessageView, CircuitNetwork, CircuitObserver, CircuitOutcome, CircuitPeriod, CircuitRun,
    CircuitTransitionCounts, CircuitWindow, CompletedCircuit, Deadlock, InterruptedCircuit, LinkSelection, LinkState,
    MeasuredCircuits, ProbeConfig, ProbeEvent, ProbeMessageView, ProbeNetwork, ProbeState, Refusal, ReservedBy,
    SetupPolicy, WaitEnd, WaitPolicy, WaitingCircuit, WindowObserver, select_port,
};
pub use engine::{Engine, SimTime};
pub use flow_control::FlowControl;
pub use histogram::SetupHistogram;
pub use message::{Hop, MessageWalk, Outcome, PathFinder, StepResult, TRAP_SEARCH_LIMIT, Trap, TrapKind, WalkContext};
pub use permutation::{
    BatchOnset, BatchOutcome, BatchRun, BatchWait, ButterflyCongestion, ClassCongestion, QueuedBatchRun,
    StaticCongestion, WormBatchRun, relation_route,
};
pub use wormhole::{
    Arbitration, FlitCounts, HeldChannel, Injection, InjectionPolicy, TransitionCounts, WormArrival, WormBatch,
    WormDeadlock, WormDeadlockMember, WormDelivery, WormEnd, WormError, WormHold, WormHop, WormKnotMember,
    WormMeasurement, WormMessageView, WormObserver, WormOutcome, WormRun, WormState, WormWarmUp, WormWindow,
    WormholeConfig, WormholeNetwork, worm_walk,
};
