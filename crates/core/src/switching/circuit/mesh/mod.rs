//! Pipelined circuit switching on meshes and tori (Gaughan & Yalamanchili 1992): probes reserve links
//! one after the other, and go back where they cannot go on.

mod engine;
mod measured;
mod onset;
mod select;
mod snapshot;

pub use engine::ProbeNetwork;
pub use select::select_port;
pub use snapshot::{ProbeMessageView, ProbeState, ReservedBy};

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::{LinkSelection, Refusal, SetupPolicy};
use crate::fault::BlockFaults;
use crate::routing::ProbeRouting;
use crate::topology::{NodeId, Port};
use crate::traffic::{LiveNodes, Pattern};

/// Configuration of a circuit-switched mesh: all parameters except the random key.
#[derive(Clone, Debug)]
pub struct ProbeConfig {
    /// Mesh with its faults, without closure.
    pub faults: Arc<BlockFaults>,
    /// Search of the probes.
    pub routing: ProbeRouting,
    /// Selection among several free links that are equally good.
    pub avail: LinkSelection,
    /// Under e-cube, the policy for a reserved link. The backoff is also that of searches that fail;
    /// it is 1 under [`SetupPolicy::Hold`].
    pub setup: SetupPolicy,
    /// Time of a hop of a probe, of its way back and of an acknowledgement, in mean transmission
    /// times; [`ProbeConfig::HOPS`].
    pub hop: f64,
    /// Traffic pattern.
    pub pattern: Pattern,
    /// Messages per sending node and mean transmission time; finite, not negative.
    pub rate: f64,
    /// Backlog above which the engine checks for a jam. `None` selects 64 messages per node, but at
    /// least 1000.
    pub cap: Option<u64>,
}

impl ProbeConfig {
    /// Range of the time of a hop, in mean transmission times.
    pub const HOPS: RangeInclusive<f64> = 0.0..=1.0;

    /// Time of a hop in a text that has none: that of a message of 20 flits, of which one moves in
    /// the time of a hop.
    pub const DEFAULT_HOP: f64 = 0.05;

    /// Creates a configuration with uniform traffic, the default strategies and the default time of
    /// a hop.
    pub fn new(faults: Arc<BlockFaults>, routing: ProbeRouting, rate: f64) -> Self {
        let (avail, setup, pattern) = (LinkSelection::default(), SetupPolicy::default(), Pattern::Uniform);
        Self { faults, routing, avail, setup, hop: Self::DEFAULT_HOP, pattern, rate, cap: None }
    }

    /// Returns whether a probe waits for a reserved link and holds its path meanwhile.
    pub fn waits(&self) -> bool {
        !self.routing.backtracks() && self.setup == SetupPolicy::Hold
    }

    /// Returns the backlog above which the engine checks for a jam.
    pub fn cap(&self) -> u64 {
        self.cap.unwrap_or_else(|| (u64::from(self.faults.mesh().nodes()) * 64).max(1000))
    }
}

/// Event of one step. Messages are identified by number, counted from 0 in the order of generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeEvent {
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
    /// A probe reserved a link and moves over it.
    Forward {
        /// Number of the message.
        number: u64,
        /// Node that the link leaves.
        node: NodeId,
        /// Port of the link.
        port: Port,
        /// True if the hop leads no nearer to the destination.
        is_misroute: bool,
    },
    /// A probe cannot go on and moves back over its last link.
    Back {
        /// Number of the message.
        number: u64,
        /// Node that the probe leaves.
        node: NodeId,
    },
    /// A probe begins to wait for a reserved link, and holds its path.
    Waits {
        /// Number of the message.
        number: u64,
        /// Node of the probe.
        node: NodeId,
        /// Port of the link.
        port: Port,
    },
    /// An attempt failed. The message holds no link, and tries again later.
    Failed {
        /// Number of the message.
        number: u64,
        /// Last node of the attempt.
        node: NodeId,
    },
    /// A probe reached its destination, from which an acknowledgement returns.
    Arrived {
        /// Number of the message.
        number: u64,
    },
    /// The acknowledgement reached the source, which begins to transmit.
    Completed {
        /// Number of the message.
        number: u64,
    },
    /// Faults arrived.
    FaultsArrived {
        /// Number of messages whose sources will start again.
        torn: u64,
        /// Number of messages lost.
        lost: u64,
    },
    /// A transmission ended and released its links.
    Transmitted {
        /// Number of the message.
        number: u64,
    },
    /// The network has ended, see [`ProbeNetwork::outcome`]; no events follow.
    Ended,
}

/// Returns the nodes that are not faulty.
fn live_nodes(faults: &BlockFaults) -> LiveNodes {
    LiveNodes::from_flags(faults.mesh().iter_nodes().map(|node| !faults.is_faulty(node)))
}
