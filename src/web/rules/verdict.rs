//! Verdict on the rules during editing: one line, its coverage, and each flaw with an experiment
//! that shows it.

use yew::prelude::*;

use super::counterexample::open_counterexample;
use super::starting_rules::exercise_of;
use crate::experiment::refute::is_solved;
use crate::experiment::{Experiment, Tab};
use crate::report::refutation::VerdictClass;
use crate::routing::rules::Exercise;
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::jobs::pool::SingleJob;
use crate::web::stage::view::instance_key;
use crate::worker::protocol::{FlawReport, FromWorker, ToWorker};

/// Result of a search, so far.
#[derive(Clone, Default, PartialEq)]
struct RuleSearchResult {
    verdict: String,
    class: VerdictClass,
    coverage: String,
    flaws: Vec<FlawReport>,
    share: f64,
    problem: Option<String>,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

/// Returns the experiment to search: the current one with its first user-defined routing, without a
/// varied parameter.
fn searched_experiment(experiment: &Experiment) -> Option<Experiment> {
    let rules = experiment.rules.as_ref()?;
    let chosen = experiment.routing.iter().find(|one| rules.find(&one.id).is_some());
    let fits = || rules.routings().iter().find(|own| experiment.kind().takes(own, experiment.network).is_ok());
    let routing = chosen.or_else(fits)?.clone();
    Some(Experiment { vary: None, routing: vec![routing], ..experiment.clone() })
}

/// Renders the verdict on the first user-defined routing. A new search starts whenever its input
/// changes.
#[component]
pub(crate) fn Verdict(props: &Props) -> Html {
    let context = &props.context;
    let found = use_state(RuleSearchResult::default);
    // Name of the exercise whose verdict the user has asked for.
    let revealed = use_state_eq(|| None::<&'static str>);
    let asked = searched_experiment(&context.experiment);
    let text = asked.as_ref().map(instance_key);
    use_effect_with(text, {
        let found = found.setter();
        move |text: &Option<String>| {
            found.set(RuleSearchResult::default());
            let hear = {
                let found = found.clone();
                move |message| {
                    found.set(match message {
                        FromWorker::Refuted { verdict, class, coverage, flaws, share } => {
                            RuleSearchResult { verdict, class, coverage, flaws, share, problem: None }
                        }
                        FromWorker::Failed { problem, .. } => {
                            RuleSearchResult { problem: Some(problem), ..RuleSearchResult::default() }
                        }
                        _ => return,
                    });
                }
            };
            let started = text.clone().map(|text| SingleJob::start(ToWorker::Refute(text), hear)).transpose();
            if let Err(problem) = &started {
                found.set(RuleSearchResult { problem: Some(problem.clone()), ..RuleSearchResult::default() });
            }
            move || drop(started)
        }
    });
    let name = asked.as_ref().and_then(|asked| asked.routing.first()).map_or("", |routing| &*routing.id);
    let is_done = found.share >= 1.0;
    let exercise = asked.as_ref().and_then(|asked| exercise_of(asked.rules.as_ref()?.text()));
    let is_solved = use_memo((asked.clone(), is_done), |(asked, is_done)| {
        let exercise = |asked: &Experiment| {
            let exercise = exercise_of(asked.rules.as_ref()?.text())?;
            Some(is_solved(asked, exercise))
        };
        asked.as_ref().filter(|_| *is_done).and_then(exercise) == Some(true)
    });
    // The status is announced once for each new result; the progress below is not announced.
    let said = match &found.problem {
        Some(problem) => problem.clone(),
        None if name.is_empty() => "No routing of these rules runs on this network.".into(),
        None if *is_solved && found.class == VerdictClass::LosesMessages => {
            format!("Exercise solved: the flaw is gone. What remains: {name} {}", found.verdict)
        }
        None if *is_solved => format!("Exercise solved: the flaw is gone. {name}: {}", found.verdict),
        None if is_done || !found.flaws.is_empty() => format!("{name}: {}", found.verdict),
        None => format!("{name}: no flaw found so far, with up to 2 faulty nodes …"),
    };
    let sort = match (&found.problem, found.flaws.is_empty()) {
        (None, false) if found.class == VerdictClass::Undecided => "open",
        // A solution may have a cost, such as lost messages, which is not the flaw to find.
        (None, false) if *is_solved => "partly",
        // The rules are safe with the experiment's faults, and have flaws with more faults only.
        (None, false) if found.class == VerdictClass::SafeAsGiven => "partly",
        (None, false) => "flawed",
        (None, true) if is_done => "safe",
        _ => "open",
    };
    let is_solved = *is_solved;
    let flaw = |(number, flaw): (usize, &FlawReport)| {
        let (context, witness) = (context.clone(), flaw.text.clone());
        let onclick = Callback::from(move |_: MouseEvent| match witness.parse::<Experiment>() {
            Ok(mut experiment) => {
                // Start at the beginning unless the experiment names a time.
                experiment.view.time.get_or_insert(0.0);
                open_counterexample(&context, &experiment);
                context.on_open.emit(experiment);
                dom::focus_figure();
            }
            Err(error) => context.on_refuse.emit(format!("{error}")),
        });
        let id = format!("flaw-{number}");
        let description = format!("{}{}.", flaw.description[..1].to_uppercase(), &flaw.description[1..]);
        html! {
            <li>
                <span id={id.clone()}>{description}</span>{" "}
                <button type="button" {onclick} aria-describedby={id} title="Undo returns to this experiment">
                    {match () {
                        () if flaw.is_undecided => "Open the experiment",
                        () if is_solved => "Watch it",
                        () => "Watch the flaw",
                    }}
                </button>
            </li>
        }
    };
    let flaws = found.flaws.iter().enumerate().map(flaw);
    // An exercise shows its verdict only when the user asks, has solved it, or reads the solution.
    let is_solution = |exercise: &Exercise| {
        let text = asked.as_ref().and_then(|asked| Some(asked.rules.as_ref()?.text().trim()));
        text == Some(exercise.corrected.trim())
    };
    if let Some(exercise) = exercise
        && *revealed != Some(exercise.name)
        && !is_solved
        && !is_solution(exercise)
    {
        return hidden_verdict(exercise.name, &revealed);
    }
    let check = {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| context.edit_with(|next| next.view.tab = Tab::Check))
    };
    let is_safe = sort == "safe" || found.class == VerdictClass::SafeAsGiven;
    html! {
        <div class="rule-verdict">
            <p id="verdict" role="status" class={format!("rule-verdict--{sort}")}>{said}</p>
            if is_solved || is_safe {
                <p class="solved">
                    <button type="button" onclick={check}>{if is_safe { "Open the proof in Check" } else { "Open the results in Check" }}</button>
                </p>
            }
            if !found.flaws.is_empty() { <ul>{ for flaws }</ul> }
            if !name.is_empty() && found.problem.is_none() && !(is_done && found.flaws.is_empty()) {
                <p class="hint">
                    {format!("Examined: {}.", if found.coverage.is_empty() { "nothing yet" } else { &found.coverage })}
                    if !is_done { <progress value={found.share.to_string()} max="1" aria-label="Progress of the search"></progress> }
                </p>
            }
        </div>
    }
}

/// Renders the invitation to find the flaw of an exercise, with a button that shows the verdict.
fn hidden_verdict(name: &'static str, revealed: &UseStateHandle<Option<&'static str>>) -> Html {
    let revealed = revealed.clone();
    let onclick = Callback::from(move |_: MouseEvent| revealed.set(Some(name)));
    html! {
        <div class="rule-verdict">
            <p id="verdict" role="status">{"Find the flaw before you look at the verdict: play the messages, and step through their hops."}</p>
            <p class="solved"><button type="button" {onclick}>{"Show the verdict"}</button></p>
        </div>
    }
}
