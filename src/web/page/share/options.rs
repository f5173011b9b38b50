//! Options of a figure: its parts, controls and size.

use wasm_bindgen::JsCast as _;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::experiment::Tab;
use crate::experiment::figure_options::{Control, FigureOptions, FigurePart, available_controls, available_parts};
use crate::web::app_context::AppContext;
use crate::web::form::field::{ChoiceField, Commit, TextField};

/// Options of a figure, and the callbacks that change them.
pub(super) struct ShareOptions<'a> {
    pub(super) context: &'a AppContext,
    pub(super) ui: &'a FigureOptions,
    /// Width and height, in CSS pixels.
    pub(super) size: (u32, u32),
    pub(super) change: Callback<FigureOptions>,
    pub(super) resize: Callback<(u32, u32)>,
}

/// Ranges of the width and of the height, in CSS pixels.
const SIZES: [(u32, u32); 2] = [(240, 1600), (160, 1200)];

/// Renders the form of the options. Components would add 1.5 kB each to the program.
pub(super) fn options(props: &ShareOptions<'_>) -> Html {
    let view = props.context.experiment.view.tab;
    html! {
        <div class="options">
            { parts(props, view) }
            { controls(props, view) }
            { at_once(props, view) }
            { choice(props, "Readers may", "lock", props.ui.lock.id(),
                &[("open", "change everything"), ("faults", "break and mend"), ("all", "only look")]) }
            { choice(props, "Colours", "theme", props.ui.theme.id(), &[("auto", "as in the browser"), ("light", "light"), ("dark", "dark")]) }
            <TextField label="Caption" value={props.ui.caption.clone()} commit={option(props, "caption")} hint="The text below the figure." />
            { length(props, "Width", 0) }
            { length(props, "Height", 1) }
        </div>
    }
}

/// Renders a checkbox; `next` returns the options for its state.
fn check(
    props: &ShareOptions<'_>,
    name: &str,
    checked: bool,
    disabled: bool,
    next: Box<dyn Fn(bool) -> FigureOptions>,
) -> Html {
    let change = props.change.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) {
            change.emit(next(input.checked()));
        }
    });
    let label = name[..1].to_ascii_uppercase() + &name[1..];
    html! { <label class="check"><input type="checkbox" {checked} {disabled} {onchange} /><span>{label}</span></label> }
}

fn parts(props: &ShareOptions<'_>, view: Tab) -> Html {
    let has_chart = || props.context.remote.playback().is_some_and(|driven| driven.watch.borrow().chart().is_some());
    let is_there = |part: FigurePart| part != FigurePart::Chart || view == Tab::Measure || has_chart();
    let is_offered = |part: &FigurePart| available_parts(view).contains(part) && is_there(*part);
    let there: Vec<_> = FigurePart::ALL.into_iter().filter(is_offered).collect();
    let shown = there.iter().filter(|part| props.ui.shows(**part, view)).count();
    let item = |part: FigurePart| {
        let (ui, checked) = (props.ui.clone(), props.ui.shows(part, view));
        check(props, part.id(), checked, checked && shown == 1, Box::new(move |shown| ui.with_part(part, shown, view)))
    };
    html! { <fieldset><legend>{"Parts"}</legend>{ for there.into_iter().map(item) }</fieldset> }
}

fn controls(props: &ShareOptions<'_>, view: Tab) -> Html {
    let there = Control::ALL.into_iter().filter(|control| available_controls(view).contains(control));
    let item = |control: Control| {
        let ui = props.ui.clone();
        check(props, control.id(), ui.has(control), false, Box::new(move |has| ui.with_control(control, has, view)))
    };
    html! { <fieldset><legend>{"Controls"}</legend>{ for there.map(item) }</fieldset> }
}

/// Renders the checkbox for autoplay or autostart. Sweeps start at once by default.
fn at_once(props: &ShareOptions<'_>, view: Tab) -> Html {
    let (name, usual) = match view {
        Tab::Watch | Tab::Papers => ("starts playing", false),
        Tab::Measure => ("starts measuring", true),
        Tab::Check => return html! {},
    };
    let ui = props.ui.clone();
    let next = move |plays: bool| FigureOptions { play: (plays != usual).then_some(plays), ..ui.clone() };
    check(props, name, props.ui.play.unwrap_or(usual), false, Box::new(next))
}

/// Returns a callback that parses the value of an option.
fn option(props: &ShareOptions<'_>, name: &'static str) -> Commit {
    let (ui, change) = (props.ui.clone(), props.change.clone());
    Commit::from(move |value: String| {
        ui.with(name, &value).map(|next| change.emit(next)).map_err(|problem| problem.to_string())
    })
}

fn choice(
    props: &ShareOptions<'_>,
    label: &'static str,
    name: &'static str,
    value: &'static str,
    names: &[(&'static str, &'static str)],
) -> Html {
    let options: Vec<(AttrValue, AttrValue)> = names.iter().map(|&(value, name)| (value.into(), name.into())).collect();
    html! { <ChoiceField {label} {options} {value} commit={option(props, name)} /> }
}

fn length(props: &ShareOptions<'_>, label: &'static str, side: usize) -> Html {
    let (size, resize) = ([props.size.0, props.size.1], props.resize.clone());
    let (least, most) = SIZES[side];
    let commit = Commit::from(move |text: String| {
        let length = text.trim_end_matches("px").trim().parse().ok();
        let length = length.filter(|length| (least..=most).contains(length));
        let mut next = size;
        next[side] = length.ok_or_else(|| format!("write {least} to {most}"))?;
        resize.emit(next.into());
        Ok(())
    });
    html! { <TextField {label} value={size[side].to_string()} {commit} mode="numeric" hint="The length in CSS pixels." /> }
}
