//! Words that say what they mean: by pointing, by tapping, by focus.

use wasm_bindgen::JsCast as _;
use web_sys::{Document, Element, Event, HtmlElement, KeyboardEvent};
use yew::prelude::*;

use crate::report::words::terms::{Part, TERMS, Term, parts};
use crate::web::dom::{self, Listener};

/// A sentence whose words of the field say what they mean.
pub(crate) fn worded(text: &str) -> Html {
    worded_once(text, &mut Vec::new())
}

/// The same of one of several sentences: words that have been `told` are left alone.
pub(crate) fn worded_once(text: &str, told: &mut Vec<&'static str>) -> Html {
    marked(text, told, Some("0"))
}

/// The same inside of what is pressed, where nothing else can have the focus.
pub(crate) fn worded_inside(text: &str, told: &mut Vec<&'static str>) -> Html {
    marked(text, told, None)
}

fn marked(text: &str, told: &mut Vec<&'static str>, tabindex: Option<&'static str>) -> Html {
    let part = |part: Part<'_>| match part {
        Part::Plain(text) => html! { {text.to_owned()} },
        Part::Word(text, term) => html! { <dfn {tabindex} data-word={term.name}>{text.to_owned()}</dfn> },
    };
    html! { <>{ for parts(text, told).into_iter().map(part) }</> }
}

/// A term's picture.
pub(crate) fn picture(term: &Term) -> Html {
    let drawn = |inside: &'static str| {
        let svg = format!("<svg class='drawn' viewBox='0 0 120 48' aria-hidden='true'>{inside}</svg>");
        Html::from_html_unchecked(svg.into())
    };
    term.picture.map(drawn).unwrap_or_default()
}

/// What is said of what is pointed at.
#[derive(Clone, PartialEq)]
struct Told {
    /// The lines: of words what they mean, of controls what they are for.
    lines: Vec<String>,
    term: Option<&'static Term>,
    style: String,
}

/// What `data-word` or `data-tip` say of `element` or of what it is in.
fn told(element: &Element) -> Option<Told> {
    let place = element.closest("[data-word],[data-tip]").ok().flatten()?;
    let word = place.get_attribute("data-word");
    let term = word.and_then(|name| TERMS.iter().find(|term| term.name == name));
    let lines = match term {
        Some(term) => vec![term.meaning.to_owned()],
        None => place.get_attribute("data-tip")?.lines().map(str::to_owned).collect(),
    };
    Some(Told { lines, term, style: beside(&place) })
}

/// The widest that a tip is, in pixels, and the room that it wants below.
const SIZE: (f64, f64) = (320.0, 200.0);

/// Where a tip about `place` stands: beside a control where there is room, so that it covers no other; else below, or above.
fn beside(place: &Element) -> String {
    let around = place.get_bounding_client_rect();
    let (width, height) = dom::view_size();
    let right = around.right() + 10.0;
    if place.has_attribute("data-tip") && right + SIZE.0 < width {
        let top = around.top().min(height - SIZE.1).max(8.0);
        return format!("left:{right:.0}px;top:{top:.0}px");
    }
    let left = around.left().min(width - SIZE.0 - 8.0).max(8.0);
    match around.bottom() + SIZE.1 > height && around.top() > height / 2.0 {
        true => format!("left:{left:.0}px;bottom:{:.0}px", height - around.top() + 6.0),
        false => format!("left:{left:.0}px;top:{:.0}px", around.bottom() + 6.0),
    }
}

/// The one tip of the page, about whatever has `data-word` or `data-tip`.
#[component]
pub(crate) fn Tips() -> Html {
    let shown = use_state_eq(|| None::<Told>);
    use_effect_with((), {
        let shown = shown.clone();
        move |()| {
            let hide = {
                let shown = shown.clone();
                move |event: Event| {
                    // Of keys only Escape, which ends the tip before it ends the dialog below.
                    let key = event.dyn_ref::<KeyboardEvent>();
                    if key.is_none_or(|event| event.key() == "Escape") {
                        if key.is_some() && tip().is_some_and(|tip| !tip.has_attribute("hidden")) {
                            event.prevent_default();
                        }
                        shown.set(None);
                    }
                }
            };
            let show = move |event: Event| {
                let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
                shown.set(element.as_ref().and_then(told));
            };
            let listen = |document: Document| {
                let shows =
                    ["pointerover", "focusin"].map(|name| Listener::new(document.clone().into(), name, show.clone()));
                let hides =
                    ["focusout", "keydown"].map(|name| Listener::new(document.clone().into(), name, hide.clone()));
                (shows, hides)
            };
            let listeners = dom::document().map(listen);
            move || drop(listeners)
        }
    });
    use_described(shown.is_some());
    use_effect_with(shown.clone(), |shown| {
        // Above whatever is open now, dialogs among it: shown anew, it is the last that was shown. Fails where nothing changes.
        if let Some(tip) = tip() {
            let _ = tip.hide_popover();
            if shown.is_some() {
                let _ = tip.show_popover();
            }
        }
    });
    html! {
        <div id="told" role="tooltip" popover="manual" hidden={shown.is_none()} style={shown.as_ref().map(|told| told.style.clone())}>
            if let Some(told) = &*shown {
                { told.term.map(picture).unwrap_or_default() }
                { for told.lines.iter().map(|line| html! { <p>{line}</p> }) }
            }
        </div>
    }
}

/// The one tip.
fn tip() -> Option<HtmlElement> {
    dom::document()?.get_element_by_id("told")?.dyn_into().ok()
}

/// While there is a tip, what has the focus is described by it.
#[hook]
fn use_described(shown: bool) {
    use_effect_with(shown, |shown| {
        let focused = dom::document().and_then(|document| document.active_element()).filter(|_| *shown);
        let focused = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok());
        // What is refused says so itself.
        let focused = focused.filter(|element| !element.has_attribute("aria-describedby"));
        if let Some(element) = &focused {
            let _ = element.set_attribute("aria-describedby", "told");
        }
        move || {
            if let Some(element) = focused {
                let _ = element.remove_attribute("aria-describedby");
            }
        }
    });
}
