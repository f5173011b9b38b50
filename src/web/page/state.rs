//! State of the page: an experiment with its history of edits. The module is pure, so that it can
//! be tested anywhere.

use std::rc::Rc;
use std::sync::Arc;

use yew::Reducible;

use crate::experiment::{
    Converted, Experiment, ExperimentError, Kind, Metric, NetworkFamily, TextReading, ViewOptions,
};
use crate::report::files::opened::SavedCurves;
use crate::report::sweep_charts::pinned::{MAX_PINNED, difference_label};
use crate::routing::Algorithm;

/// Maximum number of edits that can be undone.
const MAX_UNDO: usize = 100;

/// Message that no more sweeps and files can be pinned.
pub(crate) const PIN_LIMIT_MESSAGE: &str =
    "Six sets of curves are kept, the maximum: remove one in Measure to keep another.";

/// Pinned curves, which are drawn over the curves of the current experiment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pin {
    pub(crate) source: PinSource,
    pub(crate) is_hidden: bool,
}

/// Source of pinned curves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PinSource {
    /// Sweep of an experiment, whose results are the job of this number in `JobKind::Pinned`.
    Job(u32, Rc<Experiment>),
    /// File that the user opened.
    File(Rc<SavedCurves>),
}

impl Pin {
    /// Returns the experiment of the curves; `None` for points from elsewhere.
    pub(crate) fn experiment(&self) -> Option<&Experiment> {
        match &self.source {
            PinSource::Job(_, experiment) => Some(experiment),
            PinSource::File(saved) => saved.experiment.as_ref(),
        }
    }

    /// Returns the label of the curves beside those of `now`.
    pub(crate) fn label(&self, now: &Experiment) -> String {
        match &self.source {
            PinSource::Job(_, experiment) => difference_label(experiment, now),
            PinSource::File(saved) => saved.name.clone(),
        }
    }

    /// Returns the number of the job with the results; `None` for files.
    pub(crate) fn job_number(&self) -> Option<u32> {
        match self.source {
            PinSource::Job(number, _) => Some(number),
            PinSource::File(_) => None,
        }
    }
}

/// Current experiment, its history, and the messages about the last edit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AppState {
    pub(crate) present: Rc<Experiment>,
    /// Earlier experiments, the latest last, each in the view in which it was left.
    past: Vec<Rc<Experiment>>,
    /// Experiments that were undone, the next one last.
    future: Vec<Rc<Experiment>>,
    /// Reason why the last edit was refused.
    pub(crate) problem: Option<String>,
    /// Note on the last edit: the settings that it dropped or added.
    pub(crate) note: Option<String>,
    /// Errors of the parts of a link or a file that could not be read.
    pub(crate) text_errors: Rc<Vec<ExperimentError>>,
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
    /// A link or a file was read, perhaps with errors.
    OpenReading(TextReading),
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
    /// Pin the curves of a file.
    PinFile(SavedCurves),
    /// Show a note.
    Announce(String),
    /// An action of one of several files that were opened together. The messages about the files
    /// before it stay.
    OpenNextFile(Box<Action>),
}

impl AppState {
    pub(crate) fn new(start: Experiment, problem: Option<String>) -> Self {
        Self {
            present: Rc::new(start),
            past: Vec::new(),
            future: Vec::new(),
            problem,
            note: None,
            text_errors: Rc::default(),
            pinned: Rc::default(),
        }
    }

    /// Removes all messages.
    fn without_messages(self) -> Self {
        Self { problem: None, note: None, text_errors: Rc::default(), ..self }
    }

    /// Returns the state with the experiment of `reading` as the present, if anything of it could be
    /// read, and with its errors.
    pub(crate) fn with_reading(&self, reading: TextReading) -> Self {
        let TextReading { experiment, errors, key_count } = reading;
        let state = match key_count {
            0 if !errors.is_empty() => self.clone().without_messages(),
            _ => self.with_present(experiment),
        };
        Self { text_errors: Rc::new(errors), ..state }
    }

    /// Returns the state with the curves of a file pinned, or with the problem that no more can be
    /// pinned.
    fn with_file(&self, saved: SavedCurves) -> Self {
        if self.pinned.len() >= MAX_PINNED {
            return Self { problem: Some(PIN_LIMIT_MESSAGE.to_owned()), ..self.clone() };
        }
        let drawn = match (&saved.experiment, &self.present.vary) {
            (None, Some(vary)) => drawn_as(self.present.plotted_metric(), vary.parameter.axis),
            _ => String::new(),
        };
        let note = Some(format!("{} is open: its curves are kept in the chart.{drawn}", saved.name));
        let mut pinned = (*self.pinned).clone();
        pinned.push(Pin { source: PinSource::File(Rc::new(saved)), is_hidden: false });
        Self { pinned: Rc::new(pinned), note, ..self.clone().without_messages() }
    }

    /// Returns the state with the messages of `before` in front of its own.
    fn with_earlier_messages(self, before: &Self) -> Self {
        let join = |before: &Option<String>, now: Option<String>| match (before, now) {
            (Some(before), Some(now)) => Some(format!("{before} {now}")),
            (before, now) => now.or_else(|| before.clone()),
        };
        Self {
            problem: join(&before.problem, self.problem),
            note: join(&before.note, self.note),
            text_errors: Rc::new(before.text_errors.iter().chain(&*self.text_errors).cloned().collect()),
            ..self
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
        let Converted { experiment, dropped, added } = self.present.converted_to(&other);
        let is_same_family = NetworkFamily::from_network(self.present.network) == family;
        let is_other_kind = !is_same_family && *kind != *self.present.kind();
        let moving = if is_other_kind { vec![kind.name.to_owned()] } else { Vec::new() };
        let is_resized = is_same_family && self.present.network != experiment.network;
        let network = if is_resized { vec![experiment.network.to_string()] } else { Vec::new() };
        let list = |what: &str, items: &[String]| match items {
            [] => String::new(),
            items => format!("{what}: {}. ", items.join("; ")),
        };
        let said = [
            list("Dropped", &dropped),
            list("Now on", &network),
            list("Now moving", &moving),
            list("New here", &added),
        ]
        .concat();
        let note = (!said.is_empty()).then(|| format!("{said}Undo restores the previous experiment."));
        Self { note, ..self.with_present(experiment) }
    }

    /// Returns a note on the changes of an edit that the user did not ask for, or that can only be
    /// seen elsewhere.
    fn note_on(&self, next: &Experiment) -> Option<String> {
        let before = &*self.present;
        if before.rules.is_some() && next.rules.is_none() {
            return Some("The rules are closed. Undo restores them.".to_owned());
        }
        let only_in = |of: &Experiment, other: &Experiment| -> Vec<Arc<Algorithm>> {
            of.routing.iter().filter(|one| other.routing.iter().all(|kept| kept.id != one.id)).cloned().collect()
        };
        let names = |of: &[Arc<Algorithm>]| of.iter().map(|one| &*one.name).collect::<Vec<_>>().join(", ");
        // The user may have removed other algorithms.
        let mut lost = only_in(before, next);
        lost.retain(|one| next.kind().takes(one, next.network).is_err());
        let is_resized = before.network != next.network && before.kind() == next.kind();
        if is_resized && lost.is_empty() {
            return self.note_on_return(next).map(|names| {
                format!("Back on {}: {names}, dropped before, can be selected under Routing again.", next.network)
            });
        }
        (is_resized && !lost.is_empty()).then(|| {
            let (lost, new) = (names(&lost), names(&only_in(next, before)));
            let instead = if new.is_empty() { String::new() } else { format!(" New here: {new}.") };
            format!("Dropped, because they do not run on {}: {lost}.{instead} Undo restores them.", next.network)
        })
    }

    /// Returns the names of the algorithms that the last experiment on the network of `next` had, and
    /// that `next` has not because the present network does not support them.
    fn note_on_return(&self, next: &Experiment) -> Option<String> {
        let is_same = |one: &&Rc<Experiment>| one.network == next.network && one.kind() == next.kind();
        let earlier = self.past.iter().rev().find(is_same)?;
        let is_dropped = |one: &&Arc<Algorithm>| {
            next.kind().takes(one, self.present.network).is_err() && next.routing.iter().all(|kept| kept.id != one.id)
        };
        let names: Vec<_> = earlier.routing.iter().filter(is_dropped).map(|one| &*one.name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Returns the view of `next`, without the playback position if `next` is another measurement
    /// or another fault pattern. An edit that switches the view, such as opening a point of a chart,
    /// has a position of its own.
    fn view_for(&self, next: &Experiment) -> ViewOptions {
        if self.present.view.tab != next.view.tab {
            return next.view.clone();
        }
        let same = self.present.is_same_measurement(next) && self.present.view.sample == next.view.sample;
        let ViewOptions { time, follow, .. } = if same { next.view.clone() } else { ViewOptions::default() };
        ViewOptions { time, follow, ..next.view.clone() }
    }

    /// Returns the state with `next` as the present; the change can be undone if it affects
    /// results.
    fn with_present(&self, next: Experiment) -> Self {
        let mut state = self.clone().without_messages();
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

/// Returns the quantities that points from elsewhere show in a chart.
fn drawn_as(metric: &Metric, x_axis: &str) -> String {
    let unit = if metric.probability { ", from 0 to 1," } else { "" };
    format!(" They are drawn as {}{unit} against {x_axis}.", metric.axis)
}

/// Returns an experiment of the history in the view in which it was left. Where that is the present
/// view, playback continues at the time that it has reached.
fn in_its_view(experiment: Rc<Experiment>, present: &Experiment) -> Rc<Experiment> {
    if experiment.view.tab != present.view.tab {
        return experiment;
    }
    let ViewOptions { time, follow, .. } = present.view;
    let view = ViewOptions { time, follow, ..experiment.view.clone() };
    Rc::new(Experiment { view, ..(*experiment).clone() })
}

impl Reducible for AppState {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        match action {
            Action::Edit(next) | Action::Open(next) if next == *self.present => {
                match self.problem.is_none() && self.text_errors.is_empty() {
                    true => self,
                    false => Rc::new(Self { problem: None, text_errors: Rc::default(), ..(*self).clone() }),
                }
            }
            Action::OpenReading(reading) => Rc::new(self.with_reading(reading)),
            Action::Edit(next) => {
                let note = self.note_on(&next);
                let state = self.validated(Experiment { view: self.view_for(&next), ..next });
                if note.is_none() || state.problem.is_some() {
                    state
                } else {
                    Rc::new(Self { note, ..(*state).clone() })
                }
            }
            Action::Open(next) => self.validated(next),
            Action::SwitchKind(kind, family) => Rc::new(self.switched(kind, family)),
            Action::Undo => {
                let mut state = (*self).clone();
                if let Some(before) = state.past.pop() {
                    let before = in_its_view(before, &state.present);
                    state.future.push(std::mem::replace(&mut state.present, before));
                    state = state.without_messages();
                }
                Rc::new(state)
            }
            Action::Redo => {
                let mut state = (*self).clone();
                if let Some(after) = state.future.pop() {
                    let after = in_its_view(after, &state.present);
                    state.past.push(std::mem::replace(&mut state.present, after));
                    state = state.without_messages();
                }
                Rc::new(state)
            }
            Action::Refuse(problem) => Rc::new(Self { problem: Some(problem), ..(*self).clone() }),
            Action::SetPinned(pinned) => Rc::new(Self { pinned: Rc::new(pinned), ..(*self).clone() }),
            Action::Announce(note) => Rc::new(Self { note: Some(note), ..(*self).clone() }),
            Action::PinFile(saved) => Rc::new(self.with_file(saved)),
            Action::OpenNextFile(action) => {
                let after = Rc::new((*self).clone().without_messages()).reduce(*action);
                Rc::new((*after).clone().with_earlier_messages(&self))
            }
            Action::Dismiss => Rc::new((*self).clone().without_messages()),
        }
    }
}
