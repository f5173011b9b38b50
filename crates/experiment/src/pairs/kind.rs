//! Pairs cut off as a kind of experiment.

use super::cost::cost;
use super::metrics::METRICS;
use super::trial::PairSampler;
use crate::kind::{Breaks, Crossings, Ends, Kind, NOBODY};
use crate::parameter::Parameter;
use crate::sweep::plan;
use crate::sweep::plan::{Need, Plan};
use crate::sweep::sampler::Sampler;
use crate::{CubeCell, Experiment, Family, RatioTally, Setting};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::Use;
use faultlab_core::topology::Network;
use faultlab_core::traffic::LiveNodes;

/// The largest cube.
const LARGEST_CUBE: u8 = 12;

/// Which pairs of nodes still have a permitted path (Chiu, Chalasani & Raghavendra section IV).
pub static KIND: Kind = Kind {
    id: "pairs",
    name: "pairs cut off",
    about: "Which pairs of nodes still have a path that the routing permits.",
    trials: "fault sets",
    budget: "fault sets",
    relative: false,
    networks: "hypercubes",
    fits: |network| network.cube().is_some(),
    largest_cube: LARGEST_CUBE,
    uses: Use::Pairs,
    breaks: Breaks::NodesAndLinks,
    ends: Ends::Followed,
    default: |version, _| Experiment::usual(version, Setting::Pairs, Network::cube_of(5), 0.02, 1_000_000),
    routing: |_| &["e-cube", "up", "dp", "up-or-dp", "minimal"],
    openings: &[(Family::Hypercube, "net=cube:4&switch=pairs&break=4_1")],
    curve: "f",
    keys: &[],
    offers_hierarchies: true,
    parameters: &[Parameter::RATE, Parameter::COUNT, Parameter::DIMENSION.up_to(LARGEST_CUBE)],
    counted_faults: |_| FaultModel::LinkCount(1),
    metrics: METRICS,
    spreads: &[],
    nodes: |_| Vec::new(),
    resize: |_, _| {},
    jams: false,
    crossings: Crossings::Unknown,
    check: |_| Ok(()),
    draws: |cell, _| !cell.faults_are_fixed(),
    check_trial: |cell, _, number| {
        let cells = cell.network.cube().zip(CubeCell::of(cell.clone()));
        let live = cells.and_then(|(cube, cell)| LiveNodes::new(cube, &mut cell.faults_of(number)));
        if live.is_some_and(|live| live.count() < 2) { Err(NOBODY.into()) } else { Ok(()) }
    },
    remark: |_, _| None,
    sampler: |cell, algorithm| {
        let sampler: Box<dyn Sampler> = Box::new(PairSampler::new(CubeCell::of(cell.clone())?, algorithm.clone()));
        Some(sampler)
    },
    heavy: &["net"],
    cost,
    plan: Plan::of_trials(
        |experiment| 64.min(experiment.trials),
        (16, 4, 256),
        |_, _| Ok(()),
        |experiment, _, tally| {
            let share = tally.pairs().and_then(RatioTally::share);
            Need::of(plan::trials_within(share, tally.trials, experiment.within, false), tally.trials)
        },
    ),
};
