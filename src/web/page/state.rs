//! State of the page: an experiment with its history of edits. The module is pure, so that it can
//! be tested anywhere.

use std::rc::Rc;

use yew::Reducible;

use crate::experiment::{Converted, Experiment, Kind, NetworkFamily, ViewOptions};

/// Maximum number of edits that can be undone.
const MAX_UNDO: usize = 100;

/// Pinned experiment, whose curves are drawn over the curves of the current experiment. The results
/// are a job of the worker pool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pin {
    /// Number of the job with the results, in `JobKind::Pinned`.
    pub(crate) number: u32,
    pub(crate) experiment: Rc<Experiment>,
    pub(crate) is_hidden: bool,
}

/// Current experiment, its history, and the messages about the last edit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AppState {
    pub(crate) present: Rc<Experiment>,
    past: Vec<Rc<Experiment>>,
    future: Vec<Rc<Experiment>>,
    /// Reason why the last edit was refused.
    pub(crate) problem: Option<String>,
    /// Settings that the last edit dropped.
    pub(crate) note: Option<String>,
    /// Pinned experiments. They are not part of the experiment, and no edit removes them.
    pub(crate) pinned: Rc<Vec<Pin>>,
}

/// Action on the state.
pub(crate) enum Action {
    /// The user changed the experiment. An invalid one is refused. The playback position of the
    /// previous experiment is dropped.
    Edit(Experiment),
    /// The user switched to a kind on a family of networks.
    SwitchKind(&'static Kind, NetworkFamily),
    /// An experiment was opened, or the address changed. Unlike an edit, it keeps its playback
    /// position.
    Open(Experiment),
    /// Undo the last edit.
    Undo,
    /// Redo the last undone edit.
    Redo,
    /// An attempted change was refused, for this reason.
    Refuse(String),
    /// The user dismissed the message.
    Dismiss,
    /// Replace the pinned experiments.
    SetPinned(Vec<Pin>),
}

impl AppState {
    pub(crate) fn new(start: Experiment, problem: Option<String>) -> Self {
        Self {
            present: Rc::new(start),
            past: Vec::new(),
            future: Vec::new(),
            problem,
            note: None,
            pinned: Rc::default(),
        }
    }

    pub(crate) fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Returns the state with `next` as the present, or with the problem of an invalid `next`.
    fn validated(&self, next: Experiment) -> Rc<Self> {
        Rc::new(match next.validate() {
            Ok(()) => self.with_present(next),
            Err(error) => Self { problem: Some(error.to_string()), ..self.clone() },
        })
    }

    /// Returns the state after a switch to `kind` on a network of `family`: with the last such
    /// experiment, or with the default one.
    fn switched(&self, kind: &'static Kind, family: NetworkFamily) -> Self {
        let is_such =
            |known: &&Rc<Experiment>| *known.kind() == *kind && NetworkFamily::from_network(known.network) == family;
        if is_such(&&self.present) {
            return self.clone();
        }
        let before = self.past.iter().rev().find(is_such).map(|known| (**known).clone());
        let Some(other) = before.or_else(|| kind.opening_experiment(family)) else { return self.clone() };
        let Converted { experiment, dropped: lost } = self.present.converted_to(&other);
        let note = (!lost.is_empty()).then(|| format!("Dropped: {}. Undo restores it.", lost.join("; ")));
        Self { note, ..self.with_present(experiment) }
    }

    /// Returns the view of `next`, without the playback position if `next` is another measurement
    /// or another fault pattern.
    fn view_for(&self, next: &Experiment) -> ViewOptions {
        let same = self.present.is_same_measurement(next) && self.present.view.sample == next.view.sample;
        let ViewOptions { time, follow, .. } = if same { next.view.clone() } else { ViewOptions::default() };
        ViewOptions { time, follow, ..next.view.clone() }
    }

    /// Returns the state with `next` as the present; the change can be undone if it affects
    /// results.
    fn with_present(&self, next: Experiment) -> Self {
        let mut state = self.clone();
        (state.problem, state.note) = (None, None);
        if !self.present.is_same_measurement(&next) {
            state.past.push(Rc::clone(&self.present));
            let excess = state.past.len().saturating_sub(MAX_UNDO);
            state.past.drain(..excess);
            state.future.clear();
        }
        state.present = Rc::new(next);
        state
    }
}

/// Returns `experiment` with the view of `present`, so that undo does not switch views.
fn with_view_of(experiment: Rc<Experiment>, present: &Experiment) -> Rc<Experiment> {
    let view = ViewOptions { sample: experiment.view.sample, ..present.view.clone() };
    Rc::new(Experiment { view, ..(*experiment).clone() })
}

impl Reducible for AppState {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        match action {
            Action::Edit(next) | Action::Open(next) if next == *self.present => match &self.problem {
                None => self,
                Some(_) => Rc::new(Self { problem: None, ..(*self).clone() }),
            },
            Action::Edit(next) => self.validated(Experiment { view: self.view_for(&next), ..next }),
            Action::Open(next) => self.validated(next),
            Action::SwitchKind(kind, family) => Rc::new(self.switched(kind, family)),
            Action::Undo => {
                let mut state = (*self).clone();
                if let Some(before) = state.past.pop() {
                    let before = with_view_of(before, &self.present);
                    state.future.push(std::mem::replace(&mut state.present, before));
                    (state.problem, state.note) = (None, None);
                }
                Rc::new(state)
            }
            Action::Redo => {
                let mut state = (*self).clone();
                if let Some(after) = state.future.pop() {
                    let after = with_view_of(after, &self.present);
                    state.past.push(std::mem::replace(&mut state.present, after));
                    (state.problem, state.note) = (None, None);
                }
                Rc::new(state)
            }
            Action::Refuse(problem) => Rc::new(Self { problem: Some(problem), ..(*self).clone() }),
            Action::SetPinned(pinned) => Rc::new(Self { pinned: Rc::new(pinned), ..(*self).clone() }),
            Action::Dismiss => Rc::new(Self { problem: None, note: None, ..(*self).clone() }),
        }
    }
}
