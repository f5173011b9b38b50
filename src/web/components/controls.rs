//! The left rail: the experiment, part by part, and as text.

use web_sys::{HtmlTextAreaElement, MouseEvent};
use yew::prelude::*;

use super::Bench;
use super::field::{ChoiceField, RangeField, TextField};
use crate::experiment::{Experiment, KEYS, KeyInfo, Parameter, Tab, Vary};
use crate::fault::FaultModel;
use crate::report::words;
use crate::routing::{ALGORITHMS, Algorithm};
use crate::topology::{Hypercube, NodeId};
use crate::web::dom;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) bench: Bench,
}

#[component]
pub(super) fn Controls(props: &Props) -> Html {
    let bench = &props.bench;
    let measuring = bench.experiment.view.tab == Tab::Measure;
    if bench.experiment.view.tab == Tab::Papers {
        return html! {};
    }
    html! {
        <form class="rail" aria-label="The experiment" onsubmit={Callback::from(|event: SubmitEvent| event.prevent_default())}>
            { network(bench) }
            { faults(bench) }
            { routing(bench) }
            { message(bench) }
            if measuring { { sweep(bench) } }
            { seed(bench) }
            { text(bench) }
        </form>
    }
}

fn group(title: &str, inside: Html) -> Html {
    html! { <fieldset><legend>{title}</legend>{inside}</fieldset> }
}

fn key(name: &str) -> Option<&'static KeyInfo> {
    KEYS.iter().find(|key| key.name == name)
}

/// Changes one key of the experiment as if it had been written in its text.
fn set(bench: &Bench, name: &'static str) -> Callback<String> {
    let bench = bench.clone();
    Callback::from(move |value: String| match bench.experiment.with_key(name, &value) {
        Ok(next) => bench.edit.emit(next),
        Err(error) => bench.refuse.emit(error.to_string()),
    })
}

fn hint(name: &str) -> String {
    key(name).map_or(String::new(), |key| format!("{}: {}", key.meaning, key.accepted))
}

fn network(bench: &Bench) -> Html {
    let n = bench.experiment.cube().dimension();
    let size = match n {
        0..=30 => format!("{} nodes", 1u64 << n),
        _ => format!("2^{n} nodes"),
    };
    let commit = {
        let bench = bench.clone();
        Callback::from(move |n: f64| {
            if let Some(cube) = Hypercube::new(n as u8) {
                bench.edit.emit(bench.experiment.resized(cube));
            }
        })
    };
    group(
        "Network",
        html! {
            <RangeField label="Hypercube" value={f64::from(n)} low=1.0 high=64.0 step=1.0 words={format!("n = {n}, {size}")} {commit} />
        },
    )
}

const MODELS: [(&str, &str); 4] =
    [("none", "by hand only"), ("nodes", "probability p"), ("share", "exact share p"), ("count", "exact number f")];

fn faults(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let (kind, value) = match experiment.faults.model {
        FaultModel::None => ("none", None),
        FaultModel::Nodes(p) => ("nodes", Some(p.to_string())),
        FaultModel::Share(p) => ("share", Some(p.to_string())),
        FaultModel::Count(count) => ("count", Some(count.to_string())),
    };
    let choose = {
        let (set, others) = (set(bench, "faults"), experiment.cube().others());
        let rate = experiment.faults.model.rate().unwrap_or(0.3);
        Callback::from(move |kind: String| {
            set.emit(match kind.as_str() {
                "nodes" | "share" => format!("{kind}:{rate}"),
                "count" => format!("count:{}", (rate * others as f64) as u64),
                _ => "none".into(),
            });
        })
    };
    let change = set(bench, "faults").reform(move |value: String| format!("{kind}:{value}"));
    let options = MODELS.map(|(value, name)| (value.into(), name.into())).to_vec();
    let label = if kind == "count" { "Faulty nodes" } else { "Fault rate p" };
    group(
        "Faults",
        html! {
            <>
                <ChoiceField label="Drawn" {options} value={kind} commit={choose} />
                if let Some(value) = value {
                    <TextField {label} {value} commit={change} hint={hint("faults")} mode="decimal" />
                }
                { edits(bench) }
                if !experiment.faults_are_fixed() {
                    { another(bench) }
                }
            </>
        },
    )
}

/// The most nodes of a kind that are shown one by one.
const CHIPS: usize = 60;

/// The nodes that were broken and mended by hand; a press takes the edit back.
fn edits(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let cube = experiment.cube();
    let chip = |node: NodeId, broken: bool| {
        let bench = bench.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            bench.edited(|next| {
                next.faults.broken.retain(|&other| other != node);
                next.faults.mended.retain(|&other| other != node);
            });
        });
        let (mark, what) = if broken { ("×", "broken") } else { ("○", "mended") };
        let label = format!("node {} was {what} by hand: take that back", words::node(cube, node));
        html! {
            <button type="button" class={classes!("chip", broken.then_some("chip--fault"))} {onclick} aria-label={label}>
                {mark}{" "}{words::node(cube, node)}
            </button>
        }
    };
    let broken = experiment.faults.broken.iter().take(CHIPS).map(|&node| chip(node, true));
    let mended = experiment.faults.mended.iter().take(CHIPS).map(|&node| chip(node, false));
    let most = experiment.faults.broken.len().max(experiment.faults.mended.len());
    let none = experiment.faults.broken.is_empty() && experiment.faults.mended.is_empty();
    let clear = {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| {
            bench.edited(|next| {
                next.faults.broken.clear();
                next.faults.mended.clear();
            });
        })
    };
    html! {
        if none {
            <p class="hint">{"Click a node to break it, again to mend it."}</p>
        } else {
            <div class="chips">{ for broken }{ for mended }
                if most > CHIPS { <span class="hint">{"and more, in the text below"}</span> }
                <button type="button" class="chip chip--plain" onclick={clear}>{"clear"}</button>
            </div>
        }
    }
}

fn another(bench: &Bench) -> Html {
    let number = bench.experiment.view.sample;
    let step = |by: i64| {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| {
            bench.edited(|next| next.view.sample = next.view.sample.saturating_add_signed(by).min(1_000_000_000));
        })
    };
    html! {
        <div class="row">
            <span>{format!("Pattern {number}")}</span>
            <span class="pair">
                <button type="button" onclick={step(-1)} disabled={number == 0}>{"Previous"}</button>
                <button type="button" onclick={step(1)}>{"Next"}</button>
            </span>
        </div>
    }
}

fn routing(bench: &Bench) -> Html {
    // One algorithm stays.
    let alone = bench.experiment.routing.len() == 1;
    let item = |algorithm: &'static Algorithm| {
        let place = bench.experiment.routing.iter().position(|other| *other == algorithm);
        let onchange = {
            let bench = bench.clone();
            Callback::from(move |_: Event| {
                bench.edited(|next| match place {
                    Some(place) if next.routing.len() > 1 => {
                        next.routing.remove(place);
                    }
                    Some(_) => {}
                    None => next.routing.push(algorithm),
                });
            })
        };
        let swatch = place.map(|place| html! { <i class={format!("swatch swatch--{}", place % 7)}></i> });
        html! {
            <label class="check" title={format!("{} {}", algorithm.summary, algorithm.guarantee)}>
                <input type="checkbox" checked={place.is_some()} disabled={place.is_some() && alone} {onchange} />
                <span>{algorithm.name}</span>{swatch}
            </label>
        }
    };
    group("Routing", html! { <>{ for ALGORITHMS.iter().map(item) }</> })
}

fn message(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let (cube, ends) = (experiment.cube(), experiment.ends());
    let end = |name: &'static str| {
        let set = set(bench, name);
        // What the field shows without a prefix is binary for small cubes.
        Callback::from(move |text: String| {
            let binary = cube.dimension() <= 10
                && text.len() == usize::from(cube.dimension())
                && text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
            set.emit(if binary { format!("0b{text}") } else { text });
        })
    };
    group(
        "Message",
        html! {
            <>
                <TextField label="From" value={words::node(cube, ends.from)} commit={end("from")} hint={hint("from")} />
                <TextField label="To" value={words::node(cube, ends.to)} commit={end("to")} hint={hint("to")} />
                <TextField label="Limit, × n" value={experiment.path_limit.to_string()} commit={set(bench, "mpl")}
                    hint={hint("mpl")} mode="decimal" />
            </>
        },
    )
}

/// What is offered to vary, with values that make sense at once.
fn suggestion(experiment: &Experiment, parameter: Parameter) -> String {
    let values = match parameter {
        Parameter::Rate => "0..0.9:10".to_owned(),
        Parameter::Count => format!("0..{}:2", experiment.cube().others().min(1_000_000)),
        Parameter::Dimension => "4..20:9".to_owned(),
        Parameter::PathLimit => "1..10:10".to_owned(),
    };
    format!("{}:{values}", parameter.id())
}

fn sweep(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let options: Vec<(AttrValue, AttrValue)> = std::iter::once(("".into(), "nothing: compare".into()))
        .chain(Parameter::ALL.map(|parameter| (parameter.id().into(), parameter.axis().into())))
        .collect();
    let current = experiment.vary.as_ref().map_or("", |vary| vary.parameter.id());
    let choose = {
        let bench = bench.clone();
        Callback::from(move |id: String| {
            bench.edited(|next| {
                let parameter = Parameter::ALL.into_iter().find(|parameter| parameter.id() == id);
                next.vary = parameter.and_then(|parameter| Vary::parse(&suggestion(next, parameter)).ok());
                // A fault rate can only be varied if there is one.
                match parameter {
                    Some(Parameter::Rate) if next.faults.model.rate().is_none() => {
                        next.faults.model = FaultModel::Nodes(0.5)
                    }
                    Some(Parameter::Count) => {
                        next.faults.model = FaultModel::Count(next.faults.model.count(next.cube()).unwrap_or(0))
                    }
                    _ => {}
                }
                let (from, to) = (next.from, next.to);
                if parameter == Some(Parameter::Dimension) && (from.is_some() || to.is_some()) {
                    (next.from, next.to) = (None, None);
                }
            });
        })
    };
    let values = experiment.vary.as_ref().map(|vary| {
        let text = vary.to_string();
        let change = set(bench, "vary").reform(move |values: String| format!("{current}:{values}"));
        let shown = text.split_once(':').map_or(text.clone(), |(_, values)| values.to_owned());
        html! { <TextField label="Values" value={shown} commit={change} hint={hint("vary")} /> }
    });
    let within = format!("{}", experiment.within * 100.0);
    let set_within = {
        let set = set(bench, "within");
        Callback::from(move |text: String| {
            set.emit(text.parse::<f64>().map_or(text, |points| ((points * 1e6).round() / 1e8).to_string()));
        })
    };
    group(
        "Sweep",
        html! {
            <>
                <ChoiceField label="Vary" {options} value={current} commit={choose} />
                { for values }
                <TextField label="Until ± points" value={within} commit={set_within} hint={hint("within")} mode="decimal" />
                <TextField label="At most, trials" value={experiment.trials.to_string()} commit={set(bench, "trials")}
                    hint={hint("trials")} mode="numeric" />
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
                    hint={hint("seed")} mode="numeric" />
                <button type="button" onclick={fresh}>{"New"}</button>
            </div>
        },
    )
}

fn text(bench: &Bench) -> Html {
    let written = bench.experiment.to_string();
    let onchange = {
        let (bench, current) = (bench.clone(), written.clone());
        Callback::from(move |event: Event| {
            let area: HtmlTextAreaElement = event.target_unchecked_into();
            match area.value().parse::<Experiment>() {
                Ok(next) => bench.edit.emit(next),
                Err(error) => bench.refuse.emit(error.to_string()),
            }
            area.set_value(&current);
        })
    };
    group(
        "This experiment, as text",
        html! {
            <textarea class="text" rows="5" aria-label="This experiment, as text" spellcheck="false" value={written} {onchange} />
        },
    )
}
