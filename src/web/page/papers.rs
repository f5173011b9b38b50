//! Papers view: each published table, figure and claim beside the computed values. It opens with
//! precomputed answers; the page can compute every item again.

mod chart;
mod item;
mod rows;
mod table;
mod verdicts;

use std::rc::Rc;

use yew::platform::spawn_local;
use yew::prelude::*;

use crate::experiment::{Experiment, Tab};
use crate::papers::{Item, Paper, ROWS, items, papers};
use crate::report::answers::{Answer, Answers};
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::jobs::job::JobKind;
use crate::web::stage::formula::typeset;
use item::ItemCard;
use rows::Statements;

/// Loading state of the precomputed answers.
#[derive(Clone)]
enum PrecomputedState {
    /// The answers are being loaded.
    Loading,
    /// The answers are loaded.
    Loaded(Rc<Answers>),
    /// The answers cannot be loaded or parsed.
    Unavailable,
}

impl PartialEq for PrecomputedState {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // Answers are loaded once and never change.
            (Self::Loaded(one), Self::Loaded(other)) => Rc::ptr_eq(one, other),
            (Self::Loading, Self::Loading) | (Self::Unavailable, Self::Unavailable) => true,
            _ => false,
        }
    }
}

impl PrecomputedState {
    /// Returns the precomputed answers, and the answer to `item`.
    fn answer(&self, item: &Item) -> Option<(&Answers, &Answer)> {
        let Self::Loaded(answers) = self else { return None };
        answers.get(item).map(|answer| (&**answers, answer))
    }
}

/// Loads the precomputed answers. The page contains their address.
#[hook]
fn use_precomputed_state() -> PrecomputedState {
    let precomputed_state = use_state_eq(|| PrecomputedState::Loading);
    use_effect_with((), {
        let found = precomputed_state.setter();
        move |()| {
            spawn_local(async move {
                let bytes = match Some(dom::program_files().answers).filter(|url| !url.is_empty()) {
                    Some(url) => dom::bytes_at(&url).await,
                    None => None,
                };
                let answers = bytes.and_then(|bytes| Answers::from_bytes(&bytes).ok());
                found.set(
                    answers.map_or(PrecomputedState::Unavailable, |answers| PrecomputedState::Loaded(Rc::new(answers))),
                );
            });
        }
    });
    (*precomputed_state).clone()
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

#[component]
pub(crate) fn Papers(props: &Props) -> Html {
    let context = &props.context;
    let precomputed_state = use_precomputed_state();
    let wanted = context.experiment.view.paper.clone();
    let are_rows_wanted = wanted.as_deref() == Some(ROWS);
    let found = wanted.as_deref().filter(|_| !are_rows_wanted).map(paper_of);
    // Without a name in the address, show a paper with experiments of the current kind first.
    let kind = context.experiment.kind();
    let number = found.flatten().or_else(|| papers().iter().position(|paper| paper.kinds.contains(&kind))).unwrap_or(0);
    use_item_in_view(&wanted, precomputed_state == PrecomputedState::Loading);
    let show_rows = {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| show(&context, ROWS))
    };
    let choice = |(other, paper): (usize, &&'static Paper)| {
        let context = context.clone();
        let id = paper.id;
        let onclick = Callback::from(move |_: MouseEvent| show(&context, id));
        html! {
            <button type="button" {onclick} aria-pressed={(other == number && !are_rows_wanted).to_string()} title={paper.authors}>
                {paper.title}
            </button>
        }
    };
    html! {
        <section class="stage stage--wide papers" aria-label="Published numbers">
            { verdicts::all_verdicts(&precomputed_state) }
            if let (Some(wanted), Some(None)) = (wanted, found) {
                <p class="hint" role="status">{format!("No paper and no item is called {wanted}: choose a paper below.")}</p>
            }
            <div class="choices" role="group" aria-label="Papers">
                { for papers().iter().enumerate().map(choice) }
                <button type="button" onclick={show_rows} aria-pressed={are_rows_wanted.to_string()}>{"Every statement"}</button>
            </div>
            if are_rows_wanted {
                <Statements context={context.clone()} />
            } else {
                <PaperSection key={number} context={context.clone()} {number} {precomputed_state} />
            }
        </section>
    }
}

/// Scrolls the item in the address into view and gives it the focus. The answers above it move it when
/// they arrive: then it is scrolled into view again, unless the user has gone elsewhere meanwhile.
#[hook]
fn use_item_in_view(wanted: &Option<String>, is_loading: bool) {
    let item = items().find(|item| Some(item.id) == wanted.as_deref()).map(|item| item.id);
    use_effect_with(item, |item| item.iter().for_each(|id| dom::focus_section(id)));
    use_effect_with(is_loading, move |is_loading| {
        if let Some(id) = item.filter(|_| !is_loading) {
            dom::scroll_to_focused_section(id);
        }
    });
}

/// Returns the index of the paper called `name`, or with an item called `name`.
fn paper_of(name: &str) -> Option<usize> {
    let id = items().find(|item| item.id == name).map_or(name, |item| item.paper.id);
    papers().iter().position(|paper| paper.id == id)
}

/// Shows the paper or item called `name`, and puts it into the address.
fn show(context: &AppContext, name: &str) {
    context.edit_with(|next| next.view.paper = Some(name.to_owned()));
}

#[derive(Properties, PartialEq)]
struct PaperSectionProps {
    context: AppContext,
    /// Index of the paper.
    number: usize,
    precomputed_state: PrecomputedState,
}

/// Renders a paper: its heading with its verdicts, then its items.
#[component]
fn PaperSection(props: &PaperSectionProps) -> Html {
    let precise = use_state_eq(|| false);
    let Some(&paper) = papers().get(props.number) else { return Html::default() };
    let context = &props.context;
    let within = precise.then_some(paper.fine);
    let all = {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| {
            for (number, item) in paper_items(paper).filter(|(_, item)| item.is_simulated()) {
                context.jobs.start(JobKind::Paper(number), &item.experiments(within));
            }
        })
    };
    let precision = {
        let precise = precise.clone();
        Callback::from(move |_: Event| precise.set(!*precise))
    };
    let card = |(number, item): (usize, &'static Item)| {
        html! { <ItemCard key={item.id} context={context.clone()} {number} {within} precomputed_state={props.precomputed_state.clone()} /> }
    };
    html! {
        <>
            <div class="caption" id={paper.id}>
                <h2>{paper.title}</h2>
                <p>{paper.authors}{". "}{ typeset(paper.about) }</p>
                { verdicts::paper_verdicts(context, &props.precomputed_state, paper) }
                <p class="actions">
                    <button type="button" class="primary" onclick={all}>{"Compute all items"}</button>
                    <label class="check"><input type="checkbox" checked={*precise} onchange={precision} />
                        <span>{paper.fine_words}</span></label>
                </p>
            </div>
            { for paper_items(paper).map(card) }
        </>
    }
}

/// Returns the items of a paper, each with its index among all items.
fn paper_items(paper: &Paper) -> impl Iterator<Item = (usize, &'static Item)> {
    items().enumerate().filter(move |(_, item)| item.paper.id == paper.id)
}

/// Renders a link that opens an experiment in its view.
fn experiment_link(context: &AppContext, experiment: Experiment, name: impl Into<AttrValue>) -> Html {
    let context = context.clone();
    let href = format!("#{experiment}");
    let onclick = Callback::from(move |event: MouseEvent| {
        event.prevent_default();
        context.on_open.emit(experiment.clone());
    });
    html! { <a {href} {onclick}>{name.into()}</a> }
}

/// Returns the label of a link that opens an experiment in its view.
fn open_label(experiment: &Experiment) -> &'static str {
    match experiment.view.tab {
        Tab::Watch => "Open in Watch",
        Tab::Measure => "Open in Measure",
        Tab::Check => "Open in Check",
        Tab::Papers => "Open",
    }
}

/// Renders a link to an item, with the label `name`.
fn item_link(context: &AppContext, item: &'static Item, name: &str) -> Html {
    let mut there = (*context.experiment).clone();
    there.view.paper = Some(item.id.to_owned());
    let context = context.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        // With a modifier key, the browser opens the link elsewhere, as usual.
        if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
            event.prevent_default();
            show(&context, item.id);
            // The item may be in the address already, and out of sight.
            dom::focus_section(item.id);
        }
    });
    html! { <a href={format!("#{there}")} {onclick}>{ typeset(name) }</a> }
}
