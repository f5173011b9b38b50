//! Where the pages to read are that stand beside the page.

use yew::prelude::*;

use crate::web::dom;

/// The way to the lessons, where they are there.
pub(super) fn lessons(label: &'static str, class: &'static str) -> Html {
    way("lessons/index.html", label, class)
}

/// The way to the book, where it is there.
pub(super) fn book(label: &'static str) -> Html {
    way("docs/index.html", label, "")
}

fn way(to: &str, label: &'static str, class: &'static str) -> Html {
    let link = |href| html! { <a {href} {class}>{label}</a> };
    dom::beside(to).map(link).unwrap_or_default()
}
