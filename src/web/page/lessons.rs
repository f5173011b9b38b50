//! Where the lessons are.

use yew::prelude::*;

use crate::web::dom;

/// The way to the lessons, where they stand beside the page.
pub(super) fn lessons(label: &'static str, class: &'static str) -> Html {
    let link = |href| html! { <a {href} {class}>{label}</a> };
    dom::beside("lessons/index.html").map(link).unwrap_or_default()
}
