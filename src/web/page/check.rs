//! Check: what is proved, beside this very instance. A worker computes it.

use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{Experiment, View};
use crate::report::findings::{Finding, Findings};
use crate::report::notes;
use crate::report::picture::scene::Scene;
use crate::report::words::facts::Fact;
use crate::web::bench::{Bench, Remote};
use crate::web::dom;
use crate::web::form::word::worded_once;
use crate::web::jobs::pool::SingleJob;
use crate::web::stage::files::{export, save_png, save_svg, texts};
use crate::web::stage::picture::{Draw, use_picture};
use crate::worker::protocol::{FromWorker, ToWorker};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: Bench,
}

/// What a worker has answered.
#[derive(Clone)]
enum Answer {
    Found(Rc<Findings>),
    Failed(Rc<str>),
}

#[component]
pub(crate) fn Check(props: &Props) -> Html {
    let bench = &props.bench;
    let text = asked(&bench.experiment);
    let answer = use_answer(&text, &bench.experiment, &bench.remote);
    let is_late = answer.as_ref().is_none_or(|(about, _)| *about != text);
    let random = !bench.experiment.faults_are_fixed();
    let found = match &answer {
        Some((_, Answer::Found(found))) => Some(found),
        Some((_, Answer::Failed(problem))) if !is_late => {
            return html! { <section class="stage stage--wide"><p role="alert">{problem.to_string()}</p></section> };
        }
        _ => None,
    };
    html! {
        <section class="stage stage--wide" aria-label="What is proved" role={bench.role()} aria-busy={is_late.to_string()}>
            <div class="caption">
                <h2>{"What can be said exactly"}</h2>
                <p>
                    {"Computed, not sampled, for the faults that Watch shows"}
                    {if random { format!(" (pattern {})", bench.experiment.view.sample) } else { String::new() }}
                    {found.filter(|_| !is_late).map(|found| found.ground.clone())}{"."}
                </p>
            </div>
            if is_late { <p class="late"><progress aria-label="Computing what can be said exactly"></progress></p> }
            { for found.map(|found| cards(bench, found)) }
        </section>
    }
}

/// What decides an answer, and the layout of its pictures.
fn asked(experiment: &Experiment) -> String {
    let mut asked = experiment.clone();
    let View { sample, layout, .. } = experiment.view;
    asked.view = View { sample, layout, ..Experiment::default().view };
    asked.to_string()
}

/// The last answer, and the text that it is about. Its files name the experiment as it is looked at.
#[hook]
fn use_answer(text: &str, experiment: &Rc<Experiment>, remote: &Remote) -> Option<(String, Answer)> {
    let answer = use_state(|| None::<(String, Answer)>);
    use_effect_with(text.to_owned(), {
        let (answer, remote, experiment) = (answer.setter(), remote.clone(), Rc::clone(experiment));
        move |text: &String| {
            remote.keep(None);
            let tell = {
                let (text, remote, answer) = (text.clone(), remote.clone(), answer.clone());
                move |said: Answer| {
                    if let Answer::Found(found) = &said {
                        remote.keep(Some(Rc::clone(found)));
                    }
                    answer.set(Some((text.clone(), said)));
                }
            };
            let hear = {
                let tell = tell.clone();
                move |news| match news {
                    FromWorker::Checked(found) => tell(Answer::Found(Rc::new(*found))),
                    FromWorker::Failed { problem, .. } => tell(Answer::Failed(problem.into())),
                    _ => {}
                }
            };
            let job = SingleJob::start(ToWorker::Check(experiment.to_string()), hear);
            if let Err(problem) = &job {
                tell(Answer::Failed(problem.as_str().into()));
            }
            move || drop(job)
        }
    });
    (*answer).clone()
}

/// All that was found, in cards.
fn cards(bench: &Bench, found: &Rc<Findings>) -> Html {
    let save = |write: fn(&Findings) -> String| {
        let found = Rc::clone(found);
        move || write(&found)
    };
    let algorithm = |(number, finding): (usize, &Finding)| {
        let cyclic = !finding.witnesses.is_empty();
        let cycle =
            cyclic.then(|| html! { <CycleFigure bench={bench.clone()} found={Found(Rc::clone(found))} {number} /> });
        let watch = finding.deadlock.as_ref().map(|text| {
            let (bench, text) = (bench.clone(), text.clone());
            let onclick = Callback::from(move |_: MouseEvent| match text.parse::<Experiment>() {
                Ok(experiment) => {
                    bench.open.emit(experiment);
                    dom::to_figure();
                }
                Err(error) => bench.refuse.emit(format!("{error}")),
            });
            html! { <p><button type="button" {onclick} title="The run that ends in the deadlock">{"Watch it deadlock"}</button></p> }
        });
        card(&finding.name, &finding.facts, html! { <>{ for watch }{ for cycle }</> })
    };
    html! {
        <>
            <div class="actions">{ texts("check", save(|found| found.csv.clone()), save(|found| found.json.clone())) }</div>
            <div class="cards">
                { card("This network", &found.network, Html::default()) }
                if !found.messages.is_empty() { { card("These messages", &found.messages, Html::default()) } }
                { for found.algorithms.iter().enumerate().map(algorithm) }
            </div>
        </>
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

/// What is proved, as long as it is the same.
#[derive(Clone)]
struct Found(Rc<Findings>);

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
fn CycleFigure(props: &CycleProps) -> Html {
    let canvas = use_node_ref();
    let (found, number) = (Rc::clone(&props.found.0), props.number);
    let witnesses = found.algorithms.get(number).map(|finding| finding.witnesses.clone()).unwrap_or_default();
    let draw: Draw = Rc::new(move |size| {
        found.algorithms.get(number).map_or(Scene { size, shapes: Vec::new() }, |finding| finding.scene(size))
    });
    use_picture(&canvas, Rc::clone(&draw));
    let file = |save: fn(&str, &Scene, &str)| {
        let (draw, experiment) = (Rc::clone(&draw), Rc::clone(&props.bench.experiment));
        move || save("cycle", &draw(Findings::FILE), &notes(&experiment))
    };
    html! {
        <figure class="cycle">
            <canvas ref={canvas} role="img" aria-label="The cycle on the network: its links are numbered in order. The messages below say the same."></canvas>
            <ol>{ for witnesses.into_iter().map(|told| html! { <li>{told}</li> }) }</ol>
            <div class="exports" role="group" aria-label="Export cycle">
                { export("SVG", file(save_svg)) }
                { export("PNG", file(save_png)) }
            </div>
        </figure>
    }
}
