//! Read access to the current state of the network, for drawing.

use super::ProbeNetwork;
use super::engine::ProbeMessage;
use crate::topology::{NodeId, Port};

/// State of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeState {
    /// The probe moves forward, to the last node of the path.
    Searching,
    /// The probe moves back over the last link of the path.
    Returning,
    /// The probe waits at the last node of the path for the link at a port.
    Waiting(Port),
    /// The last attempt failed. The message holds no link until the next one.
    BackingOff,
    /// The acknowledgement returns over the path.
    Acknowledging,
    /// The message transmits.
    Transmitting,
}

/// A message that holds a link, and its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservedBy {
    /// Number of the message.
    pub number: u64,
    /// State of the message.
    pub state: ProbeState,
}

/// A view of a message in the network.
#[derive(Clone, Copy, Debug)]
pub struct ProbeMessageView<'a> {
    message: &'a ProbeMessage,
}

impl ProbeMessageView<'_> {
    /// Returns the number of the message, counted from 0 in the order of generation, including
    /// refused messages.
    pub fn number(&self) -> u64 {
        self.message.number
    }

    /// Returns the source of the message.
    pub fn from(&self) -> NodeId {
        self.message.search.source()
    }

    /// Returns the destination of the message.
    pub fn to(&self) -> NodeId {
        self.message.search.destination()
    }

    /// Returns the last node of the path.
    pub fn here(&self) -> NodeId {
        self.message.search.here()
    }

    /// Returns the state of the message.
    pub fn state(&self) -> ProbeState {
        self.message.state
    }

    /// Returns the links that the message holds, from the source on: the node that each leaves, and
    /// its port.
    pub fn path(&self) -> impl DoubleEndedIterator<Item = (NodeId, Port)> {
        self.message.search.path()
    }

    /// Returns the number of attempts so far, at least 1.
    pub fn attempts(&self) -> u32 {
        self.message.attempts
    }

    /// Returns the node at which the last attempt failed; `None` if none has failed or the circuit
    /// is complete.
    pub fn failed_at(&self) -> Option<NodeId> {
        self.message.failed_at
    }

    /// Returns the generation time of the message, in mean transmission times.
    pub fn generated(&self) -> f64 {
        self.message.generated
    }

    /// Returns the start of the wait or of the transmission.
    pub fn since(&self) -> f64 {
        self.message.since
    }

    /// Returns the duration of the transmission, without the time of the hops.
    pub fn duration(&self) -> f64 {
        self.message.duration
    }

    /// Returns the time of the next event of the message, infinite while it waits for a link.
    pub fn next(&self) -> f64 {
        self.message.next
    }

    /// Returns whether the message waits: for a link, or for the success of a later attempt.
    pub fn waits(&self) -> bool {
        matches!(self.message.state, ProbeState::Waiting(_)) || self.message.failed_at.is_some()
    }
}

impl ProbeNetwork {
    /// Returns the messages in the network, in no particular order.
    pub fn messages(&self) -> impl Iterator<Item = ProbeMessageView<'_>> {
        self.messages.iter().filter(|message| message.present).map(|message| ProbeMessageView { message })
    }

    /// Returns the message with number `number`; `None` if it is not in the network.
    ///
    /// Cost: linear in the messages.
    pub fn message(&self, number: u64) -> Option<ProbeMessageView<'_>> {
        self.messages().find(|message| message.number() == number)
    }

    /// Returns the message that holds the link at `port` of `node`; `None` if the link is free.
    pub fn holder(&self, node: NodeId, port: Port) -> Option<ReservedBy> {
        self.holder_of(node, port).map(|message| ReservedBy { number: message.number, state: message.state })
    }

    /// Returns the number of probes that wait for the link at `port` of `node`.
    pub fn queue(&self, node: NodeId, port: Port) -> u64 {
        self.queue_len(node, port) as u64
    }
}
