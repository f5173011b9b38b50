//! Header of the page: its name, the four views, the tools.

use std::rc::Rc;

use web_sys::File;
use yew::prelude::*;

use super::open_file::OpenButton;
use super::state::Action;
use crate::experiment::{Experiment, Tab};
use crate::web::app_context::AppContext;
use crate::web::dom;

/// Dialogs of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialog {
    /// Gallery of presets.
    Examples,
    /// Sharing of the experiment.
    Share,
    /// Help on the keyboard and the text form.
    Help,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    pub(crate) act: Callback<Action>,
    pub(crate) open: Callback<Dialog>,
    /// Callback that starts the presentation mode.
    pub(crate) present: Callback<()>,
    /// Callback for files to open.
    pub(crate) on_files: Callback<Vec<File>>,
}

/// Experiments at the changes to and from Measure, so that a look at Measure changes nothing.
#[derive(Default)]
struct MeasureVisits {
    /// Experiment before Measure added a sweep, and the experiment with that sweep.
    added_sweep: Option<(Experiment, Experiment)>,
    /// True if Measure was left without a sweep: it adds none on return.
    compares: bool,
}

impl MeasureVisits {
    /// Returns the experiment that `tab` shows, coming from `here`.
    fn experiment_in(&self, tab: Tab, here: &Experiment) -> Experiment {
        if tab == Tab::Measure && here.view.tab != Tab::Measure && !self.compares {
            return here.with_default_sweep();
        }
        let is_unchanged = |swept: &Experiment| Experiment { view: here.view.clone(), ..swept.clone() } == *here;
        match &self.added_sweep {
            Some((before, swept)) if tab != Tab::Measure && is_unchanged(swept) => {
                Experiment { view: here.view.clone(), ..before.clone() }
            }
            _ => here.clone(),
        }
    }

    /// Records a change from the view of `here` to that of `there`.
    fn record(&mut self, here: &Experiment, there: &Experiment) {
        match (here.view.tab, there.view.tab) {
            (Tab::Measure, _) => self.compares = here.vary.is_none(),
            (_, Tab::Measure) => {
                self.added_sweep = (here.vary != there.vary).then(|| (here.clone(), there.clone()));
            }
            _ => {}
        }
    }
}

#[component]
pub(crate) fn Header(props: &Props) -> Html {
    let current = props.context.experiment.view.tab;
    let visits = use_mut_ref(MeasureVisits::default);
    let tab = |tab: Tab| {
        let name = tab.id();
        let here = &props.context.experiment;
        let mut there = visits.borrow().experiment_in(tab, here);
        there.view.tab = tab;
        there.view.paper = None;
        let href = format!("#{there}");
        let edit = props.context.on_edit.clone();
        let (visits, here) = (Rc::clone(&visits), Rc::clone(here));
        let onclick = Callback::from(move |event: MouseEvent| {
            // With a modifier key, the browser opens the link elsewhere, as usual.
            if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
                event.prevent_default();
                visits.borrow_mut().record(&here, &there);
                edit.emit(there.clone());
            }
        });
        let label = name[..1].to_ascii_uppercase() + &name[1..];
        html! { <a {href} {onclick} aria-current={(tab == current).then_some("page")}>{label}</a> }
    };
    let undo = props.act.reform(|_: MouseEvent| Action::Undo);
    let redo = props.act.reform(|_: MouseEvent| Action::Redo);
    let examples = props.open.reform(|_: MouseEvent| Dialog::Examples);
    let share = props.open.reform(|_: MouseEvent| Dialog::Share);
    let present = props.present.reform(|_: MouseEvent| {
        // The header disappears, so the focus moves to the button that starts the figure.
        dom::focus(".play, #run");
    });
    let help = props.open.reform(|_: MouseEvent| Dialog::Help);
    html! {
        <header class="header">
            <h1 class="brand">{"Fault"}<b>{"lab"}</b></h1>
            <nav aria-label="Views">
                { for Tab::ALL.into_iter().map(tab) }
                // This button is visible if the controls are below the figure.
                if current != Tab::Papers { <button type="button" class="to-settings" onclick={|_: MouseEvent| dom::focus_section("controls")}>{"↓ Settings"}</button> }
            </nav>
            <div class="tools">
                <button type="button" onclick={undo} disabled={!props.can_undo} title="Undo (Ctrl+Z)">{"Undo"}</button>
                <button type="button" onclick={redo} disabled={!props.can_redo} title="Redo (Ctrl+Y)">{"Redo"}</button>
                <button type="button" onclick={help} aria-label="Help" title="Help (?)">{"?"}</button>
                <button type="button" onclick={examples} title="Examples (E)">{"Examples"}</button>
                <OpenButton on_files={props.on_files.clone()} />
                <button type="button" class="present" onclick={present} title="Show only the enlarged figure (P)">{"Present"}</button>
                <button type="button" class="primary" onclick={share}>{"Share"}</button>
            </div>
        </header>
    }
}
