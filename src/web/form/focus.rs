//! The focus, where buttons come and go under it.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::web::dom;

/// Keeps the focus inside of `place`: a button that vanishes when it is pressed leaves it to the first one there.
#[hook]
pub(crate) fn use_kept_focus(place: &NodeRef) {
    // What is rendered now is not yet in the document: the button that has the focus still is.
    let held = place.cast::<Element>().is_some_and(|place| place.contains(focused().as_deref()));
    let place = place.clone();
    use_effect(move || {
        let lost = focused().is_none_or(|element| element.tag_name() == "BODY");
        let first = || place.cast::<Element>()?.query_selector("button").ok()??.dyn_into::<HtmlElement>().ok();
        if held
            && lost
            && let Some(button) = first()
        {
            // Fails only for elements that are gone.
            let _ = button.focus();
        }
    });
}

fn focused() -> Option<Element> {
    dom::document()?.active_element()
}
