//! Frame of all dialogs.

use web_sys::{HtmlDialogElement, HtmlInputElement};
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
    html! {
        <dialog ref={node} {onclose} aria-label={props.title.clone()}>
            <div class="dialog__head">
                <h2>{&props.title}</h2>
                <button type="button" onclick={press}>{"Close"}</button>
            </div>
            { props.children.clone() }
        </dialog>
    }
}

/// Renders the search field of a list.
pub(super) fn search(wanted: &UseStateHandle<String>) -> Html {
    let oninput = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| wanted.set(event.target_unchecked_into::<HtmlInputElement>().value()))
    };
    // A keyboard on the screen would cover the dialog.
    let autofocus = !dom::matches_media("(pointer: coarse)");
    html! { <label class="search">{"Search "}<input type="search" value={(**wanted).clone()} {autofocus} {oninput} /></label> }
}

/// Returns whether `text` contains all words of `wanted`, in any case.
pub(super) fn has_all(text: &str, wanted: &str) -> bool {
    let text = text.to_lowercase();
    wanted.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
