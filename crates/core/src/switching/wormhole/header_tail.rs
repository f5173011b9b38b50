//! Handling of headers and tails that have crossed a channel.

use super::message::Stage;
use super::{WormDelivery, WormObserver, WormholeNetwork};
use crate::switching::FlowControl;
use crate::topology::NodeId;

impl WormholeNetwork {
    /// Handles a flit that has just entered `lane`, if it is a header, a tail or both.
    #[inline]
    pub(super) fn handle_flit_end(&mut self, lane: u32, observer: &mut impl WormObserver) {
        let slot = self.flits.owner(lane);
        let (is_first, is_last) = self.flits.is_end(lane, slot);
        if is_first {
            self.handle_header(slot, lane);
        }
        if is_last {
            self.handle_tail(slot, lane, observer);
        }
    }

    /// Handles a header that has reached a node.
    #[inline]
    fn handle_header(&mut self, slot: u32, lane: u32) {
        let (channel, _) = self.flits.channel(lane);
        let message = &mut self.messages[slot as usize];
        if self.channel_ends[channel as usize] == message.to {
            message.stage = Stage::Consumed;
            self.flits.consume(lane);
        } else if self.config.flow != FlowControl::StoreAndForward {
            self.request_route(slot);
        }
    }

    /// Makes the message in `slot` await route computation at the node that its header has reached.
    #[inline]
    fn request_route(&mut self, slot: u32) {
        let message = &mut self.messages[slot as usize];
        (message.stage, message.since) = (Stage::Deciding, self.cycle + 1);
        self.awaiting_route.push(slot);
    }

    /// Handles a tail that has entered `lane`: frees the previous lane or the source. Delivers the
    /// message at its destination.
    #[inline]
    fn handle_tail(&mut self, slot: u32, lane: u32, observer: &mut impl WormObserver) {
        let prev = self.flits.part(lane);
        let (channel, _) = self.flits.channel(lane);
        self.carried[channel as usize] += u64::from(self.flits.length(slot));
        if self.flits.is_source(prev) {
            self.flits.release(prev);
            let from = self.messages[slot as usize].from;
            self.leave(from, self.cycle + 1);
        } else {
            self.flits.vacate(prev);
        }
        if self.flits.is_consumed(lane) {
            self.flits.vacate(lane);
            self.deliver(slot, observer);
        } else if self.config.flow == FlowControl::StoreAndForward {
            self.request_route(slot);
        }
    }

    #[inline]
    fn deliver(&mut self, slot: u32, observer: &mut impl WormObserver) {
        let message = &self.messages[slot as usize];
        observer.delivered(&WormDelivery {
            number: message.number,
            from: NodeId(u64::from(message.from)),
            to: NodeId(u64::from(message.to)),
            generated: message.generated,
            injected: message.injected,
            finished: self.cycle + 1,
            hops: message.hops,
            length: self.flits.length(slot),
        });
        self.tally.delivered += 1;
        if let Some(schedule) = &mut self.schedule {
            schedule.arrive(message.number, self.cycle + 1);
        }
        self.remove(slot);
    }

    /// Frees a message slot.
    #[inline]
    pub(super) fn remove(&mut self, slot: u32) {
        self.messages[slot as usize].stage = Stage::Unused;
        self.unused.push(slot);
    }
}
