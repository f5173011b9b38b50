//! Published tables, figures and claims, computed again and set beside what was printed.
//!
//! An [`Item`] says which experiments it takes and how their results compare. It works on sweeps that are still
//! running, or missing, as on finished ones.

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod boppana_chalasani;
mod chiu;
mod errata;
pub mod gordon_stout;
mod greenberg_leiserson;
mod printed;
mod tallied;
mod thesis;
mod verdict;

pub use errata::{ERRATA, Erratum, errata_of};
pub use printed::Printed;
pub use tallied::Tallied;
pub use verdict::Verdict;

use std::sync::Arc;

use faultlab_experiment::{Estimate, Experiment, Kind, PointResult, Sweep, Version, pairs};

/// A paper whose numbers are computed again.
#[derive(Debug)]
pub struct Paper {
    /// Its name in exported files.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Who wrote it.
    pub authors: &'static str,
    /// The kinds of experiment that it is about.
    pub kinds: &'static [&'static Kind],
    /// What is compared, and what stands behind its numbers.
    pub about: &'static str,
    /// The half-width to ask for where its items are to be computed more precisely than they are by default.
    pub fine: f64,
    /// What that means, in words.
    pub fine_words: &'static str,
}

/// Every paper, in the order in which it is shown.
pub fn papers() -> &'static [&'static Paper] {
    &[&gordon_stout::PAPER, &chiu::PAPER, &boppana_chalasani::PAPER, &thesis::PAPER, &greenberg_leiserson::PAPER]
}

/// One table, figure or claim of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// The paper.
    pub paper: &'static Paper,
    /// Its name on the command line and in links.
    pub id: &'static str,
    /// What it is, with its number in the paper.
    pub title: &'static str,
    /// What comes out again, and what does not.
    pub about: &'static str,
    /// Whether the sweeps behind it are worth a chart each.
    pub charts: bool,
    texts: fn() -> Vec<String>,
    compare: fn(&Item, &[Sweep]) -> Vec<PaperCell>,
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
    /// The experiment that measures it; of what is computed exactly, one of its kind.
    pub experiment: Arc<Experiment>,
}

impl PaperCell {
    /// Whether it is a count without chance.
    pub fn is_exact(&self) -> bool {
        self.ci95.is_some_and(|[low, high]| low == high && low.fract() == 0.0)
    }

    fn publish(&mut self, printed: &str) {
        self.published = printed.parse().ok();
        self.printed = printed.to_owned();
    }
}

/// Every item, paper by paper, in the order in which it is shown.
pub fn items() -> impl Iterator<Item = &'static Item> {
    let older = gordon_stout::ITEMS.iter().chain(chiu::ITEMS).chain(boppana_chalasani::ITEMS);
    older.chain(thesis::ITEMS).chain(greenberg_leiserson::ITEMS)
}

/// The item called `id`.
pub fn item(id: &str) -> Option<&'static Item> {
    items().find(|item| item.id == id)
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

    /// Whether it takes sweeps; what takes none is computed exactly, at once.
    pub fn is_simulated(&self) -> bool {
        !(self.texts)().is_empty()
    }

    /// The published numbers beside what `sweeps`, those of [`Item::experiments`], have come to so far.
    pub fn cells(&self, sweeps: &[Sweep]) -> Vec<PaperCell> {
        match sweeps {
            // Not started: every cell still says which experiment it is about.
            [] => (self.compare)(self, &self.experiments(None).iter().map(Sweep::new).collect::<Vec<_>>()),
            _ => (self.compare)(self, sweeps),
        }
    }
}

/// The same experiment to another half-width, with trials enough for it.
fn precise(experiment: Experiment, within: f64) -> Experiment {
    let within = within.clamp(0.0001, 0.5);
    if experiment.setting.circuit().is_some() {
        let more = (experiment.within / within).max(1.0);
        let trials = (experiment.trials as f64 * more * more).min(1e9) as u64;
        return Experiment { within, trials, ..experiment };
    }
    // Wilson's interval of 1/2 needs 0.96 / within^2.
    let trials = experiment.trials.max((1.1 / (within * within)) as u64);
    Experiment { within, trials, ..experiment }
}

/// The estimate of the metric called `metric` where sweep number `sweep` ran `series` at `x`.
fn estimate(sweeps: &[Sweep], sweep: usize, series: &str, x: f64, metric: &str) -> Option<Estimate> {
    let here = |point: &&PointResult| point.algorithm.id == series && point.x.is_some_and(|at| (at - x).abs() < 1e-9);
    let point = sweeps.get(sweep)?.points().iter().find(here)?;
    point.estimate(sweeps.get(sweep)?.experiment().kind().metric(metric)?)
}

/// A cell with what was measured; what was published and how the two compare is up to the caller.
/// It is of `sweep`, or of none if it is computed exactly.
fn measured(item: &Item, sweep: Option<&Sweep>, row: String, column: String, estimate: Option<Estimate>) -> PaperCell {
    let experiment = sweep.map(|sweep| sweep.experiment().clone());
    let bounded = estimate.filter(|estimate| estimate.half_width().is_finite());
    PaperCell {
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

/// A number without chance of the experiment `text`; `printed` is what the paper has, empty for nothing, and `holds` says
/// whether it is confirmed.
fn exact(item: &Item, text: &str, (row, column): (&str, &str), value: f64, printed: &str, holds: bool) -> PaperCell {
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

/// A number that is claimed to be this very one.
fn equal(item: &Item, text: &str, at: (&str, &str), value: f64, claimed: f64) -> PaperCell {
    exact(item, text, at, value, &digits(claimed), (value - claimed).abs() <= 1e-9 * claimed.abs().max(1.0))
}

/// A bound with as many digits as are worth printing.
fn digits(value: f64) -> String {
    if value.fract() == 0.0 || value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_an_experiment_and_cells_stand_before_any_trial() {
        for item in items() {
            let experiments = item.experiments(None);
            assert_eq!(experiments.len(), (item.texts)().len(), "{}", item.id);
            let cells = item.cells(&[]);
            let sweeps: Vec<_> = experiments.iter().map(Sweep::new).collect();
            assert_eq!(cells, item.cells(&sweeps), "{}", item.id);
            assert!(!cells.is_empty(), "{}", item.id);
            // A bound that is infinite is no claim.
            let numbers = cells.iter().flat_map(|cell| cell.published.into_iter().chain(cell.measured));
            assert!(numbers.into_iter().all(f64::is_finite), "{}", item.id);
            // What takes no sweep is there at once.
            assert!(cells.iter().all(|cell| cell.measured.is_some() == sweeps.is_empty()), "{}", item.id);
            let mut names: Vec<_> = cells.iter().map(|cell| &cell.cell).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), cells.len(), "{}: cells named alike", item.id);
            assert!(cells.iter().all(|cell| cell.paper == item.paper.id), "{}", item.id);
        }
    }

    #[test]
    fn items_are_named_once_and_stand_by_their_papers() {
        let mut names: Vec<_> = items().map(|item| item.id).chain(papers().iter().map(|paper| paper.id)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(items().is_sorted_by_key(|item| papers().iter().position(|paper| paper.id == item.paper.id)));
    }

    #[test]
    fn more_precision_brings_its_budget() {
        let experiment = "net=cube:3&switch=circuit&route=e-cube&trials=1000".parse().unwrap();
        assert_eq!(precise(experiment, 0.01).trials, 4000);
    }
}
