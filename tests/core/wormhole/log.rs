//! Observer that logs generated messages and their outcomes.

use faultlab::routing::VcRequest;
use faultlab::switching::{WormArrival, WormDelivery, WormObserver};
use faultlab::topology::{NodeId, Port};

/// Log of generated messages and their outcomes, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Log {
    pub(crate) generated: Vec<WormArrival>,
    pub(crate) discarded: Vec<u64>,
    pub(crate) hops: Vec<(u64, NodeId, Port, u8)>,
    pub(crate) delivered: Vec<WormDelivery>,
    pub(crate) lost: Vec<u64>,
}

impl WormObserver for Log {
    fn generated(&mut self, message: &WormArrival) {
        self.generated.push(*message);
    }

    fn discarded(&mut self, message: &WormArrival) {
        self.discarded.push(message.number);
    }

    fn hop(&mut self, number: u64, from: NodeId, choice: &VcRequest, virtual_channel: u8) {
        self.hops.push((number, from, choice.port, virtual_channel));
    }

    fn delivered(&mut self, message: &WormDelivery) {
        self.delivered.push(*message);
    }

    fn lost(&mut self, number: u64) {
        self.lost.push(number);
    }
}
