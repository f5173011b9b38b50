//! Looking on while the worms move.

use crate::routing::WormChoice;
use crate::topology::NodeId;

/// One message as it is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormArrival {
    /// Its number, counted from 0 as messages are generated, discarded ones included.
    pub number: u64,
    /// Its source.
    pub from: NodeId,
    /// Its destination; `None` if the pattern has only a faulty one, and then it is lost at once.
    pub to: Option<NodeId>,
    /// The cycle in which it is generated.
    pub cycle: u64,
}

/// One message as its tail is consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormDelivery {
    /// Its number.
    pub number: u64,
    /// Its source.
    pub from: NodeId,
    /// Its destination.
    pub to: NodeId,
    /// The cycle in which it was generated.
    pub generated: u64,
    /// The cycle from which it contended for the channels of its source; after `generated` if it waited in a queue.
    pub injected: u64,
    /// The cycle after that in which its tail was consumed.
    pub finished: u64,
    /// The channels that it took.
    pub hops: u32,
}

impl WormDelivery {
    /// Its latency in cycles: from generation to consumption of the tail, waiting at the source included.
    #[inline]
    pub fn latency(&self) -> u64 {
        self.finished - self.generated
    }
}

/// Is told everything that happens, in order. Messages are named by number.
///
/// Every method does nothing unless it is written anew: what is not looked at costs nothing. `()` looks at nothing.
pub trait WormObserver {
    /// A message was generated.
    #[inline(always)]
    fn generated(&mut self, _message: &WormArrival) {}

    /// The message just generated was above the injection limit, and discarded.
    #[inline(always)]
    fn discarded(&mut self, _message: &WormArrival) {}

    /// The header of a message took a virtual channel out of `from`.
    #[inline(always)]
    fn hop(&mut self, _number: u64, _from: NodeId, _choice: &WormChoice, _virtual_channel: u8) {}

    /// The tail of a message was consumed.
    #[inline(always)]
    fn delivered(&mut self, _message: &WormDelivery) {}

    /// A message was taken out of the network, because faults leave it no way on.
    #[inline(always)]
    fn lost(&mut self, _number: u64) {}
}

impl WormObserver for () {}
