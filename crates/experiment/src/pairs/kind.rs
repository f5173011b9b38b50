//! Experiments that count pairs cut off, as a kind.

use std::sync::Arc;

use super::cost::cost;
use super::metrics::METRICS;
use super::trial::PairSampler;
use crate::kind::{Behavior, CrossingMethod, EndpointRole, FaultDomain, Kind, NO_DESTINATION};
use crate::parameter::Parameter;
use crate::sweep::sampler::Sampler;
use crate::sweep::stopping_rule;
use crate::sweep::stopping_rule::{Demand, StoppingRule};
use crate::{Cost, CubePointConfig, Experiment, Infeasible, NetworkFamily, PointConfig, Setting, Version};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, UseCase};
use faultlab_core::topology::Network;
use faultlab_core::traffic::LiveNodes;

/// Dimension of the largest supported hypercube.
const LARGEST_CUBE: u8 = 12;

/// Pairs of nodes between which faults leave no permitted path (Chiu, Chalasani & Raghavendra
/// section IV).
pub static KIND: Kind = Kind {
    id: "pairs",
    name: "pairs cut off",
    about: "Counts the pairs of nodes that faults leave without a permitted path.",
    trials: "fault sets",
    budget: "fault sets",
    is_within_relative: false,
    networks: "hypercubes",
    largest_cube: LARGEST_CUBE,
    use_case: UseCase::Pairs,
    fault_domain: FaultDomain::NodesAndLinks,
    endpoint_role: EndpointRole::Followed,
    openings: &[(NetworkFamily::Hypercube, "net=cube:4&switch=pairs&break=4_1")],
    default_parameter: "f",
    keys: &[],
    offers_hierarchies: true,
    parameters: &[Parameter::RATE, Parameter::COUNT, Parameter::DIMENSION.up_to(LARGEST_CUBE)],
    metrics: METRICS,
    spreads: &[],
    can_saturate: false,
    saturation: None,
    crossings: CrossingMethod::Unknown,
    memory_keys: &["net"],
    stopping_rule: StoppingRule::of_trials(
        |experiment| 64.min(experiment.trials),
        (16, 4, 256),
        |_, _| Ok(()),
        |experiment, _, tally| {
            let share = tally.pairs().and_then(|counts| counts.pairs.share());
            Demand::from_wanted(
                stopping_rule::trials_within(share, tally.trials, experiment.within, false),
                tally.trials,
            )
        },
    ),
    behavior: &PairsBehavior,
};

struct PairsBehavior;

impl Behavior for PairsBehavior {
    fn fits(&self, network: Network) -> bool {
        network.cube().is_some()
    }

    fn default_experiment(&self, version: Version, _network: Option<Network>) -> Experiment {
        Experiment::with_defaults(version, Setting::Pairs, Network::const_cube(5), 0.02, 1_000_000)
    }

    fn default_routing(&self, _network: Network) -> &'static [&'static str] {
        &["e-cube", "up", "dp", "up-or-dp", "minimal"]
    }

    fn counted_faults(&self, _experiment: &Experiment) -> FaultModel {
        FaultModel::LinkCount(1)
    }

    fn is_random(&self, cell: &PointConfig, _algorithm: &Algorithm) -> bool {
        !cell.faults_are_fixed()
    }

    fn check_trial(&self, cell: &PointConfig, _algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
        let cells = cell.network.cube().zip(CubePointConfig::from_point(cell.clone()));
        let live = cells.and_then(|(cube, cell)| LiveNodes::new(cube, &mut cell.fault_pattern(number)));
        if live.is_some_and(|live| live.count() < 2) { Err(NO_DESTINATION.into()) } else { Ok(()) }
    }

    fn sampler(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
        Some(Box::new(PairSampler::new(CubePointConfig::from_point(cell.clone())?, algorithm.clone())))
    }

    fn cost(&self, cell: &PointConfig, algorithm: &Algorithm) -> Cost {
        cost(cell, algorithm)
    }
}
