//! Check: what is proved, beside this very instance.

use std::rc::Rc;

use yew::prelude::*;

use crate::report::checked::Checked;
use crate::report::kinds::reports_of;
use crate::report::picture::scene::Scene;
use crate::report::words::facts::Fact;
use crate::web::form::word::worded_once;

use crate::report::notes;
use crate::web::bench::Bench;
use crate::web::stage::files::{export, save_png, save_svg, texts};
use crate::web::stage::picture::{Draw, use_picture};
use crate::web::stage::view::question;

/// What is proved, as long as it is the same.
#[derive(Clone)]
struct Found(Rc<dyn Checked>);

impl PartialEq for Found {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: Bench,
}

#[component]
pub(crate) fn Check(props: &Props) -> Html {
    let bench = &props.bench;
    let found = use_memo(question(&bench.experiment), {
        let experiment = Rc::clone(&bench.experiment);
        move |_| (reports_of(&experiment).check)(&experiment, false).map(|found| Found(found.into()))
    });
    let found = match &*found {
        Ok(found) => found,
        Err(error) => return html! { <section class="stage stage--wide"><p>{error.to_string()}</p></section> },
    };
    let random = !bench.experiment.faults_are_fixed();
    let save = |write: fn(&dyn Checked) -> String| {
        let found = Rc::clone(&found.0);
        move || write(&*found)
    };
    let algorithm = |(number, name): (usize, &str)| {
        let cyclic = !found.0.witnesses(number).is_empty();
        let cycle = cyclic.then(|| html! { <CycleFigure bench={bench.clone()} found={found.clone()} {number} /> });
        card(name, &found.0.of(number), cycle.unwrap_or_default())
    };
    let messages = found.0.messages();
    html! {
        <section class="stage stage--wide" aria-label="What is proved" role={bench.role()}>
            <div class="caption">
                <h2>{"What can be said exactly"}</h2>
                <p>
                    {"Computed, not sampled, for the faults that Watch shows"}
                    {if random { format!(" (pattern {})", bench.experiment.view.sample) } else { String::new() }}
                    {found.0.ground()}{"."}
                </p>
            </div>
            <div class="actions">{ texts("check", save(|found| found.csv()), save(|found| found.json())) }</div>
            <div class="cards">
                { card("This network", &found.0.network(), Html::default()) }
                if !messages.is_empty() { { card("These messages", &messages, Html::default()) } }
                { for found.0.names().into_iter().enumerate().map(algorithm) }
            </div>
        </section>
    }
}

/// Facts under a heading, and what stands below them.
fn card(heading: &str, facts: &[Fact], below: Html) -> Html {
    let mut told = Vec::new();
    let mut fact = |fact: &Fact| {
        let (what, meaning) = (worded_once(&fact.what, &mut told), worded_once(&fact.meaning, &mut told));
        html! { <div class="fact"><dt>{what}</dt><dd><b>{&fact.value}</b><p>{meaning}</p></dd></div> }
    };
    html! { <section class="card"><h3>{heading.to_owned()}</h3><dl>{ for facts.iter().map(&mut fact) }</dl>{below}</section> }
}

#[derive(Properties, PartialEq)]
struct CycleProps {
    bench: Bench,
    found: Found,
    number: usize,
}

/// A dependency cycle on the network, and the messages that realise it.
#[component]
fn CycleFigure(props: &CycleProps) -> Html {
    let canvas = use_node_ref();
    let (found, number, layout) = (Rc::clone(&props.found.0), props.number, props.bench.experiment.view.layout);
    let draw: Draw =
        Rc::new(move |size| found.scene(number, layout, size).unwrap_or(Scene { size, shapes: Vec::new() }));
    use_picture(&canvas, Rc::clone(&draw));
    let file = |save: fn(&str, &Scene, &str)| {
        let (draw, experiment) = (Rc::clone(&draw), Rc::clone(&props.bench.experiment));
        move || save("cycle", &draw((760.0, 560.0)), &notes(&experiment))
    };
    html! {
        <figure class="cycle">
            <canvas ref={canvas} role="img" aria-label="The cycle on the network: its links are numbered in order. The messages below say the same."></canvas>
            <ol>{ for props.found.0.witnesses(number).into_iter().map(|told| html! { <li>{told}</li> }) }</ol>
            <div class="exports" role="group" aria-label="Export cycle">
                { export("SVG", file(save_svg)) }
                { export("PNG", file(save_png)) }
            </div>
        </figure>
    }
}
