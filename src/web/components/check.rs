//! Check: what is proved, beside this very instance.

use std::rc::Rc;

use yew::prelude::*;

use super::Bench;
use super::exports::texts;
use super::picture::{Draw, export, save_png, save_svg, use_picture};
use super::watch::question;
use crate::experiment::{CubeCell, Experiment, Layout};
use crate::report::facts::{self, Fact};
use crate::report::mesh_check::{self, MeshChecks};
use crate::report::relation_check::{self, RelationChecks};
use crate::report::scene::Scene;
use crate::report::tree_check::{self, TreeChecks};
use crate::report::{check, csv, cycle, json, mesh_cycle};
use crate::switching::Switching;

/// What is said of one instance, whatever its network.
struct Sheet {
    /// Whose theorems are asked.
    forms: &'static str,
    network: Vec<Fact>,
    cards: Vec<Card>,
    csv: Write,
    json: Write,
}

/// Writes a file.
type Write = Rc<dyn Fn() -> String>;

/// What is said of one algorithm.
struct Card {
    name: &'static str,
    facts: Vec<Fact>,
    cycle: Option<Cycle>,
}

/// A dependency cycle: its picture, and the messages that realise it.
#[derive(Clone)]
struct Cycle {
    draw: Rc<dyn Fn((f64, f64), Layout) -> Scene>,
    told: Rc<[String]>,
}

impl PartialEq for Cycle {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.told, &other.told)
    }
}

/// What can be said of `experiment`; `None` if no fault set of its kind exists.
fn sheet(experiment: &Rc<Experiment>) -> Option<Sheet> {
    if experiment.switching.is_oblivious() {
        return RelationChecks::of(experiment, false).map(|found| of_relation(experiment, found));
    }
    if experiment.switching == Switching::Delivery {
        return TreeChecks::of(experiment, false).map(|found| of_delivery(experiment, found));
    }
    match CubeCell::new(experiment, None).filter(|_| experiment.switching != Switching::Wormhole) {
        Some(cell) => Some(of_cube(experiment, cell)),
        None => MeshChecks::of(experiment).map(|found| of_mesh(experiment, found)),
    }
}

fn of_cube(experiment: &Rc<Experiment>, cell: CubeCell) -> Sheet {
    let found = Rc::new(check::checks(experiment, cell, false));
    let card = |(number, check): (usize, &check::Check)| {
        let graph = check.dependencies.as_ref().filter(|graph| graph.cycle.is_some());
        let shown = Rc::clone(&found);
        let cycle = graph.map(|graph| Cycle {
            draw: Rc::new(move |size, layout| cycle::scene(&shown, number, layout, size)),
            told: facts::witnesses(graph).into(),
        });
        Card { name: check.algorithm.name, facts: facts::of(&found, check), cycle }
    };
    let write = |write: fn(&Experiment, &check::Checks) -> String| -> Write {
        let (experiment, found) = (Rc::clone(experiment), Rc::clone(&found));
        Rc::new(move || write(&experiment, &found))
    };
    Sheet {
        forms: if experiment.switching == Switching::Message {
            ", and from the closed forms of Gordon & Stout for random faults"
        } else {
            ", and from the theorems of Chiu, Chalasani & Raghavendra where one fault stands alone"
        },
        network: facts::network(&found),
        cards: found.algorithms.iter().enumerate().map(card).collect(),
        csv: write(csv::checks),
        json: write(json::checks),
    }
}

fn of_mesh(experiment: &Rc<Experiment>, found: MeshChecks) -> Sheet {
    let found = Rc::new(found);
    let card = |(number, check): (usize, &mesh_check::MeshCheck)| {
        let graph = check.graph.as_ref().filter(|graph| !graph.cycle.is_empty());
        let shown = Rc::clone(&found);
        let cycle = graph.map(|graph| Cycle {
            draw: Rc::new(move |size, _| mesh_cycle::scene(&shown, number, size)),
            told: found.witnesses(graph).into(),
        });
        Card { name: check.algorithm.name, facts: mesh_check::of(&found, check), cycle }
    };
    let write = |write: fn(&Experiment, &MeshChecks) -> String| -> Write {
        let (experiment, found) = (Rc::clone(experiment), Rc::clone(&found));
        Rc::new(move || write(&experiment, &found))
    };
    Sheet {
        forms: ", over all pairs and all choices, beside what Boppana & Chalasani prove",
        network: mesh_check::network(&found),
        cards: found.algorithms.iter().enumerate().map(card).collect(),
        csv: write(csv::mesh_checks),
        json: write(json::mesh_checks),
    }
}

fn of_relation(experiment: &Rc<Experiment>, found: RelationChecks) -> Sheet {
    let found = Rc::new(found);
    let card = |(number, check): (usize, &relation_check::RelationCheck)| {
        let told = check.found.iter().flat_map(|one| relation_check::witnesses(&found, one)).collect::<Vec<_>>();
        let shown = Rc::clone(&found);
        let cycle = (!told.is_empty()).then(|| Cycle {
            draw: Rc::new(move |size, layout| relation_check::scene(&shown, number, layout, size)),
            told: told.into(),
        });
        Card { name: check.algorithm.name, facts: relation_check::of(&found, check), cycle }
    };
    let write = |write: fn(&Experiment, &RelationChecks) -> String| -> Write {
        let (experiment, found) = (Rc::clone(experiment), Rc::clone(&found));
        Rc::new(move || write(&experiment, &found))
    };
    Sheet {
        forms: ", over all choices of intermediate nodes, beside what the thesis proves",
        network: relation_check::network(&found),
        cards: found.algorithms.iter().enumerate().map(card).collect(),
        csv: write(relation_check::csv),
        json: write(relation_check::json),
    }
}

fn of_delivery(experiment: &Rc<Experiment>, found: TreeChecks) -> Sheet {
    let found = Rc::new(found);
    let mut cards = vec![Card { name: "These messages", facts: tree_check::messages(&found), cycle: None }];
    let card = |check| tree_check::of(&found, check);
    cards.extend(found.algorithms.iter().map(|one| Card { name: one.algorithm.name, facts: card(one), cycle: None }));
    let write = |write: fn(&Experiment, &TreeChecks) -> String| -> Write {
        let (experiment, found) = (Rc::clone(experiment), Rc::clone(&found));
        Rc::new(move || write(&experiment, &found))
    };
    Sheet {
        forms: ", for the messages that Watch shows, beside what Greenberg & Leiserson prove",
        network: tree_check::network(&found),
        cards,
        csv: write(tree_check::csv),
        json: write(tree_check::json),
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) bench: Bench,
}

#[component]
pub(super) fn Check(props: &Props) -> Html {
    let bench = &props.bench;
    let found = use_memo(question(&bench.experiment), {
        let experiment = Rc::clone(&bench.experiment);
        move |_| sheet(&experiment)
    });
    let Some(found) = &*found else {
        let unfit = if bench.experiment.switching.is_oblivious() {
            "Permutations are checked on cubes of up to 20 dimensions."
        } else {
            "No such set of isolated faults fits into this mesh."
        };
        return html! { <section class="stage stage--wide"><p>{unfit}</p></section> };
    };
    let random = !bench.experiment.faults_are_fixed();
    let save = |write: &Write| {
        let write = Rc::clone(write);
        move || write()
    };
    let card = |card: &Card| {
        html! {
            <section class="card">
                <h3>{card.name}</h3>
                <dl>{ for card.facts.iter().map(fact) }</dl>
                if let Some(cycle) = card.cycle.clone() { <CycleFigure bench={bench.clone()} {cycle} /> }
            </section>
        }
    };
    html! {
        <section class="stage stage--wide" aria-label="What is proved">
            <div class="caption">
                <h2>{"What can be said exactly"}</h2>
                <p>
                    {"Computed, not sampled, for the faults that Watch shows"}
                    {if random { format!(" (pattern {})", bench.experiment.view.sample) } else { String::new() }}
                    {found.forms}{"."}
                </p>
            </div>
            <div class="actions">{ texts("check", save(&found.csv), save(&found.json)) }</div>
            <div class="cards">
                <section class="card"><h3>{"This network"}</h3><dl>{ for found.network.iter().map(fact) }</dl></section>
                { for found.cards.iter().map(card) }
            </div>
        </section>
    }
}

fn fact(fact: &Fact) -> Html {
    html! { <div class="fact"><dt>{&fact.what}</dt><dd><b>{&fact.value}</b><p>{&fact.meaning}</p></dd></div> }
}

#[derive(Properties, PartialEq)]
struct CycleProps {
    bench: Bench,
    cycle: Cycle,
}

/// A dependency cycle on the network, and the messages that realise it.
#[component]
fn CycleFigure(props: &CycleProps) -> Html {
    let canvas = use_node_ref();
    let (drawn, layout) = (Rc::clone(&props.cycle.draw), props.bench.experiment.view.layout);
    let draw: Draw = Rc::new(move |size| drawn(size, layout));
    use_picture(&canvas, Rc::clone(&draw));
    let file = |save: fn(&str, &Scene, &Experiment)| {
        let (draw, experiment) = (Rc::clone(&draw), Rc::clone(&props.bench.experiment));
        move || save("cycle", &draw((760.0, 560.0)), &experiment)
    };
    html! {
        <figure class="cycle">
            <canvas ref={canvas} role="img" aria-label="The cycle on the network: its links are numbered in order. The messages below say the same."></canvas>
            <ol>{ for props.cycle.told.iter().map(|told| html! { <li>{told}</li> }) }</ol>
            <div class="exports" role="group" aria-label="Export cycle">
                { export("SVG", file(save_svg)) }
                { export("PNG", file(save_png)) }
            </div>
        </figure>
    }
}
