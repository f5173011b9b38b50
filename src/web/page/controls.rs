//! The left rail: the experiment, part by part, and as text.

use std::sync::Arc;

use web_sys::MouseEvent;
use yew::prelude::*;

use crate::experiment::{Experiment, Tab};
use crate::routing::{self, ALGORITHMS, Algorithm, HIERARCHY_ACCEPTED};
use crate::web::bench::Bench;
use crate::web::dom;
use crate::web::form::field::TextField;
use crate::web::form::keys::{group, hint, set};
use crate::web::kinds;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: Bench,
}

#[component]
pub(crate) fn Controls(props: &Props) -> Html {
    let bench = &props.bench;
    let measuring = bench.experiment.view.tab == Tab::Measure;
    if bench.experiment.view.tab == Tab::Papers {
        return html! {};
    }
    html! {
        <form class="rail" aria-label="The experiment" onsubmit={Callback::from(|event: SubmitEvent| event.prevent_default())}>
            { super::network::network(bench) }
            { super::network::moving(bench) }
            { super::faults::faults(bench) }
            { routing(bench) }
            { (kinds::of(&bench.experiment).controls)(bench) }
            if measuring { { super::sweep::sweep(bench) } }
            { seed(bench) }
            { text(bench) }
        </form>
    }
}

fn routing(bench: &Bench) -> Html {
    // One algorithm stays.
    let alone = bench.experiment.routing.len() == 1;
    let item = |algorithm: Arc<Algorithm>| {
        let place = bench.experiment.routing.iter().position(|other| *other == algorithm);
        let onchange = {
            let (bench, algorithm) = (bench.clone(), Arc::clone(&algorithm));
            Callback::from(move |_: Event| {
                bench.edited(|next| match place {
                    Some(place) if next.routing.len() > 1 => {
                        next.routing.remove(place);
                    }
                    Some(_) => {}
                    None => next.routing.push(Arc::clone(&algorithm)),
                });
            })
        };
        let swatch = place.map(|place| html! { <i class={format!("swatch swatch--{}", place % 7)}></i> });
        html! {
            <label class="check" title={format!("{} {}", algorithm.summary, algorithm.guarantee)}>
                <input type="checkbox" checked={place.is_some()} disabled={place.is_some() && alone} {onchange} />
                <span>{&*algorithm.name}</span>{swatch}
            </label>
        }
    };
    let (kind, network) = (bench.experiment.kind(), bench.experiment.network);
    let misfit = |algorithm: &Algorithm| {
        let why = kind.takes(algorithm, network).err()?;
        Some(html! { <><dt>{algorithm.name.to_string()}</dt><dd>{why.to_string()}</dd></> })
    };
    let others_here = ALGORITHMS.iter().filter(|algorithm| algorithm.can(kind.uses).is_ok());
    let misfits: Vec<_> = others_here.filter_map(misfit).collect();
    let listed = ALGORITHMS.iter().filter(|algorithm| kind.takes(algorithm, network).is_ok());
    // Hierarchies are not in the list: those in use are.
    let others = bench.experiment.routing.iter().filter(|algorithm| algorithm.dimension.is_some());
    let add = {
        let bench = bench.clone();
        Callback::from(move |id: String| match routing::find(id.trim()) {
            Ok(algorithm) => {
                let mut next = (*bench.experiment).clone();
                if !next.routing.contains(&algorithm) {
                    next.routing.push(algorithm);
                }
                bench.change(Ok(next))
            }
            Err(problem) => Err(problem),
        })
    };
    group(
        "Routing",
        html! {
            <>
                { for listed.map(|algorithm| item(Arc::new(algorithm.clone()))) }
                { for others.map(|algorithm| item(Arc::clone(algorithm))) }
                if !misfits.is_empty() {
                    <details><summary>{format!("{} not here, and why", misfits.len())}</summary><dl class="misfits">{ for misfits }</dl></details>
                }
                if kind.offers_hierarchies {
                    <TextField label="Add levels" value="" commit={add} hint={HIERARCHY_ACCEPTED} />
                }
            </>
        },
    )
}

fn seed(bench: &Bench) -> Html {
    let fresh = {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| bench.edited(|next| next.seed = dom::fresh_seed()))
    };
    group(
        "Chance",
        html! {
            <div class="seed">
                <TextField label="Seed" value={bench.experiment.seed.to_string()} commit={set(bench, "seed")}
                    hint={hint(bench, "seed")} mode="numeric" />
                <button type="button" onclick={fresh}>{"New"}</button>
            </div>
        },
    )
}

fn text(bench: &Bench) -> Html {
    let written = bench.experiment.to_string();
    let commit = {
        let bench = bench.clone();
        Callback::from(move |text: String| match text.parse::<Experiment>() {
            Ok(next) => bench.change(Ok(next)),
            Err(error) => Err(format!("{}={}: {}", error.key, error.value, error.problem)),
        })
    };
    const TITLE: &str = "This experiment, as text";
    group(TITLE, html! { <TextField label={TITLE} value={written} {commit} is_long=true /> })
}
