//! What a search has found, measured anew: with draws that had no part in choosing it, until the intervals are as narrow as the
//! experiment asks.

use super::{Question, WorstSearch};
use crate::stats::of_runs::mean_of_runs;
use crate::{Estimate, Experiment, PointResult, Status, Sweep};

/// The worst faults that were found.
#[derive(Clone, Debug)]
pub struct Worst {
    /// The experiment with them broken by hand, and the seed with which it was measured: its text measures the same again.
    pub experiment: Experiment,
    /// What was asked.
    pub question: Question,
    /// The faults, as texts name them.
    pub faults: Vec<String>,
    /// The metric under them.
    pub hurt: Measured,
    /// The metric without them, with the same draws.
    pub without: Measured,
    /// The mean over random sets of as many, each with draws of its own; over all sets, if all were measured.
    pub random: Option<Estimate>,
    /// How many different sets were measured.
    pub looked_at: u64,
    /// How many there are; `None` beyond 2^64.
    pub all: Option<u64>,
    /// Whether chance has a part in what a set measures.
    pub draws: bool,
}

impl Worst {
    /// Whether every set was measured.
    pub fn is_exact(&self) -> bool {
        self.all == Some(self.looked_at)
    }
}

/// A metric of a finished point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// How the point ended.
    pub status: Status,
    /// The estimate; `None` where nothing was measured.
    pub estimate: Option<Estimate>,
}

impl WorstSearch {
    /// The worst faults found: the worst few sets are measured with other draws, and the worst of those with others again. `measure`
    /// runs an experiment to its end. `None` if no set could be measured.
    ///
    /// # Errors
    /// Those of `measure`.
    pub fn settle<E>(&self, mut measure: impl FnMut(&Experiment) -> Result<Sweep, E>) -> Result<Option<Worst>, E> {
        let sets: Vec<_> =
            self.worst.iter().filter(|(harm, _)| *harm > f64::NEG_INFINITY).map(|(_, set)| set).collect();
        let Some(mut set) = sets.first().copied() else { return Ok(None) };
        if self.draws && sets.len() > 1 {
            let mut most = f64::NEG_INFINITY;
            for other in sets {
                let harm = self.harm(self.measured(&measure(&self.seeded(other, 1))?));
                if harm > most {
                    (most, set) = (harm, other);
                }
            }
        }
        let seed = if self.draws { 2 } else { 0 };
        let experiment = self.seeded(set, seed);
        let hurt = self.measured(&measure(&experiment)?);
        let without = self.measured(&measure(&self.seeded(&[], seed))?);
        Ok(Some(Worst {
            faults: self.places.names(experiment.network, set),
            random: self.random_mean(),
            question: self.question,
            looked_at: self.looked_at(),
            all: self.all,
            draws: self.draws,
            experiment,
            hurt,
            without,
        }))
    }

    fn seeded(&self, set: &[u32], seed: u64) -> Experiment {
        let mut experiment = self.places.broken(&self.experiment, set);
        experiment.seed = experiment.seed.wrapping_add(seed);
        experiment
    }

    fn measured(&self, sweep: &Sweep) -> Measured {
        let measured =
            |point: &PointResult| Measured { status: point.status, estimate: point.estimate(self.question.metric) };
        sweep.points().first().map_or(Measured { status: Status::Cancelled, estimate: None }, measured)
    }

    fn harm(&self, measured: Measured) -> f64 {
        match measured {
            Measured { estimate: Some(found), .. } => self.question.metric.better.harm(found.mean),
            // They cannot tell because nobody arrives.
            Measured { status: Status::Unstable | Status::Deadlocked | Status::Unfinished, .. } => f64::INFINITY,
            _ => f64::NEG_INFINITY,
        }
    }

    fn random_mean(&self) -> Option<Estimate> {
        let most = if self.question.metric.probability { 1.0 } else { f64::INFINITY };
        let mean = mean_of_runs(&self.random, self.random.len() as u64)?.cut_to(0.0, most);
        Some(if self.is_exact() && !self.draws { mean.settled() } else { mean })
    }
}
