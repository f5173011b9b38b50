//! Controls of circuits under load.

use yew::prelude::*;

use crate::web::bench::Bench;
use crate::web::form::keys::{choice, folded, group, number};
use crate::web::form::messages::{destinations, pair};

/// Renders the followed pair and the traffic.
pub(crate) fn circuits(bench: &Bench) -> Html {
    html! { <>{ pair(bench) }{ traffic(bench) }</> }
}

fn traffic(bench: &Bench) -> Html {
    let avail = [
        ("lowest", "lowest first"),
        ("random", "at random"),
        ("highest", "highest first"),
        ("lowest-free", "lowest free"),
        ("lowest-only", "wait for lowest"),
    ];
    let wait = [("first", "first released"), ("shortest", "shortest queue")];
    let rare =
        html! { <>{ choice(bench, "Of free links", "avail", &avail) }{ choice(bench, "Wait for", "wait", &wait) }</> };
    group(
        "Traffic",
        html! {
            <>
                { number(bench, "Rate", "rate") }
                { destinations(bench) }
                { folded(bench, "Choosing and waiting", &["avail", "wait"], rare) }
            </>
        },
    )
}
