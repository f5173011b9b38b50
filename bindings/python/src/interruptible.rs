//! Computations on other threads, while Python handles its signals.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use faultlab::api::native::{Error, Execution, Host, ProgressDisplay, build_pool, processors};
use faultlab::experiment::Progress;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use crate::errors;

/// Interval between two checks for signals of Python.
const POLL: Duration = Duration::from_millis(50);

/// Interval between two calls of the callback for progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Time that a cancelled computation has to return. A computation that cannot be cancelled is then
/// left to end by itself.
const GRACE: Duration = Duration::from_millis(400);

/// Maximum number of threads.
const MAX_THREADS: usize = 1024;

/// Python as the host of computations.
#[derive(Default)]
pub(crate) struct PyHost {
    is_cancelled: AtomicBool,
    progress: Arc<Mutex<Option<ShownProgress>>>,
    notes: Mutex<Vec<String>>,
}

/// Progress of the current computation.
#[derive(Clone, Default)]
struct ShownProgress {
    /// Name of the computation; empty if there is only one.
    name: String,
    /// Completed share, 0 to 1.
    share: f64,
    /// Numbers of finished points and of all points; 0 for searches.
    points: [usize; 2],
    /// Description.
    text: String,
}

impl Host for PyHost {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn begin(&self, name: &str) -> Box<dyn ProgressDisplay> {
        Box::new(PyDisplay { name: name.to_owned(), progress: self.progress.clone() })
    }

    fn note(&self, note: &str) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note.to_owned());
    }
}

/// Progress of one computation, which Python's thread reads.
struct PyDisplay {
    name: String,
    progress: Arc<Mutex<Option<ShownProgress>>>,
}

impl PyDisplay {
    fn show(&self, share: f64, points: [usize; 2], text: String) {
        let shown = ShownProgress { name: self.name.clone(), share, points, text };
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(shown);
    }
}

impl ProgressDisplay for PyDisplay {
    fn show_sweep(&self, progress: Progress, steps: u64) {
        let Progress { done, points, share } = progress;
        self.show(share, [done, points], format!("{done} of {points} points, {steps} steps"));
    }

    fn show_search(&self, share: f64, text: &str) {
        self.show(share, [0; 2], text.to_owned());
    }

    fn end(&self) {}
}

/// Result of a computation, and the exception that interrupted it.
pub(crate) struct Outcome<T> {
    /// Result, which is partial if there is an exception.
    pub(crate) value: T,
    /// Exception of a signal or of the callback.
    pub(crate) interrupt: Option<PyErr>,
}

impl<T> Outcome<T> {
    /// Returns the result.
    ///
    /// # Errors
    /// Returns the exception that interrupted the computation.
    pub(crate) fn complete(self) -> PyResult<T> {
        self.interrupt.map_or(Ok(self.value), Err)
    }
}

/// Runs `work` on another thread until it ends or an exception interrupts it. Python's lock is
/// released; this thread takes it to handle signals and to call `progress`.
///
/// # Errors
/// Returns the exception of an error of `work`, and the interrupt if `work` does not return soon.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Execution) -> Result<T, Error> + Send + 'static,
) -> PyResult<Outcome<T>> {
    if let Some(threads) = threads.filter(|threads| !(1..=MAX_THREADS).contains(threads)) {
        let accepted = format!("a whole number from 1 to {MAX_THREADS}");
        return Err(errors::bad_value(py, "threads", &threads.to_string(), &accepted));
    }
    let host = Arc::new(PyHost::default());
    let execution = Execution { host: host.clone(), threads };
    let (sender, mut receiver) = channel();
    let worker = thread::Builder::new().spawn(move || {
        // The receiver is gone if an interrupt did not wait for this result.
        let _ = sender.send(in_own_pool(&execution, work));
    });
    let worker = worker.map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?;
    let mut shown_at = Instant::now();
    let mut interrupt: Option<(PyErr, Instant)> = None;
    let value = loop {
        let received;
        (receiver, received) = py.detach(move || {
            let received = receiver.recv_timeout(POLL);
            (receiver, received)
        });
        match received {
            Ok(value) => break value,
            Err(RecvTimeoutError::Disconnected) => {
                let panic = worker.join().err().and_then(|panic| panic.downcast::<String>().ok());
                let reason = panic.map_or_else(|| "the computation panicked".to_owned(), |panic| *panic);
                return Err(PyRuntimeError::new_err(format!("error of Faultlab, please report it: {reason}")));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        match interrupt.take() {
            None => {
                let handled = py.check_signals().and_then(|()| show_progress(&host, progress, &mut shown_at));
                if let Err(error) = handled {
                    host.is_cancelled.store(true, Ordering::Relaxed);
                    interrupt = Some((error, Instant::now()));
                }
            }
            Some((error, since)) if since.elapsed() > GRACE => return Err(error),
            again => interrupt = again,
        }
    };
    let interrupt = interrupt.map(|(error, _)| error);
    warn(py, &host)?;
    match value {
        Ok(value) => Ok(Outcome { value, interrupt }),
        Err(error) => Err(interrupt.unwrap_or_else(|| errors::failure(py, error))),
    }
}

/// Runs `work` on a pool of threads of its own. The pool that all threads of a process share does
/// not exist in the child of a fork.
fn in_own_pool<T: Send>(
    execution: &Execution,
    work: impl FnOnce(&Execution) -> Result<T, Error> + Send,
) -> Result<T, Error> {
    build_pool(execution.threads.unwrap_or_else(processors))?.install(|| work(execution))
}

/// Calls the callback `progress` with `(name, share, done, points, text)`, at intervals.
fn show_progress(host: &PyHost, progress: Option<&Bound<'_, PyAny>>, shown_at: &mut Instant) -> PyResult<()> {
    let Some(progress) = progress.filter(|_| shown_at.elapsed() >= PROGRESS_INTERVAL) else { return Ok(()) };
    let shown = host.progress.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(ShownProgress { name, share, points: [done, points], text }) = shown else { return Ok(()) };
    *shown_at = Instant::now();
    progress.call1((name, share, done, points, text)).map(drop)
}

/// Shows the notes of the computation as warnings.
fn warn(py: Python<'_>, host: &PyHost) -> PyResult<()> {
    let notes = std::mem::take(&mut *host.notes.lock().unwrap_or_else(PoisonError::into_inner));
    for note in notes {
        py.import("warnings")?.call_method1("warn", (note,))?;
    }
    Ok(())
}
