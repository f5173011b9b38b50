//! Whether a routing has flaws among certain faults.

use faultlab_core::names;
use std::sync::Arc;

use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::{Algorithm, Use};
use faultlab_core::theory::{
    DeadlockCase, DependencyGraph, MeshArrivals, MeshDependencies, circuit_deadlocks, circuit_dependencies,
    message_arrivals, worm_deadlocks,
};

/// What can go wrong with messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// They can wait for each other in a circle.
    Deadlock,
    /// Between connected nodes, faults leave them no way on; of circuits, whose nodes know that, none is set up.
    Lost,
    /// They can go round for ever.
    Circles,
}

names! {
    Flaw { Deadlock: "deadlock", Lost: "lost", Circles: "circles" }
}

/// The steps of the search for a deadlocked set among one set of faults.
const STEPS: u64 = 50_000;

/// What was found of a routing among certain faults.
#[derive(Clone, Debug)]
pub struct Flaws {
    /// The dependency graph, and what it says of deadlocks; messages that are not held up by each other have none.
    pub deadlock: Option<(DependencyGraph, DeadlockCase)>,
    /// Whether messages arrive.
    pub arrivals: MeshArrivals,
}

impl Flaws {
    /// Of `algorithm` among `faults`; `uses` says what moves. `None` where that cannot be told: the
    /// network is too large, or too much is drawn or remembered. Cost: as [`MeshDependencies::build`], and where there are cycles
    /// [`worm_deadlocks`].
    pub fn of(faults: &Arc<BlockFaults>, algorithm: &Algorithm, uses: Use) -> Option<Self> {
        match uses {
            Use::Messages => {
                let arrivals = message_arrivals(faults, algorithm.local()?)?;
                Some(Self { arrivals, deadlock: None })
            }
            Use::Circuits => {
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

    /// Returns whether it has this flaw; of deadlock, whether that is not excluded.
    pub fn has(&self, flaw: Flaw) -> bool {
        match flaw {
            Flaw::Deadlock => self.deadlock.as_ref().is_some_and(|(_, case)| !case.is_free()),
            Flaw::Lost => self.arrivals.lost > 0,
            Flaw::Circles => self.arrivals.circling > 0,
        }
    }
}
