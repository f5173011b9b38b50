//! One trial of a whole permutation in full: the faults, the scheme among them, the messages and their routes.

use std::sync::Arc;

use crate::cell::series_number;
use crate::{CubeCell, Experiment};
use faultlab_core::fault::FaultyNodes;
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::oblivious::{NoRoute, ObliviousRoute, ObliviousRouting, Unavailable};
use faultlab_core::switching::{RouteBatch, StaticPaths, relation_route};
use faultlab_core::theory;
use faultlab_core::topology::NodeId;
use faultlab_core::traffic::{Demand, Relation};

/// The messages of one trial under one scheme, as they are measured and watched.
#[derive(Clone)]
pub struct PermutationTrial {
    /// The scheme, among the trial's faults.
    pub routing: Arc<dyn ObliviousRouting>,
    /// The messages.
    pub relation: Relation,
    /// What the scheme draws from.
    key: Key,
}

impl PermutationTrial {
    /// Trial number `number` at `cell`; `None` if the scheme does not apply to its faults, or the algorithm is none.
    pub(crate) fn new(cell: &CubeCell, algorithm: &Algorithm, number: u64) -> Option<Self> {
        Self::try_new(cell, algorithm, number)?.ok()
    }

    /// The same, or why the scheme does not apply; `None` if the cube is too large.
    pub(super) fn try_new(cell: &CubeCell, algorithm: &Algorithm, number: u64) -> Option<Result<Self, Unavailable>> {
        Some(Self::among(cell, algorithm, number, faulty(cell, number)?))
    }

    fn among(cell: &CubeCell, algorithm: &Algorithm, number: u64, faulty: FaultyNodes) -> Result<Self, Unavailable> {
        let setting = cell.relation();
        let oblivious = algorithm.oblivious().ok_or(Unavailable::NotOblivious)?;
        let routing: Arc<dyn ObliviousRouting> = (oblivious.build)(faulty, setting.tolerance)?.into();
        let trial = cell.trial(number);
        let (cube, h) = (cell.cube, setting.h);
        let relation = match &setting.demand {
            Demand::Rule(permutation) => {
                let active = (0..=cube.mask()).map(NodeId).filter(|&node| routing.is_active(node));
                Relation::new(cube, *permutation, h, active, trial.child(1))
            }
            Demand::List(messages) => Relation::list(cube, messages, h),
        };
        // Experiments are validated: no relation is too large. One made by hand has no messages then.
        let relation = relation.unwrap_or_default();
        Ok(Self { routing, relation, key: trial.child(series_number(algorithm)) })
    }

    /// The number of nodes that may send and receive.
    pub fn active_count(&self) -> u64 {
        match self.routing.active_set() {
            Some(active) => active.count().into(),
            None => self.routing.cube().mask() + 1 - u64::from(self.routing.faulty().count()),
        }
    }

    /// The route of message `number`.
    ///
    /// # Errors
    /// Why it has none.
    pub fn route(&self, number: u32) -> Result<ObliviousRoute, NoRoute> {
        relation_route(&*self.routing, &self.relation, number, self.key.child(0))
    }

    /// All routes, laid over each other. `None` if the cube is too large.
    pub fn paths(&self) -> Option<StaticPaths> {
        StaticPaths::of(&*self.routing, &self.relation, self.key.child(0))
    }

    /// The messages that have a route, by their numbers, ascending.
    pub fn routed(&self) -> Vec<u32> {
        (0..self.relation.len()).filter(|&number| self.route(number).is_ok()).collect()
    }

    /// The messages that have a route, as worms of `flits` flits about to start. `None` if the cube is too large.
    pub fn batch(&self, flits: u16) -> Option<RouteBatch> {
        let routes: Vec<_> = self.routed().into_iter().filter_map(|number| self.route(number).ok()).collect();
        RouteBatch::new(self.routing.cube(), &routes, flits, self.key.child(1))
    }

    /// The size of the smallest set I_sd of its messages; `None` if the scheme has no intermediate nodes. Cost: 6 N steps for
    /// each message.
    pub fn smallest_choice(&self) -> Option<u64> {
        theory::oblivious::smallest_choice(&*self.routing, self.relation.iter())
    }
}

fn faulty(cell: &CubeCell, number: u64) -> Option<FaultyNodes> {
    FaultyNodes::new(cell.cube, &mut cell.faults_of(number))
}

/// One compared algorithm in a trial.
#[derive(Clone)]
pub struct PermutationSeries {
    /// The algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Its messages, or why it does not apply to these faults.
    pub trial: Result<PermutationTrial, Unavailable>,
}

/// One trial as it is watched, checked and told: every compared algorithm on the same faults.
#[derive(Clone)]
pub struct PermutationInstance {
    /// The point.
    pub cell: CubeCell,
    /// The faulty nodes.
    pub faulty: FaultyNodes,
    /// The algorithms, in the order of the experiment.
    pub series: Vec<PermutationSeries>,
}

impl PermutationInstance {
    /// Trial number `experiment.view.sample` of the experiment as it stands: the very messages that a measurement counts. `None`
    /// on other networks, and on cubes that are too large.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let (cell, number) = (CubeCell::new(experiment, None)?, experiment.view.sample);
        if cell.cube.dimension() > StaticPaths::MAX_DIMENSION {
            return None;
        }
        let faulty = faulty(&cell, number)?;
        let series = |algorithm: &Arc<Algorithm>| {
            let trial = PermutationTrial::among(&cell, algorithm, number, faulty.clone());
            PermutationSeries { algorithm: algorithm.clone(), trial }
        };
        let series = experiment.routing.iter().map(series).collect();
        Some(Self { series, faulty, cell })
    }
}
