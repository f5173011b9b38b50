//! The network of worms, cycle by cycle.

use std::sync::Arc;

use super::flits::Flits;
use super::message::{Message, Source, Waiting};
use super::pick::any_of;
use super::{Arbitration, WormDeadlock, WormError, WormObserver, WormTerms};
use crate::fault::BlockFaults;
use crate::random::{Generator, Key};
use crate::switching::Engine;
use crate::topology::{Mesh, NodeId};
use crate::traffic::{CycleArrivals, LiveNodes};

/// A mesh in which messages move as worms (Boppana & Chalasani section V); the phases of a cycle are those of the module.
///
/// What is generated does not depend on the routing: networks of the same key, faults, pattern, load and length see the
/// same messages. A clone goes on as the original does.
///
/// Stepped by hand:
///
/// ```
/// use std::sync::Arc;
///
/// use faultlab::fault::BlockFaults;
/// use faultlab::random::Key;
/// use faultlab::routing::find;
/// use faultlab::switching::{WormTerms, Worms};
/// use faultlab::topology::Mesh;
///
/// let routing = find("e-cube")?.worm.clone().expect("it sends worms");
/// let faults = BlockFaults::new(Mesh::new(8, 8).expect("a mesh"), &[], &[]);
/// let terms = WormTerms { load: 0.2, ..WormTerms::new(routing) };
/// let mut worms = Worms::new(terms, Arc::new(faults), Key::from_seed(1)).map_err(|problem| problem.to_string())?;
/// for _ in 0..1000 {
///     worms.step(&mut ());
/// }
/// assert_eq!(worms.cycle(), 1000);
/// // Whatever was generated has arrived, is on its way, or was above the injection limit.
/// assert_eq!(worms.generated(), worms.delivered() + worms.in_flight() + worms.discarded());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Worms {
    pub(super) terms: WormTerms,
    pub(super) faults: Arc<BlockFaults>,
    pub(super) arrivals: CycleArrivals,
    /// What is generated in this cycle.
    pub(super) letters: Vec<(NodeId, Option<NodeId>)>,
    /// Draws the choices of headers and who is asked first.
    pub(super) generator: Generator,
    /// Draws what random arbitration picks.
    arbiter: Generator,
    pub(super) flits: Flits,
    /// For each channel, the idle virtual channels, one bit each; behind them, one for headers with many choices.
    pub(super) idle: Vec<u32>,
    /// The virtual channels that are lent to any class.
    pub(super) pool: u32,
    /// For each lane of a channel, the class that it was taken as.
    pub(super) labels: Vec<u8>,
    /// For each channel, the node to which it leads.
    pub(super) heads: Vec<u32>,
    /// For each channel, the flits that have crossed it, of messages whose tails have too.
    pub(super) carried: Vec<u64>,
    pub(super) sources: Vec<Source>,
    pub(super) messages: Vec<Message>,
    /// Slots without a message.
    pub(super) unused: Vec<u32>,
    /// Slots of messages whose headers have come to a node and have not been told what they may ask for.
    pub(super) arrived: Vec<u32>,
    /// Headers that wait, the oldest wait first.
    pub(super) waiting: Vec<Waiting>,
    pub(super) cycle: u64,
    pub(super) tally: Tally,
    outcome: Option<WormDeadlock>,
}

/// What has happened since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) generated: u64,
    pub(super) discarded: u64,
    pub(super) delivered: u64,
    pub(super) lost: u64,
    pub(super) flit_hops: u64,
}

impl Worms {
    /// Cycles after which a waiting header makes a search for a deadlock worth while, and between such searches.
    const PATIENCE: u64 = 1024;

    /// The network at cycle 0, empty, among `faults`; `key` stands for all its chance. Cost: time and memory in proportion
    /// to the virtual channels.
    ///
    /// # Errors
    /// What of the terms is out of range.
    pub fn new(terms: WormTerms, faults: Arc<BlockFaults>, key: Key) -> Result<Self, WormError> {
        let mesh = faults.mesh();
        terms.check(mesh)?;
        let live = LiveNodes::from_flags(mesh.all().map(|node| faults.takes_part(node)));
        let channels = mesh.channels();
        let all = u32::MAX >> (32 - terms.virtual_channels);
        let flits = Flits::new(channels, terms.virtual_channels, terms.buffer, terms.length);
        let head = |channel| {
            let (node, port) = mesh.channel_ends(channel);
            mesh.neighbor(node, port).unwrap_or(node).0 as u32
        };
        let pool = all & u32::MAX.checked_shl(terms.routing.classes(mesh).into()).unwrap_or(0);
        Ok(Self {
            arrivals: CycleArrivals::new(mesh, terms.pattern, live, terms.probability(mesh), key.named("traffic")),
            letters: Vec::new(),
            generator: key.named("routing").generator(),
            arbiter: key.named("arbitration").generator(),
            idle: vec![all; channels as usize + 1],
            pool,
            terms,
            labels: vec![0; flits.nowhere() as usize],
            flits,
            heads: (0..channels).map(head).collect(),
            carried: vec![0; channels as usize],
            sources: vec![Source::IDLE; mesh.nodes() as usize],
            messages: Vec::new(),
            unused: Vec::new(),
            arrived: Vec::new(),
            waiting: Vec::new(),
            cycle: 0,
            tally: Tally::default(),
            outcome: None,
            faults,
        })
    }

    /// What the network was made of.
    pub fn terms(&self) -> &WormTerms {
        &self.terms
    }

    /// The faults.
    pub fn faults(&self) -> &BlockFaults {
        &self.faults
    }

    /// The network.
    pub fn mesh(&self) -> Mesh {
        self.faults.mesh()
    }

    /// The number of cycles that have passed: the number of the next one.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The number of messages generated so far, discarded ones included: the next one's number.
    pub fn generated(&self) -> u64 {
        self.tally.generated
    }

    /// The number of messages discarded so far.
    pub fn discarded(&self) -> u64 {
        self.tally.discarded
    }

    /// The number of messages delivered so far.
    pub fn delivered(&self) -> u64 {
        self.tally.delivered
    }

    /// The number of messages lost so far.
    pub fn lost(&self) -> u64 {
        self.tally.lost
    }

    /// The number of messages in the network and in the queues of sources.
    pub fn in_flight(&self) -> u64 {
        (self.messages.len() - self.unused.len()) as u64
    }

    /// The number of times that a flit has crossed a channel.
    pub fn flit_hops(&self) -> u64 {
        self.tally.flit_hops
    }

    /// The nodes that send and receive.
    pub fn live(&self) -> &LiveNodes {
        self.arrivals.live()
    }

    /// The deadlock in which the network has come to an end; `None` while it runs.
    pub fn outcome(&self) -> Option<&WormDeadlock> {
        self.outcome.as_ref()
    }

    /// Lets one cycle pass; nothing happens any more after a deadlock.
    #[inline]
    pub fn step(&mut self, observer: &mut impl WormObserver) {
        if self.outcome.is_some() {
            return;
        }
        self.generate(observer);
        self.decide(observer);
        self.allocate(observer);
        let moved = self.pick();
        let news = self.flits.advance(moved);
        self.tally.flit_hops += moved as u64;
        for index in 0..news {
            self.settle(self.flits.new_in(index), observer);
        }
        self.cycle += 1;
        if let Some(first) = self.waiting.first()
            && (moved == 0 || self.cycle.is_multiple_of(Self::PATIENCE))
        {
            let since = self.messages[first.slot as usize].since;
            if moved == 0 || self.cycle - since >= Self::PATIENCE {
                self.outcome = self.find_deadlock();
            }
        }
    }

    /// Picks a virtual channel for every channel; how many have one.
    #[inline]
    fn pick(&mut self) -> usize {
        let (messages, arbiter) = (&self.messages, &mut self.arbiter);
        match self.terms.arbitration {
            Arbitration::RoundRobin => self.flits.pick_in_turn(),
            Arbitration::Random => self.flits.pick_by(|_, _, ready| any_of(ready, arbiter)),
            Arbitration::Oldest => self.flits.pick_by(|flits, first, ready| {
                let number = |v: &u32| messages[flits.owner(first | *v) as usize].number;
                (0..32).filter(|v| ready >> v & 1 == 1).min_by_key(number).unwrap_or(0)
            }),
        }
    }

    /// The flits that have crossed each channel since the start, by the channel's number.
    pub fn carried(&self) -> Vec<u64> {
        let virtual_channels = u32::from(self.terms.virtual_channels);
        let crossed = |channel: u32| {
            let lanes = (0..virtual_channels).map(|v| self.flits.crossed(self.flits.lane(channel, v)));
            lanes.map(u64::from).sum::<u64>()
        };
        (0u32..).zip(&self.carried).map(|(channel, whole)| whole + crossed(channel)).collect()
    }

    /// What the network takes in memory, in bytes.
    pub fn footprint(&self) -> usize {
        let words = 4 * (self.unused.capacity() + self.arrived.capacity());
        let tables = 4 * (self.idle.capacity() + self.heads.capacity()) + 8 * self.carried.capacity();
        let messages = size_of::<Message>() * self.messages.capacity() + size_of::<Waiting>() * self.waiting.capacity();
        let sources = size_of::<Source>() * self.sources.capacity() + self.labels.capacity();
        size_of::<Self>() + self.flits.footprint() + self.arrivals.footprint() + words + tables + messages + sources
    }
}

/// Watched by nobody; it counts the messages in the network and in the queues of sources.
impl Engine for Worms {
    type Time = u64;

    fn now(&self) -> u64 {
        self.cycle
    }

    fn next(&self) -> u64 {
        if self.outcome.is_some() { u64::MAX } else { self.cycle + 1 }
    }

    fn step(&mut self) {
        Self::step(self, &mut ());
    }

    fn ended(&self) -> bool {
        self.outcome.is_some()
    }

    fn weight(&self) -> u64 {
        self.footprint() as u64
    }

    fn gauge(&self) -> u64 {
        self.in_flight()
    }
}
