//! Experiments with single messages as a kind.

use std::sync::Arc;

use super::all_sets;
use super::all_sets::AllSets;
use super::cost::cost;
use super::keys::KEYS;
use super::metrics::{METRICS, SPREADS};
use super::setting::Setting;
use super::trial::MessageSampler;
use crate::kind::{Behavior, Breaks, Crossings, Ends, Kind};
use crate::parameter::Parameter;
use crate::sweep::plan::{Need, Plan};
use crate::sweep::sampler::Sampler;
use crate::{Cell, Cost, CubeCell, Experiment, Family, Infeasible, Problem, Setting as AnySetting, Version};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, Use};
use faultlab_core::topology::{Hypercube, Network};

/// Single messages, hop by hop (Gordon & Stout).
pub static KIND: Kind = Kind {
    id: "message",
    name: "one message",
    about: "One message at a time, hop by hop, alone in the network.",
    trials: "messages",
    budget: "trials",
    relative: false,
    networks: "hypercubes",
    largest_cube: Hypercube::MAX_DIMENSION,
    uses: Use::Messages,
    breaks: Breaks::NodesAndLinks,
    ends: Ends::Spared,
    openings: &[(Family::Hypercube, "faults=nodes:0.3&sample=11")],
    curve: "p",
    keys: KEYS,
    offers_hierarchies: false,
    parameters: PARAMETERS,
    metrics: METRICS,
    spreads: SPREADS,
    jams: false,
    crossings: Crossings::Unknown,
    heavy: &["net"],
    plan: Plan::of_trials(
        // About a thousand; that it is a power of two has no significance.
        |experiment| 1024.min(experiment.trials),
        (8, 256, 16_384),
        |_, _| Ok(()),
        |experiment, cell, tally| Need::of_share((METRICS[0].of)(tally, cell), experiment.within),
    ),
    behavior: &MessageBehavior,
};

struct MessageBehavior;

impl Behavior for MessageBehavior {
    fn fits(&self, network: Network) -> bool {
        network.cube().is_some()
    }

    fn default_experiment(&self, version: Version, _network: Option<Network>) -> Experiment {
        Experiment::usual(version, AnySetting::Message(Setting::USUAL), Network::cube_of(6), 0.01, 1_000_000)
    }

    fn default_routing(&self, _network: Network) -> &'static [&'static str] {
        &["sidetracking"]
    }

    fn counted_faults(&self, experiment: &Experiment) -> FaultModel {
        FaultModel::Count(experiment.faults.model.count(experiment.network).unwrap_or(0))
    }

    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        all_sets::check(experiment)
    }

    fn draws(&self, cell: &Cell, algorithm: &Algorithm) -> bool {
        !all_sets::asked(cell) && (!cell.faults_are_fixed() || algorithm.draws())
    }

    fn check_trial(&self, cell: &Cell, algorithm: &Arc<Algorithm>, _number: u64) -> Result<(), Infeasible> {
        // Source and destination are live, and messages without a path are counted as such.
        all_sets::check_trial(cell, algorithm)
    }

    fn sampler(&self, cell: &Cell, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>> {
        let cell = CubeCell::of(cell.clone())?;
        let sampler: Box<dyn Sampler> = match all_sets::asked(&cell) {
            true => Box::new(AllSets::new(cell, algorithm)),
            false => Box::new(MessageSampler::new(cell, algorithm)),
        };
        Some(sampler)
    }

    fn cost(&self, cell: &Cell, algorithm: &Algorithm) -> Cost {
        cost(cell, algorithm)
    }
}

static PARAMETERS: &[Parameter] = &[
    Parameter::RATE.suggesting(|_| "0..0.9:10".into()),
    Parameter::COUNT.suggesting(|experiment| format!("0..{}:2", experiment.network.others().min(1_000_000))),
    Parameter::DIMENSION.suggesting(|_| "4..20:9".into()),
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
    ),
];
