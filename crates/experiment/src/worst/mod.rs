//! Search for worst-case faults: the set of a given number of faulty nodes or links that degrades a
//! metric most.
//!
//! A [`WorstSearch`] returns rounds of [`super::fault_sets::Candidate`]s and accepts their results.
//! The caller may evaluate them in parallel and stop at any time. The next round depends on the
//! results alone. All compared sets use the same random numbers. The final result is measured again
//! with other random numbers ([`WorstSearch::measure_final`]), because the best of many is biased.

mod final_measurement;
mod search;

pub use final_measurement::{MeasuredMetric, WorstSearchResult};
pub use search::WorstSearch;

use super::{Experiment, Metric, Problem};

/// Parameters of a search besides the experiment.
#[derive(Clone, Copy, Debug)]
pub struct WorstQuery {
    /// Metric to degrade, one of the experiment's kind.
    pub metric: &'static Metric,
    /// Number of faults, F, besides those of the experiment; 1 to [`WorstQuery::MAX_FAULTS`].
    pub faults: u32,
    /// Selects faulty links, one-way on a hypercube, instead of nodes.
    pub links: bool,
    /// Number of trials per set; 1 to 10^9.
    pub trials: u64,
    /// Maximum number of sets to evaluate, 1 to [`WorstQuery::MAX_SETS`]; all sets if there are no
    /// more.
    pub sets: u64,
}

impl WorstQuery {
    /// Maximum number of faults.
    pub const MAX_FAULTS: u32 = 256;

    /// Maximum number of sets.
    pub const MAX_SETS: u64 = 10_000_000;

    /// Returns the default search for `experiment`: the metric of its chart, one faulty node, the
    /// trials of a first round, and a thousand sets.
    pub fn usual(experiment: &Experiment) -> Self {
        let trials = (experiment.kind().stopping_rule.first)(experiment);
        Self { metric: experiment.plotted_metric(), faults: 1, links: false, trials, sets: 1000 }
    }

    /// Checks that the numbers are in range and that the experiment varies nothing.
    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        if let Some(vary) = &experiment.vary {
            return Err(Problem::new(
                "vary",
                format!("the search runs at one point: do not vary {}", vary.parameter.id),
            ));
        }
        let is_out_of_range = |value: u64, most: u64| !(1..=most).contains(&value);
        if is_out_of_range(self.faults.into(), Self::MAX_FAULTS.into()) {
            let why = format!("{} faults; accepted: 1 to {}", self.faults, Self::MAX_FAULTS);
            return Err(Problem::new("faults", why));
        }
        if is_out_of_range(self.sets, Self::MAX_SETS) {
            return Err(Problem::new("sets", format!("{} sets; accepted: 1 to {}", self.sets, Self::MAX_SETS)));
        }
        if is_out_of_range(self.trials, 1_000_000_000) {
            let why = format!("{} trials for each set; accepted: 1 to 1000000000", self.trials);
            return Err(Problem::new("trials", why));
        }
        Ok(())
    }
}
