//! Long computations: sweeps on threads, with journals, signals and progress.

mod journal;
mod memory;
mod progress;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use faultlab::experiment::journal::{SweepId, TaskRecord, TaskResults};
use faultlab::experiment::{Experiment, Progress, Sweep, SweepObserver, Tally, Task, run_parallel};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::arguments::ExecutionArgs;
use crate::interrupt::{self, SignalGuard};
use crate::output::{CliError, is_closed};
pub(crate) use journal::{JournalWriter, check_version, header_for, read_journal};
use memory::analysis_threads;
pub(crate) use memory::{check_memory, format_bytes, free_memory, sweep_threads, threads_within_memory};
pub(crate) use progress::{BAR_STEPS, Spinner, SweepProgress, format_duration, progress_bar};

/// Runs the sweep of `experiment` until it ends or is stopped; points that are still running are
/// then cancelled. `journal` also supplies known results.
pub(crate) fn measure(
    experiment: &Experiment,
    effort: &ExecutionArgs,
    name: &str,
    journal: Option<&JournalWriter>,
) -> Result<Sweep, CliError> {
    run_sweep(Sweep::new(experiment).in_turn(), effort, name, journal)
}

/// Runs an existing sweep like [`measure`].
pub(crate) fn run_sweep(
    sweep: Sweep,
    effort: &ExecutionArgs,
    name: &str,
    journal: Option<&JournalWriter>,
) -> Result<Sweep, CliError> {
    let threads = sweep_threads(sweep.experiment(), effort)?;
    let _hearing = SignalGuard::begin();
    let company = Arc::new(CliObserver {
        id: SweepId::from_experiment(sweep.experiment()),
        journal: journal.cloned(),
        shown: SweepProgress::new(effort.quiet, name),
        journal_error: Mutex::new(None),
        stopping_since: OnceLock::new(),
        wants_progress: Arc::default(),
    });
    let mut sweep = run_parallel(sweep, threads, &company);
    company.shown.end();
    if let Some(why) = company.journal_error.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(CliError::System(why));
    }
    if is_closed() {
        return Err(CliError::Closed);
    }
    sweep.cancel();
    Ok(sweep)
}

/// Observer of a sweep: journal, progress and cancellation.
struct CliObserver {
    id: SweepId,
    journal: Option<JournalWriter>,
    shown: SweepProgress,
    /// Reason why the journal cannot be written.
    journal_error: Mutex<Option<String>>,
    /// Time at which the sweep began to stop.
    stopping_since: OnceLock<Instant>,
    /// Flag that requests a progress update.
    wants_progress: Arc<AtomicBool>,
}

/// Interval between two progress updates.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Time that threads have to finish their current step after the sweep has been stopped.
const STOP_GRACE: Duration = Duration::from_millis(250);

impl SweepObserver for CliObserver {
    fn on_start(&self, wake: Box<dyn Fn() -> bool + Send>) {
        let looks = Arc::clone(&self.wants_progress);
        // Without this thread the sweep reports progress when tasks end.
        let _ = std::thread::Builder::new().spawn(move || {
            loop {
                std::thread::sleep(PROGRESS_INTERVAL);
                looks.store(true, Ordering::Relaxed);
                if !wake() {
                    return;
                }
            }
        });
    }

    fn lookup(&self, task: Task) -> Option<Tally> {
        self.journal.as_ref()?.with_results(|known: &TaskResults| known.get(self.id, task).cloned())
    }

    fn store(&self, task: Task, tally: &Tally) {
        let Some(journal) = &self.journal else { return };
        if let Err(why) = journal.add(&TaskRecord { sweep: self.id, task, tally: tally.clone() }) {
            self.journal_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
        }
    }

    fn is_cancelled(&self) -> bool {
        let failed = || self.journal_error.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        interrupt::is_stop_requested() || is_closed() || failed()
    }

    fn is_aborting(&self) -> bool {
        self.stopping_since.get_or_init(Instant::now).elapsed() > STOP_GRACE
    }

    fn wants_progress(&self) -> bool {
        self.wants_progress.swap(false, Ordering::Relaxed)
    }

    fn progress(&self, progress: Progress, steps: u64) {
        self.shown.show(progress, steps);
    }
}

/// Returns the number of requested threads; one per processor by default.
pub(crate) fn thread_count(effort: &ExecutionArgs) -> usize {
    effort.threads.map_or_else(processors, usize::from)
}

/// Returns the number of processors that this process may use.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Builds a pool of `threads` threads, or of as many as the system allows.
pub(crate) fn pool(mut threads: usize) -> Result<ThreadPool, CliError> {
    loop {
        match ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => return Ok(pool),
            Err(_) if threads > 1 => threads /= 2,
            Err(error) => {
                return Err(CliError::System(format!(
                    "cannot start a thread: {error}; allow this process more memory or threads (ulimit -v, ulimit -u)"
                )));
            }
        }
    }
}

/// Sets up the threads that the library uses to analyse `experiment`: one per processor, or as many
/// as fit into memory.
///
/// # Errors
/// Returns an error if the analysis, or one thread, does not fit into memory.
pub(crate) fn configure_global_pool(experiment: &Experiment) -> Result<(), CliError> {
    let threads = pool(analysis_threads(experiment)?)?.current_num_threads();
    // An error means that the threads are set up already.
    let _ = ThreadPoolBuilder::new().num_threads(threads).build_global();
    Ok(())
}
