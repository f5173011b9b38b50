//! Long computations: signals and progress of what the library runs on threads.

mod progress;

use std::sync::{Arc, Once};

use faultlab::api::native::{self, Execution, Host, JournalWriter, ProgressDisplay, analysis_threads, build_pool};
use faultlab::experiment::{Experiment, Sweep};

use rayon::ThreadPoolBuilder;

use crate::arguments::ExecutionArgs;
use crate::interrupt::{self, SignalGuard};
use crate::output::{CliError, is_closed, note};
use progress::SweepProgress;
pub(crate) use progress::{BAR_STEPS, Spinner, format_duration, progress_bar};

/// Command line as the host of computations.
struct CliHost {
    quiet: bool,
}

impl Host for CliHost {
    fn is_cancelled(&self) -> bool {
        interrupt::is_stop_requested() || is_closed()
    }

    fn begin(&self, name: &str) -> Box<dyn ProgressDisplay> {
        Box::new(SweepProgress::new(self.quiet, name))
    }

    fn note(&self, message: &str) {
        static NOTED: Once = Once::new();
        if !self.quiet {
            NOTED.call_once(|| note(&format!("faultlab: {message}")));
        }
    }
}

/// Returns the execution that the arguments ask for.
pub(crate) fn execution(effort: &ExecutionArgs) -> Execution {
    Execution { host: Arc::new(CliHost { quiet: effort.quiet }), threads: effort.threads.map(usize::from) }
}

/// Opens the journal at `path`, and notes that it resumes a stored run.
pub(crate) fn open_journal(
    path: &std::path::Path,
    head: &faultlab::experiment::journal::JournalHeader,
) -> Result<JournalWriter, CliError> {
    let journal = JournalWriter::at(path, head)?;
    if let Some(message) = journal.note() {
        note(message);
    }
    Ok(journal)
}

/// Runs the sweep of `experiment` until it ends or is stopped; points that are still running are
/// then cancelled. `journal` also supplies known results.
pub(crate) fn measure(
    experiment: &Experiment,
    effort: &ExecutionArgs,
    journal: Option<&JournalWriter>,
) -> Result<Sweep, CliError> {
    run_sweep(Sweep::new(experiment).in_turn(), effort, journal)
}

/// Runs an existing sweep like [`measure`].
pub(crate) fn run_sweep(
    sweep: Sweep,
    effort: &ExecutionArgs,
    journal: Option<&JournalWriter>,
) -> Result<Sweep, CliError> {
    let _hearing = SignalGuard::begin();
    let sweep = native::run_sweep(sweep, &execution(effort), "", journal)?;
    if is_closed() { Err(CliError::Closed) } else { Ok(sweep) }
}

/// Sets up the threads that the library uses to analyse `experiment`: one per processor, or as many
/// as fit into memory.
///
/// # Errors
/// Returns an error if the analysis, or one thread, does not fit into memory.
pub(crate) fn configure_global_pool(experiment: &Experiment) -> Result<(), CliError> {
    let threads = build_pool(analysis_threads(experiment)?)?.current_num_threads();
    // An error means that the threads are set up already.
    let _ = ThreadPoolBuilder::new().num_threads(threads).build_global();
    Ok(())
}
