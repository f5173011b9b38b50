//! Observers of the visibility and the size of an element.

use wasm_bindgen::prelude::*;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, ResizeObserver};
use yew::prelude::*;

/// Calls `seen` when the element becomes visible or invisible, and `resized` when its size changes.
#[hook]
pub(crate) fn use_visibility(node: &NodeRef, seen: Callback<bool>, resized: Callback<()>) {
    let node = node.clone();
    use_effect_with((), move |()| {
        let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            let entry = entries.iter().last().and_then(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok());
            seen.emit(entry.is_none_or(|entry| entry.is_intersecting()));
        });
        let resized = Closure::<dyn FnMut()>::new(move || resized.emit(()));
        let sights = IntersectionObserver::new(seen.as_ref().unchecked_ref()).ok();
        let sizes = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
        if let Some(element) = node.cast::<Element>() {
            if let Some(sights) = &sights {
                sights.observe(&element);
            }
            if let Some(sizes) = &sizes {
                sizes.observe(&element);
            }
        }
        move || {
            if let Some(sights) = sights {
                sights.disconnect();
            }
            if let Some(sizes) = sizes {
                sizes.disconnect();
            }
            drop((seen, resized));
        }
    });
}
