//! Messages between the page and its workers, in a binary format. The format needs a tenth of the
//! code of a JSON parser.

use js_sys::Uint8Array;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::experiment::{Tally, Task};
use crate::report::answers::Cells;
use crate::report::findings::Findings;
use crate::report::refutation::VerdictClass;

/// Version of the protocol. It changes with the messages: a page and workers of different builds
/// must not work together.
pub(crate) const PROTOCOL: &str = concat!(env!("CARGO_PKG_VERSION"), "/8");

/// Serializes a message for posting. Sequences of known length, numbers and texts cannot fail to
/// serialize.
pub(crate) fn write(message: &impl Serialize) -> JsValue {
    Uint8Array::from(postcard::to_allocvec(message).unwrap_or_default().as_slice()).into()
}

/// Parses a posted message.
///
/// # Errors
/// Returns an error if the value is not a message of this protocol.
pub(crate) fn read<T: DeserializeOwned>(posted: JsValue) -> Result<T, String> {
    let bytes = posted.dyn_into::<Uint8Array>().map_err(|_| "the message has no bytes")?;
    postcard::from_bytes(&bytes.to_vec()).map_err(|error| error.to_string())
}

/// Message from the page to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ToWorker {
    /// Run a task of the sweep of the experiment with this text.
    Run {
        /// Number of the task, which the result repeats.
        id: u64,
        /// Text of the experiment.
        text: String,
        /// Task to run.
        task: Task,
    },
    /// Drop all tasks.
    Cancel,
    /// Run only a search for the worst faults; the page terminates a worker that it no longer
    /// needs.
    Worst {
        /// Text of the experiment. The search degrades the plotted metric of its first algorithm.
        text: String,
        /// Number of faults.
        faults: u32,
        /// True if links fail, not nodes.
        links: bool,
    },
    /// Run only a search for flaws of the first routing of this experiment.
    Refute(String),
    /// Run only the analysis of the instance of this experiment.
    Check(String),
    /// Run only the computation of the Papers item with this id, which has no sweeps.
    Item(String),
}

/// Flaw of a routing that a search has found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FlawReport {
    /// Description in a sentence.
    pub(crate) description: String,
    /// Text of the experiment that shows the flaw.
    pub(crate) text: String,
    /// True if it is undecided whether the flaw is one.
    pub(crate) is_undecided: bool,
}

/// Message from a worker to the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum FromWorker {
    /// The worker is ready.
    Ready {
        /// [`PROTOCOL`] of the worker.
        protocol: String,
    },
    /// A task is done.
    Done {
        /// Number of the task.
        id: u64,
        /// Result of the task.
        tally: Box<Tally>,
    },
    /// A task or a single job has failed.
    Failed {
        /// Number of the task, if it is known.
        id: Option<u64>,
        /// Reason of the failure.
        problem: String,
    },
    /// A search has made progress.
    Searched {
        /// Share of the search that is done.
        share: f64,
    },
    /// A search for the worst faults has ended.
    Worst {
        /// Text of the experiment with the worst faults broken by hand.
        text: String,
        /// Sentences that describe the result.
        told: Vec<String>,
    },
    /// A search for flaws has made progress or ended.
    Refuted {
        /// Verdict in one line.
        verdict: String,
        /// Class of the verdict.
        class: VerdictClass,
        /// Description of the examined sets.
        coverage: String,
        /// Smallest example of each flaw.
        flaws: Vec<FlawReport>,
        /// Share of the search that is done; 1 at its end.
        share: f64,
    },
    /// An item has been computed.
    Item(Cells),
    /// An analysis is complete.
    CheckReport(Box<Findings>),
    /// Sent by a busy worker to show that it is running. Before the program runs, the worker's
    /// script sends it too, as the byte 8 (`boot/worker.js`, `boot/relay.js`).
    Heartbeat,
}
