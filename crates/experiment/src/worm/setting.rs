//! What decides an experiment with worms, besides what all kinds share.

use crate::Version;
use faultlab_core::ParseError;
use faultlab_core::fault::Tolerance;
use faultlab_core::routing::{Shared, WormRouting};
use faultlab_core::switching::{Arbitration, Injection, InjectionPolicy, WormTerms};
use faultlab_core::topology::{Mesh, Network};
use faultlab_core::traffic::{Demand, Listed, Pattern};

/// How worms move, and how many there are.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Where messages go.
    pub traffic: Traffic,
    /// The load, as a share of what saturates the bisection of the mesh without faults; 0 to 4.
    pub load: f64,
    /// Virtual channels of each channel, 1 to 32, or [`Setting::OWN`].
    pub virtual_channels: u8,
    /// Flits that the buffer of a virtual channel holds, 1 to 16.
    pub buffer: u8,
    /// Flits of a message, 1 to 256.
    pub length: u16,
    /// How many messages a source injects at once, and what becomes of others.
    pub injection: Injection,
    /// Which message is first where several want the same.
    pub arbitration: Arbitration,
    /// Cycles of a run before anything counts, 0 to [`Setting::LONGEST_WARM_UP`]; `None`: as many as the network takes.
    pub warm_up: Option<u32>,
    /// On hypercubes: the tolerance of Algorithms A and B.
    pub tolerance: Tolerance,
}

impl Setting {
    /// In place of a number of virtual channels: of each algorithm as many as it has classes.
    pub const OWN: u8 = 0;

    /// The longest warm-up that can be set, in cycles.
    pub const LONGEST_WARM_UP: u32 = 10_000_000;

    /// The parameters of Boppana & Chalasani section V, at 70% load.
    pub const PAPER: Self = Self {
        traffic: Traffic::Pattern(Pattern::Uniform),
        load: 0.7,
        virtual_channels: 8,
        buffer: 2,
        length: 20,
        injection: Injection { limit: 3, policy: InjectionPolicy::Discard },
        arbitration: Arbitration::RoundRobin,
        warm_up: None,
        tolerance: Tolerance::Thesis,
    };

    /// Whether there are any messages.
    pub(super) fn sends(&self) -> bool {
        self.load > 0.0 || self.traffic.listed().is_some()
    }

    /// The terms of a network of worms that are routed so on `mesh`, by the rules of `version`.
    ///
    /// Messages that are listed are the only ones, and from version 2 on none of them is discarded.
    pub fn terms(&self, version: Version, routing: Shared<dyn WormRouting>, mesh: Mesh) -> WormTerms {
        let Self { virtual_channels, buffer, length, mut injection, arbitration, .. } = *self;
        let (load, pattern) = match self.traffic {
            Traffic::Pattern(pattern) => (self.load, pattern),
            Traffic::List(_) => (0.0, Pattern::Uniform),
        };
        let queue = match (version, &self.traffic) {
            (Version::V1, _) => Injection::USUAL_QUEUE,
            (Version::V2, Traffic::List(_)) => {
                injection.policy = InjectionPolicy::Queue;
                u16::MAX
            }
            (Version::V2, Traffic::Pattern(_)) => long_queue(mesh),
        };
        let virtual_channels = if virtual_channels == Self::OWN { routing.classes(mesh) } else { virtual_channels };
        WormTerms { routing, virtual_channels, buffer, length, injection, queue, arbitration, load, pattern }
    }
}

/// The longest queue of a source from version 2 on, in messages: 4,096 on networks of up to 256 nodes, and less on larger ones, so
/// that all queues together hold about a million messages.
///
/// At 98.4% of its capacity a source with constant service has a queue of more than 128 messages 1.6% of the time.
fn long_queue(mesh: Mesh) -> u16 {
    const ALL: u32 = 1 << 20;
    (ALL / mesh.nodes()).clamp(Injection::USUAL_QUEUE.into(), 4096) as u16
}

/// Where worms go.
#[derive(Clone, Debug, PartialEq)]
pub enum Traffic {
    /// All the time, by a pattern.
    Pattern(Pattern),
    /// These, all from cycle 0, and no others.
    List(Vec<Listed>),
}

impl Traffic {
    /// Reads traffic whose nodes are written as those of `network`.
    pub(super) fn parse(network: Network, text: &str) -> Result<Self, ParseError> {
        let pattern = match network.mesh() {
            Some(mesh) => Pattern::parse_on(mesh, text),
            None => Pattern::parse(text),
        };
        let none = || format!("not a traffic pattern of {network}");
        match pattern {
            Some(pattern) => Ok(Self::Pattern(pattern)),
            None if !text.contains('-') => Err(none().into()),
            None => match Demand::parse(network, text)? {
                Demand::List(messages)
                    if messages.iter().any(|message| message.via.is_some() || message.from == message.to) =>
                {
                    Err("worms go FROM one node TO another".into())
                }
                Demand::Rule(_) => Err(none().into()),
                Demand::List(messages) => Ok(Self::List(messages)),
            },
        }
    }

    /// It as a text, with the nodes of `network`.
    pub(super) fn text(&self, network: Network) -> String {
        match self {
            Self::Pattern(pattern) => network.mesh().map_or_else(|| pattern.to_string(), |mesh| pattern.text_on(mesh)),
            Self::List(messages) => Demand::List(messages.clone()).text(network),
        }
    }

    /// The messages that are the only ones; `None` if they are drawn.
    pub fn listed(&self) -> Option<&[Listed]> {
        match self {
            Self::Pattern(_) => None,
            Self::List(messages) => Some(messages),
        }
    }
}
