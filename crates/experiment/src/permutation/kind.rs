//! Experiments with whole permutations as two kinds: counted, or as batches over time.

use std::sync::Arc;

use super::butterfly::{self, ButterflyTrial};
use super::cost::cost;
use super::instance::PermutationTrial;
use super::keys::{BATCH_KEYS, KEYS};
use super::metrics::{BATCH_METRICS, DISTRIBUTIONS, METRICS};
use super::setting::{BatchSetting, PermutationSetting};
use super::trial::{self, PermutationSampler};
use crate::kind::{Behavior, CrossingMethod, EndpointRole, FaultDomain, Kind};
use crate::parameter::Parameter;
use crate::sweep::sampler::Sampler;
use crate::sweep::stopping_rule::StoppingRule;
use crate::{Cost, CubePointConfig, Experiment, Infeasible, NetworkFamily, PointConfig, Problem, Setting, Version};
use faultlab_core::fault::{FaultModel, Tolerance};
use faultlab_core::routing::{Algorithm, UseCase};
use faultlab_core::switching::{FlowControl, StaticCongestion};
use faultlab_core::topology::{Butterfly, Network, NodeId};
use faultlab_core::traffic::BatchTraffic;

/// Whole permutations or h-relations whose routes are counted per channel (the thesis).
pub static KIND: Kind = Kind {
    id: "permutation",
    name: "a permutation, counted",
    about: "Every active node sends a message to another; the routes over each channel are counted.",
    trials: "sets of messages",
    budget: "sets",
    is_within_relative: true,
    networks: "hypercubes and butterflies",
    largest_cube: StaticCongestion::MAX_DIMENSION,
    use_case: UseCase::Permutations,
    fault_domain: FaultDomain::NodesAndLinks,
    endpoint_role: EndpointRole::MayCoincide,
    openings: &[
        (NetworkFamily::Hypercube, "net=cube:4&switch=permutation"),
        (NetworkFamily::Butterfly, "net=butterfly:4&switch=permutation"),
    ],
    default_parameter: "n",
    keys: KEYS,
    offers_hierarchies: false,
    parameters: &[
        Parameter::RATE,
        Parameter::COUNT,
        Parameter::DIMENSION.with_suggestion(|_| "4..14:11".into()).up_to(StaticCongestion::MAX_DIMENSION),
        TOLERANCE,
        COPIES,
    ],
    metrics: METRICS,
    spreads: DISTRIBUTIONS,
    can_saturate: false,
    saturation: None,
    crossings: CrossingMethod::Interpolated,
    memory_keys: &["net", "h"],
    stopping_rule: STOPPING_RULE,
    behavior: &PermutationBehavior,
};

struct PermutationBehavior;

impl Behavior for PermutationBehavior {
    fn fits(&self, network: Network) -> bool {
        network.cube().is_some() || network.butterfly().is_some()
    }

    fn default_experiment(&self, version: Version, _network: Option<Network>) -> Experiment {
        let setting = Setting::Permutation(PermutationSetting::THESIS);
        Experiment::with_defaults(version, setting, Network::const_cube(8), 0.02, 10_000)
    }

    fn default_routing(&self, network: Network) -> &'static [&'static str] {
        if network.butterfly().is_some() {
            return BUTTERFLY_ROUTING;
        }
        &["bit-fixing", "algorithm-a", "algorithm-b"]
    }

    fn deciding_metrics(&self, _experiment: &Experiment) -> Vec<&'static str> {
        vec!["congestion", "active"]
    }

    fn counted_faults(&self, experiment: &Experiment) -> FaultModel {
        counted_faults(experiment)
    }

    fn named_nodes(&self, experiment: &Experiment) -> Vec<NodeId> {
        experiment.setting.permutation().map_or_else(Vec::new, |own| own.demand.nodes().collect())
    }

    fn resize(&self, before: &Experiment, next: &mut Experiment) {
        resize(before, next)
    }

    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        check(experiment)?;
        butterfly::check(experiment)
    }

    fn is_random(&self, cell: &PointConfig, algorithm: &Algorithm) -> bool {
        !cell.faults_are_fixed() || cell.permutation_setting().demand.is_random() || algorithm.is_stochastic()
    }

    fn check_trial(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
        check_trial(cell, algorithm, number)
    }

    fn sampler(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
        sampler(cell, algorithm)
    }

    fn cost(&self, cell: &PointConfig, algorithm: &Algorithm) -> Cost {
        cost(cell, algorithm)
    }
}

/// Algorithms that are compared on butterflies by default.
const BUTTERFLY_ROUTING: &[&str] = &["bit-fixing", "valiant-brebner", "algorithm-a"];

/// Dimension of the largest hypercube or butterfly whose permutations are simulated over time.
const LARGEST_BATCH: u8 = 14;

/// Whole permutations whose messages all start at once, without virtual channels (the thesis): as
/// worms, or stored in the nodes.
pub static BATCH: Kind = Kind {
    id: "batch",
    name: "a permutation, over time",
    about: "All messages of a permutation start at once, as worms or stored in the nodes, and wait for each other's channels.",
    trials: "sets of messages",
    budget: "sets",
    is_within_relative: false,
    networks: "hypercubes and butterflies",
    largest_cube: LARGEST_BATCH,
    use_case: UseCase::Permutations,
    fault_domain: FaultDomain::NodesAndLinks,
    endpoint_role: EndpointRole::MayCoincide,
    openings: &[
        (NetworkFamily::Hypercube, "net=cube:4&switch=batch"),
        (NetworkFamily::Butterfly, "net=butterfly:4&switch=batch&flow=store-and-forward&plot=finish"),
    ],
    default_parameter: "length",
    keys: BATCH_KEYS,
    offers_hierarchies: false,
    parameters: &[
        Parameter::RATE,
        Parameter::COUNT,
        Parameter::DIMENSION.up_to(LARGEST_BATCH),
        LENGTH,
        ONSET,
        TOLERANCE,
        COPIES,
    ],
    metrics: BATCH_METRICS,
    spreads: &[],
    can_saturate: false,
    saturation: None,
    crossings: CrossingMethod::Unknown,
    memory_keys: &["net", "h"],
    stopping_rule: STOPPING_RULE,
    behavior: &BatchBehavior,
};

struct BatchBehavior;

impl Behavior for BatchBehavior {
    fn fits(&self, network: Network) -> bool {
        network.cube().is_some() || network.butterfly().is_some()
    }

    fn default_experiment(&self, version: Version, _network: Option<Network>) -> Experiment {
        Experiment::with_defaults(version, Setting::Batch(BatchSetting::USUAL), Network::const_cube(6), 0.02, 10_000)
    }

    fn default_routing(&self, network: Network) -> &'static [&'static str] {
        if network.butterfly().is_some() {
            return BUTTERFLY_ROUTING;
        }
        &["algorithm-a", "algorithm-b"]
    }

    fn counted_faults(&self, experiment: &Experiment) -> FaultModel {
        counted_faults(experiment)
    }

    fn named_nodes(&self, experiment: &Experiment) -> Vec<NodeId> {
        experiment.setting.permutation().map_or_else(Vec::new, |own| own.demand.nodes().collect())
    }

    fn resize(&self, before: &Experiment, next: &mut Experiment) {
        resize(before, next)
    }

    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        check(experiment)?;
        butterfly::check(experiment)?;
        check_batch_levels(experiment)?;
        experiment.points().iter().try_for_each(check_onset)
    }

    fn is_random(&self, _cell: &PointConfig, _algorithm: &Algorithm) -> bool {
        // When several messages wait for a channel, a random one gets it.
        true
    }

    fn check_trial(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
        check_trial(cell, algorithm, number)
    }

    fn sampler(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
        sampler(cell, algorithm)
    }

    fn cost(&self, cell: &PointConfig, algorithm: &Algorithm) -> Cost {
        cost(cell, algorithm)
    }
}

const STOPPING_RULE: StoppingRule = StoppingRule::of_trials(
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

const ONSET: Parameter = Parameter::number(
    "onset",
    "cycle in which the faults arrive",
    (0.0, BatchSetting::LATEST_ONSET as f64),
    |_| "0..20:11".into(),
    |at, x| {
        if let Some(batch) = at.setting.batch_mut() {
            batch.onset = x as u32;
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
    "messages per node h",
    (1.0, PermutationSetting::MAX_H as f64),
    |_| "1,2,4,8,16".into(),
    |at, x| change(at, |setting| setting.h = x as u32),
)
.whole();

fn counted_faults(experiment: &Experiment) -> FaultModel {
    FaultModel::Count(experiment.faults.model.node_count(experiment.network).unwrap_or(0))
}

fn change(experiment: &mut Experiment, change: impl FnOnce(&mut PermutationSetting)) {
    if let Some(setting) = experiment.setting.permutation_mut() {
        change(setting);
    }
}

fn resize(before: &Experiment, next: &mut Experiment) {
    let network = next.network;
    change(next, |setting| {
        let demand = setting.demand.map_nodes(|node| before.map_node(node, network));
        let rows = network.cube().or(network.butterfly().map(Butterfly::row_cube));
        let is_defined = |demand: &BatchTraffic| match (demand, rows) {
            (BatchTraffic::Rule(permutation), Some(cube)) => permutation.is_defined_on(cube),
            _ => true,
        };
        let demand = demand.filter(is_defined);
        setting.demand = demand.unwrap_or(PermutationSetting::THESIS.demand);
    });
}

/// Checks that the butterflies of the sweep are not too large for batches.
fn check_batch_levels(experiment: &Experiment) -> Result<(), Problem> {
    let too_large = |network: &Network| network.butterfly().is_some_and(|it| it.levels() > LARGEST_BATCH);
    experiment.networks().find(too_large).map_or(Ok(()), |network| {
        let key = if network == experiment.network { "net" } else { "vary" };
        Err(Problem::new(key, format!("switch=batch supports butterflies of up to {LARGEST_BATCH} levels of links")))
    })
}

/// Checks that faults arrive while messages move only if messages wait in the nodes.
fn check_onset(point: &Experiment) -> Result<(), Problem> {
    match point.setting.batch() {
        Some(batch) if batch.onset > 0 && batch.flow == FlowControl::Wormhole => Err(Problem::new(
            "onset",
            "faults arrive while messages move only if messages wait in the nodes; use flow=store-and-forward or \
             flow=cut-through, or onset=0",
        )),
        _ => Ok(()),
    }
}

/// Checks that the traffic is defined on every network of the sweep.
fn check(experiment: &Experiment) -> Result<(), Problem> {
    experiment.setting.permutation().map_or(Ok(()), |own| experiment.check_permutation(&own.demand))
}

/// Checks that the scheme applies to the faults of a trial and that at least one node sends a
/// message.
fn check_trial(cell: &PointConfig, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
    if let Some(trial) = ButterflyTrial::new(cell, algorithm, number) {
        return match (trial.routing.active_count(), trial.relation.is_empty()) {
            (0, _) => Err("no row is active, so no message is sent".into()),
            (_, true) => Err("no message has both rows active".into()),
            _ => Ok(()),
        };
    }
    let cell = CubePointConfig::from_point(cell.clone());
    match cell.and_then(|cell| PermutationTrial::try_new(&cell, algorithm, number)) {
        Some(Err(why)) => Err(format!("{} does not apply: {why}", algorithm.name).into()),
        Some(Ok(trial)) if trial.active_count() == 0 => Err("no node is active, so no message is sent".into()),
        Some(Ok(trial)) if trial.relation.is_empty() => Err("no message has both ends active".into()),
        _ => Ok(()),
    }
}

fn sampler(cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
    Some(Box::new(PermutationSampler::new(cell.clone(), algorithm.clone())))
}
