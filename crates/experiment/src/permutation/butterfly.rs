//! Trials of whole permutations of the rows of a butterfly.

use std::sync::Arc;

use super::BatchSetting;
use crate::point_config::algorithm_key;
use crate::{Experiment, PointConfig, Problem};
use faultlab_core::fault::{ButterflyFaults, FaultModel};
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::oblivious::{ButterflyRoute, ButterflyRouting, NoRoute};
use faultlab_core::switching::{BatchRun, ButterflyCongestion};
use faultlab_core::topology::{Butterfly, NodeId};
use faultlab_core::traffic::{BatchTraffic, HRelation};

/// Messages of one trial between the rows of a butterfly under one scheme.
#[derive(Clone)]
pub struct ButterflyTrial {
    /// Scheme, built for the faults of the trial.
    pub routing: ButterflyRouting,
    /// Messages of the trial, from row to row.
    pub relation: HRelation,
    /// Random key of the scheme.
    key: Key,
}

impl ButterflyTrial {
    /// Creates trial number `number` at `cell`; `None` on other networks, and for schemes that are
    /// not defined on butterflies.
    pub(super) fn new(cell: &PointConfig, algorithm: &Algorithm, number: u64) -> Option<Self> {
        Self::from_faults(cell, algorithm, number, faults(cell, number)?)
    }

    fn from_faults(cell: &PointConfig, algorithm: &Algorithm, number: u64, faults: ButterflyFaults) -> Option<Self> {
        let (setting, scheme) = (cell.permutation_setting(), algorithm.oblivious()?.butterfly?);
        let rows = faults.butterfly().row_cube();
        let routing = ButterflyRouting::new(faults, scheme, setting.tolerance);
        let trial = cell.trial(number);
        let relation = match &setting.demand {
            BatchTraffic::Rule(permutation) => {
                let active = (0..=rows.mask()).filter(|&row| routing.is_active(row as u32)).map(NodeId);
                HRelation::new(rows, *permutation, setting.h, active, trial.child(1)).ok()
            }
            // Validated experiments list no messages.
            BatchTraffic::List(_) => None,
        };
        let key = trial.child(algorithm_key(algorithm));
        Some(Self { routing, relation: relation.unwrap_or_default(), key })
    }

    /// Returns the rows of source and destination of message `number`.
    pub fn ends(&self, number: u32) -> [u32; 2] {
        let (from, to) = self.relation.ends(number);
        [from.0 as u32, to.0 as u32]
    }

    /// Returns the route of message `number`.
    ///
    /// # Errors
    /// Returns the reason if the message has no route.
    pub fn route(&self, number: u32) -> Result<ButterflyRoute, NoRoute> {
        let [from, to] = self.ends(number);
        self.routing.route(from, None, to, &mut self.key.child(0).child(number.into()).generator())
    }

    /// Returns the congestion of all routes together.
    pub fn congestion(&self) -> ButterflyCongestion {
        let mut counts = ButterflyCongestion::new(self.routing.butterfly());
        (0..self.relation.len()).for_each(|number| counts.count(&self.route(number)));
        counts
    }

    /// Creates a batch of the messages that have a route; `None` if the butterfly is too large.
    pub fn batch(&self, setting: &BatchSetting) -> Option<BatchRun> {
        let routes: Vec<_> = (0..self.relation.len()).filter_map(|number| self.route(number).ok()).collect();
        let key = self.key.child(1);
        BatchRun::on_butterfly(self.routing.butterfly(), &routes, setting.flow, setting.length, key)
    }

    /// Returns the size of the smallest set of intermediate rows of the trial's messages; `None` if
    /// the scheme has none. Cost: 4N steps for each message.
    pub fn smallest_choice(&self) -> Option<u64> {
        let sizes = (0..self.relation.len()).map(|number| {
            let [from, to] = self.ends(number);
            self.routing.choice(from, to).map(|rows| rows.len() as u64)
        });
        sizes.collect::<Option<Vec<_>>>()?.into_iter().min()
    }
}

fn faults(cell: &PointConfig, number: u64) -> Option<ButterflyFaults> {
    let key = PointConfig::pattern_key(cell.trial(number));
    Some(ButterflyFaults::sample(cell.network.butterfly()?, &cell.faults, key))
}

/// Complete trial on a butterfly for checks and reports: every compared algorithm on the same
/// faults.
#[derive(Clone)]
pub struct ButterflyInstance {
    /// Point of the experiment at which the trial runs.
    pub cell: PointConfig,
    /// Faulty nodes of the trial.
    pub faults: ButterflyFaults,
    /// Algorithms with their messages, in the order of the experiment.
    pub series: Vec<(Arc<Algorithm>, ButterflyTrial)>,
}

impl ButterflyInstance {
    /// Creates trial number `experiment.view.sample` of the experiment, with exactly the messages
    /// that a measurement counts; `None` on other networks.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let (cell, number) = (PointConfig::new(experiment, None), experiment.view.sample);
        let faults = faults(&cell, number)?;
        let series = |algorithm: &Arc<Algorithm>| {
            let trial = ButterflyTrial::from_faults(&cell, algorithm, number, faults.clone())?;
            Some((algorithm.clone(), trial))
        };
        let series = experiment.routing.iter().filter_map(series).collect();
        Some(Self { series, faults, cell })
    }
}

/// Returns the number of the first message of the trial with the ends that the experiment names;
/// `None` if there is none. Without ends, the first message.
pub fn followed_message(experiment: &Experiment, butterfly: Butterfly, trial: &ButterflyTrial) -> Option<u32> {
    let row = |node: Option<NodeId>| node.map(|node| butterfly.row(node));
    let wanted = [row(experiment.from), row(experiment.to)];
    let fits = |ends: [u32; 2]| wanted.iter().zip(ends).all(|(wanted, row)| wanted.is_none_or(|wanted| wanted == row));
    (0..trial.relation.len()).find(|&number| fits(trial.ends(number)))
}

/// Checks the parts of an experiment that are defined on hypercubes only.
pub(super) fn check(experiment: &Experiment) -> Result<(), Problem> {
    let Some(setting) = experiment.setting.permutation().filter(|_| experiment.network.butterfly().is_some()) else {
        return Ok(());
    };
    if matches!(setting.demand, BatchTraffic::List(_)) {
        let why = "messages are listed on hypercubes only; use a rule such as transpose";
        return Err(Problem::new("traffic", why));
    }
    if experiment.setting.batch().is_some_and(|batch| batch.onset > 0) {
        return Err(Problem::new("onset", "faults arrive while messages move on hypercubes only; use onset=0"));
    }
    match experiment.faults.model {
        FaultModel::None | FaultModel::Nodes(_) | FaultModel::Share(_) | FaultModel::Count(_) => Ok(()),
        _ => Err(Problem::new("faults", "butterflies have faulty nodes only; use nodes:P, share:P or count:F")),
    }
}
