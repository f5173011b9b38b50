//! Verdicts above the tables: how many numbers are reproduced, which are not and why, and other
//! errata of a paper.

use yew::prelude::*;

use super::table::mark;
use super::{Beforehand, of, opening, way_into, way_to};
use crate::experiment::Experiment;
use crate::papers::{Erratum, Item, Paper, Tallied, Verdict, errata_of};
use crate::report::errata::NOWHERE;
use crate::report::words::formula::plain;
use crate::web::bench::Bench;
use crate::web::stage::formula::set;

/// Renders the verdicts of all papers.
pub(super) fn of_all(beforehand: &Beforehand) -> Html {
    let answers = match beforehand {
        Beforehand::Coming => {
            return html! { <p class="hint" role="status" id="verdicts">{"Loading the answers …"}</p> };
        }
        Beforehand::Missing => {
            return html! {
                <p class="hint" role="status" id="verdicts">
                    {"The answers that were computed beforehand cannot be loaded from here: every item can be computed below."}
                </p>
            };
        }
        Beforehand::Here(answers) => answers,
    };
    let counts = answers.tallied(None);
    let [version, date] = [&answers.version, &answers.date];
    html! {
        <div class="caption" id="verdicts">
            <h2>{format!("{} of {} published numbers and claims come out again", counts.reproduced, counts.all())}</h2>
            <p>{format!("{} come close; {} do not, and below stands why; for {} too few samples tell. ", counts.close, counts.failed, counts.undecided)}
                {format!("Computed beforehand by Faultlab {version} on {date}, with the precision that each experiment asks for; each can be computed \
                          here again.")}</p>
        </div>
    }
}

/// Renders the verdicts of a paper by item, and its other errata.
pub(super) fn of_paper(bench: &Bench, beforehand: &Beforehand, paper: &'static Paper) -> Html {
    let words = match beforehand {
        Beforehand::Here(answers) => Some(answers.tallied(Some(paper)).words()),
        _ => None,
    };
    let misprints = || {
        of(paper).flat_map(|(_, item)| {
            errata_of(item.id).filter(|erratum| !erratum.fails).map(move |erratum| (item, erratum))
        })
    };
    let misprint = |(item, erratum): (&'static Item, &Erratum)| html! { <li>{ told(bench, erratum) }{" See "}{ way_to(item, short(item)) }{"."}</li> };
    html! {
        <div class="verdicts">
            if let Some(words) = words { <p><b>{words}{"."}</b></p> }
            <ul aria-label="Verdicts">{ for of(paper).map(|(_, item)| verdict(bench, beforehand, item)) }</ul>
            if misprints().next().is_some() {
                <h3>{"Errata in the words"}</h3>
                <ul>{ for misprints().map(misprint) }</ul>
            }
        </div>
    }
}

/// Renders the verdict of an item, with the reasons of the failures.
fn verdict(bench: &Bench, beforehand: &Beforehand, item: &'static Item) -> Html {
    let counts = beforehand.answer(item).map(|(_, answer)| Tallied::of(answer.verdicts()));
    let sign = match counts {
        Some(counts) if counts.failed > 0 => mark(Verdict::NotReproduced),
        Some(counts) if counts.all() > 0 => mark(Verdict::Reproduced),
        _ => "·",
    };
    let reasons =
        errata_of(item.id).filter(|erratum| erratum.fails).map(|erratum| html! { <li>{ told(bench, erratum) }</li> });
    html! {
        <li>
            <i aria-hidden="true">{sign}</i>{ way_to(item, &plain(item.title)) }
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
fn told(bench: &Bench, erratum: &Erratum) -> Html {
    let seen = erratum.experiment.and_then(|text| text.parse::<Experiment>().ok());
    let seen = match seen {
        Some(experiment) => {
            let name = opening(&experiment);
            way_into(bench, experiment, name)
        }
        None => html! { {NOWHERE} },
    };
    html! { <><b>{ set(erratum.place) }{":"}</b>{" "}{ set(erratum.about) }{" "}{ seen }{"."}</> }
}
