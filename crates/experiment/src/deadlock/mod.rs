//! Verdicts on deadlock: proved free, deadlocks with a set of messages that a run ends in, or undecided.
//!
//! Theory proves that there is no deadlock, or proposes a set of messages ([`DeadlockCase`]). Nothing is called a deadlock until
//! the engine, run as it is watched, ends in one.

mod batches;
mod circuits;
mod worms;

use std::sync::Arc;

use super::worm::Traffic;
use super::{Cell, Experiment, Layout, View};
use faultlab_core::fault::{BlockFaults, FaultModel, FaultSpec};
use faultlab_core::theory::{DeadlockCase, DeadlockProof, OpenReason};
use faultlab_core::topology::NodeId;
use faultlab_core::traffic::{Listed, Pair};

pub use batches::batch_verdict;
pub use circuits::circuit_verdict;
pub use worms::worm_verdict;

/// Verdict on the deadlocks of one routing among certain faults.
#[derive(Clone, Debug)]
pub enum DeadlockVerdict {
    /// No messages of any length can deadlock.
    ProvedFree {
        /// The proof.
        by: DeadlockProof,
    },
    /// The engine ends in a deadlock.
    Deadlocks(Box<SeenDeadlock>),
    /// Neither is known.
    Undecided {
        /// The methods that were tried, in words.
        tried: DeadlockAttempts,
    },
}

/// A deadlock in which a run ends.
#[derive(Clone, Debug)]
pub struct SeenDeadlock {
    /// A smallest set of its messages in which each waits for channels of the set only.
    pub messages: Vec<DeadlockedMessage>,
    /// Since when they wait for each other: a cycle of worms, a time of circuits.
    pub since: f64,
    /// The run. It opens when the deadlock is known.
    pub experiment: Experiment,
}

/// A message of a deadlocked set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadlockedMessage {
    /// The source and the destination of the message.
    pub pair: Pair,
    /// The node by way of which it goes, if its routing has one and it is part of its route.
    pub via: Option<NodeId>,
    /// All that it waits for.
    pub waits: Vec<ChannelWait>,
}

/// A channel that a message of a deadlocked set waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelWait {
    /// The node that the channel leaves.
    pub from: NodeId,
    /// The node that it leads to.
    pub to: NodeId,
    /// The virtual channel; `None` of circuits, which hold whole links.
    pub virtual_channel: Option<u8>,
    /// The message that holds it, by its index in the set.
    pub holder: usize,
}

/// Attempts to decide that decided nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeadlockAttempts {
    /// The reason why theory neither proved freedom nor proposed a set; `None` if it proposed a set.
    pub open: Option<OpenReason>,
    /// The messages of the set that it proposed; 0 if it did not.
    pub proposed: usize,
    /// The runs, none of which ended in a deadlock.
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

    /// The deadlock that was seen.
    pub fn seen(&self) -> Option<&SeenDeadlock> {
        match self {
            Self::Deadlocks(seen) => Some(seen),
            _ => None,
        }
    }

    /// The verdict where theory looked at nothing.
    pub fn too_large() -> Self {
        let tried = DeadlockAttempts { open: Some(OpenReason::TooLarge), ..DeadlockAttempts::default() };
        Self::Undecided { tried }
    }
}

/// The attempts after so many runs.
fn attempts(case: &DeadlockCase, runs: u32) -> DeadlockAttempts {
    match case {
        DeadlockCase::Open(reason) => DeadlockAttempts { open: Some(*reason), proposed: 0, runs },
        DeadlockCase::Set(set) => DeadlockAttempts { open: None, proposed: set.messages.len(), runs },
        DeadlockCase::Free(_) => DeadlockAttempts { runs, ..DeadlockAttempts::default() },
    }
}

/// The experiment with nothing of how it was looked at before.
pub(super) fn without_view(experiment: &Experiment) -> Experiment {
    let view = View {
        sample: experiment.view.sample,
        layout: Layout::default(),
        ..experiment.kind().behavior.default_experiment(experiment.version, None).view
    };
    Experiment { view, ..experiment.clone() }
}

/// Has the experiment send these messages only.
pub(super) fn with_messages(experiment: &mut Experiment, messages: &[Pair]) {
    if let Some(setting) = experiment.setting.worm_mut() {
        let listed = |pair: &Pair| Listed { from: pair.from, to: pair.to, via: None };
        setting.traffic = Traffic::List(messages.iter().map(listed).collect());
    }
}

/// The experiment with the drawn faults named one by one, so that another seed leaves them as they are. Unchanged if nothing is
/// drawn, or if that would not give the same `faults`.
fn with_fixed_faults(experiment: &Experiment, faults: &BlockFaults) -> (Experiment, bool) {
    if experiment.faults.model == FaultModel::None {
        return (experiment.clone(), true);
    }
    let sample = experiment.view.sample;
    let fixed = Cell::new(experiment, None).drawn(sample).ok().map(|drawn| {
        let faults = FaultSpec { broken: drawn.nodes, broken_links: drawn.links, ..FaultSpec::NONE };
        Experiment { faults, ..experiment.clone() }
    });
    let is_same = |fixed: &Experiment| {
        let mesh = faults.mesh();
        let found: Option<Arc<BlockFaults>> = Cell::new(fixed, None).blocks(sample).ok();
        found.is_some_and(|found| {
            mesh.all()
                .all(|node| found.is_faulty(node) == faults.is_faulty(node) && found.open(node) == faults.open(node))
        })
    };
    match fixed.filter(is_same) {
        Some(fixed) => (fixed, true),
        None => (experiment.clone(), false),
    }
}
