//! Execution of sweeps on threads, with journals, progress and cancellation.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::memory::{ThreadLimit, thread_limit};
use super::{Error, JournalWriter};
use crate::experiment::journal::{SweepId, TaskRecord};
use crate::experiment::{Experiment, Memory, Progress, Sweep, SweepObserver, Tally, Task, run_parallel};

/// Program that runs computations: it cancels them and shows their progress.
pub trait Host: Send + Sync + 'static {
    /// Returns whether to stop. Called many times a second, by any thread.
    fn is_cancelled(&self) -> bool;
    /// Begins to show the progress of the computation called `name`, until the display is dropped.
    fn begin(&self, name: &str) -> Box<dyn ProgressDisplay>;
    /// Shows a note to the user, in one sentence.
    fn note(&self, note: &str);
}

/// Display of the progress of one computation.
pub trait ProgressDisplay: Send + Sync {
    /// Shows the progress of a sweep, and the number of steps made.
    fn show_sweep(&self, progress: Progress, steps: u64);
    /// Shows the progress of a search: the completed share, 0 to 1, and its description.
    fn show_search(&self, share: f64, text: &str);
    /// Removes the display.
    fn end(&self);
}

/// Options of the execution of a computation. They never change results.
#[derive(Clone)]
pub struct Execution {
    /// Program that runs the computation.
    pub host: Arc<dyn Host>,
    /// Number of threads; `None` for one per processor.
    pub threads: Option<usize>,
}

impl Execution {
    /// Returns the number of threads that work on `experiment` if each takes `memory`: as many as
    /// requested, or as many as fit into the free memory.
    ///
    /// # Errors
    /// Returns an error if one thread needs more memory than is free.
    pub fn threads_within(&self, memory: Memory, experiment: &Experiment) -> Result<usize, Error> {
        let ThreadLimit { threads, note } = thread_limit(memory, experiment, self.thread_count())?;
        if let Some(note) = note {
            self.host.note(&note);
        }
        Ok(threads)
    }

    /// Builds the pool of the threads of [`Execution::threads_within`].
    ///
    /// # Errors
    /// Returns an error if one thread needs more memory than is free, or cannot be started.
    pub fn pool(&self, memory: Memory, experiment: &Experiment) -> Result<ThreadPool, Error> {
        build_pool(self.threads_within(memory, experiment)?)
    }

    fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(processors)
    }
}

/// Returns the number of processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Builds a pool of `threads` threads, or of as many as the system allows.
///
/// # Errors
/// Returns an error if no thread can be started.
pub fn build_pool(mut threads: usize) -> Result<ThreadPool, Error> {
    loop {
        match ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => return Ok(pool),
            Err(_) if threads > 1 => threads /= 2,
            Err(error) => {
                return Err(Error::System(format!(
                    "cannot start a thread: {error}; allow this process more memory or threads (ulimit -v, ulimit -u)"
                )));
            }
        }
    }
}

/// Runs the sweep of `experiment` like [`run_sweep`].
///
/// # Errors
/// Returns the errors of [`run_sweep`].
pub fn measure(
    experiment: &Experiment,
    execution: &Execution,
    name: &str,
    journal: Option<&JournalWriter>,
) -> Result<Sweep, Error> {
    run_sweep(Sweep::new(experiment).in_turn(), execution, name, journal)
}

/// Runs a sweep until it ends or is cancelled; points that are still running are then cancelled.
/// `journal` also supplies known results.
///
/// # Errors
/// Returns an error if the sweep does not fit into memory, or if the journal cannot be written.
pub fn run_sweep(
    sweep: Sweep,
    execution: &Execution,
    name: &str,
    journal: Option<&JournalWriter>,
) -> Result<Sweep, Error> {
    let threads = execution.threads_within(sweep.experiment().memory(), sweep.experiment())?;
    let observer = Arc::new(Observer {
        id: SweepId::from_experiment(sweep.experiment()),
        journal: journal.cloned(),
        host: execution.host.clone(),
        display: execution.host.begin(name),
        journal_error: Mutex::new(None),
        stopping_since: OnceLock::new(),
        wants_progress: Arc::default(),
    });
    let mut sweep = run_parallel(sweep, threads, &observer);
    observer.display.end();
    if let Some(why) = observer.journal_error.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(Error::System(why));
    }
    sweep.cancel();
    Ok(sweep)
}

/// Observer of a sweep: journal, progress and cancellation.
struct Observer {
    id: SweepId,
    journal: Option<JournalWriter>,
    host: Arc<dyn Host>,
    display: Box<dyn ProgressDisplay>,
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

impl SweepObserver for Observer {
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
        self.journal.as_ref()?.with_results(|known| known.get(self.id, task).cloned())
    }

    fn store(&self, task: Task, tally: &Tally) {
        let Some(journal) = &self.journal else { return };
        if let Err(why) = journal.add(&TaskRecord { sweep: self.id, task, tally: tally.clone() }) {
            self.journal_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
        }
    }

    fn is_cancelled(&self) -> bool {
        let failed = || self.journal_error.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        self.host.is_cancelled() || failed()
    }

    fn is_aborting(&self) -> bool {
        self.stopping_since.get_or_init(Instant::now).elapsed() > STOP_GRACE
    }

    fn wants_progress(&self) -> bool {
        self.wants_progress.swap(false, Ordering::Relaxed)
    }

    fn progress(&self, progress: Progress, steps: u64) {
        self.display.show_sweep(progress, steps);
    }
}
