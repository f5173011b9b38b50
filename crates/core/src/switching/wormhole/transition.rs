//! Faults that arrive while messages move (Boppana & Chalasani section II.C).
//!
//! Faults can arrive several times, each time in addition to the earlier ones. At the onset
//! 1. messages that hold a faulty channel are dropped. So are all messages whose source or destination
//!    no longer takes part; these are given up.
//! 2. Status messages between neighbours form rings: one cycle for each round of closure, and two to
//!    tell the ring positions. No header is routed meanwhile.
//! 3. Messages that hold a channel of a new or an old ring drain by the old routes. One whose next
//!    hop is faulty is dropped. So are those that are left after the time that a message alone takes
//!    across the network.
//! 4. All headers are routed among the faults.
//!
//! A source sends a dropped message again after twice the time that a message alone takes: it has not
//! been acknowledged. If more faults arrive before the end of a transition, it begins again.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::message::{NONE, Stage, WormMessage};
use super::{WormObserver, WormholeNetwork};
use crate::fault::BlockFaults;
use crate::routing::VcRequests;
use crate::topology::NodeId;
use crate::traffic::LiveNodes;

/// Counts of the transitions after the onset of faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransitionCounts {
    /// Messages dropped because they held a faulty channel.
    pub cut: u64,
    /// Messages dropped while they drained, or because the new faults left their headers no route.
    pub undrained: u64,
    /// Messages that drained and were delivered or left the rings.
    pub drained: u64,
    /// Messages that their sources have sent again.
    pub resent: u64,
    /// Messages given up, because their source or destination no longer takes part.
    pub given_up: u64,
    /// Status messages that formed the rings.
    pub status_messages: u64,
    /// Cycles from an onset until all headers are routed among the faults; up to now, if it is not over.
    pub cycles: u64,
}

/// A dropped message that its source will send again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeat {
    cycle: u64,
    pub(super) number: u64,
    pub(super) generated: u64,
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    pub(super) length: u16,
}

/// Stage of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// No faults have arrived.
    Before,
    /// Rings form until the cycle.
    Forming(u64),
    /// Messages on rings drain, at most until the cycle.
    Draining(u64),
    /// All headers are routed among the faults.
    Over,
}

/// Faults that will arrive, and the state of the transition.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    /// Cycles in which faults arrive, ascending.
    onsets: Vec<u64>,
    /// All faults from each of the onsets on that are still to come.
    coming: VecDeque<(u64, Arc<BlockFaults>)>,
    /// The faults by which messages on rings drain: those before the transition.
    before: Arc<BlockFaults>,
    progress: Progress,
    /// Slots of messages that drain, with their numbers.
    draining: Vec<(u32, u64)>,
    /// Cycle in which the transition ended; 0 before.
    over: u64,
    repeats: VecDeque<Repeat>,
    counts: TransitionCounts,
}

impl WormholeNetwork {
    /// Makes faults arrive in cycle `onset`, before its messages are generated. `faults` are all faults
    /// from then on, at least those before. Must be called before cycle 0, with ascending onsets, and with
    /// faults of the same mesh.
    pub fn add_onset(&mut self, onset: u64, faults: Arc<BlockFaults>) {
        let is_later = self.onsets().last().is_none_or(|&last| last < onset);
        if faults.mesh() != self.mesh() || self.cycle > 0 || !is_later {
            return;
        }
        let before = &self.faults;
        let transition = self.transition.get_or_insert_with(|| {
            Box::new(Transition {
                onsets: Vec::new(),
                coming: VecDeque::new(),
                before: before.clone(),
                progress: Progress::Before,
                draining: Vec::new(),
                over: 0,
                repeats: VecDeque::new(),
                counts: TransitionCounts::default(),
            })
        });
        transition.onsets.push(onset);
        transition.coming.push_back((onset, faults));
    }

    /// Replaces the faults that are still to come by those of `start`, a network at cycle 0 with the
    /// same messages. Returns false, and changes nothing, if other faults have arrived here so far.
    pub fn replace_coming_faults(&mut self, start: &Self) -> bool {
        let arrived = self.transition.as_ref().map_or(0, |own| own.onsets.len() - own.coming.len());
        let (onsets, now) = (start.onsets(), self.cycle);
        let is_common = self.onsets()[..arrived] == onsets[..arrived.min(onsets.len())]
            && onsets.get(arrived).is_none_or(|&next| next >= now);
        let faults = match (arrived.checked_sub(1), &start.transition) {
            (Some(last), Some(transition)) => transition.coming.get(last).map(|(_, faults)| faults),
            (None, _) => Some(&start.faults),
            (Some(_), None) => None,
        };
        if !is_common || faults.is_none_or(|faults| *faults != self.faults) {
            return false;
        }
        match (&mut self.transition, &start.transition) {
            (Some(own), Some(other)) if arrived > 0 => {
                own.onsets.clone_from(&other.onsets);
                own.coming = other.coming.iter().skip(arrived).cloned().collect();
            }
            (own, other) => own.clone_from(other),
        }
        true
    }

    /// Returns the cycles in which faults arrive while messages move, ascending.
    pub fn onsets(&self) -> &[u64] {
        self.transition.as_ref().map_or(&[], |transition| &transition.onsets)
    }

    /// Returns the counts of the transition; `None` if no faults arrive while messages move.
    pub fn transition(&self) -> Option<TransitionCounts> {
        self.transition.as_ref().map(|transition| transition.counts)
    }

    /// Returns the number of dropped messages that their sources have not sent again yet.
    pub(super) fn unsent(&self) -> u64 {
        self.transition.as_ref().map_or(0, |transition| transition.repeats.len() as u64)
    }

    /// Returns the time that a message alone takes across the network, in cycles.
    fn time_alone(&self) -> u64 {
        self.config.time_alone(self.mesh().diameter())
    }

    /// Continues the transition at the start of a cycle. Returns whether headers are routed in this cycle
    /// as usual.
    pub(super) fn continue_transition(&mut self, observer: &mut impl WormObserver) -> bool {
        let Some(mut transition) = self.transition.take() else { return true };
        if let Some((_, faults)) = transition.coming.pop_front_if(|(onset, _)| self.cycle >= *onset) {
            self.begin(&mut transition, faults, observer);
        }
        if let Progress::Forming(until) = transition.progress
            && self.cycle >= until
        {
            transition.progress = Progress::Draining(self.cycle + self.time_alone());
        }
        if let Progress::Draining(until) = transition.progress {
            self.drain(&mut transition, until);
        }
        self.send_again(&mut transition);
        let waits = matches!(transition.progress, Progress::Forming(_) | Progress::Draining(_));
        transition.counts.cycles += u64::from(waits);
        self.transition = Some(transition);
        !waits
    }

    /// Makes faults arrive.
    fn begin(&mut self, transition: &mut Transition, faults: Arc<BlockFaults>, observer: &mut impl WormObserver) {
        let before = std::mem::replace(&mut self.faults, faults);
        // During a transition no header has been routed among the faults that began it.
        if matches!(transition.progress, Progress::Before | Progress::Over) {
            transition.before = before;
        }
        transition.draining.clear();
        let mesh = self.mesh();
        self.arrivals.set_live(LiveNodes::from_flags(mesh.iter_nodes().map(|node| self.faults.is_member(node))));
        transition.counts.status_messages += self.faults.formation_messages().total;
        self.route_all_again();
        let ring_channels = self.ring_channels(&transition.before);
        for slot in 0..self.messages.len() as u32 {
            let message = &self.messages[slot as usize];
            if message.stage == Stage::Unused {
                continue;
            }
            let number = message.number;
            let ends = [message.from, message.to].map(|node| NodeId(u64::from(node)));
            let held = self.held_channels(slot);
            if !ends.iter().all(|&node| self.faults.is_member(node)) {
                self.withdraw(slot);
                transition.counts.given_up += 1;
                self.tally.lost += 1;
                observer.lost(number);
            } else if held.iter().any(|&channel| self.is_channel_faulty(channel)) {
                self.drop_and_repeat(slot, transition);
                transition.counts.cut += 1;
            } else if held.iter().any(|&channel| ring_channels[channel as usize]) {
                transition.draining.push((slot, number));
            }
        }
        // Dropped messages that wait to be sent again may have lost an end too.
        for repeat in std::mem::take(&mut transition.repeats) {
            if self.faults.is_member(repeat.from) && self.faults.is_member(repeat.to) {
                transition.repeats.push_back(repeat);
            } else {
                transition.counts.given_up += 1;
                self.tally.lost += 1;
                observer.lost(repeat.number);
            }
        }
        let rounds = self.faults.rounds().len() as u64;
        transition.progress = Progress::Forming(self.cycle + rounds + 2);
    }

    /// Makes all waiting headers await route computation. Messages that have not left their sources get
    /// new headers.
    fn route_all_again(&mut self) {
        for request in std::mem::take(&mut self.vc_requests) {
            self.messages[request.slot as usize].stage = Stage::Deciding;
            self.awaiting_route.push(request.slot);
        }
        for slot in 0..self.messages.len() {
            let message = &self.messages[slot];
            let starts = message.stage == Stage::Queued
                || message.stage == Stage::Deciding && self.flits.is_source(message.lane);
            let [from, to] = [message.from, message.to].map(|node| NodeId(u64::from(node)));
            if starts && self.faults.is_member(from) && self.faults.is_member(to) {
                let header = self.config.routing.draw_initial_header(&self.faults, from, to, &mut self.generator);
                self.messages[slot].header = header;
            }
        }
    }

    /// Drops the message in `slot`, whose header has no route: its source sends it again if it was
    /// injected before the end of the transition. Returns whether it does.
    pub(super) fn repeats_without_route(&mut self, slot: u32) -> bool {
        let Some(mut transition) = self.transition.take() else { return false };
        let message = self.messages[slot as usize];
        let repeats = message.injected < transition.over;
        if repeats {
            self.vacate_lanes(slot);
            self.remove(slot);
            self.schedule_repeat(&message, self.flits.length(slot), &mut transition);
            transition.counts.undrained += 1;
        }
        self.transition = Some(transition);
        repeats
    }

    /// Returns a flag by channel: whether it belongs to a ring, now or among the faults `before`.
    fn ring_channels(&self, before: &BlockFaults) -> Vec<bool> {
        let mesh = self.mesh();
        let mut on_ring = vec![false; mesh.channel_table_size() as usize];
        let rings = [before, &*self.faults].into_iter();
        let rings = rings.flat_map(|faults| faults.regions().iter().flat_map(|region| faults.ring_links(region)));
        for link in rings {
            let port = crate::topology::Port::along(link.dim, true);
            on_ring[mesh.channel(link.from, port) as usize] = true;
            if let Some(end) = mesh.link_end(link) {
                on_ring[mesh.channel(end, port.opposite()) as usize] = true;
            }
        }
        on_ring
    }

    /// Returns the channels that the message in `slot` holds, the foremost first.
    fn held_channels(&self, slot: u32) -> Vec<u32> {
        let mut lane = Some(self.messages[slot as usize].lane).filter(|&lane| lane != NONE);
        let mut channels = Vec::new();
        while let Some(held) = lane.filter(|&lane| !self.flits.is_source(lane)) {
            channels.push(self.flits.channel(held).0);
            lane = self.flits.behind(held);
        }
        channels
    }

    fn is_channel_faulty(&self, channel: u32) -> bool {
        let (node, port) = self.mesh().channel_ends(channel);
        !self.faults.is_open(node, port)
    }

    /// Removes the message in `slot`, at any stage, with all its flits.
    fn withdraw(&mut self, slot: u32) {
        let message = self.messages[slot as usize];
        self.awaiting_route.retain(|&other| other != slot);
        if message.stage == Stage::Queued {
            self.leave_queue(slot);
        } else {
            self.vacate_lanes(slot);
        }
        self.remove(slot);
    }

    /// Removes the message in `slot` and schedules it to be sent again.
    fn drop_and_repeat(&mut self, slot: u32, transition: &mut Transition) {
        let message = self.messages[slot as usize];
        let length = self.flits.length(slot);
        self.withdraw(slot);
        self.schedule_repeat(&message, length, transition);
    }

    /// Schedules a dropped message to be sent again.
    fn schedule_repeat(&self, message: &WormMessage, length: u16, transition: &mut Transition) {
        let cycle = self.cycle + 2 * self.time_alone();
        let (from, to) = (NodeId(u64::from(message.from)), NodeId(u64::from(message.to)));
        let WormMessage { number, generated, .. } = *message;
        transition.repeats.push_back(Repeat { cycle, number, generated, from, to, length });
    }

    /// Routes the messages that drain as before the onset, and ends the stage when none is left.
    fn drain(&mut self, transition: &mut Transition, until: u64) {
        let on_ring = self.ring_channels(&transition.before);
        let mut left = Vec::new();
        for (slot, number) in std::mem::take(&mut transition.draining) {
            let message = &self.messages[slot as usize];
            let is_there = message.number == number && message.stage != Stage::Unused;
            if !is_there || !self.held_channels(slot).iter().any(|&channel| on_ring[channel as usize]) {
                transition.counts.drained += 1;
            } else if self.cycle >= until || !self.route_as_before(slot, &transition.before) {
                self.vc_requests.retain(|request| request.slot != slot);
                self.drop_and_repeat(slot, transition);
                transition.counts.undrained += 1;
            } else {
                left.push((slot, number));
            }
        }
        if left.is_empty() {
            transition.progress = Progress::Over;
            self.route_all_again();
            transition.over = self.cycle;
        }
        transition.draining = left;
    }

    /// Requests channels for the message in `slot`, if its header waits for a route, as before the
    /// transition. Returns whether a live channel leads on.
    fn route_as_before(&mut self, slot: u32, faults_before: &BlockFaults) -> bool {
        if self.messages[slot as usize].stage != Stage::Deciding {
            return true;
        }
        let at = self.position(&self.messages[slot as usize]);
        let mut before = VcRequests::NONE;
        self.config.routing.route_compute(faults_before, &at, &mut before);
        let choices = &mut self.messages[slot as usize].choices;
        choices.clear();
        for choice in before.iter().filter(|choice| self.faults.is_open(at.here, choice.port)) {
            choices.add(*choice);
        }
        if choices.is_empty() {
            return false;
        }
        self.messages[slot as usize].stage = Stage::Waiting;
        self.awaiting_route.retain(|&other| other != slot);
        let request = self.vc_request(slot, at.here);
        self.vc_requests.push(request);
        true
    }

    /// Lets sources send dropped messages again whose time has come, if the injection limit admits them.
    fn send_again(&mut self, transition: &mut Transition) {
        let mut later = VecDeque::new();
        while let Some(repeat) = transition.repeats.pop_front() {
            if repeat.cycle > self.cycle || !self.admits(repeat.from) {
                later.push_back(repeat);
                continue;
            }
            self.accept_again(&repeat);
            transition.counts.resent += 1;
        }
        transition.repeats = later;
    }
}
