//! Published tables, figures and claims, recomputed and compared with the printed numbers.
//!
//! An [`Item`] contains the experiments that it needs and the comparison of their results. An item
//! accepts running, missing and finished sweeps.

#![warn(clippy::print_stderr, clippy::print_stdout)]

/// Returns an [`Item::compare`] whose cells are constant, and too expensive to recompute at every
/// redraw of the page: `cells` is computed once for the item `item`.
macro_rules! computed_once {
    ($item:ident => $cells:expr) => {
        |$item, _| {
            static CELLS: std::sync::OnceLock<Vec<$crate::PaperValue>> = std::sync::OnceLock::new();
            CELLS.get_or_init(|| $cells).clone()
        }
    };
}

mod boppana_chalasani;
mod chiu;
mod errata;
pub mod gordon_stout;
mod greenberg_leiserson;
mod published_number;
mod rows;
mod thesis;
mod verdict;
mod verdict_counts;

pub use errata::{ERRATA, Erratum, errata_of};
pub use published_number::PublishedNumber;
pub use rows::{ROWS, Row, RowStatus, RowTarget, parse_rows, rows};
pub use verdict::Verdict;
pub use verdict_counts::VerdictCounts;

use std::sync::Arc;

use faultlab_experiment::{Estimate, Experiment, Kind, PointResult, Sweep, Version, pairs};

/// Paper whose numbers are recomputed.
#[derive(Debug)]
pub struct Paper {
    /// Name in exported files.
    pub id: &'static str,
    /// Title of the paper.
    pub title: &'static str,
    /// Authors of the paper.
    pub authors: &'static str,
    /// Kinds of experiments of the paper.
    pub kinds: &'static [&'static Kind],
    /// Description of the comparison, and of the basis of the paper's numbers.
    pub about: &'static str,
    /// Half-width for computations of the paper's items with more than the default precision.
    pub fine: f64,
    /// Description of the precision `fine`.
    pub fine_words: &'static str,
}

/// Returns every paper, in the order in which it is shown.
pub fn papers() -> &'static [&'static Paper] {
    &[&gordon_stout::PAPER, &chiu::PAPER, &boppana_chalasani::PAPER, &thesis::PAPER, &greenberg_leiserson::PAPER]
}

/// Table, figure or claim of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Paper that contains the item.
    pub paper: &'static Paper,
    /// Name on the command line and in links.
    pub id: &'static str,
    /// Title, with its number in the paper.
    pub title: &'static str,
    /// Summary of what is reproduced, and what is not.
    pub about: &'static str,
    /// True if the sweeps are shown as charts.
    pub charts: bool,
    texts: fn() -> Vec<String>,
    compare: fn(&Item, &[Sweep]) -> Vec<PaperValue>,
}

/// Published number with the measured one.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperValue {
    /// Id of the paper.
    pub paper: &'static str,
    /// Id of the item.
    pub item: &'static str,
    /// Name of the number: row and column.
    pub cell: String,
    /// Row of a printed table.
    pub row: String,
    /// Column of a printed table.
    pub column: String,
    /// Number in the paper.
    pub published: Option<f64>,
    /// Number in the paper with its printed digits; empty if there is none.
    pub printed: String,
    /// Measured number, in the same unit; `None` before the first result.
    pub measured: Option<f64>,
    /// 95% confidence interval of the measured number; `None` while unbounded.
    pub ci95: Option<[f64; 2]>,
    /// Verdict on the comparison.
    pub verdict: Verdict,
    /// Remark; may be empty.
    pub remark: String,
    /// Experiment that measures the number. For a number computed without simulation, an experiment
    /// of the item's kind.
    pub experiment: Arc<Experiment>,
}

impl PaperValue {
    /// Returns whether the number is an exact count.
    pub fn is_exact(&self) -> bool {
        self.ci95.is_some_and(|[low, high]| low == high && low.fract() == 0.0)
    }

    fn publish(&mut self, printed: &str) {
        self.published = printed.parse().ok();
        self.printed = printed.to_owned();
    }
}

/// Returns every item, paper by paper, in the order in which it is shown.
pub fn items() -> impl Iterator<Item = &'static Item> {
    let older = gordon_stout::ITEMS.iter().chain(chiu::ITEMS).chain(boppana_chalasani::ITEMS);
    older.chain(thesis::ITEMS).chain(greenberg_leiserson::ITEMS)
}

/// Returns the item called `id`.
pub fn item(id: &str) -> Option<&'static Item> {
    items().find(|item| item.id == id)
}

impl Item {
    /// Returns the experiments whose sweeps [`Item::cells`] compares, in the order that it expects.
    ///
    /// `within` sets another precision (0.0001 to 0.5, as the key of that name).
    pub fn experiments(&self, within: Option<f64>) -> Vec<Experiment> {
        let texts = (self.texts)();
        let experiments = texts.iter().filter_map(|text| text.parse::<Experiment>().ok());
        match within {
            Some(within) => experiments.map(|experiment| precise(experiment, within)).collect(),
            None => experiments.collect(),
        }
    }

    /// Returns whether the item needs sweeps; otherwise it is computed exactly, at once.
    pub fn is_simulated(&self) -> bool {
        !(self.texts)().is_empty()
    }

    /// Returns the published numbers with the results so far of `sweeps`, those of
    /// [`Item::experiments`].
    pub fn cells(&self, sweeps: &[Sweep]) -> Vec<PaperValue> {
        match sweeps {
            // Without sweeps, every cell still has its experiment.
            [] => (self.compare)(self, &self.experiments(None).iter().map(Sweep::new).collect::<Vec<_>>()),
            _ => (self.compare)(self, sweeps),
        }
    }
}

/// Returns an experiment with another half-width, and enough trials for it.
fn precise(experiment: Experiment, within: f64) -> Experiment {
    let within = within.clamp(0.0001, 0.5);
    if experiment.setting.circuit().is_some() {
        let more = (experiment.within / within).max(1.0);
        let trials = (experiment.trials as f64 * more * more).min(1e9) as u64;
        return Experiment { within, trials, ..experiment };
    }
    // For a share of 1/2, Wilson's interval needs 0.96 / within^2 trials.
    let trials = experiment.trials.max((1.1 / (within * within)) as u64);
    Experiment { within, trials, ..experiment }
}

/// Returns the estimate of the metric called `metric` in sweep number `sweep` for `series` at `x`.
fn estimate(sweeps: &[Sweep], sweep: usize, series: &str, x: f64, metric: &str) -> Option<Estimate> {
    let here = |point: &&PointResult| point.algorithm.id == series && point.x.is_some_and(|at| (at - x).abs() < 1e-9);
    let point = sweeps.get(sweep)?.points().iter().find(here)?;
    point.estimate(sweeps.get(sweep)?.experiment().kind().metric(metric)?)
}

/// Creates a cell with the measured number. The caller adds the published number and the verdict.
///
/// `sweep` is `None` for exact numbers.
fn measured(item: &Item, sweep: Option<&Sweep>, row: String, column: String, estimate: Option<Estimate>) -> PaperValue {
    let experiment = sweep.map(|sweep| sweep.experiment().clone());
    let bounded = estimate.filter(|estimate| estimate.half_width().is_finite());
    PaperValue {
        paper: item.paper.id,
        item: item.id,
        cell: format!("{row} {column}"),
        row,
        column,
        published: None,
        printed: String::new(),
        measured: estimate.map(|estimate| estimate.mean),
        ci95: bounded.map(|estimate| [estimate.low, estimate.high]),
        verdict: Verdict::NoNumber,
        remark: String::new(),
        experiment: Arc::new(experiment.unwrap_or_else(|| pairs::KIND.behavior.default_experiment(Version::V1, None))),
    }
}

/// Creates the cell of an exact number of the experiment `text`.
///
/// `printed` is the number in the paper, or empty. `holds` is true if the paper's claim is
/// confirmed.
fn exact(item: &Item, text: &str, (row, column): (&str, &str), value: f64, printed: &str, holds: bool) -> PaperValue {
    let estimate = Some(Estimate { mean: value, low: value, high: value, n: 1, runs: 1 });
    let mut cell = measured(item, None, row.to_owned(), column.to_owned(), estimate);
    if let Ok(experiment) = text.parse() {
        cell.experiment = Arc::new(experiment);
    }
    if !printed.is_empty() {
        cell.publish(printed);
        cell.verdict = if holds { Verdict::Reproduced } else { Verdict::NotReproduced };
    }
    cell
}

/// Creates the cell of an exact number that the paper claims to be `claimed`.
fn equal(item: &Item, text: &str, at: (&str, &str), value: f64, claimed: f64) -> PaperValue {
    exact(item, text, at, value, &digits(claimed), (value - claimed).abs() <= 1e-9 * claimed.abs().max(1.0))
}

/// Formats a bound with its significant digits.
fn digits(value: f64) -> String {
    if value.fract() == 0.0 || value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_valid_texts_and_complete_cells_before_trials() {
        for item in items() {
            let experiments = item.experiments(None);
            assert_eq!(experiments.len(), (item.texts)().len(), "{}", item.id);
            let cells = item.cells(&[]);
            let sweeps: Vec<_> = experiments.iter().map(Sweep::new).collect();
            assert_eq!(cells, item.cells(&sweeps), "{}", item.id);
            assert!(!cells.is_empty(), "{}", item.id);
            // An infinite bound is not a claim.
            let numbers = cells.iter().flat_map(|cell| cell.published.into_iter().chain(cell.measured));
            assert!(numbers.into_iter().all(f64::is_finite), "{}", item.id);
            // Items without sweeps have their numbers at once.
            assert!(cells.iter().all(|cell| cell.measured.is_some() == sweeps.is_empty()), "{}", item.id);
            let mut names: Vec<_> = cells.iter().map(|cell| &cell.cell).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), cells.len(), "{}: cells named alike", item.id);
            assert!(cells.iter().all(|cell| cell.paper == item.paper.id), "{}", item.id);
        }
    }

    #[test]
    fn item_ids_are_unique_and_grouped_by_paper() {
        let mut names: Vec<_> = items().map(|item| item.id).chain(papers().iter().map(|paper| paper.id)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(items().is_sorted_by_key(|item| papers().iter().position(|paper| paper.id == item.paper.id)));
    }

    #[test]
    fn higher_precision_raises_the_trial_budget() {
        let experiment = "net=cube:3&switch=circuit&route=e-cube&trials=1000".parse().unwrap();
        assert_eq!(precise(experiment, 0.01).trials, 4000);
    }
}
