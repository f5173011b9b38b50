//! Bridge between a figure and the embedding page: commands to the figure, and its events.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsValue;
use yew::Callback;

/// Command to a figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Order {
    /// Show an experiment, with the options of the figure in its text.
    Show(String),
    /// Change one key of the experiment, as if it were written in the text.
    Change(String, String),
    /// Play or pause; start or pause a sweep.
    Play(bool),
    /// Move the playback to a time and pause there.
    Seek(f64),
    /// Suspend the figure while it is not visible, or resume it.
    Rest(bool),
}

/// Event of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// The experiment has changed: its text.
    Change,
    /// The playback time has changed: a number.
    Time,
    /// A sweep has ended: the JSON of the command line.
    Result,
    /// A command was refused: the reason.
    Refused,
    /// The preferred height has changed, in CSS pixels.
    Height,
}

impl News {
    /// Returns the name of the event.
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

/// Bridge between a figure and the embedding page. Commands are queued until the figure is ready.
#[derive(Clone)]
pub(crate) struct Seat {
    inner: Rc<Inner>,
}

/// Function that returns the results as JSON; `None` before there are any.
type Write = Box<dyn Fn() -> Option<String>>;

struct Inner {
    number: u32,
    /// Text of the current experiment.
    text: RefCell<String>,
    /// Function that returns the current results.
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
    /// Creates the bridge of the figure of this number, 0 if it is the only one, that shows `text`
    /// at first. Its events go to `tell`.
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

    /// Returns the number of the figure.
    pub(crate) fn number(&self) -> u32 {
        self.inner.number
    }

    /// Returns the text of the current experiment.
    pub(crate) fn text(&self) -> String {
        self.inner.text.borrow().clone()
    }

    pub(crate) fn set_text(&self, text: String) {
        *self.inner.text.borrow_mut() = text;
    }

    /// Returns whether the figure is suspended.
    pub(crate) fn rests(&self) -> bool {
        self.inner.rests.get()
    }

    /// Sends a command to the figure.
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

    /// Sets the callback for commands, and passes it the queued ones.
    pub(crate) fn hear(&self, heard: Option<Callback<Order>>) {
        self.inner.heard.borrow_mut().clone_from(&heard);
        if let Some(heard) = heard {
            let waiting = std::mem::take(&mut *self.inner.orders.borrow_mut());
            waiting.into_iter().for_each(|order| heard.emit(order));
        }
    }

    /// Reports an event of the figure.
    pub(crate) fn tell(&self, news: News, detail: impl Into<JsValue>) {
        (self.inner.tell)(news, detail.into());
    }

    /// Sets the function that returns the results as JSON.
    pub(crate) fn set_json(&self, json: impl Fn() -> Option<String> + 'static) {
        *self.inner.json.borrow_mut() = Some(Box::new(json));
    }

    /// Returns the results as JSON, as the command line writes them; `None` before there are any.
    pub(crate) fn json(&self) -> Option<String> {
        self.inner.json.borrow().as_ref()?()
    }
}
