//! List of algorithms: the suitable ones, the counterexamples, and the unsuitable ones with the
//! reasons.

use std::sync::Arc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::dialogs::has_all;
use crate::experiment::{Experiment, Tab};
use crate::routing::rules::EXAMPLES;
use crate::routing::{self, ALGORITHMS, Algorithm, UseCase};
use crate::topology::Mesh;
use crate::web::app_context::{AppContext, short_problem};
use crate::web::form::field::{Commit, TextField};
use crate::web::form::keys::fieldset;
use crate::web::rules::starting_rules;

/// Maximum number of algorithms that are listed without a search field.
const MAX_WITHOUT_SEARCH: usize = 7;
/// Number of algorithms shown of a longer list.
const SHOWN_OF_MANY: usize = 4;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

/// Renders the algorithms as checkboxes; a long list can be searched.
#[component]
pub(crate) fn Routing(props: &Props) -> Html {
    let context = &props.context;
    let wanted = use_state(String::new);
    let oninput = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| {
            wanted.set(event.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    let experiment = &*context.experiment;
    let AlgorithmGroups { here, to_fail, not_here } = listed(experiment);
    let many = here.len() + to_fail.len() > MAX_WITHOUT_SEARCH;
    let found = |algorithm: &&Arc<Algorithm>| {
        let chosen = experiment.routing.contains(algorithm);
        !many
            || chosen
            || has_all(&[&*algorithm.id, &algorithm.name, &search_text(experiment, algorithm)].concat(), &wanted)
    };
    // Of a long list, show the chosen and the first algorithms, and all that match a search.
    let looking = many && !wanted.trim().is_empty();
    let is_open = |place: usize, one: &Arc<Algorithm>| {
        !many || looking || place < SHOWN_OF_MANY || experiment.routing.contains(one)
    };
    let (open, folded): (Vec<_>, Vec<_>) =
        here.iter().filter(found).enumerate().partition(|(place, one)| is_open(*place, one));
    let items =
        |all: Vec<(usize, &Arc<Algorithm>)>| all.into_iter().map(|(_, one)| item(context, one)).collect::<Vec<_>>();
    let to_fail: Vec<_> = to_fail.iter().filter(found).map(|one| item(context, one)).collect();
    let more = folded.len() + if looking { 0 } else { to_fail.len() };
    let rest = html! {
        <>
            <div>{ for items(folded) }</div>
            if !to_fail.is_empty() { <p class="hint group">{"Flawed on purpose"}</p> }
            <div>{ for to_fail }</div>
        </>
    };
    let misfits =
        not_here.into_iter().map(|(name, why)| html! { <><dt>{name}</dt><dd>{why}</dd></> }).collect::<Vec<_>>();
    fieldset(
        "Routing",
        html! {
            <>
                if many {
                    <input type="search" class="find" aria-label="Search the routings" placeholder="such as: never deadlocks"
                        value={(*wanted).clone()} {oninput} />
                }
                // The list has an element of its own, so that elements with keys and elements
                // without keys do not mix.
                <div>{ for items(open) }</div>
                if many && !looking { <details><summary>{format!("{more} more routings")}</summary>{ rest }</details> } else { { rest } }
                if !misfits.is_empty() {
                    <details><summary>{format!("{} unsuitable routings, with reasons", misfits.len())}</summary><dl class="unsuitable">{ for misfits }</dl></details>
                }
                { rules_buttons(context) }
                if experiment.kind().offers_hierarchies && experiment.mesh().is_some() {
                    <TextField label="Add misroutes" value="" commit={add_by_name(context)} hint="The name of a search with a number of misroutes, such as mb-3." />
                } else if experiment.kind().offers_hierarchies {
                    <TextField label="Add levels" value="" commit={add_by_name(context)} hint="The name of a hierarchy of dimension levels, such as 2e+3f." />
                }
            </>
        },
    )
}

/// Renders the buttons that open new rules or the rules of a chosen algorithm. If the experiment
/// has rules, the only button opens the editor.
fn rules_buttons(context: &AppContext) -> Html {
    let experiment = &*context.experiment;
    let is_possible = match experiment.kind().use_case {
        UseCase::Worms | UseCase::Messages => true,
        // Rules set up circuits on hypercubes only.
        UseCase::Circuits => experiment.cube().is_some(),
        _ => false,
    };
    if !is_possible {
        return Html::default();
    }
    let button = |label: String, act: fn(&AppContext, &'static str), text: &'static str| {
        let context = context.clone();
        let onclick = Callback::from(move |_: MouseEvent| act(&context, text));
        html! { <button type="button" {onclick}>{label}</button> }
    };
    if experiment.rules.is_some() {
        let edit = |context: &AppContext, _: &'static str| {
            context.editor.request_focus();
            context.edit_with(|next| next.view.tab = Tab::Watch);
        };
        let there = experiment.view.tab == Tab::Watch;
        return html! { if !there { <div class="chips">{ button("Edit the rules".into(), edit, "") }</div> } };
    }
    let example = |one: &Arc<Algorithm>| {
        let example = EXAMPLES.iter().find(|example| example.name == one.id)?;
        Some(button(format!("Open {} as rules", one.name), starting_rules::open, example.text))
    };
    let examples = experiment.routing.iter().filter_map(example);
    html! {
        <div class="user-rules">
            { button("Write your own".into(), starting_rules::open, starting_rules::minimal_rules(experiment.network)) }
            { for examples }
        </div>
    }
}

/// Algorithms of the list, by group.
struct AlgorithmGroups {
    here: Vec<Arc<Algorithm>>,
    to_fail: Vec<Arc<Algorithm>>,
    /// Names of the algorithms that cannot be chosen, with the reasons.
    not_here: Vec<(String, String)>,
}

fn listed(experiment: &Experiment) -> AlgorithmGroups {
    let mut listed = AlgorithmGroups { here: Vec::new(), to_fail: Vec::new(), not_here: Vec::new() };
    let kind = experiment.kind();
    // The list of algorithms contains no hierarchies: add the chosen ones.
    let made = experiment.routing.iter().filter(|algorithm| algorithm.dimension.is_some());
    // User-defined routings are listed whether they are in use or not.
    let own = experiment.rules.iter().flat_map(|rules| rules.routings());
    let known = ALGORITHMS.iter().filter(|algorithm| algorithm.check_use(kind.use_case).is_ok()).cloned().map(Arc::new);
    for algorithm in own.cloned().chain(known).chain(made.cloned()) {
        match check_choice(experiment, &algorithm) {
            Err(why) => listed.not_here.push((algorithm.name.to_string(), why)),
            Ok(()) if algorithm.promises.is_counter_example => listed.to_fail.push(algorithm),
            Ok(()) => listed.here.push(algorithm),
        }
    }
    listed
}

/// Checks that the user can choose an algorithm for the current experiment.
fn check_choice(experiment: &Experiment, algorithm: &Arc<Algorithm>) -> Result<(), String> {
    if experiment.routing.contains(algorithm) {
        return Ok(());
    }
    experiment.kind().takes(algorithm, experiment.network).map_err(|misfit| misfit.to_string())?;
    let mut alone = experiment.clone();
    alone.routing = vec![Arc::clone(algorithm)];
    alone.validate().map_err(|error| short_problem(&error))
}

/// Returns the text that a search for an algorithm matches: its promises, summary, guarantee and
/// paper.
fn search_text(experiment: &Experiment, algorithm: &Algorithm) -> String {
    [&promises_text(experiment, algorithm), algorithm.summary, algorithm.guarantee, algorithm.paper].join(" ")
}

/// Returns the tooltip of an algorithm: a sentence on what it does, and its promises. The help has
/// the full text.
fn tooltip(experiment: &Experiment, algorithm: &Algorithm) -> String {
    let does = algorithm.summary.split_once("; ").map_or(algorithm.summary, |(first, _)| first);
    format!("{}.\n{}", does.trim_end_matches('.'), promises_text(experiment, algorithm))
}

/// Returns the promises of an algorithm, and the number of virtual channel classes that it needs.
fn promises_text(experiment: &Experiment, algorithm: &Algorithm) -> String {
    let waits = matches!(experiment.kind().use_case, UseCase::Circuits | UseCase::Worms)
        || experiment.setting.batch().is_some();
    // Circuits have no virtual channels. Without them, e-cube can deadlock around a torus.
    let is_circuit = experiment.setting.circuit().is_some();
    let waits = waits && !(is_circuit && experiment.mesh().is_some_and(Mesh::is_torus));
    let classes = match (&algorithm.worm, experiment.mesh()) {
        (Some(worm), Some(mesh)) if !is_circuit => Some(worm.vc_classes(mesh)),
        _ => None,
    };
    let classes =
        classes.map(|count| format!("{count} class{} of virtual channels", if count == 1 { "" } else { "es" }));
    let promises = algorithm.promises.summary(waits).map(str::to_owned).chain(classes);
    promises.collect::<Vec<_>>().join(" · ")
}

fn item(context: &AppContext, algorithm: &Arc<Algorithm>) -> Html {
    let chosen = &context.experiment.routing;
    let place = chosen.iter().position(|other| other == algorithm);
    let onchange = {
        let (context, algorithm) = (context.clone(), Arc::clone(algorithm));
        Callback::from(move |_: Event| {
            context.edit_with(|next| match place {
                Some(place) if next.routing.len() > 1 => {
                    next.routing.remove(place);
                }
                Some(_) => {}
                None => next.routing.push(Arc::clone(&algorithm)),
            });
        })
    };
    let swatch = place.map(|place| format!("swatch swatch--{}", place % 7));
    // At least one algorithm stays chosen.
    let disabled = place.is_some() && chosen.len() == 1;
    html! {
        <label class="check" key={algorithm.id.to_string()} data-tip={tooltip(&context.experiment, algorithm)}>
            <input type="checkbox" checked={place.is_some()} {disabled} {onchange} />
            // The element always exists: inserting it later would recreate its siblings and lose
            // the focus.
            <span>{&*algorithm.name}</span><i class={swatch}></i>
        </label>
    }
}

/// Returns a callback that adds an algorithm, such as a hierarchy, by its name.
fn add_by_name(context: &AppContext) -> Commit {
    let context = context.clone();
    Callback::from(move |id: String| {
        let algorithm = routing::find(id.trim()).map_err(|problem| problem.to_string())?;
        let mut next = (*context.experiment).clone();
        if !next.routing.contains(&algorithm) {
            next.routing.push(algorithm);
        }
        context.apply(Ok(next))
    })
}
