//! Route computation and VC allocation for waiting headers.

use std::mem;

use rand::Rng as _;

use super::message::{NONE, PendingRequest, Stage, WormMessage};
use super::{WormObserver, WormholeNetwork};
use crate::random::below;
use crate::routing::{VcRequest, VcRequests, WormPosition};
use crate::topology::NodeId;

impl WormholeNetwork {
    /// Computes the routes of headers that have reached a node, and removes messages without a
    /// route.
    #[inline]
    pub(super) fn compute_routes(&mut self, observer: &mut impl WormObserver) {
        let mut index = 0;
        // The removal of a lost message can release another one from its source's queue.
        while let Some(&slot) = self.awaiting_route.get(index) {
            index += 1;
            let message = &self.messages[slot as usize];
            let at = self.position(message);
            let choices = &mut self.messages[slot as usize].choices;
            choices.clear();
            self.config.routing.route_compute(&self.faults, &at, choices);
            if choices.is_empty() {
                if self.transition.is_none() || !self.repeats_without_route(slot) {
                    self.drop_message(slot, observer);
                }
                continue;
            }
            self.messages[slot as usize].stage = Stage::Waiting;
            let waiting = self.vc_request(slot, at.here);
            self.vc_requests.push(waiting);
        }
        self.awaiting_route.clear();
    }

    /// Returns the node of a header that has no output virtual channel yet.
    #[inline]
    pub(super) fn header_node(&self, message: &WormMessage) -> NodeId {
        if self.flits.is_source(message.lane) || message.lane == NONE {
            return NodeId(u64::from(message.from));
        }
        let (channel, _) = self.flits.channel(message.lane);
        NodeId(u64::from(self.channel_ends[channel as usize]))
    }

    /// Returns the position passed to the routing.
    #[inline]
    pub(super) fn position(&self, message: &WormMessage) -> WormPosition {
        let to = NodeId(u64::from(message.to));
        WormPosition { here: self.header_node(message), to, input_port: message.input_port, header: message.header }
    }

    /// Returns the VC request of a message at `here`.
    #[inline]
    pub(super) fn vc_request(&self, slot: u32, here: NodeId) -> PendingRequest {
        let choices = &self.messages[slot as usize].choices;
        let mut waiting = PendingRequest { slot, channels: [0; 2], vc_masks: [0; 2] };
        if choices.len() > 2 || choices.is_ordered() {
            (waiting.channels[0], waiting.vc_masks[0]) = (self.anywhere(), 1);
            return waiting;
        }
        for (index, choice) in choices.iter().enumerate() {
            (waiting.channels[index], waiting.vc_masks[index]) = self.requested_vcs(here, choice);
        }
        waiting
    }

    /// Returns the pseudo channel that represents more than two choices, or ordered choices. The
    /// pseudo channel is always idle and differs from every channel of the mesh.
    #[inline]
    fn anywhere(&self) -> u32 {
        self.flits.anywhere()
    }

    /// Returns the channel of a choice at `here`, and the mask of acceptable virtual channels.
    #[inline]
    pub(super) fn requested_vcs(&self, here: NodeId, choice: &VcRequest) -> (u32, u32) {
        (self.faults.mesh().channel(here, choice.port), self.pool_mask | 1 << choice.class)
    }

    /// Allocates idle virtual channels to waiting headers, from a random position of the list on.
    #[inline]
    pub(super) fn allocate(&mut self, observer: &mut impl WormObserver) {
        if let Some(remap) = self.flits.grow_for(self.vc_requests.len()) {
            for message in self.messages.iter_mut().filter(|message| message.lane != NONE) {
                message.lane = remap.apply(message.lane);
            }
        }
        let mut waiting = mem::take(&mut self.vc_requests);
        if !waiting.is_empty() {
            let start = below(&mut self.generator, waiting.len() as u32) as usize;
            let (before, after) = waiting.split_at_mut(start);
            let mut granted = false;
            after.iter_mut().for_each(|it| granted |= self.grant(it, observer));
            before.iter_mut().for_each(|it| granted |= self.grant(it, observer));
            if granted {
                waiting.retain(|waiting| waiting.slot != NONE);
            }
        }
        self.vc_requests = waiting;
    }

    /// Allocates a wanted virtual channel to a waiting header if one is idle.
    ///
    /// Returns whether the header stops waiting.
    #[inline(always)]
    fn grant(&mut self, waiting: &mut PendingRequest, observer: &mut impl WormObserver) -> bool {
        let PendingRequest { channels, vc_masks: wants, .. } = *waiting;
        let free = [self.flits.idle(channels[0]) & wants[0], self.flits.idle(channels[1]) & wants[1]];
        if free[0] | free[1] == 0 {
            return false;
        }
        if channels[0] == self.anywhere() {
            return self.grant_any(waiting, observer);
        }
        let which = if free[0] != 0 && free[1] != 0 {
            (self.generator.next_u64() >> 63) as usize
        } else {
            usize::from(free[0] == 0)
        };
        let slot = mem::replace(&mut waiting.slot, NONE);
        // Classes have lower bits than the pool, so the lowest idle bit is the message's own class,
        // if idle.
        self.take(slot, which, channels[which], free[which].trailing_zeros(), observer);
        true
    }

    /// Allocates a virtual channel as `grant` does, to a header with more than two choices or with
    /// ordered choices.
    ///
    /// The header takes a random one of the available choices that it prefers most. A message that
    /// may not wait and has no last resort is lost.
    #[inline(never)]
    fn grant_any(&mut self, waiting: &mut PendingRequest, observer: &mut impl WormObserver) -> bool {
        let slot = waiting.slot;
        let message = &self.messages[slot as usize];
        let here = self.header_node(message);
        let (mut open, mut count) = ([(0, 0, 0); VcRequests::MAX], 0);
        let mut rest = None;
        for (which, choice) in message.choices.iter().enumerate() {
            if count > 0 && message.choices.is_later(which) {
                break;
            }
            let (channel, wants) = self.requested_vcs(here, choice);
            let idle = self.flits.idle(channel) & wants;
            if message.choices.is_ranked() && choice.rule.is_last_resort() {
                rest = Some((which, channel, idle));
                continue;
            }
            open[count] = (which, channel, idle);
            count += usize::from(idle != 0);
        }
        if count == 0 {
            if !message.choices.is_ranked() || self.has_waitable_holder(message, here) {
                return false;
            }
            let Some(rest) = rest else {
                waiting.slot = NONE;
                self.drop_message(slot, observer);
                return true;
            };
            open[0] = rest;
            count = usize::from(rest.2 != 0);
        }
        if count == 0 {
            return false;
        }
        let picked = if count > 1 { below(&mut self.generator, count as u32) as usize } else { 0 };
        let (which, channel, idle) = open[picked];
        waiting.slot = NONE;
        self.take(slot, which, channel, idle.trailing_zeros(), observer);
        true
    }

    /// Returns whether a wanted virtual channel is held by a message with more reversals.
    fn has_waitable_holder(&self, message: &WormMessage, here: NodeId) -> bool {
        let free = message.choices.iter().filter(|choice| !choice.rule.is_last_resort());
        free.map(|choice| self.requested_vcs(here, choice)).any(|(channel, wants)| {
            (0..32).filter(|v| wants >> v & 1 == 1).any(|v| {
                let holder = self.flits.owner(self.flits.lane(channel, v));
                self.messages.get(holder as usize).is_some_and(|it| it.header.reversals() > message.header.reversals())
            })
        })
    }

    /// Allocates virtual channel `v` of `channel` to the message in `slot`, as its choice number
    /// `which`.
    #[inline]
    fn take(&mut self, slot: u32, which: usize, channel: u32, v: u32, observer: &mut impl WormObserver) {
        let message = &mut self.messages[slot as usize];
        let Some(choice) = message.choices.get(which) else { return };
        let lane = self.flits.take(message.lane, channel, v, slot, choice.class);
        (message.lane, message.stage) = (lane, Stage::Moving);
        (message.header, message.input_port) = (choice.header, Some(choice.port));
        message.hops += 1;
        let number = message.number;
        let (from, _) = self.faults.mesh().channel_ends(channel);
        observer.hop(number, from, &choice, v as u8);
    }

    /// Removes the message in `slot`, whose header waits or has just reached a node, from the
    /// network.
    fn drop_message(&mut self, slot: u32, observer: &mut impl WormObserver) {
        let message = self.messages[slot as usize];
        self.vacate_lanes(slot);
        self.remove(slot);
        self.tally.lost += 1;
        observer.lost(message.number);
    }

    /// Frees all virtual channels that the message in `slot` holds, with their flits, and its source.
    pub(super) fn vacate_lanes(&mut self, slot: u32) {
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
            self.flits.vacate(lane);
        }
    }
}
