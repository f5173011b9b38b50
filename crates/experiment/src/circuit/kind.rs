//! Experiments with circuits under load as a kind.

use std::sync::Arc;

use super::cost::cost;
use super::keys::KEYS;
use super::metrics::{self, DISTRIBUTIONS, METRICS};
use super::setting::CircuitSetting;
use super::trial::{CircuitSampler, CubeNetworks, STOPPING_RULE};
use super::{mesh, trial};
use crate::kind::{Behavior, CrossingMethod, EndpointRole, FaultDomain, Kind};
use crate::later_faults;
use crate::parameter::Parameter;
use crate::sweep::sampler::Sampler;
use crate::{
    Cost, CubePointConfig, Experiment, Infeasible, NetworkFamily, PointConfig, Problem, Setting, Tally, Version,
};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, UseCase};
use faultlab_core::switching::{ProbeConfig, ProbeNetwork, SetupPolicy};
use faultlab_core::topology::{Network, NodeId};
use faultlab_core::traffic::Pattern;

/// Dimension of the largest supported hypercube.
const LARGEST_CUBE: u8 = 12;

/// Circuits under load, reserve and hold or backtrack and retry (Chiu, Chalasani & Raghavendra).
pub static KIND: Kind = Kind {
    id: "circuit",
    name: "circuits under load",
    about: "Messages reserve their paths link by link, hold them, and wait for each other or search.",
    trials: "runs",
    budget: "messages",
    is_within_relative: true,
    networks: "hypercubes, and meshes and tori of up to 4096 nodes",
    largest_cube: LARGEST_CUBE,
    use_case: UseCase::Circuits,
    fault_domain: FaultDomain::NodesAndLinks,
    endpoint_role: EndpointRole::Followed,
    openings: &[
        (NetworkFamily::Hypercube, "net=cube:4&switch=circuit&rate=0.3&layout=cube"),
        (NetworkFamily::Mesh, "net=mesh:8x8&switch=circuit&break=3.3,3.4&rate=0.1"),
        (NetworkFamily::Torus, "net=torus:8x8&switch=circuit&break=3.3,3.4,4.3,4.4&rate=0.1"),
    ],
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
        network.cube().is_some() || network.mesh().is_some_and(|mesh| mesh.nodes() <= ProbeNetwork::MAX_NODES)
    }

    fn default_experiment(&self, version: Version, network: Option<Network>) -> Experiment {
        let setting = Setting::Circuit(CircuitSetting::USUAL);
        let usual = Experiment::with_defaults(version, setting, Network::const_cube(5), 0.02, 20_000_000);
        let routing = crate::experiment::usual_routing(&KIND, network.unwrap_or(usual.network));
        Experiment { routing, ..usual }
    }

    fn default_routing(&self, network: Network) -> &'static [&'static str] {
        match network {
            // Under e-cube, circuits that wait can deadlock on a torus.
            Network::Mesh(mesh) if mesh.is_torus() => &["mb-0", "mb-2"],
            Network::Mesh(_) => &["e-cube", "mb-2"],
            _ => &["e-cube", "up"],
        }
    }

    fn counted_faults(&self, _experiment: &Experiment) -> FaultModel {
        FaultModel::LinkCount(1)
    }

    fn named_nodes(&self, experiment: &Experiment) -> Vec<NodeId> {
        experiment.setting.circuit().map_or_else(Vec::new, |setting| setting.traffic.hot_nodes())
    }

    fn resize(&self, before: &Experiment, next: &mut Experiment) {
        let network = next.network;
        if let Some(setting) = next.setting.circuit_mut() {
            setting.traffic = before.map_pattern(&setting.traffic, network).unwrap_or(Pattern::Uniform);
            setting.later = later_faults::resized(before, network);
        }
    }

    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        let Some(setting) = experiment.setting.circuit() else { return Ok(()) };
        mesh::check(experiment, setting)?;
        later_faults::check(experiment)?;
        experiment.check_pattern(&setting.traffic)
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
        match CubePointConfig::from_point(cell.clone()) {
            Some(cube) => Some(Box::new(CircuitSampler::new(CubeNetworks::new(cube, algorithm)))),
            None => Some(Box::new(CircuitSampler::new(mesh::MeshNetworks::new(cell.clone(), algorithm)))),
        }
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
    HOP,
    Parameter::number(
        "onset",
        "time at which the faults arrive, in mean transmission times",
        (0.0, CircuitSetting::LATEST_FAULT),
        |_| "50,100,200".into(),
        |at, x| {
            if let Some(setting) = at.setting.circuit_mut() {
                setting.onset = x;
            }
        },
    ),
    Parameter { suggested_values: |_| "4,6,8,10,12,16".into(), ..Parameter::RADIX },
];

/// Time of a hop of a probe. On hypercubes reservations take no time.
const HOP: Parameter = Parameter {
    check: |experiment, _| match experiment.mesh() {
        Some(_) => Ok(()),
        None => Err(Problem::new("vary", "hop is varied, so the network must be a mesh or a torus")),
    },
    ..Parameter::number(
        "hop",
        "time of a hop of a probe, in mean transmission times",
        (*ProbeConfig::HOPS.start(), *ProbeConfig::HOPS.end()),
        |_| "0,0.01,0.02,0.05,0.1".into(),
        |at, x| {
            if let Some(setting) = at.setting.circuit_mut() {
                setting.hop = x;
            }
        },
    )
    .with_heading("time of a hop")
};

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
