//! Results of a check on permutations and batches as CSV and JSON.

use super::facts::{NOT_EXPECTED, NOT_ROUTED, class_subcubes, congestion, deadlock, is_counted, least, worst};
use super::{PermutationCheck, PermutationChecks, PermutationGraph};
use crate as report;
use crate::files::bound_rows::{BoundRow, ROW};
use crate::files::record::{self, Record, Value};
use faultlab_core::fault::Tolerance;
use faultlab_core::routing::oblivious::{Subcube, Unavailable, kim_shin_guarantee};
use faultlab_core::theory::oblivious::{
    ObliviousWitness, Statement, borodin_hopcroft, deterministic_congestion, lemma_2_faults, theorem_3_faults,
};
use faultlab_core::topology::{Link, NodeId, set_dimensions};

/// Returns the identifier of a claim in exported files.
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

/// Returns the rows on the cube, its faults and its messages, under every algorithm.
fn network(checks: &PermutationChecks) -> Vec<BoundRow> {
    let (cube, relation) = (checks.cell.cube, checks.cell.permutation_setting());
    let n = cube.dimension();
    let share = if let Tolerance::Share(share) = relation.tolerance { share } else { 1.0 / (3.0 * f64::from(n)) };
    vec![
        BoundRow::measured("dimensions", f64::from(n)),
        BoundRow::measured("nodes", (cube.mask() + 1) as f64),
        BoundRow::measured("channels-of-a-node", f64::from(2 * n)),
        BoundRow::measured("faulty-nodes", f64::from(checks.faulty.count())),
        BoundRow::measured("lemma-2-faults", f64::from(lemma_2_faults(n))),
        BoundRow::measured("theorem-3-faults", f64::from(theorem_3_faults(n))),
        BoundRow::text("messages", relation.demand.to_text(checks.cell.network)),
        BoundRow::measured("h", f64::from(relation.h)),
        BoundRow::measured("tolerance", share),
    ]
}

/// Returns the rows on an algorithm, in the order of the facts.
fn rows(checks: &PermutationChecks, check: &PermutationCheck) -> Vec<BoundRow> {
    let (n, nodes) = (checks.cell.cube.dimension(), checks.cell.cube.mask() + 1);
    let found = match &check.found {
        Ok(found) => found,
        Err(Unavailable::NoSubcube) => {
            return vec![BoundRow::measured("kim-shin-guarantee", f64::from(kim_shin_guarantee(n)))];
        }
        Err(_) => return Vec::new(),
    };
    let paths = &found.paths;
    let counted = is_counted(found);
    let lost: u32 = paths.undelivered().values().sum();
    let told = |row: BoundRow, why: Option<&str>| if let Some(why) = why { row.with(why) } else { row };
    let mut rows = vec![
        BoundRow::measured("active-share", found.active as f64 / nodes as f64),
        BoundRow::measured("h", f64::from(found.h)),
        told(BoundRow::measured("drawn-congestion", congestion(found)), (!counted).then_some(NOT_ROUTED)),
        BoundRow::measured("drawn-load", counted.then(|| f64::from(paths.max_load()))),
        BoundRow::measured("drawn-length", paths.max_length().map(f64::from)),
        BoundRow::measured("no-route", counted.then(|| f64::from(lost))),
        BoundRow::measured("active", found.active as f64),
        BoundRow::measured("messages", f64::from(found.messages)),
        BoundRow::measured("kept-back", f64::from(found.kept_back)),
        BoundRow::measured("routes", f64::from(paths.delivered())),
        BoundRow::measured("mean-length", paths.mean_length()),
    ];
    if let Some(set) = found.set {
        rows.push(BoundRow::measured("faults-supposed", f64::from(set.faults)));
        rows.push(BoundRow::measured("faulty-paths-limit", f64::from(set.limit)));
        rows.push(BoundRow::measured("paths", (nodes >> if set.squares { 2 } else { 0 }) as f64));
        rows.extend(set.closed_form.map(|inactive| BoundRow::measured("inactive-of-one-fault", inactive as f64)));
    }
    let node = |node: NodeId| checks.cell.network.format_node(node);
    for worst in &found.worst_faults {
        let nodes: Vec<_> = worst.nodes.iter().map(|&faulty| node(faulty)).collect();
        let what = format!("worst-faults-{}", nodes.len());
        rows.push(BoundRow::measured(&what, f64::from(worst.active)).with(nodes.join(" ")));
        rows.push(BoundRow::measured(&format!("{what}-sets"), worst.evaluated_sets as f64));
    }
    if let Some(worst) = found.worst_pair {
        let pair = format!("{} {}", node(worst.from), node(worst.to));
        rows.push(BoundRow::measured("worst-pair-choice", worst.choice as f64).with(pair));
        rows.push(BoundRow::measured("worst-pair-as-few", worst.ties as f64));
        rows.push(BoundRow::measured("worst-pair-pairs", worst.pairs as f64));
    }
    rows.extend(found.claims.iter().map(|claim| BoundRow::bounded(id(claim.statement), claim.into())));
    rows.extend(worst(found).map(|claim| BoundRow::bounded("bit-fixing-worst", claim)));
    rows.extend(least(found).map(|claim| BoundRow::bounded("least-congestion", claim)));
    if let Some(expected) = found.expected {
        rows.push(BoundRow::measured("expected-max-congestion", expected.congestion));
        rows.push(BoundRow::measured("expected-max-load", expected.load));
        rows.push(BoundRow::measured("expected-mean-length", expected.length));
    } else if found.messages > 0 {
        rows.push(BoundRow::text("expected-max-congestion", NOT_EXPECTED));
    }
    for class in &found.classes {
        let (drawn, expected) = (format!("class-{}", class.class), format!("class-{}-expected", class.class));
        rows.push(BoundRow::measured(&drawn, f64::from(class.measured)).with(class_subcubes(class.class)));
        // Reference value without faults, not a bound.
        rows.push(BoundRow { reference: Some(class.closed_form), ..BoundRow::measured(&expected, class.expected) });
    }
    if let Some(graph) = &found.graph {
        rows.push(BoundRow::measured("channels", f64::from(graph.channels)));
        rows.push(BoundRow::measured("dependencies", graph.dependencies as f64));
        rows.push(BoundRow::measured("shortest-cycle", graph.cycle.len() as f64));
    }
    if let Some(bad) = &found.bad_permutation {
        let pairs: Vec<_> = bad.messages.iter().map(|pair| format!("{}-{}", node(pair.from), node(pair.to))).collect();
        rows.push(BoundRow::measured("bad-permutation", bad.messages.len() as f64).with(pairs.join(",")));
        rows.push(BoundRow::measured("deterministic-congestion", f64::from(deterministic_congestion(n))));
        rows.push(BoundRow::measured("borodin-hopcroft", borodin_hopcroft(n)));
    }
    rows.extend(found.ascends.map(|ascends| BoundRow::holds("ascends", ascends)));
    if let Some(subcube) = found.subcube {
        rows.push(BoundRow::measured("kim-shin-guarantee", f64::from(kim_shin_guarantee(n))));
        let bits = set_dimensions(subcube.fixed).map(|dim| (dim, (subcube.value >> dim & 1) as f64));
        rows.extend(bits.map(|(dim, bit)| BoundRow::measured(&format!("subcube-bit-{dim}"), bit)));
    }
    let (free, because) = deadlock(checks, check, found);
    rows.push(BoundRow { holds: free, ..BoundRow::text("deadlock-free", because) });
    rows
}

/// Returns `check` of permutations and batches as CSV: a line for each number of the `network` and
/// of each algorithm. `supposed` is whether the thesis promises the bound here, `verdict` whether
/// it holds, and `fails` the violated premise. `told` is a text. An algorithm that does not apply
/// has the line `unavailable` with the reason. A `shortest-cycle` of 0 channels means that there is
/// none.
pub(super) fn csv(checks: &PermutationChecks) -> String {
    let rows = |check: &PermutationCheck| {
        let unavailable = check.found.as_ref().err().map(|why| BoundRow::text("unavailable", why.to_string()));
        unavailable.into_iter().chain(rows(checks, check)).collect::<Vec<_>>()
    };
    let of = |check| rows(check).into_iter().map(|row| row.into_record(&check.algorithm.id));
    let network = network(checks).into_iter().map(|row| row.into_record("network"));
    let lines = network.chain(checks.algorithms.iter().flat_map(of));
    record::csv(&checks.experiment, &ROW, &lines.collect::<Vec<_>>())
}

/// Returns `check` of permutations and batches as JSON: a line `{experiment, seed, version, series,
/// unavailable, rows: [{item, measured, side, bound, supposed, holds, verdict, fails, told}],
/// acyclic, cycle: [link], order: [link], witnesses: [{from, via, to}], deadlock_free, because,
/// deadlock, subcube: {fixed: [dimension], value}, faulty_nodes: [node], network: [row]}` for each
/// algorithm.
///
/// Values that are not computed are null. The rows are the lines of the CSV; `unavailable` is the
/// reason why a scheme does not apply.
pub(super) fn json(checks: &PermutationChecks) -> String {
    record::json(&checks.experiment, checks.algorithms.iter().map(|check| line(checks, check)).collect())
}

fn line(checks: &PermutationChecks, check: &PermutationCheck) -> Record {
    let found = check.found.as_ref().ok();
    let graph = found.and_then(|found| found.graph.as_ref());
    let deadlock = found.map(|found| deadlock(checks, check, found));
    let subcube = |subcube: Subcube| {
        let fixed = set_dimensions(subcube.fixed).collect::<Value>();
        Record::default().with("fixed", fixed).with("value", NodeId(subcube.value))
    };
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
        .with("rows", rows(checks, check).into_iter().collect::<Value>())
        .with("acyclic", graph.map(|graph| graph.cycle.is_empty()))
        .with("cycle", links(|graph| &graph.cycle))
        .with("order", links(|graph| &graph.order))
        .with("witnesses", witnesses.iter().map(message).collect::<Value>())
        .with("deadlock_free", deadlock.as_ref().and_then(|(free, _)| *free))
        .with("because", deadlock.map(|(_, because)| because))
        .with("deadlock", found.map(|found| report::deadlock::record(&found.deadlock, checks.experiment.network)))
        .with("subcube", found.and_then(|found| found.subcube).map(subcube))
        .with("faulty_nodes", checks.faulty.iter().collect::<Value>())
        .with("network", network(checks).into_iter().collect::<Value>())
        .with("cost", report::cost::record_for(&checks.experiment, &check.algorithm))
}
