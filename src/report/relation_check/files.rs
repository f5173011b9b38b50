//! The same as CSV and JSON.

use std::fmt::Display;

use serde::Serialize;

use super::{RelationCheck, RelationChecks};
use crate::experiment::Experiment;
use crate::report::csv::{field, head, line, number};
use crate::report::json::{Made, written};
use crate::theory::oblivious::{Side, Statement};
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

/// One number of an algorithm, beside its bound if it has one.
#[derive(Serialize)]
pub(in crate::report) struct Row {
    item: String,
    measured: Option<f64>,
    side: Option<&'static str>,
    bound: Option<f64>,
    supposed: Option<bool>,
    holds: Option<bool>,
}

impl Row {
    pub(in crate::report) fn measured(item: &str, measured: impl Into<Option<f64>>) -> Self {
        let (item, measured) = (item.to_owned(), measured.into());
        Self { item, measured, side: None, bound: None, supposed: None, holds: None }
    }

    /// Something that holds or does not, without a number.
    pub(in crate::report) fn holds(item: &str, holds: bool) -> Self {
        Self { holds: Some(holds), ..Self::measured(item, None) }
    }

    pub(in crate::report) fn bounded(item: &str, measured: f64, side: &'static str, bound: f64) -> Self {
        let holds = if side == "at-most" { measured <= bound } else { measured >= bound };
        let (side, bound, holds) = (Some(side), Some(bound), Some(holds));
        Self { side, bound, holds, supposed: Some(true), ..Self::measured(item, measured) }
    }
}

/// Everything that has a number, in the order of the facts.
fn rows(check: &RelationCheck) -> Vec<Row> {
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
    rows.extend(found.claims.iter().map(|claim| Row {
        item: id(claim.statement).to_owned(),
        measured: claim.measured,
        side: Some(if claim.side == Side::AtMost { "at-most" } else { "at-least" }),
        bound: Some(claim.bound),
        supposed: Some(claim.supposed),
        holds: claim.holds(),
    }));
    let congestion = f64::from(paths.max_congestion());
    rows.extend(found.worst.map(|worst| Row::bounded("bit-fixing-worst", congestion, "at-most", worst.into())));
    rows.extend(found.least.map(|least| Row::bounded("least-congestion", congestion, "at-least", least.into())));
    if let Some(expected) = found.expected {
        rows.push(Row::measured("expected-max-congestion", expected.congestion));
        rows.push(Row::measured("expected-max-load", expected.load));
        rows.push(Row::measured("expected-mean-length", expected.length));
    }
    for class in &found.classes {
        let (drawn, expected) = (format!("class-{}", class.class), format!("class-{}-expected", class.class));
        rows.push(Row::measured(&drawn, f64::from(class.measured)));
        // What it is without faults: no bound.
        rows.push(Row { bound: Some(class.closed_form), ..Row::measured(&expected, class.expected) });
    }
    if let Some(graph) = &found.graph {
        rows.push(Row::measured("channels", f64::from(graph.channels)));
        rows.push(Row::measured("dependencies", graph.dependencies as f64));
        rows.push(Row::measured("shortest-cycle", graph.cycle.len() as f64));
    }
    rows.extend(found.ascends.map(|ascends| Row::holds("ascends", ascends)));
    rows
}

/// `check` of permutations and batches: `series,item,measured,side,bound,supposed,holds`, a line for each number of each
/// algorithm, `supposed` whether the thesis promises the bound here. An algorithm that does not apply has the one line
/// `unavailable`. A `shortest-cycle` of 0 channels is none.
pub fn csv(experiment: &Experiment, checks: &RelationChecks) -> String {
    let mut csv = head([experiment]);
    csv.push_str("series,item,measured,side,bound,supposed,holds\n");
    for check in &checks.algorithms {
        if check.found.is_err() {
            line(&mut csv, &[&check.algorithm.id, &"unavailable", &"", &"", &"", &"", &""]);
        }
        for row in rows(check) {
            row_line(&mut csv, check.algorithm.id, &row);
        }
    }
    csv
}

/// Adds a line of the CSV.
pub(in crate::report) fn row_line(csv: &mut String, series: &str, row: &Row) {
    let fields: [&dyn Display; 7] = [
        &series,
        &row.item,
        &number(row.measured),
        &field(row.side),
        &number(row.bound),
        &field(row.supposed),
        &field(row.holds),
    ];
    line(csv, &fields);
}

#[derive(Serialize)]
struct Checked {
    #[serde(flatten)]
    made: Made,
    series: &'static str,
    unavailable: Option<String>,
    rows: Vec<Row>,
    acyclic: Option<bool>,
    cycle: Vec<String>,
    order: Vec<String>,
    witnesses: Vec<Message>,
}

#[derive(Serialize)]
struct Message {
    from: String,
    via: Option<String>,
    to: String,
}

/// `check` of permutations and batches: a line `{experiment, seed, version, series, unavailable, rows: [{item, measured, side,
/// bound, supposed, holds}], acyclic, cycle: [link], order: [link], witnesses: [{from, via, to}]}` for each algorithm; null
/// where it is not computed. The rows are those of the CSV; `unavailable` says why a scheme does not apply.
pub fn json(experiment: &Experiment, checks: &RelationChecks) -> String {
    let texts = |links: &[Link]| links.iter().map(Link::to_string).collect();
    let line = |check: &RelationCheck| {
        let graph = check.found.as_ref().ok().and_then(|found| found.graph.as_ref());
        let messages = graph.map(|graph| graph.witnesses.as_slice()).unwrap_or_default().iter();
        let message = |message: &crate::theory::oblivious::ObliviousWitness| Message {
            from: message.from.to_string(),
            via: message.via.map(|via| via.to_string()),
            to: message.to.to_string(),
        };
        written(&Checked {
            made: Made::by(experiment),
            series: check.algorithm.id,
            unavailable: check.found.as_ref().err().map(ToString::to_string),
            rows: rows(check),
            acyclic: graph.map(|graph| graph.cycle.is_empty()),
            cycle: graph.map(|graph| texts(&graph.cycle)).unwrap_or_default(),
            order: graph.map(|graph| texts(&graph.order)).unwrap_or_default(),
            witnesses: messages.map(message).collect(),
        }) + "\n"
    };
    checks.algorithms.iter().map(line).collect()
}
