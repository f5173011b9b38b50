//! A figure as the page around it knows it: what it is told to do, and what it tells.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsValue;
use yew::Callback;

/// What a figure is told to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Order {
    /// To show an experiment, with the options of the figure in its text.
    Show(String),
    /// To change one key of its experiment, as if it had been written in the text.
    Change(String, String),
    /// To let time run, or stand; of a sweep, to start or pause.
    Play(bool),
    /// To go to a moment and stand there.
    Seek(f64),
    /// To rest while nobody sees it, or to go on.
    Rest(bool),
}

/// What a figure tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// The experiment is another one: its text.
    Change,
    /// Time stands there: a number.
    Time,
    /// A sweep has come to its end: the JSON of the command line.
    Result,
    /// Something cannot be: why.
    Refused,
    /// How high it would like to be, in CSS pixels.
    Height,
}

impl News {
    /// Its name, as of an event.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Time => "time",
            Self::Result => "result",
            Self::Refused => "refused",
            Self::Height => "height",
        }
    }
}

/// The place of a figure in a page. Orders that come before it is there are kept.
#[derive(Clone)]
pub(crate) struct Seat {
    inner: Rc<Inner>,
}

/// Writes what is shown as JSON; `None` where there is nothing yet.
type Write = Box<dyn Fn() -> Option<String>>;

struct Inner {
    number: u32,
    /// The text that it shows.
    text: RefCell<String>,
    /// The JSON of what it shows.
    json: RefCell<Option<Write>>,
    orders: RefCell<Vec<Order>>,
    heard: RefCell<Option<Callback<Order>>>,
    tell: Box<dyn Fn(News, JsValue)>,
    rests: Cell<bool>,
}

impl PartialEq for Seat {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Seat {
    /// A place for the figure of this number, 0 if the page has no other, that shows `text` at first, and tells `tell`.
    pub(crate) fn new(number: u32, text: &str, tell: impl Fn(News, JsValue) + 'static) -> Self {
        let inner = Inner {
            number,
            text: RefCell::new(text.to_owned()),
            json: RefCell::default(),
            orders: RefCell::default(),
            heard: RefCell::default(),
            tell: Box::new(tell),
            rests: Cell::new(false),
        };
        Self { inner: Rc::new(inner) }
    }

    /// The number of the figure.
    pub(crate) fn number(&self) -> u32 {
        self.inner.number
    }

    /// The text of what is shown.
    pub(crate) fn text(&self) -> String {
        self.inner.text.borrow().clone()
    }

    pub(crate) fn set_text(&self, text: String) {
        *self.inner.text.borrow_mut() = text;
    }

    /// Whether it rests.
    pub(crate) fn rests(&self) -> bool {
        self.inner.rests.get()
    }

    /// Tells the figure to do something.
    pub(crate) fn order(&self, order: Order) {
        if let Order::Rest(rests) = order {
            self.inner.rests.set(rests);
        }
        let heard = self.inner.heard.borrow().clone();
        match heard {
            Some(heard) => heard.emit(order),
            None => self.inner.orders.borrow_mut().push(order),
        }
    }

    /// The figure is there, and hears.
    pub(crate) fn hear(&self, heard: Option<Callback<Order>>) {
        self.inner.heard.borrow_mut().clone_from(&heard);
        if let Some(heard) = heard {
            let waiting = std::mem::take(&mut *self.inner.orders.borrow_mut());
            waiting.into_iter().for_each(|order| heard.emit(order));
        }
    }

    /// The figure tells something.
    pub(crate) fn tell(&self, news: News, detail: impl Into<JsValue>) {
        (self.inner.tell)(news, detail.into());
    }

    /// Says how what is shown is written as JSON.
    pub(crate) fn set_json(&self, json: impl Fn() -> Option<String> + 'static) {
        *self.inner.json.borrow_mut() = Some(Box::new(json));
    }

    /// What is shown as JSON, as the command line writes it; `None` where there is nothing yet.
    pub(crate) fn json(&self) -> Option<String> {
        self.inner.json.borrow().as_ref()?()
    }
}
