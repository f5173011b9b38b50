//! Check: what is proved, beside this very instance.

use std::rc::Rc;

use yew::prelude::*;

use super::Bench;
use super::exports::texts;
use crate::experiment::{Experiment, Instance};
use crate::report::check::{self, Dependencies};
use crate::report::{csv, json, words};
use crate::theory::Connectivity;
use crate::topology::Hypercube;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) bench: Bench,
}

/// One fact: what, its value, and what it means.
struct Fact {
    what: String,
    value: String,
    meaning: String,
}

#[component]
pub(super) fn Check(props: &Props) -> Html {
    let bench = &props.bench;
    let text = bench.experiment.to_string();
    let proved = use_memo(text, {
        let experiment = Rc::clone(&bench.experiment);
        move |_| {
            let mut instance = Instance::new(&experiment);
            let cube = instance.cell.cube;
            let mut sections = Vec::new();
            let checks = check::checks(&mut instance);
            for found in &checks {
                if sections.is_empty() {
                    let facts = network(cube, instance.cell.distance(), found.connectivity.as_ref());
                    sections.push(("This network".to_owned(), facts));
                }
                sections.push((found.algorithm.name.to_owned(), facts(cube, found)));
            }
            (checks, sections)
        }
    });
    let save = |write: fn(&Experiment, &[check::Check]) -> String| {
        let (experiment, proved) = (Rc::clone(&bench.experiment), Rc::clone(&proved));
        move || write(&experiment, &proved.0)
    };
    let random = !bench.experiment.faults_are_fixed();
    let section = |(title, facts): &(String, Vec<Fact>)| {
        let fact = |fact: &Fact| {
            html! {
                <div class="fact"><dt>{&fact.what}</dt><dd><b>{&fact.value}</b><p>{&fact.meaning}</p></dd></div>
            }
        };
        html! { <section class="card"><h3>{title}</h3><dl>{ for facts.iter().map(fact) }</dl></section> }
    };
    html! {
        <section class="stage stage--wide" aria-label="What is proved">
            <div class="caption">
                <h2>{"What can be said exactly"}</h2>
                <p>
                    {"Computed, not sampled, for the faults that Watch shows"}
                    {if random { format!(" (pattern {})", bench.experiment.view.sample) } else { String::new() }}
                    {", and from the closed forms of Gordon & Stout for random faults."}
                </p>
            </div>
            <div class="actions">{ texts("check", save(csv::checks), save(json::checks)) }</div>
            <div class="cards">{ for proved.1.iter().map(section) }</div>
        </section>
    }
}

fn fact(what: &str, value: impl Into<String>, meaning: impl Into<String>) -> Fact {
    Fact { what: what.into(), value: value.into(), meaning: meaning.into() }
}

fn percent(share: f64) -> String {
    format!("{:.4}%", share * 100.0)
}

fn network(cube: Hypercube, distance: u32, found: Option<&Connectivity>) -> Vec<Fact> {
    let what = "the number of bits in which source and destination differ";
    let mut facts = vec![fact("Distance", words::count(distance, "hop"), what)];
    let Some(found) = found else {
        facts.push(fact("Source and destination", "not decided", "whole cubes are explored up to n = 20"));
        return facts;
    };
    let faulty = cube.nodes().unwrap_or(0).saturating_sub(found.live);
    facts.push(fact("Faulty nodes", faulty.to_string(), format!("{} are live", found.live)));
    let (source, destination) = (found.around_source, found.around_destination);
    facts.push(if found.connected {
        let meaning = format!("both are among {source} nodes that reach each other: some algorithm could deliver");
        fact("Source and destination", "connected", meaning)
    } else {
        let meaning =
            format!("the source reaches {source} nodes, the destination {destination}: no algorithm can deliver");
        fact("Source and destination", "cut off", meaning)
    });
    let what = "sets of live nodes that reach each other and nobody else";
    facts.push(fact("Components of live nodes", found.components.len().to_string(), what));
    facts
}

/// What is proved of one algorithm.
fn facts(cube: Hypercube, found: &check::Check) -> Vec<Fact> {
    let mut facts = Vec::new();
    let what = "Arrives on these faults with probability";
    facts.push(match (found.exact_success, found.exact_length) {
        (Some(success), Some(length)) => {
            let meaning =
                format!("over its own random choices, exactly; when it arrives, after {length:.3} hops on average");
            fact(what, percent(success), meaning)
        }
        (Some(success), None) => fact(what, percent(success), "on these faults it never arrives"),
        (None, _) => fact(
            what,
            "not computed",
            "exact up to n = 10, for algorithms that mark nodes up to n = 5, and not for very long path limits",
        ),
    });
    if let Some((share, equation)) = found.closed_form {
        let meaning = format!("Gordon & Stout, {equation}; the deterministic and the random algorithm have the same");
        facts.push(fact("Arrives over all fault patterns with probability", percent(share), meaning));
    }
    if let Some(difference) = found.theorem {
        let what = "Deterministic equals random, over all fault sets";
        let value = if difference < 1e-12 { "confirmed" } else { "refuted" };
        let meaning = format!(
            "section 2.1 by enumeration: for each number of faults the averages differ by at most {difference:.1e}"
        );
        facts.push(fact(what, value, meaning));
    }
    facts.push(match &found.dependencies {
        Some(graph) => dependencies(cube, graph),
        None => fact(
            "Channel dependency graph",
            "not built",
            "up to n = 8, for algorithms that decide from local knowledge and remember nothing",
        ),
    });
    facts
}

/// Whether messages that hold channels while they wait could wait for each other.
fn dependencies(cube: Hypercube, graph: &Dependencies) -> Fact {
    let size = format!("{} channels, {} dependencies", graph.channels, graph.dependencies);
    let Some(cycle) = &graph.cycle else {
        let meaning = format!("{size}: messages that hold their channels while they wait can never deadlock");
        return fact("Channel dependency graph", "acyclic", meaning);
    };
    let links: Vec<_> =
        cycle.iter().map(|&(from, to)| format!("{}→{}", words::node(cube, from), words::node(cube, to))).collect();
    let meaning = format!(
        "{size}; a shortest cycle: {}. A single message cannot deadlock; messages that hold channels could.",
        links.join(", ")
    );
    fact("Channel dependency graph", "cyclic", meaning)
}
