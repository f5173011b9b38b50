//! How headers are told what they may ask for, and take it.

use rand::Rng as _;

use super::message::{Message, NONE, Stage, Waiting};
use super::{WormObserver, Worms};
use crate::random::below;
use crate::routing::{WormAt, WormChoices};
use crate::topology::NodeId;

impl Worms {
    /// Tells the headers that have come to a node what they may ask for; takes out those that may ask for nothing.
    #[inline]
    pub(super) fn decide(&mut self, observer: &mut impl WormObserver) {
        let mut index = 0;
        // A message that is lost may let another one out of its source's queue.
        while let Some(&slot) = self.arrived.get(index) {
            index += 1;
            let message = &self.messages[slot as usize];
            let choices = self.terms.routing.choices(&self.faults, &self.position(message));
            if choices.is_empty() {
                self.lose(slot, observer);
                continue;
            }
            let waiting = self.wanted(slot, self.here(message), &choices);
            let message = &mut self.messages[slot as usize];
            (message.choices, message.stage) = (choices, Stage::Waiting);
            self.waiting.push(waiting);
        }
        self.arrived.clear();
    }

    /// Where the header of a message is that has not a channel yet to leave by.
    #[inline]
    pub(super) fn here(&self, message: &Message) -> NodeId {
        if self.flits.is_source(message.lane) || message.lane == NONE {
            return NodeId(u64::from(message.from));
        }
        let (channel, _) = self.flits.channel(message.lane);
        NodeId(u64::from(self.heads[channel as usize]))
    }

    /// Where it decides, as routing is asked.
    #[inline]
    pub(super) fn position(&self, message: &Message) -> WormAt {
        let to = NodeId(u64::from(message.to));
        WormAt { here: self.here(message), to, came: message.came, header: message.header }
    }

    /// The virtual channels that would do.
    #[inline]
    fn wanted(&self, slot: u32, here: NodeId, choices: &WormChoices) -> Waiting {
        let mut waiting = Waiting { slot, channels: [0; 2], wants: [0; 2] };
        for index in 0..WormChoices::MOST {
            if let Some(choice) = choices.get(index) {
                waiting.channels[index] = here.0 as u32 * 4 + u32::from(choice.port.0);
                waiting.wants[index] = self.pool | 1 << choice.class;
            }
        }
        waiting
    }

    /// Lets the waiting headers take what is idle, from a random one on around the list.
    #[inline]
    pub(super) fn allocate(&mut self, observer: &mut impl WormObserver) {
        let count = self.waiting.len();
        if count == 0 {
            return;
        }
        let start = below(&mut self.generator, count as u32) as usize;
        let mut granted = false;
        for index in start..count {
            granted |= self.grant(index, observer);
        }
        for index in 0..start {
            granted |= self.grant(index, observer);
        }
        if granted {
            self.waiting.retain(|waiting| waiting.slot != NONE);
        }
    }

    /// Lets the waiting header number `index` take what is idle of what it wants; whether there was anything.
    #[inline(always)]
    fn grant(&mut self, index: usize, observer: &mut impl WormObserver) -> bool {
        let Waiting { slot, channels, wants } = self.waiting[index];
        let free = [self.idle[channels[0] as usize] & wants[0], self.idle[channels[1] as usize] & wants[1]];
        if free[0] | free[1] == 0 {
            return false;
        }
        let which = if free[0] != 0 && free[1] != 0 {
            (self.generator.next_u64() >> 63) as usize
        } else {
            usize::from(free[0] == 0)
        };
        self.waiting[index].slot = NONE;
        // The classes are below the pool: the lowest one is the message's own class, if that is idle.
        self.take(slot, which, channels[which], free[which].trailing_zeros(), observer);
        true
    }

    /// Gives the virtual channel `v` of `channel` to the message in `slot`, as its choice number `which`.
    #[inline]
    fn take(&mut self, slot: u32, which: usize, channel: u32, v: u32, observer: &mut impl WormObserver) {
        let message = &mut self.messages[slot as usize];
        let Some(choice) = message.choices.get(which) else { return };
        let lane = self.flits.lane(channel, v);
        self.idle[channel as usize] &= !(1 << v);
        self.labels[lane as usize] = choice.class;
        self.flits.take(message.lane, lane, slot);
        (message.lane, message.stage) = (lane, Stage::Moving);
        (message.header, message.came) = (choice.header, Some(choice.port));
        message.hops += 1;
        observer.hop(message.number, NodeId(u64::from(channel / 4)), &choice, v as u8);
    }

    /// Takes the message in `slot` out of the network, whose header waits or has just come to a node.
    fn lose(&mut self, slot: u32, observer: &mut impl WormObserver) {
        let message = self.messages[slot as usize];
        let mut rest = Some(message.lane);
        while let Some(lane) = rest {
            if self.flits.is_source(lane) {
                self.flits.release(lane);
                self.leave(message.from, self.cycle);
                break;
            }
            let (channel, _) = self.flits.channel(lane);
            self.carried[channel as usize] += u64::from(self.flits.crossed(lane));
            rest = self.flits.behind(lane);
            self.vacate(lane);
        }
        self.remove(slot);
        self.tally.lost += 1;
        observer.lost(message.number);
    }
}
