//! Check: what is proved, beside this very instance.

use std::rc::Rc;

use yew::prelude::*;

use super::Bench;
use super::exports::texts;
use super::picture::{Draw, export, save_png, save_svg, use_picture};
use super::watch::question;
use crate::experiment::Experiment;
use crate::report::check::{self, Checks};
use crate::report::cycle;
use crate::report::facts::{self, Fact};
use crate::report::scene::Scene;
use crate::report::{csv, json};
use crate::switching::Switching;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) bench: Bench,
}

#[component]
pub(super) fn Check(props: &Props) -> Html {
    let bench = &props.bench;
    let found = use_memo(question(&bench.experiment), {
        let experiment = Rc::clone(&bench.experiment);
        move |_| check::checks(&experiment, false)
    });
    let save = |write: fn(&Experiment, &Checks) -> String| {
        let (experiment, found) = (Rc::clone(&bench.experiment), Rc::clone(&found));
        move || write(&experiment, &found)
    };
    let random = !bench.experiment.faults_are_fixed();
    let forms = if bench.experiment.switching == Switching::Message {
        ", and from the closed forms of Gordon & Stout for random faults"
    } else {
        ", and from the theorems of Chiu, Chalasani & Raghavendra where one fault stands alone"
    };
    let section = |number: usize| {
        let check = &found.algorithms[number];
        let cyclic = check.dependencies.as_ref().is_some_and(|graph| graph.cycle.is_some());
        html! {
            <section class="card">
                <h3>{check.algorithm.name}</h3>
                <dl>{ for facts::of(&found, check).iter().map(fact) }</dl>
                if cyclic { <Cycle bench={bench.clone()} found={Found(Rc::clone(&found))} {number} /> }
            </section>
        }
    };
    html! {
        <section class="stage stage--wide" aria-label="What is proved">
            <div class="caption">
                <h2>{"What can be said exactly"}</h2>
                <p>
                    {"Computed, not sampled, for the faults that Watch shows"}
                    {if random { format!(" (pattern {})", bench.experiment.view.sample) } else { String::new() }}
                    {forms}{"."}
                </p>
            </div>
            <div class="actions">{ texts("check", save(csv::checks), save(json::checks)) }</div>
            <div class="cards">
                <section class="card"><h3>{"This network"}</h3><dl>{ for facts::network(&found).iter().map(fact) }</dl></section>
                { for (0..found.algorithms.len()).map(section) }
            </div>
        </section>
    }
}

fn fact(fact: &Fact) -> Html {
    html! { <div class="fact"><dt>{&fact.what}</dt><dd><b>{&fact.value}</b><p>{&fact.meaning}</p></dd></div> }
}

/// Checks that are the same only as themselves.
#[derive(Clone)]
struct Found(Rc<Checks>);

impl PartialEq for Found {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
struct CycleProps {
    bench: Bench,
    found: Found,
    number: usize,
}

/// A dependency cycle on the network, and the messages that realise it.
#[component]
fn Cycle(props: &CycleProps) -> Html {
    let canvas = use_node_ref();
    let (found, number, layout) = (props.found.clone(), props.number, props.bench.experiment.view.layout);
    let draw: Draw = Rc::new(move |size| cycle::scene(&found.0, number, layout, size));
    use_picture(&canvas, Rc::clone(&draw));
    let file = |save: fn(&str, &Scene, &Experiment)| {
        let (draw, experiment) = (Rc::clone(&draw), Rc::clone(&props.bench.experiment));
        move || save("cycle", &draw((760.0, 560.0)), &experiment)
    };
    let graph = props.found.0.algorithms.get(props.number).and_then(|check| check.dependencies.as_ref());
    let witnesses = graph.map(facts::witnesses).unwrap_or_default();
    html! {
        <figure class="cycle">
            <canvas ref={canvas} role="img" aria-label="The cycle on the network: its links are numbered in order. The messages below say the same."></canvas>
            <ol>{ for witnesses.iter().map(|told| html! { <li>{told}</li> }) }</ol>
            <div class="exports" role="group" aria-label="Export cycle">
                { export("SVG", file(save_svg)) }
                { export("PNG", file(save_png)) }
            </div>
        </figure>
    }
}
