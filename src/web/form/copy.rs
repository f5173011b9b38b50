//! Button that copies a text and reports the outcome.

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::web::dom;

/// Text that was copied last, and whether the browser allowed it.
pub(crate) type CopyState = UseStateHandle<Option<(String, bool)>>;

/// Renders a button that copies `text` and shows the outcome until the text changes. A component
/// would add 2 kB to the program.
pub(crate) fn copy_button(text: String, copied: &CopyState) -> Html {
    let said = match &**copied {
        Some((last, true)) if *last == text => "Copied",
        Some((last, false)) if *last == text => "The browser does not allow copying",
        _ => "",
    };
    let onclick = {
        let copied = copied.clone();
        Callback::from(move |_: MouseEvent| {
            let (copied, text) = (copied.clone(), text.clone());
            spawn_local(async move {
                let is_allowed = dom::copy_to_clipboard(&text).await;
                copied.set(Some((text, is_allowed)));
            });
        })
    };
    html! {
        <>
            <button type="button" class="copy" title="Copy the text" {onclick}>{"Copy"}</button>
            <span class="copied" role="status">{said}</span>
        </>
    }
}
