//! A message set on its way, cycle by cycle.

use super::{Concentrators, DeliveryCounts, DeliveryError, DeliveryOutcome, Fate, SurvivorPolicy};
use crate::fault::LiveWires;
use crate::names;
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

names! {
    Undeliverable { Known: "known", Sent: "sent" }
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

/// The second phase of Valiant's detour, while the first is under way.
#[derive(Debug)]
struct SecondPhase {
    /// The messages that have an intermediate processor and can come to it, with these and their destinations, by number.
    legs: Vec<(u32, [u32; 2])>,
    /// Those that are sent in the first phase already, and cannot come to where they are sent.
    astray: Vec<u32>,
    /// How many of all cannot arrive and are sent all the same.
    hopeless: u32,
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
    /// and those that are sent all the same and cannot come to where they are sent now.
    hopeless: u32,
    /// What intermediate processors are drawn from; `None` without Valiant's detour.
    detour: Option<Key>,
    /// Its second phase, as long as the first is under way.
    second: Option<SecondPhase>,
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
        let sends_all = knowledge == Undeliverable::Sent;
        let detour = scheduler.detours().then(|| Self::detour_of(key));
        let mut concentrators = Concentrators::new(channels, live, policy, messages)?;
        let (mut list, mut undeliverable, mut hopeless) = (Vec::new(), 0, 0);
        let mut second = SecondPhase { legs: Vec::new(), astray: Vec::new(), hopeless: 0 };
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
            hopeless += u32::from(!first);
            second.hopeless += u32::from(!all);
            match via {
                _ if !first => second.astray.push(number),
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
            hopeless,
            second: detour.map(|_| second),
            detour,
            generators: [0, 1].map(|part| key.child(part).generator()),
            rule: None,
            cycle: 0,
            fruitless: 0,
            counts: DeliveryCounts::default(),
            outcome: None,
        })
    }

    /// What the intermediate processors of Valiant's detour are drawn from in a run of this key, see [`MessageSet::detour`].
    pub fn detour_of(key: Key) -> Key {
        key.child(2)
    }

    /// Lets one delivery cycle pass; nothing happens any more after the end.
    pub fn step(&mut self) {
        if self.outcome.is_some() {
            return;
        }
        self.turn();
        if self.pending.count() > self.hopeless {
            self.pass();
        }
        self.outcome = self.end();
    }

    /// Begins the second phase of Valiant's detour, if nobody who can come to an intermediate processor is on the way there.
    fn turn(&mut self) {
        if self.pending.count() > self.hopeless {
            return;
        }
        let Some(SecondPhase { legs, astray, hopeless }) = self.second.take() else { return };
        let mut list = astray;
        for (number, ends) in legs {
            self.concentrators.redirect(number, ends);
            list.push(number);
        }
        list.sort();
        let first = std::mem::replace(&mut self.pending, Pending::new(0, Vec::new()));
        self.pending = first.again(list);
        self.hopeless = hopeless;
        self.fruitless = 0;
        self.scheduler.turn();
    }

    fn pass(&mut self) {
        let Self { concentrators, scheduler, pending, generators: [choice, chance], counts, .. } = self;
        self.cycle += 1;
        self.rule = Some(scheduler.next(pending, choice, concentrators.prepare()));
        if scheduler.detours() {
            concentrators.order_by_source();
        }
        concentrators.pass(self.cycle, chance);
        let (sent, arrived) = (concentrators.sent().len() as u64, concentrators.arrived().len() as u64);
        concentrators.arrived().iter().for_each(|&message| pending.arrive(message, self.cycle));
        counts.literal += 1;
        counts.busy += u64::from(sent > 0);
        counts.transmissions += sent;
        self.fruitless = if arrived > 0 { 0 } else { self.fruitless + 1 };
        // In the first phase of a detour only what leaves by the root is where it is to go.
        let there = match self.second {
            Some(_) => concentrators.arrived().iter().filter(|&&it| concentrators.messages().is_out(it)).count() as u64,
            None => arrived,
        };
        counts.delivered += there as u32;
        counts.arrival_sum += there * u64::from(self.cycle);
        if there > 0 {
            counts.completion = u64::from(self.cycle);
        }
    }

    /// How it ends, if it does now.
    fn end(&mut self) -> Option<DeliveryOutcome> {
        let later = self.second.as_ref().map_or(0, |second| second.legs.len() as u32);
        let left = self.pending.count();
        if left == self.hopeless && later == 0 {
            self.counts.literal = self.counts.literal.saturating_add(self.scheduler.idle_rest());
            return Some(DeliveryOutcome::Delivered { undeliverable: self.undeliverable });
        }
        let certain = self.scheduler.sends_all() && self.concentrators.channels().wire_bits() == 0;
        if certain && self.policy.period().is_some_and(|period| self.fruitless >= period) {
            return Some(self.stuck(left + self.halfway()));
        }
        (self.cycle >= Self::MAX_CYCLES).then_some(DeliveryOutcome::OutOfCycles { left: left + self.halfway() })
    }

    /// The messages that wait at their intermediate processors for the second phase of a detour.
    fn halfway(&self) -> u32 {
        let legs = self.second.as_ref().map_or(&[][..], |second| &second.legs);
        legs.iter().filter(|(number, _)| self.arrived()[*number as usize] > 0).count() as u32
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

    /// The intermediate processor of a message on Valiant's detour; `None` of others.
    pub fn via(&self, message: u32) -> Option<u32> {
        let key = self.detour.filter(|_| message < self.messages().len() && !self.messages().is_out(message))?;
        Some(self.messages().via(message, key))
    }

    /// Whether a message has arrived at its destination.
    pub fn is_delivered(&self, message: u32) -> bool {
        let here = self.arrived().get(message as usize).is_some_and(|&cycle| cycle > 0);
        here && (self.second.is_none() || self.messages().is_out(message))
    }

    /// The messages, on Valiant's detour from and to where they go in this phase.
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

    /// For each message the cycle in which it arrived, from 1; 0 if it has not. In the first phase of Valiant's detour,
    /// that in which it came to its intermediate processor.
    pub fn arrived(&self) -> &[u32] {
        self.pending.arrived()
    }
}
