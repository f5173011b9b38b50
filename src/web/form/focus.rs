//! Focus handling where controls appear and disappear.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, MutationObserver, MutationObserverInit};
use yew::prelude::*;

use crate::web::dom::{self, Listener};

/// Selector of the elements that can have the focus.
const CONTROLS: &str = "a[href],button,input,select,textarea,summary,[tabindex='0']";

/// Focused element, with its ancestors as fallbacks if it is removed.
struct FocusedElement {
    element: Element,
    name: String,
    /// Ancestors, from the inside out.
    around: Vec<Element>,
}

impl FocusedElement {
    fn new(element: Element) -> Self {
        let around = std::iter::successors(element.parent_element(), |inner| inner.parent_element()).collect();
        Self { name: name(&element), element, around }
    }

    /// Returns whether the element has lost the focus because it was removed or disabled.
    fn is_lost(&self) -> bool {
        let now = dom::document().and_then(|document| document.active_element());
        let is_free = now.is_none_or(|now| now.tag_name() == "BODY" || now == self.element);
        is_free && (!self.element.is_connected() || self.element.has_attribute("disabled"))
    }

    /// Returns the element that takes over the focus: the control of the same name in the nearest
    /// remaining ancestor, or the first control there. Without a remaining ancestor, returns the
    /// button that starts the figure.
    fn fallback(&self) -> Option<HtmlElement> {
        let left = self.around.iter().filter(|around| around.is_connected());
        let own = left.take_while(|around| !around.matches("main,.page,body").unwrap_or(true));
        own.filter_map(|around| self.fallback_in(around)).next().or_else(|| {
            let figure = dom::document()?.query_selector(".play,#run").ok()??;
            figure.dyn_into().ok()
        })
    }

    fn fallback_in(&self, around: &Element) -> Option<HtmlElement> {
        let all = around.query_selector_all(CONTROLS).ok()?;
        let controls = || (0..all.length()).filter_map(|at| all.get(at)?.dyn_into::<HtmlElement>().ok());
        let takes = |one: &HtmlElement| !one.has_attribute("disabled") && one.offset_height() > 0;
        let same = |one: &HtmlElement| one.tag_name() == self.element.tag_name() && name(one) == self.name;
        controls().find(|one| takes(one) && same(one)).or_else(|| controls().find(takes))
    }
}

/// Returns the id and the accessible name of a control.
fn name(control: &Element) -> String {
    let label = || control.closest("label").ok().flatten().and_then(|label| label.text_content());
    let said = control.get_attribute("aria-label").or_else(label);
    [control.id(), said.or_else(|| control.text_content()).unwrap_or_default()].concat()
}

/// Moves the focus to a nearby control if the focused control is removed or disabled. Otherwise the
/// browser would move it to the body, and keyboard users would start over.
#[hook]
pub(crate) fn use_focus_fallback() {
    use_effect_with((), |()| {
        let held = Rc::new(RefCell::new(None::<FocusedElement>));
        let hear = |name, hear: fn(Element) -> Option<FocusedElement>| {
            let held = Rc::clone(&held);
            let target = dom::document()?;
            Some(Listener::new(target.into(), name, move |event: web_sys::Event| {
                let element = event.target().and_then(|target| target.dyn_into().ok());
                *held.borrow_mut() = element.and_then(hear);
            }))
        };
        // A press elsewhere means that the user has left the control.
        let listeners = [hear("focusin", |element| Some(FocusedElement::new(element))), hear("pointerdown", |_| None)];
        let changed = Closure::<dyn FnMut()>::new({
            let held = Rc::clone(&held);
            move || {
                let fallback = held.borrow().as_ref().filter(|held| held.is_lost()).map(FocusedElement::fallback);
                if let Some(fallback) = fallback.flatten() {
                    // Fails only for elements that no longer exist.
                    let _ = fallback.focus();
                }
            }
        });
        let observer = MutationObserver::new(changed.as_ref().unchecked_ref()).ok();
        let what = MutationObserverInit::new();
        what.set_child_list(true);
        what.set_subtree(true);
        what.set_attribute_filter(&js_sys::Array::of1(&"disabled".into()));
        if let (Some(observer), Some(body)) = (&observer, dom::document().and_then(|document| document.body())) {
            // Fails only for targets that cannot be observed.
            let _ = observer.observe_with_options(&body, &what);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop((listeners, changed));
        }
    });
}
