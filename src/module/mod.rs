//! JavaScript interface of the npm package, for browsers and Node.js.
//!
//! Functions take and return texts and bytes, without threads and without a clock. The scripts of
//! the package (`npm/`) add promises, workers and a command line. Errors are thrown as texts, the
//! same that the command line prints.

use std::cell::RefCell;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::api;
use crate::experiment::figure_options::FigureOptions;
use crate::experiment::{Experiment, Sampler, Sweep, Tally, Task};
use crate::report::chart::print::PrintOptions;
use crate::report::files::csv;
use crate::report::picture::geometry::Size;

/// Returns the version of Faultlab.
#[wasm_bindgen]
pub fn version() -> String {
    crate::VERSION.into()
}

/// Returns the problems with the options of a figure in a text, one per line. They do not affect
/// results.
#[wasm_bindgen]
pub fn remarks(text: &str) -> String {
    FigureOptions::from_text(text).1.join("\n")
}

/// Returns the names of the functions that report on an experiment ([`report`]).
#[wasm_bindgen]
pub fn reports() -> Vec<String> {
    api::REPORTS.iter().map(|function| function.name.to_owned()).collect()
}

/// Writes a report like the command called `name` ([`reports`]), as text, csv or json.
///
/// # Errors
/// Returns the error message of the command line.
#[wasm_bindgen]
pub fn report(name: &str, text: &str, rules: Option<String>, format: &str) -> Result<String, String> {
    let function = api::find_report(name)?;
    let experiment = api::experiment(text, rules.as_deref())?;
    api::render(&*(function.report)(&experiment)?, format)
}

/// Draws a network or an analysis like `faultlab draw`. Returns `None` for charts, which need a
/// measurement: see [`Run::draw`].
///
/// # Errors
/// Returns the error message of the command line.
#[wasm_bindgen]
pub fn draw(
    text: &str,
    rules: Option<String>,
    options: &str,
    width: f64,
    height: f64,
) -> Result<Option<String>, String> {
    let experiment = api::experiment(text, rules.as_deref())?;
    let ui = FigureOptions::from_text(text).0;
    let ui = options
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .try_fold(ui, |ui, (name, value)| ui.with(name, value))
        .map_err(|problem| problem.to_string())?;
    api::draw(&experiment, &ui, Size::new(width, height))
}

/// Running measurement: the caller takes tasks, runs them anywhere, and submits their results in
/// any order.
#[wasm_bindgen]
pub struct Run {
    sweep: Sweep,
}

#[wasm_bindgen]
impl Run {
    /// Creates the measurement of an experiment's text.
    ///
    /// # Errors
    /// Returns an error if the text is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, rules: Option<String>) -> Result<Run, String> {
        let experiment = api::experiment(text, rules.as_deref())?;
        Ok(Self { sweep: Sweep::new(&experiment).in_turn() })
    }

    /// Returns the experiment's text, which [`work`] needs to run tasks.
    pub fn text(&self) -> String {
        self.sweep.experiment().to_string()
    }

    /// Returns the next task; `None` if all tasks are dispatched for now.
    pub fn task(&mut self) -> Option<Vec<u8>> {
        self.sweep.next_task().map(|task| bytes(&task))
    }

    /// Submits the result of a task.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a task and a tally of this version.
    pub fn finish(&mut self, task: &[u8], tally: &[u8]) -> Result<(), String> {
        let (task, tally): (Task, Tally) = (read(task)?, read(tally)?);
        self.sweep.submit(task, &tally);
        Ok(())
    }

    /// Returns whether the measurement is complete.
    pub fn done(&self) -> bool {
        self.sweep.is_done()
    }

    /// Returns the predicted share of the work that is done, 0 to 1.
    pub fn share(&self) -> f64 {
        self.sweep.progress().share
    }

    /// Returns the number of finished points and the number of all points.
    pub fn points(&self) -> Vec<u32> {
        let progress = self.sweep.progress();
        vec![progress.done as u32, progress.points as u32]
    }

    /// Formats the results like `faultlab run`: text (tables), csv, json or lengths.
    ///
    /// # Errors
    /// Returns an error if nothing of the experiment can be run, or the format is unknown.
    pub fn output(&self, format: &str) -> Result<String, String> {
        api::results(&self.sweep, format)
    }

    /// Returns the reason why this run has no path lengths to write; `undefined` if it has some.
    #[wasm_bindgen(js_name = withoutLengths)]
    pub fn without_lengths(&self) -> Option<String> {
        csv::check_lengths(&self.sweep).err().map(|error| error.to_string())
    }

    /// Draws the chart like `faultlab run --svg`.
    pub fn chart(&self) -> String {
        api::chart(&self.sweep, PrintOptions::default())
    }

    /// Draws the figure like `faultlab draw`.
    ///
    /// # Errors
    /// Returns an error if nothing of the experiment can be run.
    pub fn draw(&self, width: f64, height: f64) -> Result<String, String> {
        api::draw_results(&self.sweep, Size::new(width, height))
    }
}

/// Sampler with the experiment and the point that it belongs to.
struct PointSampler {
    /// Text of the experiment.
    text: String,
    /// Index of the point.
    slot: u32,

    /// Sampler of the point.
    sampler: Box<dyn Sampler>,
}

thread_local! {
    /// Most recent sampler: successive tasks tend to be of one point.
    static SAMPLER: RefCell<Option<PointSampler>> = const { RefCell::new(None) };
}

/// Runs a task of the experiment with this text ([`Run::text`]) and returns its result.
///
/// # Errors
/// Returns an error if there is no such task.
#[wasm_bindgen]
pub fn work(text: &str, task: &[u8]) -> Result<Vec<u8>, String> {
    let task: Task = read(task)?;
    SAMPLER.with_borrow_mut(|kept| {
        if kept.as_ref().is_none_or(|other| other.text != text || other.slot != task.slot) {
            let experiment: Experiment = text.parse().map_err(|error| format!("{error}"))?;
            let sampler =
                Sweep::sampler(&experiment, task.slot).ok_or_else(|| format!("no point {} in {text}", task.slot))?;
            *kept = Some(PointSampler { text: text.to_owned(), slot: task.slot, sampler });
        }
        let tally = kept.as_mut().map(|kept| kept.sampler.run(task.first, task.count));
        Ok(bytes(&tally.unwrap_or_default()))
    })
}

/// Serializes a value. Tallies and tasks cannot fail to serialize.
fn bytes(value: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    postcard::from_bytes(bytes).map_err(|error| format!("the bytes were written by another version: {error}"))
}
