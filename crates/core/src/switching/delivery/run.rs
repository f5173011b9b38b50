//! The delivery of a message set, cycle by cycle.

use super::{Concentrators, CycleResult, DeliveryCounts, DeliveryError, DeliveryOutcome, SurvivorPolicy};
use crate::fault::LiveWires;
use crate::names;
use crate::random::{Generator, Key};
use crate::routing::fat_tree::{CycleRule, CycleScheduler, Pending};
use crate::topology::fat_tree::{TreeChannel, TreeChannels};
use crate::traffic::MessageSet;

/// Treatment of messages that dead wires cut off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undeliverable {
    /// Cut-off messages are known to their sources and never sent.
    #[default]
    Known,
    /// Cut-off messages are not known to their sources and are sent in vain, up to the dead
    /// channel.
    Sent,
}

names! {
    Undeliverable { Known: "known", Sent: "sent" }
}

/// Configuration of a delivery: the network and its rules.
#[derive(Clone, Debug)]
pub struct DeliveryConfig {
    /// Channels of the network.
    pub channels: TreeChannels,
    /// Live wires; `None` if all wires are live.
    pub live: Option<LiveWires>,
    /// Selection of survivors at an over-subscribed channel.
    pub policy: SurvivorPolicy,
    /// Treatment of messages that cannot arrive.
    pub undeliverable: Undeliverable,
}

impl DeliveryConfig {
    /// Creates the configuration of a network without dead wires.
    pub fn new(channels: TreeChannels, policy: SurvivorPolicy) -> Self {
        Self { channels, live: None, policy, undeliverable: Undeliverable::default() }
    }
}

/// The second phase of Valiant's detour, stored during the first phase.
#[derive(Debug)]
struct SecondPhase {
    /// Messages that can reach their intermediate processor: number, intermediate processor and
    /// destination.
    legs: Vec<(u32, [u32; 2])>,
    /// Messages that are sent in the first phase but cannot reach their target there.
    undeliverable: Vec<u32>,
    /// Number of messages that are sent although they cannot arrive.
    sent_undeliverable: u32,
}

/// A run of a delivery algorithm, which can be stepped and inspected.
#[derive(Debug)]
pub struct DeliveryRun {
    concentrators: Concentrators,
    policy: SurvivorPolicy,
    scheduler: Box<dyn CycleScheduler>,
    pending: Pending,
    /// Number of messages that cannot arrive.
    undeliverable: u32,
    /// Number of messages that are sent but cannot reach their target of the current phase.
    undeliverable_in_phase: u32,
    /// Key of the intermediate processors; `None` without Valiant's detour.
    detour_key: Option<Key>,
    /// Second phase of the detour, present during the first phase.
    second_phase: Option<SecondPhase>,
    /// Random generators of the algorithm and of the concentrators.
    generators: [Generator; 2],
    rule: Option<CycleRule>,
    cycle: u32,
    /// Number of consecutive cycles without an arrival.
    cycles_without_arrival: u32,
    counts: DeliveryCounts,
    outcome: Option<DeliveryOutcome>,
}

impl DeliveryRun {
    /// Maximum number of cycles of a run.
    pub const MAX_CYCLES: u32 = u32::MAX - 1;

    /// Creates a run in which `scheduler` sends `messages`. `key` determines all random choices.
    ///
    /// Cost: linear in the messages and channels. With dead wires, each path is walked once more.
    ///
    /// # Errors
    /// If messages or wires do not fit the network.
    pub fn new(
        config: DeliveryConfig,
        messages: MessageSet,
        scheduler: Box<dyn CycleScheduler>,
        key: Key,
    ) -> Result<Self, DeliveryError> {
        let DeliveryConfig { channels, live, policy, undeliverable: knowledge } = config;
        let sends_all = knowledge == Undeliverable::Sent;
        let detour = scheduler.detours().then(|| Self::detour_key(key));
        let mut concentrators = Concentrators::new(channels, live, policy, messages)?;
        let (mut list, mut undeliverable, mut undeliverable_in_phase) = (Vec::new(), 0, 0);
        let mut second = SecondPhase { legs: Vec::new(), undeliverable: Vec::new(), sent_undeliverable: 0 };
        for number in 0..concentrators.messages().len() {
            let [from, to] = concentrators.messages().ends()[number as usize];
            let via = detour.filter(|_| to != MessageSet::OUT).map(|key| concentrators.messages().via(number, key));
            let arrives = |from, to| concentrators.live().is_none_or(|live| live.is_deliverable(from, to));
            let first = arrives(from, via.unwrap_or(to));
            let all = first && via.is_none_or(|via| arrives(via, to));
            undeliverable += u32::from(!all);
            if !all && !sends_all {
                continue;
            }
            list.push(number);
            undeliverable_in_phase += u32::from(!first);
            second.sent_undeliverable += u32::from(!all);
            match via {
                _ if !first => second.undeliverable.push(number),
                Some(via) => second.legs.push((number, [via, to])),
                None => {}
            }
            if let Some(via) = via {
                concentrators.redirect(number, [from, via]);
            }
        }
        Ok(Self {
            pending: Pending::new(concentrators.messages().len(), list),
            concentrators,
            policy,
            scheduler,
            undeliverable,
            undeliverable_in_phase,
            second_phase: detour.map(|_| second),
            detour_key: detour,
            generators: [0, 1].map(|part| key.child(part).generator()),
            rule: None,
            cycle: 0,
            cycles_without_arrival: 0,
            counts: DeliveryCounts::default(),
            outcome: None,
        })
    }

    /// Returns the key of the intermediate processors in a run with key `key`, see
    /// [`MessageSet::valiant_phases`].
    pub fn detour_key(key: Key) -> Key {
        key.child(2)
    }

    /// Simulates one delivery cycle. Has no effect after the end.
    pub fn step(&mut self) {
        if self.outcome.is_some() {
            return;
        }
        self.begin_second_phase();
        if self.pending.count() > self.undeliverable_in_phase {
            self.run_cycle();
        }
        self.outcome = self.end();
    }

    /// Starts the second phase of Valiant's detour if no message can still reach its intermediate
    /// processor.
    fn begin_second_phase(&mut self) {
        if self.pending.count() > self.undeliverable_in_phase {
            return;
        }
        let Some(SecondPhase { legs, undeliverable: astray, sent_undeliverable: undeliverable_in_phase }) =
            self.second_phase.take()
        else {
            return;
        };
        let mut list = astray;
        for (number, ends) in legs {
            self.concentrators.redirect(number, ends);
            list.push(number);
        }
        list.sort();
        let first = std::mem::replace(&mut self.pending, Pending::new(0, Vec::new()));
        self.pending = first.with_undelivered(list);
        self.undeliverable_in_phase = undeliverable_in_phase;
        self.cycles_without_arrival = 0;
        self.scheduler.start_second_phase();
    }

    fn run_cycle(&mut self) {
        let Self { concentrators, scheduler, pending, generators: [choice, chance], counts, .. } = self;
        self.cycle += 1;
        self.rule = Some(scheduler.next(pending, choice, concentrators.begin_cycle()));
        if scheduler.detours() {
            concentrators.order_by_source();
        }
        concentrators.run_cycle(self.cycle, chance);
        let (sent, arrived) = (concentrators.sent().len() as u64, concentrators.arrived().len() as u64);
        concentrators.arrived().iter().for_each(|&message| pending.arrive(message, self.cycle));
        counts.pseudocode_cycles += 1;
        counts.sending_cycles += u64::from(sent > 0);
        counts.transmissions += sent;
        self.cycles_without_arrival = if arrived > 0 { 0 } else { self.cycles_without_arrival + 1 };
        // In the first phase of a detour, only messages that leave by the root have reached their
        // destination.
        let there = match self.second_phase {
            Some(_) => concentrators.arrived().iter().filter(|&&it| concentrators.messages().is_out(it)).count() as u64,
            None => arrived,
        };
        counts.delivered += there as u32;
        counts.arrival_sum += there * u64::from(self.cycle);
        if there > 0 {
            counts.completion = u64::from(self.cycle);
        }
    }

    /// Returns the outcome if the run ends now.
    fn end(&mut self) -> Option<DeliveryOutcome> {
        let later = self.second_phase.as_ref().map_or(0, |second| second.legs.len() as u32);
        let left = self.pending.count();
        if left == self.undeliverable_in_phase && later == 0 {
            self.counts.pseudocode_cycles = self.counts.pseudocode_cycles.saturating_add(self.scheduler.idle_rest());
            return Some(DeliveryOutcome::Delivered { undeliverable: self.undeliverable });
        }
        let certain = self.scheduler.sends_all() && self.concentrators.channels().wire_bits() == 0;
        if certain && self.policy.stuck_after().is_some_and(|period| self.cycles_without_arrival >= period) {
            return Some(self.stuck_outcome(left + self.at_intermediate()));
        }
        (self.cycle >= Self::MAX_CYCLES).then_some(DeliveryOutcome::OutOfCycles { left: left + self.at_intermediate() })
    }

    /// Returns the number of messages that wait at intermediate processors for the second phase.
    fn at_intermediate(&self) -> u32 {
        let legs = self.second_phase.as_ref().map_or(&[][..], |second| &second.legs);
        legs.iter().filter(|(number, _)| self.arrived()[*number as usize] > 0).count() as u32
    }

    /// Returns the stuck outcome, with the channel that loses the most messages.
    fn stuck_outcome(&self, left: u32) -> DeliveryOutcome {
        let network = &self.concentrators;
        let lost = |channel| network.contenders(channel) - network.survivors(channel);
        // `reduce` returns the first of the channels with the most losses.
        let worst = network.channels().iter().reduce(|a, b| if lost(b) > lost(a) { b } else { a });
        let channel = worst.unwrap_or(TreeChannel(0));
        let (contenders, capacity) = (network.contenders(channel), network.capacity(channel));
        DeliveryOutcome::Stuck { left, channel, contenders, capacity }
    }

    /// Runs for at most `cycles` delivery cycles. Returns the outcome if the run has ended.
    pub fn run_until(&mut self, cycles: u64) -> Option<DeliveryOutcome> {
        for _ in 0..cycles {
            if self.outcome.is_some() {
                break;
            }
            self.step();
        }
        self.outcome
    }

    /// Returns the number of delivery cycles so far.
    pub fn cycle(&self) -> u32 {
        self.cycle
    }

    /// Returns the rule that selected the messages of the last cycle; `None` before the first.
    pub fn rule(&self) -> Option<CycleRule> {
        self.rule
    }

    /// Returns the outcome of the run; `None` while it continues.
    pub fn outcome(&self) -> Option<DeliveryOutcome> {
        self.outcome
    }

    /// Returns the counters of the run.
    pub fn counts(&self) -> DeliveryCounts {
        self.counts
    }

    /// Returns the mean number of transmissions per message; 0 without messages.
    pub fn transmissions_per_message(&self) -> f64 {
        self.counts.transmissions as f64 / f64::from(self.messages().len().max(1))
    }

    /// Returns the intermediate processor of a message on Valiant's detour; `None` for other
    /// messages.
    pub fn via(&self, message: u32) -> Option<u32> {
        let key = self.detour_key.filter(|_| message < self.messages().len() && !self.messages().is_out(message))?;
        Some(self.messages().via(message, key))
    }

    /// Returns whether a message has arrived at its destination.
    pub fn is_delivered(&self, message: u32) -> bool {
        let here = self.arrived().get(message as usize).is_some_and(|&cycle| cycle > 0);
        here && (self.second_phase.is_none() || self.messages().is_out(message))
    }

    /// Returns the messages.
    ///
    /// On Valiant's detour, the messages have their sources and targets of the current phase.
    pub fn messages(&self) -> &MessageSet {
        self.concentrators.messages()
    }

    /// Returns the number of messages that dead wires cut off.
    pub fn undeliverable(&self) -> u32 {
        self.undeliverable
    }

    /// Returns the concentrators, with the results of the last cycle.
    pub fn concentrators(&self) -> &Concentrators {
        &self.concentrators
    }

    /// Returns the result of a message in the last cycle.
    pub fn fate(&self, message: u32) -> CycleResult {
        self.concentrators.fate(message)
    }

    /// Returns the cycle in which each message arrived, from 1; 0 for a message that has not
    /// arrived.
    ///
    /// In the first phase of Valiant's detour, this is the arrival at the intermediate processor.
    pub fn arrived(&self) -> &[u32] {
        self.pending.arrived()
    }
}
