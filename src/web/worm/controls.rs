//! Controls of worms under load.

use yew::prelude::*;

use crate::experiment::Tab;
use crate::web::bench::AppContext;
use crate::web::form::keys::{collapsed, fieldset, number_field, select_field};
use crate::web::form::messages::{destinations, followed_pair};

/// Renders the traffic controls; in the Check view, also the endpoints of the followed pair.
pub(crate) fn worms(bench: &AppContext) -> Html {
    html! {
        <>
            if bench.experiment.view.tab == Tab::Check { { followed_pair(bench) } }
            { traffic(bench) }
        </>
    }
}

fn traffic(bench: &AppContext) -> Html {
    let policy = [("discard", "discarded"), ("queue", "kept in a queue")];
    let arbitrate = [("round-robin", "round robin"), ("oldest", "oldest first"), ("random", "at random")];
    let rare = html! {
        <>
            { number_field(bench, "Virtual ch.", "vc") }
            { number_field(bench, "Buffer, flits", "buffer") }
            { number_field(bench, "Per source", "inject") }
            { select_field(bench, "Others are", "policy", &policy) }
            { select_field(bench, "Served", "arbitrate", &arbitrate) }
            { number_field(bench, "Warm-up, cycles", "warmup") }
        </>
    };
    fieldset(
        "Traffic",
        html! {
            <>
                { number_field(bench, "Load", "load") }
                { destinations(bench) }
                { number_field(bench, "Length, flits", "length") }
                { collapsed(bench, "Channels and queues", &["vc", "buffer", "inject", "policy", "arbitrate", "warmup"], rare) }
            </>
        },
    )
}
