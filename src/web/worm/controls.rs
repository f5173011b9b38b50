//! Controls of worms under load.

use yew::prelude::*;

use crate::experiment::Tab;
use crate::web::bench::Bench;
use crate::web::form::keys::{choice, folded, group, number};
use crate::web::form::messages::{destinations, pair};

/// Renders the traffic controls; in the Check view, also the endpoints of the followed pair.
pub(crate) fn worms(bench: &Bench) -> Html {
    html! {
        <>
            if bench.experiment.view.tab == Tab::Check { { pair(bench) } }
            { traffic(bench) }
        </>
    }
}

fn traffic(bench: &Bench) -> Html {
    let policy = [("discard", "discarded"), ("queue", "kept in a queue")];
    let arbitrate = [("round-robin", "round robin"), ("oldest", "oldest first"), ("random", "at random")];
    let rare = html! {
        <>
            { number(bench, "Virtual ch.", "vc") }
            { number(bench, "Buffer, flits", "buffer") }
            { number(bench, "Per source", "inject") }
            { choice(bench, "Others are", "policy", &policy) }
            { choice(bench, "Served", "arbitrate", &arbitrate) }
            { number(bench, "Warm-up, cycles", "warmup") }
        </>
    };
    group(
        "Traffic",
        html! {
            <>
                { number(bench, "Load", "load") }
                { destinations(bench) }
                { number(bench, "Length, flits", "length") }
                { folded(bench, "Channels and queues", &["vc", "buffer", "inject", "policy", "arbitrate", "warmup"], rare) }
            </>
        },
    )
}
