//! The parts of the page, one a file.

mod app;
mod check;
mod circuits;
mod controls;
mod counted;
mod deliveries;
mod dialogs;
mod exports;
mod field;
mod header;
mod measure;
mod pairs;
mod papers;
mod picture;
mod plot;
mod relation_rail;
mod relations;
mod reservations;
mod sight;
mod steps;
mod sweep;
mod transport;
mod tree_controls;
mod watch;
mod worm_log;
mod worm_tools;
mod worms;

pub use app::App;

use std::rc::Rc;

use yew::Callback;

use crate::experiment::Experiment;
use crate::web::runner::Runner;

/// What every view needs: the experiment, how to change it, and who computes.
#[derive(Clone, PartialEq)]
pub(super) struct Bench {
    /// The experiment.
    pub(super) experiment: Rc<Experiment>,
    /// Takes a changed experiment.
    pub(super) edit: Callback<Experiment>,
    /// Takes the reason why something cannot be.
    pub(super) refuse: Callback<String>,
    /// Runs sweeps.
    pub(super) runner: Runner,
    /// Changes when there are new numbers.
    pub(super) news: u32,
    /// Changes when colours or sizes do.
    pub(super) look: u32,
}

impl Bench {
    /// Changes the experiment by `change`.
    pub(super) fn edited(&self, change: impl FnOnce(&mut Experiment)) {
        let mut next = (*self.experiment).clone();
        change(&mut next);
        self.edit.emit(next);
    }
}
