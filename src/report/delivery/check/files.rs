//! The same as CSV and JSON.

use super::{DeliveryCheck, DeliveryChecks, algorithm, bad, facts};
use crate::experiment::delivery::DeliveryDemand;
use crate::report::files::record::{self, Record, Value};
use crate::report::files::rows::{ROW, Row};
use crate::report::words::facts::Compared;
use crate::routing::fat_tree::{CycleProof, ScheduleTerms};
use crate::theory::fat_tree::{congestion_parameter, deliverable_fraction, random_cycles};
use crate::theory::oblivious::Side;
use crate::topology::fat_tree::SecondNetwork;
use crate::traffic::{MessagePattern, Placement};

/// What holds of the network.
fn network(checks: &DeliveryChecks) -> Vec<Row> {
    let channels = &checks.trial.channels;
    let mut rows = vec![
        Row::measured("processors", f64::from(channels.processors())),
        Row::measured("levels", f64::from(channels.levels())),
        Row::measured("channels", channels.all().count() as f64),
        Row::measured("wires", channels.wires() as f64),
    ];
    if let Some(tree) = checks.tree {
        rows.extend(
            (0..)
                .zip(tree.capacities())
                .map(|(height, wires): (u8, u32)| Row::measured(&format!("capacity-{height}"), f64::from(wires))),
        );
        rows.push(Row::measured("area", tree.area()));
        rows.push(Row::measured("volume", tree.volume()));
        rows.push(Row::measured("congestion-parameter", congestion_parameter(tree)));
    } else if let Ok(network) = SecondNetwork::new(channels.processors().into()) {
        rows.push(Row::measured("switches", network.switches() as f64));
        rows.push(Row::measured("area", network.area()));
    }
    if let Some(live) = &checks.trial.live {
        rows.push(Row::measured("dead-wires", live.dead() as f64));
        rows.push(Row::measured("deliverable", f64::from(checks.deliverable)));
        let random = matches!(checks.setting.demand, DeliveryDemand::Pattern(pattern) if pattern.is_random());
        let exact = checks.tree.filter(|_| random).map(|tree| deliverable_fraction(tree, checks.p));
        rows.extend(exact.map(|share| Row::measured("deliverable-share-exact", share)));
    }
    rows
}

/// What holds of the messages.
fn messages(checks: &DeliveryChecks) -> Vec<Row> {
    let load = &checks.trial.load_factor;
    let mut rows = vec![
        Row::measured("messages", f64::from(checks.trial.messages.len())),
        Row::measured("load-factor", load.value()),
        Row::measured("least-cycles", f64::from(load.cycles())),
    ];
    for (found, item) in checks.lemma_6.iter().zip(["lemma-6", "lemma-6-congestion-parameter"]) {
        rows.push(Row::bounded(item, facts::arriving(checks, found)));
    }
    if let Some(detour) = checks.detour {
        let [to, from] = detour.legs;
        rows.push(Row::measured("detour-load-factor-1", to.value()));
        rows.push(Row::measured("detour-load-factor-2", from.value()));
    }
    rows.extend(checks.steps.iter().map(|step| {
        let item = match step.pattern {
            MessagePattern::MeshStep(Placement::ZOrder, _) => "mesh-z-order",
            MessagePattern::MeshStep(Placement::RowMajor, _) => "mesh-row-major",
            _ => "hypercube",
        };
        Row::measured(&format!("{item}-load-factor"), step.load_factor.value())
    }));
    if let Some(bad) = &checks.bad {
        let items = ["theorem-9-load-factor", "theorem-9-root", "theorem-9-later"];
        rows.extend(items.into_iter().zip(bad::properties(bad)).map(|(item, claim)| Row::bounded(item, claim)));
    }
    rows
}

/// What is found of an algorithm.
fn rows_of(checks: &DeliveryChecks, check: &DeliveryCheck) -> Vec<Row> {
    let (counts, load) = (&check.counts, &checks.trial.load_factor);
    let n = checks.leaves.processors();
    let mut rows = vec![Row::holds("ends", check.has_ended())];
    if check.has_ended() {
        let cycles = counts.completion as f64;
        rows.push(Row::bounded("cycles", algorithm::least(checks, check)));
        rows.push(Row::measured("per-load", (load.load() > 0).then(|| cycles / load.value())));
        rows.push(Row::measured("literal", counts.literal as f64));
        rows.push(Row::measured("busy", counts.busy as f64));
    }
    rows.extend(algorithm::bad_cycles(checks, check).map(|claim| Row::bounded("theorem-9-cycles", claim)));
    rows.extend(algorithm::bad_exactly(checks).map(|cycles| Row::measured("theorem-9-exactly", cycles)));
    rows.push(Row::measured("delivered", f64::from(counts.delivered)));
    rows.push(Row::measured("transmissions", check.transmissions));
    if let (Some(tree), Some(CycleProof::Theorem8)) = (checks.tree, check.proof()) {
        let told = algorithm::no_theorem_8(checks).is_none();
        let terms = ScheduleTerms::of_proof(congestion_parameter(tree)).ok().filter(|_| told);
        let cycles = terms.map(|terms| random_cycles(&terms, n, load.value()));
        rows.push(Row::measured("cycles-with-constants-of-proof", cycles));
    }
    if let Some(offline) = check.offline {
        let claim = Compared::new(f64::from(offline.cycles), Side::AtLeast, load.cycles());
        rows.push(Row::bounded("offline", claim.if_so(load.load() > 0, facts::NO_LOAD)));
        rows.push(Row::holds("offline-verified", offline.verified.is_ok()));
    }
    rows
}

/// Everything that has a number: that of the network, of the messages, and of each algorithm, with how it ends.
fn series(checks: &DeliveryChecks) -> Vec<(&str, Option<String>, Vec<Row>)> {
    let mut all = vec![("network", None, network(checks)), ("messages", None, messages(checks))];
    all.extend(checks.algorithms.iter().map(|check| {
        let outcome = check.outcome.map(|outcome| outcome.to_string());
        (&*check.algorithm.id, outcome, rows_of(checks, check))
    }));
    all
}

/// `check` of delivery cycles as CSV: a line for each number of the network, the messages, and each algorithm.
pub(super) fn csv(checks: &DeliveryChecks) -> String {
    let lines = series(checks).into_iter().flat_map(|(series, _, rows)| rows.into_iter().map(|row| row.of(series)));
    record::csv(&checks.experiment, &ROW, &lines.collect::<Vec<_>>())
}

/// `check` of delivery cycles as JSON: a line `{experiment, seed, version, series, outcome, rows: [{item, measured, side, bound,
/// supposed, holds, verdict, fails}]}` for the network, the messages, and each algorithm. The rows are those of the CSV; the outcome of a run that
/// was not followed to its end is null.
pub(super) fn json(checks: &DeliveryChecks) -> String {
    let line = |(series, outcome, rows): (&str, Option<String>, Vec<Row>)| {
        let rows = rows.into_iter().collect::<Value>();
        Record::default().with("series", series).with("outcome", outcome).with("rows", rows)
    };
    record::json(&checks.experiment, series(checks).into_iter().map(line).collect())
}
