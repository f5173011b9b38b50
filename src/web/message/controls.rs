//! Controls of single messages.

use yew::prelude::*;

use crate::web::bench::AppContext;
use crate::web::form::keys::{fieldset, number_field};
use crate::web::form::messages::endpoints;

/// Renders the endpoints and the limit of the path length.
pub(crate) fn message(bench: &AppContext) -> Html {
    fieldset(
        "Message",
        html! {
            <>
                { endpoints(bench) }
                { number_field(bench, "Limit, × n", "mpl") }
            </>
        },
    )
}
