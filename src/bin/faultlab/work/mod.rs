//! Long computations: sweeps on threads, with journals, signals and progress.

mod journal;
mod progress;
mod room;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use faultlab::experiment::journal::{Known, Record, SweepId};
use faultlab::experiment::{Company, Experiment, Progress, Sweep, Tally, Task, run_parallel};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::arguments::Effort;
use crate::interrupt::{self, Hearing};
use crate::output::{Failure, is_closed};
pub(crate) use journal::{Keeping, check_version, head_of, read};
pub(crate) use progress::{BAR, Shown, Waiting, duration, progress_bar};
use room::analysis_threads;
pub(crate) use room::{fitting, fitting_threads, free_memory, refuse_without_room, size};

/// Runs the sweep of `experiment` until it ends or is stopped; points that are still running are
/// then cancelled. `keeping` is the journal, which also supplies known results.
pub(crate) fn measured(
    experiment: &Experiment,
    effort: &Effort,
    name: &str,
    keeping: Option<&Keeping>,
) -> Result<Sweep, Failure> {
    swept(Sweep::new(experiment).in_turn(), effort, name, keeping)
}

/// Runs an existing sweep like [`measured`].
pub(crate) fn swept(sweep: Sweep, effort: &Effort, name: &str, keeping: Option<&Keeping>) -> Result<Sweep, Failure> {
    let threads = fitting_threads(sweep.experiment(), effort)?;
    let _hearing = Hearing::begin();
    let company = Arc::new(Along {
        id: SweepId::of(sweep.experiment()),
        keeping: keeping.cloned(),
        shown: Shown::new(effort.quiet, name),
        failed: Mutex::new(None),
        stopped: OnceLock::new(),
        looks: Arc::default(),
    });
    let mut sweep = run_parallel(sweep, threads, &company);
    company.shown.end();
    if let Some(why) = company.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(Failure::System(why));
    }
    if is_closed() {
        return Err(Failure::Closed);
    }
    sweep.cancel();
    Ok(sweep)
}

/// Observer of a sweep: journal, progress and cancellation.
struct Along {
    id: SweepId,
    keeping: Option<Keeping>,
    shown: Shown,
    /// Reason why the journal cannot be written.
    failed: Mutex<Option<String>>,
    /// Time at which the sweep began to stop.
    stopped: OnceLock<Instant>,
    /// Flag that requests a progress update.
    looks: Arc<AtomicBool>,
}

/// Interval between two progress updates.
const TICK: Duration = Duration::from_millis(100);

/// Time that threads have to finish their current step after the sweep has been stopped.
const GRACE: Duration = Duration::from_millis(250);

impl Company for Along {
    fn begins(&self, wake: Box<dyn Fn() -> bool + Send>) {
        let looks = Arc::clone(&self.looks);
        // Without this thread the sweep reports progress when tasks end.
        let _ = std::thread::Builder::new().spawn(move || {
            loop {
                std::thread::sleep(TICK);
                looks.store(true, Ordering::Relaxed);
                if !wake() {
                    return;
                }
            }
        });
    }

    fn known(&self, task: Task) -> Option<Tally> {
        self.keeping.as_ref()?.known(|known: &Known| known.get(self.id, task).cloned())
    }

    fn keep(&self, task: Task, tally: &Tally) {
        let Some(keeping) = &self.keeping else { return };
        if let Err(why) = keeping.add(&Record { sweep: self.id, task, tally: tally.clone() }) {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
        }
    }

    fn stops(&self) -> bool {
        let failed = || self.failed.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        interrupt::stopped() || is_closed() || failed()
    }

    fn gives_up(&self) -> bool {
        self.stopped.get_or_init(Instant::now).elapsed() > GRACE
    }

    fn looks(&self) -> bool {
        self.looks.swap(false, Ordering::Relaxed)
    }

    fn progress(&self, progress: Progress, steps: u64) {
        self.shown.tell(progress, steps);
    }
}

/// Returns the number of requested threads; one per processor by default.
pub(crate) fn thread_count(effort: &Effort) -> usize {
    effort.threads.map_or_else(processors, usize::from)
}

/// Returns the number of processors that this process may use.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Builds a pool of `threads` threads, or of as many as the system allows.
pub(crate) fn pool(mut threads: usize) -> Result<ThreadPool, Failure> {
    loop {
        match ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => return Ok(pool),
            Err(_) if threads > 1 => threads /= 2,
            Err(error) => {
                return Err(Failure::System(format!(
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
/// If the analysis, or one thread, does not fit into memory.
pub(crate) fn allow_threads(experiment: &Experiment) -> Result<(), Failure> {
    let threads = pool(analysis_threads(experiment)?)?.current_num_threads();
    // An error means that the threads are set up already.
    let _ = ThreadPoolBuilder::new().num_threads(threads).build_global();
    Ok(())
}
