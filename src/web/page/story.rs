//! Story of a preset above its figure; after a change, the way back to the preset.

use yew::prelude::*;

use super::lesson_links::lessons;
use crate::experiment::presets::{Preset, PresetPosition, preset};
use crate::experiment::{Experiment, NetworkFamily};
use crate::report::wording::differences::names;
use crate::web::app_context::AppContext;
use crate::web::form::glossary::with_glossary;

/// Presets that link to each other, as an overview for newcomers.
const OVERVIEW_PRESETS: [(&str, &str); 5] = [
    ("a detour", "around"),
    ("a deadlock", "minimal-deadlock"),
    ("a routing that collapses", "up-collapses"),
    ("a torus", "torus-block"),
    ("a fat-tree", "fat-tree-permutation"),
];

/// Opens a preset.
pub(crate) fn open(context: &AppContext, preset: &Preset) {
    match preset.experiment.parse() {
        Ok(experiment) => context.on_open.emit(experiment),
        Err(error) => context.on_refuse.emit(format!("{error}")),
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

/// Renders the story of the experiment, if it is a preset. After an edit the element keeps its
/// size, so that nothing below moves, and lists the changes.
#[component]
pub(crate) fn PresetStory(props: &Props) -> Html {
    let context = &props.context;
    let last = use_mut_ref(|| None::<&'static Preset>);
    let story = PresetPosition::find(&context.experiment);
    let told =
        story.as_ref().map(|story| story.preset).or_else(|| last.borrow().filter(|last| is_similar(context, last)));
    *last.borrow_mut() = told;
    let Some(told) = told else { return Html::default() };
    let button = |name: &'static str, preset: &'static Preset| {
        let context = context.clone();
        let is_here = story.as_ref().is_some_and(|story| std::ptr::eq(story.preset, preset));
        let onclick = Callback::from(move |_: MouseEvent| open(&context, preset));
        html! {
            <button type="button" class="chip" {onclick} title={preset.title.clone()} aria-current={is_here.then_some("true")}>{name}</button>
        }
    };
    let is_whole = story.is_some();
    let whole = if is_whole {
        None
    } else {
        told.experiment.parse().ok().and_then(|experiment| PresetPosition::find(&experiment))
    };
    let unchanged =
        story.as_ref().or(whole.as_ref()).map(|PresetPosition { position_and_length: (place, all), next, .. }| {
            // Use the name of the kind up to its comma.
            let (kind, _) =
                context.experiment.kind().name.split_once(',').unwrap_or((context.experiment.kind().name, ""));
            let next = next.map(|next| button("Next example", next));
            html! { <>{ format!("Example {place} of {all} with {kind}") }{ for next }</> }
        });
    let place = match is_whole {
        true => html! { <p class="story__place">{ for unchanged }</p> },
        // The invisible text keeps the space of the previous one.
        false => html! {
            <div class="story__places">
                <p class="story__place story__place--was" aria-hidden="true" inert={true}>{ for unchanged }</p>
                <p class="story__place">{"Changed"}{ button("Back to the example", told) }</p>
            </div>
        },
    };
    let sentence = if is_whole { with_glossary(&told.sentence) } else { describe_changes(context, told).into() };
    let also = OVERVIEW_PRESETS.iter().filter_map(|&(name, id)| Some(button(name, preset(id)?)));
    let leads_on = OVERVIEW_PRESETS.iter().any(|&(_, id)| id == told.id);
    html! {
        <section class={classes!("story", (!is_whole).then_some("story--changed"))} aria-label="Example">
            <div>
                <b>{&told.title}</b>
                <p>{sentence}</p>
                // The invisible sentence keeps the height of the element.
                if !is_whole { <p aria-hidden="true">{&told.sentence}</p> }
            </div>
            { place }
            if leads_on { <p class="story__also">{"Or see "}{ for also }{ lessons("a lesson", "chip") }</p> }
        </section>
    }
}

/// Describes how the experiment differs from a preset.
fn describe_changes(context: &AppContext, preset: &Preset) -> String {
    let Ok(example) = preset.experiment.parse::<Experiment>() else { return String::new() };
    let named = names(example.diff(&context.experiment));
    if named.is_empty() { String::new() } else { format!("You changed this example: {}.", named.join(", ")) }
}

/// Returns whether the experiment has the kind, network family and view of a preset.
fn is_similar(context: &AppContext, preset: &Preset) -> bool {
    let shown = &context.experiment;
    let sort = |other: &Experiment| {
        other.kind() == shown.kind()
            && NetworkFamily::from_network(other.network) == NetworkFamily::from_network(shown.network)
            && other.view.tab == shown.view.tab
    };
    preset.experiment.parse().is_ok_and(|other| sort(&other))
}
