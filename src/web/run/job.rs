//! What is computed together, and how far it is.

use crate::experiment::Sweep;
use crate::web::dom;

/// What a job is for: one of a kind runs at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The sweep of the experiment.
    Measure,
    /// A published table, by the number of its item.
    Paper(usize),
    /// A sweep whose curves are kept, by its number.
    Kept(u32),
}

/// One or more sweeps that belong together.
#[derive(Clone)]
pub(crate) struct Job {
    /// The number of the runner that it is of.
    pub(super) owner: u32,
    pub(crate) purpose: Purpose,
    pub(crate) sweeps: Vec<Sweep>,
    pub(super) texts: Vec<String>,
    pub(crate) paused: bool,
    pub(crate) problem: Option<String>,
    /// When it started, and when it ended.
    pub(crate) started: f64,
    pub(crate) ended: Option<f64>,
}

impl Job {
    /// Whose it is, and what for.
    pub(super) fn whose(&self) -> (u32, Purpose) {
        (self.owner, self.purpose)
    }

    /// The share of the work that is done.
    pub(crate) fn share(&self) -> f64 {
        self.sweeps.iter().map(|sweep| sweep.progress().share).sum::<f64>() / self.sweeps.len().max(1) as f64
    }

    pub(crate) fn is_done(&self) -> bool {
        self.sweeps.iter().all(Sweep::is_done)
    }

    /// Seconds that are probably left.
    pub(crate) fn seconds_left(&self) -> Option<f64> {
        let share = self.share();
        (share > 0.02).then(|| (dom::now() - self.started) / 1000.0 * (1.0 - share) / share)
    }

    /// Seconds it took, or takes so far.
    pub(crate) fn seconds(&self) -> f64 {
        (self.ended.unwrap_or_else(dom::now) - self.started) / 1000.0
    }
}
