//! Verdict on wormhole routing: deadlock, and the arrival of messages.

use super::WormCheck;
use crate::check_verdict::{Clause, VerdictMark, deadlock_clause};
use faultlab_core::theory::DeliveryOutcomes;

/// Returns the clauses of the verdict.
pub(super) fn clauses(check: &WormCheck) -> Vec<Clause> {
    let deadlock = deadlock_clause(&check.algorithm.name, &check.deadlock);
    let can_deadlock = deadlock.0 != VerdictMark::Holds;
    let arrivals = check.graph.as_ref().map(|graph| arrivals(&graph.arrivals, can_deadlock));
    std::iter::once(deadlock).chain(arrivals).collect()
}

fn arrivals(found: &DeliveryOutcomes, can_deadlock: bool) -> Clause {
    let all = found.pairs;
    match (found.lost, found.livelocked) {
        (0, 0) if can_deadlock => {
            (VerdictMark::Holds, format!("without a deadlock, the messages of all {all} pairs arrive"))
        }
        (0, 0) => (VerdictMark::Holds, format!("the messages of all {all} pairs arrive")),
        (lost, 0) => (VerdictMark::Fails, format!("the messages of {lost} of {all} pairs can be lost")),
        (0, circling) => (VerdictMark::Fails, format!("the messages of {circling} of {all} pairs can circle forever")),
        (lost, circling) => (
            VerdictMark::Fails,
            format!("the messages of {} of {all} pairs can be lost or circle forever", lost + circling),
        ),
    }
}
