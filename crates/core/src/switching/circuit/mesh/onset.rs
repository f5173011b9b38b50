//! Faults that arrive in a mesh or torus while circuits are set up or held.

use std::sync::Arc;

use super::engine::ProbeNetwork;
use super::snapshot::ProbeState;
use super::{ProbeEvent, live_nodes};
use crate::fault::BlockFaults;
use crate::switching::circuit::transition::FaultArrivals;
use crate::switching::circuit::{CircuitError, CircuitObserver, CircuitTransitionCounts, InterruptedCircuit, WaitEnd};
use crate::topology::{NodeId, Port};

/// Effect of faults on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hit {
    /// The path has a fault behind this node; the source can start again.
    Torn(NodeId),
    /// An end is faulty, or no permitted path is left.
    Lost,
}

impl ProbeNetwork {
    /// Makes faults arrive at `time`, before the other events at that time. `faults` are all faults
    /// from then on, at least those before. Must be called before the first step, with ascending
    /// times, and with faults of the same mesh.
    ///
    /// # Errors
    /// If the time is negative, not finite, or not later than that of other onsets.
    pub fn add_onset(&mut self, time: f64, faults: Arc<BlockFaults>) -> Result<(), CircuitError> {
        if faults.mesh() != self.mesh() {
            return Err(CircuitError::OtherMesh);
        }
        let transition = self.transition.get_or_insert_with(|| Box::new(FaultArrivals::new()));
        transition.add(time, faults)?;
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

    /// Lets the next faults arrive: tears down what they hit, and grants the released links.
    pub(super) fn faults_arrive(&mut self, observer: &mut impl CircuitObserver) -> ProbeEvent {
        let Some((time, faults)) = self.transition.as_mut().and_then(|transition| transition.pop()) else {
            return ProbeEvent::Ended;
        };
        self.time = time;
        self.next_onset = self.transition.as_ref().map_or(f64::INFINITY, |transition| transition.next_time());
        let tables = if faults.is_none() { 0 } else { faults.mesh().nodes() as usize };
        self.reach = vec![None; tables];
        self.arrivals.set_live(live_nodes(&faults), time);
        self.config.faults = faults;
        let mut hits: Vec<(u64, u32, Hit)> = Vec::new();
        for slot in 0..self.messages.len() as u32 {
            if let Some(hit) = self.hit(slot) {
                hits.push((self.messages[slot as usize].number, slot, hit));
            }
        }
        hits.sort_unstable_by_key(|&(number, ..)| number);
        let mut is_hit = vec![false; self.messages.len()];
        hits.iter().for_each(|&(_, slot, _)| is_hit[slot as usize] = true);
        self.events.retain(|slot| !is_hit[slot as usize]);
        let mut released = Vec::new();
        for &(_, slot, hit) in &hits {
            self.interrupt(slot, hit, &mut released, observer);
        }
        for (node, port) in released {
            self.grant(node, port, observer);
        }
        let lost = hits.iter().filter(|(.., hit)| *hit == Hit::Lost).count();
        ProbeEvent::FaultsArrived { torn: (hits.len() - lost) as u64, lost: lost as u64 }
    }

    /// Returns the effect of the faults on the message in `slot`; `None` if its search or circuit
    /// continues.
    fn hit(&mut self, slot: u32) -> Option<Hit> {
        let message = self.messages.get(slot as usize).filter(|message| message.present)?;
        let (search, faults) = (&message.search, &self.config.faults);
        let (from, to, is_complete) = (search.source(), search.destination(), search.has_arrived());
        let torn = search.path().find(|&(node, port)| !faults.is_open(node, port)).map(|(node, _)| Hit::Torn(node));
        if faults.is_faulty(from) || faults.is_faulty(to) {
            return Some(Hit::Lost);
        }
        if torn.is_none() && is_complete || faults.is_none() {
            return None;
        }
        // A probe without a permitted path would search forever.
        if self.refusal(from, to).is_some() { Some(Hit::Lost) } else { torn }
    }

    /// Ends the path or circuit of the message in `slot`, whose links are added to `released`.
    fn interrupt(
        &mut self,
        slot: u32,
        hit: Hit,
        released: &mut Vec<(NodeId, Port)>,
        observer: &mut impl CircuitObserver,
    ) {
        let message = &self.messages[slot as usize];
        let (number, generated) = (message.number, message.generated);
        let was_complete = message.state == ProbeState::Transmitting;
        let path: Vec<_> = message.search.path().collect();
        let has_completed = self.transition.as_ref().is_some_and(|it| it.has_completed(number));
        self.leave_queue(slot, observer);
        let (time, is_lost) = (self.time, hit == Hit::Lost);
        let interrupted = InterruptedCircuit { number, generated, time, was_complete, has_completed, is_lost };
        match hit {
            Hit::Torn(node) => {
                if let Some(transition) = &mut self.transition {
                    transition.torn(number, time, was_complete);
                }
                self.fail(slot, node, observer);
            }
            Hit::Lost => {
                for &(node, port) in &path {
                    self.release_link(node, port, observer);
                }
                self.end_later_attempt(slot, observer);
                self.messages[slot as usize].present = false;
                self.free_slots.push(slot);
                if let Some(transition) = &mut self.transition {
                    transition.lost(number, time);
                }
            }
        }
        observer.interrupted(&interrupted);
        released.extend(path);
    }

    /// Takes a probe that waits for a link out of its queue.
    fn leave_queue(&mut self, slot: u32, observer: &mut impl CircuitObserver) {
        let message = &mut self.messages[slot as usize];
        let ProbeState::Waiting(port) = message.state else { return };
        message.state = ProbeState::Searching;
        let (number, node, since) = (message.number, message.search.here(), message.since);
        let channel = self.config.faults.mesh().channel(node, port);
        if let Some(queue) = self.queues.get_mut(&channel) {
            queue.retain(|&other| other != slot);
            if queue.is_empty() {
                self.queues.remove(&channel);
            }
        }
        self.backlog -= 1;
        observer.granted(&WaitEnd { number, node, dims: u64::from(port.bit()), since }, self.time);
    }

    /// Ends the wait of a message whose earlier attempt has failed.
    pub(super) fn end_later_attempt(&mut self, slot: u32, observer: &mut impl CircuitObserver) {
        let message = &mut self.messages[slot as usize];
        if message.failed_at.take().is_some() {
            let (number, node, since) = (message.number, message.search.source(), message.since);
            self.backlog -= 1;
            observer.granted(&WaitEnd { number, node, dims: 0, since }, self.time);
        }
    }
}
