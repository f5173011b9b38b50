//! What decides what happens in a network of worms, besides faults and chance.

use std::fmt;

use super::flits::{ROOM, Seats};
use super::message::{Message, Waiting};
use crate::names;
use crate::routing::{Shared, WormRouting};
use crate::topology::Mesh;
use crate::traffic::{Bisection, Pattern};

/// What becomes of a message that its source generates above the injection limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InjectionPolicy {
    /// It is discarded: the paper's.
    #[default]
    Discard,
    /// It waits at its source until a message before it has left, in a queue of up to [`WormTerms::queue`] messages; above that
    /// it is discarded too, for past saturation queues would grow without end.
    Queue,
}

names! {
    listed InjectionPolicy {
        Discard: "discard",
        Queue: "queue",
    }
}

/// How many messages a node may have on its way out at once; it keeps a network past its saturation from clogging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injection {
    /// The most messages of a node whose tails have not left it, 1 to [`Injection::MAX_LIMIT`]. They all contend for its
    /// channels: there is no other bottleneck at the source.
    pub limit: u16,
    /// What becomes of more.
    pub policy: InjectionPolicy,
}

impl Injection {
    /// The largest limit.
    pub const MAX_LIMIT: u16 = 64;
    /// The usual longest queue of a node, in messages.
    pub const USUAL_QUEUE: u16 = 128;
}

impl Default for Injection {
    /// The paper's: three, and more are discarded.
    fn default() -> Self {
        Self { limit: 3, policy: InjectionPolicy::Discard }
    }
}

/// Which of its virtual channels that have a flit to send a physical channel serves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arbitration {
    /// The next one after that it served last: the paper's.
    #[default]
    RoundRobin,
    /// That of the message generated earliest.
    Oldest,
    /// Any, with equal probability.
    Random,
}

names! {
    listed Arbitration {
        RoundRobin: "round-robin",
        Oldest: "oldest",
        Random: "random",
    }
}

/// Everything that decides what happens in the network, besides faults and chance.
#[derive(Clone)]
pub struct WormTerms {
    /// Which virtual channels a header may ask for.
    pub routing: Shared<dyn WormRouting>,
    /// Virtual channels of a physical channel, 1 to [`WormTerms::MAX_VIRTUAL_CHANNELS`]: one for each class of the
    /// algorithm, the others a pool that is lent to any class.
    pub virtual_channels: u8,
    /// Flits in the buffer of a virtual channel, at the node that it leads to; 1 to [`WormTerms::MAX_BUFFER`].
    pub buffer: u8,
    /// Flits of a message, 1 to [`WormTerms::MAX_LENGTH`].
    pub length: u16,
    /// How many messages a node may have on its way out.
    pub injection: Injection,
    /// The longest queue of a source, in messages, where messages above the injection limit wait.
    pub queue: u16,
    /// How the virtual channels of a physical channel share it.
    pub arbitration: Arbitration,
    /// What is generated, as a fraction of what uniform traffic saturates the fault-free bisection with, 0 to
    /// [`WormTerms::MAX_LOAD`].
    pub load: f64,
    /// Who sends to whom.
    pub pattern: Pattern,
}

impl WormTerms {
    /// The most virtual channels.
    pub const MAX_VIRTUAL_CHANNELS: u8 = 32;
    /// The most virtual channels of all channels together, each counted as the next power of two: some 15 bytes each.
    pub const MAX_LANES: u64 = 1 << 26;
    /// Below this load, the lower the better, and from so many virtual channels on that are not wanted at a time, channels without owners have no tables: 64 x 64
    /// nodes with eight virtual channels up to a load of 0.25, 128 x 128 up to 0.43.
    const SEATED_LOAD: f64 = 0.5;
    const SEATED_LANES: f64 = 32_768.0;
    /// The largest buffer, in flits.
    pub const MAX_BUFFER: u8 = 16;
    /// The longest message, in flits.
    pub const MAX_LENGTH: u16 = 256;
    /// The heaviest load.
    pub const MAX_LOAD: f64 = 4.0;

    /// The paper's values, and uniform traffic at 70% of saturation.
    pub fn new(routing: Shared<dyn WormRouting>) -> Self {
        Self {
            routing,
            virtual_channels: 8,
            buffer: 2,
            length: 20,
            injection: Injection::default(),
            queue: Injection::USUAL_QUEUE,
            arbitration: Arbitration::RoundRobin,
            load: 0.7,
            pattern: Pattern::Uniform,
        }
    }

    /// The probability that a node generates a message in a cycle, faults or not: the load times what saturates the
    /// bisection of `mesh`, by the message's length. From 1 on, one in every cycle.
    pub fn probability(&self, mesh: Mesh) -> f64 {
        self.load * Bisection::new(mesh).saturation() / f64::from(self.length)
    }

    /// What a network of them takes on `mesh`, in bytes: at once, and at most. Whether anything is faulty makes a difference.
    ///
    /// At once, the tables of lanes, channels and nodes. Besides, the messages: at sources as many as may be there, in the network as many as
    /// fill all buffers. Uniform traffic of at most half of what saturates the bisection, without faults, does not pile up: then as many
    /// as come while one takes four times what it would take alone (Little's law).
    pub fn memory(&self, mesh: Mesh, faulty: bool) -> (f64, f64) {
        let (nodes, channels) = (f64::from(mesh.nodes()), f64::from(mesh.channels()));
        let lanes = self.lanes(mesh) as f64;
        let queue = if self.injection.policy == InjectionPolicy::Queue { self.queue } else { 0 };
        let at_source = f64::from(self.injection.limit) + f64::from(queue);
        let filling = lanes * (2.0 * f64::from(self.buffer) / f64::from(self.length)).min(1.0);
        let alone = f64::from(mesh.diameter()) + f64::from(self.length);
        let is_calm = self.load <= 0.5 && !faulty && self.pattern == Pattern::Uniform;
        let messages = match is_calm {
            true => nodes * (self.probability(mesh) * 4.0 * alone).min(at_source),
            false => nodes * (at_source + 1.0) + filling,
        };
        // A table that has no room left is copied to one of twice its size.
        let slots =
            (messages as u64).next_power_of_two() as f64 * 1.5 * (size_of::<Message>() + size_of::<Waiting>()) as f64;
        let of_node = if faulty { 640.0 } else { 160.0 };
        if self.has_seats(mesh) {
            // While tables become twice as long, the old ones are there too.
            let seats = (self.seats_wanted(mesh, is_calm) as u64).next_power_of_two().max(Seats::FIRST) as f64;
            let of_seat = 1.5 * (15.0 * f64::from(self.virtual_channels) + 32.0);
            return (16.0 * channels + 48.0 * nodes, 32.0 * channels + of_node * nodes + slots + of_seat * seats);
        }
        (14.0 * lanes + 24.0 * channels + 48.0 * nodes, 17.0 * lanes + 64.0 * channels + of_node * nodes + slots)
    }

    /// Whether so few of so many channels will have owners at a time that only those should have tables (`docs/speed.md`).
    pub(super) fn has_seats(&self, mesh: Mesh) -> bool {
        let fits =
            Seats::EXIST && u32::from(self.virtual_channels) <= ROOM && self.arbitration == Arbitration::RoundRobin;
        fits && self.lanes(mesh) as f64 * (Self::SEATED_LOAD - self.load) >= Self::SEATED_LANES
    }

    /// The channels that have owners at a time, more or less: a flit that crosses one in each cycle, and some more cycles before the first and after the last one of
    /// a message. Of traffic that is not uniform, or takes detours, all.
    fn seats_wanted(&self, mesh: Mesh, is_calm: bool) -> f64 {
        let messages = f64::from(mesh.nodes()) * self.probability(mesh).min(1.0);
        let owned = messages * mesh.mean_distance() * (f64::from(self.length) + 4.0);
        let channels = f64::from(mesh.channels());
        if is_calm { (1.2 * owned).min(channels) } else { channels }
    }

    /// The virtual channels of all channels, of each as the next power of two.
    fn lanes(&self, mesh: Mesh) -> u64 {
        u64::from(mesh.channels()) * u64::from(self.virtual_channels.next_power_of_two())
    }

    /// What is out of range on `mesh`.
    pub(super) fn check(&self, mesh: Mesh) -> Result<(), WormError> {
        let (channels, classes) = (self.virtual_channels, self.routing.classes(mesh));
        let lanes = self.lanes(mesh);
        if lanes > Self::MAX_LANES {
            Err(WormError::Lanes(lanes))
        } else if channels > Self::MAX_VIRTUAL_CHANNELS || channels < classes.max(1) {
            Err(WormError::VirtualChannels { channels, classes })
        } else if !(1..=Self::MAX_BUFFER).contains(&self.buffer) {
            Err(WormError::Buffer(self.buffer))
        } else if !(1..=Self::MAX_LENGTH).contains(&self.length) {
            Err(WormError::Length(self.length))
        } else if !(1..=Injection::MAX_LIMIT).contains(&self.injection.limit) {
            Err(WormError::Limit(self.injection.limit))
        } else if !(0.0..=Self::MAX_LOAD).contains(&self.load) {
            Err(WormError::Load(self.load))
        } else if !self.pattern.is_on(mesh) {
            Err(WormError::Pattern(self.pattern))
        } else {
            Ok(())
        }
    }
}

impl fmt::Debug for WormTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WormTerms")
            .field("virtual_channels", &self.virtual_channels)
            .field("buffer", &self.buffer)
            .field("length", &self.length)
            .field("injection", &self.injection)
            .field("queue", &self.queue)
            .field("arbitration", &self.arbitration)
            .field("load", &self.load)
            .field("pattern", &self.pattern)
            .finish()
    }
}

/// Why there is no such network of worms.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum WormError {
    /// Too many virtual channels, or fewer than the algorithm has classes.
    VirtualChannels {
        /// Those that were asked for.
        channels: u8,
        /// The classes of the algorithm.
        classes: u8,
    },
    /// All channels together have too many virtual channels: this many.
    Lanes(u64),
    /// The buffer holds no flit, or too many: this many.
    Buffer(u8),
    /// The message has no flit, or too many: this many.
    Length(u16),
    /// The injection limit is 0 or too large.
    Limit(u16),
    /// The load is negative, too heavy or no number.
    Load(f64),
    /// The pattern names a node that the mesh does not have, or wants another shape of mesh.
    Pattern(Pattern),
}

impl fmt::Display for WormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::VirtualChannels { channels, classes } => {
                let most = WormTerms::MAX_VIRTUAL_CHANNELS;
                write!(f, "the algorithm wants {classes} to {most} virtual channels, not {channels}")
            }
            Self::Lanes(lanes) => {
                write!(f, "at most {} virtual channels in all, not {lanes}", WormTerms::MAX_LANES)
            }
            Self::Buffer(buffer) => write!(f, "a buffer holds 1 to {} flits, not {buffer}", WormTerms::MAX_BUFFER),
            Self::Length(length) => write!(f, "a message has 1 to {} flits, not {length}", WormTerms::MAX_LENGTH),
            Self::Limit(limit) => write!(f, "the injection limit is 1 to {}, not {limit}", Injection::MAX_LIMIT),
            Self::Load(load) => write!(f, "the load {load} is no number from 0 to {}", WormTerms::MAX_LOAD),
            Self::Pattern(pattern) => write!(f, "the pattern {pattern} does not fit this mesh"),
        }
    }
}

impl std::error::Error for WormError {}
