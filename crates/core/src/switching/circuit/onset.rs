//! Faults that arrive in a hypercube while circuits are set up or held.

use super::engine::CircuitNetwork;
use super::links::NONE;
use super::reachability::Reach;
use super::transition::{CircuitTransitionCounts, FaultArrivals};
use super::{
    CircuitError, CircuitEvent, CircuitObserver, InterruptedCircuit, LinkSelection, WaitEnd, WaitPolicy, link,
};
use crate::fault::Faults;
use crate::topology::NodeId;
use crate::traffic::{LiveNodes, exponential};

/// All faults of a hypercube from an onset on.
#[derive(Clone, Debug)]
pub(super) struct CubeOnset {
    reach: Option<Reach>,
    live: LiveNodes,
}

impl CircuitNetwork {
    /// Makes faults arrive at `time`, before the other events at that time. `faults` are all faults
    /// from then on, at least those before. Must be called before the first step, with ascending
    /// times.
    ///
    /// # Errors
    /// If the time is negative, not finite, or not later than that of other onsets.
    pub fn add_onset(&mut self, time: f64, faults: &mut impl Faults) -> Result<(), CircuitError> {
        let cube = self.config.cube;
        let live = LiveNodes::new(cube, faults).ok_or(CircuitError::TooManyDimensions(cube.dimension()))?;
        let reach = Reach::new(cube, &self.config.routing, faults);
        let transition = self.transition.get_or_insert_with(|| Box::new(FaultArrivals::new()));
        transition.add(time, CubeOnset { reach, live })?;
        self.next_onset = transition.next_time();
        Ok(())
    }

    /// Returns the times at which faults arrive, ascending.
    pub fn onsets(&self) -> &[f64] {
        self.transition.as_ref().map_or(&[], |transition| transition.onsets())
    }

    /// Returns the counts of the faults that arrive; `None` if none do.
    pub fn transition(&self) -> Option<CircuitTransitionCounts> {
        self.transition.as_ref().map(|transition| transition.counts())
    }

    /// Returns the time at which a fault tore down the path or circuit of a message; `None` if none
    /// did, or the circuit is complete again.
    pub fn torn_since(&self, number: u64) -> Option<f64> {
        self.transition.as_ref()?.torn_since(number)
    }

    /// Lets the next faults arrive: tears down what they hit, grants the released links, and lets
    /// messages decide again whose links have changed.
    pub(super) fn faults_arrive(&mut self, observer: &mut impl CircuitObserver) -> CircuitEvent {
        let Some((time, faults)) = self.transition.as_mut().and_then(|transition| transition.pop()) else {
            return CircuitEvent::Ended;
        };
        self.time = time;
        self.next_onset = self.transition.as_ref().map_or(f64::INFINITY, |transition| transition.next_time());
        self.reach = faults.reach;
        self.arrivals.set_live(faults.live, time);
        let mut slots: Vec<u32> =
            (0..self.messages.len() as u32).filter(|&slot| self.messages[slot as usize].present).collect();
        slots.sort_unstable_by_key(|&slot| self.messages[slot as usize].number);
        let (hit, others): (Vec<u32>, Vec<u32>) = slots.into_iter().partition(|&slot| self.is_hit(slot));
        let mut is_hit = vec![false; self.messages.len()];
        hit.iter().for_each(|&slot| is_hit[slot as usize] = true);
        self.transmission_ends.retain(|slot| !is_hit[slot as usize]);
        self.retries.retain(|slot| !is_hit[slot as usize]);
        let mut released = Vec::new();
        let lost = hit.iter().filter(|&&slot| self.interrupt(slot, &mut released, observer)).count();
        let changed = self.leave_changed_queues(&others, observer);
        self.grant_all(&released, observer);
        for slot in changed {
            self.advance(slot, observer);
        }
        CircuitEvent::FaultsArrived { torn: (hit.len() - lost) as u64, lost: lost as u64 }
    }

    /// Returns whether faults end what the message in `slot` does: an end is faulty, its path has a
    /// fault, or its path leads nowhere.
    fn is_hit(&self, slot: u32) -> bool {
        let message = &self.messages[slot as usize];
        let has_ends = [message.from, message.to].into_iter().all(|node| self.is_node_live(node));
        let Some(reach) = &self.reach else { return false };
        let is_whole = message.held_links().all(|(node, dim)| reach.is_open(node, dim));
        !(has_ends && is_whole && (message.transmits() || reach.reaches(message.position())))
    }

    fn is_node_live(&self, node: u16) -> bool {
        self.arrivals.live().contains(NodeId(u64::from(node)))
    }

    /// Releases the links of the message in `slot`, and adds them to `released`. Its source starts
    /// again later if faults leave it a path. Returns whether the message is lost.
    fn interrupt(&mut self, slot: u32, released: &mut Vec<(u16, u8)>, observer: &mut impl CircuitObserver) -> bool {
        let message = self.messages[slot as usize];
        let (number, was_complete) = (message.number, message.transmits());
        for (node, dim) in message.held_links() {
            self.links.free(node, dim);
            observer.released(link(node, dim), self.time);
            released.push((node, dim));
        }
        if !was_complete {
            self.end_wait(slot, observer);
        }
        let [from, to] = [message.from, message.to].map(|node| NodeId(u64::from(node)));
        let header = if self.is_node_live(message.from) { self.first_header(from, to).ok() } else { None };
        let has_completed = self.transition.as_ref().is_some_and(|it| it.has_completed(number));
        observer.interrupted(&InterruptedCircuit {
            number,
            generated: message.generated,
            time: self.time,
            was_complete,
            has_completed,
            is_lost: header.is_none(),
        });
        let Some(header) = header else {
            self.messages[slot as usize].present = false;
            self.free_slots.push(slot);
            if let Some(transition) = &mut self.transition {
                transition.lost(number, self.time);
            }
            return true;
        };
        if let Some(transition) = &mut self.transition {
            transition.torn(number, self.time, was_complete);
        }
        let next_attempt = self.time + self.config.setup.restart_backoff() * exponential(&mut self.backoffs);
        let message = &mut self.messages[slot as usize];
        (message.path, message.held, message.here, message.header) = (0, 0, message.from, header);
        (message.attempts, message.blocked) = (message.attempts.max(1), (0, 0));
        (message.since, message.next_attempt) = (self.time, next_attempt);
        let message = *message;
        self.retries.push(next_attempt, slot);
        self.add_to_backlog(&message, observer);
        false
    }

    /// Ends the wait of the message in `slot`, which leaves its queues.
    pub(super) fn end_wait(&mut self, slot: u32, observer: &mut impl CircuitObserver) {
        let message = &mut self.messages[slot as usize];
        let waits = std::mem::take(&mut message.waits);
        let (here, number, since) = (message.here, message.number, message.since);
        self.links.dequeue(slot, here, waits);
        self.backlog -= 1;
        let node = NodeId(u64::from(here));
        observer.granted(&WaitEnd { number, node, dims: u64::from(waits), since }, self.time);
    }

    /// Takes the messages among `slots` out of their queues that would wait for other links now,
    /// and returns them. Those that have waited longest come first.
    fn leave_changed_queues(&mut self, slots: &[u32], observer: &mut impl CircuitObserver) -> Vec<u32> {
        let mut changed: Vec<u32> = slots.iter().copied().filter(|&slot| self.has_other_links(slot)).collect();
        changed.sort_by(|&one, &other| {
            let since = |slot: u32| self.messages[slot as usize].since;
            since(one).total_cmp(&since(other))
        });
        for &slot in &changed {
            self.end_wait(slot, observer);
        }
        changed
    }

    /// Returns whether the message in `slot` waits, and faults change the links for which it would.
    fn has_other_links(&self, slot: u32) -> bool {
        let message = &self.messages[slot as usize];
        if message.waits == 0 {
            return false;
        }
        let mut legal = self.legal(message.position()) as u16;
        if self.config.avail == LinkSelection::LowestOnly {
            legal &= legal.wrapping_neg();
        }
        match self.config.wait {
            WaitPolicy::First => message.waits != legal,
            WaitPolicy::ShortestQueue => message.waits & !legal != 0,
        }
    }

    /// Grants each of the links to its first waiter, then advances those messages.
    fn grant_all(&mut self, links: &[(u16, u8)], observer: &mut impl CircuitObserver) {
        let mut granted = Vec::new();
        for &(node, dim) in links {
            let first = self.links.first_waiter(node, dim);
            if first != NONE {
                self.grant(first, dim, observer);
                granted.push(first);
            }
        }
        for &slot in &granted {
            self.advance(slot, observer);
        }
    }

    /// Has a message that a fault has torn down start again at its source under reserve and hold.
    /// Returns whether its circuit is complete.
    pub(super) fn start_again(&mut self, slot: u32, observer: &mut impl CircuitObserver) -> bool {
        self.end_wait(slot, observer);
        let message = &mut self.messages[slot as usize];
        message.attempts = message.attempts.saturating_add(1);
        self.advance(slot, observer)
    }
}
