//! Files that the user opens: the button, the drop on the page, and the messages.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, File, FileList, HtmlInputElement};
use yew::prelude::*;

use super::state::Action;
use crate::experiment::{Experiment, Tab};
use crate::report::files::opened::{self, MAX_BYTES, OpenedFile, SavedCurves};
use crate::web::app_context::AppContext;
use crate::web::dom::{self, Listener};
use crate::web::rules::starting_rules;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Callback for the chosen files.
    pub(crate) on_files: Callback<Vec<File>>,
}

/// Renders the button that opens files.
#[component]
pub(crate) fn OpenButton(props: &Props) -> Html {
    let input = use_node_ref();
    let onclick = {
        let input = input.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                input.click();
            }
        })
    };
    let onchange = {
        let on_files = props.on_files.clone();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let files = input.files().map_or(Vec::new(), |files| list(&files));
            // Without an empty value, the browser would report no change if the user chose the same file again.
            input.set_value("");
            on_files.emit(files);
        })
    };
    html! {
        <>
            <button type="button" id="open" {onclick} title="Open an experiment, rules, saved results or your own points. You can also drop files on the page.">{"Open"}</button>
            <input ref={input} type="file" id="open-file" multiple=true hidden=true aria-label="File to open" {onchange} />
        </>
    }
}

/// Returns a callback that opens files in the current experiment.
#[hook]
pub(crate) fn use_open_files(context: &AppContext, act: &Callback<Action>) -> Callback<Vec<File>> {
    // Reading takes time: the file is opened in the experiment that is current afterwards.
    let latest = use_mut_ref(|| (context.clone(), act.clone()));
    *latest.borrow_mut() = (context.clone(), act.clone());
    (*use_memo((), move |()| Callback::from(move |files: Vec<File>| open_files(files, &latest)))).clone()
}

/// Returns the files of a list, which the browser may empty later.
fn list(files: &FileList) -> Vec<File> {
    (0..files.length()).filter_map(|index| files.get(index)).collect()
}

/// Opens the files one after the other, and shows the messages about all of them.
fn open_files(files: Vec<File>, latest: &Rc<RefCell<(AppContext, Callback<Action>)>>) {
    let latest = Rc::clone(latest);
    spawn_local(async move {
        let mut is_first = true;
        for file in files {
            let name = file.name();
            let opened = read(&file).await.and_then(|bytes| opened::open(&name, &bytes));
            let (context, act) = latest.borrow().clone();
            if std::mem::take(&mut is_first) {
                act.emit(Action::Dismiss);
            }
            let act = act.reform(|action| Action::OpenNextFile(Box::new(action)));
            match opened {
                Ok(opened) => show(&context, &act, &name, opened),
                Err(problem) => act.emit(Action::Refuse(format!("{name} cannot be opened: {problem}."))),
            }
        }
    });
}

/// Reads a file, unless it is too large.
async fn read(file: &File) -> Result<Vec<u8>, String> {
    if file.size() > MAX_BYTES as f64 {
        return Err(opened::too_large(file.size()));
    }
    // A folder, for example, cannot be read.
    let buffer = JsFuture::from(file.array_buffer()).await.map_err(|_| "the browser cannot read it".to_owned())?;
    Ok(js_sys::Uint8Array::new(&buffer).to_vec())
}

/// Shows the content of a file.
fn show(context: &AppContext, act: &Callback<Action>, name: &str, file: OpenedFile) {
    match file {
        OpenedFile::Experiment(reading) => {
            act.emit(Action::OpenReading(*reading));
            act.emit(Action::Announce(format!("{name} is open.")));
        }
        OpenedFile::Rules(text) => {
            let context = AppContext {
                on_open: act.reform(Action::Open),
                on_refuse: act.reform(Action::Refuse),
                ..context.clone()
            };
            starting_rules::open(&context, &text);
        }
        OpenedFile::Curves(saved) => {
            let shown = experiment_beside(&context.experiment, &saved);
            let x_axis = shown.vary.as_ref().map(|vary| vary.parameter.axis);
            let misfit = x_axis.filter(|_| saved.experiment.is_none()).map(|axis| saved.check_x_axis(axis));
            if let Some(Err(why)) = misfit {
                act.emit(Action::Refuse(format!("{name} is not drawn: {why}.")));
                return;
            }
            act.emit(Action::Open(shown));
            act.emit(Action::PinFile(*saved));
        }
    }
}

/// Returns the experiment whose chart shows the curves: the current one in Measure, or the one of
/// the file if the current chart has another kind or another x axis.
fn experiment_beside(now: &Experiment, saved: &SavedCurves) -> Experiment {
    let here = now.with_default_sweep();
    let axis = |experiment: &Experiment| experiment.vary.as_ref().map(|vary| vary.parameter.axis);
    let is_other = |file: &&Experiment| *file.kind() != *here.kind() || axis(file) != axis(&here);
    let mut shown = saved.experiment.as_ref().filter(is_other).unwrap_or(&here).clone();
    shown.view.tab = Tab::Measure;
    shown
}

/// Opens files that are dropped on the page. Returns whether the user drags files over it.
#[hook]
pub(crate) fn use_file_drop(on_files: Callback<Vec<File>>) -> bool {
    let dragging = use_state_eq(|| false);
    use_effect_with((), {
        let dragging = dragging.setter();
        move |()| {
            let listen = |kind: &'static str, listen: Box<dyn Fn(DragEvent)>| {
                dom::window().map(|window| {
                    Listener::new(window.into(), kind, move |event| {
                        if let Some(event) = event.dyn_into::<DragEvent>().ok().filter(has_files) {
                            listen(event);
                        }
                    })
                })
            };
            let (over, left, dropped) = (dragging.clone(), dragging.clone(), dragging);
            let listeners = [
                listen(
                    "dragover",
                    Box::new(move |event| {
                        // Otherwise, the browser would leave the page and show the file.
                        event.prevent_default();
                        over.set(true);
                    }),
                ),
                listen(
                    "dragleave",
                    Box::new(move |event| {
                        if event.related_target().is_none() {
                            left.set(false);
                        }
                    }),
                ),
                listen(
                    "drop",
                    Box::new(move |event| {
                        event.prevent_default();
                        dropped.set(false);
                        if let Some(files) = event.data_transfer().and_then(|data| data.files()) {
                            on_files.emit(list(&files));
                        }
                    }),
                ),
            ];
            move || drop(listeners)
        }
    });
    *dragging
}

/// Returns whether files are dragged, rather than a link or a text.
fn has_files(event: &DragEvent) -> bool {
    event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0))
}
