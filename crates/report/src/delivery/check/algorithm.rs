//! Results of a check on an algorithm, in words.

use super::bad_set::{ALL_LIVE_PREMISE, DETERMINISTIC_PREMISE};
use super::facts::{LOAD_PREMISE, channel_in_words};
use super::{DeliveryCheck, DeliveryChecks};
use crate::cost::cost_for;
use crate::wording::count;
use crate::wording::facts::{BoundCheck, Fact, fact};
use crate::wording::formula::mark_orders;
use crate::wording::number;
use faultlab_core::routing::fat_tree::{CycleProof, ScheduleConstants};
use faultlab_core::switching::delivery::{DeliveryOutcome, SurvivorPolicy};
use faultlab_core::theory::fat_tree::{
    bad_set_cycles, congestion_parameter, detour_cycles, figure_4, random_schedule_cycles, theorem_9_bound,
};
use faultlab_core::theory::oblivious::{BoundSide, ClaimOutcome};
use faultlab_experiment::delivery::DeliveryDemand;

/// Returns the facts on one algorithm with the messages of the experiment.
pub(super) fn algorithm_facts(checks: &DeliveryChecks, check: &DeliveryCheck) -> Vec<Fact> {
    let mut facts = vec![outcome(checks, check)];
    if check.has_ended() {
        facts.extend(cycles(checks, check));
        facts.extend(total_time(checks, check));
    }
    let meaning = "how often a message was sent, on average over all messages";
    facts.push(fact("Transmissions per message", number(check.transmissions), meaning));
    let proof = check.proof();
    let guarantee = mark_orders(check.algorithm.guarantee);
    let proved = proof.map_or(String::new(), |proof| proof.to_string());
    facts.push(match violated_premise(checks, check) {
        None => fact("Proved", proved, guarantee),
        Some(why) => {
            let meaning = format!("{guarantee} Not applicable: {why}");
            fact("Proved", format!("{proved}: {}", ClaimOutcome::NotApplicable), meaning)
        }
    });
    match proof {
        Some(CycleProof::Theorem8) => facts.extend(theorem_8(checks)),
        Some(CycleProof::Section4) => facts.extend(section_4(checks, check)),
        Some(CycleProof::Theorem9) => facts.extend(theorem_9(checks, check)),
        Some(CycleProof::Section1) => facts.extend(section_1(checks, check)),
        _ => {}
    }
    facts.extend(offline(checks, check));
    facts
}

fn outcome(checks: &DeliveryChecks, check: &DeliveryCheck) -> Fact {
    let Some(outcome) = check.outcome else {
        let meaning = format!(
            "{} messages had arrived after {} cycles, when the run was stopped",
            check.counts.delivered, check.cycles
        );
        return fact("Outcome", "not finished", meaning);
    };
    let DeliveryOutcome::Stuck { left, channel, contenders, capacity } = outcome else {
        return fact("Outcome", outcome.to_string(), "the outcome of the run that Watch shows");
    };
    let channels = &checks.trial.channels;
    let at = channels.location(channel).map_or(String::new(), |at| channel_in_words(channels, at));
    let why = if checks.setting.policy.drops_all() {
        "an over-subscribed channel loses all its messages, and an algorithm that always sends everything repeats \
         the collision. The analysis of RANDOM assumes such switches; they do not suit GREEDY"
    } else {
        "sources keep sending messages that dead wires cut off"
    };
    let come = if contenders == 1 { "1 message comes".into() } else { format!("{contenders} messages come") };
    let meaning = format!("{} to {at}, which has {}, in every cycle: {why}", come, count(capacity, "live wire"));
    fact(
        "Outcome",
        format!("stuck with {} left after {}", count(left, "message"), count(check.cycles, "cycle")),
        meaning,
    )
}

/// Returns the number of delivery cycles compared with the load factor, rounded up.
pub(super) fn least(checks: &DeliveryChecks, check: &DeliveryCheck) -> BoundCheck {
    let load = &checks.trial.load_factor;
    let claim = BoundCheck::new(check.counts.completion as f64, BoundSide::AtLeast, load.cycles());
    claim.with_premise(load.load() > 0, LOAD_PREMISE)
}

/// Returns the number of delivery cycles of interleaved RANDOM compared with its certain bound, a
/// message in every even cycle; `None` for other algorithms and unfinished runs.
pub(super) fn certain(check: &DeliveryCheck) -> Option<BoundCheck> {
    let is_its = check.proof() == Some(CycleProof::Section4) && check.has_ended();
    let bound = 2.0 * f64::from(check.counts.delivered);
    is_its.then(|| BoundCheck::new(check.counts.completion as f64, BoundSide::AtMost, bound))
}

fn section_4(checks: &DeliveryChecks, check: &DeliveryCheck) -> Vec<Fact> {
    let meaning = "the run's cycles against 2|M|: every even cycle sends one message alone, which arrives. Whatever \
                   RANDOM draws, the run ends";
    let tree = checks.tree.is_some().then_some(());
    tree.and_then(|()| certain(check)).map(|bound| bound.fact("Certain end", meaning)).into_iter().collect()
}

fn cycles(checks: &DeliveryChecks, check: &DeliveryCheck) -> Vec<Fact> {
    let (counts, load) = (&check.counts, &checks.trial.load_factor);
    let meaning = format!(
        "the load factor, rounded up, is a lower bound. The pseudo-code executes {} cycles, including idle ones \
         and the ends of its loops; {} of them send messages",
        counts.pseudocode_cycles, counts.sending_cycles
    );
    let cycles = counts.completion as f64;
    let mut facts = vec![least(checks, check).fact("Delivery cycles", &meaning)];
    if load.load() > 0 {
        let meaning = "delivery cycles in multiples of `lambda`, a lower bound";
        facts.push(fact("Cycles / load factor", format!("{:.3}", cycles / load.value()), meaning));
    }
    facts
}

/// Returns the bit times of all delivery cycles: first with switches of constant size or with
/// concentrators of prefix circuits and butterflies, then with sorting networks, where there are
/// concentrators. Both are `None` until the run has ended.
pub(super) fn bit_times(checks: &DeliveryChecks, check: &DeliveryCheck) -> [Option<f64>; 2] {
    let cost = cost_for(&checks.experiment, &check.algorithm).filter(|_| check.has_ended());
    let per_cycle = cost.map_or([None; 2], |cost| [cost.cycle_bit_times(), cost.sorting_cycle_bit_times()]);
    per_cycle.map(|bits| bits.map(|bits| check.counts.completion as f64 * bits as f64))
}

/// Returns the number of delivery cycles times the bit times of a cycle.
fn total_time(checks: &DeliveryChecks, check: &DeliveryCheck) -> Option<Fact> {
    let [total, sorting] = bit_times(checks, check);
    let value = match sorting {
        Some(sorting) => format!("{} bit times, {} with sorting networks", total?, sorting),
        None => format!("{} bit times", total?),
    };
    let meaning = "delivery cycles times the bit times of a cycle, see *Cost*: `O(lg n)` bit times on the second \
                   network, `O(lg^2 n)` with prefix circuits and butterflies as concentrators, `O(lg^3 n)` with \
                   Batcher's sorting networks; contents and acknowledgements of messages are not counted";
    Some(fact("Total time", value, meaning))
}

/// Returns the violated premise of the algorithm's proof; `None` if the proof applies.
pub(super) fn violated_premise(checks: &DeliveryChecks, check: &DeliveryCheck) -> Option<&'static str> {
    match check.proof()? {
        CycleProof::Theorem8 => no_theorem_8(checks),
        CycleProof::Section6 if checks.tree.is_some() => Some("it applies only to the second network"),
        CycleProof::Section4 => checks.tree.is_none().then_some("it applies to fat-trees, not to the second network"),
        CycleProof::Theorem9 | CycleProof::Theorem11 | CycleProof::Section1 if checks.tree.is_none() => {
            Some("it applies to fat-trees, not to the second network")
        }
        _ if checks.trial.live.is_some() => Some(ALL_LIVE_PREMISE),
        CycleProof::Theorem9 if !checks.setting.policy.is_admissible() => {
            Some("it assumes admissible switches, which lose no more messages than necessary")
        }
        _ => None,
    }
}

/// Returns the violated premise of Theorem 8; `None` if the theorem applies.
pub(super) fn no_theorem_8(checks: &DeliveryChecks) -> Option<&'static str> {
    match () {
        () if checks.tree.is_none() => Some("it applies to fat-trees, not to the second network"),
        () if checks.trial.live.is_some() => Some(ALL_LIVE_PREMISE),
        () if checks.trial.load_factor.load() == 0 => Some(LOAD_PREMISE),
        () => None,
    }
}

/// Returns the row of Figure 4, and the cycles of RANDOM with the constants of its proof.
fn theorem_8(checks: &DeliveryChecks) -> Vec<Fact> {
    let (n, lambda) = (checks.leaves.processors(), checks.trial.load_factor.value());
    if let Some(why) = no_theorem_8(checks) {
        return vec![fact("Figure 4", ClaimOutcome::NotApplicable.to_string(), why)];
    }
    let mut facts = Vec::new();
    if let Some(row) = figure_4(n).iter().find(|row| row.to.is_none_or(|to| lambda <= to)) {
        let value = format!("`{}`: {} without the constant", row.cycles, number(row.cycles.value(n, lambda)));
        facts.push(fact("Figure 4", value, "the growth of RANDOM's delivery cycles for this load factor"));
    }
    let constants = checks.tree.and_then(|tree| ScheduleConstants::from_proof(congestion_parameter(tree)).ok());
    if let Some(constants) = constants {
        let cycles = random_schedule_cycles(&constants, n, lambda);
        let start_up = if cycles > 1000.0 * lambda { "; start-up dominates" } else { "" };
        let value = format!("{cycles:.0} cycles");
        let setting = &checks.setting;
        let meaning = format!(
            "until a guess reaches `lambda`, with `k1` = {:.0}, `k2` = {:.0}, `r` = {:.3}{start_up}. RANDOM runs \
             here with `k1` = {}, `k2` = {}, `r` = {}",
            constants.k1(),
            constants.k2(),
            constants.r(),
            setting.k1,
            setting.k2,
            setting.r.describe(&checks.trial.channels)
        );
        facts.push(fact("Cycles with the constants of the proof", value, meaning));
    }
    facts
}

/// Returns the number of GREEDY's delivery cycles on Theorem 9's message set, compared with the
/// theorem's bound.
pub(super) fn bad_cycles(checks: &DeliveryChecks, check: &DeliveryCheck) -> Option<BoundCheck> {
    let DeliveryDemand::BadSet(lambda) = checks.setting.demand else { return None };
    let measured = check.has_ended().then_some(check.counts.completion as f64);
    let bound = theorem_9_bound(checks.leaves.processors(), lambda);
    let is_its = check.proof() == Some(CycleProof::Theorem9);
    let certain = (checks.setting.policy != SurvivorPolicy::Random, DETERMINISTIC_PREMISE);
    let (premise_holds, premise) = if checks.trial.live.is_some() { (false, ALL_LIVE_PREMISE) } else { certain };
    is_its.then(|| BoundCheck::new(measured, BoundSide::AtLeast, bound).with_premise(premise_holds, premise))
}

/// Returns the exact number of GREEDY's delivery cycles on Theorem 9's message set. `None` unless
/// the switches keep the first messages, all wires are live and lambda is a multiple of 12.
pub(super) fn bad_exactly(checks: &DeliveryChecks) -> Option<f64> {
    let DeliveryDemand::BadSet(lambda) = checks.setting.demand else { return None };
    let told =
        checks.setting.policy == SurvivorPolicy::Left && lambda.is_multiple_of(12) && checks.trial.live.is_none();
    told.then(|| bad_set_cycles(checks.leaves.processors(), lambda))
}

fn theorem_9(checks: &DeliveryChecks, check: &DeliveryCheck) -> Vec<Fact> {
    let Some(claim) = bad_cycles(checks, check) else { return Vec::new() };
    let meaning = "at least lambda lg n/24 on this message set, under all deterministic admissible switches";
    let mut facts = vec![claim.fact("Theorem 9: cycles", meaning)];
    facts.extend(bad_exactly(checks).map(|cycles| {
        let meaning = "lambda (1 + lg n/6), if switches keep the first messages";
        fact("Theorem 9: exact cycles", format!("{} cycles", number(cycles)), meaning)
    }));
    facts
}

/// Returns the number of delivery cycles of a detour compared with the load factors of its two
/// phases.
pub(super) fn phases(check: &DeliveryCheck) -> Option<BoundCheck> {
    let measured = check.has_ended().then_some(check.counts.completion as f64);
    check.detour.map(|detour| BoundCheck::new(measured, BoundSide::AtLeast, detour.cycles()))
}

/// Returns a lower bound on the expected cycles of a detour over the intermediate processors.
pub(super) fn expected(checks: &DeliveryChecks, check: &DeliveryCheck) -> Option<f64> {
    let tree = checks.tree.filter(|_| check.detour.is_some())?;
    Some(detour_cycles(tree, checks.trial.messages.len()))
}

/// Returns the facts on the phases of a detour, and on its expected cycles.
fn section_1(checks: &DeliveryChecks, check: &DeliveryCheck) -> Vec<Fact> {
    let phases = check.detour.zip(phases(check)).map(|(detour, claim)| {
        let [to, from] = detour.legs.map(|leg| number(leg.value()));
        let meaning = format!(
            "at least the load factors to these intermediate processors, {to}, and from them, {from}, each rounded \
             up: the second phase begins when the first has ended"
        );
        claim.fact("Cycles of both phases", &meaning)
    });
    let expected = expected(checks, check).map(|cycles| {
        let meaning = "messages/(2 cap(lg n - 1)): in each phase half of the messages cross the root, whatever their \
                       destinations; the paper therefore avoids the detour";
        fact("Expected cycles over intermediate processors, at least", format!("{} cycles", number(cycles)), meaning)
    });
    phases.into_iter().chain(expected).collect()
}

fn offline(checks: &DeliveryChecks, check: &DeliveryCheck) -> Option<Fact> {
    let found = check.offline?;
    let verified = match found.verified {
        Ok(()) => "verified: no cycle has a load factor above 1".to_owned(),
        Err(fault) => format!("NOT a schedule: {fault}"),
    };
    let best = match found.schedules {
        1 => String::new(),
        many => format!(", the shortest of {many} schedules from different runs"),
    };
    let meaning = format!(
        "with all messages known in advance, by first fit in their order of arrival{best}; {verified}. The \
         lower bound is {}",
        checks.trial.load_factor.cycles()
    );
    Some(fact("Off-line schedule", count(found.cycles, "cycle"), meaning))
}
