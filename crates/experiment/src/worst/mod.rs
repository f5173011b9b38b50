//! The worst faults: the set of so many faulty nodes, or links, that hurts a metric of an experiment most.
//!
//! A [`WorstSearch`] hands out rounds of [`super::fault_sets::Candidate`]s and takes what they measured; whoever runs it may do so in parallel, and
//! stop at any time. What comes next depends on the measured numbers alone. All sets that are compared meet the same draws, and the
//! number that is told in the end is measured anew on others ([`WorstSearch::settle`]): the best of many would be better than it is.

mod search;
mod settle;

pub use search::WorstSearch;
pub use settle::{Measured, Worst};

use super::{Experiment, Metric, Problem};

/// What is asked besides the experiment.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// What is to be hurt, a metric of the experiment's kind.
    pub metric: &'static Metric,
    /// The number of faults, F, besides those that the experiment has; 1 to [`Question::MAX_FAULTS`].
    pub faults: u32,
    /// Whether links fail, of a cube one-way links, and not nodes.
    pub links: bool,
    /// How many trials a set is measured with; 1 to 10^9.
    pub trials: u64,
    /// How many sets may be measured, 1 to [`Question::MAX_SETS`]: all, if there are no more.
    pub sets: u64,
}

impl Question {
    /// The most faults that are searched for.
    pub const MAX_FAULTS: u32 = 256;

    /// The most sets that are measured.
    pub const MAX_SETS: u64 = 10_000_000;

    /// The usual one about `experiment`: what its chart shows, one faulty node, the trials of a first round, a thousand sets.
    pub fn usual(experiment: &Experiment) -> Self {
        let trials = (experiment.kind().plan.first)(experiment);
        Self { metric: experiment.plotted_metric(), faults: 1, links: false, trials, sets: 1000 }
    }

    /// Checks that its numbers are in range and that the experiment varies nothing.
    fn check(&self, experiment: &Experiment) -> Result<(), Problem> {
        if let Some(vary) = &experiment.vary {
            return Err(Problem::new(
                "vary",
                format!("the worst faults are those at one point: leave out {}", vary.parameter.id),
            ));
        }
        let is_out_of_range = |value: u64, most: u64| !(1..=most).contains(&value);
        if is_out_of_range(self.faults.into(), Self::MAX_FAULTS.into()) {
            let why = format!("{} faults are searched for; accepted: 1 to {}", self.faults, Self::MAX_FAULTS);
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
