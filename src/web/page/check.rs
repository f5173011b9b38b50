//! Check: what is proved, beside this very instance. A worker computes it.

use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{Experiment, View};
use crate::report::findings::{Finding, Findings};
use crate::report::notes;
use crate::report::picture::geometry::Size;
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
struct Answer {
    /// What was asked, see [`asked`].
    text: String,
    /// The experiment that was checked.
    experiment: Rc<Experiment>,
    result: Result<Rc<Findings>, Rc<str>>,
}

#[component]
pub(crate) fn Check(props: &Props) -> Html {
    let bench = &props.bench;
    let text = asked(&bench.experiment);
    let answer = use_answer(&text, &bench.experiment, &bench.remote);
    let is_late = answer.as_ref().is_none_or(|answer| answer.text != text);
    let random = !bench.experiment.faults_are_fixed();
    let found = match &answer {
        Some(Answer { result: Ok(found), experiment, .. }) => Some((found, experiment)),
        Some(Answer { result: Err(problem), .. }) if !is_late => {
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
                    {found.filter(|_| !is_late).map(|(found, _)| found.ground.clone())}{"."}
                </p>
            </div>
            if is_late { <p class="late"><progress aria-label="Computing what can be said exactly"></progress></p> }
            { for found.map(|(found, experiment)| cards(bench, found, experiment)) }
        </section>
    }
}

/// The text of all that an answer depends on.
fn asked(experiment: &Experiment) -> String {
    let mut asked = experiment.clone();
    asked.view = View { sample: experiment.view.sample, ..Experiment::default().view };
    asked.to_string()
}

/// Asks a worker whenever `text` changes, and returns its last answer.
#[hook]
fn use_answer(text: &str, experiment: &Rc<Experiment>, remote: &Remote) -> Option<Answer> {
    let answer = use_state(|| None::<Answer>);
    use_effect_with(text.to_owned(), {
        let (answer, remote, experiment) = (answer.setter(), remote.clone(), Rc::clone(experiment));
        move |text: &String| {
            remote.keep(None);
            let tell = {
                let (text, remote, answer, experiment) =
                    (text.clone(), remote.clone(), answer.clone(), Rc::clone(&experiment));
                move |result: Result<Rc<Findings>, Rc<str>>| {
                    if let Ok(found) = &result {
                        remote.keep(Some(Rc::clone(found)));
                    }
                    answer.set(Some(Answer { text: text.clone(), experiment: Rc::clone(&experiment), result }));
                }
            };
            let hear = {
                let tell = tell.clone();
                move |news| match news {
                    FromWorker::Checked(found) => tell(Ok(Rc::new(*found))),
                    FromWorker::Failed { problem, .. } => tell(Err(problem.into())),
                    _ => {}
                }
            };
            let job = SingleJob::start(ToWorker::Check(experiment.to_string()), hear);
            if let Err(problem) = &job {
                tell(Err(problem.as_str().into()));
            }
            move || drop(job)
        }
    });
    (*answer).clone()
}

/// All that was found, in cards.
fn cards(bench: &Bench, found: &Rc<Findings>, experiment: &Rc<Experiment>) -> Html {
    let save = |write: fn(&Findings) -> String| {
        let found = Rc::clone(found);
        move || write(&found)
    };
    let algorithm = |(number, finding): (usize, &Finding)| {
        let cycle = finding.cycle.as_ref().map(|_| {
            let (bench, found, experiment) = (bench.clone(), Found(Rc::clone(found)), Rc::clone(experiment));
            html! { <CycleFigure {bench} {found} {experiment} {number} /> }
        });
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
    /// The experiment that was checked. While a new one is checked, the bench already has that.
    experiment: Rc<Experiment>,
    number: usize,
}

/// The size of the picture of a cycle in a file, in pixels.
const FILE: Size = Size::new(760.0, 560.0);

/// A dependency cycle on the network, and the messages that realise it.
#[component]
fn CycleFigure(props: &CycleProps) -> Html {
    let canvas = use_node_ref();
    let (found, number) = (Rc::clone(&props.found.0), props.number);
    let witnesses = found.algorithms.get(number).map(|finding| finding.witnesses.clone()).unwrap_or_default();
    let draw: Draw = {
        let mut experiment = (*props.experiment).clone();
        experiment.view.layout = props.bench.experiment.view.layout;
        let cycle = found.algorithms.get(number).and_then(|finding| finding.cycle.clone());
        Rc::new(move |size| match &cycle {
            Some(cycle) => cycle.draw(&experiment, size),
            None => Scene { size, shapes: Vec::new() },
        })
    };
    use_picture(&canvas, Rc::clone(&draw));
    let file = |save: fn(&str, &Scene, &str)| {
        let (draw, experiment) = (Rc::clone(&draw), Rc::clone(&props.bench.experiment));
        move || save("cycle", &draw(FILE), &notes(&experiment))
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
