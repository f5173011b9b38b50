//! Complete trial of a whole permutation: the faults, the scheme built for them, the messages and
//! their routes.

use std::sync::Arc;

use super::BatchSetting;
use crate::point_config::algorithm_key;
use crate::{CubePointConfig, Experiment};
use faultlab_core::fault::FaultyNodes;
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::oblivious::{NoRoute, ObliviousRoute, ObliviousRouting, Unavailable};
use faultlab_core::switching::{BatchOnset, BatchRun, StaticCongestion, relation_route};
use faultlab_core::theory;
use faultlab_core::topology::NodeId;
use faultlab_core::traffic::{BatchTraffic, HRelation};

/// Messages of one trial under one scheme, for measurements and for Watch.
#[derive(Clone)]
pub struct PermutationTrial {
    /// Scheme, built for the faults of the trial.
    pub routing: Arc<dyn ObliviousRouting>,
    /// Scheme before the faults arrive, by which messages start; `None` if the faults exist before.
    before: Option<Arc<dyn ObliviousRouting>>,
    /// Messages of the trial.
    pub relation: HRelation,
    /// Random key of the scheme.
    key: Key,
}

impl PermutationTrial {
    /// Creates trial number `number` at `cell`; `None` if the scheme does not apply to its faults,
    /// or `algorithm` is not oblivious.
    pub(crate) fn new(cell: &CubePointConfig, algorithm: &Algorithm, number: u64) -> Option<Self> {
        Self::try_new(cell, algorithm, number)?.ok()
    }

    /// Creates trial number `number` at `cell`, or returns the reason why the scheme does not
    /// apply; `None` if the hypercube is too large.
    pub(super) fn try_new(
        cell: &CubePointConfig,
        algorithm: &Algorithm,
        number: u64,
    ) -> Option<Result<Self, Unavailable>> {
        Some(Self::from_faults(cell, algorithm, number, faulty(cell, number)?))
    }

    fn from_faults(
        cell: &CubePointConfig,
        algorithm: &Algorithm,
        number: u64,
        faulty: FaultyNodes,
    ) -> Result<Self, Unavailable> {
        let setting = cell.permutation_setting();
        let oblivious = algorithm.oblivious().ok_or(Unavailable::NotOblivious)?;
        let has_onset = cell.setting.batch().is_some_and(|batch| batch.onset > 0);
        let before = match FaultyNodes::empty(cell.cube).filter(|_| has_onset) {
            Some(no_faults) => Some(Arc::from((oblivious.build)(no_faults, setting.tolerance)?)),
            None => None,
        };
        let routing: Arc<dyn ObliviousRouting> = (oblivious.build)(faulty, setting.tolerance)?.into();
        let starting: &Arc<dyn ObliviousRouting> = before.as_ref().unwrap_or(&routing);
        let trial = cell.trial(number);
        let (cube, h) = (cell.cube, setting.h);
        let relation = match &setting.demand {
            BatchTraffic::Rule(permutation) => {
                let active = (0..=cube.mask()).map(NodeId).filter(|&node| starting.is_active(node));
                HRelation::new(cube, *permutation, h, active, trial.child(1))
            }
            BatchTraffic::List(messages) => HRelation::list(cube, messages, h),
        };
        // Validated experiments have no relation that is too large. Others get an empty one here.
        let relation = relation.unwrap_or_default();
        Ok(Self { routing, before, relation, key: trial.child(algorithm_key(algorithm)) })
    }

    /// Returns the scheme by which the messages start.
    fn starting(&self) -> &dyn ObliviousRouting {
        &**self.before.as_ref().unwrap_or(&self.routing)
    }

    /// Returns the number of nodes that may send and receive.
    pub fn active_count(&self) -> u64 {
        match self.routing.active_set() {
            Some(active) => active.count().into(),
            None => self.routing.cube().mask() + 1 - u64::from(self.routing.faulty().count()),
        }
    }

    /// Returns the route on which message `number` starts.
    ///
    /// # Errors
    /// Returns the reason if the message has no route.
    pub fn route(&self, number: u32) -> Result<ObliviousRoute, NoRoute> {
        relation_route(self.starting(), &self.relation, number, self.key.child(0))
    }

    /// Returns the route on which message `number` is sent again when faults have arrived.
    ///
    /// # Errors
    /// Returns the reason if the message has no route among the faults.
    pub fn new_route(&self, number: u32) -> Result<ObliviousRoute, NoRoute> {
        relation_route(&*self.routing, &self.relation, number, self.key.child(2))
    }

    /// Returns the channel loads of all routes together; `None` if the hypercube is too large.
    pub fn paths(&self) -> Option<StaticCongestion> {
        StaticCongestion::from_relation(self.starting(), &self.relation, self.key.child(0))
    }

    /// Returns the numbers of the messages that have a route, ascending.
    pub fn routed(&self) -> Vec<u32> {
        (0..self.relation.len()).filter(|&number| self.route(number).is_ok()).collect()
    }

    /// Creates a batch of the messages that have a route; `None` if the hypercube is too large.
    pub fn batch(&self, setting: &BatchSetting) -> Option<BatchRun> {
        let numbers = self.routed();
        let routes: Vec<_> = numbers.iter().filter_map(|&number| self.route(number).ok()).collect();
        let run = BatchRun::new(self.routing.cube(), &routes, setting.flow, setting.length, self.key.child(1))?;
        if self.before.is_none() {
            return Some(run);
        }
        let new_routes: Vec<_> = numbers.iter().map(|&number| self.new_route(number).ok()).collect();
        run.with_onset(&BatchOnset { cycle: setting.onset, faulty: self.routing.faulty(), new_routes: &new_routes })
    }

    /// Returns the size of the smallest set I_sd of the trial's messages; `None` if the scheme has
    /// no intermediate nodes. Cost: 6 N steps for each message.
    pub fn smallest_choice(&self) -> Option<u64> {
        theory::oblivious::smallest_choice(&*self.routing, self.relation.iter())
    }
}

fn faulty(cell: &CubePointConfig, number: u64) -> Option<FaultyNodes> {
    let mut faults = cell.fault_pattern(number);
    Some(FaultyNodes::from_faults(cell.cube, &mut faults)?.with_links_from(&mut faults))
}

/// Compared algorithm in a trial.
#[derive(Clone)]
pub struct PermutationSeries {
    /// Compared algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Messages of the algorithm, or the reason why the algorithm does not apply to the faults.
    pub trial: Result<PermutationTrial, Unavailable>,
}

/// Complete trial for Watch, checks and reports: every compared algorithm on the same faults.
#[derive(Clone)]
pub struct PermutationInstance {
    /// Point of the experiment at which the trial runs.
    pub cell: CubePointConfig,
    /// Faulty nodes and links of the trial.
    pub faulty: FaultyNodes,
    /// Algorithms, in the order of the experiment.
    pub series: Vec<PermutationSeries>,
}

impl PermutationInstance {
    /// Creates trial number `experiment.view.sample` of the experiment, with exactly the messages
    /// that a measurement counts.
    ///
    /// `None` on other networks, and on hypercubes that are too large.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let (cell, number) = (CubePointConfig::new(experiment, None)?, experiment.view.sample);
        if cell.cube.dimension() > StaticCongestion::MAX_DIMENSION {
            return None;
        }
        let faulty = faulty(&cell, number)?;
        let series = |algorithm: &Arc<Algorithm>| {
            let trial = PermutationTrial::from_faults(&cell, algorithm, number, faulty.clone());
            PermutationSeries { algorithm: algorithm.clone(), trial }
        };
        let series = experiment.routing.iter().map(series).collect();
        Some(Self { series, faulty, cell })
    }
}
