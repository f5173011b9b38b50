//! Circuits in a hypercube: reserve and hold (Chiu, Chalasani & Raghavendra sections II and V).
//!
//! A message reserves one link after the other from its source on, holds them while it waits for the next, transmits
//! when the last is reserved, and then releases all at once. Reserving takes no time, so a message is always either
//! waiting or transmitting; time is counted in mean transmission times.
//!
//! [`Circuits`] is the network: step it, run it, look at it. [`Measurement`] runs it and counts.

mod advance;
mod deadlock;
mod engine;
mod jam;
mod links;
mod measure;
mod message;
mod observe;
mod queue;
mod reach;
mod run;
mod snapshot;

pub use deadlock::{Deadlock, Wanting};
pub use engine::Circuits;
pub use measure::{Measurement, Window};
pub use observe::{Observer, Waited};
pub use run::{Batch, CircuitRun, RunEnd};
pub use snapshot::{CircuitMessage, LinkState};

use std::fmt;

use crate::names;
use crate::routing::CircuitRouting;
use crate::topology::{Hypercube, Link, NodeId};
use crate::traffic::Pattern;

/// Which of several free legal links a message reserves (the AVAIL strategy of section V.A).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Avail {
    /// The lowest legal one if it is free, else any free one with equal probability: the paper's.
    #[default]
    Lowest,
    /// Any, with equal probability.
    Random,
    /// The highest.
    Highest,
    /// The lowest of the free ones: the other strategy that the paper names.
    LowestFree,
    /// The lowest legal one alone: a message waits for it, whatever else is free. Without faults that is e-cube under every
    /// criterion, with them e-cube where that can arrive.
    LowestOnly,
}

names! {
    listed Avail {
        Lowest: "lowest",
        Random: "random",
        Highest: "highest",
        LowestFree: "lowest-free",
        LowestOnly: "lowest-only",
    }
}

/// What a message waits for when none of its legal links is free (the UNAVAIL strategy of section V.A).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// The first of its legal links to be released: the paper's.
    #[default]
    First,
    /// The legal link that the fewest messages wait for when it arrives at the node; the lowest of several.
    ShortestQueue,
}

names! {
    listed Wait {
        First: "first",
        ShortestQueue: "shortest",
    }
}

/// Everything that decides what happens in the network, besides faults and chance.
#[derive(Clone, Debug)]
pub struct CircuitTerms {
    /// The network; at most [`Circuits::MAX_DIMENSION`] dimensions.
    pub cube: Hypercube,
    /// Which links are legal.
    pub routing: CircuitRouting,
    /// Which of the free ones is taken.
    pub avail: Avail,
    /// What is waited for.
    pub wait: Wait,
    /// Who sends to whom.
    pub pattern: Pattern,
    /// Messages for each sending node and mean transmission time; finite, not negative.
    pub rate: f64,
    /// Waiting messages above which the network is asked whether it has jammed; `None` for 64 for each node, at least 1000.
    /// See [`CircuitOutcome::Unstable`].
    pub cap: Option<u64>,
}

impl CircuitTerms {
    /// The paper's strategies and uniform traffic.
    pub fn new(cube: Hypercube, routing: impl Into<CircuitRouting>, rate: f64) -> Self {
        let (avail, wait, routing) = (Avail::default(), Wait::default(), routing.into());
        Self { cube, routing, avail, wait, pattern: Pattern::Uniform, rate, cap: None }
    }

    /// The number of waiting messages above which the network is asked whether it has jammed.
    pub fn cap(&self) -> u64 {
        self.cap.unwrap_or_else(|| self.cube.nodes().map_or(u64::MAX, |nodes| nodes.saturating_mul(64).max(1000)))
    }
}

/// Why there is no such network of circuits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CircuitError {
    /// The cube has more than [`Circuits::MAX_DIMENSION`] dimensions: this many.
    TooManyDimensions(u8),
    /// The rate is negative or not finite.
    Rate(f64),
    /// The pattern names a node that the cube does not have, or a share outside 0 to 1.
    Pattern(Pattern),
}

impl fmt::Display for CircuitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyDimensions(n) => {
                write!(f, "circuits run in cubes of 1 to {} dimensions, not {n}", Circuits::MAX_DIMENSION)
            }
            Self::Rate(rate) => write!(f, "the rate {rate} is no finite number from 0 on"),
            Self::Pattern(pattern) => write!(f, "the pattern {pattern} does not fit this cube"),
        }
    }
}

impl std::error::Error for CircuitError {}

/// Why a message is refused when it is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its destination is faulty.
    FaultyDestination,
    /// Faults leave no path that the routing permits (section IV; every node knows the faults).
    CutOff,
}

/// What one step brought. Messages are named by their number, counted from 0 as they are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CircuitEvent {
    /// A message was generated, and took what links it could.
    Generated {
        /// Its number.
        number: u64,
        /// Whether its circuit is complete: it transmits.
        complete: bool,
    },
    /// A message was generated and refused. It has a number all the same.
    Refused {
        /// Its number.
        number: u64,
        /// Its source.
        from: NodeId,
        /// Its destination.
        to: NodeId,
        /// Why.
        why: Refusal,
    },
    /// A transmission ended: its links were released, and those that were waited for handed on.
    Transmitted {
        /// The number of the message.
        number: u64,
        /// How many messages were handed one of its links.
        granted: u8,
    },
    /// The network has come to an end, see [`Circuits::outcome`]; nothing more happens.
    Ended,
}

/// How a network comes to an end. Unless one of these happens it runs for ever.
#[derive(Clone, Debug, PartialEq)]
pub enum CircuitOutcome {
    /// Some messages wait for each other: none of them will ever move (Definition 1).
    Deadlock(Deadlock),
    /// It has jammed: past its range, the network no longer carries what is generated. More messages wait than the cap says
    /// ([`CircuitTerms::cap`]), and since the last time that no more than one for each node waited, fewer transmissions have ended
    /// than messages come in so much time, by five standard deviations. Where they have not, it goes on, and is asked again
    /// whenever a quarter more messages wait, up to twice the cap and at least 65,536; beyond that no more are kept.
    Unstable {
        /// Since when, in mean transmission times: since more than one message for each node waited.
        since: f64,
        /// When it was noticed, and the network ended.
        time: f64,
        /// The number of messages that waited then.
        backlog: u64,
        /// The transmissions that ended from `since` on, in a unit of time, of all nodes together.
        throughput: f64,
    },
    /// Nothing is on its way and nobody generates messages.
    Silent {
        /// Since when, in mean transmission times.
        time: f64,
    },
}

/// `node` and the dimension `dim` as a link.
fn link(node: u16, dim: u8) -> Link {
    Link { from: NodeId(u64::from(node)), dim }
}
