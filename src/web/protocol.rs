//! What the page and its workers say to each other: JSON texts, so that both sides can be read while debugging.

use serde::{Deserialize, Serialize};

use crate::experiment::{Tally, Task};

/// Changes whenever the messages do; page and worker of different builds must not work together.
pub(super) const PROTOCOL: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");

/// What the page tells a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum ToWorker {
    /// Run a task of the sweep of the experiment with this text.
    Run {
        /// Numbers the order; comes back with the answer.
        id: u64,
        /// The experiment.
        text: String,
        /// The task.
        task: Task,
    },
    /// Forget every order.
    Cancel,
}

/// What a worker tells the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum FromWorker {
    /// It is up.
    Ready {
        /// Its [`PROTOCOL`].
        protocol: String,
    },
    /// An order is done.
    Done {
        /// The order.
        id: u64,
        /// What it came to.
        tally: Tally,
    },
    /// An order could not be carried out.
    Failed {
        /// The order, if it is known which.
        id: Option<u64>,
        /// Why.
        problem: String,
    },
}
