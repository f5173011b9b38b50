//! The route of a single worm that is alone in a mesh, with the rule of each hop.

use crate::fault::BlockFaults;
use crate::random::{Generator, below};
use crate::routing::{VcRequest, WormHeader, WormPosition, WormRouting};
use crate::topology::NodeId;
use crate::traffic::Pair;

/// A hop of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormHop {
    /// The node that the header leaves.
    pub from: NodeId,
    /// The node that the header enters.
    pub to: NodeId,
    /// The header before the hop.
    pub before: WormHeader,
    /// The choice of virtual channel, with its rule and the header after the hop.
    pub choice: VcRequest,
    /// True if the choice was drawn among several.
    pub is_random: bool,
}

/// Outcome of a worm that is alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WormOutcome {
    /// The worm reached its destination.
    Delivered,
    /// The worm did not start: source or destination is faulty.
    FaultyEnd,
    /// Faults leave the worm no hop.
    NoRoute,
    /// The worm reached the hop limit. A worm beyond this limit is very unlikely to ever arrive.
    LimitReached,
}

impl WormOutcome {
    /// Returns the name of the outcome in exported files.
    pub fn id(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::FaultyEnd => "faulty-end",
            Self::NoRoute => "no-way",
            Self::LimitReached => "limit-reached",
        }
    }
}

/// Hop limit per node of the mesh. Routes that arrive are far shorter under every algorithm.
const LIMIT: usize = 16;

/// Follows a worm between two different `ends` until its outcome is known.
///
/// `generator` draws the initial header and the choices among several hops. Cost: linear in the
/// hops.
pub fn worm_walk(
    routing: &dyn WormRouting,
    faults: &BlockFaults,
    ends: Pair,
    generator: &mut Generator,
) -> (Vec<WormHop>, WormOutcome) {
    let (mesh, mut hops) = (faults.mesh(), Vec::new());
    if faults.is_faulty(ends.from) || faults.is_faulty(ends.to) {
        return (hops, WormOutcome::FaultyEnd);
    }
    let header = routing.draw_initial_header(faults, ends.from, ends.to, generator);
    let mut at = WormPosition { here: ends.from, to: ends.to, input_port: None, header };
    while at.here != ends.to {
        if hops.len() == LIMIT * mesh.nodes() as usize {
            return (hops, WormOutcome::LimitReached);
        }
        let choices = routing.choices(faults, &at);
        // All channels are idle, since the worm is alone.
        let count = choices.preferred();
        let number = if count > 1 { below(generator, count as u32) } else { 0 };
        let next = choices.get(number as usize).and_then(|choice| Some((choice, mesh.neighbor(at.here, choice.port)?)));
        let Some((choice, to)) = next else { return (hops, WormOutcome::NoRoute) };
        hops.push(WormHop { from: at.here, to, before: at.header, choice, is_random: count > 1 });
        at = WormPosition { here: to, input_port: Some(choice.port), header: choice.header, ..at };
    }
    (hops, WormOutcome::Delivered)
}
