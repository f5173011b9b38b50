//! Experiments, and the functions that measure and analyse them.

use std::path::PathBuf;

use faultlab::api::native::{self, Error, RefuteOptions, WorstOptions, check_memory, header_for, measure, run_sweep};
use faultlab::api::{self, GraphChannel, GraphNode};
use faultlab::experiment::figure_options::FigureOptions;
use faultlab::report::document::Document;
use faultlab::report::picture::geometry::Size;
use pyo3::prelude::*;

use crate::errors;
use crate::interruptible::{Outcome, run};
use crate::journals::{open_journal, parse_shard};
use crate::sweep::Sweep;

/// A document as text, CSV and JSON.
pub(crate) type Texts = (String, String, String);

/// Returns the three formats of a document, as the command line prints them.
pub(crate) fn texts_of(document: &dyn Document) -> Texts {
    (api::printed(document.text()), api::printed(document.csv()), api::printed(document.json()))
}

/// Names of the functions that report on an experiment, which all packages share.
#[pyfunction]
pub(crate) fn reports() -> Vec<&'static str> {
    api::REPORTS.iter().map(|function| function.name).collect()
}

/// An experiment.
#[pyclass(frozen, module = "faultlab._faultlab")]
pub(crate) struct Experiment {
    experiment: faultlab::experiment::Experiment,
    ui: FigureOptions,
    remarks: Vec<String>,
}

/// Node of a graph: name, coordinates, faulty, disabled.
type PyNode = (String, Vec<u32>, bool, bool);
/// Channel of a graph: indices of its ends, wires, live wires, direction.
type PyChannel = (u32, u32, u32, u32, &'static str);

#[pymethods]
impl Experiment {
    #[new]
    #[pyo3(signature = (text, rules = None))]
    fn new(py: Python<'_>, text: &str, rules: Option<&str>) -> PyResult<Self> {
        let (ui, mut remarks) = FigureOptions::from_text(text);
        let reading = api::read_experiment(text, rules).map_err(|error| errors::bad_input(py, &error))?;
        if !reading.errors.is_empty() {
            return Err(errors::bad_text(py, reading));
        }
        let experiment = reading.experiment;
        let warnings = experiment.rules.iter().flat_map(|rules| rules.warnings());
        remarks.extend(warnings.map(|warning| format!("rules, line {}: {}", warning.line, warning.problem)));
        Ok(Self { experiment, ui, remarks })
    }

    /// Text with everything that determines the results.
    #[getter]
    fn text(&self) -> String {
        self.experiment.to_string()
    }

    /// Kind, the value of `switch`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.experiment.kind().id
    }

    /// Network, the value of `net`.
    #[getter]
    fn network(&self) -> String {
        self.experiment.network.to_string()
    }

    /// Seed of all random numbers.
    #[getter]
    fn seed(&self) -> u64 {
        self.experiment.seed
    }

    /// Identifiers of the compared algorithms.
    #[getter]
    fn algorithms(&self) -> Vec<String> {
        self.experiment.routing.iter().map(|algorithm| algorithm.id.to_string()).collect()
    }

    /// Warnings of the rules, and problems of the figure options.
    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    /// Measures the experiment; with the exception that interrupted it, if one did.
    fn run(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        journal: Option<PathBuf>,
        shard: Option<(u32, u32)>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Sweep, Option<PyErr>)> {
        let shard = parse_shard(py, shard, journal.is_some())?;
        let experiment = self.experiment.clone();
        let work = move |execution: &_| -> Result<_, Error> {
            let mut sweep = faultlab::experiment::Sweep::new(&experiment).in_turn();
            if let Some(shard) = shard {
                sweep = sweep.shard(shard);
            }
            let head = header_for(&experiment, shard);
            let journal = journal.map(|path| open_journal(&path, &head, execution)).transpose()?;
            let sweep = run_sweep(sweep, execution, "", journal.as_ref())?;
            api::check_measured(&sweep).map_err(Error::BadInput)?;
            Ok(sweep)
        };
        let Outcome { value, interrupt } = run(py, threads, progress, work)?;
        Ok((Sweep { sweep: value }, interrupt))
    }

    /// Writes the report of the function called `name`: text, CSV and JSON.
    fn report(&self, py: Python<'_>, name: &str) -> PyResult<Texts> {
        let function = api::find_report(name).map_err(|error| errors::bad_input(py, &error))?;
        let experiment = self.experiment.clone();
        let work = move |_: &_| -> Result<Texts, Error> {
            check_memory(&experiment)?;
            (function.report)(&experiment).map(|document| texts_of(&*document)).map_err(Error::BadInput)
        };
        run(py, None, None, work)?.complete()
    }

    /// Compares the algorithms with the first one: text, CSV and JSON.
    fn compare(
        &self,
        py: Python<'_>,
        metric: Option<String>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Texts> {
        let experiment = self.experiment.clone();
        let work = move |execution: &_| {
            native::compare(&experiment, metric.as_deref(), execution).map(|found| texts_of(&found))
        };
        run(py, threads, progress, work)?.complete()
    }

    /// Finds the offered traffic at saturation: text, CSV and JSON.
    fn saturation(
        &self,
        py: Python<'_>,
        resolution: f64,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Texts> {
        if !(0.001..=1.0).contains(&resolution) {
            return Err(errors::bad_value(py, "resolution", &resolution.to_string(), "a number from 0.001 to 1"));
        }
        let experiment = self.experiment.clone();
        let work =
            move |execution: &_| native::saturation(&experiment, resolution, execution).map(|found| texts_of(&found));
        run(py, threads, progress, work)?.complete()
    }

    /// Searches for the worst-case faults: text, CSV and JSON.
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn worst(
        &self,
        py: Python<'_>,
        metric: Option<String>,
        faults: u32,
        links: bool,
        sets: u64,
        trials: Option<u64>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Texts> {
        let experiment = self.experiment.clone();
        let options = WorstOptions { metric, faults, links, sets, trials };
        let work = move |execution: &_| native::worst(&experiment, &options, execution).map(|found| texts_of(&found));
        run(py, threads, progress, work)?.complete()
    }

    /// Searches for the fewest faults with which a routing fails: text, CSV and JSON; with the
    /// exception that interrupted the search, if one did.
    fn refute(
        &self,
        py: Python<'_>,
        faults: u32,
        links: bool,
        sets: u64,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Texts, Option<PyErr>)> {
        let experiment = self.experiment.clone();
        let options = RefuteOptions { faults, links, sets };
        let work = move |execution: &_| native::refute(&experiment, options, execution).map(|found| texts_of(&found));
        let Outcome { value, interrupt } = run(py, threads, progress, work)?;
        Ok((value, interrupt))
    }

    /// Renders the initial state of the figure as SVG, like `faultlab draw`.
    fn draw(
        &self,
        py: Python<'_>,
        view: Option<&str>,
        show: Option<&str>,
        width: f64,
        height: f64,
    ) -> PyResult<String> {
        let mut ui = self.ui.clone();
        for (name, value) in [("view", view), ("show", show)] {
            if let Some(value) = value {
                ui = ui.with(name, value).map_err(|problem| errors::bad_input(py, &problem.to_string()))?;
            }
        }
        let experiment = self.experiment.clone();
        let work = move |execution: &_| -> Result<String, Error> {
            check_memory(&experiment)?;
            let size = Size::new(width, height);
            if let Some(svg) = api::draw(&experiment, &ui, size).map_err(Error::BadInput)? {
                return Ok(api::printed(svg));
            }
            let sweep = measure(&experiment, execution, "", None)?;
            api::draw_results(&sweep, size).map(api::printed).map_err(Error::BadInput)
        };
        run(py, None, None, work)?.complete()
    }

    /// Returns the nodes and channels of the network, with the faults of the watched trial.
    fn graph(&self, py: Python<'_>) -> PyResult<(Vec<PyNode>, Vec<PyChannel>)> {
        let graph = py.detach(|| api::network_graph(&self.experiment));
        let graph = graph.map_err(|error| errors::bad_input(py, &error))?;
        let node = |node: GraphNode| (node.name, node.coordinates, node.is_faulty, node.is_disabled);
        let channel = |channel: GraphChannel| {
            let GraphChannel { from, to, wires, live_wires, direction } = channel;
            (from, to, wires, live_wires, direction)
        };
        Ok((graph.nodes.into_iter().map(node).collect(), graph.channels.into_iter().map(channel).collect()))
    }
}
