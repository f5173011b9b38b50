//! Controls of circuits under load.

use yew::prelude::*;

use crate::web::bench::AppContext;
use crate::web::form::keys::{collapsed, fieldset, number_field, select_field};
use crate::web::form::messages::{destinations, followed_pair};

/// Renders the followed pair and the traffic.
pub(crate) fn circuits(bench: &AppContext) -> Html {
    html! { <>{ followed_pair(bench) }{ traffic(bench) }</> }
}

fn traffic(bench: &AppContext) -> Html {
    let avail = [
        ("lowest", "lowest first"),
        ("random", "at random"),
        ("highest", "highest first"),
        ("lowest-free", "lowest free"),
        ("lowest-only", "wait for lowest"),
    ];
    let wait = [("first", "first released"), ("shortest", "shortest queue")];
    let rare = html! { <>{ select_field(bench, "Of free links", "avail", &avail) }{ select_field(bench, "Wait for", "wait", &wait) }</> };
    fieldset(
        "Traffic",
        html! {
            <>
                { number_field(bench, "Rate", "rate") }
                { destinations(bench) }
                { collapsed(bench, "Choosing and waiting", &["avail", "wait"], rare) }
            </>
        },
    )
}
