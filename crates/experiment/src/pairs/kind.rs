//! Experiments that count pairs cut off, as a kind.

use std::sync::Arc;

use super::cost::cost;
use super::metrics::METRICS;
use super::trial::PairSampler;
use crate::kind::{Behavior, Breaks, Crossings, Ends, Kind, NOBODY};
use crate::parameter::Parameter;
use crate::sweep::plan;
use crate::sweep::plan::{Need, Plan};
use crate::sweep::sampler::Sampler;
use crate::{Cell, Cost, CubeCell, Experiment, Family, Infeasible, RatioTally, Setting, Version};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, Use};
use faultlab_core::topology::Network;
use faultlab_core::traffic::LiveNodes;

/// Dimension of the largest supported hypercube.
const LARGEST_CUBE: u8 = 12;

/// Pairs of nodes between which faults leave no permitted path (Chiu, Chalasani & Raghavendra
/// section IV).
pub static KIND: Kind = Kind {
    id: "pairs",
    name: "pairs cut off",
    about: "Which pairs of nodes still have a path that the routing permits.",
    trials: "fault sets",
    budget: "fault sets",
    relative: false,
    networks: "hypercubes",
    largest_cube: LARGEST_CUBE,
    uses: Use::Pairs,
    breaks: Breaks::NodesAndLinks,
    ends: Ends::Followed,
    openings: &[(Family::Hypercube, "net=cube:4&switch=pairs&break=4_1")],
    curve: "f",
    keys: &[],
    offers_hierarchies: true,
    parameters: &[Parameter::RATE, Parameter::COUNT, Parameter::DIMENSION.up_to(LARGEST_CUBE)],
    metrics: METRICS,
    spreads: &[],
    jams: false,
    crossings: Crossings::Unknown,
    heavy: &["net"],
    plan: Plan::of_trials(
        |experiment| 64.min(experiment.trials),
        (16, 4, 256),
        |_, _| Ok(()),
        |experiment, _, tally| {
            let share = tally.pairs().and_then(RatioTally::share);
            Need::of(plan::trials_within(share, tally.trials, experiment.within, false), tally.trials)
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
        Experiment::usual(version, Setting::Pairs, Network::cube_of(5), 0.02, 1_000_000)
    }

    fn default_routing(&self, _network: Network) -> &'static [&'static str] {
        &["e-cube", "up", "dp", "up-or-dp", "minimal"]
    }

    fn counted_faults(&self, _experiment: &Experiment) -> FaultModel {
        FaultModel::LinkCount(1)
    }

    fn draws(&self, cell: &Cell, _algorithm: &Algorithm) -> bool {
        !cell.faults_are_fixed()
    }

    fn check_trial(&self, cell: &Cell, _algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
        let cells = cell.network.cube().zip(CubeCell::of(cell.clone()));
        let live = cells.and_then(|(cube, cell)| LiveNodes::new(cube, &mut cell.faults_of(number)));
        if live.is_some_and(|live| live.count() < 2) { Err(NOBODY.into()) } else { Ok(()) }
    }

    fn sampler(&self, cell: &Cell, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
        Some(Box::new(PairSampler::new(CubeCell::of(cell.clone())?, algorithm.clone())))
    }

    fn cost(&self, cell: &Cell, algorithm: &Algorithm) -> Cost {
        cost(cell, algorithm)
    }
}
