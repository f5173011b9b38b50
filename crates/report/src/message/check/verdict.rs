//! Verdict on routing in a hypercube: the arrival of the message, or the pairs that faults cut off
//! and deadlock.

use super::{MessageCheck, MessageCheckReport, Permitted};
use crate::check_verdict::{Clause, VerdictMark, deadlock_clause};

/// Returns the clauses of the verdict.
pub(super) fn clauses(checks: &MessageCheckReport, check: &MessageCheck) -> Vec<Clause> {
    if checks.single {
        return vec![arrival(checks, check)];
    }
    let pairs = check.permitted.as_ref().map(pairs);
    std::iter::once(deadlock(check)).chain(pairs).collect()
}

/// Returns the clause on the arrival of a single message.
fn arrival(checks: &MessageCheckReport, check: &MessageCheck) -> Clause {
    /// Largest distance from 0 and 1 that is due to rounding.
    const ROUNDING: f64 = 1e-9;
    let name = &check.algorithm.name;
    if checks.connected == Some(false) {
        let why = "No live path leads from the source to the destination: no algorithm can deliver";
        return (VerdictMark::Fails, why.into());
    }
    let hops = check.exact_length.map_or_else(String::new, |length| format!(", in {length:.3} hops on average"));
    match check.exact_success {
        None => (VerdictMark::Partly, format!("The probability of arrival under {name} is not computed here")),
        Some(success) if success > 1.0 - ROUNDING => {
            (VerdictMark::Holds, format!("Under {name} the message always arrives on these faults{hops}"))
        }
        Some(success) if success < ROUNDING => {
            (VerdictMark::Fails, format!("Under {name} the message never arrives on these faults"))
        }
        Some(success) => {
            let share = 100.0 * success;
            (VerdictMark::Partly, format!("Under {name} the message arrives with probability {share:.4}%{hops}"))
        }
    }
}

/// Returns the clause on deadlocks.
fn deadlock(check: &MessageCheck) -> Clause {
    let name = &check.algorithm.name;
    match (&check.deadlock, &check.dependencies) {
        (Some(verdict), _) => deadlock_clause(name, verdict),
        (None, _) if check.algorithm.is_bound() => (VerdictMark::Holds, format!("{name} is a bound, not a routing")),
        (None, Some(_)) => {
            (VerdictMark::Partly, format!("{name} has a cycle of dependencies, which alone is no deadlock"))
        }
        (None, None) => (VerdictMark::Partly, format!("{name} is not examined for deadlock here")),
    }
}

/// Returns the clause on the pairs that the faults cut off.
fn pairs(permitted: &Permitted) -> Clause {
    match permitted.pairs {
        None => (VerdictMark::Partly, "the pairs that the faults cut off are not counted here".into()),
        Some(counts) if counts.cut_off == 0 => {
            (VerdictMark::Holds, format!("the faults cut off none of {} pairs", counts.live))
        }
        Some(counts) => {
            (VerdictMark::Partly, format!("the faults cut off {} of {} pairs", counts.cut_off, counts.live))
        }
    }
}
