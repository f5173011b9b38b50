//! Controls of worms under load.

use yew::prelude::*;

use crate::experiment::Tab;
use crate::fault::block::RegionForm;
use crate::switching::FlowControl;
use crate::web::app_context::AppContext;
use crate::web::form::field::ChoiceField;
use crate::web::form::keys::{
    collapsed, fieldset, hint, number_field, options, select_field, setter, text_field, value,
};
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
    "flit-rate",
    "arrivals",
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
    "energy",
];

fn traffic(context: &AppContext) -> Html {
    let policy = [("discard", "discarded"), ("queue", "queued")];
    let arbitrate = [("round-robin", "round robin"), ("oldest", "oldest first"), ("random", "at random")];
    let flow = FlowControl::ALL.map(|flow| (flow.id(), flow.name()));
    let regions = [("blocks", "rectangles"), ("solid", "without gaps"), ("any", "any shape")];
    let is_wormhole = context.experiment.setting.worm().is_none_or(|setting| setting.flow == FlowControl::Wormhole);
    let rare = html! {
        <>
            { load_unit(context) }
            { arrivals(context) }
            { number_field(context, "Virtual channels", "vc") }
            { number_field(context, if is_wormhole { "Buffer, flits" } else { "Buffer, flits (unused)" }, "buffer") }
            { select_field(context, "Flow control", "flow", &flow) }
            { number_field(context, "Injection limit", "inject") }
            { select_field(context, "Excess messages", "policy", &policy) }
            { select_field(context, "Arbitration", "arbitrate", &arbitrate) }
            { number_field(context, "Warm-up, cycles", "warmup") }
            { number_field(context, "Component, by size", "component") }
            { text_field(context, "Messages, listed", "messages") }
            { text_field(context, "Energy of a flit", "energy") }
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
                { load(context) }
                { destinations(context) }
                { number_field(context, "Length, flits", "length") }
                { collapsed(context, "Channels and queues", RARE, rare) }
            </>
        },
    )
}

/// Returns whether the load is in flits per node and cycle.
fn is_in_flits(context: &AppContext) -> bool {
    context.experiment.setting.worm().is_some_and(|setting| setting.flit_rate.is_some())
}

/// Renders the offered load, in the unit of the experiment.
fn load(context: &AppContext) -> Html {
    match is_in_flits(context) {
        true => number_field(context, "Load, flits per node", "flit-rate"),
        false => number_field(context, "Load", "load"),
    }
}

/// Renders the choice of the unit of the load, which keeps the load.
fn load_unit(context: &AppContext) -> Html {
    let units = [("share", "share of capacity"), ("flits", "flits per node and cycle")];
    let commit = {
        let context = context.clone();
        Callback::from(move |unit: String| {
            let mut next = (*context.experiment).clone();
            if let (Some(mesh), Some(setting)) = (next.network.wormhole_mesh(), next.setting.worm_mut()) {
                let rounded = |load: f64| (load * 1e6).round() / 1e6;
                match unit.as_str() {
                    "flits" => setting.set_flit_rate(rounded(setting.flit_rate_on(mesh))),
                    _ => setting.set_load(rounded(setting.load_on(mesh))),
                }
            }
            context.apply(Ok(next))
        })
    };
    let unit = if is_in_flits(context) { "flits" } else { "share" };
    let hint = "The unit of the load: a share of the load that saturates the bisection, or flits.";
    html! { <ChoiceField label="Unit of the load" options={options(&units)} value={unit} {commit} hint={hint} /> }
}

/// Renders the choice of the arrival process, with some usual bursts.
fn arrivals(context: &AppContext) -> Html {
    let usual = [
        ("bernoulli", "Bernoulli"),
        ("poisson", "Poisson"),
        ("periodic", "periodic"),
        ("bursts:10:30", "bursts of 10 cycles, pauses of 30"),
        ("bursts:50:150", "bursts of 50 cycles, pauses of 150"),
    ];
    let (current, mut offered) = (value(context, "arrivals"), options(&usual));
    if usual.iter().all(|(id, _)| *id != current) {
        offered.push((current.clone().into(), current.clone().into()));
    }
    html! { <ChoiceField label="Arrivals" options={offered} value={current} commit={setter(context, "arrivals")} hint={hint(context, "arrivals")} /> }
}
