//! The same as CSV and JSON.

use super::facts::{least, worst};
use super::{PermutationCheck, PermutationChecks, PermutationGraph};
use crate::report::files::record::{self, Record, Value};
use crate::report::files::rows::{ROW, Row};
use crate::theory::oblivious::{ObliviousWitness, Statement};
use crate::topology::Link;

/// The short name of a claim, as in exported files.
fn id(statement: Statement) -> &'static str {
    match statement {
        Statement::FaultyPaths => "faulty-paths",
        Statement::ActiveNodes => "active-nodes",
        Statement::SmallestChoice => "smallest-choice",
        Statement::ExpectedCongestion => "expected-congestion",
        Statement::Congestion => "congestion",
        Statement::ExpectedLoad => "expected-load",
        Statement::Load => "load",
        Statement::TheoremCongestion => "theorem-congestion",
        Statement::Length => "length",
    }
}

/// Everything that has a number, in the order of the facts.
fn rows(check: &PermutationCheck) -> Vec<Row> {
    let Ok(found) = &check.found else { return Vec::new() };
    let paths = &found.paths;
    let mut rows = vec![
        Row::measured("active", found.active as f64),
        Row::measured("messages", f64::from(found.messages)),
        Row::measured("kept-back", f64::from(found.kept_back)),
        Row::measured("routes", f64::from(paths.delivered())),
        Row::measured("mean-length", paths.mean_length()),
    ];
    if let Some(set) = found.set {
        rows.push(Row::measured("faults-supposed", f64::from(set.faults)));
        rows.extend(set.closed_form.map(|inactive| Row::measured("inactive-of-one-fault", inactive as f64)));
    }
    rows.extend(found.claims.iter().map(|claim| Row::bounded(id(claim.statement), claim.into())));
    rows.extend(worst(found).map(|claim| Row::bounded("bit-fixing-worst", claim)));
    rows.extend(least(found).map(|claim| Row::bounded("least-congestion", claim)));
    if let Some(expected) = found.expected {
        rows.push(Row::measured("expected-max-congestion", expected.congestion));
        rows.push(Row::measured("expected-max-load", expected.load));
        rows.push(Row::measured("expected-mean-length", expected.length));
    }
    for class in &found.classes {
        let (drawn, expected) = (format!("class-{}", class.class), format!("class-{}-expected", class.class));
        rows.push(Row::measured(&drawn, f64::from(class.measured)));
        // What it is without faults: no bound.
        rows.push(Row { beside: Some(class.closed_form), ..Row::measured(&expected, class.expected) });
    }
    if let Some(graph) = &found.graph {
        rows.push(Row::measured("channels", f64::from(graph.channels)));
        rows.push(Row::measured("dependencies", graph.dependencies as f64));
        rows.push(Row::measured("shortest-cycle", graph.cycle.len() as f64));
    }
    rows.extend(found.ascends.map(|ascends| Row::holds("ascends", ascends)));
    rows
}

/// `check` of permutations and batches as CSV: a line for each number of each algorithm, `supposed` whether the thesis promises the
/// bound here, `verdict` what becomes of that, `fails` what it supposes in vain. An algorithm that does not apply has the one line `unavailable`. A `shortest-cycle` of 0 channels is none.
pub(super) fn csv(checks: &PermutationChecks) -> String {
    let rows = |check: &PermutationCheck| match check.found {
        Ok(_) => rows(check),
        Err(_) => vec![Row::measured("unavailable", None)],
    };
    let lines =
        checks.algorithms.iter().flat_map(|check| rows(check).into_iter().map(|row| row.of(&check.algorithm.id)));
    record::csv(&checks.experiment, &ROW, &lines.collect::<Vec<_>>())
}

/// `check` of permutations and batches as JSON: a line `{experiment, seed, version, series, unavailable, rows: [{item, measured,
/// side, bound, supposed, holds, verdict, fails}], acyclic, cycle: [link], order: [link], witnesses: [{from, via, to}]}` for each algorithm; null
/// where it is not computed. The rows are those of the CSV; `unavailable` says why a scheme does not apply.
pub(super) fn json(checks: &PermutationChecks) -> String {
    record::json(&checks.experiment, checks.algorithms.iter().map(line).collect())
}

fn line(check: &PermutationCheck) -> Record {
    let graph = check.found.as_ref().ok().and_then(|found| found.graph.as_ref());
    let links = |links: fn(&PermutationGraph) -> &[Link]| {
        graph.map(links).unwrap_or_default().iter().copied().collect::<Value>()
    };
    let message = |message: &ObliviousWitness| {
        Record::default().with("from", message.from).with("via", message.via).with("to", message.to)
    };
    let witnesses = graph.map(|graph| graph.witnesses.as_slice()).unwrap_or_default();
    Record::default()
        .with("series", &*check.algorithm.id)
        .with("unavailable", check.found.as_ref().err().map(ToString::to_string))
        .with("rows", rows(check).into_iter().collect::<Value>())
        .with("acyclic", graph.map(|graph| graph.cycle.is_empty()))
        .with("cycle", links(|graph| &graph.cycle))
        .with("order", links(|graph| &graph.order))
        .with("witnesses", witnesses.iter().map(message).collect::<Value>())
}
