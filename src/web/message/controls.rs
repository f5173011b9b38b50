//! Controls of single messages.

use yew::prelude::*;

use crate::web::bench::Bench;
use crate::web::form::keys::{group, number};
use crate::web::form::messages::ends;

/// Renders the endpoints and the limit of the path length.
pub(crate) fn message(bench: &Bench) -> Html {
    group(
        "Message",
        html! {
            <>
                { ends(bench) }
                { number(bench, "Limit, × n", "mpl") }
            </>
        },
    )
}
