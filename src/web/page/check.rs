//! Check view: the analysis of the current instance, computed by a worker.

use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{Experiment, ViewOptions};
use crate::report::check_verdict::{CheckVerdict, VerdictMark};
use crate::report::files::file_name;
use crate::report::findings::{Finding, Findings};
use crate::report::picture::geometry::Size;
use crate::report::picture::scene::Scene;
use crate::report::source_note;
use crate::report::wording::count;
use crate::report::wording::facts::Fact;
use crate::report::wording::formula::{FormulaSpan, parts};
use crate::web::app_context::{AppContext, PlaybackHandle};
use crate::web::dom;
use crate::web::form::glossary::with_glossary_once;
use crate::web::jobs::pool::SingleJob;
use crate::web::rules::counterexample::open_counterexample;
use crate::web::stage::files::{export, save_png, save_svg, texts};
use crate::web::stage::formula::{formula, typeset};
use crate::web::stage::picture::{DrawFn, use_picture};
use crate::worker::protocol::{FromWorker, ToWorker};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

/// Answer of a worker.
#[derive(Clone)]
struct CheckAnswer {
    /// Text of the request, see [`analysis_key`].
    text: String,
    /// Experiment that was checked.
    experiment: Rc<Experiment>,
    result: Result<Rc<Findings>, Rc<str>>,
}

#[component]
pub(crate) fn Check(props: &Props) -> Html {
    let context = &props.context;
    let text = analysis_key(&context.experiment);
    let answer = use_answer(&text, &context.experiment, &context.remote);
    let is_late = answer.as_ref().is_none_or(|answer| answer.text != text);
    let random = !context.experiment.faults_are_fixed();
    let found = match &answer {
        Some(CheckAnswer { result: Ok(found), experiment, .. }) => Some((found, experiment)),
        Some(CheckAnswer { result: Err(problem), .. }) if !is_late => {
            return html! { <section class="stage stage--wide"><p role="alert">{problem.to_string()}</p></section> };
        }
        _ => None,
    };
    html! {
        <section class="stage stage--wide" aria-label="Exact results" role={context.role()} aria-busy={is_late.to_string()}>
            <div class="caption">
                <h2>{"Exact results"}</h2>
                <p>
                    {"The results are computed, not sampled, for the faults that Watch shows"}
                    {if random { format!(" (pattern {})", context.experiment.view.sample) } else { String::new() }}
                    {found.filter(|_| !is_late).map(|(found, _)| found.ground.clone())}{"."}
                </p>
            </div>
            if is_late { <p class="delayed"><progress aria-label="Computing exact results"></progress></p> }
            { for found.map(|(found, experiment)| cards(context, found, experiment)) }
        </section>
    }
}

/// Returns the text of everything that an answer depends on.
fn analysis_key(experiment: &Experiment) -> String {
    let mut asked = experiment.clone();
    asked.view = ViewOptions { sample: experiment.view.sample, ..Experiment::default().view };
    asked.to_string()
}

/// Starts an analysis whenever `text` changes, and returns the last answer.
#[hook]
fn use_answer(text: &str, experiment: &Rc<Experiment>, remote: &PlaybackHandle) -> Option<CheckAnswer> {
    let answer = use_state(|| None::<CheckAnswer>);
    use_effect_with(text.to_owned(), {
        let (answer, remote, experiment) = (answer.setter(), remote.clone(), Rc::clone(experiment));
        move |text: &String| {
            remote.set_analysis(None);
            let tell = {
                let (text, remote, answer, experiment) =
                    (text.clone(), remote.clone(), answer.clone(), Rc::clone(&experiment));
                move |result: Result<Rc<Findings>, Rc<str>>| {
                    if let Ok(found) = &result {
                        remote.set_analysis(Some(Rc::clone(found)));
                    }
                    answer.set(Some(CheckAnswer { text: text.clone(), experiment: Rc::clone(&experiment), result }));
                }
            };
            let hear = {
                let tell = tell.clone();
                move |message| match message {
                    FromWorker::CheckReport(found) => tell(Ok(Rc::new(*found))),
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

/// Renders the analysis as cards.
fn cards(context: &AppContext, found: &Rc<Findings>, experiment: &Rc<Experiment>) -> Html {
    let save = |write: fn(&Findings) -> String| {
        let found = Rc::clone(found);
        move || write(&found)
    };
    let algorithm = |(number, finding): (usize, &Finding)| {
        let cycle = finding.cycle.as_ref().map(|_| {
            let deadlocks = finding.deadlock.is_some();
            let (context, found, experiment) = (context.clone(), AnalysisRef(Rc::clone(found)), Rc::clone(experiment));
            html! { <CycleFigure {context} {found} {experiment} {number} {deadlocks} /> }
        });
        let watch = finding.deadlock.as_ref().map(|text| {
            let (context, text) = (context.clone(), text.clone());
            let onclick = Callback::from(move |_: MouseEvent| match text.parse::<Experiment>() {
                Ok(experiment) => {
                    open_counterexample(&context, &experiment);
                    context.on_open.emit(experiment);
                    dom::focus_figure();
                }
                Err(error) => context.on_refuse.emit(format!("{error}")),
            });
            html! { <p><button type="button" {onclick} title="The run that deadlocks">{"Watch the deadlock"}</button></p> }
        });
        let below = html! { <>{ for watch }{ details(&finding.facts) }{ for cycle }</> };
        html! { <section class="card"><h3>{finding.name.clone()}</h3>{ verdict(&finding.verdict) }{below}</section> }
    };
    html! {
        <>
            <div class="cards">
                { for found.algorithms.iter().enumerate().map(algorithm) }
                { card("This network", &found.network) }
                if !found.messages.is_empty() { { card("These messages", &found.messages) } }
            </div>
            <div class="actions check-actions">
                <p class="hint">{key_of_marks()}</p>
                { texts(&file_name::stem(experiment, "check"), save(|found| found.csv.clone()), save(|found| found.json.clone())) }
            </div>
        </>
    }
}

/// Renders a verdict: its mark and its sentence.
fn verdict(verdict: &CheckVerdict) -> Html {
    let CheckVerdict { mark, sentence } = verdict;
    html! {
        <p class={format!("check-verdict check-verdict--{}", mark.id())}>
            <i role="img" aria-label={mark.words()}>{mark.sign()}</i><b>{sentence.clone()}</b>
        </p>
    }
}

/// Returns the meanings of the marks.
fn key_of_marks() -> String {
    let marks = VerdictMark::ALL.map(|mark| format!("{} {}", mark.sign(), mark.words()));
    format!("Marks: {}.", marks.join("; "))
}

/// Renders the facts that hold under every algorithm, below a heading.
fn card(heading: &'static str, facts: &[Fact]) -> Html {
    html! { <section class="card"><h3>{heading}</h3>{ details(facts) }</section> }
}

/// Renders facts, collapsed.
fn details(facts: &[Fact]) -> Html {
    let mut told = Vec::new();
    let mut fact = |fact: &Fact| {
        let (what, meaning) = (with_glossary_once(&fact.what, &mut told), with_formulas(&fact.meaning, &mut told));
        html! { <div class="fact"><dt>{what}</dt><dd><b>{ typeset(&with_signs(&fact.value)) }</b><p>{meaning}</p></dd></div> }
    };
    html! {
        <details class="collapsed">
            <summary>{format!("Details: {}", count(facts.len() as u32, "exact result"))}</summary>
            <dl>{ for facts.iter().map(&mut fact) }</dl>
        </details>
    }
}

/// Renders a text with its formulas and the tooltips of its terms.
fn with_formulas(text: &str, told: &mut Vec<&'static str>) -> Html {
    let part = |part: FormulaSpan<'_>| match part {
        FormulaSpan::Text(words) => with_glossary_once(words, told),
        FormulaSpan::Formula(terms) => formula(&terms),
    };
    html! { <>{ for parts(text).into_iter().map(part) }</> }
}

/// Returns a value with the signs of comparisons as they are printed.
fn with_signs(value: &str) -> String {
    value.replace("<=", "≤").replace(">=", "≥")
}

/// Analysis that is compared by identity.
#[derive(Clone)]
struct AnalysisRef(Rc<Findings>);

impl PartialEq for AnalysisRef {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
struct CycleProps {
    context: AppContext,
    found: AnalysisRef,
    /// Experiment that was checked. The context already has the next experiment while a worker
    /// checks it.
    experiment: Rc<Experiment>,
    number: usize,
    /// True if a deadlock of the algorithm was found.
    deadlocks: bool,
}

/// Returns the explanation of a dependency cycle of `channels` channels. Its numbers are those of
/// channels, so a deadlock that was found has its own numbers, those of messages.
fn cycle_hint(channels: usize, deadlocks: bool) -> String {
    let channels = count(channels as u32, "channel");
    let apart =
        if deadlocks { " The deadlock above is a run of its own, and its numbers are those of messages." } else { "" };
    format!(
        "Shortest dependency cycle: {channels}, numbered as in the picture, each with a message that may hold it.{apart}"
    )
}

/// Size of the exported picture of a cycle, in pixels.
const FILE: Size = Size::new(760.0, 560.0);

/// Renders a dependency cycle in the network, and the messages that realise it.
#[component]
fn CycleFigure(props: &CycleProps) -> Html {
    let canvas = use_node_ref();
    let (found, number) = (Rc::clone(&props.found.0), props.number);
    let witnesses = found.algorithms.get(number).map(|finding| finding.witnesses.clone()).unwrap_or_default();
    let draw: DrawFn = {
        let mut experiment = (*props.experiment).clone();
        experiment.view.layout = props.context.experiment.view.layout;
        let cycle = found.algorithms.get(number).and_then(|finding| finding.cycle.clone());
        Rc::new(move |size| match &cycle {
            Some(cycle) => cycle.draw(&experiment, size),
            None => Scene { size, shapes: Vec::new() },
        })
    };
    use_picture(&canvas, Rc::clone(&draw));
    let file = |save: fn(&str, &Scene, &str)| {
        let (draw, experiment) = (Rc::clone(&draw), Rc::clone(&props.context.experiment));
        move || save(&file_name::stem(&experiment, "cycle"), &draw(FILE), &source_note(&experiment))
    };
    html! {
        <figure class="cycle">
            <canvas ref={canvas} role="img" aria-label="The cycle in the network: its links are numbered in order. The list \
                                                        below describes the same cycle."></canvas>
            <p class="hint">{cycle_hint(witnesses.len(), props.deadlocks)}</p>
            <ol>{ for witnesses.into_iter().map(|told| html! { <li>{told}</li> }) }</ol>
            <div class="exports" role="group" aria-label="Export cycle">
                { export("SVG", file(save_svg)) }
                { export("PNG", file(save_png)) }
            </div>
        </figure>
    }
}
