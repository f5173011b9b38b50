//! Experiments that show a flaw.

use std::sync::Arc;

use super::{Flaw, Flaws};
use crate::Experiment;
use crate::deadlock::{DeadlockVerdict, circuit_verdict, with_messages, without_view, worm_verdict};
use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::UseCase;
use faultlab_core::theory::{route_into_livelock, route_to_loss};
use faultlab_core::topology::NodeId;
use faultlab_core::traffic::{Pair, Pattern};

/// Flaw with its evidence.
#[derive(Clone, Debug)]
pub struct Witness {
    /// Kind of flaw.
    pub flaw: Flaw,
    /// Faults added to those of the experiment, by their names in its text.
    pub faults: Vec<String>,
    /// Number of ordered pairs of connected nodes.
    pub pairs: u64,
    /// Number of affected pairs; for a deadlock, the number of messages in the set, 0 while
    /// undecided.
    pub affected_pairs: u64,
    /// Message or run that shows the flaw.
    pub shown: Evidence,
}

/// Evidence for a flaw.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// A message is lost, refused, or travels in a cycle.
    Message {
        /// Source and destination.
        pair: Pair,
        /// Nodes on the path of a wormhole message that is lost or travels in a cycle, and the
        /// index at which the cycle begins. Empty for other messages.
        route: (Vec<NodeId>, usize),
        /// Experiment that shows the message.
        experiment: Box<Experiment>,
    },
    /// Messages form a cyclic wait, or a deadlock is neither found nor excluded.
    Deadlock {
        /// Verdict, deadlocked or undecided.
        verdict: DeadlockVerdict,
        /// Experiment: the run that ends in the deadlock, or the one with the found faults.
        experiment: Box<Experiment>,
    },
}

impl Evidence {
    /// Returns the experiment.
    pub fn experiment(&self) -> &Experiment {
        match self {
            Self::Message { experiment, .. } | Self::Deadlock { experiment, .. } => experiment,
        }
    }

    /// Returns the verdict of a deadlock; `None` for other flaws.
    pub fn verdict(&self) -> Option<&DeadlockVerdict> {
        match self {
            Self::Deadlock { verdict, .. } => Some(verdict),
            Self::Message { .. } => None,
        }
    }
}

impl Witness {
    /// Returns whether the flaw is an undecided deadlock.
    pub fn is_undecided(&self) -> bool {
        self.shown.verdict().is_some_and(|verdict| verdict.observed().is_none())
    }
}

/// Creates the evidence for `flaw` in `experiment`, which has the faults `faults`; `None` without
/// such a flaw.
///
/// `names` are the names of the added faults.
pub(super) fn witness(
    experiment: &Experiment,
    faults: &Arc<BlockFaults>,
    flaws: &Flaws,
    flaw: Flaw,
    names: Vec<String>,
) -> Option<Witness> {
    let (experiment, uses) = (without_view(experiment), experiment.kind().use_case);
    let (shown, affected_pairs) = match flaw {
        Flaw::Deadlock => {
            let (graph, case) = flaws.deadlock.as_ref()?;
            let verdict = match uses {
                UseCase::Circuits => circuit_verdict(&experiment, faults, case),
                _ => worm_verdict(&experiment, faults, graph, case),
            };
            let affected_pairs = verdict.observed().map_or(0, |seen| seen.messages.len() as u64);
            let experiment = Box::new(verdict.observed().map_or(experiment, |seen| seen.experiment.clone()));
            (Evidence::Deadlock { verdict, experiment }, affected_pairs)
        }
        Flaw::Lost | Flaw::Livelock => {
            let (pair, affected_pairs) = match flaw {
                Flaw::Lost => (flaws.arrivals.lost_example?, flaws.arrivals.lost),
                _ => (flaws.arrivals.livelocked_example?, flaws.arrivals.livelocked),
            };
            (message(&experiment, faults, flaw, pair), affected_pairs)
        }
    };
    Some(Witness { flaw, faults: names, pairs: flaws.arrivals.pairs, affected_pairs, shown })
}

/// Creates the evidence of a message that is lost, refused, or travels in a cycle.
fn message(experiment: &Experiment, faults: &BlockFaults, flaw: Flaw, pair: Pair) -> Evidence {
    let uses = experiment.kind().use_case;
    if uses == UseCase::Circuits {
        return Evidence::Message {
            pair,
            route: <_>::default(),
            experiment: Box::new(with_refused_pair(experiment, pair)),
        };
    }
    let pair = if flaw == Flaw::Lost { farthest(experiment, faults, pair) } else { pair };
    let worm = experiment.routing.first().and_then(|algorithm| algorithm.worm.as_deref());
    let route = worm.filter(|_| uses == UseCase::Worms).map(|routing| match flaw {
        Flaw::Livelock => route_into_livelock(faults, routing, pair).unwrap_or_default(),
        _ => (route_to_loss(faults, routing, pair).unwrap_or_default(), 0),
    });
    Evidence::Message { pair, route: route.unwrap_or_default(), experiment: Box::new(alone(experiment, pair)) }
}

/// Returns the experiment with all messages sent to the destination of a disconnected pair, whose
/// source then refuses its circuits.
fn with_refused_pair(experiment: &Experiment, pair: Pair) -> Experiment {
    let mut shown = experiment.clone();
    if let Some(setting) = shown.setting.circuit_mut() {
        setting.traffic = Pattern::hot_spot(pair.to, 1.0);
    }
    shown
}

/// Maximum number of sources to check for a long path to the loss.
const SOURCES: usize = 64;

/// Returns the pair to the destination of `pair` whose lost message travels farthest. A loss at the
/// source is difficult to see.
fn farthest(experiment: &Experiment, faults: &BlockFaults, pair: Pair) -> Pair {
    let worm = experiment.routing.first().and_then(|algorithm| algorithm.worm.as_deref());
    let Some(routing) = worm.filter(|_| experiment.kind().use_case == UseCase::Worms) else { return pair };
    let hops = |from: NodeId| route_to_loss(faults, routing, Pair { from, ..pair }).map_or(0, |nodes| nodes.len());
    let sources = faults.members().filter(|&from| from != pair.to).take(SOURCES);
    let (mut best, mut most) = (pair, hops(pair.from));
    for from in sources {
        let goes = hops(from);
        if goes > most {
            (best, most) = (Pair { from, ..pair }, goes);
        }
    }
    best
}

/// Returns the experiment with this message alone.
fn alone(experiment: &Experiment, pair: Pair) -> Experiment {
    let mut shown = experiment.clone();
    (shown.from, shown.to) = (Some(pair.from), Some(pair.to));
    with_messages(&mut shown, &[pair]);
    shown
}
