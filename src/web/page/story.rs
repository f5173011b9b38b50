//! What a preset tells, above its figure; once something is changed, the way back to it.

use yew::prelude::*;

use super::lessons::lessons;
use crate::experiment::Family;
use crate::experiment::presets::{Preset, Story, preset, presets};
use crate::web::bench::Bench;
use crate::web::form::word::worded;

/// What the first example leads to beside the next one: what people come for who do not know yet how much there is.
const ALSO: [(&str, &str); 4] = [
    ("a deadlock", "minimal-deadlock"),
    ("a routing that collapses", "up-collapses"),
    ("a torus", "torus-block"),
    ("a fat-tree", "fat-tree-permutation"),
];

/// Opens a preset.
pub(crate) fn open(bench: &Bench, preset: &Preset) {
    match preset.experiment.parse() {
        Ok(experiment) => bench.open.emit(experiment),
        Err(error) => bench.refuse.emit(format!("{error}")),
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: Bench,
}

/// The story of the experiment, if it is one of the presets. After a change it keeps its place, so that nothing below moves under the
/// pointer, and says no more than where one came from.
#[component]
pub(crate) fn Telling(props: &Props) -> Html {
    let bench = &props.bench;
    let last = use_mut_ref(|| None::<&'static Preset>);
    let story = Story::of(&bench.experiment);
    let told = story.as_ref().map(|story| story.preset).or_else(|| last.borrow().filter(|last| is_near(bench, last)));
    *last.borrow_mut() = told;
    let Some(told) = told else { return Html::default() };
    let button = |name: &'static str, preset: &'static Preset| {
        let bench = bench.clone();
        let onclick = Callback::from(move |_: MouseEvent| open(&bench, preset));
        html! { <button type="button" class="chip" {onclick} title={preset.title.clone()}>{name}</button> }
    };
    let (place, beside) = match &story {
        Some(Story { place: (place, all), next, .. }) => {
            (format!("{place} of {all}"), next.map(|next| button("Next example", next)))
        }
        None => ("changed".into(), Some(button("Back to the example", told))),
    };
    let is_first = presets().first().is_some_and(|first| std::ptr::eq(first, told));
    let also = ALSO.iter().filter_map(|&(name, id)| Some(button(name, preset(id)?)));
    html! {
        <section class={classes!("story", story.is_none().then_some("story--changed"))} aria-label="Example">
            <div>
                <b>{&told.title}</b>
                <p aria-hidden={story.is_none().to_string()}>{worded(&told.sentence)}</p>
            </div>
            <p class="story__place">{place}{ for beside }</p>
            if is_first { <p class="story__also">{"or see "}{ for also }{ lessons("a lesson", "chip") }</p> }
        </section>
    }
}

/// Whether what is shown is of the same sort as a preset.
fn is_near(bench: &Bench, preset: &Preset) -> bool {
    let shown = &bench.experiment;
    let sort = |other: &crate::experiment::Experiment| {
        other.kind() == shown.kind()
            && Family::of(other.network) == Family::of(shown.network)
            && other.view.tab == shown.view.tab
    };
    preset.experiment.parse().is_ok_and(|other| sort(&other))
}
