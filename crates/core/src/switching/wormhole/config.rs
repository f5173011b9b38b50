//! Configuration of a wormhole-switched network: all parameters except faults and the random key.

use std::fmt;
use std::sync::Arc;

use super::flits::{CREDIT_SHIFT, SparseChannels};
use super::message::{PendingRequest, WormMessage};
use crate::names;
use crate::routing::{Shared, WormRouting};
use crate::switching::FlowControl;
use crate::topology::{Mesh, NodeId};
use crate::traffic::{ArrivalProcess, Bisection, MessageLengths, MessageSchedule, Pattern};

/// Treatment of messages generated above the injection limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InjectionPolicy {
    /// The message is discarded: the paper's policy.
    #[default]
    Discard,
    /// The message waits in a queue at its source until another message has left.
    ///
    /// The queue holds up to [`WormholeConfig::max_queue`] messages, and further messages are discarded.
    /// Without this limit, queues past saturation would grow without end.
    Queue,
}

names! {
    listed InjectionPolicy {
        Discard: "discard",
        Queue: "queue",
    }
}

/// Injection limit of a node, which prevents congestion past saturation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injection {
    /// Maximum number of messages of a node whose tails have not left it, 1 to
    /// [`Injection::MAX_LIMIT`].
    ///
    /// All messages within the limit contend for the node's channels: the source has no other
    /// bottleneck.
    pub limit: u16,
    /// Treatment of messages above the limit.
    pub policy: InjectionPolicy,
}

impl Injection {
    /// Largest limit.
    pub const MAX_LIMIT: u16 = 64;
    /// Default maximum length of a node's queue, in messages.
    pub const DEFAULT_QUEUE: u16 = 128;
}

impl Default for Injection {
    /// Returns the paper's values: a limit of three, and further messages are discarded.
    fn default() -> Self {
        Self { limit: 3, policy: InjectionPolicy::Discard }
    }
}

/// Arbitration among the virtual channels of a physical channel that have a flit to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arbitration {
    /// The next virtual channel after the last one served: the paper's arbitration.
    #[default]
    RoundRobin,
    /// The virtual channel of the message generated earliest.
    Oldest,
    /// Any virtual channel, with equal probability.
    Random,
}

names! {
    listed Arbitration {
        RoundRobin: "round-robin",
        Oldest: "oldest",
        Random: "random",
    }
}

/// Configuration of a wormhole-switched network: all parameters except faults and the random key.
#[derive(Clone)]
pub struct WormholeConfig {
    /// Routing, which decides which virtual channels a header may request.
    pub routing: Shared<dyn WormRouting>,
    /// Virtual channels per physical channel, 1 to [`WormholeConfig::MAX_VIRTUAL_CHANNELS`]: one per
    /// routing class, the rest a pool shared by all classes.
    pub virtual_channels: u8,
    /// Buffer size of a virtual channel in flits, 1 to [`WormholeConfig::MAX_BUFFER`]. The buffer is at
    /// the end node of the channel.
    pub buffer: u8,
    /// Lengths of messages in flits, 1 to [`WormholeConfig::MAX_LENGTH`].
    pub length: MessageLengths,
    /// Flow control. Except with [`FlowControl::Wormhole`] a buffer holds the longest message,
    /// whatever `buffer` is.
    pub flow: FlowControl,
    /// Injection limit and policy of a node.
    pub injection: Injection,
    /// Maximum length of a source's queue, in messages, with [`InjectionPolicy::Queue`].
    pub max_queue: u16,
    /// Arbitration among the virtual channels of a physical channel.
    pub arbitration: Arbitration,
    /// Offered load, 0 to [`WormholeConfig::MAX_LOAD`], as a fraction of the load at which uniform
    /// traffic saturates the fault-free bisection.
    pub load: f64,
    /// Traffic pattern.
    pub pattern: Pattern,
    /// Messages with their cycles and lengths, in addition to the generated ones.
    pub schedule: Option<Arc<MessageSchedule>>,
    /// Process by which each node generates messages.
    pub arrivals: ArrivalProcess,
}

impl WormholeConfig {
    /// Maximum number of virtual channels per physical channel.
    pub const MAX_VIRTUAL_CHANNELS: u8 = 32;
    /// Maximum total number of virtual channels, with each channel's count rounded up to a power of
    /// two.
    ///
    /// A virtual channel takes some 15 bytes.
    pub const MAX_TOTAL_VCS: u64 = 1 << 26;
    /// Load below which sparse tables are possible.
    const SPARSE_MAX_LOAD: f64 = 0.5;
    /// Minimum of (virtual channels) * ([`WormholeConfig::SPARSE_MAX_LOAD`] - load) for sparse
    /// tables.
    ///
    /// Tables are then sparse for 64 x 64 nodes with eight virtual channels up to a load of 0.25,
    /// for 128 x 128 nodes up to 0.43.
    const SPARSE_MIN_IDLE_VCS: f64 = 32_768.0;
    /// Largest buffer, in flits.
    pub const MAX_BUFFER: u8 = 16;
    /// Longest message, in flits.
    pub const MAX_LENGTH: u16 = MessageLengths::LONGEST;
    /// Largest load.
    pub const MAX_LOAD: f64 = 4.0;

    /// Creates a configuration with the paper's values and uniform traffic at 70% of saturation.
    pub fn new(routing: Shared<dyn WormRouting>) -> Self {
        Self {
            routing,
            virtual_channels: 8,
            buffer: 2,
            length: MessageLengths::Fixed(20),
            flow: FlowControl::Wormhole,
            injection: Injection::default(),
            max_queue: Injection::DEFAULT_QUEUE,
            arbitration: Arbitration::RoundRobin,
            load: 0.7,
            pattern: Pattern::Uniform,
            schedule: None,
            arrivals: ArrivalProcess::Bernoulli,
        }
    }

    /// Returns the shortest length of a message, in flits.
    pub fn shortest(&self) -> u16 {
        self.schedule.as_ref().map_or(u16::MAX, |schedule| schedule.shortest()).min(self.length.shortest())
    }

    /// Returns the longest length of a message, in flits.
    pub fn longest(&self) -> u16 {
        self.schedule.as_ref().map_or(0, |schedule| schedule.longest()).max(self.length.longest())
    }

    /// Returns the size of a buffer in flits: the longest message, except with wormhole flow
    /// control.
    pub fn buffer_size(&self) -> u8 {
        match self.flow {
            FlowControl::Wormhole => self.buffer,
            FlowControl::CutThrough | FlowControl::StoreAndForward => self.longest() as u8,
        }
    }

    /// Returns the time that the longest message alone takes across a network of this diameter, in
    /// cycles.
    pub fn time_alone(&self, diameter: u32) -> u64 {
        let (hops, length) = (u64::from(diameter), u64::from(self.longest()));
        if self.flow == FlowControl::StoreAndForward { hops * length } else { hops + length }
    }

    /// Returns the longest message, in flits; a buffer has at most 255.
    const fn max_length(&self) -> u16 {
        match self.flow {
            FlowControl::Wormhole => Self::MAX_LENGTH,
            FlowControl::CutThrough | FlowControl::StoreAndForward => Self::MAX_LENGTH - 1,
        }
    }

    /// Returns the probability that a node generates a message in a cycle, independent of faults.
    ///
    /// The probability is the load times the saturation rate of the bisection of `mesh`, divided by
    /// the mean message length. A value of at least 1 means one message in every cycle. With arrivals
    /// other than [`ArrivalProcess::Bernoulli`] it is the mean number of messages in a cycle.
    pub fn probability(&self, mesh: Mesh) -> f64 {
        self.load * Bisection::new(mesh).saturation_load() / self.length.mean()
    }

    /// Returns the mean number of messages that a node generates in a cycle, independent of faults:
    /// at most 1 by a Bernoulli process.
    pub fn messages_per_cycle(&self, mesh: Mesh) -> f64 {
        let mean = self.probability(mesh);
        if self.arrivals == ArrivalProcess::Bernoulli { mean.min(1.0) } else { mean }
    }

    /// Returns the probability that a node generates a message in a cycle of a burst, with the load
    /// of the configuration.
    pub fn burst_probability(&self, mesh: Mesh) -> f64 {
        self.probability(mesh) * self.arrivals.peak_to_mean()
    }

    /// Returns whether the nodes generate at most one message in a cycle of a burst.
    pub fn has_possible_bursts(&self, mesh: Mesh) -> bool {
        // The product may exceed 1 by rounding.
        !matches!(self.arrivals, ArrivalProcess::Bursts { .. }) || self.burst_probability(mesh) <= 1.0 + 1e-9
    }

    /// Returns the memory of the network on `mesh`, in bytes: initially, and at most.
    ///
    /// `faulty` is true if anything is faulty. Initially the network has the tables of virtual
    /// channels, channels and nodes. The maximum also includes messages: as many as the sources
    /// admit, and as many in the network as fill all buffers.
    ///
    /// Messages of uniform traffic at no more than half the saturation load, without faults, do not
    /// accumulate. The estimate is then the number of messages generated in four times the latency
    /// of a message alone (Little's law).
    pub fn memory(&self, mesh: Mesh, faulty: bool) -> (f64, f64) {
        let (nodes, channels) = (f64::from(mesh.nodes()), f64::from(mesh.channel_table_size()));
        let lanes = self.lanes(mesh) as f64;
        let queue = if self.injection.policy == InjectionPolicy::Queue { self.max_queue } else { 0 };
        let at_source = f64::from(self.injection.limit) + f64::from(queue);
        let filling = lanes * (2.0 * f64::from(self.buffer_size()) / f64::from(self.shortest())).min(1.0);
        let alone = f64::from(mesh.diameter()) + f64::from(self.longest());
        let has_bursts = matches!(self.arrivals, ArrivalProcess::Bursts { .. });
        let is_calm = self.load <= 0.5 && !faulty && self.pattern == Pattern::Uniform && !has_bursts;
        let messages = match is_calm {
            _ if self.schedule.is_some() && self.load == 0.0 => {
                self.schedule.as_ref().map_or(0.0, |schedule| schedule.messages().len() as f64)
            }
            true => nodes * (self.probability(mesh) * 4.0 * alone).min(at_source),
            false => nodes * (at_source + 1.0) + filling,
        };
        // A full table is copied to one of twice its size.
        let slots = (messages as u64).next_power_of_two() as f64
            * 1.5
            * (size_of::<WormMessage>() + size_of::<PendingRequest>()) as f64;
        let of_node = if faulty { 640.0 } else { 160.0 };
        if self.is_sparse(mesh) {
            // While tables double, the old tables exist beside the new ones.
            let indices = (self.expected_sparse_channels(mesh, is_calm) as u64)
                .next_power_of_two()
                .max(SparseChannels::FIRST) as f64;
            let of_index = 1.5 * (15.0 * f64::from(self.virtual_channels) + 32.0);
            return (16.0 * channels + 48.0 * nodes, 32.0 * channels + of_node * nodes + slots + of_index * indices);
        }
        (14.0 * lanes + 24.0 * channels + 48.0 * nodes, 17.0 * lanes + 64.0 * channels + of_node * nodes + slots)
    }

    /// Returns whether the network uses sparse tables, because few of its many channels will have
    /// owners (`docs/speed.md`).
    pub(super) fn is_sparse(&self, mesh: Mesh) -> bool {
        let fits = SparseChannels::IS_AVAILABLE
            && u32::from(self.virtual_channels) <= CREDIT_SHIFT
            && self.arbitration == Arbitration::RoundRobin;
        fits && self.lanes(mesh) as f64 * (Self::SPARSE_MAX_LOAD - self.load) >= Self::SPARSE_MIN_IDLE_VCS
    }

    /// Returns an estimate of the number of channels that have owners at the same time.
    ///
    /// A message owns a channel while its flits cross, one per cycle, plus some cycles before and
    /// after. All channels count if traffic is heavy or not uniform, or if there are faults.
    fn expected_sparse_channels(&self, mesh: Mesh, is_calm: bool) -> f64 {
        let messages = f64::from(mesh.nodes()) * self.probability(mesh).min(1.0);
        let owned = messages * mesh.mean_distance() * (self.length.mean() + 4.0);
        let channels = f64::from(mesh.channel_table_size());
        if is_calm { (1.2 * owned).min(channels) } else { channels }
    }

    /// Returns the total number of virtual channels, with each channel's count rounded up to a
    /// power of two.
    fn lanes(&self, mesh: Mesh) -> u64 {
        u64::from(mesh.channel_table_size()) * u64::from(self.virtual_channels.next_power_of_two())
    }

    /// Returns the nodes of the scheduled messages.
    fn scheduled_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.schedule.iter().flat_map(|schedule| schedule.nodes())
    }

    /// Checks that all parameters are in range on `mesh`.
    pub(super) fn check(&self, mesh: Mesh) -> Result<(), WormError> {
        let (channels, classes) = (self.virtual_channels, self.routing.vc_classes(mesh));
        let lanes = self.lanes(mesh);
        if lanes > Self::MAX_TOTAL_VCS {
            Err(WormError::TooManyVirtualChannels(lanes))
        } else if channels > Self::MAX_VIRTUAL_CHANNELS || channels < classes.max(1) {
            Err(WormError::VirtualChannels { channels, classes })
        } else if !(1..=Self::MAX_BUFFER).contains(&self.buffer) {
            Err(WormError::Buffer(self.buffer))
        } else if self.length.shortest() == 0 {
            Err(WormError::Length(0))
        } else if self.longest() > self.max_length() {
            Err(WormError::Length(self.longest()))
        } else if !(1..=Injection::MAX_LIMIT).contains(&self.injection.limit) {
            Err(WormError::Limit(self.injection.limit))
        } else if !(0.0..=Self::MAX_LOAD).contains(&self.load) {
            Err(WormError::Load(self.load))
        } else if !self.pattern.is_defined_on(mesh) {
            Err(WormError::Pattern(self.pattern.clone()))
        } else if let Some(node) = self.scheduled_nodes().find(|&node| !mesh.contains(node)) {
            Err(WormError::Node(node))
        } else if let ArrivalProcess::Bursts { on, off } = self.arrivals
            && !(on >= 1.0 && off >= 1.0 && self.has_possible_bursts(mesh))
        {
            Err(WormError::Arrivals(self.arrivals))
        } else {
            Ok(())
        }
    }
}

impl fmt::Debug for WormholeConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WormholeConfig")
            .field("virtual_channels", &self.virtual_channels)
            .field("buffer", &self.buffer)
            .field("length", &self.length)
            .field("flow", &self.flow)
            .field("injection", &self.injection)
            .field("queue", &self.max_queue)
            .field("arbitration", &self.arbitration)
            .field("load", &self.load)
            .field("pattern", &self.pattern)
            .field("schedule", &self.schedule)
            .field("arrivals", &self.arrivals)
            .finish()
    }
}

/// Error in the configuration of a wormhole-switched network.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WormError {
    /// Too many virtual channels, or fewer than the algorithm has classes.
    VirtualChannels {
        /// The configured number of virtual channels.
        channels: u8,
        /// The number of classes of the algorithm.
        classes: u8,
    },
    /// The total number of virtual channels exceeds [`WormholeConfig::MAX_TOTAL_VCS`].
    TooManyVirtualChannels(u64),
    /// The buffer has this size in flits, which is 0 or too large.
    Buffer(u8),
    /// The message has this length in flits, which is 0 or too large.
    Length(u16),
    /// The injection limit is 0 or too large.
    Limit(u16),
    /// The load is negative, too large or not a number.
    Load(f64),
    /// The pattern names a node that the mesh does not have, or needs another shape of mesh.
    Pattern(Pattern),
    /// A scheduled message names this node, which the mesh does not have.
    Node(NodeId),
    /// A mean length of the bursts or pauses is below one cycle, or bursts would need more than one
    /// message in a cycle.
    Arrivals(ArrivalProcess),
}

impl fmt::Display for WormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::VirtualChannels { channels, classes } => {
                let most = WormholeConfig::MAX_VIRTUAL_CHANNELS;
                write!(f, "the algorithm requires {classes} to {most} virtual channels, not {channels}")
            }
            Self::TooManyVirtualChannels(lanes) => {
                write!(f, "a network has at most {} virtual channels, not {lanes}", WormholeConfig::MAX_TOTAL_VCS)
            }
            Self::Buffer(buffer) => write!(f, "a buffer has 1 to {} flits, not {buffer}", WormholeConfig::MAX_BUFFER),
            Self::Length(length) => write!(f, "a message has 1 to {} flits, not {length}", WormholeConfig::MAX_LENGTH),
            Self::Limit(limit) => write!(f, "the injection limit is 1 to {}, not {limit}", Injection::MAX_LIMIT),
            Self::Load(load) => write!(f, "the load {load} is not a number from 0 to {}", WormholeConfig::MAX_LOAD),
            Self::Pattern(pattern) => write!(f, "the pattern {pattern} is not defined on this mesh"),
            Self::Node(node) => write!(f, "a message names node {node}, which the mesh does not have"),
            Self::Arrivals(arrivals) => {
                write!(
                    f,
                    "{arrivals}: bursts and pauses last at least 1 cycle, and bursts have at most 1 message in a cycle"
                )
            }
        }
    }
}

impl std::error::Error for WormError {}
