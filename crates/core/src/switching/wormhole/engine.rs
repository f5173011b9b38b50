//! Cycle-driven simulator of a wormhole-switched mesh.

pub(super) mod deadlock;

use std::sync::Arc;

use super::flits::{Flits, SlotLengths, random_set_bit};
use super::message::{PendingRequest, SourceState, WormMessage};
use super::schedule::ScheduleProgress;
use super::transition::Transition;
use super::{Arbitration, WormDeadlock, WormError, WormObserver, WormholeConfig};
use crate::fault::BlockFaults;
use crate::random::{Generator, Key};
use crate::switching::Engine;
use crate::topology::{Mesh, NodeId};
use crate::traffic::{BernoulliArrivals, LiveNodes};

/// A mesh in which messages move as worms (Boppana & Chalasani section V).
///
/// The documentation of the module describes the phases of a cycle.
///
/// Generated traffic does not depend on the routing: networks with equal key, faults, pattern, load
/// and lengths get the same messages. A clone continues as the original does.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
///
/// use faultlab_core::fault::BlockFaults;
/// use faultlab_core::random::Key;
/// use faultlab_core::routing::find;
/// use faultlab_core::switching::{WormholeConfig, WormholeNetwork};
/// use faultlab_core::topology::Mesh;
///
/// let routing = find("e-cube")?.worm.clone().expect("e-cube routes worms");
/// let faults = BlockFaults::new(Mesh::new(8, 8).expect("a mesh"), &[], &[]);
/// let config = WormholeConfig { load: 0.2, ..WormholeConfig::new(routing) };
/// let mut worms = WormholeNetwork::new(config, Arc::new(faults), Key::from_seed(1))?;
/// for _ in 0..1000 {
///     worms.step(&mut ());
/// }
/// assert_eq!(worms.cycle(), 1000);
/// // Every generated message has arrived, is in flight, or exceeded the injection limit.
/// assert_eq!(worms.generated(), worms.delivered() + worms.in_flight() + worms.discarded());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WormholeNetwork {
    pub(super) config: WormholeConfig,
    pub(super) faults: Arc<BlockFaults>,
    pub(super) arrivals: BernoulliArrivals,
    /// Messages generated in this cycle.
    pub(super) new_arrivals: Vec<(NodeId, Option<NodeId>)>,
    /// Random generator of the lengths of messages, if they differ.
    pub(super) length_generator: Generator,
    /// Random generator of the headers' choices and of the order of VC allocation.
    pub(super) generator: Generator,
    /// Random generator of random arbitration.
    arbiter: Generator,
    pub(super) flits: Flits,
    /// Mask of the virtual channels in the pool, which any class may use.
    pub(super) pool_mask: u32,
    /// End node of each channel.
    pub(super) channel_ends: Vec<u32>,
    /// Number of flits of the messages whose tails have crossed each channel.
    pub(super) carried: Vec<u64>,
    pub(super) sources: Vec<SourceState>,
    pub(super) messages: Vec<WormMessage>,
    /// Slots without a message.
    pub(super) unused: Vec<u32>,
    /// Slots of messages whose headers have reached a node and await route computation.
    pub(super) awaiting_route: Vec<u32>,
    /// Waiting headers, longest wait first.
    pub(super) vc_requests: Vec<PendingRequest>,
    pub(super) cycle: u64,
    pub(super) tally: Counters,
    outcome: Option<WormDeadlock>,
    /// Faults that arrive while messages move.
    pub(super) transition: Option<Box<Transition>>,
    /// Progress of the scheduled messages.
    pub(super) schedule: Option<Box<ScheduleProgress>>,
}

/// Counters of events since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters {
    pub(super) generated: u64,
    pub(super) discarded: u64,
    pub(super) delivered: u64,
    pub(super) lost: u64,
    pub(super) flit_hops: u64,
}

impl WormholeNetwork {
    /// Cycles of waiting after which the engine searches for a deadlock, and interval between
    /// searches.
    const DEADLOCK_CHECK_INTERVAL: u64 = 1024;

    /// Creates the empty network at cycle 0, among `faults`. `key` determines all random choices.
    ///
    /// Cost: time and memory proportional to the virtual channels.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(config: WormholeConfig, faults: Arc<BlockFaults>, key: Key) -> Result<Self, WormError> {
        config.check(faults.mesh())?;
        let is_sparse = config.is_sparse(faults.mesh());
        Ok(Self::with_layout(config, faults, key, is_sparse))
    }

    /// Creates the network as `new` does, from validated parameters. `is_sparse` selects the sparse
    /// table layout; results are identical.
    fn with_layout(config: WormholeConfig, faults: Arc<BlockFaults>, key: Key, is_sparse: bool) -> Self {
        let mesh = faults.mesh();
        let live = LiveNodes::from_flags(mesh.iter_nodes().map(|node| faults.is_member(node)));
        let channels = mesh.channel_table_size();
        let all = u32::MAX >> (32 - config.virtual_channels);
        let lengths = SlotLengths::new(config.shortest(), config.longest());
        let flits = Flits::new(channels, config.virtual_channels, config.buffer_size(), lengths, is_sparse);
        let head = |channel| {
            let (node, port) = mesh.channel_ends(channel);
            mesh.neighbor(node, port).unwrap_or(node).0 as u32
        };
        let pool = all & u32::MAX.checked_shl(config.routing.vc_classes(mesh).into()).unwrap_or(0);
        Self {
            arrivals: BernoulliArrivals::new(
                mesh,
                config.pattern.clone(),
                live,
                config.arrivals,
                config.probability(mesh),
                key.named("traffic"),
            ),
            new_arrivals: Vec::new(),
            length_generator: key.named("lengths").generator(),
            generator: key.named("routing").generator(),
            arbiter: key.named("arbitration").generator(),
            pool_mask: pool,
            schedule: config.schedule.clone().map(|schedule| Box::new(ScheduleProgress::new(schedule))),
            config,
            flits,
            channel_ends: (0..channels).map(head).collect(),
            carried: vec![0; channels as usize],
            sources: vec![SourceState::IDLE; mesh.nodes() as usize],
            messages: Vec::new(),
            unused: Vec::new(),
            awaiting_route: Vec::new(),
            vc_requests: Vec::new(),
            cycle: 0,
            tally: Counters::default(),
            outcome: None,
            transition: None,
            faults,
        }
    }

    /// Returns the configuration of the network.
    pub fn config(&self) -> &WormholeConfig {
        &self.config
    }

    /// Returns the faults.
    pub fn faults(&self) -> &BlockFaults {
        &self.faults
    }

    /// Returns the topology of the network.
    pub fn mesh(&self) -> Mesh {
        self.faults.mesh()
    }

    /// Returns the number of cycles so far: the number of the next cycle.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Returns the number of messages generated so far, including discarded ones: the number of the
    /// next message.
    pub fn generated(&self) -> u64 {
        self.tally.generated
    }

    /// Returns the number of messages discarded so far.
    pub fn discarded(&self) -> u64 {
        self.tally.discarded
    }

    /// Returns the number of messages delivered so far.
    pub fn delivered(&self) -> u64 {
        self.tally.delivered
    }

    /// Returns the number of messages lost so far.
    pub fn lost(&self) -> u64 {
        self.tally.lost
    }

    /// Returns the number of messages in the network, in source queues, and dropped messages that their
    /// sources will send again.
    pub fn in_flight(&self) -> u64 {
        (self.messages.len() - self.unused.len()) as u64 + self.unsent()
    }

    /// Returns the number of scheduled messages that have not started.
    pub fn unstarted(&self) -> u64 {
        self.schedule.as_ref().map_or(0, |schedule| schedule.unstarted())
    }

    /// Returns whether the network is empty and no scheduled message will start: those that have
    /// not started depend on messages that were lost.
    pub fn is_complete(&self) -> bool {
        self.in_flight() == 0 && !self.schedule.as_ref().is_some_and(|schedule| schedule.has_ready())
    }

    /// Returns the number of flit transfers over channels.
    pub fn flit_hops(&self) -> u64 {
        self.tally.flit_hops
    }

    /// Returns the nodes that send and receive.
    pub fn live(&self) -> &LiveNodes {
        self.arrivals.live()
    }

    /// Returns the deadlock in which the network has ended; `None` while it runs.
    pub fn outcome(&self) -> Option<&WormDeadlock> {
        self.outcome.as_ref()
    }

    /// Simulates one cycle. Has no effect after a deadlock.
    #[inline]
    pub fn step(&mut self, observer: &mut impl WormObserver) {
        if self.outcome.is_some() {
            return;
        }
        let routes = self.transition.is_none() || self.continue_transition(observer);
        self.generate(observer);
        if routes {
            self.compute_routes(observer);
        }
        self.allocate(observer);
        let moved = self.allocate_switch();
        let entered = self.flits.advance(moved);
        self.tally.flit_hops += moved as u64;
        for index in 0..entered {
            self.handle_flit_end(self.flits.new_in(index), observer);
        }
        self.cycle += 1;
        if let Some(first) = self.vc_requests.first()
            && (moved == 0 || self.cycle.is_multiple_of(Self::DEADLOCK_CHECK_INTERVAL))
        {
            let since = self.messages[first.slot as usize].since;
            if moved == 0 || self.cycle - since >= Self::DEADLOCK_CHECK_INTERVAL {
                self.outcome = self.find_deadlock();
            }
        }
    }

    /// Performs switch allocation: selects a virtual channel for every channel.
    ///
    /// Returns the number of channels with a selection.
    #[inline]
    fn allocate_switch(&mut self) -> usize {
        let (messages, arbiter) = (&self.messages, &mut self.arbiter);
        match self.config.arbitration {
            Arbitration::RoundRobin => self.flits.pick_in_turn(),
            Arbitration::Random => self.flits.select_by(|_, _, ready| random_set_bit(ready, arbiter)),
            Arbitration::Oldest => self.flits.select_by(|flits, first, ready| {
                let number = |v: &u32| messages[flits.owner(first | *v) as usize].number;
                (0..32).filter(|v| ready >> v & 1 == 1).min_by_key(number).unwrap_or(0)
            }),
        }
    }

    /// Returns the number of flits that have crossed each channel since the start, by channel
    /// number.
    pub fn carried(&self) -> Vec<u64> {
        (0..self.mesh().channel_table_size()).map(|channel| self.carried_by(channel)).collect()
    }

    /// Returns the number of flits that have crossed a channel since the start.
    pub fn carried_by(&self, channel: u32) -> u64 {
        let crossed: u64 = self.held_lanes(channel).map(|lane| u64::from(self.flits.crossed(lane))).sum();
        self.carried.get(channel as usize).map_or(0, |whole| whole + crossed)
    }

    /// Returns the memory used by the network, in bytes.
    pub fn footprint(&self) -> usize {
        let words = 4 * (self.unused.capacity() + self.awaiting_route.capacity());
        let tables = 4 * self.channel_ends.capacity() + 8 * self.carried.capacity();
        let messages = size_of::<WormMessage>() * self.messages.capacity()
            + size_of::<PendingRequest>() * self.vc_requests.capacity();
        let sources = size_of::<SourceState>() * self.sources.capacity();
        let schedule = self.schedule.as_ref().map_or(0, |schedule| schedule.footprint());
        size_of::<Self>()
            + schedule
            + self.flits.footprint()
            + self.arrivals.footprint()
            + words
            + tables
            + messages
            + sources
    }
}

/// Steps without an observer. The gauge is the number of messages in the network and in source
/// queues.
impl Engine for WormholeNetwork {
    type Time = u64;

    fn current_time(&self) -> u64 {
        self.cycle
    }

    fn next_time(&self) -> u64 {
        if self.outcome.is_some() { u64::MAX } else { self.cycle + 1 }
    }

    fn step(&mut self) {
        Self::step(self, &mut ());
    }

    fn has_ended(&self) -> bool {
        self.outcome.is_some()
    }

    fn size_bytes(&self) -> u64 {
        self.footprint() as u64
    }

    fn gauge_value(&self) -> u64 {
        self.in_flight()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::random::below;
    use crate::routing::find;
    use crate::switching::{Injection, WormDelivery};
    use crate::topology::Link;
    use crate::traffic::{MessageLengths, NamedPermutation, Pattern};

    #[derive(Debug, Default, PartialEq)]
    struct Deliveries(Vec<WormDelivery>);

    impl WormObserver for Deliveries {
        fn delivered(&mut self, message: &WormDelivery) {
            self.0.push(*message);
        }
    }

    /// Returns the observable state of a network.
    fn state(worms: &WormholeNetwork) -> impl PartialEq + std::fmt::Debug + use<> {
        let mut messages: Vec<_> = worms
            .messages()
            .map(|it| (it.number(), it.header_node(), it.at_source(), it.consumed(), it.holds()))
            .collect();
        messages.sort_by_key(|message| message.0);
        let sums = [worms.generated(), worms.discarded(), worms.delivered(), worms.lost(), worms.flit_hops()];
        (sums, worms.carried(), messages, worms.outcome().cloned())
    }

    fn random_network(generator: &mut Generator) -> (WormholeConfig, Arc<BlockFaults>) {
        let mesh = Mesh::new(2 + below(generator, 7) as u16, 2 + below(generator, 7) as u16).unwrap();
        let mut one_of = |bound: u32| below(generator, bound);
        let routing = ["e-cube", "f-cube2", "lh2", "f-cube1", "f-cube2-either"][one_of(5) as usize];
        let routing = find(routing).unwrap().worm.clone().unwrap();
        let classes = routing.vc_classes(mesh);
        let config = WormholeConfig {
            virtual_channels: (classes + one_of(13) as u8).min(16),
            buffer: 1 + one_of(4) as u8,
            length: MessageLengths::parse(["1", "2", "7", "20", "256", "1:1,2:1,9:1", "3:2,256:1"][one_of(7) as usize])
                .unwrap(),
            load: [0.1, 0.4, 2.0][one_of(3) as usize],
            pattern: [Pattern::Uniform, Pattern::Named(NamedPermutation::Complement)][one_of(2) as usize].clone(),
            ..WormholeConfig::new(routing)
        };
        let links: Vec<Link> = mesh.iter_links().collect();
        let links: Vec<_> = (0..one_of(3)).map(|_| links[one_of(links.len() as u32) as usize]).collect();
        let nodes: Vec<_> = (0..one_of(4)).map(|_| NodeId(u64::from(one_of(mesh.nodes())))).collect();
        (config, Arc::new(BlockFaults::new(mesh, &nodes, &links)))
    }

    #[test]
    fn sparse_layout_gives_identical_states_and_deliveries() {
        let generator = &mut Key::from_seed(1).generator();
        let (mut deliveries, mut deadlocks) = (0, 0);
        for seed in 0..200 {
            let (config, faults) = random_network(generator);
            let of = |is_sparse| {
                WormholeNetwork::with_layout(config.clone(), faults.clone(), Key::from_seed(seed), is_sparse)
            };
            let (mut all, mut few) = (of(false), of(true));
            let (mut told_all, mut told_few) = (Deliveries::default(), Deliveries::default());
            for _ in 0..60 {
                for _ in 0..10 {
                    all.step(&mut told_all);
                    few.step(&mut told_few);
                }
                assert_eq!(state(&all), state(&few), "{seed}: {config:?}");
            }
            assert_eq!(told_all, told_few, "{seed}: {config:?}");
            deliveries += told_all.0.len();
            deadlocks += usize::from(all.outcome().is_some());
        }
        assert!(deliveries > 20_000 && deadlocks > 0, "{deliveries} {deadlocks}");
    }

    #[test]
    fn views_by_channel_and_by_node_agree_with_the_messages() {
        let generator = &mut Key::from_seed(3).generator();
        let mut held = 0;
        for seed in 0..30 {
            let (config, faults) = random_network(generator);
            let mut worms = WormholeNetwork::with_layout(config, faults, Key::from_seed(seed), seed % 2 == 0);
            (0..80).for_each(|_| worms.step(&mut ()));
            let by_message = worms.messages().flat_map(|message| {
                let holds = message.holds();
                let last = holds.last().copied();
                holds
                    .into_iter()
                    .map(move |hold| (hold.channel, hold.virtual_channel, message.number(), last == Some(hold)))
            });
            let mut by_message: Vec<_> = by_message.collect();
            by_message.sort_unstable();
            let channels = || 0..worms.mesh().channel_table_size();
            let of_channel = |channel| {
                worms.holds_of(channel).map(|(hold, message)| {
                    (hold.channel, hold.virtual_channel, message.number(), message.is_foremost(hold))
                })
            };
            assert_eq!(channels().flat_map(of_channel).collect::<Vec<_>>(), by_message);
            let counts = worms.held_in(0..u32::MAX) as usize;
            assert_eq!(counts, by_message.len());
            assert_eq!(worms.holds_of(u32::MAX).count(), 0);
            let carried: u64 = worms.carried().iter().sum();
            assert_eq!(worms.carried_in(channels()), carried);
            for node in worms.mesh().iter_nodes() {
                let leaving = worms.messages().filter(|message| message.from() == node && message.at_source() > 0);
                assert_eq!(worms.leaving(node) as usize, leaving.count());
            }
            held += counts;
        }
        assert!(held > 1000, "{held}");
    }

    /// The number of compact entries stays at most one per channel, rounded up to a power of two,
    /// even if many headers wait.
    #[test]
    fn sparse_table_stays_bounded_while_headers_wait() {
        let routing = find("e-cube").unwrap().worm.clone().unwrap();
        let injection = Injection { limit: Injection::MAX_LIMIT, ..Injection::default() };
        let config = WormholeConfig { load: 4.0, injection, ..WormholeConfig::new(routing) };
        let mesh = Mesh::new(4, 4).unwrap();
        let mut worms =
            WormholeNetwork::with_layout(config, Arc::new(BlockFaults::new(mesh, &[], &[])), Key::from_seed(1), true);
        for _ in 0..2_000 {
            worms.step(&mut ());
        }
        assert!(worms.vc_requests.len() > 4 * mesh.channel_table_size() as usize);
        assert!(
            worms.flits.max_selected() <= mesh.channel_table_size().next_power_of_two() as usize,
            "{}",
            worms.flits.max_selected()
        );
    }

    #[test]
    fn sparse_layout_saves_memory_at_low_load() {
        let routing = find("e-cube").unwrap().worm.clone().unwrap();
        let config = WormholeConfig { load: 0.1, ..WormholeConfig::new(routing) };
        let mesh = Mesh::new(64, 64).unwrap();
        assert!(config.is_sparse(mesh) && !config.is_sparse(Mesh::new(16, 16).unwrap()));
        assert!(!WormholeConfig { load: 0.7, ..config.clone() }.is_sparse(mesh));
        assert!(!WormholeConfig { virtual_channels: 17, ..config.clone() }.is_sparse(mesh));
        let faults = Arc::new(BlockFaults::new(mesh, &[], &[]));
        let of = |is_sparse| {
            let mut worms = WormholeNetwork::with_layout(config.clone(), faults.clone(), Key::from_seed(1), is_sparse);
            (0..500).for_each(|_| worms.step(&mut ()));
            worms.footprint()
        };
        assert!(3 * of(true) < of(false), "{} {}", of(true), of(false));
    }
}
