//! Greenberg & Leiserson, *Randomized Routing on Fat-Trees*.

mod constants;
mod figure_4;
mod greedy;
mod lemmas;
mod load;
mod race;
mod remarks;
mod section_6;
mod theorem_8;
mod theorem_9;

use super::{Item, Paper, PaperValue, digits, equal, exact};
use faultlab_core::routing::fat_tree::ScheduleConstants;
use faultlab_core::switching::delivery::DeliveryRun;
use faultlab_core::theory::fat_tree::random_schedule_cycles;
use faultlab_core::theory::oblivious::BoundSide;
use faultlab_core::topology::fat_tree::FatTree;
use faultlab_experiment::delivery;
use faultlab_experiment::{DeliveryTrial, Experiment, PointConfig};

/// Paper of Greenberg and Leiserson.
pub(super) const PAPER: Paper = Paper {
    id: "fat-trees",
    title: "Randomized Routing on Fat-Trees",
    authors: "R. I. Greenberg, C. E. Leiserson",
    kinds: &[&delivery::KIND],
    about: "The paper has proofs and no simulations; its bounds are `O(..)`. Numbers that proofs imply are compared with \
            measurements: the bound on the cycles of RANDOM is the end of the first call of \
            TRY-GUESS whose guess is at least the load factor. The constants of the proof, `k1 = 4*10^5` and `k2 = \
            900`, make RANDOM spend all its time on start-up; other experiments have 1 or 2, for which nothing is \
            proved.",
    fine: 0.01,
    fine_words: "twice as precise (±1% of the mean)",
};

/// Items in the order of the paper.
pub(super) const ITEMS: &[Item] = &[
    load::LOAD,
    figure_4::FIGURE_4,
    constants::CONSTANTS,
    lemmas::LEMMAS,
    theorem_8::THEOREM_8,
    greedy::GREEDY,
    theorem_9::THEOREM_9,
    race::RACE,
    section_6::SECTION_6,
    remarks::REMARKS,
];

/// Parses the experiment `text`, from which `switch=delivery` is omitted.
fn experiment(text: &str) -> Option<Experiment> {
    full(text).parse().ok()
}

fn full(text: &str) -> String {
    format!("switch=delivery&{text}")
}

/// Returns the fat-tree of an experiment.
fn tree(experiment: &Experiment) -> Option<FatTree> {
    experiment.network.leaves()?.tree(&experiment.setting.delivery()?.profile)?.ok()
}

/// Returns the first trial of the experiment `text`.
fn trial(text: &str) -> Option<DeliveryTrial> {
    DeliveryTrial::new(&PointConfig::new(&experiment(text)?, None), 0)
}

/// Returns the completed first trial under the first algorithm.
fn completed_run(text: &str) -> Option<DeliveryRun> {
    let mut run = trial(text)?.start(experiment(text)?.routing.first()?)?;
    run.run_until(MOST_CYCLES).map(|_| run)
}

/// Cycle limit, far above the length of every run of this paper.
const MOST_CYCLES: u64 = 1 << 20;

/// Creates the cell of an exact number with its bound.
fn bounded_cell(item: &Item, text: &str, at: (&str, &str), value: f64, (side, bound): (BoundSide, f64)) -> PaperValue {
    let (holds, words) = match side {
        BoundSide::AtMost => (value <= bound + 1e-9, "at most"),
        BoundSide::AtLeast => (value >= bound - 1e-9, "at least"),
    };
    let mut cell = exact(item, &full(text), at, value, &digits(bound), holds);
    cell.remark = format!("claimed: {words}");
    cell
}

/// Creates the cell of a number that is not in the paper.
fn plain(item: &Item, text: &str, at: (&str, &str), value: f64, remark: &str) -> PaperValue {
    let mut cell = exact(item, &full(text), at, value, "", true);
    remark.clone_into(&mut cell.remark);
    cell
}

/// Returns [`random_schedule_cycles`] with k1 = k2 = 1, the defaults of experiments.
fn cycles_of_usual_guesses(processors: u32, lambda: f64) -> f64 {
    ScheduleConstants::new(1.0, 1.0, 1.0)
        .map_or(f64::INFINITY, |constants| random_schedule_cycles(&constants, processors, lambda))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    #[test]
    fn exact_items_are_reproduced_except_the_erratum() {
        for item in ITEMS.iter().filter(|item| !item.is_simulated()) {
            let cells = item.cells(&[]);
            assert!(cells.len() >= 8, "{}", item.id);
            for cell in &cells {
                let erratum = cell.row.starts_with("capacities 1, 1, 2, 2") && cell.column.starts_with("property 1");
                let expected = match cell.published {
                    _ if erratum => Verdict::NotReproduced,
                    Some(_) => Verdict::Reproduced,
                    None => Verdict::NoNumber,
                };
                assert_eq!(cell.verdict, expected, "{}: {:?} {}", cell.cell, cell.measured, cell.printed);
                assert!(cell.experiment.setting.delivery().is_some(), "{}", cell.cell);
                assert!(cell.experiment.validate().is_ok(), "{}", cell.cell);
            }
        }
    }

    /// Hand count: 1, then TRY-GUESS(2) of 6 cycles and 1, TRY-GUESS(4) of two times 6 and 1,
    /// TRY-GUESS(15.5) of 16, 8, 6, 6 and 1.
    #[test]
    fn cycles_of_guesses_match_a_hand_count() {
        let cycles = |lambda| cycles_of_usual_guesses(64, lambda);
        assert_eq!([0.5, 1.5, 2.0, 3.0, 5.0].map(cycles), [1.0, 8.0, 8.0, 21.0, 58.0]);
    }
}
