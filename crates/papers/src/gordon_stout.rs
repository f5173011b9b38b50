//! Gordon & Stout, Hypercube Message Routing in the Presence of Faults.

mod claims;
mod connectivity;
pub mod published;
mod ratios;
mod tables;

use super::{Item, Paper};
use faultlab_experiment::message;

/// Paper of Gordon and Stout.
pub(super) const PAPER: Paper = Paper {
    id: "gordon-stout",
    title: "Hypercube Message Routing in the Presence of Faults",
    authors: "J. M. Gordon and Q. F. Stout",
    kinds: &[&message::KIND],
    about: "Every table is recomputed and compared with the printed numbers. Each of the paper's numbers comes from \
            about 9604 messages; the percentages are truncated to one decimal.",
    fine: 0.001,
    fine_words: "ten times as precise (±0.1 point)",
};

/// Items in the order of the paper.
pub(super) const ITEMS: &[Item] = &[
    tables::FIGURE_1,
    ratios::RATIOS,
    tables::TABLE_2,
    tables::TABLE_3,
    tables::TABLE_4,
    ratios::HEADERS,
    claims::CONJECTURE,
    claims::CLAIMS,
    connectivity::CONNECTIVITY,
];

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;
    use faultlab_experiment::{Status, Sweep, run};

    #[test]
    fn table_4_has_72_cells() {
        assert_eq!(tables::TABLE_4.cells(&[]).len(), 72);
    }

    /// Erratum: the rate of the second ratio is not reproduced at any fault rate.
    #[test]
    fn exact_items_are_reproduced_except_a_rate() {
        for item in [ratios::RATIOS, ratios::HEADERS] {
            for cell in item.cells(&[]).iter().filter(|cell| !cell.printed.is_empty()) {
                let expected = match cell.column.ends_with("n=60 to n=40") {
                    true => Verdict::NotReproduced,
                    false => Verdict::Reproduced,
                };
                assert_eq!(cell.verdict, expected, "{}: {:?} {}", cell.cell, cell.measured, cell.printed);
                assert!(cell.experiment.validate().is_ok(), "{}", cell.cell);
            }
        }
    }

    #[test]
    fn precision_sets_interval_width_and_trial_budget() {
        for experiment in tables::TABLE_4.experiments(Some(0.0005)) {
            assert_eq!((experiment.within, experiment.trials), (0.0005, 4_400_000));
            assert!(experiment.validate().is_ok());
        }
    }

    #[test]
    fn sidetracking_column_of_table_4_is_reproduced_for_n_5() {
        let item = tables::TABLE_4;
        let mut sweeps = vec![Sweep::new(&item.experiments(None)[0])];
        run(&mut sweeps[0]);
        assert!(sweeps[0].points().iter().all(|point| point.status == Status::Converged));
        let cells = item.cells(&sweeps);
        let column: Vec<_> = cells.iter().filter(|cell| cell.column.starts_with("sidetracking, n=5")).collect();
        assert_eq!(column.len(), 9);
        for cell in column {
            assert_eq!(cell.verdict, Verdict::Reproduced, "{cell:?}");
        }
    }
}
