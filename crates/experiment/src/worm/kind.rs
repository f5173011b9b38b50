//! Experiments with wormhole switching as a kind.

use std::sync::Arc;

use super::cost::cost;
use super::keys::KEYS;
use super::metrics::{self, DISTRIBUTIONS, METRICS};
use super::requirements::check;
use super::setting::{Traffic, WormSetting};
use super::trial;
use super::trial::{STOPPING_RULE, WormSampler};
use crate::kind::{Behavior, CrossingMethod, EndpointRole, FaultDomain, Kind};
use crate::later_faults;
use crate::parameter::{Parameter, ParameterRole, largest};
use crate::sweep::sampler::Sampler;
use crate::{Cost, Experiment, Infeasible, NetworkFamily, PointConfig, Problem, Setting, Tally, Vary, Version};
use faultlab_core::fault::{FaultModel, Tolerance};
use faultlab_core::routing::{Algorithm, UseCase};
use faultlab_core::topology::{Network, NodeId};
use faultlab_core::traffic::{BatchTraffic, Bisection, MessageLengths, Pattern};

/// Dimension of the largest supported hypercube.
const LARGEST_CUBE: u8 = 10;

/// Wormhole switching under load, flit by flit (Boppana & Chalasani).
pub static KIND: Kind = Kind {
    id: "wormhole",
    name: "worms, flit by flit",
    about: "Messages follow their headers flit by flit, hold the virtual channels they are in, and wait for each other.",
    trials: "runs",
    budget: "messages",
    is_within_relative: true,
    networks: "meshes, tori and hypercubes",
    // The channels of a node, and the size of the picture, grow with the dimension.
    largest_cube: LARGEST_CUBE,
    use_case: UseCase::Worms,
    fault_domain: FaultDomain::NodesAndLinks,
    endpoint_role: EndpointRole::Followed,
    openings: &[
        (NetworkFamily::Mesh, "net=mesh:8x8&switch=wormhole&break=3.3,3.4&load=0.3"),
        (NetworkFamily::Torus, "net=torus:8x8&switch=wormhole&break=3.3,3.4,4.3,4.4&load=0.3"),
        (NetworkFamily::Hypercube, "net=cube:4&switch=wormhole&load=0.3"),
    ],
    default_parameter: "load",
    keys: KEYS,
    offers_hierarchies: false,
    parameters: PARAMETERS,
    metrics: METRICS,
    spreads: DISTRIBUTIONS,
    can_saturate: false,
    saturation: Some(&metrics::SATURATION),
    crossings: CrossingMethod::Unknown,
    memory_keys: &["net", "vc", "inject"],
    stopping_rule: STOPPING_RULE,
    behavior: &WormBehavior,
};

struct WormBehavior;

impl Behavior for WormBehavior {
    fn fits(&self, network: Network) -> bool {
        network.wormhole_mesh().is_some() || network.cube().is_some()
    }

    fn default_experiment(&self, version: Version, network: Option<Network>) -> Experiment {
        let setting = Setting::Worm(WormSetting::PAPER);
        // Near saturation a queue is steady only after times that grow as 1 / (1 - load)^2.
        let trials = if version == Version::V1 { 2_000_000 } else { 5_000_000 };
        let usual = Experiment::with_defaults(version, setting, Network::const_mesh(16, 16), 0.05, trials);
        let routing = crate::experiment::usual_routing(&KIND, network.unwrap_or(usual.network));
        Experiment { routing, ..usual }
    }

    fn default_routing(&self, network: Network) -> &'static [&'static str] {
        match network {
            Network::Mesh(mesh) if mesh.is_torus() => &["e-cube", "f-cube4"],
            Network::Mesh(mesh) if mesh.is_plane() => &["f-cube2", "lh2"],
            // In four dimensions and more, adaptive routing needs more virtual channels than the
            // default.
            Network::Mesh(mesh) if mesh.dimensions() == 3 => &["f-cube4", "lh4"],
            Network::Mesh(_) => &["e-cube", "f-cube4"],
            _ => &["e-cube", "up"],
        }
    }

    fn opening_metric(&self, _experiment: &Experiment) -> &'static str {
        // The bisection utilization rises when faults remove links of the bisection.
        "throughput"
    }

    fn deciding_metrics(&self, experiment: &Experiment) -> Vec<&'static str> {
        let is_listed = experiment.setting.worm().is_some_and(|setting| setting.traffic.is_finite());
        match experiment.version {
            _ if is_listed => vec!["finish"],
            Version::V1 => vec!["utilization"],
            Version::V2 => vec!["utilization", "latency"],
        }
    }

    fn counted_faults(&self, _experiment: &Experiment) -> FaultModel {
        FaultModel::LinkCount(1)
    }

    fn named_nodes(&self, experiment: &Experiment) -> Vec<NodeId> {
        match experiment.setting.worm().map(|setting| &setting.traffic) {
            Some(Traffic::Pattern(pattern)) => pattern.hot_nodes(),
            Some(Traffic::List(messages)) => BatchTraffic::List(messages.clone()).nodes().collect(),
            Some(Traffic::Schedule(schedule)) => schedule.nodes().collect(),
            None => Vec::new(),
        }
    }

    fn resize(&self, before: &Experiment, next: &mut Experiment) {
        let network = next.network;
        let Some(setting) = next.setting.worm_mut() else { return };
        let moved = match &setting.traffic {
            Traffic::Pattern(pattern) => before.map_pattern(pattern, network).map(Traffic::Pattern),
            Traffic::Schedule(schedule) => {
                let moved = schedule.map_nodes(|node| before.map_node(node, network));
                moved.map(|schedule| Traffic::Schedule(schedule.into()))
            }
            Traffic::List(messages) => {
                match BatchTraffic::List(messages.clone()).map_nodes(|node| before.map_node(node, network)) {
                    Some(BatchTraffic::List(messages)) => Some(Traffic::List(messages)),
                    _ => None,
                }
            }
        };
        setting.traffic = moved.unwrap_or(Traffic::Pattern(Pattern::Uniform));
        setting.later = later_faults::resized(before, network);
    }

    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        check(experiment)
    }

    fn is_random(&self, cell: &PointConfig, _algorithm: &Algorithm) -> bool {
        // Nothing is random without messages.
        !cell.faults_are_fixed() || cell.setting.worm().is_some_and(WormSetting::sends)
    }

    fn check_trial(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
        trial::check_trial(cell, algorithm, number)
    }

    fn status_note(&self, tally: &Tally, cell: &PointConfig) -> Option<String> {
        trial::remark(tally, cell)
    }

    fn sampler(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
        Some(Box::new(WormSampler::new(cell.clone(), algorithm)))
    }

    fn cost(&self, cell: &PointConfig, algorithm: &Algorithm) -> Cost {
        cost(cell, algorithm)
    }
}

static PARAMETERS: &[Parameter] = &[
    Parameter::RATE.with_suggestion(|_| "0,0.01,0.05,0.1".into()),
    Parameter::COUNT,
    Parameter::DIMENSION.up_to(LARGEST_CUBE),
    Parameter::number(
        "load",
        "load, as a share of bisection saturation",
        (0.0, 4.0),
        |_| "0.1..0.9:9".into(),
        |at, x| change(at, |setting| setting.set_load(x)),
    ),
    Parameter::number(
        "flit-rate",
        "offered load, flits per node and cycle",
        (0.0, WormSetting::MAX_FLIT_RATE),
        suggested_flit_rates,
        |at, x| change(at, |setting| setting.set_flit_rate(x)),
    ),
    Parameter::number(
        "inject",
        "injection limit, messages per node",
        (1.0, 64.0),
        |_| "1,2,3,5,8,12".into(),
        |at, x| change(at, |setting| setting.injection.limit = x as u16),
    )
    .whole(),
    Parameter::number(
        "length",
        "message length, flits",
        (1.0, 256.0),
        |_| "5,10,20,40,80".into(),
        |at, x| change(at, |setting| setting.length = MessageLengths::Fixed(x as u16)),
    )
    .whole(),
    Parameter::number(
        "onset",
        "cycle in which the faults arrive",
        (0.0, 10_000_000.0),
        |_| "1000,2000,4000".into(),
        |at, x| change(at, |setting| setting.onset = x as u32),
    )
    .whole(),
    Parameter::number(
        "vc",
        "virtual channels per channel",
        (1.0, 32.0),
        |_| "4..12:5".into(),
        |at, x| change(at, |setting| setting.virtual_channels = x as u8),
    )
    .with_heading("virtual channels per channel")
    .whole(),
    Parameter::RADIX,
    Parameter::number(
        "tolerance",
        "tolerance, share of faulty paths",
        (0.0, 1.0),
        |_| "0,0.02,0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4".into(),
        |at, x| change(at, |setting| setting.tolerance = Tolerance::Share(x)),
    ),
    PLACE,
];

/// Returns nine offered loads up to nine tenths of the load that saturates the bisection.
fn suggested_flit_rates(experiment: &Experiment) -> String {
    let capacity = experiment.network.wormhole_mesh().map_or(1.0, |mesh| Bisection::new(mesh).saturation_load());
    let share = |share: f64| (share * capacity * 1e4).round() / 1e4;
    format!("{}..{}:9", share(0.1), share(0.9))
}

const PLACE: Parameter = Parameter {
    id: "at",
    axis: "position of one more faulty node",
    heading: "position of one more faulty node",
    low: 0.0,
    high: 4095.0,
    is_integer: true,
    role: ParameterRole::FaultyNode,
    suggested_values: |experiment| {
        let last = experiment.network.last_node().0.min(u64::from(Vary::MAX_VALUES) - 1);
        format!("0..{last}:{}", last + 1)
    },
    // Named nodes keep their coordinates.
    apply: |at, x| at.faults.set_node(NodeId(x as u64), true),
    check: |experiment, values| {
        let (network, last) = (experiment.network, experiment.network.last_node());
        if largest(values) > last.0 as f64 {
            return Err(Problem::new("vary", format!("the nodes of {network} have the numbers 0 to {last}")));
        }
        Ok(())
    },
};

fn change(experiment: &mut Experiment, change: impl FnOnce(&mut WormSetting)) {
    if let Some(setting) = experiment.setting.worm_mut() {
        change(setting);
    }
}
