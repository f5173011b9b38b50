//! Published tables, figures and claims, computed again and set beside what was printed.
//!
//! An [`Item`] says which experiments it takes and how their results compare. It works on sweeps that are still
//! running, or missing, as on finished ones.

mod claims;
mod tables;
mod verdict;

pub use verdict::Verdict;

use std::sync::Arc;

use super::{Estimate, Experiment, Metric, PointResult, Sweep};

/// One table, figure or claim of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Its name on the command line and in links.
    pub id: &'static str,
    /// What it is, with its number in the paper.
    pub title: &'static str,
    /// What comes out again, and what does not.
    pub about: &'static str,
    texts: fn() -> Vec<String>,
    compare: fn(&Asked<'_>) -> Vec<PaperCell>,
}

/// One published number beside the measured one.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperCell {
    /// The paper.
    pub paper: &'static str,
    /// The id of the item.
    pub item: &'static str,
    /// Its name: row and column.
    pub cell: String,
    /// The row of a printed table.
    pub row: String,
    /// The column of a printed table.
    pub column: String,
    /// The number in the paper.
    pub published: Option<f64>,
    /// The same with the digits that are printed; empty where there is none.
    pub printed: String,
    /// The number measured here, in the same unit; `None` before any message tells.
    pub measured: Option<f64>,
    /// Its 95% confidence interval; `None` while unbounded.
    pub ci95: Option<[f64; 2]>,
    /// How the two compare.
    pub verdict: Verdict,
    /// What else should be known; may be empty.
    pub remark: String,
    /// The experiment that it was measured by.
    pub experiment: Arc<Experiment>,
}

impl PaperCell {
    fn publish(&mut self, printed: &str) {
        self.published = printed.parse().ok();
        self.printed = printed.to_owned();
    }
}

/// The paper that all items are from.
const PAPER: &str = "gordon-stout";

/// Every item, in the order in which it is shown.
pub fn items() -> &'static [Item] {
    &[tables::FIGURE_1, tables::TABLE_2, tables::TABLE_3, tables::TABLE_4, claims::CONJECTURE, claims::CLAIMS]
}

/// The item called `id`.
pub fn item(id: &str) -> Option<&'static Item> {
    items().iter().find(|item| item.id == id)
}

impl Item {
    /// The experiments whose sweeps [`Item::cells`] compares, in its order; with another precision if `within` is
    /// given (0.0001 to 0.5, as the key of that name).
    pub fn experiments(&self, within: Option<f64>) -> Vec<Experiment> {
        let texts = (self.texts)();
        let experiments = texts.iter().filter_map(|text| text.parse::<Experiment>().ok());
        match within {
            Some(within) => experiments.map(|experiment| precise(experiment, within)).collect(),
            None => experiments.collect(),
        }
    }

    /// The published numbers beside what `sweeps`, those of [`Item::experiments`], have come to so far.
    pub fn cells(&self, sweeps: &[Sweep]) -> Vec<PaperCell> {
        let experiments = match sweeps {
            [] => self.experiments(None),
            _ => sweeps.iter().map(|sweep| sweep.experiment().clone()).collect(),
        };
        (self.compare)(&Asked { item: self, experiments: experiments.into_iter().map(Arc::new).collect(), sweeps })
    }
}

/// The same experiment to another half-width, with trials enough for it.
fn precise(experiment: Experiment, within: f64) -> Experiment {
    let within = within.clamp(0.0001, 0.5);
    // Wilson's interval of 1/2 needs 0.96 / within^2.
    let trials = experiment.trials.max((1.1 / (within * within)) as u64);
    Experiment { within, trials, ..experiment }
}

/// An item with its experiments, and what they have come to so far.
struct Asked<'a> {
    item: &'a Item,
    experiments: Vec<Arc<Experiment>>,
    /// Theirs, in the same order; none before the first is started.
    sweeps: &'a [Sweep],
}

impl Asked<'_> {
    /// The estimate of the metric called `metric` where sweep number `sweep` ran `series` at `x`.
    fn estimate(&self, sweep: usize, series: &str, x: f64, metric: &str) -> Option<Estimate> {
        let here =
            |point: &&PointResult| point.algorithm.id == series && point.x.is_some_and(|at| (at - x).abs() < 1e-9);
        let point = self.sweeps.get(sweep)?.points().iter().find(here)?;
        point.estimate(Metric::find(metric))
    }

    /// A cell with what sweep number `sweep` measured; what was published and how the two compare is up to the caller.
    fn cell(&self, sweep: usize, row: String, column: String, estimate: Option<Estimate>) -> PaperCell {
        let bounded = estimate.filter(|estimate| estimate.half_width().is_finite());
        PaperCell {
            paper: PAPER,
            item: self.item.id,
            cell: format!("{row} {column}"),
            row,
            column,
            published: None,
            printed: String::new(),
            measured: estimate.map(|estimate| estimate.mean),
            ci95: bounded.map(|estimate| [estimate.low, estimate.high]),
            verdict: Verdict::NoNumber,
            remark: String::new(),
            experiment: self.experiments.get(sweep).cloned().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Status, run};

    #[test]
    fn every_text_is_an_experiment_and_cells_stand_before_any_trial() {
        for item in items() {
            let experiments = item.experiments(None);
            assert_eq!(experiments.len(), (item.texts)().len(), "{}", item.id);
            let cells = item.cells(&[]);
            let sweeps: Vec<_> = experiments.iter().map(Sweep::new).collect();
            assert_eq!(cells, item.cells(&sweeps), "{}", item.id);
            assert!(!cells.is_empty() && cells.iter().all(|cell| cell.measured.is_none()), "{}", item.id);
            let mut names: Vec<_> = cells.iter().map(|cell| &cell.cell).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), cells.len(), "{}: cells named alike", item.id);
        }
        assert_eq!(tables::TABLE_4.cells(&[]).len(), 72);
    }

    #[test]
    fn another_precision_is_asked_for() {
        for experiment in tables::TABLE_4.experiments(Some(0.0005)) {
            assert_eq!((experiment.within, experiment.trials), (0.0005, 4_400_000));
            assert!(experiment.validate().is_ok());
        }
    }

    #[test]
    fn the_5_cubes_sidetracking_column_is_reproduced() {
        let item = tables::TABLE_4;
        let mut sweeps = vec![Sweep::new(&item.experiments(None)[0])];
        run(&mut sweeps[0]);
        assert!(sweeps[0].points().iter().all(|point| point.status == Status::Converged));
        let cells = item.cells(&sweeps);
        assert!(cells.iter().all(|cell| cell.column.contains("n=5,") == (*cell.experiment == *sweeps[0].experiment())));
        let column: Vec<_> = cells.iter().filter(|cell| cell.column.starts_with("sidetracking, n=5")).collect();
        assert_eq!(column.len(), 9);
        for cell in column {
            assert_eq!(cell.verdict, Verdict::Reproduced, "{cell:?}");
        }
    }
}
