//! Worms to be watched: the meshes of all compared algorithms, at one common cycle that goes forward and back.

use std::collections::VecDeque;
use std::sync::Arc;

use super::trial;
use crate::watch::{Networks, Pace, Tape, WatchedNetwork};
use crate::{Cell, Experiment};
use faultlab_core::fault::{BlockFaults, DrawnFaults};
use faultlab_core::routing::{Algorithm, WormChoice, WormRouting};
use faultlab_core::switching::{Engine, WormArrival, WormDeadlock, WormDelivery, WormObserver, Worms};
use faultlab_core::topology::{Mesh, NodeId, Port};
use faultlab_core::traffic::Bisection;

/// The cycles that are watched at most, in meshes of up to 256 nodes and in the largest ones.
const HORIZON: u64 = 20_000;
const SHORTEST: u64 = 2_000;

/// The cycles between states that are kept, and between samples of the history, at first.
const SPACING: u64 = 64;
const INTERVAL: f64 = 4.0;

/// The last messages that have left the network and are remembered.
const REMEMBERED: usize = 48;

/// The cycles of a mesh that are watched at most.
pub(crate) fn horizon(mesh: Mesh) -> u64 {
    (HORIZON * 256 / u64::from(mesh.nodes().max(1))).clamp(SHORTEST, HORIZON)
}

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

/// Worms with what is noted of what happens.
#[derive(Clone, Debug)]
pub struct LoggedWorms {
    worms: Worms,
    log: Log,
}

impl LoggedWorms {
    fn new(worms: Worms) -> Self {
        let log = Log {
            bisection: Bisection::new(worms.mesh()),
            cycle: 0,
            latency: 0,
            crossed: 0,
            journeys: Vec::new(),
            ended: VecDeque::new(),
        };
        Self { worms, log }
    }
}

impl Engine for LoggedWorms {
    type Time = u64;

    fn now(&self) -> u64 {
        self.worms.now()
    }

    fn next(&self) -> u64 {
        self.worms.next()
    }

    fn step(&mut self) {
        self.log.cycle = self.worms.cycle();
        self.worms.step(&mut self.log);
    }

    fn ended(&self) -> bool {
        self.worms.ended()
    }

    fn weight(&self) -> u64 {
        let journeys = self.log.journeys.len() + self.log.ended.len();
        self.worms.weight() + journeys as u64 * 640 + 4096
    }

    fn gauge(&self) -> u64 {
        self.log.journeys.len() as u64
    }
}

/// The network of one of the compared algorithms.
pub type WatchedWorms = WatchedNetwork<LoggedWorms>;

impl WatchedWorms {
    /// The network as it is now.
    pub fn worms(&self) -> &Worms {
        &self.tape.shown().worms
    }

    /// How it decides.
    pub fn routing(&self) -> &dyn WormRouting {
        &*self.worms().terms().routing
    }

    /// The mean latency of delivered messages so far, in cycles; `None` before the first delivery.
    pub fn mean_latency(&self) -> Option<f64> {
        let delivered = self.worms().delivered();
        (delivered > 0).then(|| self.tape.shown().log.latency as f64 / delivered as f64)
    }

    /// The share of the live channels between the two halves of the mesh that delivered messages have used so far.
    pub fn utilization(&self) -> f64 {
        let worms = self.worms();
        let flits = self.tape.shown().log.crossed * u64::from(worms.terms().length);
        let is_live = |&(from, port): &(NodeId, Port)| worms.faults().is_open(from, port);
        let channels = self.tape.shown().log.bisection.channels().filter(is_live).count() as u64;
        flits as f64 / (worms.cycle().max(1) * channels.max(1)) as f64
    }

    /// The messages in the network, by number.
    pub fn journeys(&self) -> &[Journey] {
        &self.tape.shown().log.journeys
    }

    /// Message number `number`, if it is in the network or has just left it.
    pub fn journey(&self, number: u64) -> Option<&Journey> {
        let log = &self.tape.shown().log;
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

    /// The deadlock that the network will come to, as far as is known.
    pub fn fate(&self) -> Option<&WormDeadlock> {
        self.tape.ahead().worms.outcome()
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
    networks: Networks<LoggedWorms>,
}

impl WormWatch {
    /// At cycle 0, nothing looked at ahead; cost: as [`Worms::new`] for each algorithm. `None` if no worms move in the network, no
    /// such faults are found, or they leave nobody to send to.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let cell = Cell::new(experiment, None);
        let mut given = cell.drawn(experiment.view.sample).ok()?;
        if cell.network.cube().is_some() {
            given.links.iter_mut().for_each(|link| link.from.0 &= !(1 << link.dim));
            given.links.sort();
            given.links.dedup();
        }
        let faults = cell.blocks(experiment.view.sample).ok()?;
        let watched = |algorithm: &Arc<Algorithm>| {
            let worms = trial::network(&cell, trial::terms(&cell, algorithm)?, experiment.view.sample)?;
            Some(WatchedNetwork {
                algorithm: algorithm.clone(),
                tape: Tape::new(LoggedWorms::new(worms), SPACING, INTERVAL),
            })
        };
        let networks: Vec<_> = experiment.routing.iter().filter_map(watched).collect();
        let pace = Pace {
            horizon: horizon(faults.mesh()),
            most: u64::MAX,
            after: |end| end + end / 4 + 100,
            further: |known| known + known / 8 + 64,
        };
        (!networks.is_empty()).then(|| Self { faults, given, networks: Networks::new(networks, pace) })
    }

    /// The networks, in the order of the experiment's algorithms.
    pub fn networks(&self) -> &[WatchedWorms] {
        self.networks.all()
    }

    /// The common cycle.
    pub fn now(&self) -> u64 {
        self.networks.now()
    }

    /// Where time ends, as far as is known: some time after the last deadlock, else at the horizon.
    pub fn end(&self) -> u64 {
        self.networks.end()
    }

    /// The first deadlock after now and up to `cycle`.
    pub fn deadlock_until(&self, cycle: u64) -> Option<u64> {
        self.networks.ends().filter(|end| (self.now() + 1..=cycle).contains(end)).min()
    }

    /// Goes to `cycle`, forward or back, at most to [`WormWatch::end`]; [`WormWatch::work`] brings it there.
    pub fn seek(&mut self, cycle: u64) {
        self.networks.seek(cycle);
    }

    /// Lets about `budget` times a node of one network live through a cycle: first those up to now, then those to come.
    /// Whether there is more to do.
    pub fn work(&mut self, budget: u32) -> bool {
        self.networks.work((budget / self.faults.mesh().nodes().max(1)).max(1))
    }

    /// Whether every network has come to where the time is.
    pub fn is_there(&self) -> bool {
        self.networks.is_there()
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
        let end = watch.networks()[0].tape.end().unwrap();
        assert!(watch.networks()[1].fate().is_none() && watch.end() > end);
        assert_eq!(watch.deadlock_until(watch.end()), Some(end));
        go(&mut watch, end);
        let network = &watch.networks()[0];
        let deadlock = network.worms().outcome().unwrap();
        assert_eq!(network.worth_following(), Some(deadlock.cycle[0].number));
    }
}
