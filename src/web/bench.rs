//! The workbench: the experiment that all parts of the page show and change.

use std::rc::Rc;

use yew::Callback;

use crate::experiment::Experiment;
use crate::web::run::runner::Runner;

/// What every view needs: the experiment, how to change it, and who computes.
#[derive(Clone, PartialEq)]
pub(crate) struct Bench {
    /// The experiment.
    pub(crate) experiment: Rc<Experiment>,
    /// Takes a changed experiment.
    pub(crate) edit: Callback<Experiment>,
    /// Takes the reason why something cannot be.
    pub(crate) refuse: Callback<String>,
    /// Runs sweeps.
    pub(crate) runner: Runner,
    /// Changes when there are new numbers.
    pub(crate) news: u32,
    /// Changes when colours or sizes do.
    pub(crate) look: u32,
}

impl Bench {
    /// Changes the experiment by `change`.
    pub(crate) fn edited(&self, change: impl FnOnce(&mut Experiment)) {
        let mut next = (*self.experiment).clone();
        change(&mut next);
        self.edit.emit(next);
    }
}
