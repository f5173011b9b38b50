//! The workbench: the experiment that all parts of the page show and change.

use std::cell::Cell;
use std::rc::Rc;

use yew::Callback;

use crate::experiment::{Experiment, ExperimentError, Family, Kind};
use crate::web::run::runner::Runner;

/// What every view needs: the experiment, how to change it, and who computes.
#[derive(Clone, PartialEq)]
pub(crate) struct Bench {
    /// The experiment.
    pub(crate) experiment: Rc<Experiment>,
    /// Takes a changed experiment.
    pub(crate) edit: Callback<Experiment>,
    /// Takes an experiment that is opened as it is, the moment and the message that it names included.
    pub(crate) open: Callback<Experiment>,
    /// Takes a kind and a family of networks that a person turns to.
    pub(crate) turn: Callback<(&'static Kind, Family)>,
    /// Takes the reason why something cannot be.
    pub(crate) refuse: Callback<String>,
    /// Where time is in Watch, and the message that is followed: its algorithm and its number.
    pub(crate) moment: Moment,
    /// Runs sweeps.
    pub(crate) runner: Runner,
    /// Changes when there are new numbers.
    pub(crate) news: u32,
    /// Changes when colours or sizes do.
    pub(crate) look: u32,
}

/// A moment, written by who plays and read by who shares it.
pub(crate) type Moment = Rc<Cell<Option<(f64, Option<(usize, u64)>)>>>;

impl Bench {
    /// Changes the experiment by `change`.
    pub(crate) fn edited(&self, change: impl FnOnce(&mut Experiment)) {
        let mut next = (*self.experiment).clone();
        change(&mut next);
        self.edit.emit(next);
    }

    /// Takes what a field makes of the experiment; the error says in one line why it cannot be.
    pub(crate) fn change(&self, next: Result<Experiment, ExperimentError>) -> Result<(), String> {
        let next = next.and_then(|next| next.validate().map(|()| next)).map_err(|error| brief(&error))?;
        self.edit.emit(next);
        Ok(())
    }
}

/// As much of what is accepted as a line holds, in bytes.
const LINE: usize = 60;

/// What is wrong with a value, for those who have it before them; with what is accepted if that is not said yet, and short.
pub(crate) fn brief(error: &ExperimentError) -> String {
    let ExperimentError { problem, accepted, .. } = error;
    if accepted.len() > LINE || problem.contains(" to ") { problem.clone() } else { format!("{problem}: {accepted}") }
}
