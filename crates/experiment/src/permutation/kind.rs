//! Whole permutations, counted or as batches of worms, as kinds of experiment.

use std::sync::Arc;

use super::cost::cost;
use super::instance::PermutationTrial;
use super::keys::{BATCH_KEYS, KEYS};
use super::metrics::{BATCH_METRICS, METRICS, SPREADS};
use super::setting::{BatchSetting, Setting};
use super::trial::{self, PermutationSampler};
use crate::kind::{Breaks, Crossings, Ends, Kind};
use crate::parameter::Parameter;
use crate::sweep::plan::Plan;
use crate::sweep::sampler::Sampler;
use crate::{Cell, CubeCell, Experiment, Family, Infeasible, Setting as AnySetting};
use faultlab_core::fault::{FaultModel, Tolerance};
use faultlab_core::routing::{Algorithm, Use};
use faultlab_core::switching::StaticPaths;
use faultlab_core::topology::Network;

/// The routes of a whole permutation or h-relation, laid over each other and counted (the thesis).
pub static KIND: Kind = Kind {
    id: "permutation",
    name: "a permutation, counted",
    about: "Every active node sends to another; all routes are laid over each other and counted.",
    trials: "sets of messages",
    budget: "sets",
    relative: true,
    networks: "hypercubes",
    fits: |network| network.cube().is_some(),
    largest_cube: StaticPaths::MAX_DIMENSION,
    uses: Use::Permutations,
    breaks: Breaks::Nodes,
    ends: Ends::MayCoincide,
    default: |version, _| {
        let setting = AnySetting::Permutation(Setting::THESIS);
        Experiment::usual(version, setting, Network::cube_of(8), 0.02, 10_000)
    },
    openings: &[(Family::Hypercube, "net=cube:4&switch=permutation")],
    curve: "n",
    routing: |_| &["bit-fixing", "algorithm-a", "algorithm-b"],
    keys: KEYS,
    offers_hierarchies: false,
    parameters: &[
        Parameter::RATE,
        Parameter::COUNT,
        Parameter::DIMENSION.suggesting(|_| "4..14:11".into()).up_to(StaticPaths::MAX_DIMENSION),
        TOLERANCE,
        COPIES,
    ],
    counted_faults,
    metrics: METRICS,
    spreads: SPREADS,
    nodes: |experiment| experiment.setting.permutation().map_or_else(Vec::new, |own| own.demand.nodes().collect()),
    resize,
    jams: false,
    crossings: Crossings::OfValues,
    check: |_| Ok(()),
    draws: |cell, algorithm| !cell.faults_are_fixed() || cell.relation().demand.is_random() || algorithm.draws(),
    check_trial,
    remark: |_, _| None,
    sampler,
    heavy: &["net", "h"],
    cost,
    plan: PLAN,
};

/// The largest cube whose permutations are sent as worms.
const LARGEST_BATCH: u8 = 14;

/// The same messages as worms that all start at once, without virtual channels (the thesis).
pub static BATCH: Kind = Kind {
    id: "batch",
    name: "a permutation, as worms",
    about: "The same messages as worms that all start at once, hold what they have and wait for each other.",
    trials: "sets of messages",
    budget: "sets",
    relative: false,
    networks: "hypercubes",
    fits: |network| network.cube().is_some(),
    largest_cube: LARGEST_BATCH,
    uses: Use::Permutations,
    breaks: Breaks::Nodes,
    ends: Ends::MayCoincide,
    default: |version, _| {
        Experiment::usual(version, AnySetting::Batch(BatchSetting::USUAL), Network::cube_of(6), 0.02, 10_000)
    },
    openings: &[(Family::Hypercube, "net=cube:4&switch=batch")],
    curve: "length",
    routing: |_| &["algorithm-a", "algorithm-b"],
    keys: BATCH_KEYS,
    offers_hierarchies: false,
    parameters: &[
        Parameter::RATE,
        Parameter::COUNT,
        Parameter::DIMENSION.up_to(LARGEST_BATCH),
        LENGTH,
        TOLERANCE,
        COPIES,
    ],
    counted_faults,
    metrics: BATCH_METRICS,
    spreads: &[],
    nodes: |experiment| experiment.setting.permutation().map_or_else(Vec::new, |own| own.demand.nodes().collect()),
    resize,
    jams: false,
    crossings: Crossings::Unknown,
    check: |_| Ok(()),
    // Who takes a channel that several wait for is drawn.
    draws: |_, _| true,
    check_trial,
    remark: |_, _| None,
    sampler,
    heavy: &["net", "h"],
    cost,
    plan: PLAN,
};

const PLAN: Plan = Plan::of_trials(
    |experiment| trial::FIRST_TRIALS.min(experiment.trials),
    (16, 1, 64),
    |tally, _| trial::check_tally(tally),
    trial::need,
);

const LENGTH: Parameter = Parameter::number(
    "length",
    "message length, flits",
    (1.0, 256.0),
    |_| "1,2,3,4,6,8,12,16".into(),
    |at, x| {
        if let Some(batch) = at.setting.batch_mut() {
            batch.length = x as u16;
        }
    },
)
.whole();

const TOLERANCE: Parameter = Parameter::number(
    "tolerance",
    "tolerance, share of faulty paths",
    (0.0, 1.0),
    |_| "0,0.02,0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4".into(),
    |at, x| change(at, |setting| setting.tolerance = Tolerance::Share(x)),
);

const COPIES: Parameter = Parameter::number(
    "h",
    "messages for every node h",
    (1.0, Setting::MAX_H as f64),
    |_| "1,2,4,8,16".into(),
    |at, x| change(at, |setting| setting.h = x as u32),
)
.whole();

fn counted_faults(experiment: &Experiment) -> FaultModel {
    FaultModel::Count(experiment.faults.model.count(experiment.network).unwrap_or(0))
}

fn change(experiment: &mut Experiment, change: impl FnOnce(&mut Setting)) {
    if let Some(setting) = experiment.setting.permutation_mut() {
        change(setting);
    }
}

fn resize(before: &Experiment, next: &mut Experiment) {
    let network = next.network;
    change(next, |setting| {
        let demand = setting.demand.moved(|node| before.moved(node, network));
        setting.demand = demand.unwrap_or(Setting::THESIS.demand);
    });
}

/// Checks that the scheme applies to the faults of a trial and that some node sends a message.
fn check_trial(cell: &Cell, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
    let cell = CubeCell::of(cell.clone());
    match cell.and_then(|cell| PermutationTrial::try_new(&cell, algorithm, number)) {
        Some(Err(why)) => Err(format!("{} does not apply: {why}", algorithm.name).into()),
        Some(Ok(trial)) if trial.active_count() == 0 => Err("no node is active: nobody sends".into()),
        Some(Ok(trial)) if trial.relation.is_empty() => Err("no message has both ends active".into()),
        _ => Ok(()),
    }
}

fn sampler(cell: &Cell, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
    Some(Box::new(PermutationSampler::new(CubeCell::of(cell.clone())?, algorithm.clone())))
}
