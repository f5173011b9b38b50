//! One worm alone in a mesh: where its header goes, and why.

use crate::fault::BlockFaults;
use crate::random::{Generator, below};
use crate::routing::{WormAt, WormChoice, WormHeader, WormRouting};
use crate::topology::NodeId;
use crate::traffic::Pair;

/// One hop of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormHop {
    /// The node it leaves.
    pub from: NodeId,
    /// The node it enters.
    pub to: NodeId,
    /// What it carried along when it decided.
    pub before: WormHeader,
    /// What it chose, and what it carries along from then on.
    pub choice: WormChoice,
    /// Whether it could have chosen otherwise.
    pub drawn: bool,
}

/// How the way of a worm that is alone ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WormOutcome {
    /// At its destination.
    Delivered,
    /// Before it begins: source or destination is faulty.
    FaultyEnd,
    /// Faults leave it no way on.
    NoWay,
    /// It has made so many hops that it will hardly ever arrive.
    LimitReached,
}

impl WormOutcome {
    /// Its name in exported files.
    pub fn id(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::FaultyEnd => "faulty-end",
            Self::NoWay => "no-way",
            Self::LimitReached => "limit-reached",
        }
    }
}

/// The hops after which a worm counts as lost, for each node of the mesh: no algorithm comes near them on its way to where it
/// arrives.
const LIMIT: usize = 16;

/// Follows a worm between different `ends` to its end; where it may choose, and with which header it starts, `generator` draws.
/// Cost: its hops.
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
    let header = routing.draw(faults, ends.from, ends.to, generator);
    let mut at = WormAt { here: ends.from, to: ends.to, came: None, header };
    while at.here != ends.to {
        if hops.len() == LIMIT * mesh.nodes() as usize {
            return (hops, WormOutcome::LimitReached);
        }
        let choices = routing.choices(faults, &at);
        // Alone, it finds all idle.
        let count = choices.preferred();
        let number = if count > 1 { below(generator, count as u32) } else { 0 };
        let next = choices.get(number as usize).and_then(|choice| Some((choice, mesh.neighbor(at.here, choice.port)?)));
        let Some((choice, to)) = next else { return (hops, WormOutcome::NoWay) };
        hops.push(WormHop { from: at.here, to, before: at.header, choice, drawn: count > 1 });
        at = WormAt { here: to, came: Some(choice.port), header: choice.header, ..at };
    }
    (hops, WormOutcome::Delivered)
}
