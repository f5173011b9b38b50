//! Long computations on an operating system: sweeps and searches on threads, journals, free memory,
//! cancellation.
//!
//! The program that calls them is the [`Host`]: the command line, or a package for another
//! language.

mod execution;
mod journal;
mod memory;
mod merge;
mod papers;
mod search;

use std::fmt;

pub use execution::{Execution, Host, ProgressDisplay, build_pool, measure, processors, run_sweep};
pub use journal::{JournalWriter, check_version, header_for, read_journal};
pub use memory::{analysis_threads, check_memory, format_bytes, free_memory};
pub use merge::merge;
pub use papers::{item_sweeps, item_text, select_items};
pub use search::{RefuteOptions, WorstOptions, compare, refute, saturation, worst};

/// Reason why a computation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The input is invalid.
    BadInput(String),
    /// An I/O or system error.
    System(String),
    /// The host cancelled the computation.
    Cancelled,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadInput(message) | Self::System(message) => f.write_str(message),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for Error {}
