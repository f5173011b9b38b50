//! Exact results over all sets of faulty nodes, in a single trial, instead of sampled sets.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::sweep::sampler::Sampler;
use crate::{CubePointConfig, Estimate, Experiment, Infeasible, PointConfig, Problem, Tally, Task, Version};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::Algorithm;
use faultlab_core::theory::{
    ArrivalDistribution, AveragesByFaultCount, FaultAverageQuery, FaultDistribution, FaultSet, FaultSetEnumeration,
    MAX_ALL_SETS_DIMENSION,
};
use faultlab_core::topology::{Network, NodeId};

/// Reason that the enumeration is infeasible.
const TOO_MANY: &str =
    "messages that may take detours or change their header have too many states: sets=all needs a smaller n or mpl";

/// Returns whether the experiment requests all fault sets.
pub(super) fn is_exhaustive(cell: &PointConfig) -> bool {
    cell.setting.message().is_some_and(|setting| setting.all_sets)
}

/// Checks that the enumeration of all sets is possible, if the experiment requests it.
pub(super) fn check(experiment: &Experiment) -> Result<(), Problem> {
    if !experiment.setting.message().is_some_and(|setting| setting.all_sets) {
        return Ok(());
    }
    let largest = experiment.points().iter().map(|point| point.network.diameter()).max();
    let other = experiment.routing.iter().find(|algorithm| algorithm.local().is_none());
    let by_link = !experiment.faults.faulty_links.is_empty() || !experiment.faults.live_links.is_empty();
    let why = match (other, fault_distribution(experiment.faults.model, experiment.network)) {
        _ if largest > Some(MAX_ALL_SETS_DIMENSION.into()) => {
            format!("all sets of faulty nodes are enumerated only up to n = {MAX_ALL_SETS_DIMENSION}")
        }
        (_, None) => format!(
            "faults={} has no sets of nodes to enumerate; use nodes, share, count or none",
            experiment.faults.model
        ),
        _ if by_link => "only sets of faulty nodes are enumerated: remove the links from break and mend".into(),
        (Some(algorithm), _) => format!("{} needs global information, which sets=all does not support", algorithm.name),
        _ => return Ok(()),
    };
    Err(Problem::new("sets", why))
}

/// Returns the distribution of faulty nodes of a model; `None` if the model samples links or places
/// faults.
fn fault_distribution(model: FaultModel, network: Network) -> Option<FaultDistribution> {
    match model {
        FaultModel::None => Some(FaultDistribution::Exactly(0)),
        FaultModel::Nodes(p) => Some(FaultDistribution::Each(p)),
        model => model.node_count(network).map(FaultDistribution::Exactly),
    }
}

/// Checks that the enumeration of all sets is possible for a trial, if the experiment requests it.
/// Cost: up to 0.03 s.
pub(super) fn check_trial(cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Result<(), Infeasible> {
    let Some(cell) = CubePointConfig::from_point(cell.clone()).filter(|_| is_exhaustive(cell)) else { return Ok(()) };
    let all = ExhaustiveSampler::new(cell, algorithm);
    let one_by_one =
        || all.algorithm.local().and_then(|routing| FaultSetEnumeration::new(all.query, routing)).is_some();
    if all.at_once().is_some() || one_by_one() { Ok(()) } else { Err(TOO_MANY.into()) }
}

/// Sampler that enumerates all sets.
pub(super) struct ExhaustiveSampler {
    query: FaultAverageQuery,
    drawn: Option<FaultDistribution>,
    algorithm: Arc<Algorithm>,
    /// Current enumeration of the sets one by one, if there is one.
    search: Option<FaultSetEnumeration>,
}

impl ExhaustiveSampler {
    pub(super) fn new(cell: CubePointConfig, algorithm: &Arc<Algorithm>) -> Self {
        let set =
            |nodes: &[NodeId]| FaultSet(nodes.iter().filter(|node| node.0 < 64).fold(0, |set, node| set | 1 << node.0));
        let asked = FaultAverageQuery {
            cube: cell.cube,
            ends: cell.ends,
            always_faulty: set(&cell.faults.faulty_nodes),
            always_live: set(&cell.faults.live_nodes),
            max_hops: cell.limit(),
        };
        let drawn = fault_distribution(cell.faults.model, cell.network);
        Self { query: asked, drawn, algorithm: algorithm.clone(), search: None }
    }

    /// Returns the arrival probabilities, if they follow without enumerating the sets or are in the
    /// cache.
    fn at_once(&self) -> Option<ArrivalDistribution> {
        // The order is fixed: results must not depend on the cache that other points of this thread
        // filled.
        let by_knowledge = self.query.arrivals(self.drawn?, self.algorithm.local()?);
        by_knowledge.or_else(|| Some(self.cached()?.arrivals(self.drawn?)))
    }

    /// Returns the cached result of another point.
    fn cached(&self) -> Option<Rc<AveragesByFaultCount>> {
        let is_it = |found: &&CachedResult| found.asked == self.query && Arc::ptr_eq(&found.algorithm, &self.algorithm);
        FOUND.with_borrow(|all| all.iter().find(is_it).map(|found| found.by_size.clone()))
    }

    /// Caches `by_size` for other points.
    fn cache(&self, by_size: AveragesByFaultCount) {
        let found = CachedResult { asked: self.query, algorithm: self.algorithm.clone(), by_size: Rc::new(by_size) };
        FOUND.with_borrow_mut(|all| {
            all.truncate(MAX_FOUND - 1);
            all.insert(0, found);
        });
    }
}

impl Sampler for ExhaustiveSampler {
    fn advance(&mut self, _: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        if let Some(search) = &mut self.search {
            let mut sets = (*budget / HOPS_PER_SET).max(1);
            let done = search.advance(&mut sets);
            *budget = 0;
            let Some(search) = self.search.take_if(|_| done) else { return false };
            self.cache(search.finish());
        }
        let arrivals = self.at_once();
        if arrivals.is_none() {
            self.search = self.algorithm.local().and_then(|routing| FaultSetEnumeration::new(self.query, routing));
        }
        // If neither method is possible, the trial ends without messages: the point has nothing to
        // measure.
        if self.search.is_none() {
            tally.trials = 1;
            if let Some(arrivals) = arrivals {
                tally.messages_mut().exact = Some(arrivals.by_hops);
            }
        }
        self.search.is_none()
    }
}

/// Cached result over all sets, shared by points that differ only in the fault distribution.
struct CachedResult {
    asked: FaultAverageQuery,
    algorithm: Arc<Algorithm>,
    by_size: Rc<AveragesByFaultCount>,
}

/// Maximum number of cached results of a thread, more than there are algorithms to compare.
const MAX_FOUND: usize = 8;

/// Approximate number of hops per set.
const HOPS_PER_SET: u64 = 16;

thread_local! {
    /// Most recent results, which save the enumeration for all but the first point of a curve. They
    /// do not change the results.
    static FOUND: RefCell<Vec<CachedResult>> = const { RefCell::new(Vec::new()) };
}

fn arrivals(tally: &Tally) -> Option<ArrivalDistribution> {
    tally.messages()?.exact.clone().map(|by_hops| ArrivalDistribution { by_hops })
}

/// Returns the probability of arrival.
pub(super) fn success(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    arrivals(tally).map(|arrivals| Estimate::exact(probability(arrivals.success(), cell)))
}

/// Returns the probability of arrival on a minimal path.
pub(super) fn minimal(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let arrivals = arrivals(tally)?;
    arrivals.by_hops.get(cell.distance() as usize).map(|&sum| Estimate::exact(probability(sum, cell)))
}

/// Returns a sum of probabilities without the excess over 1, some 1e-16, that rounding can cause.
/// Version 1 keeps the excess: its results never change.
fn probability(sum: f64, cell: &PointConfig) -> f64 {
    if cell.version >= Version::V2 { sum.min(1.0) } else { sum }
}

/// Returns the mean number of hops of messages that arrive.
pub(super) fn length(tally: &Tally) -> Option<Estimate> {
    arrivals(tally)?.mean_length().map(Estimate::exact)
}

/// Returns the standard deviation of the number of hops of messages that arrive.
pub(super) fn sigma(tally: &Tally) -> Option<Estimate> {
    let arrivals = arrivals(tally)?;
    let mean = arrivals.mean_length()?;
    let square = |(hops, chance): (u32, &f64)| chance * (f64::from(hops) - mean) * (f64::from(hops) - mean);
    let squares: f64 = (0u32..).zip(&arrivals.by_hops).map(square).sum();
    Some(Estimate::exact((squares / arrivals.success()).sqrt()))
}
