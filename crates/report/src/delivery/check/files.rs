//! Results of a check on a fat-tree as CSV and JSON.

use super::{DeliveryCheck, DeliveryChecks, algorithm, bad_set, buffered, facts, level_schedule};
use crate::cost;
use crate::files::bound_rows::{BoundRow, ROW};
use crate::files::record::{self, Record, Value};
use crate::wording::facts::BoundCheck;
use faultlab_core::routing::fat_tree::{CycleProof, ScheduleConstants};
use faultlab_core::switching::delivery::{DeliveryOutcome, Undeliverable};
use faultlab_core::theory::fat_tree::{
    BadChoice, Lemma6, TreesPlacement, congestion_parameter, figure_4_cycles, random_schedule_cycles,
};
use faultlab_core::theory::oblivious::BoundSide;
use faultlab_core::topology::fat_tree::ChannelLocation;
use faultlab_core::traffic::{MessagePattern, Placement};

/// Returns the rows on the network.
fn network(checks: &DeliveryChecks) -> Vec<BoundRow> {
    let channels = &checks.trial.channels;
    let mut rows = vec![
        BoundRow::measured("processors", f64::from(channels.processors())),
        BoundRow::measured("levels", f64::from(channels.levels())),
        BoundRow::measured("channels", channels.iter().count() as f64),
        BoundRow::measured("wires", channels.wires() as f64),
    ];
    if let Some(tree) = checks.tree {
        rows.extend(
            (0..)
                .zip(tree.capacities())
                .map(|(height, wires): (u8, u32)| BoundRow::measured(&format!("capacity-{height}"), f64::from(wires))),
        );
        rows.push(BoundRow::measured("area", tree.area()));
        rows.push(BoundRow::measured("volume", tree.volume()));
        rows.push(BoundRow::measured("congestion-parameter", congestion_parameter(tree)));
        rows.push(BoundRow::text("profile", checks.setting.profile.id()));
    } else if let Some(network) = checks.leaves.second_network() {
        rows.push(BoundRow::measured("switches", network.switches() as f64));
        rows.extend(network.area().map(|area| BoundRow::measured("area", area)));
        rows.extend(network.volume().map(|volume| BoundRow::measured("volume", volume)));
    }
    for trees in &checks.trees {
        let item = match trees.placement {
            TreesPlacement::Shared => "mesh-of-trees",
            TreesPlacement::Disjoint => "disjoint-mesh-of-trees",
        };
        let size = [("side", trees.side), ("nodes", trees.nodes), ("edges", trees.edges)];
        let cost = [("load", trees.load), ("dilation", trees.dilation), ("congestion", trees.congestion)];
        rows.extend(
            [size, cost].into_iter().flat_map(|part| named(item, part.map(|(name, count)| (name, count.into())))),
        );
    }
    if let Some(live) = &checks.trial.live {
        rows.push(BoundRow::measured("dead-wire-probability", checks.p));
        rows.push(BoundRow::measured("dead-wires", live.dead_count() as f64));
        rows.push(BoundRow::measured("channels-cut-off", facts::cut_off(live) as f64));
        rows.push(BoundRow::measured("deliverable", f64::from(checks.deliverable)));
        let share = f64::from(checks.deliverable) / f64::from(checks.trial.messages.len().max(1));
        rows.push(BoundRow::measured("deliverable-share", share));
        rows.push(BoundRow::holds("undeliverable-known", checks.setting.undeliverable == Undeliverable::Known));
        rows.extend(checks.exact_share().map(|share| BoundRow::measured("deliverable-share-exact", share)));
    }
    rows
}

/// Returns the rows on the messages.
fn messages(checks: &DeliveryChecks) -> Vec<BoundRow> {
    let load = &checks.trial.load_factor;
    let mut rows = vec![
        BoundRow::measured("messages", f64::from(checks.trial.messages.len())).with(checks.setting.demand.to_string()),
        BoundRow::measured("load-factor", load.value()),
        BoundRow::measured("least-cycles", f64::from(load.cycles())),
        BoundRow::measured("load-factor-messages", f64::from(load.load())),
        BoundRow::measured("load-factor-wires", load.channel().map(|_| f64::from(load.wires()))),
    ];
    rows.extend(load.channel().into_iter().flat_map(|place| channel_position("load-factor", place)));
    for (found, item) in checks.lemma_6.iter().zip(["lemma-6", "lemma-6-congestion-parameter"]) {
        rows.push(BoundRow::bounded(item, facts::arriving(checks, found)));
        let Lemma6 { probability, sent, .. } = found.measured;
        rows.extend(named(item, [("r", found.r), ("probability", probability), ("sent", sent as f64)]));
        rows.extend(named(item, [("cycles", f64::from(found.trials))]));
    }
    if let Some(detour) = checks.detour {
        let [to, from] = detour.legs;
        rows.push(BoundRow::measured("detour-load-factor-1", to.value()));
        rows.push(BoundRow::measured("detour-load-factor-2", from.value()));
        rows.push(BoundRow::measured("detour-least-cycles", f64::from(detour.cycles())));
    }
    rows.extend(checks.steps.iter().flat_map(|step| {
        let item = match step.pattern {
            MessagePattern::MeshStep(Placement::ZOrder, _) => "mesh-z-order",
            MessagePattern::MeshStep(Placement::RowMajor, _) => "mesh-row-major",
            _ => "hypercube",
        };
        let load = &step.load_factor;
        let cycles = ("least-cycles", f64::from(load.cycles()));
        named(item, [("load-factor", load.value()), cycles, ("bisection", f64::from(step.bisection))])
    }));
    rows.extend(buffered::rows(checks));
    rows.extend(level_schedule::rows(checks));
    rows.extend(facts::not_computed(checks).map(|why| BoundRow::text("not-computed", why)));
    if let Some(bad) = &checks.bad {
        let items = ["theorem-9-load-factor", "theorem-9-root", "theorem-9-later"];
        rows.extend(
            items.into_iter().zip(bad_set::properties(bad)).map(|(item, claim)| BoundRow::bounded(item, claim)),
        );
        rows.extend((1..).zip(&bad.set.choices).flat_map(|(number, choice)| built(number, choice)));
    }
    rows
}

/// Returns rows with several numbers of one item.
pub(super) fn named<const N: usize>(item: &str, numbers: [(&str, f64); N]) -> [BoundRow; N] {
    numbers.map(|(name, number)| BoundRow::measured(&format!("{item}-{name}"), number))
}

/// Returns the position of a channel: the height, the index of its node from the left, and 1 for
/// down, 0 for up.
fn channel_position(item: &str, place: ChannelLocation) -> [BoundRow; 3] {
    let ChannelLocation { height, node, down, .. } = place;
    named(item, [("height", height.into()), ("node", node.into()), ("down", f64::from(u8::from(down)))])
}

/// Returns the rows of a step in the construction of Theorem 9's set; step 1 divides the whole
/// tree.
fn built(number: u32, choice: &BadChoice) -> impl Iterator<Item = BoundRow> + use<> {
    let item = format!("theorem-9-step-{number}");
    let BadChoice { first, size, cycles, removed, unfavored } = *choice;
    let sizes = [("first", first), ("size", size), ("cycles", cycles), ("unfavored", unfavored.into())];
    let quarters = ["removed-0", "removed-1", "removed-2", "removed-3"].into_iter().zip(removed);
    let all = sizes.into_iter().chain(quarters).flat_map(move |(name, count)| named(&item, [(name, count.into())]));
    all.collect::<Vec<_>>().into_iter()
}

/// Returns the rows on an algorithm.
fn rows_of(checks: &DeliveryChecks, check: &DeliveryCheck) -> Vec<BoundRow> {
    let (counts, load) = (&check.counts, &checks.trial.load_factor);
    let n = checks.leaves.processors();
    let mut rows = vec![BoundRow::holds("ends", check.has_ended())];
    rows.push(BoundRow::measured("followed", f64::from(check.cycles)));
    if let Some(DeliveryOutcome::Delivered { undeliverable }) = check.outcome {
        rows.push(BoundRow::measured("undeliverable", f64::from(undeliverable)));
    }
    if let Some(DeliveryOutcome::Stuck { left, channel, contenders, capacity }) = check.outcome {
        let counts = [("left", left), ("contenders", contenders), ("wires", capacity)];
        rows.extend(named("stuck", counts.map(|(name, count)| (name, f64::from(count)))));
        rows.extend(
            checks.trial.channels.location(channel).into_iter().flat_map(|place| channel_position("stuck", place)),
        );
    }
    if check.has_ended() {
        let cycles = counts.completion as f64;
        rows.push(BoundRow::bounded("cycles", algorithm::least(checks, check)));
        rows.push(BoundRow::measured("per-load", (load.load() > 0).then(|| cycles / load.value())));
        rows.push(BoundRow::measured("literal", counts.pseudocode_cycles as f64));
        rows.push(BoundRow::measured("busy", counts.sending_cycles as f64));
    }
    for (item, bits) in ["bit-times", "sorting-bit-times"].into_iter().zip(algorithm::bit_times(checks, check)) {
        rows.extend(bits.map(|bits| BoundRow::measured(item, bits)));
    }
    let certain = algorithm::certain(check).filter(|_| checks.tree.is_some());
    rows.extend(certain.map(|claim| BoundRow::bounded("certain-end", claim)));
    rows.extend(algorithm::bad_cycles(checks, check).map(|claim| BoundRow::bounded("theorem-9-cycles", claim)));
    rows.extend(algorithm::bad_exactly(checks).map(|cycles| BoundRow::measured("theorem-9-exactly", cycles)));
    rows.push(BoundRow::measured("delivered", f64::from(counts.delivered)));
    rows.push(BoundRow::measured("transmissions", check.transmissions));
    rows.extend(check.proof().map(|proof| BoundRow::text("proved", proof.to_string())));
    if let (Some(tree), Some(CycleProof::Theorem8)) = (checks.tree, check.proof()) {
        let told = algorithm::no_theorem_8(checks).is_none();
        let proof_constants = ScheduleConstants::from_proof(congestion_parameter(tree)).ok().filter(|_| told);
        let cycles = proof_constants.map(|proof_constants| random_schedule_cycles(&proof_constants, n, load.value()));
        rows.push(BoundRow::measured("cycles-with-constants-of-proof", cycles));
        rows.push(BoundRow::measured("figure-4", told.then(|| figure_4_cycles(n, load.value()))));
        let named_constants =
            |constants: ScheduleConstants| [("k1", constants.k1()), ("k2", constants.k2()), ("r", constants.r())];
        rows.extend(proof_constants.into_iter().flat_map(|constants| named("proof", named_constants(constants))));
    }
    if check.algorithm.delivery().is_some_and(|delivery| delivery.uses_constants) {
        let setting = &checks.setting;
        let constants = [("k1", setting.k1), ("k2", setting.k2), ("r", setting.r.value_for(&checks.trial.channels))];
        rows.extend(constants.map(|(name, constant)| BoundRow::measured(name, constant)));
    }
    rows.extend(algorithm::phases(check).map(|claim| BoundRow::bounded("both-phases", claim)));
    if let Some(detour) = check.detour {
        let [to, from] = detour.legs.map(|leg| leg.value());
        rows.extend(named("phase", [("1-load-factor", to), ("2-load-factor", from)]));
    }
    rows.extend(algorithm::expected(checks, check).map(|cycles| BoundRow::measured("expected-least-cycles", cycles)));
    if let Some(offline) = check.offline {
        let claim = BoundCheck::new(f64::from(offline.cycles), BoundSide::AtLeast, load.cycles());
        rows.push(BoundRow::bounded("offline", claim.with_premise(load.load() > 0, facts::LOAD_PREMISE)));
        rows.push(BoundRow::measured("offline-schedules", f64::from(offline.schedules)));
        rows.push(BoundRow::holds("offline-verified", offline.verified.is_ok()));
    }
    rows
}

/// Returns all rows: on the network, on the messages, and on each algorithm.
fn series(checks: &DeliveryChecks) -> Vec<(&str, Option<&DeliveryCheck>, Vec<BoundRow>)> {
    let mut all = vec![("network", None, network(checks)), ("messages", None, messages(checks))];
    all.extend(checks.algorithms.iter().map(|check| (&*check.algorithm.id, Some(check), rows_of(checks, check))));
    all
}

/// Returns `check` of delivery cycles as CSV: a line for each number of the network, the messages,
/// and each algorithm.
pub(super) fn csv(checks: &DeliveryChecks) -> String {
    let lines =
        series(checks).into_iter().flat_map(|(series, _, rows)| rows.into_iter().map(|row| row.into_record(series)));
    record::csv(&checks.experiment, &ROW, &lines.collect::<Vec<_>>())
}

/// Returns `check` of delivery cycles as JSON: a line `{experiment, seed, version, series, outcome,
/// proof, fails, rows: [{item, measured, side, bound, supposed, holds, verdict, fails}]}` for the
/// network, the messages, and each algorithm. The rows are the lines of the CSV.
///
/// `outcome` is null if the run was not followed to its end. Network and messages have neither
/// `outcome` nor `proof`. `fails` is the violated premise of the proof, null where the proof
/// applies.
pub(super) fn json(checks: &DeliveryChecks) -> String {
    let line = |(series, check, rows): (&str, Option<&DeliveryCheck>, Vec<BoundRow>)| {
        let rows = rows.into_iter().collect::<Value>();
        let outcome = check.and_then(|check| check.outcome).map(|outcome| outcome.to_string());
        let proof = check.and_then(DeliveryCheck::proof).map(|proof| proof.to_string());
        let fails = check.and_then(|check| algorithm::violated_premise(checks, check));
        let all = Record::default().with("series", series).with("outcome", outcome).with("proof", proof);
        let cost = check.map(|check| cost::record_for(&checks.experiment, &check.algorithm));
        all.with("fails", fails).with("rows", rows).with("cost", cost)
    };
    record::json(&checks.experiment, series(checks).into_iter().map(line).collect())
}
