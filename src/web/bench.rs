//! The workbench: the experiment that all parts of the page show and change.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use yew::{Callback, Html};

use crate::experiment::{Experiment, ExperimentError, Family, Kind};
use crate::report::findings::Findings;
use crate::report::watch::Watch;
use crate::web::desk::Desk;
use crate::web::jobs::pool::JobClient;
use crate::web::player::Player;

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
    pub(crate) moment: Rc<Cell<Option<Moment>>>,
    /// What is watched and who plays it, for those who drive it from outside.
    pub(crate) remote: Remote,
    /// What is written of rules of one's own, and which one fires.
    pub(crate) desk: Desk,
    /// Whether this is a figure in somebody's page.
    pub(crate) is_figure: bool,
    /// Whether sweeps wait until they are started.
    pub(crate) waits: bool,
    /// The speed at which Watch begins to play, as [`Player::set_speed`] takes it; `None` for the usual speed of what is shown.
    pub(crate) speed: Option<f64>,
    /// Client of the worker pool, which runs the sweeps.
    pub(crate) jobs: JobClient,
    /// Changes when there are new numbers.
    pub(crate) news: u32,
    /// Changes when colours or sizes do.
    pub(crate) look: u32,
}

/// A moment of what is watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    /// The time at which the player stands.
    pub(crate) time: f64,
    /// The number of the algorithm and of its message that the user follows, if any.
    pub(crate) chosen: Option<(usize, u64)>,
}

/// What is watched and who plays it.
#[derive(Clone)]
pub(crate) struct Driven {
    pub(crate) watch: Rc<RefCell<dyn Watch>>,
    pub(crate) player: Rc<dyn Player>,
    /// The buttons that hand out its pictures.
    pub(crate) pictures: Html,
}

/// What the view has to show to those outside, who hear where time stands and what is proved.
#[derive(Clone, Default)]
pub(crate) struct Remote {
    driven: Rc<RefCell<Option<Driven>>>,
    found: Rc<RefCell<Option<Rc<Findings>>>>,
    time: Callback<f64>,
    proof: Callback<Rc<Findings>>,
}

impl Remote {
    /// One that tells where time stands, and what is proved.
    pub(crate) fn new(time: Callback<f64>, proof: Callback<Rc<Findings>>) -> Self {
        Self { driven: Rc::default(), found: Rc::default(), time, proof }
    }

    pub(crate) fn tell(&self, time: f64) {
        self.time.emit(time);
    }

    pub(crate) fn hold(&self, driven: Option<Driven>) {
        *self.driven.borrow_mut() = driven;
    }

    /// Keeps what Check shows, and tells it.
    pub(crate) fn keep(&self, found: Option<Rc<Findings>>) {
        self.found.borrow_mut().clone_from(&found);
        if let Some(found) = found {
            self.proof.emit(found);
        }
    }

    /// What Check shows; nothing before it is known.
    pub(crate) fn found(&self) -> Option<Rc<Findings>> {
        self.found.borrow().clone()
    }

    pub(crate) fn driven(&self) -> Option<Driven> {
        self.driven.borrow().clone()
    }
}

impl PartialEq for Remote {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.driven, &other.driven)
    }
}

impl Bench {
    /// The role of a part of a view: in a figure it is no landmark, for there may be many figures.
    pub(crate) fn role(&self) -> Option<&'static str> {
        self.is_figure.then_some("group")
    }

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
