//! Verdict on the routing of a permutation: its nodes, the bounds of the thesis, and deadlock.

use super::facts::{deadlock, least, worst};
use super::{PermutationCheck, PermutationChecks, PermutationResult};
use crate::check_verdict::{Clause, VerdictMark, deadlock_clause};
use crate::wording::facts::BoundCheck;
use faultlab_core::theory::oblivious::ClaimOutcome;

/// Returns the clauses of the verdict.
pub(super) fn clauses(checks: &PermutationChecks, check: &PermutationCheck) -> Vec<Clause> {
    let name = &check.algorithm.name;
    let Ok(found) = &check.found else {
        return vec![(VerdictMark::Fails, format!("{name} does not apply to these faults"))];
    };
    if found.active == 0 {
        return vec![(VerdictMark::Fails, format!("{name} sends nothing, because no node is active on these faults"))];
    }
    let nodes = format!("{name} lets {} of {} nodes take part", found.active, checks.cell.cube.mask() + 1);
    let bounds = bounds(found);
    let deadlock = worms(checks, check, found);
    std::iter::once((VerdictMark::Holds, nodes)).chain(bounds).chain([deadlock]).collect()
}

/// Returns the clause on the bounds that apply to the instance; `None` if none does.
fn bounds(found: &PermutationResult) -> Option<Clause> {
    let all = found.claims.iter().map(BoundCheck::from).chain(worst(found)).chain(least(found));
    let outcomes: Vec<_> = all.filter_map(|claim| claim.holds()).collect();
    let count = |outcome| outcomes.iter().filter(|other| **other == outcome).count();
    match (count(ClaimOutcome::Yes), count(ClaimOutcome::No)) {
        (0, 0) => None,
        (1, 0) => Some((VerdictMark::Holds, "the applicable bound holds".into())),
        (hold, 0) => Some((VerdictMark::Holds, format!("all {hold} applicable bounds hold"))),
        (hold, fail) => {
            let verb = if fail == 1 { "does" } else { "do" };
            Some((VerdictMark::Fails, format!("{fail} of {} applicable bounds {verb} not hold", hold + fail)))
        }
    }
}

/// Returns the clause on deadlocks of worms on the routes. Only batches send worms, so that for
/// other experiments a deadlock is no failure.
fn worms(checks: &PermutationChecks, check: &PermutationCheck, found: &PermutationResult) -> Clause {
    let name = &check.algorithm.name;
    let (mark, words) = match deadlock(checks, check, found).0 {
        Some(true) => (VerdictMark::Holds, format!("{name} is proved free of deadlock")),
        _ => deadlock_clause(name, &found.deadlock),
    };
    let is_batch = checks.experiment.setting.batch().is_some();
    (if is_batch { mark } else { mark.min(VerdictMark::Partly) }, words)
}
