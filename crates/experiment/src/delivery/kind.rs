//! Experiments with delivery cycles as a kind.

use std::sync::Arc;

use super::cost::cost;
use super::keys::KEYS;
use super::metrics::{DISTRIBUTIONS, METRICS};
use super::setting::{CongestionParameter, DeliveryDemand, DeliverySetting};
use super::trial::{self, DeliverySampler};
use super::wire_edits;
use crate::kind::{Behavior, CrossingMethod, EndpointRole, FaultDomain, Kind};
use crate::parameter::{Parameter, ParameterRole};
use crate::sweep::sampler::Sampler;
use crate::sweep::stopping_rule::StoppingRule;
use crate::{Cost, Experiment, Infeasible, NetworkFamily, PointConfig, Problem, Setting, Tally, Version};
use faultlab_core::fault::{FaultModel, FaultSpec};
use faultlab_core::routing::fat_tree::ScheduleConstants;
use faultlab_core::routing::{Algorithm, UseCase};
use faultlab_core::switching::delivery::SurvivorPolicy;
use faultlab_core::topology::Network;
use faultlab_core::topology::fat_tree::{Leaves, MAX_PROCESSORS, Profile};

/// Delivery cycles of a fat-tree (Greenberg & Leiserson).
pub static KIND: Kind = Kind {
    id: "delivery",
    name: "a fat-tree, cycle by cycle",
    about: "All messages of a delivery cycle start together. Channels that receive too many lose some, which are sent again.",
    trials: "sets of messages",
    budget: "sets",
    is_within_relative: true,
    networks: "fat-trees",
    largest_cube: 0,
    use_case: UseCase::Deliveries,
    fault_domain: FaultDomain::Wires,
    endpoint_role: EndpointRole::None,
    openings: &[(NetworkFamily::FatTree, "net=tree:16&switch=delivery")],
    default_parameter: "leaves",
    keys: KEYS,
    offers_hierarchies: false,
    parameters: &[Parameter::RATE, LEAVES, K1, K2, R],
    metrics: METRICS,
    spreads: DISTRIBUTIONS,
    can_saturate: false,
    saturation: None,
    crossings: CrossingMethod::Unknown,
    memory_keys: &["net", "traffic"],
    stopping_rule: StoppingRule::of_trials(
        |experiment| trial::FIRST_TRIALS.min(experiment.trials),
        (16, 1, 64),
        |tally, _| trial::check_tally(tally),
        trial::need,
    ),
    behavior: &DeliveryBehavior,
};

struct DeliveryBehavior;

impl Behavior for DeliveryBehavior {
    fn fits(&self, network: Network) -> bool {
        network.leaves().is_some()
    }

    fn default_experiment(&self, version: Version, _network: Option<Network>) -> Experiment {
        Experiment::with_defaults(
            version,
            Setting::Delivery(DeliverySetting::STANDARD),
            Network::const_tree(64),
            0.02,
            10_000,
        )
    }

    fn default_routing(&self, _network: Network) -> &'static [&'static str] {
        &["greedy", "random-guess"]
    }

    fn opening_metric(&self, experiment: &Experiment) -> &'static str {
        let faults = &experiment.faults;
        let has_dead_wires = faults.model != FaultModel::None || !faults.dead_wires.is_empty();
        // Messages that dead wires cut off take no delivery cycles.
        if has_dead_wires { "delivered" } else { "cycles" }
    }

    fn deciding_metrics(&self, _experiment: &Experiment) -> Vec<&'static str> {
        vec!["cycles", "delivered"]
    }

    fn counted_faults(&self, experiment: &Experiment) -> FaultModel {
        experiment.faults.model
    }

    fn resize(&self, before: &Experiment, next: &mut Experiment) {
        let network = next.network;
        change(next, |setting| {
            let leaves = network.leaves();
            let unfit = leaves.is_some_and(|leaves| trial::check_demand(leaves, setting).is_err());
            // Keep a bad set that does not fit: the error message explains more than its
            // replacement would.
            if unfit && !matches!(setting.demand, DeliveryDemand::BadSet(_)) {
                setting.demand = DeliverySetting::STANDARD.demand;
            }
            if let (Profile::Custom(_), Some(leaves)) = (&setting.profile, leaves)
                && leaves.channels(&setting.profile).is_err()
            {
                setting.profile = Profile::Standard;
            }
        });
        wire_edits::drop_invalid_wire_edits(before.network, next);
    }

    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        let Some(setting) = experiment.setting.delivery() else { return Ok(()) };
        for network in experiment.networks() {
            let Some(leaves) = network.leaves() else { continue };
            let is_own = network == experiment.network;
            check_on(leaves, setting, &experiment.faults)
                .map_err(|problem| if is_own { problem } else { Problem::new("vary", problem.reason) })?;
        }
        Ok(())
    }

    fn is_random(&self, cell: &PointConfig, algorithm: &Algorithm) -> bool {
        let setting = cell.setting.delivery();
        let chosen =
            setting.is_none_or(|setting| setting.demand.is_random() || setting.policy == SurvivorPolicy::Random);
        // On the second network every message selects its wires at random at each transmission.
        let second =
            cell.network.leaves().zip(setting).is_some_and(|(leaves, own)| leaves.tree(&own.profile).is_none());
        !cell.faults_are_fixed() || chosen || second || algorithm.is_stochastic()
    }

    fn check_trial(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
        trial::check_trial(cell, algorithm, number)
    }

    fn status_note(&self, tally: &Tally, cell: &PointConfig) -> Option<String> {
        trial::remark(tally, cell)
    }

    fn sampler(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
        Some(Box::new(DeliverySampler::new(cell.clone(), algorithm.clone())))
    }

    fn cost(&self, cell: &PointConfig, algorithm: &Algorithm) -> Cost {
        cost(cell, algorithm)
    }
}

const LEAVES: Parameter = Parameter {
    id: "leaves",
    axis: "processors n",
    heading: "processors n",
    low: 2.0,
    high: MAX_PROCESSORS as f64,
    is_integer: true,
    role: ParameterRole::Size { doubling: true },
    suggested_values: |experiment| match experiment.network.leaves().and_then(Leaves::dimensions) {
        None => "16,32,64,128,256,512,1024,2048,4096".into(),
        Some(3) => "8,64,512,4096".into(),
        Some(_) => "16,64,256,1024,4096".into(),
    },
    apply: |at, x| {
        let leaves = at.network.leaves().and_then(|leaves| leaves.resized(x as u64));
        at.network = leaves.map_or(at.network, Network::FatTree);
    },
    check: |experiment, values| {
        let leaves = |&x: &f64| experiment.network.leaves().and_then(|leaves| leaves.resized(x as u64)).is_some();
        values.iter().find(|x| !leaves(x)).map_or(Ok(()), |x| {
            let why = format!(
                "no fat-tree has {x} processors: the number must be a power of two, for tree2 a power of four, for \
                 tree2-3d a power of eight"
            );
            Err(Problem::new("vary", why))
        })
    },
};

const K1: Parameter = constant("k1", "constant k1", |at, x| change(at, |setting| setting.k1 = x));
const K2: Parameter = constant("k2", "constant k2", |at, x| change(at, |setting| setting.k2 = x));
const R: Parameter =
    constant("r", "congestion parameter r", |at, x| change(at, |setting| setting.r = CongestionParameter::Fixed(x)));

/// Creates the parameter for a constant of RANDOM.
const fn constant(id: &'static str, axis: &'static str, apply: fn(&mut Experiment, f64)) -> Parameter {
    let range = (ScheduleConstants::MIN, ScheduleConstants::MAX);
    Parameter::number(id, axis, range, |_| "0.25,0.5,1,2,4,8".into(), apply)
}

fn change(experiment: &mut Experiment, change: impl FnOnce(&mut DeliverySetting)) {
    if let Some(setting) = experiment.setting.delivery_mut() {
        change(setting);
    }
}

/// Checks channels, dead wires and messages on one network.
fn check_on(leaves: Leaves, setting: &DeliverySetting, faults: &FaultSpec) -> Result<(), Problem> {
    let channels =
        leaves.channels(&setting.profile).map_err(|problem| Problem::new("capacity", problem.to_string()))?;
    wire_edits::check_drawing(leaves, &channels, faults)?;
    wire_edits::check_edits(leaves, &channels, faults)?;
    trial::check_demand(leaves, setting)
}
