//! Application context: the experiment that all parts of the page show and change.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use yew::{Callback, Html};

use crate::experiment::{Experiment, ExperimentError, Kind, NetworkFamily};
use crate::report::findings::Findings;
use crate::report::watch::Watch;
use crate::web::editor_state::EditorState;
use crate::web::jobs::pool::JobClient;
use crate::web::player_controls::PlayerControls;

/// Context of every view: the experiment, callbacks to change it, and the client of the worker
/// pool.
#[derive(Clone, PartialEq)]
pub(crate) struct AppContext {
    /// Current experiment.
    pub(crate) experiment: Rc<Experiment>,
    /// Callback that takes a changed experiment.
    pub(crate) on_edit: Callback<Experiment>,
    /// Callback that opens an experiment unchanged, with its playback time and its followed
    /// message.
    pub(crate) on_open: Callback<Experiment>,
    /// Callback that switches to a kind and a family of networks.
    pub(crate) on_switch_kind: Callback<(&'static Kind, NetworkFamily)>,
    /// Callback that shows the reason why a change is refused.
    pub(crate) on_refuse: Callback<String>,
    /// Current time in Watch, and the followed message: the index of its algorithm and its number.
    pub(crate) moment: Rc<Cell<Option<PlaybackPosition>>>,
    /// Playback handle for scripts outside the view.
    pub(crate) remote: PlaybackHandle,
    /// State of the rule editor, which includes the rule that fires.
    pub(crate) editor: EditorState,
    /// True in a figure that is embedded in another page.
    pub(crate) is_figure: bool,
    /// True if sweeps wait until the user starts them.
    pub(crate) starts_paused: bool,
    /// Initial playback speed of Watch, as [`Player::set_speed`] takes it; `None` for the default
    /// speed of the picture.
    pub(crate) speed: Option<f64>,
    /// Client of the worker pool, which runs the sweeps.
    pub(crate) jobs: JobClient,
    /// Counter that changes when there are new results.
    pub(crate) data_version: u32,
    /// Counter that changes when colours or sizes change.
    pub(crate) layout_version: u32,
}

/// Position in the playback of a watched simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlaybackPosition {
    /// Current time of the player.
    pub(crate) time: f64,
    /// Index of an algorithm, and number of its message that the user follows, if any.
    pub(crate) chosen: Option<(usize, u64)>,
}

/// Watched simulation and its player.
#[derive(Clone)]
pub(crate) struct Playback {
    pub(crate) watch: Rc<RefCell<dyn Watch>>,
    pub(crate) player: Rc<dyn PlayerControls>,
    /// Buttons that export the pictures of the simulation.
    pub(crate) pictures: Html,
}

/// Playback handle of the view for outside scripts, which also receive the time and the analysis.
#[derive(Clone, Default)]
pub(crate) struct PlaybackHandle {
    driven: Rc<RefCell<Option<Playback>>>,
    found: Rc<RefCell<Option<Rc<Findings>>>>,
    time: Callback<f64>,
    proof: Callback<Rc<Findings>>,
}

impl PlaybackHandle {
    /// Creates a handle that reports the time and the analysis to the callbacks.
    pub(crate) fn new(time: Callback<f64>, proof: Callback<Rc<Findings>>) -> Self {
        Self { driven: Rc::default(), found: Rc::default(), time, proof }
    }

    pub(crate) fn report_time(&self, time: f64) {
        self.time.emit(time);
    }

    pub(crate) fn set_playback(&self, driven: Option<Playback>) {
        *self.driven.borrow_mut() = driven;
    }

    /// Stores the analysis that Check shows, and reports it.
    pub(crate) fn set_analysis(&self, found: Option<Rc<Findings>>) {
        self.found.borrow_mut().clone_from(&found);
        if let Some(found) = found {
            self.proof.emit(found);
        }
    }

    /// Returns the analysis that Check shows; `None` before it is known.
    pub(crate) fn analysis(&self) -> Option<Rc<Findings>> {
        self.found.borrow().clone()
    }

    pub(crate) fn playback(&self) -> Option<Playback> {
        self.driven.borrow().clone()
    }
}

impl PartialEq for PlaybackHandle {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.driven, &other.driven)
    }
}

impl AppContext {
    /// Returns the ARIA role of a part of a view. In a figure it is a group instead of a landmark,
    /// because a page may have many figures.
    pub(crate) fn role(&self) -> Option<&'static str> {
        self.is_figure.then_some("group")
    }

    /// Changes the experiment by `change`.
    pub(crate) fn edit_with(&self, change: impl FnOnce(&mut Experiment)) {
        let mut next = (*self.experiment).clone();
        change(&mut next);
        self.on_edit.emit(next);
    }

    /// Takes the experiment that a field produces. The error is one line with the reason why the
    /// value is refused.
    pub(crate) fn apply(&self, next: Result<Experiment, ExperimentError>) -> Result<(), String> {
        let next = next.and_then(|next| next.validate().map(|()| next)).map_err(|error| short_problem(&error))?;
        self.on_edit.emit(next);
        Ok(())
    }
}

/// Maximum length of the accepted values in a one-line message, in bytes.
const MAX_ACCEPTED_BYTES: usize = 60;

/// Returns the problem with a value, for a message next to its field. A short list of accepted
/// values is appended unless the problem states a range.
pub(crate) fn short_problem(error: &ExperimentError) -> String {
    let ExperimentError { problem, accepted, .. } = error;
    if accepted.len() > MAX_ACCEPTED_BYTES || problem.contains(" to ") {
        problem.clone()
    } else {
        format!("{problem}: {accepted}")
    }
}
