//! Experiments with single messages as a kind.

use std::sync::Arc;

use super::all_fault_sets;
use super::all_fault_sets::ExhaustiveSampler;
use super::cost::cost;
use super::keys::KEYS;
use super::metrics::{DISTRIBUTIONS, METRICS};
use super::setting::MessageSetting;
use super::trial::MessageSampler;
use crate::kind::{Behavior, CrossingMethod, EndpointRole, FaultDomain, Kind};
use crate::parameter::Parameter;
use crate::sweep::sampler::Sampler;
use crate::sweep::stopping_rule::{Demand, StoppingRule};
use crate::{Cost, CubePointConfig, Experiment, Infeasible, NetworkFamily, PointConfig, Problem, Setting, Version};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, UseCase};
use faultlab_core::topology::{Hypercube, Network};

/// Single messages, hop by hop (Gordon & Stout).
pub static KIND: Kind = Kind {
    id: "message",
    name: "one message",
    about: "One message at a time is routed, hop by hop, alone in the network.",
    trials: "messages",
    budget: "trials",
    is_within_relative: false,
    networks: "hypercubes",
    largest_cube: Hypercube::MAX_DIMENSION,
    use_case: UseCase::Messages,
    fault_domain: FaultDomain::NodesAndLinks,
    endpoint_role: EndpointRole::Protected,
    openings: &[(NetworkFamily::Hypercube, "faults=nodes:0.3&sample=11")],
    default_parameter: "p",
    keys: KEYS,
    offers_hierarchies: false,
    parameters: PARAMETERS,
    metrics: METRICS,
    spreads: DISTRIBUTIONS,
    can_saturate: false,
    saturation: None,
    crossings: CrossingMethod::Unknown,
    memory_keys: &["net"],
    stopping_rule: StoppingRule::of_trials(
        // About a thousand messages; the power of two has no significance.
        |experiment| 1024.min(experiment.trials),
        (8, 256, 16_384),
        |_, _| Ok(()),
        |experiment, cell, tally| Demand::for_probability((METRICS[0].estimate)(tally, cell), experiment.within),
    ),
    behavior: &MessageBehavior,
};

struct MessageBehavior;

impl Behavior for MessageBehavior {
    fn fits(&self, network: Network) -> bool {
        network.cube().is_some()
    }

    fn default_experiment(&self, version: Version, _network: Option<Network>) -> Experiment {
        Experiment::with_defaults(
            version,
            Setting::Message(MessageSetting::USUAL),
            Network::const_cube(6),
            0.01,
            1_000_000,
        )
    }

    fn default_routing(&self, _network: Network) -> &'static [&'static str] {
        &["sidetracking"]
    }

    fn counted_faults(&self, experiment: &Experiment) -> FaultModel {
        FaultModel::Count(experiment.faults.model.node_count(experiment.network).unwrap_or(0))
    }

    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        all_fault_sets::check(experiment)
    }

    fn is_random(&self, cell: &PointConfig, algorithm: &Algorithm) -> bool {
        !all_fault_sets::is_exhaustive(cell) && (!cell.faults_are_fixed() || algorithm.is_stochastic())
    }

    fn check_trial(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>, _number: u64) -> Result<(), Infeasible> {
        // Source and destination are live, and messages without a path count too.
        all_fault_sets::check_trial(cell, algorithm)
    }

    fn sampler(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
        let cell = CubePointConfig::from_point(cell.clone())?;
        let sampler: Box<dyn Sampler> = match all_fault_sets::is_exhaustive(&cell) {
            true => Box::new(ExhaustiveSampler::new(cell, algorithm)),
            false => Box::new(MessageSampler::new(cell, algorithm)),
        };
        Some(sampler)
    }

    fn cost(&self, cell: &PointConfig, algorithm: &Algorithm) -> Cost {
        cost(cell, algorithm)
    }
}

static PARAMETERS: &[Parameter] = &[
    Parameter::RATE.with_suggestion(|_| "0..0.9:10".into()),
    Parameter::COUNT
        .with_suggestion(|experiment| format!("0..{}:2", experiment.network.inner_node_count().min(1_000_000))),
    Parameter::DIMENSION.with_suggestion(|_| "4..20:9".into()),
    Parameter::number(
        "mpl",
        "maximum path length, in multiples of n",
        (1.0, 1000.0),
        |_| "1..10:10".into(),
        |at, x| {
            if let Some(setting) = at.setting.message_mut() {
                setting.path_limit = x;
            }
        },
    )
    .with_heading("maximum path length"),
];
