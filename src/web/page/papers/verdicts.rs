//! Verdicts above the tables: the number of reproduced numbers, the reasons of failures, and other
//! errata of a paper.

use yew::prelude::*;

use super::table::{class, mark};
use super::{PrecomputedState, experiment_link, item_link, open_label, paper_items};
use crate::experiment::Experiment;
use crate::papers::{Erratum, Item, Paper, Verdict, VerdictCounts, errata_of};
use crate::report::errata::NO_EXPERIMENT_TEXT;
use crate::web::app_context::AppContext;
use crate::web::stage::formula::typeset;

/// Renders the verdicts of all papers.
pub(super) fn all_verdicts(precomputed_state: &PrecomputedState) -> Html {
    let answers = match precomputed_state {
        PrecomputedState::Loading => {
            return html! { <p class="hint" role="status" id="verdicts">{"Loading the answers …"}</p> };
        }
        PrecomputedState::Unavailable => {
            return html! {
                <p class="hint" role="status" id="verdicts">
                    {"The precomputed answers cannot be loaded: compute the items below."}
                </p>
            };
        }
        PrecomputedState::Loaded(answers) => answers,
    };
    let counts = answers.count_verdicts(None);
    let [version, date] = [&answers.version, &answers.date];
    html! {
        <div class="caption" id="verdicts">
            <h2>{format!("{} of {} published numbers and claims are reproduced", counts.reproduced, counts.all())}</h2>
            <p>{format!("{} numbers are close; {} are not reproduced, for the reasons below; {} are undecided. ", counts.close, counts.failed, counts.undecided)}
                {format!("Precomputed by Faultlab {version} on {date}, to the precision of each experiment; you can compute each \
                          again.")}</p>
            { key() }
        </div>
    }
}

/// Renders the key of the tables: the two numbers of a cell, the marks and the footnotes.
fn key() -> Html {
    let marks = [
        (Verdict::Reproduced, "reproduced, within 3 standard errors"),
        (Verdict::Close, "close, within 5"),
        (Verdict::NotReproduced, "not reproduced"),
        (Verdict::Undecided, "undecided: too few samples"),
    ];
    let mark = |(verdict, words): (Verdict, &'static str)| {
        html! { <li class={class(verdict)}><i aria-hidden="true">{mark(verdict)}</i>{words}</li> }
    };
    html! {
        <ul class="paper-key" aria-label="Key of the tables">
            <li><b>{"0.75"}</b>{" computed by Faultlab"}</li>
            <li><small>{"0.76"}</small>{" printed in the paper"}</li>
            { for marks.into_iter().map(mark) }
            <li><sup>{"1"}</sup>{" footnote below the table"}</li>
        </ul>
    }
}

/// Renders the verdicts of a paper by item, and its other errata.
pub(super) fn paper_verdicts(
    context: &AppContext,
    precomputed_state: &PrecomputedState,
    paper: &'static Paper,
) -> Html {
    let words = match precomputed_state {
        PrecomputedState::Loaded(answers) => Some(answers.count_verdicts(Some(paper)).words()),
        _ => None,
    };
    let misprints = || {
        paper_items(paper).flat_map(|(_, item)| {
            errata_of(item.id).filter(|erratum| !erratum.fails).map(move |erratum| (item, erratum))
        })
    };
    let misprint = |(item, erratum): (&'static Item, &Erratum)| html! { <li>{ erratum_html(context, erratum) }{" See "}{ item_link(context, item, short(item)) }{"."}</li> };
    html! {
        <div class="verdicts">
            if let Some(words) = words { <p><b>{words}{"."}</b></p> }
            <ul aria-label="Verdicts">{ for paper_items(paper).map(|(_, item)| verdict(context, precomputed_state, item)) }</ul>
            if misprints().next().is_some() {
                <h3>{"Errata in the text"}</h3>
                <ul>{ for misprints().map(misprint) }</ul>
            }
        </div>
    }
}

/// Renders the verdict of an item, with the reasons of the failures.
fn verdict(context: &AppContext, precomputed_state: &PrecomputedState, item: &'static Item) -> Html {
    let counts = precomputed_state.answer(item).map(|(_, answer)| VerdictCounts::from_verdicts(answer.verdicts()));
    let sign = match counts {
        Some(counts) if counts.failed > 0 => mark(Verdict::NotReproduced),
        Some(counts) if counts.all() > 0 => mark(Verdict::Reproduced),
        _ => "·",
    };
    let reasons = errata_of(item.id)
        .filter(|erratum| erratum.fails)
        .map(|erratum| html! { <li>{ erratum_html(context, erratum) }</li> });
    html! {
        <li>
            <i aria-hidden="true">{sign}</i>{ item_link(context, item, item.title) }
            if let Some(counts) = counts { {": "}{counts.words()} }
            if errata_of(item.id).any(|erratum| erratum.fails) { <ul>{ for reasons }</ul> }
        </li>
    }
}

/// Returns the name of an item in its paper: its title up to the colon, or the whole title.
fn short(item: &Item) -> &'static str {
    item.title.split(':').next().unwrap_or(item.title)
}

/// Renders an erratum with its place in the paper, and a link to the experiment that shows it.
fn erratum_html(context: &AppContext, erratum: &Erratum) -> Html {
    let seen = erratum.experiment.and_then(|text| text.parse::<Experiment>().ok());
    let seen = match seen {
        Some(experiment) => {
            let name = open_label(&experiment);
            experiment_link(context, experiment, name)
        }
        None => html! { {NO_EXPERIMENT_TEXT} },
    };
    html! { <><b>{ typeset(erratum.place) }{":"}</b>{" "}{ typeset(erratum.about) }{" "}{ seen }{"."}</> }
}
