//! Whether a routing has flaws among certain faults.

use std::sync::Arc;

use crate::fault::BlockFaults;
use crate::routing::{Algorithm, Use};
use crate::theory::{
    Cycle, ExtendedDependencies, MeshArrivals, MeshDependencies, Stranded, circuit_dependencies, message_arrivals,
};
use crate::traffic::Pair;

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

impl Flaw {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 3] = [Self::Deadlock, Self::Lost, Self::Circles];

    /// Its name in files and flags.
    pub fn id(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Lost => "lost",
            Self::Circles => "circles",
        }
    }
}

/// What was found of a routing among certain faults.
#[derive(Clone, Debug, Default)]
pub struct Flaws {
    /// A shortest circle of channels, where nothing else keeps messages from waiting in it.
    pub cycle: Option<Cycle>,
    /// Of weakly adaptive routing with such a circle, a message that its escape channels fail, if there is one: else the circle is one of theirs.
    pub stranded: Option<Stranded>,
    /// Whether messages arrive.
    pub arrivals: MeshArrivals,
}

impl Flaws {
    /// Of `algorithm` among `faults`; `uses` says what moves. `None` where that cannot be told: the
    /// network is too large, or too much is drawn or remembered. Cost: as [`MeshDependencies::build`], of weakly adaptive routing as
    /// [`ExtendedDependencies::build`].
    pub fn of(faults: &Arc<BlockFaults>, algorithm: &Algorithm, uses: Use) -> Option<Self> {
        match uses {
            Use::Messages => {
                let arrivals = message_arrivals(faults, algorithm.local()?)?;
                Some(Self { arrivals, ..Self::default() })
            }
            Use::Circuits => {
                let (graph, arrivals) = circuit_dependencies(faults, &algorithm.circuits()?)?;
                Some(Self { cycle: graph.acyclic_order().err(), stranded: None, arrivals })
            }
            _ => Self::of_worms(faults, algorithm),
        }
    }

    fn of_worms(faults: &Arc<BlockFaults>, algorithm: &Algorithm) -> Option<Self> {
        let routing = algorithm.worm.as_deref()?;
        let built = MeshDependencies::build(faults, routing)?;
        let arrivals = built.arrivals();
        let Some(cycle) = built.graph().acyclic_order().err().filter(|_| !routing.is_ranked()) else {
            return Some(Self { arrivals, ..Self::default() });
        };
        let (mesh, all) = (faults.mesh(), routing.classes(faults.mesh()));
        if (0..all).all(|class| routing.is_escape(mesh, class)) {
            return Some(Self { cycle: Some(cycle), stranded: None, arrivals });
        }
        let extended = ExtendedDependencies::build(faults, routing)?;
        let (stranded, of_escapes) = (extended.stranded(), extended.graph().acyclic_order().err());
        let cycle = of_escapes.or_else(|| stranded.map(|_| cycle));
        Some(Self { cycle, stranded, arrivals })
    }

    /// Whether it has this flaw.
    pub fn has(&self, flaw: Flaw) -> bool {
        match flaw {
            Flaw::Deadlock => self.cycle.is_some(),
            Flaw::Lost => self.arrivals.lost > 0,
            Flaw::Circles => self.arrivals.circling > 0,
        }
    }

    /// A pair that is lost, or that goes round.
    pub fn pair(&self, flaw: Flaw) -> Option<Pair> {
        match flaw {
            Flaw::Deadlock => None,
            Flaw::Lost => self.arrivals.loser,
            Flaw::Circles => self.arrivals.circler,
        }
    }
}
