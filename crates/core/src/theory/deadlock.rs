//! Deadlock analysis of a routing: a proof of deadlock freedom, or a set of messages that may
//! deadlock.

use super::circuit_dependencies::circuit_states;
use super::dependency::DependencyGraph;
use super::duato::ExtendedDependencies;
use super::wait_graph::{DeadlockSet, SetSearchResult, WaitGraph};
use crate::fault::BlockFaults;
use crate::routing::{CircuitRouting, WormRouting};

/// Reason why no deadlock exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeadlockProof {
    /// The channel dependency graph is acyclic (Dally & Seitz 1987).
    Acyclic,
    /// Every message waits only for messages with more reversals (Dally & Aoki 1993).
    Ranked,
    /// Duato's condition holds with the given escape classes (Duato 1993).
    Escape {
        /// The classes, ascending.
        classes: Vec<u8>,
        /// True if the routing declares the classes; false if a search found them.
        declared: bool,
    },
    /// The greatest set of channels that messages could hold forever is empty
    /// ([`WaitGraph::prune`]).
    NothingHeld,
    /// A complete search found no set of messages in which each waits only for channels of the set
    /// ([`WaitGraph::find_set`]).
    NoSet,
    /// A message releases its channels before it waits
    /// ([`crate::switching::SetupPolicy::Retry`]).
    Backtracks,
    /// A theorem about the algorithm, for networks of any size.
    Theorem,
}

/// Reason why neither a proof nor a set was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndecidedReason {
    /// The network is too large for its dependency graph.
    TooLarge,
    /// There are too many states for the fixed point.
    TooManyStates,
    /// The search for a set ran out of steps.
    OutOfSteps,
}

/// Result of the deadlock analysis of a routing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeadlockAnalysis {
    /// No deadlock exists.
    Free(DeadlockProof),
    /// A set of messages that would deadlock. Only a simulation shows whether the state is
    /// reachable.
    Set(DeadlockSet),
    /// Neither a proof nor a deadlocked set was found.
    Undecided(UndecidedReason),
}

impl DeadlockAnalysis {
    /// Returns whether freedom from deadlock is proved.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Free(_))
    }
}

/// Analyzes the deadlocks of worms of any length under `routing`, whose dependency graph is
/// `graph`.
///
/// The proof holds for any number of virtual channels. A channel that any class may use is held
/// only by a message that may also hold its own class's channel. A header that waits for a class
/// also waits for the class's own channel.
///
/// Cost: as the dependency graph if that is acyclic; else that of [`WaitGraph::prune`], and
/// `steps` steps of [`WaitGraph::find_set`]. With too many states, that of
/// [`ExtendedDependencies::build`].
pub fn worm_deadlocks(
    faults: &BlockFaults,
    routing: &dyn WormRouting,
    graph: &DependencyGraph,
    steps: u64,
) -> DeadlockAnalysis {
    if graph.acyclic_order().is_ok() {
        return DeadlockAnalysis::Free(DeadlockProof::Acyclic);
    }
    if routing.is_ranked() {
        return DeadlockAnalysis::Free(DeadlockProof::Ranked);
    }
    let case = analyze_states(WaitGraph::from_worms(faults, routing, graph), steps);
    match case {
        DeadlockAnalysis::Undecided(UndecidedReason::TooManyStates) => declared_escapes(faults, routing)
            .map_or(case, |classes| DeadlockAnalysis::Free(DeadlockProof::Escape { classes, declared: true })),
        case => case,
    }
}

/// Analyzes the deadlocks of circuits under `routing`, whose dependency graph is `graph`. Cost: as
/// [`worm_deadlocks`].
pub fn circuit_deadlocks(
    faults: &BlockFaults,
    routing: &CircuitRouting,
    graph: &DependencyGraph,
    steps: u64,
) -> DeadlockAnalysis {
    if graph.acyclic_order().is_ok() {
        return DeadlockAnalysis::Free(DeadlockProof::Acyclic);
    }
    analyze_states(circuit_states(faults, routing, graph), steps)
}

fn analyze_states(states: Option<WaitGraph>, steps: u64) -> DeadlockAnalysis {
    let Some(mut states) = states else { return DeadlockAnalysis::Undecided(UndecidedReason::TooManyStates) };
    states.prune();
    if states.is_empty() {
        return DeadlockAnalysis::Free(DeadlockProof::NothingHeld);
    }
    match states.find_set(steps) {
        SetSearchResult::None => DeadlockAnalysis::Free(DeadlockProof::NoSet),
        SetSearchResult::Found(set) => DeadlockAnalysis::Set(set),
        SetSearchResult::OutOfSteps => DeadlockAnalysis::Undecided(UndecidedReason::OutOfSteps),
    }
}

/// Returns the escape classes that `routing` declares, if other classes exist and Duato's condition
/// holds.
fn declared_escapes(faults: &BlockFaults, routing: &dyn WormRouting) -> Option<Vec<u8>> {
    let (mesh, classes) = (faults.mesh(), routing.vc_classes(faults.mesh()));
    let declared: Vec<_> = (0..classes).filter(|&class| routing.is_escape(mesh, class)).collect();
    if declared.len() == usize::from(classes) {
        return None;
    }
    let built = ExtendedDependencies::build(faults, routing)?;
    (built.violation().is_none() && built.graph().acyclic_order().is_ok()).then_some(declared)
}
