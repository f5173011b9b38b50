//! Checks of delivery cycles on one fat-tree with one message set: each claim of Greenberg &
//! Leiserson compared with the instance.

mod algorithm;
mod bad_set;
mod buffered;
mod facts;
mod files;
mod level_schedule;
mod verdict;

pub use bad_set::BadSetResult;
pub use buffered::BufferedResult;

use std::sync::Arc;

use crate::check_report::{self, CheckReport};
use crate::check_verdict::CheckVerdict;
use crate::document::Document;
use crate::error::ReportError;
use crate::wording::facts::Fact;
use faultlab_core::fault::FaultModel;
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::fat_tree::CycleProof;
use faultlab_core::switching::delivery::{DeliveryCounts, DeliveryOutcome, DeliveryRun, ScheduleError, SurvivorPolicy};
use faultlab_core::theory::fat_tree::{
    Detour, EmbeddedStep, Lemma6, TreesEmbedding, TreesPlacement, congestion_parameter, deliverable_fraction,
    embedded_steps, lemma_6, lemma_6_bound,
};
use faultlab_core::topology::fat_tree::{FatTree, Leaves};
use faultlab_experiment::delivery::DeliverySetting;
use faultlab_experiment::{DeliveryTrial, Experiment, PointConfig};

/// Results on one network with its dead wires, on its messages, and on each algorithm.
pub struct DeliveryChecks {
    /// Experiment.
    pub experiment: Experiment,
    /// Processors at the leaves.
    pub leaves: Leaves,
    /// Setting of the delivery cycles.
    pub setting: DeliverySetting,
    /// Fat-tree; `None` for the second network.
    pub tree: Option<FatTree>,
    /// Probability that a wire is dead, where dead wires are sampled; 0 otherwise.
    pub p: f64,
    /// Channels with their live wires, and the messages.
    pub trial: DeliveryTrial,
    /// Number of messages that can arrive over the live wires.
    pub deliverable: u32,
    /// Load factors of Valiant's detour. `None` with dead wires, if messages leave by the root, or
    /// if there are too many messages.
    pub detour: Option<Detour>,
    /// Load factors of communication steps of other networks on the fat-tree; empty if the fat-tree
    /// is too large or has dead wires.
    pub steps: Vec<EmbeddedStep>,
    /// Networks with buffers that deliver the messages, and their simulation by RANDOM; empty if
    /// the fat-tree is too large or has dead wires, or messages leave by the root.
    pub buffered: Vec<BufferedResult>,
    /// Meshes of trees in the second network in the plane; empty for other networks, and if the
    /// network is too large or has dead wires.
    pub trees: Vec<TreesEmbedding>,
    /// Results on Lemma 6 at the experiment's r, then at the congestion parameter. Empty with dead
    /// wires or too many messages.
    pub lemma_6: Vec<Lemma6Result>,
    /// Construction of Theorem 9's message set and GREEDY's cycles on the set, if the experiment
    /// sends it.
    pub bad: Option<BadSetResult>,
    /// Results on each algorithm, in the order of the experiment.
    pub algorithms: Vec<DeliveryCheck>,
}

impl DeliveryChecks {
    /// Returns the exact mean share of a random permutation that sampled wires can deliver. Returns
    /// `None` for other messages, for the second network, and where wires are broken or mended by
    /// hand.
    pub fn exact_share(&self) -> Option<f64> {
        let plain = self.setting.demand.is_random_permutation() && !self.experiment.faults.has_overrides();
        self.tree.filter(|_| plain).map(|tree| deliverable_fraction(tree, self.p))
    }
}

/// Share of the messages of random subsets that arrive, with the bound of Lemma 6.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lemma6Result {
    /// Parameter r.
    pub r: f64,
    /// Bound for the longest paths; 0 if there is none.
    pub bound: f64,
    /// Measurement.
    pub measured: Lemma6,
    /// Number of cycles measured.
    pub trials: u32,
}

/// Results on one algorithm.
#[derive(Clone, Debug)]
pub struct DeliveryCheck {
    /// Algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Outcome; `None` if the run was not followed to its end.
    pub outcome: Option<DeliveryOutcome>,
    /// Number of delivery cycles followed.
    pub cycles: u32,
    /// Counts of the run.
    pub counts: DeliveryCounts,
    /// Mean number of transmissions of a message.
    pub transmissions: f64,
    /// Off-line schedule from the order of arrivals; for fat-trees without dead wires.
    pub offline: Option<OfflineResult>,
    /// Load factors of the algorithm's detour over intermediate processors. `None` if it makes no
    /// detour, and where [`DeliveryTrial::detour`] returns none.
    pub detour: Option<Detour>,
}

/// Off-line schedule, verified cycle by cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfflineResult {
    /// Number of cycles of the schedule, or of the shortest of several schedules.
    pub cycles: u32,
    /// Number of schedules built, each from another run.
    pub schedules: u32,
    /// Result of the verification that no cycle has a load factor above 1.
    pub verified: Result<(), ScheduleError>,
}

/// Maximum number of message visits: for the page, and for a thorough check.
const MAX_WORK: [u64; 2] = [1 << 22, 1 << 24];

/// Maximum number of messages for detours, schedules and the measurement of Lemma 6.
const MAX_MESSAGES: u32 = 1 << 16;

/// Maximum number of processors for communication steps of other networks.
const MAX_EMBEDDED_PROCESSORS: u32 = 1 << 12;

impl DeliveryChecks {
    /// Checks every algorithm of `experiment` on the messages and wires of the sample shown in
    /// *Watch*. Returns `None` for networks other than fat-trees and the second network. A
    /// `thorough` check follows runs longer. Cost: up to half a second for each algorithm, a few
    /// seconds if thorough.
    pub fn from_experiment(experiment: &Experiment, thorough: bool) -> Option<Self> {
        let (cell, leaves, setting) =
            (PointConfig::new(experiment, None), experiment.network.leaves()?, experiment.setting.delivery()?);
        let trial = DeliveryTrial::new(&cell, experiment.view.sample)?;
        let tree = leaves.tree(&setting.profile).and_then(Result::ok);
        let p = match experiment.faults.model {
            FaultModel::Wires(p) => p,
            _ => 0.0,
        };
        let arrives = |ends: &&[u32; 2]| trial.live.as_ref().is_none_or(|live| live.is_deliverable(ends[0], ends[1]));
        let few = trial.live.is_none() && trial.messages.len() <= MAX_MESSAGES;
        let key = Key::from_seed(experiment.seed).named("check").child(experiment.view.sample);
        let whole = tree.filter(|tree| trial.live.is_none() && tree.processors() <= MAX_EMBEDDED_PROCESSORS);
        let check = |algorithm: &Arc<Algorithm>| DeliveryCheck::new(&trial, algorithm, MAX_WORK[usize::from(thorough)]);
        Some(Self {
            experiment: experiment.clone(),
            p,
            deliverable: trial.messages.ends().iter().filter(arrives).count() as u32,
            detour: (few && !trial.messages.has_external_messages())
                .then(|| Detour::new(&trial.channels, &trial.messages, key)),
            steps: whole.map(embedded_steps).unwrap_or_default(),
            buffered: whole.map_or_else(Vec::new, |tree| {
                buffered::simulate(tree, &trial, setting, thorough, key.named("buffered"))
            }),
            trees: if trial.live.is_none() { meshes_of_trees(leaves) } else { Vec::new() },
            lemma_6: tree
                .filter(|_| few)
                .map(|tree| lemma_6_of(tree, &trial, setting.r.value_for(&trial.channels), key))
                .unwrap_or_default(),
            bad: BadSetResult::measure(leaves, setting, &trial, 1 << 16),
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

    /// Returns the paper's result on the algorithm.
    pub fn proof(&self) -> Option<CycleProof> {
        self.algorithm.delivery().map(|delivery| delivery.proof)
    }

    /// Returns whether all messages that can arrive have arrived.
    pub fn has_ended(&self) -> bool {
        matches!(self.outcome, Some(DeliveryOutcome::Delivered { .. }))
    }
}

/// Returns the shortest of the requested off-line schedules. Further runs stop after `most` message
/// visits.
fn offline(trial: &DeliveryTrial, algorithm: &Algorithm, run: &DeliveryRun, most: u64) -> Option<OfflineResult> {
    if trial.messages.len() > MAX_MESSAGES {
        return None;
    }
    let (mut best, mut schedules, mut work) = (trial.schedule(run)?, 1, 0);
    while schedules < trial.schedules() && work < most {
        let mut again = trial.start_repetition(algorithm, schedules)?;
        work += follow(&mut again, most - work);
        let Some(schedule) = trial.schedule(&again) else { break };
        schedules += 1;
        best = if schedule.cycles() < best.cycles() { schedule } else { best };
    }
    let verified = best.verify(&trial.channels, &trial.messages);
    Some(OfflineResult { cycles: best.cycles(), schedules, verified })
}

/// Runs until about `most` messages are visited. Returns the number of visits.
fn follow(run: &mut DeliveryRun, most: u64) -> u64 {
    let mut work = 0;
    while run.outcome().is_none() && work < most {
        // Each cycle visits every undelivered message, sent or not.
        work += u64::from(run.messages().len() - run.counts().delivered) + 1;
        run.step();
    }
    work
}

/// Embeds meshes of trees in the second network of at most [`MAX_EMBEDDED_PROCESSORS`] processors.
fn meshes_of_trees(leaves: Leaves) -> Vec<TreesEmbedding> {
    let network = leaves.second_network().filter(|network| network.processors() <= MAX_EMBEDDED_PROCESSORS);
    let embed = |placement| TreesEmbedding::new(network?, placement).filter(|trees| trees.side > 1);
    [TreesPlacement::Shared, TreesPlacement::Disjoint].into_iter().filter_map(embed).collect()
}

/// Measures Lemma 6 at `r` and at the congestion parameter, under the policy that its proof
/// assumes: over-subscribed channels lose all messages.
fn lemma_6_of(tree: FatTree, trial: &DeliveryTrial, r: f64, key: Key) -> Vec<Lemma6Result> {
    let trials = ((1 << 17) / trial.messages.len().max(1)).clamp(8, 256);
    let found = |r| {
        let messages = &trial.messages;
        let measured = lemma_6(trial.channels, messages, r, SurvivorPolicy::DropAll, trials, key).ok()?;
        Some(Lemma6Result { r, bound: lemma_6_bound(tree, r, tree.levels()), measured, trials })
    };
    [r, congestion_parameter(tree)].into_iter().filter_map(found).collect()
}

/// Checks `experiment`, see [`DeliveryChecks::from_experiment`].
///
/// # Errors
/// Returns an error if the network is not a fat-tree.
pub(crate) fn check_experiment(experiment: &Experiment, thorough: bool) -> Result<Box<dyn CheckReport>, ReportError> {
    let other = || ReportError::UnsupportedNetwork {
        network: experiment.network,
        accepted: "the fat-trees tree:N, tree2:N and tree2-3d:N",
    };
    let found = DeliveryChecks::from_experiment(experiment, thorough).ok_or_else(other)?;
    Ok(Box::new(found))
}

impl Document for DeliveryChecks {
    fn text(&self) -> String {
        check_report::render_text(self, &self.experiment, "")
    }

    fn csv(&self) -> String {
        files::csv(self)
    }

    fn json(&self) -> String {
        files::json(self)
    }
}

impl CheckReport for DeliveryChecks {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn ground(&self) -> &'static str {
        " and the messages there, and compared with the theorems of Greenberg & Leiserson"
    }

    fn network_facts(&self) -> Vec<Fact> {
        facts::network(self)
    }

    fn message_facts(&self) -> Vec<Fact> {
        facts::messages(self)
    }

    fn names(&self) -> Vec<&str> {
        self.algorithms.iter().map(|check| &*check.algorithm.name).collect()
    }

    fn verdict(&self, number: usize) -> CheckVerdict {
        let clauses = self.algorithms.get(number).map(|check| verdict::clauses(self, check));
        CheckVerdict::from_clauses(clauses.unwrap_or_default())
    }

    fn facts(&self, number: usize) -> Vec<Fact> {
        self.algorithms.get(number).map_or_else(Vec::new, |check| algorithm::algorithm_facts(self, check))
    }
}

#[cfg(test)]
mod tests;
