//! Counterexamples: the fewest faults with which messages of a routing are lost, go round for ever, or can wait for each other in a circle.
//!
//! A [`RefuteSearch`] goes through all sets of no fault, of one, two and so on, as many as there is time for, and where there are too many
//! through random ones. Of each set all pairs of nodes, all choices and the whole dependency graph are looked at. What it finds is an
//! experiment that shows the flaw; what it does not find it says exactly where.

mod exercise;
mod judge;
mod search;
mod show;

pub use exercise::is_solved;
pub use judge::{Flaw, Flaws};
pub use search::{Covered, RefuteSearch};
pub use show::{Shown, Witness};

use super::{Experiment, Problem};
use faultlab_core::routing::Use;

/// What is asked of a routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The most faults, besides those that the experiment has; 0 to [`Question::MAX_FAULTS`].
    pub faults: u32,
    /// Whether links fail, of a cube one-way links, and not nodes.
    pub links: bool,
    /// How many sets are looked at, 1 to [`Question::MAX_SETS`]: all, if there are no more.
    pub sets: u64,
}

impl Question {
    /// The most faults that are searched for.
    pub const MAX_FAULTS: u32 = 64;

    /// The most sets that are looked at.
    pub const MAX_SETS: u64 = 10_000_000;

    /// The most nodes of a network that is searched, one dependency graph after the other.
    pub const MAX_NODES: u64 = 1024;

    /// The usual one: two faulty nodes at most, ten thousand sets.
    pub const USUAL: Self = Self { faults: 2, links: false, sets: 10_000 };

    /// The one that is asked while somebody writes: the usual one, of fewer sets where each takes long. All of them up to 8 x 8.
    pub fn live(experiment: &Experiment) -> Self {
        const ALL: u64 = 64;
        let nodes = experiment.network.last().0.saturating_add(1);
        let slower = nodes.div_ceil(ALL).saturating_pow(2).max(1);
        Self { sets: (Self::USUAL.sets / slower).max(1), ..Self::USUAL }
    }

    /// Checks that its numbers are in range and that it can be asked of the experiment.
    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        if let Some(vary) = &experiment.vary {
            let why = format!("a routing is refuted on one network: leave out {}", vary.parameter.id);
            return Err(Problem::new("vary", why));
        }
        if self.faults > Self::MAX_FAULTS {
            let why = format!("{} faults are searched for; accepted: 0 to {}", self.faults, Self::MAX_FAULTS);
            return Err(Problem::new("faults", why));
        }
        if !(1..=Self::MAX_SETS).contains(&self.sets) {
            return Err(Problem::new("sets", format!("{} sets; accepted: 1 to {}", self.sets, Self::MAX_SETS)));
        }
        let kind = experiment.kind();
        if !matches!(kind.uses, Use::Worms | Use::Messages | Use::Circuits) {
            let why = format!(
                "switch={} is not refuted: accepted are worms (switch=wormhole), messages (switch=message) and circuits (switch=circuit)",
                kind.id
            );
            return Err(Problem::new("switch", why));
        }
        let nodes = experiment.network.last().0.saturating_add(1);
        if nodes > Self::MAX_NODES {
            let why = format!("{} has {nodes} nodes; accepted: at most {}", experiment.network, Self::MAX_NODES);
            return Err(Problem::new("net", why));
        }
        Ok(())
    }
}
