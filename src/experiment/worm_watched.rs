//! Worms to be watched: the meshes of all compared algorithms, at one common cycle that goes forward and back.

use std::collections::VecDeque;
use std::sync::Arc;

use super::watched::History;
use super::{Cell, Experiment, worm};
use crate::fault::{BlockFaults, DrawnFaults};
use crate::routing::{Algorithm, WormChoice, WormRouting};
use crate::sort;
use crate::switching::{WormArrival, WormDeadlock, WormDelivery, WormObserver, Worms};
use crate::topology::{Mesh, NodeId, Port};
use crate::traffic::Bisection;

/// The cycles that are watched at most, in meshes of up to 256 nodes and in the largest ones.
const HORIZON: u64 = 20_000;
const SHORTEST: u64 = 2_000;

/// What all states kept to go back to may weigh together, in bytes; and their number for one network.
const MEMORY: u64 = 96 << 20;
const STOPS: usize = 32;

/// The last messages that have left the network and are remembered.
const REMEMBERED: usize = 48;

/// One hop of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedHop {
    /// The cycle in which it was granted.
    pub cycle: u64,
    /// The node it left.
    pub from: NodeId,
    /// The choice it was granted.
    pub choice: WormChoice,
    /// The virtual channel it got.
    pub virtual_channel: u8,
}

/// A message and the hops that its header has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journey {
    /// Its number.
    pub number: u64,
    /// Its source.
    pub from: NodeId,
    /// Its destination.
    pub to: NodeId,
    /// When it was generated.
    pub generated: u64,
    /// Its header's hops.
    pub hops: Vec<WatchedHop>,
    /// When it left the network, and whether it was delivered.
    pub ended: Option<(u64, bool)>,
}

impl Journey {
    /// Where its last hop leads.
    pub fn here(&self, mesh: Mesh) -> NodeId {
        let last = self.hops.last().and_then(|hop| mesh.neighbor(hop.from, hop.choice.port));
        last.unwrap_or(self.from)
    }

    /// The hops that it made because of faults.
    pub fn detours(&self) -> usize {
        self.hops.iter().filter(|hop| hop.choice.rule.is_detour()).count()
    }
}

/// What is noted of what happens.
#[derive(Clone, Debug)]
struct Log {
    bisection: Bisection,
    cycle: u64,
    /// The sum of the latencies of delivered messages, and how many of these crossed the bisection.
    latency: u64,
    crossed: u64,
    /// The messages in the network, by number.
    journeys: Vec<Journey>,
    /// Those that left it last, the latest last.
    ended: VecDeque<Journey>,
}

impl Log {
    fn place(&self, number: u64) -> Option<usize> {
        self.journeys.binary_search_by_key(&number, |journey| journey.number).ok()
    }

    fn end(&mut self, number: u64, cycle: u64, delivered: bool) {
        if let Some(place) = self.place(number) {
            let mut journey = self.journeys.remove(place);
            journey.ended = Some((cycle, delivered));
            if self.ended.len() == REMEMBERED {
                self.ended.pop_front();
            }
            self.ended.push_back(journey);
        }
    }
}

impl WormObserver for Log {
    fn generated(&mut self, message: &WormArrival) {
        if let Some(to) = message.to {
            let WormArrival { number, from, cycle, .. } = *message;
            self.journeys.push(Journey { number, from, to, generated: cycle, hops: Vec::new(), ended: None });
        }
    }

    fn discarded(&mut self, message: &WormArrival) {
        if let Some(place) = self.place(message.number) {
            self.journeys.remove(place);
        }
    }

    fn hop(&mut self, number: u64, from: NodeId, choice: &WormChoice, virtual_channel: u8) {
        if let Some(place) = self.place(number) {
            self.journeys[place].hops.push(WatchedHop { cycle: self.cycle, from, choice: *choice, virtual_channel });
        }
    }

    fn delivered(&mut self, message: &WormDelivery) {
        self.latency += message.latency();
        self.crossed += u64::from(self.bisection.divides(message.from, message.to));
        self.end(message.number, message.finished, true);
    }

    fn lost(&mut self, number: u64) {
        self.end(number, self.cycle, false);
    }
}

/// A network at some cycle.
#[derive(Clone, Debug)]
struct State {
    worms: Worms,
    log: Log,
}

impl State {
    fn step(&mut self) {
        self.log.cycle = self.worms.cycle();
        self.worms.step(&mut self.log);
    }

    /// About how many bytes a copy of it takes.
    fn weight(&self) -> u64 {
        let journeys = self.log.journeys.len() + self.log.ended.len();
        self.worms.footprint() as u64 + journeys as u64 * 640 + 4096
    }
}

/// The network of one of the compared algorithms.
#[derive(Clone, Debug)]
pub struct WatchedWorms {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    shown: State,
    /// As far as it has been looked at ahead.
    ahead: State,
    /// States to go back to, the first one at cycle 0, and the cycles between them.
    stops: Vec<State>,
    spacing: u64,
    history: History,
}

impl WatchedWorms {
    fn new(algorithm: &'static Algorithm, worms: Worms) -> Self {
        let log = Log {
            bisection: Bisection::new(worms.mesh()),
            cycle: 0,
            latency: 0,
            crossed: 0,
            journeys: Vec::new(),
            ended: VecDeque::new(),
        };
        let state = State { worms, log };
        let (shown, ahead) = (state.clone(), state.clone());
        Self { algorithm, shown, ahead, stops: vec![state], spacing: 64, history: History::new(4.0) }
    }

    /// The network as it is now.
    pub fn worms(&self) -> &Worms {
        &self.shown.worms
    }

    /// How it decides.
    pub fn routing(&self) -> &'static dyn WormRouting {
        self.worms().terms().routing
    }

    /// The mean latency of delivered messages so far, in cycles; `None` before the first delivery.
    pub fn mean_latency(&self) -> Option<f64> {
        let delivered = self.worms().delivered();
        (delivered > 0).then(|| self.shown.log.latency as f64 / delivered as f64)
    }

    /// The share of the live channels between the two halves of the mesh that delivered messages have used so far.
    pub fn utilization(&self) -> f64 {
        let worms = self.worms();
        let flits = self.shown.log.crossed * u64::from(worms.terms().length);
        let is_live = |&(from, port): &(NodeId, Port)| worms.faults().is_open(from, port);
        let channels = self.shown.log.bisection.channels().filter(is_live).count() as u64;
        flits as f64 / (worms.cycle().max(1) * channels.max(1)) as f64
    }

    /// The messages in the network, by number.
    pub fn journeys(&self) -> &[Journey] {
        &self.shown.log.journeys
    }

    /// Message number `number`, if it is in the network or has just left it.
    pub fn journey(&self, number: u64) -> Option<&Journey> {
        let log = &self.shown.log;
        log.place(number).map(|place| &log.journeys[place]).or_else(|| log.ended.iter().find(|it| it.number == number))
    }

    /// The message to follow when none is chosen: of a deadlock one of its circle, else that with the most detours, of
    /// those the one generated first.
    pub fn worth_following(&self) -> Option<u64> {
        if let Some(first) = self.worms().outcome().and_then(|deadlock| deadlock.cycle.first()) {
            return Some(first.number);
        }
        let worth =
            |journey: &&Journey| (journey.detours(), !journey.hops.is_empty(), std::cmp::Reverse(journey.number));
        self.journeys().iter().max_by_key(worth).map(|journey| journey.number)
    }

    /// For each channel, the share of the cycles so far in which a flit crossed it.
    pub fn uses(&self) -> Vec<f64> {
        let cycles = self.worms().cycle().max(1) as f64;
        self.worms().carried().into_iter().map(|flits| flits as f64 / cycles).collect()
    }

    /// How many messages were in the network over time, as far as has been looked ahead.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The deadlock that the network will come to, as far as is known.
    pub fn fate(&self) -> Option<&WormDeadlock> {
        self.ahead.worms.outcome()
    }

    /// When it comes to it, as far as is known.
    pub fn end(&self) -> Option<u64> {
        self.fate().map(|_| self.ahead.worms.cycle())
    }

    /// Takes up the state nearest before `cycle`, if that saves work.
    fn aim(&mut self, cycle: u64) {
        let here = self.shown.worms.cycle();
        let stop = self.stops.iter().rev().find(|stop| stop.worms.cycle() <= cycle);
        if let Some(stop) = stop.filter(|stop| here > cycle || stop.worms.cycle() > here) {
            self.shown = stop.clone();
        }
    }

    fn is_at(&self, cycle: u64) -> bool {
        self.shown.worms.cycle() >= cycle || self.shown.worms.outcome().is_some()
    }

    /// Lets the network run to `cycle` within the budget of cycles; whether it is there.
    fn follow(&mut self, cycle: u64, budget: &mut u32) -> bool {
        while !self.is_at(cycle) {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.shown.step();
        }
        true
    }

    /// Looks ahead to `cycle` within the budget; whether there is nothing more to see.
    fn look_ahead(&mut self, cycle: u64, budget: &mut u32, memory: u64) -> bool {
        while self.ahead.worms.cycle() < cycle && self.ahead.worms.outcome().is_none() {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.ahead.step();
            let now = self.ahead.worms.cycle();
            self.history.note(now as f64, self.ahead.log.journeys.len() as u64);
            let last = self.stops.last().map_or(0, |stop| stop.worms.cycle());
            if now - last >= self.spacing {
                self.keep(memory);
            }
        }
        true
    }

    /// Keeps the state ahead to go back to; when there are too many, every second one goes.
    fn keep(&mut self, memory: u64) {
        self.stops.push(self.ahead.clone());
        let most = ((memory / self.ahead.weight()) as usize).clamp(3, STOPS);
        if self.stops.len() > most {
            let mut number = 0;
            self.stops.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing *= 2;
        }
    }

    /// How far has been looked ahead.
    fn known(&self) -> u64 {
        if self.fate().is_some() { u64::MAX } else { self.ahead.worms.cycle() }
    }
}

/// Run number `view.sample` of every compared algorithm: the same faults, the same messages and the same clock. What
/// is to come is looked at ahead, so that one can go anywhere at once and see where it leads.
#[derive(Clone, Debug)]
pub struct WormWatch {
    /// The mesh and its faults.
    pub faults: Arc<BlockFaults>,
    /// The faults before block closure; of a hypercube, its links that are faulty in either direction, by the end whose bit is 0.
    pub given: DrawnFaults,
    networks: Vec<WatchedWorms>,
    now: u64,
}

impl WormWatch {
    /// At cycle 0, nothing looked at ahead; cost: as [`Worms::new`] for each algorithm. `None` if no worms move in the network, no
    /// such faults are found, or they leave nobody to send to.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let cell = Cell::new(experiment, None);
        let mut given = cell.drawn(experiment.view.sample)?;
        if cell.network.cube().is_some() {
            given.links.iter_mut().for_each(|link| link.from.0 &= !(1 << link.dim));
            sort::set(&mut given.links);
        }
        let faults = cell.blocks(experiment.view.sample)?;
        let watched = |&algorithm: &&'static Algorithm| {
            let worms = worm::network(&cell, worm::terms(&cell, algorithm)?, experiment.view.sample)?;
            Some(WatchedWorms::new(algorithm, worms))
        };
        let networks: Vec<_> = experiment.routing.iter().filter_map(watched).collect();
        (!networks.is_empty()).then_some(Self { faults, given, networks, now: 0 })
    }

    /// The networks, in the order of the experiment's algorithms.
    pub fn networks(&self) -> &[WatchedWorms] {
        &self.networks
    }

    /// The common cycle.
    pub fn now(&self) -> u64 {
        self.now
    }

    fn nodes(&self) -> u64 {
        u64::from(self.faults.mesh().nodes())
    }

    fn horizon(&self) -> u64 {
        (HORIZON * 256 / self.nodes()).clamp(SHORTEST, HORIZON)
    }

    /// The cycle after that of the last known deadlock until which others are watched.
    fn after(&self) -> Option<u64> {
        let last = self.networks.iter().filter_map(WatchedWorms::end).max()?;
        Some((last + last / 4 + 100).min(self.horizon()))
    }

    /// Where time ends, as far as is known: some time after the last deadlock, else at the horizon.
    pub fn end(&self) -> u64 {
        let known = self.networks.iter().map(WatchedWorms::known).fold(self.horizon(), u64::min);
        if self.networks.iter().all(|network| network.fate().is_some()) {
            return self.networks.iter().filter_map(WatchedWorms::end).max().unwrap_or(0);
        }
        self.after().map_or(known, |after| after.min(known))
    }

    /// The first deadlock after now and up to `cycle`.
    pub fn deadlock_until(&self, cycle: u64) -> Option<u64> {
        self.networks.iter().filter_map(WatchedWorms::end).filter(|end| (self.now + 1..=cycle).contains(end)).min()
    }

    /// Goes to `cycle`, forward or back, at most to [`WormWatch::end`]; [`WormWatch::work`] brings it there.
    pub fn seek(&mut self, cycle: u64) {
        self.now = cycle.min(self.end());
        for network in &mut self.networks {
            network.aim(self.now);
        }
    }

    /// Lets about `budget` times a node of one network live through a cycle: first those up to now, then those to come.
    /// Whether there is more to do.
    pub fn work(&mut self, budget: u32) -> bool {
        let mut left = (u64::from(budget) / self.nodes()).max(1) as u32;
        let now = self.now;
        if !self.networks.iter_mut().all(|network| network.follow(now, &mut left)) {
            return true;
        }
        let memory = MEMORY / (self.networks.len() as u64).max(1);
        // Side by side, so that nothing is looked at that time never reaches.
        let horizon = self.after().unwrap_or(self.horizon());
        let known = self.networks.iter().map(WatchedWorms::known).fold(horizon, u64::min);
        let until = (known + known / 8 + 64).min(horizon);
        let done = self.networks.iter_mut().all(|network| network.look_ahead(until, &mut left, memory));
        !done || until < horizon && self.networks.iter().any(|network| network.fate().is_none())
    }

    /// Whether every network has come to where the time is.
    pub fn is_there(&self) -> bool {
        self.networks.iter().all(|network| network.is_at(self.now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(text: &str) -> WormWatch {
        let mut watch = WormWatch::new(&text.parse().unwrap()).unwrap();
        while watch.work(1 << 20) {}
        watch
    }

    fn go(watch: &mut WormWatch, cycle: u64) {
        watch.seek(cycle);
        while !watch.is_there() {
            watch.work(1 << 12);
        }
    }

    #[test]
    fn going_back_shows_what_was_there() {
        let mut watch = watch("net=mesh:6x6&faults=none&break=1.2,3.4-4.4&switch=wormhole");
        assert_eq!(watch.end(), HORIZON);
        let states = |watch: &WormWatch| {
            let of = |network: &WatchedWorms| {
                let worms = network.worms();
                (worms.cycle(), worms.generated(), worms.flit_hops(), network.journeys().to_vec(), network.uses())
            };
            watch.networks().iter().map(of).collect::<Vec<_>>()
        };
        let mut seen = Vec::new();
        for cycle in [0, 1, 250, 251, 7000, 19_990] {
            go(&mut watch, cycle);
            assert_eq!(watch.networks()[0].worms().cycle(), cycle);
            seen.push((cycle, states(&watch)));
        }
        for (cycle, before) in seen.iter().rev() {
            go(&mut watch, *cycle);
            assert_eq!(states(&watch), *before, "{cycle}");
        }
        // The same messages for both.
        go(&mut watch, 5000);
        let [a, b] = watch.networks() else { panic!("two networks") };
        assert_eq!(a.worms().generated(), b.worms().generated());
        assert!(a.utilization() > 0.3 && a.mean_latency() > Some(25.0));
    }

    #[test]
    fn journeys_are_those_of_the_messages_in_the_network() {
        let mut watch = watch("net=mesh:8x8&faults=none&break=2.3,5.5&switch=wormhole");
        go(&mut watch, 777);
        for network in watch.networks() {
            let worms = network.worms();
            assert_eq!(worms.in_flight(), network.journeys().len() as u64);
            for journey in network.journeys() {
                let message = worms.message(journey.number).unwrap();
                assert_eq!((message.from(), message.to()), (journey.from, journey.to));
                assert_eq!(u64::from(message.hops()), journey.hops.len() as u64);
            }
            let followed = network.journey(network.worth_following().unwrap()).unwrap();
            assert!(followed.detours() > 0);
        }
    }

    #[test]
    fn a_deadlock_is_known_ahead_and_memory_is_bounded() {
        let mut watch = watch("net=mesh:6x6&faults=none&break=2.2&route=f-cube1,f-cube2&switch=wormhole&vc=2&load=1");
        let end = watch.networks()[0].end().unwrap();
        assert!(watch.networks()[1].fate().is_none() && watch.end() > end);
        assert_eq!(watch.deadlock_until(watch.end()), Some(end));
        go(&mut watch, end);
        let network = &watch.networks()[0];
        let deadlock = network.worms().outcome().unwrap();
        assert_eq!(network.worth_following(), Some(deadlock.cycle[0].number));
        assert!(network.stops.len() <= STOPS);
    }
}
