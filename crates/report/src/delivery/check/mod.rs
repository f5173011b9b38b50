//! What can be said of delivery cycles on one fat-tree with one message set: each claim of Greenberg & Leiserson beside what
//! the instance has.

mod algorithm;
mod bad;
mod facts;
mod files;

pub use bad::BadFound;

use std::sync::Arc;

use crate::checked::{self, Checked};
use crate::document::Document;
use crate::error::ReportError;
use crate::words::facts::Fact;
use faultlab_core::fault::FaultModel;
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::fat_tree::CycleProof;
use faultlab_core::switching::delivery::{Delivery, DeliveryCounts, DeliveryOutcome, ScheduleFault, SurvivorPolicy};
use faultlab_core::theory::fat_tree::{
    Detour, EmbeddedStep, Lemma6, congestion_parameter, deliverable_fraction, embedded_steps, lemma_6, lemma_6_bound,
};
use faultlab_core::topology::fat_tree::{FatTree, Leaves};
use faultlab_experiment::delivery::Setting as DeliverySetting;
use faultlab_experiment::{Cell, DeliveryTrial, Experiment};

/// What is proved of one network with its dead wires, of its messages, and of each algorithm on them.
pub struct DeliveryChecks {
    /// The experiment.
    pub experiment: Experiment,
    /// The processors.
    pub leaves: Leaves,
    /// What decides the delivery cycles.
    pub setting: DeliverySetting,
    /// The fat-tree; `None` of the second network.
    pub tree: Option<FatTree>,
    /// The probability of a wire to be dead, where dead wires are drawn; 0 where they are not.
    pub p: f64,
    /// The channels with their live wires, and the messages.
    pub trial: DeliveryTrial,
    /// How many of the messages can arrive on the live wires.
    pub deliverable: u32,
    /// The messages by Valiant's detour; `None` with dead wires, where some leave by the root, or
    /// where there are too many.
    pub detour: Option<Detour>,
    /// What steps of other networks load the fat-tree with; empty if it is too large, or some of its wires are dead.
    pub steps: Vec<EmbeddedStep>,
    /// Lemma 6 at the experiment's r, then at the congestion parameter; empty with dead wires, or too
    /// many messages.
    pub lemma_6: Vec<Lemma6Found>,
    /// How the messages were built and what GREEDY makes of them, if they are Theorem 9's.
    pub bad: Option<BadFound>,
    /// What is found of each algorithm, in the order of the experiment.
    pub algorithms: Vec<DeliveryCheck>,
}

impl DeliveryChecks {
    /// The mean share of random permutations that drawn wires leave, exactly; `None` of other messages, of the second network, and
    /// where wires are broken or mended by hand.
    pub fn exact_share(&self) -> Option<f64> {
        let plain = self.setting.demand.is_random_permutation() && !self.experiment.faults.has_edits();
        self.tree.filter(|_| plain).map(|tree| deliverable_fraction(tree, self.p))
    }
}

/// How often the messages of random subsets arrive, beside what Lemma 6 promises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lemma6Found {
    /// r.
    pub r: f64,
    /// What is promised of the longest paths: 0 for nothing.
    pub bound: f64,
    /// What is measured.
    pub measured: Lemma6,
    /// In how many cycles.
    pub trials: u32,
}

/// What is found of one algorithm.
#[derive(Clone, Debug)]
pub struct DeliveryCheck {
    /// The algorithm.
    pub algorithm: Arc<Algorithm>,
    /// How it ends; `None` if it was not followed so far.
    pub outcome: Option<DeliveryOutcome>,
    /// The delivery cycles that were followed.
    pub cycles: u32,
    /// What it took.
    pub counts: DeliveryCounts,
    /// How often a message is sent, on average.
    pub transmissions: f64,
    /// What an off-line schedule makes of the order in which messages arrived; of fat-trees without dead wires.
    pub offline: Option<OfflineFound>,
    /// The messages by way of the intermediate processors that it sends them to; `None` if it makes no detour, and as
    /// [`DeliveryTrial::detour`] says.
    pub detour: Option<Detour>,
}

/// An off-line schedule, gone through cycle by cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfflineFound {
    /// Its cycles, of several schedules those of the shortest.
    pub cycles: u32,
    /// The schedules that were built, each of another run.
    pub schedules: u32,
    /// Whether no cycle has a load factor above 1.
    pub verified: Result<(), ScheduleFault>,
}

/// How much is done, in steps of a message, on a page that waits and for somebody who is patient.
const MOST_WORK: [u64; 2] = [1 << 22, 1 << 24];

/// The most messages whose detour and schedule are built, and which are sent to measure Lemma 6.
const MOST_MESSAGES: u32 = 1 << 16;

/// The largest tree on which steps of other networks are laid.
const MOST_EMBEDDED: u32 = 1 << 12;

impl DeliveryChecks {
    /// Checks every algorithm of `experiment` on the messages and wires it is watched with. `None` on other networks than fat-trees
    /// and the second network. Runs are followed longer if somebody is `patient`. Cost: up to half a second each, a few if
    /// patient.
    pub fn of(experiment: &Experiment, patient: bool) -> Option<Self> {
        let (cell, leaves, setting) =
            (Cell::new(experiment, None), experiment.network.leaves()?, experiment.setting.delivery()?);
        let trial = DeliveryTrial::new(&cell, experiment.view.sample)?;
        let tree = leaves.tree(&setting.profile).and_then(Result::ok);
        let p = match experiment.faults.model {
            FaultModel::Wires(p) => p,
            _ => 0.0,
        };
        let arrives = |ends: &&[u32; 2]| trial.live.as_ref().is_none_or(|live| live.is_deliverable(ends[0], ends[1]));
        let few = trial.live.is_none() && trial.messages.len() <= MOST_MESSAGES;
        let key = Key::from_seed(experiment.seed).named("check").child(experiment.view.sample);
        let whole = tree.filter(|tree| trial.live.is_none() && tree.processors() <= MOST_EMBEDDED);
        let check = |algorithm: &Arc<Algorithm>| DeliveryCheck::new(&trial, algorithm, MOST_WORK[usize::from(patient)]);
        Some(Self {
            experiment: experiment.clone(),
            p,
            deliverable: trial.messages.ends().iter().filter(arrives).count() as u32,
            detour: (few && !trial.messages.leaves()).then(|| Detour::of(&trial.channels, &trial.messages, key)),
            steps: whole.map(embedded_steps).unwrap_or_default(),
            lemma_6: tree
                .filter(|_| few)
                .map(|tree| lemma_6_of(tree, &trial, setting.r.on(&trial.channels), key))
                .unwrap_or_default(),
            bad: BadFound::of(leaves, setting, &trial, 1 << 16),
            algorithms: experiment.routing.iter().filter_map(check).collect(),
            setting: setting.clone(),
            leaves,
            tree,
            trial,
        })
    }
}

impl DeliveryCheck {
    fn new(trial: &DeliveryTrial, algorithm: &Arc<Algorithm>, most: u64) -> Option<Self> {
        let mut run = trial.start(algorithm)?;
        follow(&mut run, most);
        Some(Self {
            algorithm: algorithm.clone(),
            outcome: run.outcome(),
            cycles: run.cycle(),
            counts: run.counts(),
            transmissions: run.transmissions_per_message(),
            offline: offline(trial, algorithm, &run, most),
            detour: trial.detour(algorithm),
        })
    }

    /// What the paper proves of the algorithm.
    pub fn proof(&self) -> Option<CycleProof> {
        self.algorithm.delivery().map(|delivery| delivery.proof)
    }

    /// Whether all messages that can arrive have.
    pub fn has_ended(&self) -> bool {
        matches!(self.outcome, Some(DeliveryOutcome::Delivered { .. }))
    }
}

/// The best off-line schedule of as many as are asked for, as far as `most` steps of a message suffice for further runs.
fn offline(trial: &DeliveryTrial, algorithm: &Algorithm, run: &Delivery, most: u64) -> Option<OfflineFound> {
    if trial.messages.len() > MOST_MESSAGES {
        return None;
    }
    let (mut best, mut schedules, mut work) = (trial.schedule(run)?, 1, 0);
    while schedules < trial.schedules() && work < most {
        let mut again = trial.start_again(algorithm, schedules)?;
        work += follow(&mut again, most - work);
        let Some(schedule) = trial.schedule(&again) else { break };
        schedules += 1;
        best = if schedule.cycles() < best.cycles() { schedule } else { best };
    }
    let verified = best.verify(&trial.channels, &trial.messages);
    Some(OfflineFound { cycles: best.cycles(), schedules, verified })
}

/// Follows a run for about `most` steps of a message; how many it took.
fn follow(run: &mut Delivery, most: u64) -> u64 {
    let mut work = 0;
    while run.outcome().is_none() && work < most {
        // Who is not delivered is looked at in each cycle, sent or not.
        work += u64::from(run.messages().len() - run.counts().delivered) + 1;
        run.step();
    }
    work
}

/// Lemma 6 at `r` and at the congestion parameter, under the rule that its proof presumes: over-subscribed channels lose all.
fn lemma_6_of(tree: FatTree, trial: &DeliveryTrial, r: f64, key: Key) -> Vec<Lemma6Found> {
    let trials = ((1 << 17) / trial.messages.len().max(1)).clamp(8, 256);
    let found = |r| {
        let messages = &trial.messages;
        let measured = lemma_6(trial.channels, messages, r, SurvivorPolicy::DropAll, trials, key).ok()?;
        Some(Lemma6Found { r, bound: lemma_6_bound(tree, r, tree.levels()), measured, trials })
    };
    [r, congestion_parameter(tree)].into_iter().filter_map(found).collect()
}

/// What is proved of `experiment`, see [`DeliveryChecks::of`].
///
/// # Errors
/// Which key of it allows no check.
pub(crate) fn of(experiment: &Experiment, patient: bool) -> Result<Box<dyn Checked>, ReportError> {
    let other =
        || ReportError::OtherNetwork { network: experiment.network, accepted: "the fat-trees tree:N and tree2:N" };
    let found = DeliveryChecks::of(experiment, patient).ok_or_else(other)?;
    Ok(Box::new(found))
}

impl Document for DeliveryChecks {
    fn text(&self) -> String {
        checked::told(self, &self.experiment, "")
    }

    fn csv(&self) -> String {
        files::csv(self)
    }

    fn json(&self) -> String {
        files::json(self)
    }
}

impl Checked for DeliveryChecks {
    fn ground(&self) -> &'static str {
        ", for the messages that Watch shows, beside what Greenberg & Leiserson prove"
    }

    fn network(&self) -> Vec<Fact> {
        facts::network(self)
    }

    fn messages(&self) -> Vec<Fact> {
        facts::messages(self)
    }

    fn names(&self) -> Vec<&str> {
        self.algorithms.iter().map(|check| &*check.algorithm.name).collect()
    }

    fn of(&self, number: usize) -> Vec<Fact> {
        self.algorithms.get(number).map_or_else(Vec::new, |check| algorithm::of(self, check))
    }
}

#[cfg(test)]
mod tests;
