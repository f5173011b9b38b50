//! Glossary terms and tooltips: shown on hover, tap and focus.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Document, DomRect, Element, Event, HtmlElement, KeyboardEvent};
use yew::prelude::*;

use crate::report::picture::geometry::{Point, Size};
use crate::report::wording::glossary::{GlossarySpan, GlossaryTerm, TERMS, parts};
use crate::web::dom::{self, Listener};

/// Renders a sentence whose glossary terms have tooltips.
pub(crate) fn with_glossary(text: &str) -> Html {
    with_glossary_once(text, &mut Vec::new())
}

/// Renders one of several sentences like [`with_glossary`]; terms in `told` are not marked again.
pub(crate) fn with_glossary_once(text: &str, told: &mut Vec<&'static str>) -> Html {
    mark_terms(text, told, Some("0"))
}

/// Renders a sentence inside a button, where terms cannot have the focus.
pub(crate) fn with_glossary_in_button(text: &str, told: &mut Vec<&'static str>) -> Html {
    mark_terms(text, told, None)
}

/// Renders one of many sentences of which only the first term is a tab stop, if `is_first`. Arrow
/// keys reach the others, see [`move_term_focus`].
pub(crate) fn with_glossary_tab_stop(text: &str, told: &mut Vec<&'static str>, is_first: bool) -> Html {
    let is_first = is_first && told.is_empty();
    mark_terms(text, told, Some(if is_first { "0" } else { "-1" }))
}

fn mark_terms(text: &str, told: &mut Vec<&'static str>, stop: Option<&'static str>) -> Html {
    let mut tabindex = stop;
    let part = |part: GlossarySpan<'_>| match part {
        GlossarySpan::Plain(text) => html! { {text.to_owned()} },
        GlossarySpan::Word(text, term) => {
            let tabindex = std::mem::replace(&mut tabindex, stop.and(Some("-1")));
            html! { <dfn {tabindex} data-word={term.name}>{text.to_owned()}</dfn> }
        }
    };
    html! { <>{ for parts(text, told).into_iter().map(part) }</> }
}

/// Moves the focus from a term or a named node to the next or previous one of its section. The Tab
/// key reaches only the first one.
pub(crate) fn move_term_focus(event: &KeyboardEvent) {
    const WORDS: &str = "dfn[tabindex],span[data-at][tabindex]";
    let by = match &*event.key() {
        "ArrowRight" | "ArrowDown" => 1,
        "ArrowLeft" | "ArrowUp" => u32::MAX,
        _ => return,
    };
    let here = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let Some(here) = here.filter(|here| here.matches(WORDS).unwrap_or(false)) else { return };
    let all = here.closest("section,dialog").ok().flatten().and_then(|part| part.query_selector_all(WORDS).ok());
    let Some(all) = all else { return };
    let word = |at: u32| all.get(at)?.dyn_into::<HtmlElement>().ok();
    let place = (0..all.length()).find(|&at| word(at).is_some_and(|word| *word == here));
    if let Some(next) = place.and_then(|place| word(place.wrapping_add(by))) {
        event.prevent_default();
        // Fails only for elements that no longer exist.
        let _ = next.focus();
    }
}

/// Renders the picture of a term.
pub(crate) fn picture(term: &GlossaryTerm) -> Html {
    let drawn = |inside: &'static str| {
        let svg = format!("<svg class='term-picture' viewBox='0 0 120 48' aria-hidden='true'>{inside}</svg>");
        Html::from_html_unchecked(svg.into())
    };
    term.picture.map(drawn).unwrap_or_default()
}

/// Content of a tooltip.
#[derive(Clone, PartialEq)]
struct Tooltip {
    /// Lines of text: the meaning of a term, or the help on a control.
    lines: Vec<String>,
    term: Option<&'static GlossaryTerm>,
    /// Element that the tooltip describes.
    place: Element,
}

/// Returns the target of an event, or its nearest ancestor with a tooltip.
fn tooltip_target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest("[data-word],[data-tip]").ok().flatten()
}

/// Returns the tooltip of `place` from its `data-word` or `data-tip`, if there is one.
fn tooltip_for(place: Element) -> Option<Tooltip> {
    let word = place.get_attribute("data-word");
    let term = word.and_then(|name| TERMS.iter().find(|term| term.name == name));
    let lines: Vec<_> = match term {
        Some(term) => vec![term.meaning.to_owned()],
        None => place.get_attribute("data-tip")?.lines().map(str::to_owned).collect(),
    };
    (!lines.is_empty()).then_some(Tooltip { lines, term, place })
}

/// Maximum width of a tooltip, in pixels, unless its control is wider.
const WIDTH: f64 = 360.0;
/// Distance of a tooltip from its element, in pixels.
const APART: f64 = 6.0;

/// Positions a tooltip above its element, otherwise below or beside it. It stays within the column
/// of a control and covers no picture and no playback controls, if possible. The tooltip of a row of a
/// list is beside the list, because it would cover the rows that the user may choose next.
fn position_tooltip(tip: &HtmlElement, place: &Element) {
    let set = |name: &str, value: f64| {
        // Fails only for properties that do not exist.
        let _ = tip.style().set_property(name, &format!("{value:.0}px"));
    };
    let (around, Size { width, height }) = (place.get_bounding_client_rect(), dom::view_size());
    set("max-width", if place.has_attribute("data-tip") { around.width().max(220.0) } else { WIDTH.min(width - 16.0) });
    let (wide, high) = (f64::from(tip.offset_width()), f64::from(tip.offset_height()));
    let left = around.left().min(width - wide - 8.0).max(8.0);
    let beside = Point::new(around.right() + APART, around.top().min(height - high));
    let spots = [Point::new(left, around.top() - APART - high), Point::new(left, around.bottom() + APART), beside];
    let pictures = dom::document().and_then(|document| document.query_selector_all("canvas,.transport").ok());
    let pictures: Vec<_> = (0..pictures.as_ref().map_or(0, |all| all.length()))
        .filter_map(|at| Some(pictures.as_ref()?.get(at)?.dyn_ref::<Element>()?.get_bounding_client_rect()))
        .collect();
    let is_seen = |spot: Point| spot.y >= 0.0 && spot.y + high <= height && spot.x + wide <= width;
    let is_free = |spot: Point| {
        let Point { x: left, y: top } = spot;
        let covers =
            |it: &DomRect| it.left() < left + wide && left < it.right() && it.top() < top + high && top < it.bottom();
        is_seen(spot) && !pictures.iter().any(covers)
    };
    let find = |fits: &dyn Fn(Point) -> bool| spots.into_iter().find(|spot| fits(*spot));
    let is_row = place.matches("label.check").unwrap_or(false);
    let spot = Some(beside).filter(|beside| is_row && is_seen(*beside));
    let spot = spot.or_else(|| find(&is_free)).or_else(|| find(&is_seen)).unwrap_or(spots[1]);
    set("left", spot.x);
    set("top", spot.y);
}

/// Recent pointer and keyboard input.
#[derive(Default)]
struct InputState {
    /// True if the pointer was used last, not a key.
    pointer: bool,
    /// Control that was used last. Hovering over it shows no tooltip until another element has been
    /// hovered.
    used: Option<Element>,
}

impl InputState {
    /// Returns the tooltip after an event; the outer `None` means no change.
    fn tooltip_after(&mut self, event: &Event) -> Option<Option<Tooltip>> {
        let (name, place) = (event.type_(), tooltip_target(event));
        let is_word = place.as_ref().is_some_and(|place| place.has_attribute("data-word"));
        match &*name {
            "pointerover" if place.is_some() && place == self.used => return None,
            "pointerover" => self.used = None,
            // A press dismisses the tooltip, except on glossary terms, which touch users can only
            // open by tapping.
            "focusin" if self.pointer && !is_word => return None,
            "focusin" => {}
            "pointerdown" => {
                self.pointer = true;
                if is_word {
                    return None;
                }
                self.used = place;
                return Some(None);
            }
            "keydown" => {
                (self.pointer, self.used) = (false, place);
                return Some(None);
            }
            _ => return Some(None),
        }
        Some(place.and_then(tooltip_for))
    }
}

/// Renders the tooltip of the page, for all elements with `data-word` or `data-tip`. The next key
/// or press dismisses it.
#[component]
pub(crate) fn Tooltips() -> Html {
    let shown = use_state_eq(|| None::<Tooltip>);
    use_effect_with((), {
        let shown = shown.clone();
        move |()| {
            let input = RefCell::new(InputState::default());
            let hear = Rc::new(move |event: Event| {
                // Escape closes the tooltip before the dialog below it.
                let is_escape = event.dyn_ref::<KeyboardEvent>().is_some_and(|event| event.key() == "Escape");
                if is_escape && tip().is_some_and(|tip| !tip.has_attribute("hidden")) {
                    event.prevent_default();
                }
                if let Some(next) = input.borrow_mut().tooltip_after(&event) {
                    shown.set(next);
                }
            });
            let listen = |document: Document| {
                ["pointerover", "focusin", "focusout", "pointerdown", "keydown"].map(|name| {
                    let hear = Rc::clone(&hear);
                    Listener::new(document.clone().into(), name, move |event| hear(event))
                })
            };
            let listeners = dom::document().map(listen);
            move || drop(listeners)
        }
    });
    use_described(shown.is_some());
    use_effect_with(shown.clone(), |shown| {
        // Hide and show the tooltip to move it above everything else, dialogs included. A call
        // fails if the tooltip already has the requested state.
        if let Some(tip) = tip() {
            let _ = tip.hide_popover();
            if let Some(told) = &**shown {
                let _ = tip.show_popover();
                position_tooltip(&tip, &told.place);
            }
        }
    });
    html! {
        <div id="tooltip" role="tooltip" popover="manual" hidden={shown.is_none()}>
            if let Some(told) = &*shown {
                { told.term.map(picture).unwrap_or_default() }
                { for told.lines.iter().map(|line| html! { <p>{line}</p> }) }
            }
        </div>
    }
}

/// Returns the element of the tooltip.
fn tip() -> Option<HtmlElement> {
    dom::document()?.get_element_by_id("tooltip")?.dyn_into().ok()
}

/// Links the focused element to the tooltip by `aria-describedby` while the tooltip is shown.
#[hook]
fn use_described(shown: bool) {
    use_effect_with(shown, |shown| {
        let focused = dom::document().and_then(|document| document.active_element()).filter(|_| *shown);
        let focused = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok());
        // A refused field is already described by its problem.
        let focused = focused.filter(|element| !element.has_attribute("aria-describedby"));
        if let Some(element) = &focused {
            let _ = element.set_attribute("aria-describedby", "tooltip");
        }
        move || {
            if let Some(element) = focused {
                let _ = element.remove_attribute("aria-describedby");
            }
        }
    });
}
