//! Controls of single messages.

use yew::prelude::*;

use crate::web::app_context::AppContext;
use crate::web::form::keys::{fieldset, number_field};
use crate::web::form::messages::endpoints;

/// Renders the endpoints and the limit of the path length.
pub(crate) fn message(context: &AppContext) -> Html {
    fieldset(
        "Message",
        html! {
            <>
                { endpoints(context) }
                { number_field(context, "Path limit, × n", "mpl") }
            </>
        },
    )
}
