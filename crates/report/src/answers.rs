//! Answers computed beforehand, as one file: the cells of every item of Papers and the charts of its sweeps.
//!
//! They are what [`Item::cells`] and the charts of [`Sweep`]s give, nothing else: who has the file has the same tables and charts
//! without computing. An item whose experiments have changed since has no answer.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::chart::figure::Figure;
use super::chart::frame::spots;
use super::chart::spot::Spot;
use super::measured;
use super::measured::reading::{said, told};
use super::picture::geometry::Size;
use faultlab_core::VERSION;
use faultlab_experiment::{Experiment, Sweep};
use faultlab_papers::{Item, Paper, PaperCell, Tallied, Verdict, items};

/// Answers to all items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// The version of Faultlab that computed them.
    pub version: String,
    /// The day on which it did, as 2026-01-31.
    pub date: String,
    answers: Vec<Answer>,
}

/// What an item came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    item: String,
    /// The experiments of its sweeps.
    texts: Vec<String>,
    /// Their charts, if they are worth one.
    charts: Vec<Chart>,
    cells: Cells,
}

/// The cells of an item, as they are kept and sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cells {
    /// The experiments that they are of.
    experiments: Vec<String>,
    cells: Vec<Kept>,
}

/// The chart of a sweep, which can be read without the sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// The chart.
    pub figure: Figure,
    /// What is said of its measured points, by curve and x.
    said: Vec<(u32, f64, Vec<String>)>,
}

/// A [`PaperCell`] without what its item says, and with the place of its experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
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
    /// What the items came to, computed by this program on the day `date`.
    pub fn new(date: String, answers: Vec<Answer>) -> Self {
        Self { version: VERSION.to_owned(), date, answers }
    }

    /// The bytes of the file.
    pub fn written(&self) -> Vec<u8> {
        // Sequences of known length, numbers and texts can always be written.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// Reads the answers from the bytes of a file.
    ///
    /// # Errors
    ///
    /// The bytes are not the answers of this version: cut, or of another format.
    pub fn read(bytes: &[u8]) -> postcard::Result<Self> {
        postcard::from_bytes(bytes)
    }

    /// The answer to `item`, if it was computed from the experiments that the item has now.
    pub fn of(&self, item: &Item) -> Option<&Answer> {
        let answer = self.answers.iter().find(|answer| answer.item == item.id)?;
        (answer.texts == texts(item)).then_some(answer)
    }

    /// How many items they answer.
    pub fn count(&self) -> usize {
        self.answers.len()
    }

    /// How many verdicts of each sort there are on `paper`, or on all papers.
    pub fn tallied(&self, paper: Option<&Paper>) -> Tallied {
        let asked = items().filter(|item| paper.is_none_or(|paper| item.paper.id == paper.id));
        Tallied::of(asked.filter_map(|item| self.of(item)).flat_map(Answer::verdicts))
    }
}

impl Answer {
    /// What `item` came to, from its sweeps, which have ended.
    pub fn new(item: &Item, sweeps: &[Sweep]) -> Self {
        let charts = sweeps.iter().filter(|_| item.charts).map(Chart::new).collect();
        Self { item: item.id.to_owned(), texts: texts(item), charts, cells: Cells::new(item, sweeps) }
    }

    /// Its cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The charts of its sweeps, in their order; none if they are not worth any.
    pub fn charts(&self) -> &[Chart] {
        &self.charts
    }

    /// The verdicts on its cells.
    pub fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        self.cells.cells.iter().map(|cell| cell.verdict)
    }
}

impl Cells {
    /// Those of `item`, from its sweeps, which have ended.
    pub fn new(item: &Item, sweeps: &[Sweep]) -> Self {
        let mut experiments = Vec::new();
        let kept = |cell: PaperCell| {
            let text = cell.experiment.to_string();
            let place = experiments.iter().position(|known| *known == text).unwrap_or_else(|| {
                experiments.push(text);
                experiments.len() - 1
            });
            Kept::new(cell, place as u32)
        };
        let cells = item.cells(sweeps).into_iter().map(kept).collect();
        Self { experiments, cells }
    }

    /// What [`Item::cells`] gave; they are of `item`.
    pub fn of(&self, item: &Item) -> Vec<PaperCell> {
        let experiments = self.experiments.iter().map(|text| Arc::new(text.parse().unwrap_or_default()));
        let experiments: Vec<_> = experiments.collect();
        let cell = |kept: &Kept| {
            let Kept { row, column, published, printed, measured, ci95, verdict, remark, experiment } = kept.clone();
            let experiment = experiments.get(experiment as usize).cloned().unwrap_or_default();
            let (paper, cell) = (item.paper.id, format!("{row} {column}"));
            let item = item.id;
            PaperCell {
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

impl Kept {
    fn new(cell: PaperCell, experiment: u32) -> Self {
        let PaperCell { row, column, published, printed, measured, ci95, verdict, remark, .. } = cell;
        Self { row, column, published, printed, measured, ci95, verdict, remark, experiment }
    }
}

impl Chart {
    fn new(sweep: &Sweep) -> Self {
        let plot = sweep.experiment().plot();
        let figure = measured::figure::of(sweep, plot);
        // Where points stand does not matter, if only the chart is large enough for all of them.
        let spots = spots(&figure, Size::new(900.0, 500.0));
        let of = |spot: &Spot| Some((spot.curve as u32, spot.point.0, said(sweep, plot, spot)?));
        Self { said: spots.iter().filter_map(of).collect(), figure }
    }

    /// What is said of a spot, as [`reading`](super::measured::reading::reading) says it; the sweep was of `experiment`.
    pub fn reading(&self, experiment: &Experiment, spot: &Spot) -> Vec<String> {
        let kept = self.said.iter().find(|(curve, x, _)| (*curve as usize, *x) == (spot.curve, spot.point.0));
        told(experiment, experiment.plot(), &self.figure, spot, kept.map(|(.., said)| said.clone()))
    }
}

/// The texts of the experiments of `item`.
fn texts(item: &Item) -> Vec<String> {
    item.experiments(None).iter().map(Experiment::to_string).collect()
}
