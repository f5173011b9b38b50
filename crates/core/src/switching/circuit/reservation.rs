//! Reservation of links by messages, waiting, and the grant of released links.

use super::engine::CircuitNetwork;
use super::message::CircuitMessage;
use super::{CircuitObserver, CompletedCircuit, LinkSelection, WaitEnd, WaitPolicy, link};
use crate::random::below;
use crate::routing::Position;
use crate::topology::{NodeId, set_dimensions};

impl CircuitNetwork {
    /// Reserves free legal links for a message until its circuit is complete or it must wait.
    ///
    /// Returns whether the circuit is complete.
    #[inline]
    pub(super) fn advance(&mut self, slot: u32, observer: &mut impl CircuitObserver) -> bool {
        let mut message = self.messages[slot as usize];
        let blocked = self.extend_path(&mut message, slot, observer);
        message.since = self.time;
        match blocked {
            None => self.complete(slot, message, observer),
            Some(legal) => {
                message.waits = self.links_to_wait_for(message.here, legal);
                self.messages[slot as usize] = message;
                self.wait(slot, &message, observer);
            }
        }
        blocked.is_none()
    }

    /// Reserves free legal links for a message until it reaches its destination, or until no legal
    /// link is free. Returns the legal links in the second case, as a mask.
    #[inline]
    pub(super) fn extend_path(
        &mut self,
        message: &mut CircuitMessage,
        slot: u32,
        observer: &mut impl CircuitObserver,
    ) -> Option<u64> {
        while message.here != message.to {
            let at = message.position();
            let mut legal = self.legal(at);
            if self.config.avail == LinkSelection::LowestOnly {
                legal &= legal.wrapping_neg();
            }
            let free = legal & !self.links.busy(message.here);
            if free == 0 {
                return Some(legal);
            }
            let dim = self.choose(legal, free);
            self.reserve_link(message, slot, at, dim, observer);
        }
        None
    }

    /// Begins the transmission of a message whose path has reached its destination.
    #[inline]
    pub(super) fn complete(&mut self, slot: u32, message: CircuitMessage, observer: &mut impl CircuitObserver) {
        self.messages[slot as usize] = message;
        self.transmission_ends.push(self.time + message.duration, slot);
        let (number, generated, time) = (message.number, message.generated, self.time);
        let is_repeated = self.transition.as_mut().is_some_and(|it| it.completed(number, generated, time));
        observer.completed(&CompletedCircuit {
            number: message.number,
            source: NodeId(u64::from(message.from)),
            destination: NodeId(u64::from(message.to)),
            generated: message.generated,
            time: self.time,
            attempts: message.attempts.max(1),
            is_repeated,
        });
    }

    /// Returns the legal dimensions at `at`, as a mask. With faults, only dimensions from which the
    /// destination can be reached are included.
    #[inline(always)]
    pub(super) fn legal(&self, at: Position) -> u64 {
        match &self.reach {
            None => self.config.routing.legal(at, self.links_of(at.here), |legal| legal),
            Some(reach) => reach.usable(at),
        }
    }

    /// Selects one of the `free` dimensions among the `legal` ones; `free` must not be 0.
    #[inline(always)]
    fn choose(&mut self, legal: u64, free: u64) -> u8 {
        let low = legal & legal.wrapping_neg();
        let lowest = match self.config.avail {
            LinkSelection::Lowest => free & low != 0,
            avail => avail == LinkSelection::LowestFree,
        };
        if free & (free - 1) == 0 || lowest {
            return free.trailing_zeros() as u8;
        }
        if self.config.avail == LinkSelection::Highest {
            return 63 - free.leading_zeros() as u8;
        }
        let mut rest = free;
        for _ in 0..below(&mut self.generator, free.count_ones()) {
            rest &= rest - 1;
        }
        rest.trailing_zeros() as u8
    }

    /// Reserves the link across `dim` for the message in `slot`, which is at `at`.
    #[inline(always)]
    fn reserve_link(
        &mut self,
        message: &mut CircuitMessage,
        slot: u32,
        at: Position,
        dim: u8,
        observer: &mut impl CircuitObserver,
    ) {
        self.links.take(message.here, dim, slot);
        observer.reserved(message.number, link(message.here, dim), self.time);
        message.header = self.config.routing.header_after(at, self.links_of(at.here), dim);
        message.path |= u64::from(dim) << (4 * message.held);
        message.held += 1;
        message.here ^= 1 << dim;
    }

    /// Returns the links out of `node` for which a message waits, a subset of the `legal` ones.
    #[inline(always)]
    fn links_to_wait_for(&self, node: u16, legal: u64) -> u16 {
        match self.config.wait {
            WaitPolicy::First => legal as u16,
            WaitPolicy::ShortestQueue => {
                set_dimensions(legal).min_by_key(|&dim| self.links.queue_len(node, dim)).map_or(0, |dim| 1 << dim)
            }
        }
    }

    /// Adds a message to the queues of the links for which it waits, and updates the detection of
    /// jams and deadlocks.
    #[inline]
    fn wait(&mut self, slot: u32, message: &CircuitMessage, observer: &mut impl CircuitObserver) {
        self.links.enqueue(slot, message.here, message.waits);
        self.add_to_backlog(message, observer);
        self.is_deadlocked |= self.detects_deadlock && self.is_stuck(slot);
    }

    /// Counts a message that begins to wait, and updates the detection of jams.
    #[inline]
    pub(super) fn add_to_backlog(&mut self, message: &CircuitMessage, observer: &mut impl CircuitObserver) {
        self.backlog += 1;
        if self.backlog == self.jam.calm_backlog + 1 {
            self.jam.calm_ended(self.time, self.transmitted);
        }
        let node = message.position().here;
        observer.waiting(message.number, node, u64::from(message.waits), self.backlog, self.time);
    }

    /// Grants the link across `dim` to a waiting message.
    #[inline]
    pub(super) fn grant(&mut self, slot: u32, dim: u8, observer: &mut impl CircuitObserver) {
        let mut message = self.messages[slot as usize];
        let (at, dims) = (message.position(), u64::from(message.waits));
        self.links.dequeue(slot, message.here, message.waits);
        self.backlog -= 1;
        let CircuitMessage { number, since, .. } = message;
        observer.granted(&WaitEnd { number, node: at.here, dims, since }, self.time);
        message.waits = 0;
        self.reserve_link(&mut message, slot, at, dim, observer);
        self.messages[slot as usize] = message;
    }
}
