//! Worker slot: a worker of the pool, with its heartbeat, and its single job or tasks of sweeps.

use std::rc::Rc;

use super::job::{Job, RetryPolicy, SweepTask};
use super::worker_handle::WorkerHandle;
use crate::experiment::Task;
use crate::worker::protocol::{FromWorker, ToWorker};

/// Timeout of a busy worker, in milliseconds. It sends five heartbeats a second (`worker/mod.rs`),
/// but none during a step: up to 0.11 s natively in networks of up to 65,536 nodes, 3 s in the
/// largest ones. Each loss of a worker with the same task doubles the timeout.
pub(super) const TIMEOUT: f64 = 1250.0;

/// Timeout of a worker that is not up yet, in milliseconds; losses double it too. The worker sends
/// heartbeats while it fetches its program (`boot/worker.js`); after this time the page computes
/// too.
const STARTUP_TIMEOUT: f64 = 2000.0;

/// Factor of the timeout of single jobs with long steps: an item of Papers takes up to a second,
/// and so does a run that shows a flaw.
const LONG_STEP: f64 = 8.0;

/// Number of tasks that a worker for sweeps has, so that it need not wait for the next task.
const PREFETCH: usize = 2;

/// Number of the health check, which is no task of a sweep.
const HEALTH_CHECK_ID: u64 = 0;

/// Single job, with the listener for its progress, its result, or its failure.
#[derive(Clone)]
pub(super) struct Single {
    pub(super) id: u64,
    pub(super) request: ToWorker,
    pub(super) listener: Rc<dyn Fn(FromWorker)>,
}

/// A worker of the pool.
pub(super) struct WorkerSlot {
    id: u64,
    handle: WorkerHandle,
    /// The only job of the worker; workers for sweeps have none.
    single: Option<Single>,
    /// Number of consecutive failures when the worker was spawned: of the single job, or of workers
    /// for sweeps.
    failures: u32,
    is_up: bool,
    /// True once the worker has completed a task. Until then a worker for sweeps that was spawned
    /// after failures gets only the health check.
    is_proven: bool,
    tasks: Vec<SweepTask>,
    /// Time that the worker took to start, in milliseconds.
    startup: f64,
    /// Time since the last message, in milliseconds.
    silence: f64,
    /// Longest time without a message during the last tasks, in milliseconds.
    longest_silence: f64,
}

impl WorkerSlot {
    pub(super) fn new(id: u64, handle: WorkerHandle, single: Option<Single>, failures: u32) -> Self {
        let (startup, silence, longest_silence) = (0.0, 0.0, 0.0);
        let (is_up, is_proven, tasks) = (false, false, Vec::new());
        Self { id, handle, single, failures, is_up, is_proven, tasks, startup, silence, longest_silence }
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn single(&self) -> Option<&Single> {
        self.single.as_ref()
    }

    /// Returns the number of consecutive failures when the worker was spawned.
    pub(super) fn failures(&self) -> u32 {
        self.failures
    }

    pub(super) fn is_up(&self) -> bool {
        self.is_up
    }

    pub(super) fn is_proven(&self) -> bool {
        self.is_proven
    }

    /// Returns the tasks of the worker, which runs them one after the other.
    pub(super) fn tasks(&self) -> &[SweepTask] {
        &self.tasks
    }

    /// Returns whether the worker may get tasks.
    pub(super) fn is_ready(&self) -> bool {
        self.is_up && (self.is_proven || self.failures == 0)
    }

    /// Returns whether the pool expects messages from the worker.
    pub(super) fn is_busy(&self) -> bool {
        !self.is_ready() || !self.tasks.is_empty() || self.single.is_some()
    }

    /// Returns whether the worker takes so long to start that the page computes meanwhile.
    pub(super) fn is_late(&self) -> bool {
        !self.is_up && self.startup >= STARTUP_TIMEOUT
    }

    /// Records that the worker is up, and sends it its single job or the health check.
    pub(super) fn start(&mut self) {
        self.is_up = true;
        if let Some(single) = &self.single {
            self.handle.post(&single.request);
        } else if self.failures > 0 {
            let task = Task { slot: 0, first: 0, count: 1 };
            self.handle.post(&ToWorker::Run { id: HEALTH_CHECK_ID, text: "v=1".into(), task });
        }
    }

    /// Returns the policy by which the worker takes its next task; `None` if it takes none now. A
    /// worker that retries a task gets no other task.
    pub(super) fn policy(&self) -> Option<RetryPolicy> {
        let is_full = self.tasks.len() >= PREFETCH || self.tasks.iter().any(|task| task.failures > 0);
        match (self.tasks.is_empty(), self.is_proven) {
            _ if self.single.is_some() || is_full || !self.is_ready() => None,
            (true, true) => Some(RetryPolicy::RetriesFirst),
            (true, false) => Some(RetryPolicy::NewFirst),
            (false, _) => Some(RetryPolicy::NewOnly),
        }
    }

    /// Gives the worker a task of `job`.
    pub(super) fn assign(&mut self, task: SweepTask, job: &Job) {
        if self.tasks.is_empty() {
            (self.silence, self.longest_silence) = (0.0, 0.0);
        }
        self.handle.post(&job.request(&task));
        self.tasks.push(task);
    }

    /// Records that the worker has completed the task with the number `id`. Returns the task,
    /// unless it was cancelled, with the longest silence of the worker meanwhile.
    pub(super) fn complete(&mut self, id: u64) -> Option<(SweepTask, f64)> {
        self.is_proven = true;
        let index = self.tasks.iter().position(|task| task.id == id)?;
        Some((self.tasks.remove(index), self.longest_silence))
    }

    /// Cancels the tasks of the worker and returns them.
    pub(super) fn cancel(&mut self) -> Vec<SweepTask> {
        self.handle.post(&ToWorker::Cancel);
        std::mem::take(&mut self.tasks)
    }

    /// Records that the worker has sent a message: a heartbeat or another one.
    pub(super) fn on_message(&mut self) {
        self.silence = 0.0;
    }

    /// Adds `elapsed` milliseconds without a message. Returns whether the worker has timed out,
    /// where `usual` is the timeout of a task of a sweep.
    pub(super) fn is_expired(&mut self, elapsed: f64, usual: f64) -> bool {
        if !self.is_up {
            self.startup += elapsed;
        }
        self.silence += elapsed;
        self.longest_silence = self.longest_silence.max(self.silence);
        let (timeout, failures) = match (&self.single, self.tasks.iter().map(|task| task.failures).max()) {
            _ if !self.is_up => (STARTUP_TIMEOUT, self.failures),
            // A check is a single step, which may take minutes.
            (Some(Single { request: ToWorker::Check(_), .. }), _) => return false,
            (Some(Single { request: ToWorker::Worst { .. }, .. }), _) => (TIMEOUT, self.failures),
            (Some(_), _) => (TIMEOUT * LONG_STEP, self.failures),
            (None, _) if !self.is_ready() => (usual, self.failures),
            (None, Some(failures)) => (usual, failures),
            (None, None) => return false,
        };
        self.silence >= timeout * f64::from(1u32 << failures.min(8))
    }
}
