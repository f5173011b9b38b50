//! Wormhole networks for Watch: one for each compared algorithm, at a common cycle that can move
//! forward and back.

use std::collections::VecDeque;
use std::sync::Arc;

use super::trial;
use crate::watch::{LookaheadLimits, Networks, Timeline, WatchedNetwork};
use crate::{Experiment, LaterFault, PointConfig, ViewOptions};
use faultlab_core::fault::{BlockFaults, SampledFaults};
use faultlab_core::routing::{Algorithm, VcRequest, WormRouting};
use faultlab_core::switching::{
    Engine, WormArrival, WormDeadlock, WormDelivery, WormObserver, WormholeConfig, WormholeNetwork,
};
use faultlab_core::topology::{Mesh, NodeId, Port};
use faultlab_core::traffic::Bisection;

/// Maximum number of watched cycles, in meshes of up to 256 nodes.
const HORIZON: u64 = 20_000;
/// Maximum number of watched cycles in the largest meshes.
const SHORTEST: u64 = 2_000;

/// Initial number of cycles between snapshots.
const SPACING: u64 = 64;
/// Initial number of cycles between samples of the history.
const INTERVAL: f64 = 4.0;

/// Maximum number of ended messages in the log.
const REMEMBERED: usize = 48;

/// Returns the maximum number of watched cycles of a mesh.
pub(crate) fn horizon(mesh: Mesh) -> u64 {
    (HORIZON * 256 / u64::from(mesh.nodes().max(1))).clamp(SHORTEST, HORIZON)
}

/// Hop of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedHop {
    /// Cycle in which the hop was granted.
    pub cycle: u64,
    /// Node that the header left.
    pub from: NodeId,
    /// Granted choice of the routing.
    pub choice: VcRequest,
    /// Allocated virtual channel.
    pub virtual_channel: u8,
}

/// Message with the hops of its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageHistory {
    /// Number of the message in the network.
    pub number: u64,
    /// Source of the message.
    pub from: NodeId,
    /// Destination of the message.
    pub to: NodeId,
    /// Cycle in which the message was generated.
    pub generated: u64,
    /// Hops of the header.
    pub hops: Vec<WatchedHop>,
    /// Cycle in which the message left the network, and a flag for delivery.
    pub ended: Option<(u64, bool)>,
}

impl MessageHistory {
    /// Returns the node that the last hop leads to.
    pub fn header_node(&self, mesh: Mesh) -> NodeId {
        let last = self.hops.last().and_then(|hop| mesh.neighbor(hop.from, hop.choice.port));
        last.unwrap_or(self.from)
    }

    /// Returns the number of hops made because of faults.
    pub fn detours(&self) -> usize {
        self.hops.iter().filter(|hop| hop.choice.rule.is_detour()).count()
    }
}

/// Event log of a network.
#[derive(Clone, Debug)]
struct Log {
    mesh: Mesh,
    bisection: Bisection,
    cycle: u64,
    /// Sum of the latencies of delivered messages.
    latency: u64,
    /// Number of flits of the delivered messages that crossed the bisection.
    crossed: u64,
    /// Messages in the network, by number.
    journeys: Vec<MessageHistory>,
    /// Messages that left the network most recently, the latest last, those of one cycle by number.
    ended: VecDeque<MessageHistory>,
    /// True if messages among [`Log::journeys`] have ended.
    has_ended: bool,
}

impl Log {
    fn journey_index(&self, number: u64) -> Option<usize> {
        self.journeys.binary_search_by_key(&number, |journey| journey.number).ok()
    }

    fn end(&mut self, number: u64, cycle: u64, delivered: bool) {
        if let Some(place) = self.journey_index(number) {
            self.journeys[place].ended = Some((cycle, delivered));
            self.has_ended = true;
        }
    }

    /// Moves the messages that have ended in a cycle to the others that have ended: all at once,
    /// because in a large mesh many messages end in the same cycle.
    fn remove_ended(&mut self) {
        if !std::mem::take(&mut self.has_ended) {
            return;
        }
        for journey in self.journeys.extract_if(.., |journey| journey.ended.is_some()) {
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
            let journey = MessageHistory { number, from, to, generated: cycle, hops: Vec::new(), ended: None };
            self.journeys.push(journey);
        }
    }

    fn discarded(&mut self, message: &WormArrival) {
        if let Some(place) = self.journey_index(message.number) {
            self.journeys.remove(place);
        }
    }

    fn hop(&mut self, number: u64, from: NodeId, choice: &VcRequest, virtual_channel: u8) {
        if let Some(place) = self.journey_index(number) {
            let journey = &mut self.journeys[place];
            if journey.header_node(self.mesh) != from {
                // New faults have cut the message, and its source sends it again.
                journey.hops.clear();
            }
            journey.hops.push(WatchedHop { cycle: self.cycle, from, choice: *choice, virtual_channel });
        }
    }

    fn delivered(&mut self, message: &WormDelivery) {
        self.latency += message.latency();
        self.crossed += if self.bisection.separates(message.from, message.to) { u64::from(message.length) } else { 0 };
        self.end(message.number, message.finished, true);
    }

    fn lost(&mut self, number: u64) {
        self.end(number, self.cycle, false);
    }
}

/// Wormhole network with its event log.
#[derive(Clone, Debug)]
pub struct LoggedWorms {
    worms: WormholeNetwork,
    log: Log,
}

impl LoggedWorms {
    fn new(worms: WormholeNetwork) -> Self {
        let log = Log {
            mesh: worms.mesh(),
            bisection: Bisection::new(worms.mesh()),
            cycle: 0,
            latency: 0,
            crossed: 0,
            journeys: Vec::new(),
            ended: VecDeque::new(),
            has_ended: false,
        };
        Self { worms, log }
    }
}

impl Engine for LoggedWorms {
    type Time = u64;

    fn current_time(&self) -> u64 {
        self.worms.current_time()
    }

    fn next_time(&self) -> u64 {
        self.worms.next_time()
    }

    fn step(&mut self) {
        self.log.cycle = self.worms.cycle();
        self.worms.step(&mut self.log);
        self.log.remove_ended();
    }

    fn has_ended(&self) -> bool {
        self.worms.has_ended()
    }

    fn size_bytes(&self) -> u64 {
        let journeys = self.log.journeys.iter().chain(&self.log.ended);
        let bytes =
            |journey: &MessageHistory| size_of::<MessageHistory>() + size_of::<WatchedHop>() * journey.hops.capacity();
        self.worms.size_bytes() + journeys.map(bytes).sum::<usize>() as u64
    }

    fn gauge_value(&self) -> u64 {
        self.log.journeys.len() as u64
    }
}

/// Network of one of the compared algorithms.
pub type WatchedWorms = WatchedNetwork<LoggedWorms>;

impl WatchedWorms {
    /// Returns the network at the current cycle.
    pub fn worms(&self) -> &WormholeNetwork {
        &self.timeline.displayed().worms
    }

    /// Returns the routing of the network.
    pub fn routing(&self) -> &dyn WormRouting {
        &*self.worms().config().routing
    }

    /// Returns the mean latency of delivered messages so far, in cycles; `None` before the first
    /// delivery.
    pub fn mean_latency(&self) -> Option<f64> {
        let delivered = self.worms().delivered();
        (delivered > 0).then(|| self.timeline.displayed().log.latency as f64 / delivered as f64)
    }

    /// Returns the utilization of the live channels between the two halves of the mesh by delivered
    /// messages so far.
    pub fn utilization(&self) -> f64 {
        let worms = self.worms();
        let flits = self.timeline.displayed().log.crossed;
        let is_live = |&(from, port): &(NodeId, Port)| worms.faults().is_open(from, port);
        let channels = self.timeline.displayed().log.bisection.channels().filter(is_live).count() as u64;
        flits as f64 / (worms.cycle().max(1) * channels.max(1)) as f64
    }

    /// Returns the messages in the network, by number.
    pub fn journeys(&self) -> &[MessageHistory] {
        &self.timeline.displayed().log.journeys
    }

    /// Returns message number `number`, if it is in the network or has just left it.
    pub fn journey(&self, number: u64) -> Option<&MessageHistory> {
        let log = &self.timeline.displayed().log;
        log.journey_index(number)
            .map(|place| &log.journeys[place])
            .or_else(|| log.ended.iter().find(|it| it.number == number))
    }

    /// Returns the message to follow by default.
    ///
    /// In a deadlock, the message belongs to the cyclic wait. Otherwise it has the most detours;
    /// among equals it was generated first.
    pub fn default_followed(&self) -> Option<u64> {
        if let Some(first) = self.worms().outcome().and_then(|deadlock| deadlock.cycle.first()) {
            return Some(first.number);
        }
        let worth = |journey: &&MessageHistory| {
            (journey.detours(), !journey.hops.is_empty(), std::cmp::Reverse(journey.number))
        };
        self.journeys().iter().max_by_key(worth).map(|journey| journey.number)
    }

    /// Returns the largest utilization of a channel so far.
    pub fn max_utilization(&self) -> f64 {
        let worms = self.worms();
        let most = (0..worms.mesh().channel_table_size()).map(|channel| worms.carried_by(channel)).max();
        most.unwrap_or(0) as f64 / worms.cycle().max(1) as f64
    }

    /// Returns, for each channel, the share of the cycles so far in which a flit crossed it.
    pub fn channel_utilization(&self) -> Vec<f64> {
        let cycles = self.worms().cycle().max(1) as f64;
        self.worms().carried().into_iter().map(|flits| flits as f64 / cycles).collect()
    }

    /// Returns the utilization of a channel over the time simulated so far: for each part of it, its
    /// first and last cycle and the share of its cycles in which a flit crossed the channel.
    pub fn utilization_over_time(&self, channel: u32) -> Vec<(u64, u64, f64)> {
        let states = self.timeline.known_states().map(|state| &state.worms);
        let counts: Vec<_> = states.map(|worms| (worms.cycle(), worms.carried_by(channel))).collect();
        let part = |ends: &[(u64, u64)]| {
            let ((first, before), (last, after)) = (ends[0], ends[1]);
            (first, last, after.saturating_sub(before) as f64 / last.saturating_sub(first).max(1) as f64)
        };
        counts.windows(2).filter(|ends| ends[1].0 > ends[0].0).map(part).collect()
    }

    /// Returns the deadlock of the network, as far as the simulation ahead has found it.
    pub fn known_outcome(&self) -> Option<&WormDeadlock> {
        self.timeline.lookahead().worms.outcome()
    }
}

/// Run number `view.sample` of every compared algorithm, with the same faults, the same messages
/// and a common clock.
///
/// The networks are simulated ahead of the current time, which makes seeking fast and shows
/// deadlocks early.
#[derive(Clone, Debug)]
pub struct WormWatch {
    /// Mesh with its faults.
    pub faults: Arc<BlockFaults>,
    /// Faults before block closure. On a hypercube, links that are faulty in either direction are
    /// listed once, by the end whose bit is 0.
    pub sampled_faults: SampledFaults,
    networks: Networks<LoggedWorms>,
    /// Number of virtual channels of all networks together, also if they are too many.
    virtual_channels: u64,
}

impl WormWatch {
    /// Maximum number of virtual channels of all networks together, such as those of one network of
    /// 131,072 nodes with 8 virtual channels per channel. With more, creating the networks, or a
    /// cycle of one of them, could take longer than the page may stop responding (50 ms).
    pub const MAX_VIRTUAL_CHANNELS: u64 = 1 << 22;

    /// Creates the networks at cycle 0, with nothing simulated ahead. If they have more than
    /// [`WormWatch::MAX_VIRTUAL_CHANNELS`], there are only the faults, and no networks.
    ///
    /// `None` if the network has no wormhole routing, no fault set is found, or fewer than two
    /// nodes are left. Cost: as [`WormholeNetwork::new`] for each algorithm.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let cell = PointConfig::new(experiment, None);
        let mut given = cell.sampled_faults(experiment.view.sample).ok()?;
        if cell.network.cube().is_some() {
            given.links.iter_mut().for_each(|link| link.from.0 &= !(1 << link.dim));
            given.links.sort();
            given.links.dedup();
        }
        let faults = cell.blocks(experiment.view.sample).ok()?;
        let configs: Vec<_> = experiment.routing.iter().map(|it| (it, trial::config(&cell, it))).collect();
        let channels = u64::from(faults.mesh().channel_table_size());
        let per_channel = configs.iter().flat_map(|it| &it.1).map(|config| u64::from(config.virtual_channels));
        let virtual_channels = channels * per_channel.sum::<u64>();
        let is_simulated = virtual_channels <= Self::MAX_VIRTUAL_CHANNELS;
        let watched = |(algorithm, config): (&Arc<Algorithm>, Option<WormholeConfig>)| {
            let worms = trial::network(&cell, config?, experiment.view.sample)?;
            Some(WatchedNetwork {
                algorithm: algorithm.clone(),
                timeline: Timeline::new(LoggedWorms::new(worms), SPACING, INTERVAL),
            })
        };
        let networks: Vec<_> = configs.into_iter().filter(|_| is_simulated).filter_map(watched).collect();
        let pace = LookaheadLimits {
            horizon: horizon(faults.mesh()),
            most: u64::MAX,
            after: |end| end + end / 4 + 100,
            further: |known| known + known / 8 + 64,
        };
        (!networks.is_empty() || !is_simulated).then(|| Self {
            faults,
            sampled_faults: given,
            networks: Networks::new(networks, pace),
            virtual_channels,
        })
    }

    /// Continues `before`, which watches an experiment that differs in its later faults only, from
    /// cycle `cycle` on ([`common_past`]). Takes the states of `before`, so that nothing up to the
    /// cycle is simulated again. Must be called at cycle 0.
    pub fn resume_from(&mut self, before: &mut Self, cycle: u64) {
        self.networks
            .resume_from(&mut before.networks, cycle, |state, start| state.worms.replace_coming_faults(&start.worms));
    }

    /// Returns the number of virtual channels of all networks together, also if they are too many to
    /// be simulated.
    pub fn virtual_channels(&self) -> u64 {
        self.virtual_channels
    }

    /// Returns the networks, in the order of the experiment's algorithms.
    pub fn networks(&self) -> &[WatchedWorms] {
        self.networks.all()
    }

    /// Returns the common cycle.
    pub fn now(&self) -> u64 {
        self.networks.now()
    }

    /// Returns the end of the run, as far as it is known: shortly after the last deadlock,
    /// otherwise the horizon.
    pub fn end(&self) -> u64 {
        self.networks.end()
    }

    /// Returns the first deadlock after the current cycle and up to `cycle`.
    pub fn deadlock_until(&self, cycle: u64) -> Option<u64> {
        self.networks.ends().filter(|end| (self.now() + 1..=cycle).contains(end)).min()
    }

    /// Moves to `cycle`, forward or back, at most to [`WormWatch::end`]. [`WormWatch::work`] then
    /// simulates the networks.
    pub fn seek(&mut self, cycle: u64) {
        self.networks.seek(cycle);
    }

    /// Simulates about `budget` node cycles of one network, first those up to the current cycle,
    /// then those ahead. Returns whether work remains.
    pub fn work(&mut self, budget: u32) -> bool {
        self.networks.work((budget / self.faults.mesh().nodes().max(1)).max(1))
    }

    /// Returns whether every network has reached the current cycle.
    pub fn is_at_target(&self) -> bool {
        self.networks.is_at_target()
    }
}

/// Returns the first cycle in which runs of two experiments can differ, if they differ in the faults
/// that arrive later and in the view only; `None` if they differ in anything else.
pub fn common_past(one: &Experiment, other: &Experiment) -> Option<u64> {
    let [one_later, other_later] = [one, other].map(|it| it.setting.worm().map(|setting| &setting.later));
    let (one_later, other_later) = (one_later?, other_later?);
    let mut same = other.clone();
    same.setting.worm_mut()?.later.clone_from(one_later);
    let sample = same.view.sample;
    same.view = ViewOptions { sample, ..one.view.clone() };
    let only = |faults: &[LaterFault], others: &[LaterFault]| {
        faults.iter().filter(|fault| !others.contains(fault)).map(|fault| fault.time as u64).min()
    };
    let first = [only(one_later, other_later), only(other_later, one_later)].into_iter().flatten().min();
    (same == *one).then(|| first.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(text: &str) -> WormWatch {
        let mut watch = WormWatch::new(&text.parse().unwrap()).unwrap();
        while watch.work(1 << 20) {}
        watch
    }

    fn seek(watch: &mut WormWatch, cycle: u64) {
        watch.seek(cycle);
        while !watch.is_at_target() {
            watch.work(1 << 12);
        }
    }

    #[test]
    fn seeking_back_restores_earlier_states() {
        let mut watch = watch("net=mesh:6x6&faults=none&break=1.2,3.4-4.4&switch=wormhole");
        assert_eq!(watch.end(), HORIZON);
        let states = |watch: &WormWatch| {
            let of = |network: &WatchedWorms| {
                let worms = network.worms();
                (
                    worms.cycle(),
                    worms.generated(),
                    worms.flit_hops(),
                    network.journeys().to_vec(),
                    network.channel_utilization(),
                )
            };
            watch.networks().iter().map(of).collect::<Vec<_>>()
        };
        let mut seen = Vec::new();
        for cycle in [0, 1, 250, 251, 7000, 19_990] {
            seek(&mut watch, cycle);
            assert_eq!(watch.networks()[0].worms().cycle(), cycle);
            seen.push((cycle, states(&watch)));
        }
        for (cycle, before) in seen.iter().rev() {
            seek(&mut watch, *cycle);
            assert_eq!(states(&watch), *before, "{cycle}");
        }
        // Both networks have the same messages.
        seek(&mut watch, 5000);
        let [a, b] = watch.networks() else { panic!("two networks") };
        assert_eq!(a.worms().generated(), b.worms().generated());
        assert!(a.utilization() > 0.3 && a.mean_latency() > Some(25.0));
    }

    #[test]
    fn journeys_match_messages_in_the_network() {
        let mut watch = watch("net=mesh:8x8&faults=none&break=2.3,5.5&switch=wormhole");
        seek(&mut watch, 777);
        for network in watch.networks() {
            let worms = network.worms();
            assert_eq!(worms.in_flight(), network.journeys().len() as u64);
            for journey in network.journeys() {
                let message = worms.message(journey.number).unwrap();
                assert_eq!((message.from(), message.to()), (journey.from, journey.to));
                assert_eq!(u64::from(message.hops()), journey.hops.len() as u64);
            }
            let followed = network.journey(network.default_followed().unwrap()).unwrap();
            assert!(followed.detours() > 0);
        }
    }

    /// Up to the cycle in which an element breaks, nothing changes; then messages are dropped and sent
    /// again.
    #[test]
    fn a_later_fault_leaves_the_past_unchanged() {
        let text = "net=mesh:8x8&faults=none&break=2.3&route=f-cube4&switch=wormhole&load=0.5";
        let [mut before, mut after] = [text, &format!("{text}&later=600:5.4")].map(watch);
        let seen =
            |watch: &WormWatch| (watch.networks()[0].worms().flit_hops(), watch.networks()[0].journeys().to_vec());
        for cycle in [250, 599, 600] {
            [&mut before, &mut after].into_iter().for_each(|watch| seek(watch, cycle));
            assert_eq!(seen(&before), seen(&after), "{cycle}");
        }
        seek(&mut after, 900);
        let worms = after.networks()[0].worms();
        let found = worms.transition().unwrap();
        assert!(found.cut > 0 && found.resent == found.cut + found.undrained, "{found:?}");
        // Every message still in the network has a path without gaps.
        for journey in after.networks()[0].journeys() {
            let ends = journey.hops.iter().map(|hop| worms.mesh().neighbor(hop.from, hop.choice.port));
            let starts = journey.hops.iter().skip(1).map(|hop| Some(hop.from));
            assert!(starts.zip(ends).all(|(from, to)| from == to), "{journey:?}");
        }
    }

    /// A watch that takes the states of another one continues as one from cycle 0 does: after a fault
    /// is added, a second one in the same cycle, and after both are taken back.
    #[test]
    fn resumed_runs_equal_runs_from_the_start() {
        let base = "net=mesh:8x8&faults=none&break=2.3&route=f-cube4,e-cube&switch=wormhole&load=0.5";
        let texts = ["", "&later=400:1.6,600:5.4", "&later=400:1.6,600:5.4,600:6.6", "&later=400:1.6,2000:2.6", ""];
        let texts = texts.map(|later| [base, later].concat());
        let experiment = |text: &str| text.parse::<Experiment>().unwrap();
        let mut before = watch(&texts[0]);
        seek(&mut before, 600);
        for (texts, cycles) in
            texts.windows(2).zip([[600, 605, 300], [600, 2100, 399], [1999, 2400, 0], [900, 3000, 64]])
        {
            let cycle = common_past(&experiment(&texts[0]), &experiment(&texts[1])).unwrap();
            let mut resumed = WormWatch::new(&experiment(&texts[1])).unwrap();
            let known = Some(before.now()).filter(|&now| now <= cycle);
            resumed.resume_from(&mut before, cycle);
            assert!(known.is_none_or(|now| resumed.end() >= now), "{}", texts[1]);
            let mut fresh = watch(&texts[1]);
            for cycle in cycles {
                while resumed.end() < cycle && resumed.work(1 << 20) {}
                [&mut resumed, &mut fresh].into_iter().for_each(|watch| seek(watch, cycle));
                for (one, other) in resumed.networks().iter().zip(fresh.networks()) {
                    assert_eq!((one.worms().cycle(), one.worms().onsets()), (cycle, other.worms().onsets()));
                    assert_eq!(one.worms().transition(), other.worms().transition());
                    assert_eq!(
                        (one.journeys(), one.channel_utilization()),
                        (other.journeys(), other.channel_utilization())
                    );
                }
            }
            let history = |watch: &WormWatch| watch.networks()[0].timeline.history().clone();
            let (one, other) = (history(&resumed), history(&fresh));
            assert!(
                one.interval != other.interval || one.points().zip(other.points()).all(|(one, other)| one == other)
            );
            before = resumed;
        }
        let other = experiment(&texts[0].replace("load=0.5", "load=0.4"));
        assert_eq!(common_past(&experiment(&texts[0]), &other), None);
    }

    #[test]
    fn deadlock_is_found_ahead() {
        let mut watch = watch("net=mesh:6x6&faults=none&break=2.2&route=f-cube1,f-cube2&switch=wormhole&vc=2&load=1");
        let end = watch.networks()[0].timeline.end().unwrap();
        assert!(watch.networks()[1].known_outcome().is_none() && watch.end() > end);
        assert_eq!(watch.deadlock_until(watch.end()), Some(end));
        seek(&mut watch, end);
        let network = &watch.networks()[0];
        let deadlock = network.worms().outcome().unwrap();
        assert_eq!(network.default_followed(), Some(deadlock.cycle[0].number));
    }
}
