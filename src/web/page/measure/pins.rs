//! Pinned sweeps: curves that stay in the chart while the experiment changes, and their legend.

use std::rc::Rc;

use yew::prelude::*;
use yew::virtual_dom::VList;

use crate::experiment::{Sweep, Tab};
use crate::report::sweep_charts::panels::Panel;
use crate::report::sweep_charts::pinned::{MAX_PINNED, PinnedSource, PinnedSweep, has_final, why_none};
use crate::web::app_context::AppContext;
use crate::web::jobs::job::{Job, JobKind};
use crate::web::page::state::{Action, PIN_LIMIT_MESSAGE, Pin, PinSource};
use crate::web::stage::legend::swatch;

/// Pinned sweeps, and the callback that changes them.
pub(crate) struct Pins {
    pub(crate) context: AppContext,
    pub(crate) pinned: Rc<Vec<Pin>>,
    pub(crate) act: Callback<Action>,
}

/// Returns the pinned curves: those of files, and those of sweeps among `jobs`.
pub(crate) fn sweeps<'a>(jobs: &[&'a Job], pinned: &'a [Pin]) -> Vec<PinnedSweep<'a>> {
    let source = |pin: &'a Pin| match &pin.source {
        PinSource::File(saved) => Some(PinnedSource::File(saved)),
        PinSource::Job(number, _) => {
            let job = jobs.iter().find(|job| job.kind() == JobKind::Pinned(*number))?;
            job.sweeps().first().map(PinnedSource::Sweep)
        }
    };
    pinned.iter().filter_map(|pin| Some(PinnedSweep { source: source(pin)?, is_hidden: pin.is_hidden })).collect()
}

/// Action of a button on the pinned sweep at an index.
type Press = fn(&Pins, usize);

fn hide(pins: &Pins, place: usize) {
    let mut pinned = (*pins.pinned).clone();
    if let Some(pin) = pinned.get_mut(place) {
        pin.is_hidden = !pin.is_hidden;
    }
    pins.act.emit(Action::SetPinned(pinned));
}

fn remove(pins: &Pins, place: usize) {
    let mut pinned = (*pins.pinned).clone();
    let gone = pinned.remove(place);
    if let Some(number) = gone.job_number() {
        pins.context.jobs.forget(JobKind::Pinned(number));
    }
    pins.act.emit(Action::SetPinned(pinned));
}

fn open(pins: &Pins, place: usize) {
    if let Some(experiment) = pins.pinned.get(place).and_then(Pin::experiment) {
        let mut experiment = experiment.clone();
        experiment.view.tab = Tab::Measure;
        pins.context.on_open.emit(experiment);
    }
}

fn keep(pins: &Pins, _: usize) {
    if let Some(shown) = pins.with_sweeps(|sweep, _| sweep.experiment().clone()) {
        let number = pins.pinned.iter().filter_map(Pin::job_number).map(|number| number + 1).max().unwrap_or(0);
        pins.context.jobs.keep(number);
        let mut pinned = (*pins.pinned).clone();
        pinned.push(Pin { source: PinSource::Job(number, Rc::new(shown)), is_hidden: false });
        pins.act.emit(Action::SetPinned(pinned));
    }
}

impl Pins {
    /// Passes the current sweep and the pinned sweeps to `view`; `None` without a current sweep.
    pub(crate) fn with_sweeps<T>(&self, view: impl FnOnce(&Sweep, &[PinnedSweep<'_>]) -> T) -> Option<T> {
        self.context.jobs.with_jobs(|jobs| {
            let job = jobs.iter().find(|job| job.kind() == JobKind::Measure)?;
            Some(view(job.sweeps().first()?, &sweeps(jobs, &self.pinned)))
        })
    }

    /// Renders the button that pins the current curves; it is enabled once a point is final. It gives
    /// the reason if the chart cannot show kept curves.
    pub(crate) fn pin_button(self: &Rc<Self>, panel: Option<&Rc<Panel>>) -> Html {
        if let Some(why) = panel.and_then(|panel| why_none(panel.plot, &panel.figure)) {
            let title = format!("Curves cannot be kept here: {why}. Choose another chart to keep its curves.");
            return html! { <button type="button" id="pin" disabled=true {title}>{"Keep these curves"}</button> };
        }
        let ready = self.with_sweeps(|sweep, _| has_final(sweep)).unwrap_or(false);
        let onclick = self.pressed(0, keep);
        html! { <button type="button" id="pin" {onclick} disabled={!ready || self.is_full()}>{"Keep these curves"}</button> }
    }

    fn is_full(&self) -> bool {
        self.pinned.len() >= MAX_PINNED
    }

    /// Renders the reasons why pinned sweeps are not shown, and the message that no more can be
    /// pinned.
    pub(crate) fn hints(&self, panel: Option<&Rc<Panel>>) -> Html {
        let mut said = String::new();
        for (number, why) in panel.iter().flat_map(|panel| &panel.rejected) {
            if let Some(pin) = self.pinned.get(*number) {
                let apart = pin.label(&self.context.experiment);
                said += &format!("The kept curves ({apart}) are not shown: {why}. ");
            }
        }
        if self.is_full() {
            said += PIN_LIMIT_MESSAGE;
        }
        html! { <p class="hint" role="status" id="pin-hint">{said}</p> }
    }

    fn pressed(self: &Rc<Self>, place: usize, press: Press) -> Callback<MouseEvent> {
        let pins = Rc::clone(self);
        Callback::from(move |_: MouseEvent| press(&pins, place))
    }

    /// Renders a button; a button with only a symbol needs a name.
    fn icon_button(
        self: &Rc<Self>,
        place: usize,
        inside: Html,
        name: Option<String>,
        pressed: Option<bool>,
        press: Press,
    ) -> Html {
        html! {
            <button type="button" onclick={self.pressed(place, press)} aria-pressed={pressed.map(|pressed| pressed.to_string())}
                aria-label={name.clone()} title={name}>{inside}</button>
        }
    }

    /// Renders the legend entries of the pinned sweeps.
    pub(crate) fn legend(self: &Rc<Self>, panels: &[Rc<Panel>]) -> Html {
        let mut entries = VList::new();
        if !self.pinned.is_empty() {
            entries.push(html! { <p class="pins-title">{"Kept curves"}</p> });
        }
        for (place, pin) in self.pinned.iter().enumerate() {
            entries.push(self.legend_entry(place, pin, panels));
        }
        entries.into()
    }

    fn legend_entry(self: &Rc<Self>, place: usize, pin: &Pin, panels: &[Rc<Panel>]) -> Html {
        let apart = pin.label(&self.context.experiment);
        let is_rejected = panels.first().is_some_and(|panel| panel.rejected.iter().any(|(number, _)| *number == place));
        let mut shown = VList::new();
        if let Some(panel) = panels.first() {
            let behind = panel.figure.curves.iter().skip(panel.legend_indices.len());
            for (curve, _) in behind.zip(&panel.pinned).filter(|(_, laid)| laid.0 == place) {
                let name = curve.name.strip_suffix(&*apart).unwrap_or(&curve.name).trim_end_matches(", ").to_owned();
                shown.push(html! { <span>{ swatch(curve) }{name}</span> });
            }
        }
        shown.push(html! { <em>{apart.clone()}{if is_rejected { " (not in this chart)" } else { "" }}</em> });
        html! {
            <div class="pin" role="group" aria-label={format!("Kept: {apart}")}>
                { self.icon_button(place, shown.into(), None, Some(!pin.is_hidden && !is_rejected), hide) }
                if pin.experiment().is_some() {
                    { self.icon_button(place, "↩".into(), Some(format!("Back to {apart}")), None, open) }
                }
                { self.icon_button(place, "×".into(), Some(format!("Remove {apart}")), None, remove) }
            </div>
        }
    }
}
