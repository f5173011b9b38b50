//! Final measurement of the result of a search, with new random numbers, until the intervals are as
//! narrow as the experiment requires.

use super::{WorstQuery, WorstSearch};
use crate::stats::run_estimates::mean_of_runs;
use crate::{Estimate, Experiment, PointResult, Status, Sweep};

/// Worst faults found by a search.
#[derive(Clone, Debug)]
pub struct WorstSearchResult {
    /// Experiment with the worst faults as manual edits, and the seed of the measurement: its text
    /// reproduces the result.
    pub experiment: Experiment,
    /// Parameters of the search.
    pub question: WorstQuery,
    /// Names of the faults, as in experiment texts.
    pub faults: Vec<String>,
    /// Metric with the worst faults.
    pub worst_case: MeasuredMetric,
    /// Metric without the worst faults, with the same random numbers.
    pub without: MeasuredMetric,
    /// Mean over random sets of the same size, each with different random numbers; over all sets,
    /// if all were evaluated. All sets share the random numbers of the search, so that the interval
    /// of their mean covers the differences between sets only.
    pub random: Option<Estimate>,
    /// Number of different sets evaluated.
    pub evaluated_sets: u64,
    /// Number of all sets; `None` beyond 2^64.
    pub all: Option<u64>,
    /// Flag for measurements with randomness.
    pub draws: bool,
}

impl WorstSearchResult {
    /// Returns whether every set was evaluated.
    pub fn is_exact(&self) -> bool {
        self.all == Some(self.evaluated_sets)
    }

    /// Returns whether the interval of [`WorstSearchResult::random`] covers all randomness.
    pub fn has_random_interval(&self) -> bool {
        !(self.is_exact() && self.draws)
    }
}

/// Metric of a completed point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredMetric {
    /// Status of the point.
    pub status: Status,
    /// Estimate; `None` if nothing was measured.
    pub estimate: Option<Estimate>,
}

impl WorstSearch {
    /// Returns the worst faults found; `None` if no set could be measured.
    ///
    /// The few worst sets are measured with new random numbers. The worst of them is then measured
    /// again with other random numbers. `measure` runs an experiment to its end.
    ///
    /// # Errors
    /// Returns the errors of `measure`.
    pub fn measure_final<E>(
        &self,
        mut measure: impl FnMut(&Experiment) -> Result<Sweep, E>,
    ) -> Result<Option<WorstSearchResult>, E> {
        let sets: Vec<_> =
            self.worst.iter().filter(|(harm, _)| *harm > f64::NEG_INFINITY).map(|(_, set)| set).collect();
        let Some(mut set) = sets.first().copied() else { return Ok(None) };
        if self.draws && sets.len() > 1 {
            let mut most = f64::NEG_INFINITY;
            for other in sets {
                let harm = self.harm(self.measured(&measure(&self.with_seed(other, 1))?));
                if harm > most {
                    (most, set) = (harm, other);
                }
            }
        }
        let seed = if self.draws { 2 } else { 0 };
        let experiment = self.with_seed(set, seed);
        let worst_case = self.measured(&measure(&experiment)?);
        let without = self.measured(&measure(&self.with_seed(&[], seed))?);
        Ok(Some(WorstSearchResult {
            faults: self.places.names(experiment.network, set),
            random: self.random_mean(),
            question: self.question,
            evaluated_sets: self.evaluated_sets(),
            all: self.all,
            draws: self.draws,
            experiment,
            worst_case,
            without,
        }))
    }

    fn with_seed(&self, set: &[u32], seed: u64) -> Experiment {
        let mut experiment = self.places.broken(&self.experiment, set);
        experiment.seed = experiment.seed.wrapping_add(seed);
        experiment
    }

    fn measured(&self, sweep: &Sweep) -> MeasuredMetric {
        let measured = |point: &PointResult| MeasuredMetric {
            status: point.status,
            estimate: point.estimate(self.question.metric),
        };
        sweep.points().first().map_or(MeasuredMetric { status: Status::Cancelled, estimate: None }, measured)
    }

    fn harm(&self, measured: MeasuredMetric) -> f64 {
        match measured {
            MeasuredMetric { estimate: Some(found), .. } => self.question.metric.better.harm(found.mean),
            // The metric is undefined because no message arrives.
            MeasuredMetric { status: Status::Unstable | Status::Deadlocked | Status::Unfinished, .. } => f64::INFINITY,
            _ => f64::NEG_INFINITY,
        }
    }

    fn random_mean(&self) -> Option<Estimate> {
        let most = if self.question.metric.probability { 1.0 } else { f64::INFINITY };
        let mean = mean_of_runs(&self.random, self.random.len() as u64)?.clamped(0.0, most);
        Some(if self.is_exact() && !self.draws { mean.as_exact() } else { mean })
    }
}
