//! Control panel: the parts of the experiment, and its text.

use web_sys::MouseEvent;
use yew::prelude::*;

use super::routing::Routing;
use crate::experiment::{Experiment, Tab};
use crate::web::bench::AppContext;
use crate::web::dom;
use crate::web::form::field::TextField;
use crate::web::form::keys::{collapsed, fieldset, hint, setter};
use crate::web::kinds;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: AppContext,
}

#[component]
pub(crate) fn Controls(props: &Props) -> Html {
    let bench = &props.bench;
    let measuring = bench.experiment.view.tab == Tab::Measure;
    if bench.experiment.view.tab == Tab::Papers {
        return html! {};
    }
    html! {
        <form class="rail" id="controls" aria-label="The experiment" onsubmit={Callback::from(|event: SubmitEvent| event.prevent_default())}>
            { super::network::network(bench) }
            { super::network::moving(bench) }
            { super::faults::faults(bench) }
            <Routing bench={bench.clone()} />
            { (kinds::kind_view(&bench.experiment).controls)(bench) }
            if measuring { { super::sweep::sweep(bench) } }
            { seed(bench) }
            { text(bench) }
            // This button shows where the figure stands above the controls.
            <button type="button" class="upward" onclick={|_: MouseEvent| dom::focus_section("figure")}>
                { if measuring { "↑ To the chart" } else { "↑ To the figure" } }
            </button>
        </form>
    }
}

fn seed(bench: &AppContext) -> Html {
    let fresh = {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| bench.edit_with(|next| next.seed = dom::random_seed()))
    };
    let inside = html! {
        <div class="seed">
            <TextField label="Seed" value={bench.experiment.seed.to_string()} commit={setter(bench, "seed")}
                hint={hint(bench, "seed")} mode="numeric" />
            <button type="button" onclick={fresh}>{"New"}</button>
        </div>
    };
    collapsed(bench, "Chance", &["seed"], inside)
}

fn text(bench: &AppContext) -> Html {
    let written = bench.experiment.to_string();
    let commit = {
        let bench = bench.clone();
        Callback::from(move |text: String| match text.parse::<Experiment>() {
            Ok(next) => bench.apply(Ok(next)),
            Err(error) => Err(format!("{}={}: {}", error.key, error.value, error.problem)),
        })
    };
    const TITLE: &str = "This experiment, as text";
    fieldset(TITLE, html! { <TextField label={TITLE} value={written} {commit} is_long=true /> })
}
