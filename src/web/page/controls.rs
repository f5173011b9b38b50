//! The left rail: the experiment, part by part, and as text.

use std::sync::Arc;

use web_sys::MouseEvent;
use yew::prelude::*;

use crate::experiment::{Experiment, Tab};
use crate::routing::{self, ALGORITHMS, Algorithm, HIERARCHY_ACCEPTED};
use crate::topology::{Hypercube, Mesh, Network};
use crate::web::bench::Bench;
use crate::web::dom;
use crate::web::form::field::{ChoiceField, RangeField, TextField};
use crate::web::form::keys::{group, hint, set};
use crate::web::kinds::{self, Kind};

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
            { switching(bench) }
            { network(bench) }
            { super::faults::faults(bench) }
            { routing(bench) }
            { (kinds::of(&bench.experiment).controls)(bench) }
            if measuring { { super::sweep::sweep(bench) } }
            { seed(bench) }
            { text(bench) }
        </form>
    }
}

fn switching(bench: &Bench) -> Html {
    let item = |kind: &'static Kind| {
        let onchange = {
            let bench = bench.clone();
            Callback::from(move |_: Event| bench.edit.emit(bench.experiment.switched(kind.kind)))
        };
        html! {
            <label class="check" title={kind.kind.about}>
                <input type="radio" name="switch" checked={*bench.experiment.kind() == *kind.kind} {onchange} />
                <span>{kind.kind.name}</span>
            </label>
        }
    };
    group("What moves", html! { <>{ for kinds::KINDS.iter().map(item) }</> })
}

fn network(bench: &Bench) -> Html {
    if let Some(leaves) = bench.experiment.network.leaves() {
        return crate::web::delivery::controls::network(bench, leaves);
    }
    let Some(n) = bench.experiment.cube().map(Hypercube::dimension) else { return mesh(bench) };
    let size = match n {
        0..=30 => format!("{} nodes", 1u64 << n),
        _ => format!("2^{n} nodes"),
    };
    let commit = {
        let bench = bench.clone();
        Callback::from(move |n: f64| {
            if let Some(cube) = Hypercube::new(n as u8) {
                bench.edit.emit(bench.experiment.resized(Network::Hypercube(cube)));
            }
        })
    };
    group(
        "Network",
        html! {
            <>
                { for runs_on_meshes(bench.experiment.kind()).then(|| kind(bench)) }
                <RangeField label="Hypercube" value={f64::from(n)} low=1.0 high={f64::from(bench.experiment.kind().largest_cube)} step=1.0 words={format!("n = {n}, {size}")} {commit} />
            </>
        },
    )
}

/// Whether a kind leaves the choice between hypercubes and meshes.
fn runs_on_meshes(kind: &crate::experiment::Kind) -> bool {
    SIZES.iter().any(|size| Network::parse(&format!("mesh:{size}")).is_some_and(kind.fits))
}

/// Meshes to choose from.
const SIZES: [&str; 4] = ["8x8", "16x16", "4x4x4", "3x3x3x3"];

fn mesh(bench: &Bench) -> Html {
    let mesh = bench.experiment.mesh();
    let size = mesh.map_or(String::new(), |mesh| mesh.to_string());
    let kind = if mesh.is_some_and(Mesh::is_torus) { "torus" } else { "mesh" };
    let resize = {
        let bench = bench.clone();
        Callback::from(move |text: String| match Network::parse(&text) {
            Some(network) => bench.change(Ok(bench.experiment.resized(network))),
            None => Err(format!("not a size: {} or the like, of 2 to 4 dimensions", SIZES.join(", "))),
        })
    };
    let chip = |wanted: &'static str| {
        let resize = resize.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            // Sizes that are offered are accepted.
            let _ = resize.emit(format!("{kind}:{wanted}"));
        });
        html! { <button type="button" class="chip" {onclick} aria-pressed={(size == wanted).to_string()}>{wanted}</button> }
    };
    let commit = resize.reform(move |size: String| format!("{kind}:{size}"));
    group(
        "Network",
        html! {
            <>
                { self::kind(bench) }
                <TextField label="Size" value={size.clone()} {commit} hint={hint(bench, "net")} />
                <div class="chips">{ for SIZES.map(chip) }</div>
            </>
        },
    )
}

/// What kind of network worms move in. Between meshes and hypercubes, faults and routing start anew.
fn kind(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let (kind, size) = match experiment.mesh() {
        Some(mesh) => (if mesh.is_torus() { "torus" } else { "mesh" }, mesh.to_string()),
        None => ("hypercube", "8x8".into()),
    };
    let options = ["mesh", "torus", "hypercube"].map(|kind| (kind.into(), kind.into())).to_vec();
    let bench = bench.clone();
    let commit = Callback::from(move |kind: String| {
        let text = if kind == "hypercube" { "cube:5".into() } else { format!("{kind}:{size}") };
        let Some(network) = Network::parse(&text) else { return Err("not a network".to_owned()) };
        let experiment = &bench.experiment;
        bench.change(Ok(match (experiment.mesh(), network.mesh()) {
            (Some(_), Some(_)) => experiment.resized(network),
            _ => Experiment { network, ..(experiment.kind().default)(Some(network)) },
        }))
    });
    html! { <ChoiceField label="Kind" {options} value={kind} {commit} /> }
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
