//! Circuits as a kind of experiment.

use super::cost::cost;
use super::keys::KEYS;
use super::metrics::{METRICS, SPREADS};
use super::setting::Setting;
use super::trial;
use super::trial::{CircuitSampler, PLAN};
use crate::kind::{Breaks, Crossings, Ends, Kind};
use crate::parameter::Parameter;
use crate::sweep::sampler::Sampler;
use crate::{CubeCell, Experiment, Family, Setting as AnySetting};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::Use;
use faultlab_core::topology::Network;
use faultlab_core::traffic::Pattern;

/// The largest cube.
const LARGEST_CUBE: u8 = 12;

/// Circuits under load, reserve and hold (Chiu, Chalasani & Raghavendra).
pub static KIND: Kind = Kind {
    id: "circuit",
    name: "circuits under load",
    about: "Messages reserve their paths link by link, hold them, and wait for each other.",
    trials: "runs",
    budget: "messages",
    relative: true,
    networks: "hypercubes",
    fits: |network| network.cube().is_some(),
    largest_cube: LARGEST_CUBE,
    uses: Use::Circuits,
    breaks: Breaks::NodesAndLinks,
    ends: Ends::Followed,
    default: |version, _| {
        Experiment::usual(version, AnySetting::Circuit(Setting::USUAL), Network::cube_of(5), 0.02, 20_000_000)
    },
    openings: &[(Family::Hypercube, "net=cube:4&switch=circuit&rate=0.3&layout=cube")],
    curve: "rate",
    routing: |_| &["e-cube", "up"],
    keys: KEYS,
    offers_hierarchies: true,
    parameters: PARAMETERS,
    counted_faults: |_| FaultModel::LinkCount(1),
    metrics: METRICS,
    spreads: SPREADS,
    nodes: |experiment| match experiment.setting.circuit().map(|setting| setting.traffic) {
        Some(Pattern::HotSpot { node, .. }) => vec![node],
        _ => Vec::new(),
    },
    resize: |before, next| {
        if let Some(setting) = next.setting.circuit_mut() {
            setting.traffic = before.moved_pattern(setting.traffic, next.network).unwrap_or(Pattern::Uniform);
        }
    },
    jams: true,
    crossings: Crossings::OfRuns,
    check: |experiment| {
        let setting = experiment.setting.circuit();
        setting.map_or(Ok(()), |setting| experiment.check_pattern(setting.traffic))
    },
    draws: |_, _| true,
    check_trial: trial::check_trial,
    remark: trial::remark,
    sampler: |cell, algorithm| {
        let sampler: Box<dyn Sampler> = Box::new(CircuitSampler::new(CubeCell::of(cell.clone())?, algorithm));
        Some(sampler)
    },
    heavy: &["net"],
    cost,
    plan: PLAN,
};

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
];
