//! Header of the page: its name, the four views, the tools.

use web_sys::File;
use yew::prelude::*;

use super::open_file::OpenButton;
use super::state::Action;
use crate::experiment::Tab;
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

#[component]
pub(crate) fn Header(props: &Props) -> Html {
    let current = props.context.experiment.view.tab;
    let tab = |tab: Tab| {
        let name = tab.id();
        let here = &props.context.experiment;
        // Measure begins with a varied parameter. An experiment that was measured without one stays
        // unchanged.
        let curved = tab == Tab::Measure && current != Tab::Measure;
        let mut there = if curved { here.with_default_sweep() } else { (**here).clone() };
        there.view.tab = tab;
        there.view.paper = None;
        let href = format!("#{there}");
        let edit = props.context.on_edit.clone();
        let onclick = Callback::from(move |event: MouseEvent| {
            // With a modifier key, the browser opens the link elsewhere, as usual.
            if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
                event.prevent_default();
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
