//! Rules to start from: a routing of one line, a published one, an exercise.

use yew::prelude::*;

use super::counterexample::own_experiment;
use crate::experiment::{Experiment, Tab};
use crate::routing::rules::{EXAMPLES, EXERCISES, Exercise};
use crate::topology::Network;
use crate::web::app_context::{AppContext, short_problem};

/// Experiments for rules that do not run on the current network.
const OTHER_NETWORKS: [&str; 3] =
    ["v=2&net=mesh:6x6&switch=wormhole", "v=2&net=torus:6x6&switch=wormhole", "v=2&net=cube:4"];

/// Returns minimal rules to start from on `network`: every shortest path.
pub(crate) fn minimal_rules(network: Network) -> &'static str {
    let is_plane = network.mesh().is_some_and(|mesh| mesh.is_plane());
    match network {
        _ if is_plane && network.mesh().is_some_and(|mesh| mesh.is_torus()) => {
            "routing mine on torus 2\nalways take minimal \"any hop nearer to its destination\""
        }
        Network::Mesh(_) if !is_plane => {
            "routing mine on mesh, torus\nalways take minimal \"any hop nearer to its destination\""
        }
        Network::Hypercube(_) => "routing mine on cube\nalways take wrong \"any wrong dimension\"",
        _ => "routing mine on mesh 2\nalways take minimal \"any hop nearer to its destination\"",
    }
}

/// Returns `experiment` with these rules instead of its routings, or another experiment if the rules
/// do not run on its network.
pub(crate) fn with_rules(experiment: &Experiment, text: &str) -> Result<Experiment, String> {
    let here = experiment.with_key("rules", text).map_err(|error| short_problem(&error)).and_then(|mut next| {
        let rules = next.rules.clone();
        next.routing.retain(|one| rules.as_ref().is_some_and(|rules| rules.find(&one.id).is_some()));
        next.validate().map_err(|error| short_problem(&error))?;
        if next.routing.is_empty() { Err("the rules do not run on this network".into()) } else { Ok(next) }
    });
    let there = || OTHER_NETWORKS.iter().find_map(|other| Experiment::with_rules(other, text).ok());
    let mut next = here.or_else(|problem| there().ok_or(problem))?;
    next.view.tab = Tab::Watch;
    Ok(next)
}

/// Stashes the current rules if the user wrote them.
fn stash_user_rules(context: &AppContext) {
    let Some(rules) = context.experiment.rules.as_ref() else { return };
    let is = |text: &str| text.lines().map(str::trim_end).eq(rules.text().lines());
    let is_given = EXAMPLES.iter().any(|example| is(example.text))
        || EXERCISES.iter().any(|exercise| is(exercise.flawed) || is(exercise.corrected))
        || is(minimal_rules(context.experiment.network));
    if !is_given {
        context.editor.stash(rules.text());
    }
}

/// Opens an editor with these rules.
pub(crate) fn open(context: &AppContext, text: &str) {
    match with_rules(&context.experiment, text) {
        Ok(next) => {
            stash_user_rules(context);
            context.editor.request_focus();
            context.on_open.emit(next);
        }
        Err(problem) => context.on_refuse.emit(problem),
    }
}

/// Opens an exercise in the experiment that shows its flaw.
pub(super) fn open_exercise(context: &AppContext, exercise: &Exercise) {
    match Experiment::with_rules(exercise.experiment, exercise.flawed) {
        Ok(experiment) => {
            stash_user_rules(context);
            // Consecutive exercises lead back to the experiment before the first one.
            let before = match context.experiment.rules.as_ref().and_then(|rules| exercise_of(rules.text())) {
                Some(here) => context.editor.before_exercise(here.name),
                None => Some(own_experiment(context)),
            };
            context.editor.set_before_exercise(before.map(|before| (before, exercise.name)));
            context.editor.request_focus();
            context.on_open.emit(experiment);
        }
        Err(error) => context.on_refuse.emit(format!("{error}")),
    }
}

/// Renders the exercises by number, with their descriptions unless `is_short`. A press is passed to
/// `pressed` first.
pub(crate) fn exercises(context: &AppContext, pressed: &Callback<MouseEvent>, is_short: bool) -> Html {
    let here = context.experiment.rules.as_ref().and_then(|rules| exercise_of(rules.text()));
    let button = |(number, exercise): (usize, &'static Exercise)| {
        let (context, pressed) = (context.clone(), pressed.clone());
        let onclick = Callback::from(move |event: MouseEvent| {
            pressed.emit(event);
            open_exercise(&context, exercise);
        });
        let is_here = here.is_some_and(|here| here.name == exercise.name);
        let said = format!("{}: {}", number + 1, exercise.about);
        let name = if is_short { (number + 1).to_string() } else { said.clone() };
        html! {
            <button type="button" class="chip chip--plain" {onclick} title={said} aria-pressed={is_here.to_string()}>{name}</button>
        }
    };
    html! { <span class="chips">{ for EXERCISES.iter().enumerate().map(button) }</span> }
}

/// Opens an editor with minimal rules, for the current network if user-defined rules run there.
pub(crate) fn open_first(context: &AppContext) {
    open(context, minimal_rules(context.experiment.network));
}

/// Returns the exercise whose flawed or corrected rules have the same first comment as `text`.
pub(super) fn exercise_of(text: &str) -> Option<&'static Exercise> {
    let first = comments(text).next()?;
    let is_its = |of: &str| comments(of).next() == Some(first);
    EXERCISES.iter().find(|exercise| is_its(exercise.flawed) || is_its(exercise.corrected))
}

/// Returns the comments at the beginning of a text, as one paragraph.
pub(super) fn task_text(text: &str) -> String {
    comments(text).collect::<Vec<_>>().join(" ")
}

/// Returns the comments at the beginning of a text.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    text.trim_start().lines().map_while(|line| Some(line.strip_prefix('#')?.trim()))
}
