//! Export of files: the pictures, the figure in a single file, the text.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;
use yew::prelude::*;

use crate::experiment::Tab;
use crate::report::files::file_name;
use crate::report::share::{sibling_url, with_experiment};
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::jobs::job::JobKind;
use crate::web::page::exports::Exports;
use crate::web::page::state::Pin;

/// Input of the file export.
pub(super) struct FileExport<'a> {
    pub(super) context: &'a AppContext,
    /// Pinned sweeps, which are drawn over the chart.
    pub(super) pinned: &'a Rc<Vec<Pin>>,
    /// Text of the figure, with its options.
    pub(super) text: String,
    /// Text of the experiment without options.
    pub(super) experiment: String,
    pub(super) saving: UseStateHandle<Saving>,
}

/// Name of the single-file edition in the build.
const SINGLE_FILE: &str = "faultlab.html";

/// State of the export of the single file.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Saving {
    Idle,
    Loading,
    Failed,
}

/// Renders the export buttons.
pub(super) fn export_buttons(props: &FileExport<'_>) -> Html {
    let saving = &props.saving;
    let save = {
        let (saving, text) = (saving.clone(), props.text.clone());
        let name = file_name::stem(&props.context.experiment, "figure");
        Callback::from(move |_: MouseEvent| {
            saving.set(Saving::Loading);
            let (saving, text, name) = (saving.clone(), text.clone(), name.clone());
            spawn_local(async move {
                let page = whole_page().await.and_then(|page| with_experiment(&page, &text));
                if let Some(page) = &page {
                    dom::download(&format!("{name}.html"), "text/html", page);
                }
                saving.set(if page.is_some() { Saving::Idle } else { Saving::Failed });
            });
        })
    };
    let text_name = file_name::stem(&props.context.experiment, "experiment") + ".txt";
    let save_text = {
        let (text, name) = (props.experiment.clone(), text_name.clone());
        Callback::from(move |_: MouseEvent| dom::download(&name, "text/plain", &text))
    };
    let said = match **saving {
        Saving::Idle => String::new(),
        Saving::Loading => "Loading".to_owned(),
        Saving::Failed => format!(
            "{SINGLE_FILE}, from which the file is made, could not be loaded. Try again; if it is missing, put it beside this page."
        ),
    };
    html! {
        <>
            <div class="files">
                { pictures(props) }
                <button type="button" onclick={save_text}>{"Text"}</button>
                <button type="button" class="primary" onclick={save} disabled={**saving == Saving::Loading}>{"Save this figure as a file"}</button>
                <span role="status">{said}</span>
            </div>
            <p class="hint">{"The figure in one file of 3 to 4 MB works from a disk, by mail and without a network. \
                The text is for the command line: "}<code>{format!("faultlab run {text_name}")}</code></p>
        </>
    }
}

/// Renders the export buttons of the current view.
fn pictures(props: &FileExport<'_>) -> Html {
    let context = props.context;
    match (context.experiment.view.tab, context.remote.playback()) {
        (Tab::Watch, Some(driven)) => driven.pictures,
        (Tab::Measure, _) => {
            let view = Some(context.experiment.view.clone());
            html! { <Exports jobs={context.jobs.clone()} kind={JobKind::Measure} sweep=0 {view} pinned={Rc::clone(props.pinned)} /> }
        }
        _ => html! {},
    }
}

/// Returns the text of the single-file edition: this page, or the file beside it.
async fn whole_page() -> Option<String> {
    if let Some(own) = this_single_file() {
        return Some(own);
    }
    let bytes = dom::bytes_at(&sibling_url(&dom::program_files().page, SINGLE_FILE)).await?;
    String::from_utf8(bytes).ok()
}

/// Returns the text of this page as it was opened, if it is the single-file edition.
fn this_single_file() -> Option<String> {
    let document = dom::document()?;
    document.get_element_by_id("part-wasm")?;
    let copy: Element = document.document_element()?.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
    let find = |what: &str| copy.query_selector(what).ok().flatten();
    // Remove what the program has drawn.
    find("#app")?.set_text_content(Some("Faultlab is starting."));
    find("meta[name=faultlab-experiment]")?.set_attribute("content", "").ok()?;
    Some(format!("<!doctype html>\n{}", copy.outer_html()))
}
