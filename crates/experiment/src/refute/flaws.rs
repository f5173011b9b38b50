//! Flaws of a routing with certain faults.

use faultlab_core::names;
use std::sync::Arc;

use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::{Algorithm, UseCase};
use faultlab_core::theory::{
    DeadlockAnalysis, DeliveryOutcomes, DependencyGraph, MeshDependencies, circuit_deadlocks, circuit_dependencies,
    message_arrivals, worm_deadlocks,
};

/// Flaw of a routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// Messages can form a cyclic wait.
    Deadlock,
    /// Faults leave messages between connected nodes without a hop. Sources of circuits detect the
    /// loss and refuse the message.
    Lost,
    /// Messages can travel in cycles without end.
    Livelock,
}

names! {
    Flaw { Deadlock: "deadlock", Lost: "lost", Livelock: "circles" }
}

/// Maximum number of steps of the search for a deadlocked set with one fault set.
const STEPS: u64 = 50_000;

/// Analysis of a routing with certain faults.
#[derive(Clone, Debug)]
pub struct Flaws {
    /// Dependency graph with the resulting deadlock case; `None` if messages do not block each
    /// other.
    pub deadlock: Option<(DependencyGraph, DeadlockAnalysis)>,
    /// Results on the delivery of messages.
    pub arrivals: DeliveryOutcomes,
}

impl Flaws {
    /// Analyzes `algorithm` with `faults` for the use case `uses`.
    ///
    /// `None` if the network is too large, or the routing has too many random choices or too much
    /// state. Cost: as [`MeshDependencies::build`], and with cycles [`worm_deadlocks`].
    pub fn analyze(faults: &Arc<BlockFaults>, algorithm: &Algorithm, uses: UseCase) -> Option<Self> {
        match uses {
            UseCase::Messages => {
                let arrivals = message_arrivals(faults, algorithm.local()?)?;
                Some(Self { arrivals, deadlock: None })
            }
            UseCase::Circuits => {
                let routing = algorithm.circuits()?;
                let (graph, arrivals) = circuit_dependencies(faults, &routing)?;
                let case = circuit_deadlocks(faults, &routing, &graph, STEPS);
                Some(Self { deadlock: Some((graph, case)), arrivals })
            }
            _ => {
                let routing = algorithm.worm.as_deref()?;
                let built = MeshDependencies::build(faults, routing)?;
                let case = worm_deadlocks(faults, routing, built.graph(), STEPS);
                Some(Self { arrivals: built.arrivals(), deadlock: Some((built.graph().clone(), case)) })
            }
        }
    }

    /// Returns whether the routing has this flaw; for deadlock, whether it is not excluded.
    pub fn has(&self, flaw: Flaw) -> bool {
        match flaw {
            Flaw::Deadlock => self.deadlock.as_ref().is_some_and(|(_, case)| !case.is_free()),
            Flaw::Lost => self.arrivals.lost > 0,
            Flaw::Livelock => self.arrivals.livelocked > 0,
        }
    }
}
