//! Controls of circuits under load.

use yew::prelude::*;

use crate::web::app_context::AppContext;
use crate::web::form::keys::{collapsed, fieldset, number_field, select_field};
use crate::web::form::messages::{destinations, followed_pair};

/// Renders the followed pair and the traffic.
pub(crate) fn circuits(context: &AppContext) -> Html {
    html! { <>{ followed_pair(context) }{ traffic(context) }</> }
}

fn traffic(context: &AppContext) -> Html {
    let avail = [
        ("lowest", "lowest first"),
        ("random", "at random"),
        ("highest", "highest first"),
        ("lowest-free", "lowest free"),
        ("lowest-only", "wait for lowest"),
    ];
    let wait = [("first", "first released"), ("shortest", "shortest queue")];
    let rare = html! { <>{ select_field(context, "Link selection", "avail", &avail) }{ select_field(context, "Wait for", "wait", &wait) }</> };
    fieldset(
        "Traffic",
        html! {
            <>
                { number_field(context, "Rate", "rate") }
                { destinations(context) }
                { collapsed(context, "Selection and waiting", &["avail", "wait"], rare) }
            </>
        },
    )
}
