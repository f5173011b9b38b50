//! Frame of all dialogs.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlDialogElement, HtmlElement, HtmlInputElement};
use yew::prelude::*;

use crate::web::app_context::AppContext;
use crate::web::dom;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
    pub(crate) close: Callback<()>,
}

#[derive(Properties, PartialEq)]
pub(super) struct FrameProps {
    pub(super) title: AttrValue,
    pub(super) close: Callback<()>,
    pub(super) children: Html,
}

/// Renders a modal dialog: Esc closes it, and the focus returns to where it was.
#[component]
pub(super) fn Frame(props: &FrameProps) -> Html {
    let node = use_node_ref();
    use_effect_with((), {
        let node = node.clone();
        move |()| {
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                // Fails only if the dialog is already open.
                let _ = dialog.show_modal();
                focus_search(&dialog);
            }
        }
    });
    let onclose = props.close.reform(|_: Event| ());
    let press = {
        let node = node.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    let onkeydown = {
        let node = node.clone();
        Callback::from(move |event: KeyboardEvent| {
            if let (true, Some(dialog)) = (is_escape_in_empty_search(&event), node.cast::<HtmlDialogElement>()) {
                dialog.close();
            }
        })
    };
    html! {
        <dialog ref={node} {onclose} {onkeydown} aria-label={props.title.clone()}>
            <div class="dialog__head">
                <h2>{&props.title}</h2>
                <button type="button" onclick={press}>{"Close"}</button>
            </div>
            { props.children.clone() }
        </dialog>
    }
}

/// Returns whether a key is Escape in a search field without text. WebKit takes this key for itself: it
/// clears the field, and the dialog stays open.
fn is_escape_in_empty_search(event: &KeyboardEvent) -> bool {
    let field = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    event.key() == "Escape" && field.is_some_and(|field| field.type_() == "search" && field.value().is_empty())
}

/// Moves the focus to the search field of a dialog, if it has one. On touch screens the focus stays:
/// the keyboard on the screen would cover the dialog.
fn focus_search(dialog: &HtmlDialogElement) {
    if dom::matches_media("(pointer: coarse)") {
        return;
    }
    let field = dialog.query_selector("input[type=search]").ok().flatten();
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlElement>().ok()) {
        // Fails only in browsers without focus.
        let _ = field.focus();
    }
}

/// Renders the search field of a list.
pub(super) fn search(wanted: &UseStateHandle<String>) -> Html {
    let oninput = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| wanted.set(event.target_unchecked_into::<HtmlInputElement>().value()))
    };
    html! { <label class="search">{"Search "}<input type="search" value={(**wanted).clone()} {oninput} /></label> }
}

/// Returns whether `text` contains all words of `wanted`, in any case.
pub(super) fn has_all(text: &str, wanted: &str) -> bool {
    let text = text.to_lowercase();
    wanted.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
