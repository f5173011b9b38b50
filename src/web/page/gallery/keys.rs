//! Arrow keys among the tiles of the gallery, over rows and columns as they stand on the screen.

use wasm_bindgen::JsCast as _;
use web_sys::{Event, HtmlElement, KeyboardEvent};
use yew::prelude::*;

use crate::web::dom::{self, Listener};

/// Has arrow keys, Home and End go from tile to tile; from elsewhere in the dialog, down goes to the first.
#[hook]
pub(super) fn use_arrows() {
    use_effect_with((), |()| {
        let pressed = |event: Event| {
            let Ok(event) = event.dyn_into::<KeyboardEvent>() else { return };
            if !(event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key()) {
                go(&event);
            }
        };
        let keys = dom::document().map(|document| Listener::new(document.into(), "keydown", pressed));
        move || drop(keys)
    });
}

/// Gives the focus to the tile that a key leads to; above the first row, to the search.
fn go(event: &KeyboardEvent) {
    let tiles = all(".gallery .tile");
    let focused = dom::document().and_then(|document| document.active_element());
    let here = focused.and_then(|focused| tiles.iter().position(|tile| **tile == focused));
    let places: Vec<_> = tiles.iter().map(|tile| (tile.offset_left(), tile.offset_top())).collect();
    let next = match (event.key().as_str(), here) {
        ("ArrowDown", None) => Some(0),
        ("ArrowDown", Some(here)) => beyond(&places, here, 1),
        ("ArrowUp", Some(here)) => match beyond(&places, here, -1) {
            None => return focus(event, all(".gallery input").first()),
            above => above,
        },
        ("ArrowRight", Some(here)) => Some(here + 1),
        ("ArrowLeft", Some(here)) => here.checked_sub(1),
        ("Home", Some(_)) => Some(0),
        ("End", Some(_)) => tiles.len().checked_sub(1),
        _ => return,
    };
    focus(event, next.and_then(|next| tiles.get(next)));
}

fn focus(event: &KeyboardEvent, element: Option<&HtmlElement>) {
    if let Some(element) = element {
        event.prevent_default();
        // Fails only for elements that cannot have the focus.
        let _ = element.focus();
    }
}

/// The nearest of the places in the next row, 1 down or -1 up.
fn beyond(places: &[(i32, i32)], here: usize, way: i32) -> Option<usize> {
    let (left, top) = *places.get(here)?;
    let far = |place: usize| ((places[place].1 - top) * way, (places[place].0 - left).abs());
    (0..places.len()).filter(|&place| far(place).0 > 0).min_by_key(|&place| far(place))
}

/// The elements that a selector means.
fn all(selector: &str) -> Vec<HtmlElement> {
    let found = dom::document().and_then(|document| document.query_selector_all(selector).ok());
    let found = found.into_iter().flat_map(|list| (0..list.length()).filter_map(move |number| list.get(number)));
    found.filter_map(|node| node.dyn_into().ok()).collect()
}
