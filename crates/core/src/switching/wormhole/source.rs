//! Generation and injection of messages.

use super::message::{NONE, Stage, WormMessage};
use super::transition::Repeat;
use super::{InjectionPolicy, WormArrival, WormObserver, WormholeNetwork};
use crate::routing::VcRequests;
use crate::topology::NodeId;
use crate::traffic::Pair;

impl WormholeNetwork {
    /// Generates the messages of this cycle.
    #[inline]
    pub(super) fn generate(&mut self, observer: &mut impl WormObserver) {
        let mut new_arrivals = std::mem::take(&mut self.new_arrivals);
        self.arrivals.generate(self.cycle, &mut new_arrivals);
        for &(from, to) in &new_arrivals {
            let length = self.config.length.draw(&mut self.length_generator);
            self.start(from, to, length, observer);
        }
        self.new_arrivals = new_arrivals;
        if self.schedule.is_some() {
            self.start_scheduled(observer);
        }
    }

    /// Starts the scheduled messages of this cycle. A message whose source or destination does not
    /// take part is lost.
    #[inline(never)]
    fn start_scheduled(&mut self, observer: &mut impl WormObserver) {
        while let Some(schedule) = &mut self.schedule
            && let Some((from, to, length)) = schedule.start_next(self.cycle, self.tally.generated)
        {
            let takes_part = self.faults.is_member(from) && self.faults.is_member(to);
            self.start(from, Some(to).filter(|_| takes_part), length, observer);
        }
    }

    /// Starts a message. The message is lost without a destination.
    #[inline]
    fn start(&mut self, from: NodeId, to: Option<NodeId>, length: u16, observer: &mut impl WormObserver) {
        let arrival = WormArrival { number: self.tally.generated, from, to, cycle: self.cycle, length };
        self.tally.generated += 1;
        observer.generated(&arrival);
        match to {
            None => {
                self.tally.lost += 1;
                observer.lost(arrival.number);
            }
            Some(_) if !self.admits(from) => {
                self.tally.discarded += 1;
                observer.discarded(&arrival);
            }
            Some(to) => self.accept(arrival.number, from, to, length),
        }
    }

    /// Adds preset messages, which are generated in cycle 0 in the given order, before random ones.
    ///
    /// Must be called before cycle 0. Messages from a node to itself, or from nodes that do not
    /// take part, are ignored. Messages to nodes that do not take part are lost.
    pub fn add_preset_messages(&mut self, messages: impl Iterator<Item = Pair>) {
        self.arrivals.add_preset(messages);
    }

    /// Adds one message outside the generated traffic, at the beginning of the next cycle, and
    /// returns its number.
    ///
    /// Returns `None` if the ends are equal or do not take part, if the injection limit would
    /// discard it, or if the network has ended. Observers are not notified.
    pub fn offer(&mut self, from: NodeId, to: NodeId) -> Option<u64> {
        let takes_part = |node| self.mesh().contains(node) && self.faults.is_member(node);
        if from == to || !takes_part(from) || !takes_part(to) || !self.admits(from) || self.outcome().is_some() {
            return None;
        }
        let number = self.tally.generated;
        self.tally.generated += 1;
        let length = self.config.length.draw(&mut self.length_generator);
        self.accept(number, from, to, length);
        Some(number)
    }

    /// Returns whether a message that `from` generates now would not be discarded.
    #[inline]
    pub(super) fn admits(&self, from: NodeId) -> bool {
        let (injection, source) = (self.config.injection, &self.sources[from.0 as usize]);
        let queues = injection.policy == InjectionPolicy::Queue && source.queued < self.config.max_queue;
        source.busy < injection.limit || queues
    }

    /// Injects a message, or appends it to the source's queue.
    #[inline]
    fn accept(&mut self, number: u64, from: NodeId, to: NodeId, length: u16) {
        let slot = self.enter(number, from, to, length);
        self.inject_or_queue(slot, from);
    }

    /// Accepts a message again that was dropped, with its number and the cycle of its generation.
    pub(super) fn accept_again(&mut self, repeat: &Repeat) {
        let slot = self.enter(repeat.number, repeat.from, repeat.to, repeat.length);
        self.messages[slot as usize].generated = repeat.generated;
        self.inject_or_queue(slot, repeat.from);
    }

    /// Injects the message in `slot`, or appends it to the source's queue.
    #[inline]
    fn inject_or_queue(&mut self, slot: u32, from: NodeId) {
        let source = &mut self.sources[from.0 as usize];
        if source.busy < self.config.injection.limit {
            source.busy += 1;
            self.inject(slot, self.cycle);
            return;
        }
        source.queued += 1;
        if source.first == NONE {
            (source.first, source.last) = (slot, slot);
        } else {
            self.messages[source.last as usize].behind = slot;
            source.last = slot;
        }
    }

    /// Assigns a slot to a new message.
    #[inline]
    fn enter(&mut self, number: u64, from: NodeId, to: NodeId, length: u16) -> u32 {
        let header = self.config.routing.draw_initial_header(&self.faults, from, to, &mut self.generator);
        let message = WormMessage {
            number,
            generated: self.cycle,
            injected: self.cycle,
            since: self.cycle,
            choices: VcRequests::NONE,
            header,
            input_port: None,
            stage: Stage::Queued,
            from: from.0 as u32,
            to: to.0 as u32,
            lane: NONE,
            hops: 0,
            behind: NONE,
        };
        let slot = match self.unused.pop() {
            Some(slot) => {
                self.messages[slot as usize] = message;
                slot
            }
            None => {
                self.messages.push(message);
                self.messages.len() as u32 - 1
            }
        };
        self.flits.set_length(slot, length);
        slot
    }

    /// Injects the message in `slot`, so that it contends for channels from `cycle` on.
    #[inline]
    fn inject(&mut self, slot: u32, cycle: u64) {
        let lane = self.flits.fill(slot);
        let message = &mut self.messages[slot as usize];
        (message.injected, message.since) = (cycle, cycle);
        (message.lane, message.stage) = (lane, Stage::Deciding);
        self.awaiting_route.push(slot);
    }

    /// Removes the message in `slot` from the queue of its source.
    pub(super) fn leave_queue(&mut self, slot: u32) {
        let WormMessage { from, behind, .. } = self.messages[slot as usize];
        let first = self.sources[from as usize].first;
        let mut before = NONE;
        let mut at = first;
        while at != slot && at != NONE {
            (before, at) = (at, self.messages[at as usize].behind);
        }
        let source = &mut self.sources[from as usize];
        source.queued -= u16::from(at == slot);
        if source.last == slot {
            source.last = before;
        }
        match self.messages.get_mut(before as usize) {
            Some(message) => message.behind = behind,
            None => source.first = behind,
        }
    }

    /// Handles a tail that has left `node`: injects the next message of its queue, if any, at
    /// `cycle`.
    #[inline]
    pub(super) fn leave(&mut self, node: u32, cycle: u64) {
        let source = &mut self.sources[node as usize];
        let next = source.first;
        if next == NONE {
            source.busy -= 1;
        } else {
            source.queued -= 1;
            source.first = self.messages[next as usize].behind;
            self.inject(next, cycle);
        }
    }
}
