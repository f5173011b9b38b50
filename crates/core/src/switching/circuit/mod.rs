//! Circuit switching in a hypercube: reserve and hold (Chiu, Chalasani & Raghavendra sections II
//! and V), and backtrack and retry (section I). On meshes and tori: probes that search
//! ([`ProbeNetwork`]).
//!
//! A message reserves one link after the other from its source on. Under reserve and hold, it holds
//! its links while it waits for the next. Under backtrack and retry, it releases them and tries
//! again later from its source. When the last link is reserved, the message transmits, and then
//! releases all links at once. Reservations take no time, so a message either waits or transmits.
//! Times count mean transmission times.
//!
//! [`CircuitNetwork`] is the network, which can be stepped, run and inspected.
//! [`CircuitMeasurement`] runs a network and counts its events.

mod engine;
mod jam_detector;
mod links;
mod measure;
mod mesh;
mod message;
mod observer;
mod onset;
mod queue;
mod reachability;
mod reservation;
mod retry;
mod run;
mod snapshot;
mod transition;

pub use engine::CircuitNetwork;
pub use engine::deadlock::{Deadlock, WaitingCircuit};
pub use measure::{CircuitMeasurement, CircuitWindow, MeasuredCircuits, WindowObserver};
pub use mesh::{ProbeConfig, ProbeEvent, ProbeMessageView, ProbeNetwork, ProbeState, ReservedBy, select_port};
pub use observer::{CircuitObserver, CompletedCircuit, InterruptedCircuit, WaitEnd};
pub use run::{CircuitBatch, CircuitEnd, CircuitRun};
pub use snapshot::{BlockedAttempt, CircuitMessageView, LinkState};
pub use transition::{CircuitPeriod, CircuitTransitionCounts};

use std::fmt;

use crate::names;
use crate::routing::CircuitRouting;
use crate::topology::{Hypercube, Link, NodeId};
use crate::traffic::Pattern;

/// Selection among several free legal links (the AVAIL strategy of section V.A).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkSelection {
    /// The lowest legal link if it is free, else any free one with equal probability: the paper's
    /// strategy.
    #[default]
    Lowest,
    /// Any free legal link, with equal probability.
    Random,
    /// The highest free legal link.
    Highest,
    /// The lowest free legal link: the other strategy that the paper names.
    LowestFree,
    /// The lowest legal link only. A message waits for it even if others are free.
    ///
    /// Without faults, the result is e-cube under every criterion. With faults, the result is
    /// e-cube where e-cube can arrive.
    LowestOnly,
}

names! {
    listed LinkSelection {
        Lowest: "lowest",
        Random: "random",
        Highest: "highest",
        LowestFree: "lowest-free",
        LowestOnly: "lowest-only",
    }
}

/// Set of links for which a message waits if no legal link is free (the UNAVAIL strategy of section
/// V.A).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaitPolicy {
    /// The first legal link to be released: the paper's strategy.
    #[default]
    First,
    /// The legal link with the fewest waiting messages when the message arrives; the lowest of
    /// several.
    ShortestQueue,
}

names! {
    listed WaitPolicy {
        First: "first",
        ShortestQueue: "shortest",
    }
}

/// Policy for a path that meets only reserved legal links before it reaches the destination
/// (section I).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SetupPolicy {
    /// Reserve and hold: the message waits for a link, and holds those that it has reserved. The
    /// policy of the paper's routing criteria.
    #[default]
    Hold,
    /// Backtrack and retry: the message releases every link and starts again at its source after a
    /// random time. It holds nothing meanwhile, so no routing can deadlock.
    ///
    /// The paper does not say when a message tries again. A retry at the same moment would meet the
    /// same links, so that every message draws an exponential time before each retry. Messages do
    /// not queue: a free link goes to the message that tries first.
    Retry {
        /// Mean time before each retry, in mean transmission times;
        /// [`SetupPolicy::BACKOFFS`].
        backoff: f64,
    },
}

impl SetupPolicy {
    /// Range of the mean time before a retry, in mean transmission times.
    pub const BACKOFFS: std::ops::RangeInclusive<f64> = 0.01..=1000.0;

    /// Mean time before a retry in a text that has none.
    const DEFAULT_BACKOFF: f64 = 1.0;

    /// Syntax that [`SetupPolicy::parse`] accepts.
    pub const ACCEPTED: &'static str = "hold, retry or retry:BACKOFF, with BACKOFF from 0.01 to 1000";

    /// Parses `hold`, `retry` or `retry:BACKOFF`. Returns `None` for other texts.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "hold" => Some(Self::Hold),
            "retry" => Some(Self::Retry { backoff: Self::DEFAULT_BACKOFF }),
            _ => {
                let backoff = text.strip_prefix("retry:")?.parse().ok()?;
                Self::BACKOFFS.contains(&backoff).then_some(Self::Retry { backoff })
            }
        }
    }

    /// Returns the mean time before a source starts again after a tear-down or a failed search:
    /// that before a retry, 1 under reserve and hold.
    pub fn restart_backoff(self) -> f64 {
        self.backoff().unwrap_or(Self::DEFAULT_BACKOFF)
    }

    /// Returns the mean time before a retry, `None` under reserve and hold.
    pub fn backoff(self) -> Option<f64> {
        match self {
            Self::Hold => None,
            Self::Retry { backoff } => Some(backoff),
        }
    }
}

impl fmt::Display for SetupPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hold => f.write_str("hold"),
            Self::Retry { backoff } => write!(f, "retry:{backoff}"),
        }
    }
}

/// Configuration of a circuit-switched network: all parameters except faults and the random key.
#[derive(Clone, Debug)]
pub struct CircuitConfig {
    /// Network topology, with at most [`CircuitNetwork::MAX_DIMENSION`] dimensions.
    pub cube: Hypercube,
    /// Routing, which decides which links are legal.
    pub routing: CircuitRouting,
    /// Selection among free legal links.
    pub avail: LinkSelection,
    /// Links to wait for if no legal link is free. Unused by [`SetupPolicy::Retry`].
    pub wait: WaitPolicy,
    /// Reserve and hold, or backtrack and retry.
    pub setup: SetupPolicy,
    /// Traffic pattern.
    pub pattern: Pattern,
    /// Messages per sending node and mean transmission time; finite, not negative.
    pub rate: f64,
    /// Backlog above which the engine checks for a jam. `None` selects 64 messages per node, but at
    /// least 1000. See [`CircuitOutcome::Unstable`].
    pub cap: Option<u64>,
}

impl CircuitConfig {
    /// Creates a configuration with the paper's strategies and uniform traffic.
    pub fn new(cube: Hypercube, routing: impl Into<CircuitRouting>, rate: f64) -> Self {
        let (avail, wait, routing) = (LinkSelection::default(), WaitPolicy::default(), routing.into());
        Self { cube, routing, avail, wait, setup: SetupPolicy::Hold, pattern: Pattern::Uniform, rate, cap: None }
    }

    /// Returns the backlog above which the engine checks for a jam.
    pub fn cap(&self) -> u64 {
        self.cap.unwrap_or_else(|| self.cube.nodes().map_or(u64::MAX, |nodes| nodes.saturating_mul(64).max(1000)))
    }
}

/// Error in the configuration of a circuit-switched network.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CircuitError {
    /// The cube has this many dimensions, more than [`CircuitNetwork::MAX_DIMENSION`].
    TooManyDimensions(u8),
    /// The rate is negative or not finite.
    Rate(f64),
    /// The mean time before a retry is outside [`SetupPolicy::BACKOFFS`].
    Backoff(f64),
    /// The pattern names a node that the network does not have, or a share outside 0 to 1.
    Pattern(Pattern),
    /// The mesh has this many nodes, more than [`ProbeNetwork::MAX_NODES`].
    TooManyNodes(u32),
    /// The time of a hop is outside [`ProbeConfig::HOPS`].
    Hop(f64),
    /// The onset of faults is negative, not finite, or not later than the onset before.
    Onset(f64),
    /// The faults of an onset are those of another mesh.
    OtherMesh,
    /// [`LinkSelection::LowestOnly`], which would keep a search from trying other links.
    LowestOnly,
}

impl fmt::Display for CircuitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyDimensions(n) => {
                write!(f, "circuits run on hypercubes of 1 to {} dimensions, not {n}", CircuitNetwork::MAX_DIMENSION)
            }
            Self::Rate(rate) => write!(f, "the rate {rate} is not a finite number of at least 0"),
            Self::Backoff(backoff) => {
                write!(f, "the mean time before a retry is 0.01 to 1000 mean transmission times, not {backoff}")
            }
            Self::Pattern(pattern) => write!(f, "the pattern {pattern} is not defined on this network"),
            Self::TooManyNodes(nodes) => {
                write!(f, "circuits run on meshes of up to {} nodes, not {nodes}", ProbeNetwork::MAX_NODES)
            }
            Self::Hop(hop) => write!(f, "the time of a hop is 0 to 1 mean transmission times, not {hop}"),
            Self::Onset(time) => {
                write!(f, "faults arrive at finite times of at least 0 that ascend, not at {time}")
            }
            Self::OtherMesh => f.write_str("faults that arrive must be those of the same mesh"),
            Self::LowestOnly => f.write_str("lowest-only has no meaning where probes search: use lowest"),
        }
    }
}

impl std::error::Error for CircuitError {}

/// Reason for refusing a message when it is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The destination of the message is faulty.
    FaultyDestination,
    /// Faults leave no path that the routing permits (section IV; the faults are known to every
    /// node).
    CutOff,
}

/// Event of one step. Messages are identified by number, counted from 0 in the order of generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CircuitEvent {
    /// A message was generated, and reserved free links.
    Generated {
        /// Number of the message.
        number: u64,
        /// True if the circuit is complete, so that the message transmits.
        complete: bool,
    },
    /// A message was generated and refused. Refused messages are numbered too.
    Refused {
        /// Number of the message.
        number: u64,
        /// Source of the message.
        from: NodeId,
        /// Destination of the message.
        to: NodeId,
        /// Reason for the refusal.
        why: Refusal,
    },
    /// A message tried again to set up its circuit, under [`SetupPolicy::Retry`] or after a
    /// tear-down.
    Retried {
        /// Number of the message.
        number: u64,
        /// True if the circuit is complete, so that the message transmits.
        complete: bool,
    },
    /// Faults arrived.
    FaultsArrived {
        /// Number of messages whose sources will start again.
        torn: u64,
        /// Number of messages lost.
        lost: u64,
    },
    /// A transmission ended. Its links were released and granted to waiting messages.
    Transmitted {
        /// Number of the message.
        number: u64,
        /// Number of messages that were granted one of its links.
        granted: u8,
    },
    /// The network has ended, see [`CircuitNetwork::outcome`]; no events follow.
    Ended,
}

/// Outcome of a network. A network without any of these outcomes runs forever.
#[derive(Clone, Debug, PartialEq)]
pub enum CircuitOutcome {
    /// Messages wait for each other, and none of them will ever move (Definition 1).
    Deadlock(Deadlock),
    /// The network has jammed: fewer messages are transmitted than generated.
    ///
    /// Two conditions hold. More messages wait than the cap ([`CircuitConfig::cap`]). Since at most
    /// one message per node waited, fewer transmissions have ended than messages were generated, by
    /// five standard deviations.
    ///
    /// Without the second condition, the engine checks again whenever a quarter more messages wait.
    /// A backlog above twice the cap, and at least 65,536, always counts as a jam.
    Unstable {
        /// Start of the jam, in mean transmission times: the time at which the backlog last rose
        /// above one message per node.
        since: f64,
        /// Time at which the engine noticed the jam and the network ended.
        time: f64,
        /// Number of messages that waited at that time.
        backlog: u64,
        /// Transmissions per unit of time from `since` on, summed over all nodes.
        throughput: f64,
    },
    /// The network is empty and no node generates messages.
    Idle {
        /// Time at which the network became idle, in mean transmission times.
        time: f64,
    },
}

/// Returns the link out of `node` across `dim`.
fn link(node: u16, dim: u8) -> Link {
    Link { from: NodeId(u64::from(node)), dim }
}
