//! Functions for the scripts of a page: they open the page or a figure, and control the figure.

use wasm_bindgen::prelude::*;
use web_sys::Element;
use yew::{AppHandle, Callback};

use super::app::{FigureApp, Props};
use super::embed_bridge::{EmbedBridge, EmbedCommand};
use super::frame;
use crate::experiment::figure_options::FigureOptions;
use crate::web::dom::{self, ProgramFiles};
use crate::web::page;
use crate::web::page::share::FigureHandle;

/// Sets the addresses of the program's files: the page, the worker's script, the precomputed
/// answers and the rows of Papers.
#[wasm_bindgen(js_name = setHome)]
pub fn set_home(page: String, worker: String, answers: String, rows: String) {
    dom::report_panics();
    dom::set_program_files(ProgramFiles { page, worker, answers, rows });
}

/// Opens the page in `root`. If the address requests a figure, opens only the figure, which takes
/// messages from the embedding page.
#[wasm_bindgen(js_name = openPage)]
pub fn open_page(root: Element) {
    let text = dom::address_text();
    if FigureOptions::from_text(&text).0.is_figure {
        frame::open(root, &text);
    } else {
        let props = page::app::Props { figure: Callback::from(|(root, text)| preview(root, text)) };
        yew::Renderer::<page::App>::with_root_and_props(root, props).render();
    }
}

/// Opens a figure inside the page, as a preview of the embedded figure.
fn preview(root: Element, text: String) -> FigureHandle {
    let bridge = EmbedBridge::new(0, &text, |_, _| {});
    let app = yew::Renderer::<FigureApp>::with_root_and_props(root, Props { bridge: bridge.clone() }).render();
    let shown = bridge.clone();
    FigureHandle {
        show: Callback::from(move |text| shown.send(EmbedCommand::Show(text))),
        play: Callback::from(move |plays| bridge.send(EmbedCommand::Play(plays))),
        close: Box::new(|| app.destroy()),
    }
}

/// Figure in another page.
#[wasm_bindgen(js_name = Figure)]
pub struct EmbeddedFigure {
    bridge: EmbedBridge,
    app: AppHandle<FigureApp>,
}

/// Opens a figure in `root`. `text` is its experiment with the options of the figure, and `number`
/// distinguishes it from other figures of the page. `tell` receives the name and the detail of
/// every event.
#[wasm_bindgen(js_name = openFigure)]
pub fn open_figure(root: Element, text: &str, number: u32, tell: js_sys::Function) -> EmbeddedFigure {
    let bridge = EmbedBridge::new(number, text, move |event, detail| {
        // An exception in a listener does not affect the figure.
        let _ = tell.call2(&JsValue::NULL, &event.name().into(), &detail);
    });
    let app = yew::Renderer::<FigureApp>::with_root_and_props(root, Props { bridge: bridge.clone() }).render();
    EmbeddedFigure { bridge, app }
}

#[wasm_bindgen(js_class = Figure)]
impl EmbeddedFigure {
    /// Shows another experiment.
    pub fn show(&self, text: String) {
        self.bridge.send(EmbedCommand::Show(text));
    }

    /// Changes one key of the experiment.
    pub fn change(&self, key: String, value: String) {
        self.bridge.send(EmbedCommand::Change(key, value));
    }

    /// Plays or pauses.
    pub fn play(&self, plays: bool) {
        self.bridge.send(EmbedCommand::Play(plays));
    }

    /// Moves the playback to a time.
    pub fn seek(&self, time: f64) {
        self.bridge.send(EmbedCommand::Seek(time));
    }

    /// Suspends the figure, or resumes it.
    pub fn rest(&self, rests: bool) {
        if self.bridge.is_suspended() != rests {
            self.bridge.send(EmbedCommand::Suspend(rests));
        }
    }

    /// Returns the text of the current experiment.
    pub fn text(&self) -> String {
        self.bridge.text()
    }

    /// Returns the results of the current view as JSON, as the command line writes them.
    pub fn result(&self) -> Option<String> {
        self.bridge.result()
    }

    /// Closes the figure.
    pub fn close(self) {
        self.app.destroy();
    }
}
