//! Links to the lessons and the book, which are published beside the page.

use yew::prelude::*;

use crate::web::dom;

/// Renders the link to the lessons, if they are available.
pub(super) fn lessons(label: &'static str, class: &'static str) -> Html {
    way("lessons/index.html", label, class)
}

/// Renders the link to the book, if it is available.
pub(super) fn book(label: &'static str) -> Html {
    way("docs/index.html", label, "")
}

fn way(to: &str, label: &'static str, class: &'static str) -> Html {
    let link = |href| html! { <a {href} {class}>{label}</a> };
    dom::sibling_url(to).map(link).unwrap_or_default()
}
