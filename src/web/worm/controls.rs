//! Controls of worms under load.

use yew::prelude::*;

use crate::experiment::Tab;
use crate::fault::block::RegionForm;
use crate::switching::FlowControl;
use crate::web::app_context::AppContext;
use crate::web::form::keys::{collapsed, fieldset, number_field, select_field, text_field};
use crate::web::form::messages::{destinations, followed_pair};

/// Renders the traffic controls; in the Check view, also the endpoints of the followed pair.
pub(crate) fn worms(context: &AppContext) -> Html {
    html! {
        <>
            if context.experiment.view.tab == Tab::Check { { followed_pair(context) } }
            { traffic(context) }
        </>
    }
}

/// Keys of the settings that are rarely changed.
const RARE: &[&str] = &[
    "vc",
    "buffer",
    "flow",
    "inject",
    "policy",
    "arbitrate",
    "warmup",
    "regions",
    "component",
    "onset",
    "later",
    "messages",
];

fn traffic(context: &AppContext) -> Html {
    let policy = [("discard", "discarded"), ("queue", "queued")];
    let arbitrate = [("round-robin", "round robin"), ("oldest", "oldest first"), ("random", "at random")];
    let flow = FlowControl::ALL.map(|flow| (flow.id(), flow.name()));
    let regions = [("blocks", "rectangles"), ("solid", "without gaps"), ("any", "any shape")];
    let rare = html! {
        <>
            { number_field(context, "Virtual channels", "vc") }
            { number_field(context, "Buffer, flits", "buffer") }
            { select_field(context, "Flow control", "flow", &flow) }
            { number_field(context, "Injection limit", "inject") }
            { select_field(context, "Excess messages", "policy", &policy) }
            { select_field(context, "Arbitration", "arbitrate", &arbitrate) }
            { number_field(context, "Warm-up, cycles", "warmup") }
            { number_field(context, "Component, by size", "component") }
            { text_field(context, "Messages, listed", "messages") }
            if let Some(mesh) = context.experiment.network.mesh() {
                if RegionForm::Any.fits(mesh) { { select_field(context, "Fault regions", "regions", &regions) } }
                { number_field(context, "Faults arrive in cycle", "onset") }
                { text_field(context, "Break later", "later") }
            }
        </>
    };
    fieldset(
        "Traffic",
        html! {
            <>
                { number_field(context, "Load", "load") }
                { destinations(context) }
                { number_field(context, "Length, flits", "length") }
                { collapsed(context, "Channels and queues", RARE, rare) }
            </>
        },
    )
}
