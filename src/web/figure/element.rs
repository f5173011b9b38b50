//! What the script of a page calls: it opens the page or a figure, and drives the figure.

use wasm_bindgen::prelude::*;
use web_sys::Element;
use yew::{AppHandle, Callback};

use super::app::{FigureApp, Props};
use super::frame;
use super::seat::{Order, Seat};
use crate::experiment::ui::Ui;
use crate::web::dom::{self, Home};
use crate::web::page;
use crate::web::page::share::Opened;

/// Says where the files of the program are: the page, the worker's script, the answers that Papers opens with.
#[wasm_bindgen(js_name = setHome)]
pub fn set_home(page: String, worker: String, answers: String) {
    dom::report_panics();
    dom::set_home(Home { page, worker, answers });
}

/// Opens the page in `root`; or, if its address asks for one, a figure alone, which listens to the page that frames it.
#[wasm_bindgen(js_name = openPage)]
pub fn open_page(root: Element) {
    let text = dom::address_text();
    if Ui::of(&text).0.is_figure {
        frame::open(root, &text);
    } else {
        let props = page::app::Props { figure: Callback::from(|(root, text)| preview(root, text)) };
        yew::Renderer::<page::App>::with_root_and_props(root, props).render();
    }
}

/// Opens a figure inside of the page, which shows how it will be elsewhere.
fn preview(root: Element, text: String) -> Opened {
    let seat = Seat::new(0, &text, |_, _| {});
    let app = yew::Renderer::<FigureApp>::with_root_and_props(root, Props { seat: seat.clone() }).render();
    let shown = seat.clone();
    Opened {
        show: Callback::from(move |text| shown.order(Order::Show(text))),
        play: Callback::from(move |plays| seat.order(Order::Play(plays))),
        close: Box::new(|| app.destroy()),
    }
}

/// A figure in somebody's page.
#[wasm_bindgen]
pub struct Figure {
    seat: Seat,
    app: AppHandle<FigureApp>,
}

/// Opens a figure in `root`. `text` is its experiment with the options of the figure; `number` tells it from the other figures of the page;
/// `tell` is called with the name of an event and what is to be said of it.
#[wasm_bindgen(js_name = openFigure)]
pub fn open_figure(root: Element, text: &str, number: u32, tell: js_sys::Function) -> Figure {
    let seat = Seat::new(number, text, move |news, detail| {
        // A listener that throws harms nobody but itself.
        let _ = tell.call2(&JsValue::NULL, &news.name().into(), &detail);
    });
    let app = yew::Renderer::<FigureApp>::with_root_and_props(root, Props { seat: seat.clone() }).render();
    Figure { seat, app }
}

#[wasm_bindgen]
impl Figure {
    /// Shows another experiment.
    pub fn show(&self, text: String) {
        self.seat.order(Order::Show(text));
    }

    /// Changes one key of the experiment.
    pub fn change(&self, key: String, value: String) {
        self.seat.order(Order::Change(key, value));
    }

    /// Lets time run, or stand.
    pub fn play(&self, plays: bool) {
        self.seat.order(Order::Play(plays));
    }

    /// Goes to a moment.
    pub fn seek(&self, time: f64) {
        self.seat.order(Order::Seek(time));
    }

    /// Rests, or goes on.
    pub fn rest(&self, rests: bool) {
        if self.seat.rests() != rests {
            self.seat.order(Order::Rest(rests));
        }
    }

    /// The text of the experiment that is shown.
    pub fn text(&self) -> String {
        self.seat.text()
    }

    /// What is shown, as the command line writes it in JSON.
    pub fn result(&self) -> Option<String> {
        self.seat.json()
    }

    /// Ends the figure.
    pub fn close(self) {
        self.app.destroy();
    }
}
