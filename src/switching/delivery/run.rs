//! A message set on its way, cycle by cycle.

use super::{Concentrators, DeliveryCounts, DeliveryError, DeliveryOutcome, Fate, SurvivorPolicy};
use crate::fault::LiveWires;
use crate::random::{Generator, Key};
use crate::routing::fat_tree::{CycleRule, CycleScheduler, Pending};
use crate::topology::fat_tree::{TreeChannel, TreeChannels};
use crate::traffic::MessageSet;

/// What sources do with messages that dead wires keep from arriving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undeliverable {
    /// They know them, and never send them.
    #[default]
    Known,
    /// They do not, and keep sending them: these contend up to the channel that is dead.
    Sent,
}

impl Undeliverable {
    /// Both, with their names in texts.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Known, "known"), (Self::Sent, "sent")];
}

/// On what, and by which rules, messages are delivered.
#[derive(Clone, Debug)]
pub struct DeliveryTerms {
    /// The channels of the network.
    pub channels: TreeChannels,
    /// The wires that are live; `None` if all are.
    pub live: Option<LiveWires>,
    /// Who survives at an over-subscribed channel.
    pub policy: SurvivorPolicy,
    /// What sources do with messages that cannot arrive.
    pub undeliverable: Undeliverable,
}

impl DeliveryTerms {
    /// A network without dead wires.
    pub fn new(channels: TreeChannels, policy: SurvivorPolicy) -> Self {
        Self { channels, live: None, policy, undeliverable: Undeliverable::default() }
    }
}

/// An algorithm at work: step it, look at it.
#[derive(Debug)]
pub struct Delivery {
    concentrators: Concentrators,
    policy: SurvivorPolicy,
    scheduler: Box<dyn CycleScheduler>,
    pending: Pending,
    /// The messages that cannot arrive,
    undeliverable: u32,
    /// and those among them that are sent all the same.
    hopeless: u32,
    /// The algorithm's chance, and that of the concentrators.
    generators: [Generator; 2],
    rule: Option<CycleRule>,
    cycle: u32,
    /// Cycles in a row in which nothing arrived.
    fruitless: u32,
    counts: DeliveryCounts,
    outcome: Option<DeliveryOutcome>,
}

impl Delivery {
    /// The most cycles of a run.
    pub const MAX_CYCLES: u32 = u32::MAX - 1;

    /// `messages` about to be sent by `scheduler`; `key` is the chance of both algorithm and network. Cost: as the messages
    /// and the channels, with dead wires a walk along each path.
    ///
    /// # Errors
    /// If messages or wires do not fit the network.
    pub fn new(
        terms: DeliveryTerms,
        messages: MessageSet,
        scheduler: Box<dyn CycleScheduler>,
        key: Key,
    ) -> Result<Self, DeliveryError> {
        let DeliveryTerms { channels, live, policy, undeliverable: knowledge } = terms;
        let concentrators = Concentrators::new(channels, live, policy, messages)?;
        let (messages, live) = (concentrators.messages(), concentrators.live());
        let arrives = |ends: &[u32; 2]| live.is_none_or(|live| live.is_deliverable(ends[0], ends[1]));
        let undeliverable = messages.ends().iter().filter(|ends| !arrives(ends)).count() as u32;
        let sends_all = knowledge == Undeliverable::Sent;
        let numbered = (0..messages.len()).zip(messages.ends());
        let list = numbered.filter(|(_, ends)| sends_all || arrives(ends)).map(|(number, _)| number).collect();
        Ok(Self {
            pending: Pending::new(messages.len(), list),
            concentrators,
            policy,
            scheduler,
            undeliverable,
            hopeless: if sends_all { undeliverable } else { 0 },
            generators: [0, 1].map(|part| key.child(part).generator()),
            rule: None,
            cycle: 0,
            fruitless: 0,
            counts: DeliveryCounts::default(),
            outcome: None,
        })
    }

    /// Lets one delivery cycle pass; nothing happens any more after the end.
    pub fn step(&mut self) {
        if self.outcome.is_some() {
            return;
        }
        if self.pending.count() > self.hopeless {
            self.pass();
        }
        self.outcome = self.end();
    }

    fn pass(&mut self) {
        let Self { concentrators, scheduler, pending, generators: [choice, chance], counts, .. } = self;
        self.cycle += 1;
        self.rule = Some(scheduler.next(pending, choice, concentrators.prepare()));
        concentrators.pass(self.cycle, chance);
        let (sent, arrived) = (concentrators.sent().len() as u64, concentrators.arrived().len() as u64);
        concentrators.arrived().iter().for_each(|&message| pending.arrive(message, self.cycle));
        counts.literal += 1;
        counts.busy += u64::from(sent > 0);
        counts.transmissions += sent;
        counts.delivered += arrived as u32;
        counts.arrival_sum += arrived * u64::from(self.cycle);
        if arrived > 0 {
            counts.completion = u64::from(self.cycle);
        }
        self.fruitless = if arrived > 0 { 0 } else { self.fruitless + 1 };
    }

    /// How it ends, if it does now.
    fn end(&mut self) -> Option<DeliveryOutcome> {
        let left = self.pending.count();
        if left == self.hopeless {
            self.counts.literal = self.counts.literal.saturating_add(self.scheduler.idle_rest());
            return Some(DeliveryOutcome::Delivered { undeliverable: self.undeliverable });
        }
        let certain = self.scheduler.sends_all() && self.concentrators.channels().wire_bits() == 0;
        if certain && self.policy.period().is_some_and(|period| self.fruitless >= period) {
            return Some(self.stuck(left));
        }
        (self.cycle >= Self::MAX_CYCLES).then_some(DeliveryOutcome::OutOfCycles { left })
    }

    /// Where it is stuck worst.
    fn stuck(&self, left: u32) -> DeliveryOutcome {
        let network = &self.concentrators;
        let lost = |channel| network.contenders(channel) - network.survivors(channel);
        // Of equals the first one.
        let worst = network.channels().all().reduce(|a, b| if lost(b) > lost(a) { b } else { a });
        let channel = worst.unwrap_or(TreeChannel(0));
        let (contenders, capacity) = (network.contenders(channel), network.capacity(channel));
        DeliveryOutcome::Stuck { left, channel, contenders, capacity }
    }

    /// Runs for `cycles` delivery cycles at most: how it ended, if it did.
    pub fn run_until(&mut self, cycles: u64) -> Option<DeliveryOutcome> {
        for _ in 0..cycles {
            if self.outcome.is_some() {
                break;
            }
            self.step();
        }
        self.outcome
    }

    /// The delivery cycles that have passed.
    pub fn cycle(&self) -> u32 {
        self.cycle
    }

    /// Why those were sent that were sent in the last cycle; `None` before the first.
    pub fn rule(&self) -> Option<CycleRule> {
        self.rule
    }

    /// How it came to an end; `None` while it goes on.
    pub fn outcome(&self) -> Option<DeliveryOutcome> {
        self.outcome
    }

    /// What it has taken so far.
    pub fn counts(&self) -> DeliveryCounts {
        self.counts
    }

    /// How often a message was sent, on average; 0 without messages.
    pub fn transmissions_per_message(&self) -> f64 {
        self.counts.transmissions as f64 / f64::from(self.messages().len().max(1))
    }

    /// The messages.
    pub fn messages(&self) -> &MessageSet {
        self.concentrators.messages()
    }

    /// The number of messages that dead wires keep from arriving.
    pub fn undeliverable(&self) -> u32 {
        self.undeliverable
    }

    /// The channels, with what the last cycle made of them.
    pub fn concentrators(&self) -> &Concentrators {
        &self.concentrators
    }

    /// What became of a message in the last cycle.
    pub fn fate(&self, message: u32) -> Fate {
        self.concentrators.fate(message)
    }

    /// For each message the cycle in which it arrived, from 1; 0 if it has not.
    pub fn arrived(&self) -> &[u32] {
        self.pending.arrived()
    }
}
