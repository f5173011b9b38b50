//! Counterexamples: the fewest faults with which a routing loses messages, sends them in cycles, or
//! can deadlock.
//!
//! A [`RefuteSearch`] enumerates all sets of no fault, of one, two and so on, up to its limit. If
//! there are too many sets, it evaluates random ones. The evaluation of a set covers all pairs of
//! nodes, all choices and the whole dependency graph. The search returns an experiment that shows
//! the flaw, or exactly which sets it has covered.

mod exercise;
mod flaws;
mod search;
mod witness;

pub use exercise::is_solved;
pub use flaws::{Flaw, Flaws};
pub use search::{Coverage, RefuteSearch};
pub use witness::{Evidence, Witness};

use super::{Experiment, Problem};
use faultlab_core::routing::UseCase;

/// Parameters of a search for counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefuteQuery {
    /// Maximum number of faults, besides those of the experiment; 0 to [`RefuteQuery::MAX_FAULTS`].
    pub faults: u32,
    /// Selects faulty links, one-way on a hypercube, instead of nodes.
    pub links: bool,
    /// Maximum number of sets to evaluate, 1 to [`RefuteQuery::MAX_SETS`]; all sets if there are no
    /// more.
    pub sets: u64,
}

impl RefuteQuery {
    /// Maximum number of faults.
    pub const MAX_FAULTS: u32 = 64;

    /// Maximum number of sets.
    pub const MAX_SETS: u64 = 10_000_000;

    /// Maximum number of nodes of the network, which limits the dependency graphs.
    pub const MAX_NODES: u64 = 1024;

    /// Default search: at most two faulty nodes, and ten thousand sets.
    pub const USUAL: Self = Self { faults: 2, links: false, sets: 10_000 };

    /// Returns the search to run while the user edits: the default one, with fewer sets if each
    /// takes long. Networks up to 8 x 8 get all sets.
    pub fn live(experiment: &Experiment) -> Self {
        const ALL: u64 = 64;
        let nodes = experiment.network.last_node().0.saturating_add(1);
        let slower = nodes.div_ceil(ALL).saturating_pow(2).max(1);
        Self { sets: (Self::USUAL.sets / slower).max(1), ..Self::USUAL }
    }

    /// Checks that the numbers are in range and that the experiment supports the search.
    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        if let Some(vary) = &experiment.vary {
            let why = format!("the search runs on one network: do not vary {}", vary.parameter.id);
            return Err(Problem::new("vary", why));
        }
        if self.faults > Self::MAX_FAULTS {
            let why = format!("{} faults; accepted: 0 to {}", self.faults, Self::MAX_FAULTS);
            return Err(Problem::new("faults", why));
        }
        if !(1..=Self::MAX_SETS).contains(&self.sets) {
            return Err(Problem::new("sets", format!("{} sets; accepted: 1 to {}", self.sets, Self::MAX_SETS)));
        }
        let kind = experiment.kind();
        if !matches!(kind.use_case, UseCase::Worms | UseCase::Messages | UseCase::Circuits) {
            let why = format!(
                "switch={} is not supported; accepted: worms (switch=wormhole), messages (switch=message) and circuits (switch=circuit)",
                kind.id
            );
            return Err(Problem::new("switch", why));
        }
        if kind.use_case == UseCase::Circuits && experiment.mesh().is_some() {
            let why = format!(
                "circuits are refuted on hypercubes, not on {}: faultlab check decides which pairs a search serves, and deadlock",
                experiment.network
            );
            return Err(Problem::new("net", why));
        }
        let nodes = experiment.network.last_node().0.saturating_add(1);
        if nodes > Self::MAX_NODES {
            let why = format!("{} has {nodes} nodes; accepted: at most {}", experiment.network, Self::MAX_NODES);
            return Err(Problem::new("net", why));
        }
        Ok(())
    }
}
