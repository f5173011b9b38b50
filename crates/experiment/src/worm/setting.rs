//! Setting of wormhole experiments.

use std::sync::Arc;

use crate::{LaterFault, Version};
use faultlab_core::ParseError;
use faultlab_core::fault::Tolerance;
use faultlab_core::fault::block::RegionForm;
use faultlab_core::routing::{Shared, WormRouting};
use faultlab_core::switching::{Arbitration, FlowControl, Injection, InjectionPolicy, WormholeConfig};
use faultlab_core::topology::{Mesh, Network};
use faultlab_core::traffic::{
    ArrivalProcess, BatchTraffic, Bisection, ListedMessage, MessageLengths, MessageSchedule, Pattern,
};

/// Parameters that are specific to wormhole experiments: traffic, router and injection.
#[derive(Clone, Debug, PartialEq)]
pub struct WormSetting {
    /// Traffic: a pattern, or messages that are listed.
    pub traffic: Traffic,
    /// Load, as a share of the load that saturates the bisection of the mesh without faults; 0 to
    /// 4.
    pub load: f64,
    /// Offered load in flits per node and cycle, 0 to [`WormSetting::MAX_FLIT_RATE`]; if present,
    /// instead of `load`, which then has its default.
    pub flit_rate: Option<f64>,
    /// Process by which each node generates messages.
    pub arrivals: ArrivalProcess,
    /// Virtual channels of each channel, 1 to 32, or [`WormSetting::OWN`].
    pub virtual_channels: u8,
    /// Buffer size of a virtual channel in flits, 1 to 16.
    pub buffer: u8,
    /// Lengths of messages in flits, 1 to 256.
    pub length: MessageLengths,
    /// Injection limit of a source, and the policy for further messages.
    pub injection: Injection,
    /// Arbitration between messages that request the same resource.
    pub arbitration: Arbitration,
    /// Warm-up cycles of a run, 0 to [`WormSetting::LONGEST_WARM_UP`]; `None` for an automatic
    /// warm-up.
    pub warm_up: Option<u32>,
    /// Tolerance of Algorithms A and B on hypercubes.
    pub tolerance: Tolerance,
    /// Flow control.
    pub flow: FlowControl,
    /// Rank by size of the component that is simulated, from 1 on.
    pub component: u16,
    /// Cycle in which the faults arrive; 0 if they exist before the first message.
    pub onset: u32,
    /// Nodes and links that break later, ascending by cycle.
    pub later: Vec<LaterFault>,
    /// Form of fault regions on meshes.
    pub regions: RegionForm,
    /// Coefficients of the energy of a flit.
    pub energy: FlitEnergy,
}

/// Energy that a flit takes at each step of its way, in any unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlitEnergy {
    /// For each router that the flit passes, those of its source and of its destination included.
    pub router: f64,
    /// For each write into a buffer, one at the end of every channel.
    pub write: f64,
    /// For each channel that the flit crosses.
    pub link: f64,
}

impl FlitEnergy {
    /// Largest coefficient.
    pub const MAX: f64 = 1e6;

    /// Parses coefficients such as `1,1,1`.
    pub(super) fn parse(text: &str) -> Result<Self, ParseError> {
        let coefficient = |text: &str| {
            let value = text.trim().parse().ok().filter(|value| (0.0..=Self::MAX).contains(value));
            value.ok_or_else(|| format!("\"{text}\" is not a number from 0 to {}", Self::MAX))
        };
        let values = text.split(',').map(coefficient).collect::<Result<Vec<f64>, _>>()?;
        match values[..] {
            [router, write, link] => Ok(Self { router, write, link }),
            _ => Err("not three numbers ROUTER,WRITE,LINK".into()),
        }
    }

    /// Returns the energy of a flit for each hop, and for its first router.
    pub fn per_hop(self) -> (f64, f64) {
        (self.router + self.write + self.link, self.router)
    }
}

impl std::fmt::Display for FlitEnergy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{},{}", self.router, self.write, self.link)
    }
}

impl WormSetting {
    /// Value of [`WormSetting::virtual_channels`] that gives each algorithm as many virtual
    /// channels as it has classes.
    pub const OWN: u8 = 0;

    /// Largest offered load in flits per node and cycle: more than 4 times the load that saturates
    /// the bisection of any network.
    pub const MAX_FLIT_RATE: f64 = 12.0;

    /// Maximum warm-up, in cycles.
    pub const LONGEST_WARM_UP: u32 = 10_000_000;

    /// Parameters of Boppana & Chalasani section V, at 70% load.
    pub const PAPER: Self = Self {
        traffic: Traffic::Pattern(Pattern::Uniform),
        load: 0.7,
        flit_rate: None,
        arrivals: ArrivalProcess::Bernoulli,
        virtual_channels: 8,
        buffer: 2,
        length: MessageLengths::Fixed(20),
        injection: Injection { limit: 3, policy: InjectionPolicy::Discard },
        arbitration: Arbitration::RoundRobin,
        warm_up: None,
        tolerance: Tolerance::Thesis,
        flow: FlowControl::Wormhole,
        component: 1,
        onset: 0,
        later: Vec::new(),
        regions: RegionForm::Blocks,
        energy: FlitEnergy { router: 1.0, write: 1.0, link: 1.0 },
    };

    /// Returns whether there are any messages.
    pub(super) fn sends(&self) -> bool {
        self.flit_rate.unwrap_or(self.load) > 0.0 || self.traffic.is_finite()
    }

    /// Sets the load, as a share of the load that saturates the bisection.
    pub fn set_load(&mut self, load: f64) {
        (self.load, self.flit_rate) = (load, None);
    }

    /// Sets the load in flits per node and cycle.
    pub fn set_flit_rate(&mut self, rate: f64) {
        (self.load, self.flit_rate) = (Self::PAPER.load, Some(rate));
    }

    /// Returns the load as a share of the load that saturates the bisection of `mesh`.
    pub fn load_on(&self, mesh: Mesh) -> f64 {
        self.flit_rate.map_or(self.load, |rate| rate / Bisection::new(mesh).saturation_load())
    }

    /// Returns the load in flits per node and cycle on `mesh`.
    pub fn flit_rate_on(&self, mesh: Mesh) -> f64 {
        self.flit_rate.unwrap_or_else(|| self.load * Bisection::new(mesh).saturation_load())
    }

    /// Returns the configuration of a wormhole network on `mesh` with this routing, by the rules of
    /// `version`.
    ///
    /// Listed messages are the only ones, and from version 2 on none of them is discarded. Messages
    /// of a schedule never are.
    pub fn config(&self, version: Version, routing: Shared<dyn WormRouting>, mesh: Mesh) -> WormholeConfig {
        let Self { virtual_channels, buffer, mut injection, arbitration, flow, arrivals, .. } = *self;
        let (load, pattern) = match &self.traffic {
            Traffic::Pattern(pattern) => (self.load_on(mesh), pattern.clone()),
            Traffic::List(_) | Traffic::Schedule(_) => (0.0, Pattern::Uniform),
        };
        let queue = match (version, &self.traffic) {
            (Version::V1, Traffic::List(_) | Traffic::Pattern(_)) => Injection::DEFAULT_QUEUE,
            (Version::V2, Traffic::List(_)) | (_, Traffic::Schedule(_)) => {
                injection.policy = InjectionPolicy::Queue;
                u16::MAX
            }
            (Version::V2, Traffic::Pattern(_)) => long_queue(mesh),
        };
        let virtual_channels = if virtual_channels == Self::OWN { routing.vc_classes(mesh) } else { virtual_channels };
        WormholeConfig {
            routing,
            virtual_channels,
            buffer,
            length: self.lengths(),
            flow,
            injection,
            max_queue: queue,
            arbitration,
            load,
            pattern,
            schedule: self.traffic.schedule().cloned(),
            arrivals,
        }
    }

    /// Returns the lengths of the messages, those of a schedule if there is one.
    fn lengths(&self) -> MessageLengths {
        self.traffic.schedule().map_or_else(|| self.length.clone(), |schedule| schedule.longest().into())
    }

    /// Returns the longest length of a message, in flits.
    pub fn longest(&self) -> u16 {
        self.lengths().longest()
    }
}

/// Returns the maximum queue length of a source from version 2 on, in messages.
///
/// The limit is 4,096 on networks of up to 256 nodes. It is less on larger ones, so that all queues
/// together have about a million messages. At 98.4% of its capacity a source with constant service
/// has a queue of more than 128 messages 1.6% of the time.
fn long_queue(mesh: Mesh) -> u16 {
    const ALL: u32 = 1 << 20;
    (ALL / mesh.nodes()).clamp(Injection::DEFAULT_QUEUE.into(), 4096) as u16
}

/// Traffic of a wormhole experiment.
#[derive(Clone, Debug, PartialEq)]
pub enum Traffic {
    /// Continuous traffic with destinations by a pattern.
    Pattern(Pattern),
    /// Explicit list of messages, all of which start in cycle 0, without any other messages.
    List(Vec<ListedMessage>),
    /// Messages with cycles, lengths and dependencies, without any other messages.
    Schedule(Arc<MessageSchedule>),
}

impl Traffic {
    /// Parses traffic in which nodes are written as those of `network`.
    pub(super) fn parse(network: Network, text: &str) -> Result<Self, ParseError> {
        let pattern = match network.mesh() {
            Some(mesh) => Pattern::parse_on(mesh, text),
            None => Pattern::parse(text),
        };
        let none = || format!("not a traffic pattern of {network}");
        match pattern {
            Some(pattern) => pattern.map(Self::Pattern),
            None if !text.contains('-') => Err(none().into()),
            None => match BatchTraffic::parse(network, text)? {
                BatchTraffic::List(messages)
                    if messages.iter().any(|message| message.via.is_some() || message.from == message.to) =>
                {
                    Err("a listed worm needs two different nodes, FROM-TO".into())
                }
                BatchTraffic::Rule(_) => Err(none().into()),
                BatchTraffic::List(messages) => Ok(Self::List(messages)),
            },
        }
    }

    /// Formats the traffic as a text, with the nodes of `network`; `None` for a schedule, which has
    /// a key of its own.
    pub(super) fn text(&self, network: Network) -> Option<String> {
        Some(match self {
            Self::Schedule(_) => return None,
            Self::Pattern(pattern) => network.mesh().map_or_else(|| pattern.to_string(), |mesh| pattern.text_on(mesh)),
            Self::List(messages) => BatchTraffic::List(messages.clone()).to_text(network),
        })
    }

    /// Returns whether all messages are listed, instead of being generated without end.
    pub fn is_finite(&self) -> bool {
        !matches!(self, Self::Pattern(_))
    }

    /// Returns the listed messages that start in cycle 0; `None` for other traffic.
    pub fn listed(&self) -> Option<&[ListedMessage]> {
        if let Self::List(messages) = self { Some(messages) } else { None }
    }

    /// Returns the messages with cycles, lengths and dependencies; `None` for other traffic.
    pub fn schedule(&self) -> Option<&Arc<MessageSchedule>> {
        if let Self::Schedule(schedule) = self { Some(schedule) } else { None }
    }
}
