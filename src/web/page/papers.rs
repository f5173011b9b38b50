//! Papers: each published table, figure and claim beside the printed numbers. It opens with answers that were computed beforehand;
//! every item can be computed again here.

mod chart;
mod item;
mod table;
mod verdicts;

use std::rc::Rc;

use yew::platform::spawn_local;
use yew::prelude::*;

use crate::experiment::{Experiment, Tab};
use crate::papers::{Item, Paper, items, papers};
use crate::report::answers::{Answer, Answers};
use crate::web::bench::Bench;
use crate::web::dom;
use crate::web::jobs::job::JobKind;
use crate::web::stage::formula::set;
use item::ItemCard;

/// The answers that were computed beforehand.
#[derive(Clone)]
enum Beforehand {
    /// They are on their way.
    Coming,
    /// They are here.
    Here(Rc<Answers>),
    /// They cannot be had, or not be read.
    Missing,
}

impl PartialEq for Beforehand {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // Fetched once, they never change.
            (Self::Here(one), Self::Here(other)) => Rc::ptr_eq(one, other),
            (Self::Coming, Self::Coming) | (Self::Missing, Self::Missing) => true,
            _ => false,
        }
    }
}

impl Beforehand {
    /// The answers, and the one to `item`.
    fn answer(&self, item: &Item) -> Option<(&Answers, &Answer)> {
        let Self::Here(answers) = self else { return None };
        answers.of(item).map(|answer| (&**answers, answer))
    }
}

/// Fetches what was computed beforehand; its name is written into the page.
#[hook]
fn use_beforehand() -> Beforehand {
    let beforehand = use_state_eq(|| Beforehand::Coming);
    use_effect_with((), {
        let found = beforehand.setter();
        move |()| {
            spawn_local(async move {
                let bytes = match Some(dom::home().answers).filter(|url| !url.is_empty()) {
                    Some(url) => dom::bytes_at(&url).await,
                    None => None,
                };
                let answers = bytes.and_then(|bytes| Answers::read(&bytes).ok());
                found.set(answers.map_or(Beforehand::Missing, |answers| Beforehand::Here(Rc::new(answers))));
            });
        }
    });
    (*beforehand).clone()
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: Bench,
}

#[component]
pub(crate) fn Papers(props: &Props) -> Html {
    let bench = &props.bench;
    let beforehand = use_beforehand();
    // The paper that the experiment belongs to comes first.
    let kind = bench.experiment.kind();
    let number = use_state_eq(|| papers().iter().position(|paper| paper.kinds.contains(&kind)).unwrap_or(0));
    let choice = |(other, paper): (usize, &&'static Paper)| {
        let chosen = number.clone();
        let onclick = Callback::from(move |_: MouseEvent| chosen.set(other));
        html! {
            <button type="button" {onclick} aria-pressed={(other == *number).to_string()} title={paper.authors}>
                {paper.title}
            </button>
        }
    };
    html! {
        <section class="stage stage--wide papers" aria-label="Published numbers">
            { verdicts::of_all(&beforehand) }
            <div class="choices" role="group" aria-label="Papers">{ for papers().iter().enumerate().map(choice) }</div>
            <OnePaper key={*number} bench={bench.clone()} number={*number} {beforehand} />
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct OneProps {
    bench: Bench,
    /// Which of the papers.
    number: usize,
    beforehand: Beforehand,
}

/// A paper: its heading with its verdicts, then its items.
#[component]
fn OnePaper(props: &OneProps) -> Html {
    let precise = use_state_eq(|| false);
    let Some(&paper) = papers().get(props.number) else { return Html::default() };
    let bench = &props.bench;
    let within = precise.then_some(paper.fine);
    let all = {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| {
            for (number, item) in of(paper).filter(|(_, item)| item.is_simulated()) {
                bench.jobs.start(JobKind::Paper(number), &item.experiments(within));
            }
        })
    };
    let precision = {
        let precise = precise.clone();
        Callback::from(move |_: Event| precise.set(!*precise))
    };
    let card = |(number, item): (usize, &'static Item)| {
        html! { <ItemCard key={item.id} bench={bench.clone()} {number} {within} beforehand={props.beforehand.clone()} /> }
    };
    html! {
        <>
            <div class="caption" id={paper.id}>
                <h2>{paper.title}</h2>
                <p>{paper.authors}{". "}{ set(paper.about) }</p>
                { verdicts::of_paper(bench, &props.beforehand, paper) }
                <p class="actions">
                    <button type="button" class="primary" onclick={all}>{"Compute everything here"}</button>
                    <label class="check"><input type="checkbox" checked={*precise} onchange={precision} />
                        <span>{paper.fine_words}</span></label>
                </p>
            </div>
            { for of(paper).map(card) }
        </>
    }
}

/// The items of a paper, each with its number in the list of all.
fn of(paper: &Paper) -> impl Iterator<Item = (usize, &'static Item)> {
    items().enumerate().filter(move |(_, item)| item.paper.id == paper.id)
}

/// A link that opens an experiment in its view.
fn way_into(bench: &Bench, experiment: Experiment, name: impl Into<AttrValue>) -> Html {
    let bench = bench.clone();
    let href = format!("#{experiment}");
    let onclick = Callback::from(move |event: MouseEvent| {
        event.prevent_default();
        bench.open.emit(experiment.clone());
    });
    html! { <a {href} {onclick}>{name.into()}</a> }
}

/// What opening an experiment in its view is called.
fn opening(experiment: &Experiment) -> &'static str {
    match experiment.view.tab {
        Tab::Watch => "Open in Watch",
        Tab::Measure => "Open in Measure",
        Tab::Check => "Open in Check",
        Tab::Papers => "Open",
    }
}

/// A link to an item, called `name` there. The address, which is the experiment's, stays.
fn way_to(item: &'static Item, name: &str) -> Html {
    let onclick = Callback::from(move |event: MouseEvent| {
        event.prevent_default();
        dom::go_to(item.id);
    });
    html! { <a href={format!("#{}", dom::address_text())} {onclick}>{name.to_owned()}</a> }
}
