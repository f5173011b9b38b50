//! Bridge between a figure and the embedding page: commands to the figure, and its events.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsValue;
use yew::Callback;

/// Command to a figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EmbedCommand {
    /// Show an experiment, with the options of the figure in its text.
    Show(String),
    /// Change one key of the experiment, as if it were written in the text.
    Change(String, String),
    /// Play or pause; start or pause a sweep.
    Play(bool),
    /// Move the playback to a time and pause there.
    Seek(f64),
    /// Suspend the figure while it is not visible, or resume it.
    Suspend(bool),
}

/// Event of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EmbedEvent {
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

impl EmbedEvent {
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
pub(crate) struct EmbedBridge {
    inner: Rc<BridgeState>,
}

/// Function that returns the results as JSON; `None` before there are any.
type ResultFn = Box<dyn Fn() -> Option<String>>;

struct BridgeState {
    number: u32,
    /// Text of the current experiment.
    text: RefCell<String>,
    /// Function that returns the current results.
    json: RefCell<Option<ResultFn>>,
    queued_commands: RefCell<Vec<EmbedCommand>>,
    on_command: RefCell<Option<Callback<EmbedCommand>>>,
    on_event: Box<dyn Fn(EmbedEvent, JsValue)>,
    is_suspended: Cell<bool>,
}

impl PartialEq for EmbedBridge {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }
}

impl EmbedBridge {
    /// Creates the bridge of a figure that initially shows `text`. `number` is 0 if the page has no
    /// other figure. Events of the figure go to `tell`.
    pub(crate) fn new(number: u32, text: &str, tell: impl Fn(EmbedEvent, JsValue) + 'static) -> Self {
        let inner = BridgeState {
            number,
            text: RefCell::new(text.to_owned()),
            json: RefCell::default(),
            queued_commands: RefCell::default(),
            on_command: RefCell::default(),
            on_event: Box::new(tell),
            is_suspended: Cell::new(false),
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
    pub(crate) fn is_suspended(&self) -> bool {
        self.inner.is_suspended.get()
    }

    /// Sends a command to the figure.
    pub(crate) fn send(&self, order: EmbedCommand) {
        if let EmbedCommand::Suspend(rests) = order {
            self.inner.is_suspended.set(rests);
        }
        let heard = self.inner.on_command.borrow().clone();
        match heard {
            Some(heard) => heard.emit(order),
            None => self.inner.queued_commands.borrow_mut().push(order),
        }
    }

    /// Sets the callback for commands, and passes it the queued ones.
    pub(crate) fn set_listener(&self, heard: Option<Callback<EmbedCommand>>) {
        self.inner.on_command.borrow_mut().clone_from(&heard);
        if let Some(heard) = heard {
            let waiting = std::mem::take(&mut *self.inner.queued_commands.borrow_mut());
            waiting.into_iter().for_each(|order| heard.emit(order));
        }
    }

    /// Reports an event of the figure.
    pub(crate) fn emit(&self, event: EmbedEvent, detail: impl Into<JsValue>) {
        (self.inner.on_event)(event, detail.into());
    }

    /// Sets the function that returns the results as JSON.
    pub(crate) fn set_result_fn(&self, json: impl Fn() -> Option<String> + 'static) {
        *self.inner.json.borrow_mut() = Some(Box::new(json));
    }

    /// Returns the results as JSON, as the command line writes them; `None` before there are any.
    pub(crate) fn result(&self) -> Option<String> {
        self.inner.json.borrow().as_ref()?()
    }
}
