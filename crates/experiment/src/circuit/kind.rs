//! Experiments with circuits under load as a kind.

use std::sync::Arc;

use super::cost::cost;
use super::keys::KEYS;
use super::metrics::{self, DISTRIBUTIONS, METRICS};
use super::setting::CircuitSetting;
use super::trial;
use super::trial::{CircuitSampler, STOPPING_RULE};
use crate::kind::{Behavior, CrossingMethod, EndpointRole, FaultDomain, Kind};
use crate::parameter::Parameter;
use crate::sweep::sampler::Sampler;
use crate::{
    Cost, CubePointConfig, Experiment, Infeasible, NetworkFamily, PointConfig, Problem, Setting, Tally, Version,
};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, UseCase};
use faultlab_core::switching::SetupPolicy;
use faultlab_core::topology::{Network, NodeId};
use faultlab_core::traffic::Pattern;

/// Dimension of the largest supported hypercube.
const LARGEST_CUBE: u8 = 12;

/// Circuits under load, reserve and hold or backtrack and retry (Chiu, Chalasani & Raghavendra).
pub static KIND: Kind = Kind {
    id: "circuit",
    name: "circuits under load",
    about: "Messages reserve their paths link by link, hold them, and wait for each other.",
    trials: "runs",
    budget: "messages",
    is_within_relative: true,
    networks: "hypercubes",
    largest_cube: LARGEST_CUBE,
    use_case: UseCase::Circuits,
    fault_domain: FaultDomain::NodesAndLinks,
    endpoint_role: EndpointRole::Followed,
    openings: &[(NetworkFamily::Hypercube, "net=cube:4&switch=circuit&rate=0.3&layout=cube")],
    default_parameter: "rate",
    keys: KEYS,
    offers_hierarchies: true,
    parameters: PARAMETERS,
    metrics: METRICS,
    spreads: DISTRIBUTIONS,
    can_saturate: true,
    saturation: Some(&metrics::SATURATION),
    crossings: CrossingMethod::PairedRuns,
    memory_keys: &["net"],
    stopping_rule: STOPPING_RULE,
    behavior: &CircuitBehavior,
};

struct CircuitBehavior;

impl Behavior for CircuitBehavior {
    fn fits(&self, network: Network) -> bool {
        network.cube().is_some()
    }

    fn default_experiment(&self, version: Version, _network: Option<Network>) -> Experiment {
        Experiment::with_defaults(
            version,
            Setting::Circuit(CircuitSetting::USUAL),
            Network::const_cube(5),
            0.02,
            20_000_000,
        )
    }

    fn default_routing(&self, _network: Network) -> &'static [&'static str] {
        &["e-cube", "up"]
    }

    fn counted_faults(&self, _experiment: &Experiment) -> FaultModel {
        FaultModel::LinkCount(1)
    }

    fn named_nodes(&self, experiment: &Experiment) -> Vec<NodeId> {
        match experiment.setting.circuit().map(|setting| setting.traffic) {
            Some(Pattern::HotSpot { node, .. }) => vec![node],
            _ => Vec::new(),
        }
    }

    fn resize(&self, before: &Experiment, next: &mut Experiment) {
        if let Some(setting) = next.setting.circuit_mut() {
            setting.traffic = before.map_pattern(setting.traffic, next.network).unwrap_or(Pattern::Uniform);
        }
    }

    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        let setting = experiment.setting.circuit();
        setting.map_or(Ok(()), |setting| experiment.check_pattern(setting.traffic))
    }

    fn is_random(&self, _cell: &PointConfig, _algorithm: &Algorithm) -> bool {
        true
    }

    fn check_trial(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
        trial::check_trial(cell, algorithm, number)
    }

    fn status_note(&self, tally: &Tally, cell: &PointConfig) -> Option<String> {
        trial::remark(tally, cell)
    }

    fn sampler(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
        Some(Box::new(CircuitSampler::new(CubePointConfig::from_point(cell.clone())?, algorithm)))
    }

    fn cost(&self, cell: &PointConfig, algorithm: &Algorithm) -> Cost {
        cost(cell, algorithm)
    }
}

static PARAMETERS: &[Parameter] = &[
    Parameter::RATE,
    Parameter::COUNT,
    Parameter::DIMENSION.up_to(LARGEST_CUBE),
    Parameter::number(
        "rate",
        "message rate per node",
        (0.0001, 10.0),
        |_| "0.1..0.5:9".into(),
        |at, x| {
            if let Some(setting) = at.setting.circuit_mut() {
                setting.rate = x;
            }
        },
    ),
    BACKOFF,
];

/// Mean time before a retry. Holding messages have none.
const BACKOFF: Parameter = Parameter {
    check: |experiment, _| match experiment.setting.circuit().map(|setting| setting.setup) {
        Some(SetupPolicy::Hold) => {
            Err(Problem::new("vary", "backoff is varied, so messages must try again: setup=retry"))
        }
        _ => Ok(()),
    },
    ..Parameter::number(
        "backoff",
        "mean time before a retry, in mean transmission times",
        (*SetupPolicy::BACKOFFS.start(), *SetupPolicy::BACKOFFS.end()),
        |_| "0.1,0.25,0.5,1,2,4".into(),
        |at, x| {
            if let Some(setting) = at.setting.circuit_mut() {
                setting.setup = SetupPolicy::Retry { backoff: x };
            }
        },
    )
    .with_heading("mean time before a retry")
};
