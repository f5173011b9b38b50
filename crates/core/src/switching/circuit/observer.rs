//! Observers of the running network.

use super::Refusal;
use crate::topology::{Link, NodeId};
use crate::traffic::Arrival;

/// The end of one wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaitEnd {
    /// Number of the message.
    pub number: u64,
    /// Node at which the message waited.
    pub node: NodeId,
    /// Mask of the dimensions for whose links the message waited.
    pub dims: u64,
    /// Start of the wait, in mean transmission times.
    pub since: f64,
}

/// A circuit that is complete, so that its message begins to transmit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompletedCircuit {
    /// Number of the message.
    pub number: u64,
    /// Source of the message.
    pub source: NodeId,
    /// Destination of the message.
    pub destination: NodeId,
    /// Generation time of the message, in mean transmission times.
    pub generated: f64,
    /// Time of completion. The difference from the generation time is the setup time.
    pub time: f64,
    /// Number of attempts, at least 1. Always 1 under [`super::SetupPolicy::Hold`], unless a fault
    /// has torn down the path.
    pub attempts: u32,
    /// True if an earlier circuit of the message was complete, and a fault has torn it down.
    pub is_repeated: bool,
}

/// The end of a path or circuit because faults have arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterruptedCircuit {
    /// Number of the message.
    pub number: u64,
    /// Generation time of the message, in mean transmission times.
    pub generated: f64,
    /// Time at which the faults arrived.
    pub time: f64,
    /// True if the circuit was complete.
    pub was_complete: bool,
    /// True if this or an earlier circuit of the message was complete.
    pub has_completed: bool,
    /// True if the message is lost; otherwise its source will start again.
    pub is_lost: bool,
}

/// An observer that receives every event in order.
///
/// Messages are identified by number, and times count mean transmission times. The default methods
/// do nothing and cost no time. `()` ignores all events.
pub trait CircuitObserver {
    /// Called when a message is generated and accepted.
    #[inline(always)]
    fn generated(&mut self, _number: u64, _message: &Arrival) {}

    /// Called when a message is generated and refused.
    #[inline(always)]
    fn refused(&mut self, _number: u64, _message: &Arrival, _why: Refusal) {}

    /// Called when a message reserves `link`.
    #[inline(always)]
    fn reserved(&mut self, _number: u64, _link: Link, _time: f64) {}

    /// Called when `link` is released; it may be reserved again at the same time.
    #[inline(always)]
    fn released(&mut self, _link: Link, _time: f64) {}

    /// Called when a message begins to wait at `node` for the links across the dimensions `dims`.
    ///
    /// `backlog` is the number of waiting messages, including this message. Under
    /// [`super::SetupPolicy::Retry`] a message waits at its source, for no particular link, from its
    /// first failed attempt until its circuit is complete.
    #[inline(always)]
    fn waiting(&mut self, _number: u64, _node: NodeId, _dims: u64, _backlog: u64, _time: f64) {}

    /// Called when a wait ends at `time`, because the message was granted one of the links, or set
    /// up its circuit in a later attempt.
    #[inline(always)]
    fn granted(&mut self, _wait: &WaitEnd, _time: f64) {}

    /// Called when a message completes its circuit.
    #[inline(always)]
    fn completed(&mut self, _circuit: &CompletedCircuit) {}

    /// Called when faults that arrive end the path or circuit of a message.
    #[inline(always)]
    fn interrupted(&mut self, _circuit: &InterruptedCircuit) {}

    /// Called when a transmission ends.
    #[inline(always)]
    fn transmitted(&mut self, _number: u64, _time: f64) {}
}

impl CircuitObserver for () {}
