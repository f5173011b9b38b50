//! Export of files: the pictures, the figure in a single file, the text.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;
use yew::prelude::*;

use crate::experiment::Tab;
use crate::report::share::{beside, with_experiment};
use crate::web::bench::Bench;
use crate::web::dom;
use crate::web::jobs::job::JobKind;
use crate::web::page::exports::Exports;
use crate::web::page::state::Pin;

/// Input of the file export.
pub(super) struct Files<'a> {
    pub(super) bench: &'a Bench,
    /// Pinned sweeps, which are drawn over the chart.
    pub(super) kept: &'a Rc<Vec<Pin>>,
    /// Text of the figure, with its options.
    pub(super) text: String,
    /// Text of the experiment without options.
    pub(super) experiment: String,
    pub(super) saving: UseStateHandle<Saving>,
}

/// Name of the single-file edition in the build.
const WHOLE: &str = "faultlab.html";

/// State of the export of the single file.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Saving {
    No,
    Loads,
    Failed,
}

/// Renders the export buttons.
pub(super) fn files(props: &Files<'_>) -> Html {
    let saving = &props.saving;
    let save = {
        let (saving, text) = (saving.clone(), props.text.clone());
        Callback::from(move |_: MouseEvent| {
            saving.set(Saving::Loads);
            let (saving, text) = (saving.clone(), text.clone());
            spawn_local(async move {
                let page = whole_page().await.and_then(|page| with_experiment(&page, &text));
                if let Some(page) = &page {
                    dom::download("faultlab-figure.html", "text/html", page);
                }
                saving.set(if page.is_some() { Saving::No } else { Saving::Failed });
            });
        })
    };
    let save_text = {
        let text = props.experiment.clone();
        Callback::from(move |_: MouseEvent| dom::download("experiment.txt", "text/plain", &text))
    };
    let said = match **saving {
        Saving::No => String::new(),
        Saving::Loads => "Loading".to_owned(),
        Saving::Failed => format!("There is no {WHOLE} beside this page, of which the file is made."),
    };
    html! {
        <>
            <div class="files">
                { pictures(props) }
                <button type="button" onclick={save_text}>{"Text"}</button>
                <button type="button" class="primary" onclick={save} disabled={**saving == Saving::Loads}>{"Save this figure as a file"}</button>
                <span role="status">{said}</span>
            </div>
            <p class="hint">{"The figure in one file, 2.5 MB, works from a disk, by mail and without a network. \
                The text is for the command line: faultlab run experiment.txt."}</p>
        </>
    }
}

/// Renders the export buttons of the current view.
fn pictures(props: &Files<'_>) -> Html {
    let bench = props.bench;
    match (bench.experiment.view.tab, bench.remote.driven()) {
        (Tab::Watch, Some(driven)) => driven.pictures,
        (Tab::Measure, _) => {
            let view = Some(bench.experiment.view.clone());
            html! { <Exports jobs={bench.jobs.clone()} kind={JobKind::Measure} sweep=0 {view} kept={Rc::clone(props.kept)} /> }
        }
        _ => html! {},
    }
}

/// Returns the text of the single-file edition: this page, or the file beside it.
async fn whole_page() -> Option<String> {
    if let Some(own) = own() {
        return Some(own);
    }
    let bytes = dom::bytes_at(&beside(&dom::home().page, WHOLE)).await?;
    String::from_utf8(bytes).ok()
}

/// Returns the text of this page as it was opened, if it is the single-file edition.
fn own() -> Option<String> {
    let document = dom::document()?;
    document.get_element_by_id("part-wasm")?;
    let copy: Element = document.document_element()?.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
    let find = |what: &str| copy.query_selector(what).ok().flatten();
    // Remove what the program has drawn.
    find("#app")?.set_text_content(Some("Faultlab is starting."));
    find("meta[name=faultlab-experiment]")?.set_attribute("content", "").ok()?;
    Some(format!("<!doctype html>\n{}", copy.outer_html()))
}
