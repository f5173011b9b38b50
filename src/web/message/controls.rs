//! What is set of single messages.

use yew::prelude::*;

use crate::web::bench::Bench;
use crate::web::form::keys::{group, number};
use crate::web::form::messages::ends;

/// The ends, and how far a message may go.
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
