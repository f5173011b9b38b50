//! Precomputed answers in one file: the cells of every item of Papers and the charts of its sweeps.
//!
//! The file holds what [`Item::cells`] and the charts of [`Sweep`]s return, and nothing else. A
//! program that reads it shows the same tables and charts without computing. An item whose
//! experiments have changed since has no answer.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::chart::chart_point::ChartPoint;
use super::chart::figure::Figure;
use super::chart::frame::spots;
use super::picture::geometry::Size;
use super::sweep_charts;
use super::sweep_charts::point_description::{describe_spot, measured_lines};
use faultlab_core::VERSION;
use faultlab_experiment::{Experiment, Sweep};
use faultlab_papers::{Item, Paper, PaperValue, Verdict, VerdictCounts, items};

/// Precomputed answers to all items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// Version of Faultlab that computed the answers.
    pub version: String,
    /// Day of the computation, as 2026-01-31.
    pub date: String,
    answers: Vec<Answer>,
}

/// Result of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    item: String,
    /// Texts of the experiments of the item's sweeps.
    texts: Vec<String>,
    /// Charts of the sweeps; empty if the item has no charts.
    charts: Vec<AnswerChart>,
    cells: Cells,
}

/// Cells of an item in the form in which they are stored and sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cells {
    /// Texts of the experiments to which the cells refer.
    experiments: Vec<String>,
    cells: Vec<StoredCell>,
}

/// Chart of a sweep with the readings of its points, which can be shown without the sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerChart {
    /// Chart.
    pub figure: Figure,
    /// Readings of the measured points, by curve and x.
    said: Vec<(u32, f64, Vec<String>)>,
}

/// [`PaperValue`] without the item's data, and with an index into [`Cells::experiments`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StoredCell {
    row: String,
    column: String,
    published: Option<f64>,
    printed: String,
    measured: Option<f64>,
    ci95: Option<[f64; 2]>,
    verdict: Verdict,
    remark: String,
    experiment: u32,
}

impl Answers {
    /// Returns the answers that the running version computed on the day `date`.
    pub fn new(date: String, answers: Vec<Answer>) -> Self {
        Self { version: VERSION.to_owned(), date, answers }
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Serialization cannot fail: sequences have known lengths, the rest are numbers and texts.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// Reads the answers from the bytes of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are truncated or written by a version with another format.
    pub fn from_bytes(bytes: &[u8]) -> postcard::Result<Self> {
        postcard::from_bytes(bytes)
    }

    /// Returns the answer to `item`, if it was computed from the item's present experiments.
    pub fn get(&self, item: &Item) -> Option<&Answer> {
        let answer = self.answers.iter().find(|answer| answer.item == item.id)?;
        (answer.texts == texts(item)).then_some(answer)
    }

    /// Returns the number of answered items.
    pub fn count(&self) -> usize {
        self.answers.len()
    }

    /// Counts the verdicts of each kind on `paper`, or on all papers.
    pub fn count_verdicts(&self, paper: Option<&Paper>) -> VerdictCounts {
        let asked = items().filter(|item| paper.is_none_or(|paper| item.paper.id == paper.id));
        VerdictCounts::from_verdicts(asked.filter_map(|item| self.get(item)).flat_map(Answer::verdicts))
    }
}

impl Answer {
    /// Returns the answer to `item` from its finished sweeps.
    pub fn new(item: &Item, sweeps: &[Sweep]) -> Self {
        let charts = sweeps.iter().filter(|_| item.charts).map(AnswerChart::new).collect();
        Self { item: item.id.to_owned(), texts: texts(item), charts, cells: Cells::new(item, sweeps) }
    }

    /// Returns the cells of the item.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Returns the charts of the item's sweeps, in their order; empty if the item has no charts.
    pub fn charts(&self) -> &[AnswerChart] {
        &self.charts
    }

    /// Iterates over the verdicts on the cells.
    pub fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        self.cells.cells.iter().map(|cell| cell.verdict)
    }
}

impl Cells {
    /// Returns the cells of `item` from its finished sweeps.
    pub fn new(item: &Item, sweeps: &[Sweep]) -> Self {
        let mut experiments = Vec::new();
        let kept = |cell: PaperValue| {
            let text = cell.experiment.to_string();
            let place = experiments.iter().position(|known| *known == text).unwrap_or_else(|| {
                experiments.push(text);
                experiments.len() - 1
            });
            StoredCell::new(cell, place as u32)
        };
        let cells = item.cells(sweeps).into_iter().map(kept).collect();
        Self { experiments, cells }
    }

    /// Returns the cells as [`Item::cells`] returned them. `self` must contain the cells of `item`.
    pub fn for_item(&self, item: &Item) -> Vec<PaperValue> {
        let experiments = self.experiments.iter().map(|text| Arc::new(text.parse().unwrap_or_default()));
        let experiments: Vec<_> = experiments.collect();
        let cell = |kept: &StoredCell| {
            let StoredCell { row, column, published, printed, measured, ci95, verdict, remark, experiment } =
                kept.clone();
            let experiment = experiments.get(experiment as usize).cloned().unwrap_or_default();
            let (paper, cell) = (item.paper.id, format!("{row} {column}"));
            let item = item.id;
            PaperValue {
                paper,
                item,
                cell,
                row,
                column,
                published,
                printed,
                measured,
                ci95,
                verdict,
                remark,
                experiment,
            }
        };
        self.cells.iter().map(cell).collect()
    }
}

impl StoredCell {
    fn new(cell: PaperValue, experiment: u32) -> Self {
        let PaperValue { row, column, published, printed, measured, ci95, verdict, remark, .. } = cell;
        Self { row, column, published, printed, measured, ci95, verdict, remark, experiment }
    }
}

impl AnswerChart {
    fn new(sweep: &Sweep) -> Self {
        let plot = sweep.experiment().plot();
        let figure = sweep_charts::figure::chart(sweep, plot);
        // The size only has to be large enough for every point to have a spot; positions are not
        // used.
        let spots = spots(&figure, Size::new(900.0, 500.0));
        let of = |spot: &ChartPoint| Some((spot.curve as u32, spot.value.0, measured_lines(sweep, plot, spot)?));
        Self { said: spots.iter().filter_map(of).collect(), figure }
    }

    /// Returns the description of a spot, as
    /// [`describe_point`](super::sweep_charts::point_description::describe_point) would for the
    /// sweep of `experiment`.
    pub fn describe_point(&self, experiment: &Experiment, spot: &ChartPoint) -> Vec<String> {
        let kept = self.said.iter().find(|(curve, x, _)| (*curve as usize, *x) == (spot.curve, spot.value.0));
        describe_spot(experiment, experiment.plot(), &self.figure, spot, kept.map(|(.., said)| said.clone()))
    }
}

/// Returns the texts of the experiments of `item`.
fn texts(item: &Item) -> Vec<String> {
    item.experiments(None).iter().map(Experiment::to_string).collect()
}
