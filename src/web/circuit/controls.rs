//! Controls of circuits under load.

use yew::prelude::*;

use crate::web::app_context::AppContext;
use crate::web::form::field::ChoiceField;
use crate::web::form::keys::{
    collapsed, fieldset, hint, number_field, options, select_field, setter, text_field, value,
};
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
    if context.experiment.mesh().is_some() {
        // A probe that searches tries other links where the lowest is reserved.
        return mesh_traffic(context, &avail[..4]);
    }
    let wait = [("first", "first released"), ("shortest", "shortest queue")];
    let rare = html! {
        <>
            { select_field(context, "Link selection", "avail", &avail) }
            { select_field(context, "Wait for", "wait", &wait) }
            { arriving_faults(context) }
        </>
    };
    fieldset(
        "Traffic",
        html! {
            <>
                { number_field(context, "Rate", "rate") }
                { destinations(context) }
                { setup(context) }
                { collapsed(context, "Selection, waiting, time of faults", &["avail", "wait", "onset", "later"], rare) }
            </>
        },
    )
}

/// Renders the traffic of a mesh or torus.
fn mesh_traffic(context: &AppContext, avail: &[(&'static str, &'static str)]) -> Html {
    let rare = html! { <>{ select_field(context, "Link selection", "avail", avail) }{ arriving_faults(context) }</> };
    fieldset(
        "Traffic",
        html! {
            <>
                { number_field(context, "Rate", "rate") }
                { number_field(context, "Time of a hop", "hop") }
                { destinations(context) }
                { setup(context) }
                { collapsed(context, "Selection, time of faults", &["avail", "onset", "later"], rare) }
            </>
        },
    )
}

/// Renders the times at which faults arrive.
fn arriving_faults(context: &AppContext) -> Html {
    html! { <>{ number_field(context, "Faults arrive at", "onset") }{ text_field(context, "Break later", "later") }</> }
}

/// Renders the choice between reserve and hold, and backtrack and retry with some usual times.
fn setup(context: &AppContext) -> Html {
    let usual = [
        ("hold", "hold and wait"),
        ("retry:0.25", "retry after 0.25 transmission times"),
        ("retry:1", "retry after 1 transmission time"),
        ("retry:4", "retry after 4 transmission times"),
    ];
    let (current, mut offered) = (value(context, "setup"), options(&usual));
    if usual.iter().all(|(id, _)| *id != current) {
        offered.push((current.clone().into(), current.clone().into()));
    }
    html! { <ChoiceField label="If links are held" options={offered} value={current} commit={setter(context, "setup")} hint={hint(context, "setup")} /> }
}
