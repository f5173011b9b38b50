//! Arrow keys among the tiles of the gallery, by the rows and columns on the screen.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlElement, KeyboardEvent};

use crate::web::dom;

/// Moves the focus between tiles by arrow keys, Home and End. From other elements of the dialog,
/// Down moves the focus to the first tile. From the first row, Up moves it to the search field.
pub(crate) fn handle_key(event: &KeyboardEvent) {
    let tiles = query_all(".gallery .tile");
    let focused = dom::document().and_then(|document| document.active_element());
    let here = focused.and_then(|focused| tiles.iter().position(|tile| **tile == focused));
    let next = match (event.key().as_str(), here) {
        ("ArrowDown", None) => Some(0),
        ("ArrowDown", Some(here)) => nearest_in_next_row(&tiles, here, 1),
        ("ArrowUp", Some(here)) => match nearest_in_next_row(&tiles, here, -1) {
            None => return focus(event, query_all(".gallery input").first()),
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

/// Returns the nearest tile of the row below (`way` is 1) or above (`way` is -1).
fn nearest_in_next_row(tiles: &[HtmlElement], here: usize, way: i32) -> Option<usize> {
    let here = tiles.get(here)?;
    let mut nearest = None;
    for (number, tile) in tiles.iter().enumerate() {
        let far = ((tile.offset_top() - here.offset_top()) * way, (tile.offset_left() - here.offset_left()).abs());
        if far.0 > 0 && nearest.is_none_or(|(least, _)| far < least) {
            nearest = Some((far, number));
        }
    }
    nearest.map(|(_, number)| number)
}

/// Returns the elements that match a selector.
fn query_all(selector: &str) -> Vec<HtmlElement> {
    let mut elements = Vec::new();
    if let Some(list) = dom::document().and_then(|document| document.query_selector_all(selector).ok()) {
        for number in 0..list.length() {
            elements.extend(list.get(number).and_then(|node| node.dyn_into().ok()));
        }
    }
    elements
}
