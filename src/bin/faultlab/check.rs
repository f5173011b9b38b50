//! `check`: the theorems on this instance.

use std::fmt::Write as _;

use faultlab::experiment::{CubeCell, Experiment};
use faultlab::report::check::{self, Checks, Permitted, checks};
use faultlab::report::facts::{self, Fact};
use faultlab::report::mesh_check::{self, MeshChecks};
use faultlab::report::relation_check::{self, RelationChecks};
use faultlab::report::tree_check::{self, TreeChecks};
use faultlab::report::{csv, json, table};
use faultlab::switching::Switching;

use crate::arguments::Check;
use crate::help::wrapped;
use crate::input;
use crate::output::{Failure, print};

/// `faultlab check`.
pub(crate) fn check(arguments: &Check) -> Result<(), Failure> {
    let experiment = input::experiment(&arguments.experiment)?;
    if experiment.switching.is_oblivious() {
        return relation(arguments, &experiment);
    }
    if experiment.switching == Switching::Delivery {
        return delivery(arguments, &experiment);
    }
    let cell = CubeCell::new(&experiment, None).filter(|_| experiment.switching != Switching::Wormhole);
    let Some(cell) = cell else {
        return mesh(arguments, &experiment);
    };
    let found = checks(&experiment, cell, true);
    print(&match arguments {
        Check { json: true, .. } => json::checks(&experiment, &found),
        Check { csv: true, .. } => csv::checks(&experiment, &found),
        _ => in_words(&experiment, &found),
    })
}

/// `faultlab check` of whole permutations.
fn relation(arguments: &Check, experiment: &Experiment) -> Result<(), Failure> {
    let none = || Failure::BadInput("net: permutations are checked on cubes of up to 20 dimensions".into());
    let found = RelationChecks::of(experiment, true).ok_or_else(none)?;
    if arguments.json {
        return print(&relation_check::json(experiment, &found));
    }
    if arguments.csv {
        return print(&relation_check::csv(experiment, &found));
    }
    let mut text = format!("{experiment}\n");
    told(&mut text, "This network", &relation_check::network(&found));
    for check in &found.algorithms {
        told(&mut text, check.algorithm.name, &relation_check::of(&found, check));
        for line in check.found.iter().flat_map(|one| relation_check::witnesses(&found, one)) {
            let _ = writeln!(text, "      {line}");
        }
    }
    print(&text)
}

/// `faultlab check` of delivery cycles.
fn delivery(arguments: &Check, experiment: &Experiment) -> Result<(), Failure> {
    let none = || Failure::BadInput("net: delivery cycles are those of fat-trees, tree:N and tree2:N".into());
    let found = TreeChecks::of(experiment, true).ok_or_else(none)?;
    if arguments.json {
        return print(&tree_check::json(experiment, &found));
    }
    if arguments.csv {
        return print(&tree_check::csv(experiment, &found));
    }
    let mut text = format!("{experiment}\n");
    told(&mut text, "This network", &tree_check::network(&found));
    told(&mut text, "These messages", &tree_check::messages(&found));
    for check in &found.algorithms {
        told(&mut text, check.algorithm.name, &tree_check::of(&found, check));
    }
    print(&text)
}

/// `faultlab check` of a mesh, or of a hypercube with worms.
fn mesh(arguments: &Check, experiment: &Experiment) -> Result<(), Failure> {
    let none = || Failure::BadInput("faults: no such set of isolated faults fits into this mesh".into());
    let found = MeshChecks::of(experiment).ok_or_else(none)?;
    if arguments.json {
        return print(&json::mesh_checks(experiment, &found));
    }
    if arguments.csv {
        return print(&csv::mesh_checks(experiment, &found));
    }
    let mut text = format!("{experiment}\n");
    told(&mut text, "This network", &mesh_check::network(&found));
    for check in &found.algorithms {
        told(&mut text, check.algorithm.name, &mesh_check::of(&found, check));
        for line in check.graph.iter().flat_map(|graph| found.witnesses(graph)) {
            let _ = writeln!(text, "      {line}");
        }
    }
    print(&text)
}

/// What is proved, for people.
fn in_words(experiment: &Experiment, found: &Checks) -> String {
    let mut text = format!("{experiment}\n");
    told(&mut text, "This network", &facts::network(found));
    pairs(&mut text, found);
    for check in &found.algorithms {
        told(&mut text, check.algorithm.name, &facts::of(found, check));
        for line in check.dependencies.iter().flat_map(facts::witnesses) {
            let _ = writeln!(text, "      {line}");
        }
    }
    text
}

/// Facts under a heading.
fn told(text: &mut String, heading: &str, facts: &[Fact]) {
    let _ = writeln!(text, "\n{heading}");
    for fact in facts {
        let _ = writeln!(text, "  {}: {}", fact.what, fact.value);
        for line in wrapped(&fact.meaning, 110) {
            let _ = writeln!(text, "      {line}");
        }
    }
}

/// The algorithms side by side, where pairs are counted.
fn pairs(text: &mut String, found: &Checks) {
    let counted = found.algorithms.iter().filter_map(|check| Some((check, check.permitted.as_ref()?)));
    let row = |(check, permitted): (&check::Check, &Permitted)| {
        let counts = permitted.pairs?;
        let share = counts.share().map_or("-".into(), |share| format!("{:.4}%", share * 100.0));
        let formula = permitted.affected.map_or("-".into(), |by| format!("{} ({})", by.pairs, by.by));
        Some(vec![check.algorithm.id.into(), counts.cut_off.to_string(), counts.live.to_string(), share, formula])
    };
    let rows: Vec<_> = counted.filter_map(row).collect();
    if rows.is_empty() {
        return;
    }
    let head = ["", "pairs cut off", "of live pairs", "share", "closed form"].map(str::to_owned).to_vec();
    let lines: Vec<_> = std::iter::once(head).chain(rows).collect();
    let _ = writeln!(text, "\nPairs cut off");
    for line in table::aligned(&lines) {
        let _ = writeln!(text, "  {line}");
    }
}
