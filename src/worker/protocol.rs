//! What the page and its workers say to each other, as bytes: the format needs a tenth of the code that reading JSON does.

use js_sys::Uint8Array;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::experiment::{Tally, Task};
use crate::report::answers::Cells;
use crate::report::findings::Findings;

/// Changes whenever the messages do; page and worker of different builds must not work together.
pub(crate) const PROTOCOL: &str = concat!(env!("CARGO_PKG_VERSION"), "/7");

/// A message, ready to post. Sequences of known length, numbers and texts can always be written.
pub(crate) fn write(message: &impl Serialize) -> JsValue {
    Uint8Array::from(postcard::to_allocvec(message).unwrap_or_default().as_slice()).into()
}

/// The message in what was posted.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read<T: DeserializeOwned>(posted: JsValue) -> Result<T, String> {
    let bytes = posted.dyn_into::<Uint8Array>().map_err(|_| "no bytes")?;
    postcard::from_bytes(&bytes.to_vec()).map_err(|error| error.to_string())
}

/// What the page tells a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ToWorker {
    /// Run a task of the sweep of the experiment with this text.
    Run {
        /// Number of the task, which comes back with its result.
        id: u64,
        /// The experiment.
        text: String,
        /// The task.
        task: Task,
    },
    /// Forget all tasks.
    Cancel,
    /// Search for the faults that hurt most, and do nothing else: the page ends the worker that it no longer needs.
    Worst {
        /// The experiment; its first algorithm is hurt, in the metric of its chart.
        text: String,
        /// The number of faults.
        faults: u32,
        /// Whether links fail, and not nodes.
        links: bool,
    },
    /// Search for what refutes the first routing of this experiment, and do nothing else.
    Refute(String),
    /// Prove what can be proved of the instance of this experiment, and do nothing else.
    Check(String),
    /// Compute the item of Papers of this name, which takes no sweep, and do nothing else.
    Item(String),
}

/// What a worker tells the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum FromWorker {
    /// It is up.
    Ready {
        /// Its [`PROTOCOL`].
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
    /// A search goes on.
    Searched {
        /// The share of it that is done.
        share: f64,
    },
    /// A search has ended.
    Worst {
        /// The experiment with what was found broken by hand.
        text: String,
        /// What is said of it, sentence by sentence.
        told: Vec<String>,
    },
    /// How far a search for what refutes a routing is.
    Refuted {
        /// What there is to say in one line.
        verdict: String,
        /// What was looked at.
        coverage: String,
        /// Of each flaw that was found what is said of it, and the experiment that shows it.
        flaws: Vec<(String, String)>,
        /// The share of the search that is done; 1 at its end.
        share: f64,
    },
    /// What an item came to.
    Item(Cells),
    /// What is proved.
    Checked(Box<Findings>),
    /// Sign of life of a busy worker. Before the program runs, the worker's script sends it too, as
    /// the byte 8 (`boot/worker.js`, `boot/relay.js`).
    Heartbeat,
}
