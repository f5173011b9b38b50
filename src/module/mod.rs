//! What other people's scripts see of Faultlab, in browsers and in Node.js: the core by texts and bytes, without threads and without a clock. The package's
//! own scripts (`npm/`) make promises, workers and a command line of it.
//!
//! What is wrong becomes a thrown text, the one that the command line prints.

use std::cell::RefCell;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::experiment::ui::Ui;
use crate::experiment::{Experiment, Sampler, Sweep, Tab, Tally, Task};
use crate::report::chart::print::Print;
use crate::report::files::{csv, json, table};
use crate::report::kinds::proved;
use crate::report::measured::caption::Caption;
use crate::report::measured::panels::{panels, printed};
use crate::report::picture::geometry::Size;
use crate::report::still::{self, Still};
use crate::report::{asked, notes};

/// The version of Faultlab.
#[wasm_bindgen]
pub fn version() -> String {
    crate::VERSION.into()
}

/// What is wrong with the options of a figure in a text, which costs nothing, a line each.
#[wasm_bindgen]
pub fn remarks(text: &str) -> String {
    Ui::of(text).1.join("\n")
}

/// As `faultlab route`, as text, csv or json.
///
/// # Errors
/// What the command line says.
#[wasm_bindgen]
pub fn route(text: &str, rules: Option<String>, format: &str) -> Result<String, String> {
    let experiment = asked::possible(asked::experiment(text, rules.as_deref())?)?;
    asked::written(&*asked::routed(&experiment)?, format)
}

/// As `faultlab check`, as text, csv or json.
///
/// # Errors
/// What the command line says.
#[wasm_bindgen]
pub fn check(text: &str, rules: Option<String>, format: &str) -> Result<String, String> {
    let experiment = asked::experiment(text, rules.as_deref())?;
    asked::written(&*asked::checked(&experiment)?, format)
}

/// As `faultlab draw` of a network or of what is proved; of what is measured nothing, as long as nothing is measured: see [`Run::draw`].
///
/// # Errors
/// What the command line says.
#[wasm_bindgen]
pub fn draw(
    text: &str,
    rules: Option<String>,
    options: &str,
    width: f64,
    height: f64,
) -> Result<Option<String>, String> {
    let experiment = asked::experiment(text, rules.as_deref())?;
    let ui = Ui::of(text).0;
    let ui = options
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .try_fold(ui, |ui, (name, value)| ui.with(name, value))
        .map_err(|problem| problem.to_string())?;
    let size = Size::new(width, height);
    match ui.view.unwrap_or(experiment.view.tab) {
        Tab::Measure => Ok(None),
        Tab::Check => Ok(Some(
            still::checked(&experiment, &*proved(&experiment, false).map_err(|error| error.to_string())?, size).svg,
        )),
        Tab::Watch | Tab::Papers => {
            let experiment = asked::possible(experiment)?;
            let still = still::watched(&experiment, &ui, size);
            still.map(|Still { svg, .. }| Some(svg)).ok_or_else(|| asked::not_drawn(&experiment))
        }
    }
}

/// A measurement under way: take tasks, have them run anywhere, hand in what they came to, in any order.
#[wasm_bindgen]
pub struct Run {
    sweep: Sweep,
}

#[wasm_bindgen]
impl Run {
    /// That of a text.
    ///
    /// # Errors
    /// What is wrong with it.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, rules: Option<String>) -> Result<Run, String> {
        let experiment = asked::experiment(text, rules.as_deref())?;
        Ok(Self { sweep: Sweep::new(&experiment).in_turn() })
    }

    /// The experiment's text, as files carry it: that which tasks are run of.
    pub fn text(&self) -> String {
        self.sweep.experiment().to_string()
    }

    /// The next task; nothing if all are handed out for now.
    pub fn task(&mut self) -> Option<Vec<u8>> {
        self.sweep.next_task().map(|task| bytes(&task))
    }

    /// Takes what a task came to.
    ///
    /// # Errors
    /// If these are no bytes of a task and its tally, of this version.
    pub fn finish(&mut self, task: &[u8], tally: &[u8]) -> Result<(), String> {
        let (task, tally): (Task, Tally) = (read(task)?, read(tally)?);
        self.sweep.finish(task, &tally);
        Ok(())
    }

    /// Whether all is measured.
    pub fn done(&self) -> bool {
        self.sweep.is_done()
    }

    /// The share that is done, 0 to 1, as far as can be foreseen.
    pub fn share(&self) -> f64 {
        self.sweep.progress().share
    }

    /// The points that have ended, and all.
    pub fn points(&self) -> Vec<u32> {
        let progress = self.sweep.progress();
        vec![progress.done as u32, progress.points as u32]
    }

    /// As `faultlab run` prints it: text (tables), csv, json or lengths.
    ///
    /// # Errors
    /// If nothing of it can be run, and which formats there are.
    pub fn written(&self, format: &str) -> Result<String, String> {
        self.sweep.check_measured().map_err(|why| asked::impossible(self.sweep.experiment(), &why))?;
        match format {
            "text" => Ok(table::text(&self.sweep)),
            "csv" => Ok(csv::csv(&table::table(&self.sweep))),
            "json" => Ok(json::run(&self.sweep)),
            "lengths" => Ok(csv::lengths(&self.sweep)),
            _ => Err(format!("format {format}; accepted: text, csv, json, lengths")),
        }
    }

    /// Says why this run has no path lengths to write; `undefined` if it has some.
    #[wasm_bindgen(js_name = withoutLengths)]
    pub fn without_lengths(&self) -> Option<String> {
        csv::check_lengths(&self.sweep).err().map(|error| error.to_string())
    }

    /// The chart, as `faultlab run --svg` draws it.
    pub fn chart(&self) -> String {
        let experiment = self.sweep.experiment();
        let figures = printed(panels(&self.sweep, &experiment.view, &[]));
        let title = Caption::of(experiment, experiment).title;
        Print { figures: &figures, title: &title, notes: &notes(experiment) }.svg()
    }

    /// The figure, as `faultlab draw` draws it.
    ///
    /// # Errors
    /// If nothing of it can be run.
    pub fn draw(&self, width: f64, height: f64) -> Result<String, String> {
        self.sweep.check_ran().map_err(|why| asked::impossible(self.sweep.experiment(), &why))?;
        Ok(still::measured(&self.sweep, Size::new(width, height)).svg)
    }
}

/// A sampler of one point of an experiment.
struct PointSampler {
    /// The text of the experiment.
    text: String,
    /// The index of the point.
    slot: u32,
    sampler: Box<dyn Sampler>,
}

thread_local! {
    /// The sampler used last: tasks of one point tend to come together.
    static SAMPLER: RefCell<Option<PointSampler>> = const { RefCell::new(None) };
}

/// Runs a task of the experiment with this text ([`Run::text`]); what it came to.
///
/// # Errors
/// If there is no such task.
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

/// Sequences of known length, numbers and texts can always be written.
fn bytes(value: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    postcard::from_bytes(bytes).map_err(|error| format!("these bytes are of another version: {error}"))
}
