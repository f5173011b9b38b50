//! Share dialog: the experiment as text, figure or file.

mod file;
mod options;
mod preview;

use std::rc::Rc;

use yew::prelude::*;

use super::dialogs::Frame;
use super::state::Pin;
use crate::experiment::figure_options::FigureOptions;
use crate::experiment::{Experiment, Tab};
use crate::report::share::{SHARE_FORMATS, ShareCode, ShareFormat, ShareSource};
use crate::web::app_context::{AppContext, PlaybackPosition};
use crate::web::dom;
use crate::web::form::copy::{CopyState, copy_button};
use file::{FileExport, Saving, export_buttons};
use options::{ShareOptions, options};
use preview::Preview;
pub(crate) use preview::{FigureHandle, OpenFigureFn};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
    /// Pinned sweeps, which are drawn over the chart.
    pub(crate) pinned: Rc<Vec<Pin>>,
    pub(crate) figure: OpenFigureFn,
    pub(crate) close: Callback<()>,
}

/// Initial size of a figure in CSS pixels: the height of the element, and the width of a text
/// column.
const SIZE: (u32, u32) = (640, 420);

/// Choices in the dialog.
#[derive(Clone, PartialEq)]
struct ShareChoices {
    /// Index in [`SHARE_FORMATS`]; the index after the last form means a file.
    form: usize,
    at_moment: bool,
    ui: FigureOptions,
    size: (u32, u32),
}

#[component]
pub(crate) fn Share(props: &Props) -> Html {
    let context = &props.context;
    let chosen = use_state_eq(|| ShareChoices {
        form: 0,
        at_moment: context.experiment.view.time.is_some(),
        ui: FigureOptions::default(),
        size: SIZE,
    });
    let moment = context.moment.get().filter(|_| context.experiment.view.tab == Tab::Watch);
    let (saving, copied) = (use_state_eq(|| Saving::Idle), use_state_eq(|| None));
    let experiment = at_position(&context.experiment, moment, chosen.at_moment);
    let page = dom::program_files().page;
    let shared = ShareSource { experiment: &experiment, ui: &chosen.ui, page: &page, size: chosen.size };
    let form = SHARE_FORMATS.get(chosen.form);
    html! {
        <Frame title="Share this experiment" close={props.close.clone()}>
            <p>{"The text is the whole experiment: the same text gives the same numbers everywhere."}</p>
            { for local_address_note(&page).map(|why| html! { <p class="hint">{why}</p> }) }
            { forms(&chosen) }
            { for moment.map(|moment| at_moment(&chosen, moment.time)) }
            { match form {
                Some(form) => {
                    let driven = context.remote.playback().filter(|_| form.id == "still");
                    text_form(form, &shared, &copied, driven.map(|driven| driven.pictures))
                }
                None => export_buttons(&FileExport { context, pinned: &props.pinned, text: shared.figure(), experiment: experiment.to_string(), saving }),
            } }
            if form.is_some_and(|form| form.id == "link") { { qr_code(&shared.link()) } }
            if form.is_none_or(|form| form.is_figure) {
                <div class="figure-setup">
                    { options(&ShareOptions { context, ui: &chosen.ui, size: chosen.size, change: change(&chosen, |chosen, ui| chosen.ui = ui),
                        resize: change(&chosen, |chosen, size| chosen.size = size) }) }
                    <Preview figure={props.figure.clone()} context={context.clone()} text={shared.figure()} ui={chosen.ui.clone()} size={chosen.size} />
                </div>
            }
        </Frame>
    }
}

/// Returns the reason why the address works on this computer only; `None` if it is public.
fn local_address_note(page: &str) -> Option<&'static str> {
    let host = page.split_once("://").map_or("", |(_, rest)| rest);
    if !page.starts_with("http") {
        Some("This page was opened from a disk: the link works only on this computer.")
    } else if ["127.", "localhost", "[::1]"].iter().any(|own| host.starts_with(own)) {
        Some("This is a local server: the link works only on this computer.")
    } else {
        None
    }
}

/// Returns the experiment as it opens: at the position of the playback, or at the beginning. Without
/// a playback, it keeps its own position.
fn at_position(experiment: &Experiment, moment: Option<PlaybackPosition>, at_moment: bool) -> Experiment {
    let mut opened = experiment.clone();
    if moment.is_some() {
        opened.view.time = None;
    }
    if let Some(PlaybackPosition { time, chosen }) = moment.filter(|_| at_moment) {
        opened.view.time = Some((time * 1000.0).round() / 1000.0);
        opened.view.follow = chosen.map(|(index, message)| (index as u32, Some(message))).or(opened.view.follow);
    }
    opened
}

/// Returns a callback that changes the choices.
fn change<T: 'static>(chosen: &UseStateHandle<ShareChoices>, change: fn(&mut ShareChoices, T)) -> Callback<T> {
    let chosen = chosen.clone();
    Callback::from(move |value: T| {
        let mut next = (*chosen).clone();
        change(&mut next, value);
        chosen.set(next);
    })
}

/// Renders the choice of a form.
fn forms(chosen: &UseStateHandle<ShareChoices>) -> Html {
    let choose = change(chosen, |chosen, form| chosen.form = form);
    let item = |(number, name): (usize, &'static str)| {
        let onchange = choose.reform(move |_: Event| number);
        html! {
            <label><input type="radio" name="form" checked={chosen.form == number} {onchange} /><span>{name}</span></label>
        }
    };
    let names = SHARE_FORMATS.iter().map(|form| form.name).chain(["File"]);
    html! { <fieldset class="formats"><legend class="hidden">{"Format"}</legend>{ for names.enumerate().map(item) }</fieldset> }
}

fn at_moment(chosen: &UseStateHandle<ShareChoices>, time: f64) -> Html {
    let is_chosen = chosen.at_moment;
    let onchange = change(chosen, |chosen, at_moment| chosen.at_moment = at_moment).reform(move |_: Event| !is_chosen);
    html! {
        <label class="check">
            <input type="checkbox" checked={is_chosen} {onchange} />
            <span>{format!("Open at this moment ({})", (time * 100.0).round() / 100.0)}</span>
        </label>
    }
}

/// Renders the text with its copy button, and the export buttons of its pictures.
fn text_form(form: &'static ShareFormat, shared: &ShareSource<'_>, copied: &CopyState, pictures: Option<Html>) -> Html {
    let text = (form.write)(shared);
    let rows = if form.is_figure { "5" } else { "3" };
    html! {
        <>
            <p class="hint">{form.about}</p>
            <div class="share">
                <textarea class="text" {rows} readonly=true spellcheck="false" aria-label={form.name} value={text.clone()} />
                <div>{ copy_button(text, copied) }{ for pictures }</div>
            </div>
        </>
    }
}

/// Renders the link as a QR code for phones.
fn qr_code(link: &str) -> Html {
    let Some(ShareCode { side, path }) = ShareCode::from_link(link) else {
        let said = format!("The link has {} bytes, too long for a QR code that phones can read.", link.len());
        return html! { <p class="hint">{said}</p> };
    };
    html! {
        <svg class="qr-code" viewBox={format!("0 0 {side} {side}")} role="img" aria-label="The link as a QR code, for phones">
            <path fill="#fff" d={format!("M0,0h{side}v{side}H0z")} /><path fill="#000" d={path} />
        </svg>
    }
}
