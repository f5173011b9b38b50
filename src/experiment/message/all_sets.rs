//! All sets of faulty nodes instead of drawn ones: one trial that says all.

use std::sync::Arc;

use crate::experiment::sweep::sampler::Sampler;
use crate::experiment::{Cell, CubeCell, Estimate, Experiment, Problem, Tally, Task};
use crate::fault::FaultModel;
use crate::routing::Algorithm;
use crate::theory::{Arrivals, Drawn, FaultSet, MAX_ALL_SETS_DIMENSION, RandomFaults, arrivals_over_all_sets};
use crate::topology::{Network, NodeId};

/// Why nothing came of it.
pub(super) const TOO_MANY: &str = "messages that may wander can know more than a million different things: sets=all needs a \
                                   smaller n or mpl here";

/// Whether all sets are asked for.
pub(super) fn asked(cell: &Cell) -> bool {
    cell.setting.message().is_some_and(|setting| setting.all_sets)
}

/// What is wrong with asking for them.
pub(super) fn check(experiment: &Experiment) -> Option<Problem> {
    if !experiment.setting.message()?.all_sets {
        return None;
    }
    let largest = experiment.points().iter().map(|point| point.network.diameter()).max();
    let other = experiment.routing.iter().find(|algorithm| algorithm.local().is_none());
    let by_link = !experiment.faults.broken_links.is_empty() || !experiment.faults.mended_links.is_empty();
    let why = match (other, drawn(experiment.faults.model, experiment.network)) {
        _ if largest > Some(MAX_ALL_SETS_DIMENSION.into()) => {
            format!("all sets of faulty nodes are gone through up to n = {MAX_ALL_SETS_DIMENSION}")
        }
        (_, None) => format!(
            "faults={} draws no sets of nodes to go through; nodes, share, count and none do",
            experiment.faults.model
        ),
        _ if by_link => "all sets of faulty nodes are gone through: leave out the links of break and mend".into(),
        (Some(algorithm), _) => format!("{} knows all faults: it is not among what is gone through", algorithm.name),
        _ => return None,
    };
    Some(Problem::new("sets", why))
}

/// How a model draws faulty nodes; `None` if it draws others, or places them.
fn drawn(model: FaultModel, network: Network) -> Option<Drawn> {
    match model {
        FaultModel::None => Some(Drawn::Exactly(0)),
        FaultModel::Nodes(p) => Some(Drawn::Each(p)),
        model => model.count(network).map(Drawn::Exactly),
    }
}

/// Goes through all sets.
pub(super) struct AllSets {
    cell: CubeCell,
    algorithm: Arc<Algorithm>,
}

impl AllSets {
    pub(super) fn new(cell: CubeCell, algorithm: &Arc<Algorithm>) -> Self {
        Self { cell, algorithm: algorithm.clone() }
    }

    /// The probability of arriving with so many hops.
    fn by_hops(&self) -> Option<Vec<f64>> {
        let (cell, routing) = (&self.cell, self.algorithm.local()?);
        let set =
            |nodes: &[NodeId]| FaultSet(nodes.iter().filter(|node| node.0 < 64).fold(0, |set, node| set | 1 << node.0));
        let faults = RandomFaults {
            drawn: drawn(cell.faults.model, cell.network)?,
            broken: set(&cell.faults.broken),
            mended: set(&cell.faults.mended),
        };
        let found = arrivals_over_all_sets(cell.cube, cell.ends, faults, routing, cell.limit());
        found.map(|found| found.by_hops)
    }
}

impl Sampler for AllSets {
    fn advance(&mut self, _: Task, tally: &mut Tally, _: &mut u64) -> bool {
        // Not begun, if there are too many: without messages the point has nothing to measure.
        if let Some(by_hops) = self.by_hops() {
            tally.messages_mut().exact = Some(by_hops);
        }
        tally.trials = 1;
        true
    }
}

fn arrivals(tally: &Tally) -> Option<Arrivals> {
    tally.messages()?.exact.clone().map(|by_hops| Arrivals { by_hops })
}

/// The probability of arriving.
pub(super) fn success(tally: &Tally) -> Option<Estimate> {
    arrivals(tally).map(|arrivals| Estimate::exact(arrivals.success()))
}

/// The probability of arriving on a minimal path.
pub(super) fn minimal(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    let arrivals = arrivals(tally)?;
    arrivals.by_hops.get(cell.distance() as usize).copied().map(Estimate::exact)
}

/// The mean number of hops of messages that arrive.
pub(super) fn length(tally: &Tally) -> Option<Estimate> {
    arrivals(tally)?.mean_length().map(Estimate::exact)
}

/// The standard deviation of the number of hops of messages that arrive.
pub(super) fn sigma(tally: &Tally) -> Option<Estimate> {
    let arrivals = arrivals(tally)?;
    let mean = arrivals.mean_length()?;
    let square = |(hops, chance): (u32, &f64)| chance * (f64::from(hops) - mean) * (f64::from(hops) - mean);
    let squares: f64 = (0u32..).zip(&arrivals.by_hops).map(square).sum();
    Some(Estimate::exact((squares / arrivals.success()).sqrt()))
}
