//! Verdicts on deadlock: proved free, deadlocked with a set of messages in a run, or undecided.
//!
//! Theory proves freedom from deadlock, or proposes a set of messages ([`DeadlockAnalysis`]). A
//! deadlock is reported only if a run of the engine, as Watch shows it, ends in one.

mod batches;
mod circuits;
mod worms;

use std::sync::Arc;

use super::worm::Traffic;
use super::{Experiment, Layout, PointConfig, ViewOptions};
use faultlab_core::fault::{BlockFaults, FaultModel, FaultSpec};
use faultlab_core::theory::{DeadlockAnalysis, DeadlockProof, UndecidedReason};
use faultlab_core::topology::NodeId;
use faultlab_core::traffic::{ListedMessage, Pair};

pub use batches::batch_verdict;
pub use circuits::circuit_verdict;
pub use worms::worm_verdict;

/// Verdict on the deadlocks of one routing with certain faults.
#[derive(Clone, Debug)]
pub enum DeadlockVerdict {
    /// No messages of any length can deadlock.
    ProvedFree {
        /// Proof of freedom from deadlock.
        by: DeadlockProof,
    },
    /// A run of the engine ends in a deadlock.
    Deadlocks(Box<ObservedDeadlock>),
    /// Neither freedom nor a deadlock is proved.
    Undecided {
        /// Attempted methods.
        tried: DeadlockAttempts,
    },
}

/// Deadlock in which a run ends.
#[derive(Clone, Debug)]
pub struct ObservedDeadlock {
    /// Smallest set of the deadlocked messages in which each waits for channels of the set only.
    pub messages: Vec<DeadlockedMessage>,
    /// Start of the cyclic wait: a cycle of wormhole networks, a time of circuits.
    pub since: f64,
    /// Experiment of the run. Its view opens at the time when the deadlock is known.
    pub experiment: Experiment,
}

/// Message of a deadlocked set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadlockedMessage {
    /// Number of the message in the run, as Watch shows it.
    pub number: u64,
    /// Source and destination of the message.
    pub pair: Pair,
    /// Intermediate node of the message's route; `None` if the routing has none.
    pub via: Option<NodeId>,
    /// Channels that the message waits for.
    pub waits: Vec<ChannelWait>,
}

/// Channel that a message of a deadlocked set waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelWait {
    /// Node that the channel leaves.
    pub from: NodeId,
    /// Node that the channel leads to.
    pub to: NodeId,
    /// Virtual channel; `None` for circuits, which hold whole links.
    pub virtual_channel: Option<u8>,
    /// Index, in the set, of the message that holds the channel.
    pub holder: usize,
}

/// Attempts that did not lead to a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeadlockAttempts {
    /// Reason why theory neither proved freedom nor proposed a set; `None` if it proposed a set.
    pub open: Option<UndecidedReason>,
    /// Number of messages in the proposed set; 0 without one.
    pub proposed: usize,
    /// Number of runs, none of which ended in a deadlock.
    pub runs: u32,
}

impl DeadlockVerdict {
    /// Returns whether deadlock is proved impossible; `None` if the verdict is undecided.
    pub fn is_free(&self) -> Option<bool> {
        match self {
            Self::ProvedFree { .. } => Some(true),
            Self::Deadlocks(_) => Some(false),
            Self::Undecided { .. } => None,
        }
    }

    /// Returns the observed deadlock.
    pub fn observed(&self) -> Option<&ObservedDeadlock> {
        match self {
            Self::Deadlocks(seen) => Some(seen),
            _ => None,
        }
    }

    /// Returns the verdict for networks that are too large for the theory.
    pub fn too_large() -> Self {
        let tried = DeadlockAttempts { open: Some(UndecidedReason::TooLarge), ..DeadlockAttempts::default() };
        Self::Undecided { tried }
    }
}

/// Returns the attempts after `runs` runs.
fn attempts(case: &DeadlockAnalysis, runs: u32) -> DeadlockAttempts {
    match case {
        DeadlockAnalysis::Undecided(reason) => DeadlockAttempts { open: Some(*reason), proposed: 0, runs },
        DeadlockAnalysis::Set(set) => DeadlockAttempts { open: None, proposed: set.messages.len(), runs },
        DeadlockAnalysis::Free(_) => DeadlockAttempts { runs, ..DeadlockAttempts::default() },
    }
}

/// Returns the experiment with the default view of its kind.
pub(super) fn without_view(experiment: &Experiment) -> Experiment {
    let view = ViewOptions {
        sample: experiment.view.sample,
        layout: Layout::default(),
        ..experiment.kind().behavior.default_experiment(experiment.version, None).view
    };
    Experiment { view, ..experiment.clone() }
}

/// Replaces the traffic of the experiment by a list of messages.
pub(super) fn with_messages(experiment: &mut Experiment, messages: &[Pair]) {
    if let Some(setting) = experiment.setting.worm_mut() {
        let listed = |pair: &Pair| ListedMessage { from: pair.from, to: pair.to, via: None };
        setting.traffic = Traffic::List(messages.iter().map(listed).collect());
    }
}

/// Returns the experiment with its sampled faults as explicit edits, so that another seed does not
/// change them.
///
/// The flag is false, and the experiment unchanged, if explicit edits do not give the same
/// `faults`.
fn with_fixed_faults(experiment: &Experiment, faults: &BlockFaults) -> (Experiment, bool) {
    if experiment.faults.model == FaultModel::None {
        return (experiment.clone(), true);
    }
    let sample = experiment.view.sample;
    let fixed = PointConfig::new(experiment, None).sampled_faults(sample).ok().map(|drawn| {
        let faults = FaultSpec { faulty_nodes: drawn.nodes, faulty_links: drawn.links, ..FaultSpec::NONE };
        Experiment { faults, ..experiment.clone() }
    });
    let is_same = |fixed: &Experiment| {
        let mesh = faults.mesh();
        let found: Option<Arc<BlockFaults>> = PointConfig::new(fixed, None).blocks(sample).ok();
        found.is_some_and(|found| {
            mesh.iter_nodes().all(|node| {
                found.is_faulty(node) == faults.is_faulty(node) && found.open_ports(node) == faults.open_ports(node)
            })
        })
    };
    match fixed.filter(is_same) {
        Some(fixed) => (fixed, true),
        None => (experiment.clone(), false),
    }
}
