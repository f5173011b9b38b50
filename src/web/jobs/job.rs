//! What is computed together, and how far it is.

use crate::experiment::{Status, Sweep};
use crate::web::dom;

/// What a job is for: one of a kind runs at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// The sweep of the experiment.
    Measure,
    /// A published table, by the number of its item.
    Paper(usize),
    /// A sweep whose curves are kept, by its number.
    Kept(u32),
}

/// Whose job it is, by the number of the runner, and what for.
pub(super) type Whose = (u32, JobKind);

/// One or more sweeps that belong together.
#[derive(Clone)]
pub(crate) struct Job {
    /// The number of the runner that it is of.
    pub(super) owner: u32,
    pub(crate) kind: JobKind,
    /// Tells it from those before it for the same kind.
    pub(super) number: u64,
    pub(crate) sweeps: Vec<Sweep>,
    pub(super) texts: Vec<String>,
    pub(crate) paused: bool,
    pub(crate) problem: Option<String>,
    /// When it started, and when it ended.
    pub(crate) started: f64,
    pub(crate) ended: Option<f64>,
    /// Whether it is written down while it runs.
    pub(super) is_written: bool,
    /// Nothing is handed out before it is known whether an earlier run has left something.
    pub(super) recalling: bool,
    /// Where it is written down, if it is.
    pub(super) shelf: Option<String>,
    /// What it went on from, in words, and the share of the work that this was.
    pub(crate) went_on: Option<String>,
    pub(super) base: f64,
}

impl Job {
    /// Whose it is, and what for.
    pub(super) fn whose(&self) -> Whose {
        (self.owner, self.kind)
    }

    /// The share of the work that is done.
    pub(crate) fn share(&self) -> f64 {
        self.sweeps.iter().map(|sweep| sweep.progress().share).sum::<f64>() / self.sweeps.len().max(1) as f64
    }

    pub(crate) fn is_done(&self) -> bool {
        self.sweeps.iter().all(Sweep::is_done)
    }

    /// Whether it has ended before its end.
    pub(crate) fn is_cut(&self) -> bool {
        self.sweeps.iter().flat_map(Sweep::points).any(|point| point.status == Status::Cancelled)
    }

    /// Whether another run would go on where this one ended.
    pub(crate) fn can_go_on(&self) -> bool {
        self.shelf.is_some() && self.ended.is_some() && self.is_cut()
    }

    /// Seconds that are probably left.
    pub(crate) fn seconds_left(&self) -> Option<f64> {
        let share = self.share();
        let here = share - self.base;
        (here > 0.02).then(|| (dom::now() - self.started) / 1000.0 * (1.0 - share) / here)
    }

    /// Seconds it took, or takes so far.
    pub(crate) fn seconds(&self) -> f64 {
        (self.ended.unwrap_or_else(dom::now) - self.started) / 1000.0
    }
}
