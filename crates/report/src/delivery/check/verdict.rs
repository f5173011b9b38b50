//! Verdict on the scheduling of delivery cycles: the end of the run, and its number of cycles.

use super::{DeliveryCheck, DeliveryChecks};
use crate::check_verdict::{Clause, VerdictMark};
use crate::wording::count;
use faultlab_core::switching::delivery::DeliveryOutcome;

/// Returns the clauses of the verdict.
pub(super) fn clauses(checks: &DeliveryChecks, check: &DeliveryCheck) -> Vec<Clause> {
    let name = &check.algorithm.name;
    let after = count(check.cycles, "cycle");
    vec![match check.outcome {
        Some(DeliveryOutcome::Delivered { undeliverable: 0 }) => {
            (VerdictMark::Holds, format!("{name} delivers all messages in {}", cycles(checks, check)))
        }
        Some(DeliveryOutcome::Delivered { undeliverable }) => {
            let rest = format!("dead wires cut off the other {undeliverable}");
            let done = format!("{name} delivers {} messages in {}", checks.deliverable, cycles(checks, check));
            (VerdictMark::Partly, format!("{done}; {rest}"))
        }
        Some(DeliveryOutcome::Stuck { left, .. }) => {
            (VerdictMark::Fails, format!("{name} is stuck with {} left after {after}", count(left, "message")))
        }
        Some(DeliveryOutcome::OutOfCycles { left }) => {
            (VerdictMark::Fails, format!("{name} has {} left after {after}", count(left, "message")))
        }
        None => (VerdictMark::Partly, format!("{name} was stopped after {after}, before its end")),
    }]
}

/// Returns the number of delivery cycles with its lower bound, if there is one.
fn cycles(checks: &DeliveryChecks, check: &DeliveryCheck) -> String {
    let taken = count(check.counts.completion as u32, "cycle");
    match checks.trial.load_factor.cycles() {
        0 => taken,
        least => format!("{taken}, and at least {least} {} needed", if least == 1 { "is" } else { "are" }),
    }
}
