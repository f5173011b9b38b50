//! Figure in a frame, which receives commands from the embedding page as messages, and reports its
//! preferred height.
//!
//! A command is an object with `faultlab: 1` and a `do`: `show` with `text`, `change` with `key`
//! and `value`, `play`, `pause`, `seek` with `time`. Messages from other windows, from other
//! origins than `ui.host` names, or of other shapes are ignored. Events are objects with `faultlab:
//! 1`, an `event` and its `detail`.

use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Element, MessageEvent, Url};

use super::app::{FigureApp, Props};
use super::embed_bridge::{EmbedBridge, EmbedCommand, EmbedEvent};
use crate::experiment::figure_options::FigureOptions;
use crate::web::dom::{self, Listener};

/// Maximum length of a text in a message, in UTF-16 units.
const MAX_TEXT_UNITS: u32 = 200_000;

/// Opens the figure that `text` describes in `root`.
pub(super) fn open(root: Element, text: &str) {
    let host = FigureOptions::from_text(text).0.host.as_deref().map(origin);
    let told_to = host.clone();
    let bridge = EmbedBridge::new(0, text, {
        let (host, root) = (host.clone(), root.clone());
        move |event, detail| {
            post_event(host.as_deref(), event, &detail);
            if event == EmbedEvent::Change {
                report_height(host.clone(), root.clone());
            }
        }
    });
    yew::Renderer::<FigureApp>::with_root_and_props(root.clone(), Props { bridge: bridge.clone() }).render();
    let Some(window) = dom::window() else { return };
    let heard = {
        let bridge = bridge.clone();
        move |event: web_sys::Event| {
            let order =
                event.dyn_ref::<MessageEvent>().filter(|event| is_host(event, host.as_deref())).and_then(parse_command);
            if let Some(order) = order {
                bridge.send(order);
            }
        }
    };
    // The listeners exist as long as the page.
    std::mem::forget(Listener::new(window.clone().into(), "message", heard));
    let changed = {
        let bridge = bridge.clone();
        move |_: web_sys::Event| {
            let text = dom::address_text();
            if FigureOptions::from_text(&text).0.is_figure {
                bridge.send(EmbedCommand::Show(text));
            }
        }
    };
    std::mem::forget(Listener::new(window.into(), "hashchange", changed));
    report_height(told_to, root);
}

/// Time until a change is fully drawn, in milliseconds.
const DRAW_DELAY: u32 = 300;

/// Selector of the parts that scroll if the figure is higher than its frame.
const SCROLLING_PARTS: &str = ".figure__body, .stage, .explanation";

/// Reports the height at which nothing in the figure scrolls, once everything is drawn.
fn report_height(host: Option<String>, root: Element) {
    let tell = move || {
        let mut height = root.client_height();
        if let Ok(parts) = root.query_selector_all(SCROLLING_PARTS) {
            let parts = (0..parts.length()).filter_map(|number| parts.item(number)?.dyn_into::<Element>().ok());
            let hidden = parts.map(|part| part.scroll_height() - part.client_height());
            height += hidden.max().unwrap_or(0).max(0);
        }
        post_event(host.as_deref(), EmbedEvent::Height, &f64::from(height).into());
    };
    gloo_timers::callback::Timeout::new(DRAW_DELAY, tell).forget();
}

/// Returns the origin of the URL `text` as browsers write it; an empty text if the URL has no
/// origin, such as the URL of a file.
fn origin(text: &str) -> String {
    let origin = Url::new(text).map(|url| url.origin());
    origin.ok().filter(|origin| origin != "null").unwrap_or_default()
}

/// Returns whether a message is from the embedding page, and that page has the expected origin.
fn is_host(event: &MessageEvent, host: Option<&str>) -> bool {
    let parent = dom::window().and_then(|window| window.parent().ok().flatten());
    let from_parent = match (event.source(), parent) {
        (Some(source), Some(parent)) => Object::is(source.as_ref(), parent.as_ref()),
        _ => false,
    };
    from_parent && host.is_none_or(|host| !host.is_empty() && event.origin() == host)
}

/// Parses a message as a command.
fn parse_command(event: &MessageEvent) -> Option<EmbedCommand> {
    let message = event.data();
    let get = |name: &str| Reflect::get(&message, &name.into()).ok();
    let text = |name: &str| {
        let text = get(name)?.dyn_into::<js_sys::JsString>().ok().filter(|text| text.length() <= MAX_TEXT_UNITS)?;
        text.as_string()
    };
    if !message.is_object() || get("faultlab")?.as_f64() != Some(1.0) {
        return None;
    }
    match &*text("do")? {
        "show" => Some(EmbedCommand::Show(text("text")?)),
        "change" => Some(EmbedCommand::Change(text("key")?, text("value")?)),
        "play" => Some(EmbedCommand::Play(true)),
        "pause" => Some(EmbedCommand::Play(false)),
        "seek" => get("time")?.as_f64().filter(|time| time.is_finite() && *time >= 0.0).map(EmbedCommand::Seek),
        _ => None,
    }
}

/// Posts an event to the embedding page.
fn post_event(host: Option<&str>, event: EmbedEvent, detail: &JsValue) {
    let Some(parent) = dom::window().and_then(|window| window.parent().ok().flatten()) else { return };
    let message = Object::new();
    for (name, value) in [("faultlab", &1.0.into()), ("event", &event.name().into()), ("detail", detail)] {
        // Fails only for values that are not objects.
        let _ = Reflect::set(&message, &name.into(), value);
    }
    // The events contain nothing that the embedding page cannot read from the link.
    let _ = parent.post_message(&message, host.unwrap_or("*"));
}
