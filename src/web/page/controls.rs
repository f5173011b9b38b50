//! Control panel: the parts of the experiment, and its text.

use web_sys::MouseEvent;
use yew::prelude::*;

use super::routing::Routing;
use crate::experiment::{Experiment, ExperimentError, Tab, TextReading};
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::form::field::TextField;
use crate::web::form::keys::{collapsed, fieldset, hint, setter};
use crate::web::kinds;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

#[component]
pub(crate) fn Controls(props: &Props) -> Html {
    let context = &props.context;
    let measuring = context.experiment.view.tab == Tab::Measure;
    if context.experiment.view.tab == Tab::Papers {
        return html! {};
    }
    html! {
        <form class="sidebar" id="controls" aria-label="The experiment" onsubmit={Callback::from(|event: SubmitEvent| event.prevent_default())}>
            // A change of the sweep would otherwise scroll the chart away.
            if measuring { { super::sweep::sweep(context) } }
            { super::network::network(context) }
            { super::network::kind_choice(context) }
            { super::faults::faults(context) }
            <Routing context={context.clone()} />
            { (kinds::kind_view(&context.experiment).controls)(context) }
            { seed(context) }
            { text(context) }
            // This button is visible if the figure is above the controls.
            <button type="button" class="to-figure" onclick={|_: MouseEvent| dom::focus_section("figure")}>
                { if measuring { "↑ To the chart" } else { "↑ To the figure" } }
            </button>
        </form>
    }
}

fn seed(context: &AppContext) -> Html {
    let fresh = {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| context.edit_with(|next| next.seed = dom::random_seed()))
    };
    let inside = html! {
        <div class="seed">
            <TextField label="Seed" value={context.experiment.seed.to_string()} commit={setter(context, "seed")}
                hint={hint(context, "seed")} mode="numeric" />
            <button type="button" onclick={fresh}>{"New"}</button>
        </div>
    };
    collapsed(context, "Random numbers", &["seed"], inside)
}

fn text(context: &AppContext) -> Html {
    let written = context.experiment.to_string();
    let commit = {
        let context = context.clone();
        Callback::from(move |text: String| {
            let TextReading { experiment, errors, .. } = Experiment::read_text(&text);
            match errors.as_slice() {
                [] => context.apply(Ok(experiment)),
                errors => Err(errors.iter().map(ExperimentError::summary).collect::<Vec<_>>().join(" ")),
            }
        })
    };
    const TITLE: &str = "This experiment, as text";
    fieldset(TITLE, html! { <TextField label={TITLE} value={written} {commit} is_long=true /> })
}
