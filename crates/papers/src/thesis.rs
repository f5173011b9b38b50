//! The thesis on deadlock-free randomized routing in a faulty hypercube.

mod chapter_2;
mod congestion;
mod examples;
mod faults;
mod lemma_1;
mod lemma_2;
mod lower_bounds;
mod theorem_1;
mod theorem_2;
mod theorem_3;
mod worms;

use super::{Item, Paper, PaperValue, digits, equal, exact};
use faultlab_core::theory::oblivious::{BoundSide, Claim, ExpectedCongestion, Statement, oblivious_claims};
use faultlab_experiment::permutation;
use faultlab_experiment::{Experiment, PermutationInstance, PermutationTrial};

/// Thesis on routing in a faulty hypercube.
pub(super) const PAPER: Paper = Paper {
    id: "thesis",
    title: "A thesis on deadlock-free randomized routing in a faulty hypercube",
    authors: "Author and year unknown: the available text has no title page",
    kinds: &[&permutation::KIND, &permutation::BATCH],
    about: "The thesis has proofs and no simulations. Every lemma, theorem and corollary is compared with instances, \
            the larger ones far beyond what could be computed then. Its theorems assume very few faults: Theorem 2 \
            none at all below `n = 13`, Theorem 3 none below `n = 15`. Measurements with more faults have no \
            verdict.",
    fine: 0.01,
    fine_words: "twice as precise (±1% of the mean)",
};

/// Items in the order of the thesis.
pub(super) const ITEMS: &[Item] = &[
    chapter_2::CHAPTER_2,
    examples::EXAMPLES,
    theorem_1::THEOREM_1,
    lemma_1::LEMMA_1,
    lemma_2::LEMMA_2,
    theorem_2::THEOREM_2,
    theorem_3::THEOREM_3,
    congestion::CONGESTION,
    worms::WORMS,
    faults::FAULTS,
    lower_bounds::LOWER_BOUNDS,
];

/// Creates the cell of a number with its bound: with a verdict if the claim applies, otherwise only
/// with a remark.
fn bounded(item: &Item, text: &str, at: (&str, &str), claim: &Claim) -> Option<PaperValue> {
    let (value, kept) = (claim.measured?, claim.meets_bound()?);
    let printed = if claim.unmet_premise.is_none() { digits(claim.bound) } else { String::new() };
    let mut cell = exact(item, text, at, value, &printed, kept);
    let margin = 100.0 * (value / claim.bound - 1.0);
    let side = if claim.side == BoundSide::AtMost { "at most" } else { "at least" };
    let bound = digits(claim.bound);
    cell.remark = match (claim.unmet_premise, kept) {
        (None, true) => format!("claimed: {side} {bound}; {margin:+.1}%"),
        (None, false) => format!("claimed: {side} {bound}; violated, by {margin:+.1}%"),
        (Some(fails), _) if !claim.bound.is_finite() => format!("not applicable: {fails}"),
        (Some(fails), true) => format!("not applicable: {fails}; {side} {bound} would still hold, {margin:+.1}%"),
        (Some(fails), false) => format!("not applicable: {fails}; {side} {bound} no longer holds, {margin:+.1}%"),
    };
    Some(cell)
}

/// Returns the trial of the experiment `text` under its first algorithm.
fn trial(text: &str) -> Option<PermutationTrial> {
    let experiment: Experiment = text.parse().ok()?;
    PermutationInstance::new(&experiment)?.series.into_iter().next()?.trial.ok()
}

/// Returns the cells of the claims in `wanted`, each with its column, on the experiment `text`.
///
/// `expect` includes expectations over all choices of intermediate nodes, which take long on large
/// hypercubes.
fn claims(item: &Item, text: &str, row: &str, wanted: &[(Statement, &str)], expect: bool) -> Vec<PaperValue> {
    let found = || {
        let trial = trial(text)?;
        let expected = if expect { ExpectedCongestion::new(&*trial.routing, &trial.relation) } else { None };
        Some(oblivious_claims(&*trial.routing, trial.relation.h(), &trial.paths()?, expected.as_ref()))
    };
    let found = found().unwrap_or_default();
    let claim = |statement| found.iter().find(|claim| claim.statement == statement);
    wanted.iter().filter_map(|&(statement, column)| bounded(item, text, (row, column), claim(statement)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    #[test]
    fn exact_items_are_reproduced() {
        for item in ITEMS.iter().filter(|item| !item.is_simulated()) {
            let cells = item.cells(&[]);
            for cell in &cells {
                let confirmed = cell.verdict == Verdict::Reproduced || cell.published.is_none();
                assert!(confirmed, "{} {:?}", cell.cell, cell.measured);
                // Every experiment has the kind of its cell.
                assert!(cell.experiment.setting.permutation().is_some(), "{}", cell.cell);
                assert!(cell.experiment.validate().is_ok(), "{}", cell.cell);
            }
            assert!(cells.len() >= 8, "{}", item.id);
        }
    }
}
