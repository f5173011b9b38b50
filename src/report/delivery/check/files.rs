//! The same as CSV and JSON.

use super::{DeliveryCheck, DeliveryChecks, algorithm, bad, facts};
use crate::report::files::record::{self, Record, Value};
use crate::report::files::rows::{ROW, Row};
use crate::report::words::facts::Compared;
use crate::routing::fat_tree::{CycleProof, ScheduleTerms};
use crate::switching::delivery::{DeliveryOutcome, Undeliverable};
use crate::theory::fat_tree::{congestion_parameter, deliverable_fraction, figure_4, figure_4_cycles, random_cycles};
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
        rows.push(Row::told("profile", checks.setting.profile.id()));
    } else if let Ok(network) = SecondNetwork::new(channels.processors().into()) {
        rows.push(Row::measured("switches", network.switches() as f64));
        rows.push(Row::measured("area", network.area()));
    }
    if let Some(live) = &checks.trial.live {
        let cut = channels.all().filter(|&channel| live.capacity(channel) == 0).count();
        rows.push(Row::measured("dead-wires", live.dead() as f64));
        rows.push(Row::measured("dead-rate", checks.p));
        rows.push(Row::measured("channels-without-wire", cut as f64));
        let share = f64::from(checks.deliverable) / f64::from(checks.trial.messages.len().max(1));
        rows.push(Row::measured("deliverable-share", share));
        rows.push(Row::holds("undeliverable-known", checks.setting.undeliverable == Undeliverable::Known));
        rows.push(Row::measured("deliverable", f64::from(checks.deliverable)));
        let exact = checks.tree.filter(|_| checks.setting.demand.is_random_permutation());
        let exact = exact.map(|tree| deliverable_fraction(tree, checks.p));
        rows.extend(exact.map(|share| Row::measured("deliverable-share-exact", share)));
    }
    rows
}

/// What holds of the messages.
fn messages(checks: &DeliveryChecks) -> Vec<Row> {
    let load = &checks.trial.load_factor;
    let mut rows = vec![
        Row::measured("messages", f64::from(checks.trial.messages.len())).with(checks.setting.demand.to_string()),
        Row::measured("load-factor", load.value()),
        Row::measured("least-cycles", f64::from(load.cycles())),
    ];
    if let Some(channel) = load.channel() {
        let told = facts::place(&checks.trial.channels, channel);
        rows.push(Row::measured("load-factor-load", f64::from(load.load())).with(told));
        rows.push(Row::measured("load-factor-wires", f64::from(load.wires())));
        rows.push(Row::measured("load-factor-height", f64::from(channel.height)));
        rows.push(Row::measured("load-factor-node", f64::from(channel.node)));
        rows.push(Row::holds("load-factor-down", channel.down));
    }
    for (found, item) in checks.lemma_6.iter().zip(["lemma-6", "lemma-6-congestion-parameter"]) {
        rows.push(Row::bounded(item, facts::arriving(checks, found)));
        let (sent, trials) = (found.measured.sent as f64, f64::from(found.trials));
        let numbers = [("r", found.r), ("probability", found.measured.probability), ("sent", sent), ("trials", trials)];
        rows.extend(numbers.map(|(what, number)| Row::measured(&format!("{item}-{what}"), number)));
    }
    if let Some(detour) = checks.detour {
        let [to, from] = detour.legs;
        rows.push(Row::measured("detour-load-factor-1", to.value()));
        rows.push(Row::measured("detour-load-factor-2", from.value()));
        rows.push(Row::measured("detour-cycles", f64::from(detour.cycles())));
    }
    rows.extend(checks.steps.iter().flat_map(|step| {
        let item = match step.pattern {
            MessagePattern::MeshStep(Placement::ZOrder, _) => "mesh-z-order",
            MessagePattern::MeshStep(Placement::RowMajor, _) => "mesh-row-major",
            _ => "hypercube",
        };
        let (load, cycles) = (step.load_factor.value(), f64::from(step.load_factor.cycles()));
        let numbers = [("load-factor", load), ("cycles", cycles), ("bisection", f64::from(step.bisection))];
        numbers.map(|(what, number)| Row::measured(&format!("{item}-{what}"), number))
    }));
    rows.extend(facts::not_computed(checks).map(|why| Row::told("not-computed", why)));
    if let Some(bad) = &checks.bad {
        let items = ["theorem-9-load-factor", "theorem-9-root", "theorem-9-later"];
        rows.extend(items.into_iter().zip(bad::properties(bad)).map(|(item, claim)| Row::bounded(item, claim)));
        for (number, choice) in (1..).zip(&bad.set.choices) {
            let [a, b, c, d] = choice.removed;
            let quarter = u32::from(choice.unfavored);
            let all = [choice.first, choice.size, choice.cycles, a, b, c, d, quarter];
            let what = ["first", "size", "cycles", "removed-0", "removed-1", "removed-2", "removed-3", "unfavored"];
            let row = |(what, value)| Row::measured(&format!("choice-{number}-{what}"), f64::from(value));
            rows.extend(what.into_iter().zip(all).map(row));
        }
    }
    rows
}

/// What is found of an algorithm.
fn rows_of(checks: &DeliveryChecks, check: &DeliveryCheck) -> Vec<Row> {
    let (counts, load) = (&check.counts, &checks.trial.load_factor);
    let n = checks.leaves.processors();
    let outcome = check.outcome.map_or("no end in sight".to_owned(), |outcome| outcome.to_string());
    let mut rows = vec![Row::holds("ends", check.has_ended()).with(outcome)];
    rows.push(Row::measured("cycles-followed", f64::from(check.cycles)));
    if let Some(DeliveryOutcome::Stuck { left, channel, contenders, capacity }) = check.outcome {
        let at = checks.trial.channels.place(channel).map(|at| facts::place(&checks.trial.channels, at));
        rows.push(Row { told: at, ..Row::measured("stuck-contenders", f64::from(contenders)) });
        rows.push(Row::measured("stuck-left", f64::from(left)));
        rows.push(Row::measured("stuck-wires", f64::from(capacity)));
    }
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
    rows.extend(check.proof().map(|proof| Row::told("proved", proof.to_string())));
    if let (Some(tree), Some(CycleProof::Theorem8)) = (checks.tree, check.proof()) {
        let told = algorithm::no_theorem_8(checks).is_none();
        let setting = &checks.setting;
        let constants = [("k1", setting.k1), ("k2", setting.k2), ("r", setting.r)];
        rows.extend(constants.map(|(item, constant)| Row::measured(item, constant)));
        let terms = ScheduleTerms::of_proof(congestion_parameter(tree)).ok().filter(|_| told);
        if let Some(terms) = &terms {
            let constants = [("proof-k1", terms.k1()), ("proof-k2", terms.k2()), ("proof-r", terms.r())];
            rows.extend(constants.map(|(item, constant)| Row::measured(item, constant)));
        }
        let cycles = terms.map(|terms| random_cycles(&terms, n, load.value()));
        rows.push(Row::measured("cycles-with-constants-of-proof", cycles));
    }
    if check.proof() == Some(CycleProof::Theorem8) {
        rows.push(match algorithm::no_theorem_8(checks) {
            Some(why) => Row::told("figure-4", why),
            None => {
                let rows = figure_4(n);
                let row = rows.iter().find(|row| row.to.is_none_or(|to| load.value() <= to));
                let growth = row.map_or(String::new(), |row| row.cycles.to_string());
                Row::measured("figure-4", figure_4_cycles(n, load.value())).with(growth)
            }
        });
    }
    if let Some(offline) = check.offline {
        let claim = Compared::new(f64::from(offline.cycles), Side::AtLeast, load.cycles());
        rows.push(Row::bounded("offline", claim.if_so(load.load() > 0, facts::NO_LOAD)));
        let fault = offline.verified.err().map(|fault| fault.to_string());
        rows.push(Row { told: fault, ..Row::holds("offline-verified", offline.verified.is_ok()) });
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
/// supposed, holds, verdict, fails, told}]}` for the network, the messages, and each algorithm. The rows are those of the CSV; the outcome of a run that
/// was not followed to its end is null.
pub(super) fn json(checks: &DeliveryChecks) -> String {
    let line = |(series, outcome, rows): (&str, Option<String>, Vec<Row>)| {
        let rows = rows.into_iter().collect::<Value>();
        Record::default().with("series", series).with("outcome", outcome).with("rows", rows)
    };
    record::json(&checks.experiment, series(checks).into_iter().map(line).collect())
}
