//! Worker pool: the supervisor of all workers of the page.
//!
//! Sweeps share one worker for each processor. A single job has priority over sweeps: it gets a
//! separate worker at once, however long the queue is, and its end terminates that worker.
//!
//! If a worker for sweeps fails before it has completed a task, the environment may be the cause:
//! later workers must pass a health check, and after three consecutive failures the page itself
//! computes for a while. If the worker fails afterwards, its task may be the cause: the task is
//! retried alone on a worker, with a doubled timeout, and given up after five failures. A single
//! job is given up after four.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::Callback;

use super::checkpoint_store::{self as store, Entry, Request};
use super::job::{Job, JobKey, JobKind, JobQueue, RetryPolicy, SweepTask};
use super::slot::{Single, TIMEOUT, WorkerSlot};
use super::worker_handle::{WorkerEvent, WorkerHandle};
use crate::experiment::saturation::SaturationSearch;
use crate::experiment::{Experiment, Sampler, Tally};
use crate::web::dom;
use crate::worker::BUDGET;
use crate::worker::protocol::{FromWorker, PROTOCOL, ToWorker};

/// Interval between two checks of heartbeats while a worker is busy, in milliseconds.
const POLL_INTERVAL: u32 = 250;

/// Longest time that counts between two checks, in milliseconds. A hidden page may poll once a
/// minute, and a suspended page after hours: only time in which the page was active counts.
const MAX_ELAPSED: f64 = 300.0;

/// Number of consecutive failures after which the page computes without workers.
const MAX_FAILURES: u32 = 3;

/// Time after which workers are tried again, in milliseconds.
const BACK_OFF: f64 = 20_000.0;

/// Failures after which a single job is given up.
const MAX_SINGLE_FAILURES: u32 = 4;

/// Time after which idle workers are terminated, in milliseconds: each has a copy of the program.
const IDLE_TIMEOUT: u32 = 30_000;

/// Time slice in which the page itself computes, in milliseconds.
const TIME_SLICE: f64 = 8.0;

/// Shortest time from new results to the notification of clients, in milliseconds.
const NOTIFY_DELAY: u32 = 150;

/// Longest time from new results to the notification of clients, in milliseconds.
const MAX_NOTIFY_DELAY: u32 = 500;

/// Time from new results to their checkpoint, in milliseconds.
const SAVE_DELAY: u32 = 1000;

/// Size of a checkpoint that delays the next one by a millisecond: large ones wear the disk.
const BYTES_PER_MILLISECOND: usize = 200;

/// Time that the browser may take to load a checkpoint, in milliseconds. Workers start meanwhile.
const LOAD_TIMEOUT: u32 = 1000;

const SILENT: &str = "it stopped responding";
const LATE: &str = "it did not start in time";
const OTHER_VERSION: &str = "the page and its worker have different versions; reload the page";

thread_local! {
    static POOL: RefCell<WorkerPool> = RefCell::default();
}

/// Changes the pool, lets it react, and then calls the listeners, which may change it in turn.
fn with_pool<T>(change: impl FnOnce(&mut WorkerPool) -> T) -> T {
    let (result, calls) = POOL.with_borrow_mut(|pool| {
        let result = change(pool);
        pool.update();
        (result, mem::take(&mut pool.calls))
    });
    calls.into_iter().for_each(|call| call());
    result
}

/// Handle that the components of one page or figure share. All clients share the workers of the
/// pool; each client has its own jobs.
#[derive(Clone, PartialEq)]
pub(crate) struct JobClient {
    id: u64,
    /// Callback for new results of the client's jobs.
    on_change: Callback<()>,
    /// True if the pool saves checkpoints of the sweep that the client measures.
    saves_checkpoints: bool,
}

impl JobClient {
    /// Creates a client. The pool calls `on_change` a few times a second at most.
    pub(crate) fn new(on_change: Callback<()>, saves_checkpoints: bool) -> Self {
        with_pool(|pool| {
            let client = Self { id: pool.queue.new_id(), on_change, saves_checkpoints };
            pool.clients.push((client.clone(), false));
            client
        })
    }

    /// Cancels all jobs of the client, and removes it from the pool.
    pub(crate) fn close(&self) {
        let kinds: Vec<_> = self.with_jobs(|jobs| jobs.iter().map(|job| job.kind()).collect());
        for kind in kinds {
            self.cancel(kind);
            self.forget(kind);
        }
        with_pool(|pool| pool.clients.retain(|(client, _)| client != self));
    }

    /// Starts a job that runs the sweeps of `experiments`, in place of the job of this kind.
    pub(crate) fn start(&self, kind: JobKind, experiments: &[Experiment]) {
        let is_saved = self.saves_checkpoints && kind == JobKind::Measure && store::is_available();
        with_pool(|pool| {
            if kind == JobKind::Measure {
                pool.cancel((self.id, JobKind::Refine));
                pool.queue.remove((self.id, JobKind::Refine));
            }
            pool.start(Job::new((self.id, kind), experiments), is_saved);
        });
        self.on_change.emit(());
    }

    /// Starts the job [`JobKind::Refine`], which runs the sweeps of `search` and adds their points to
    /// the measured sweep.
    pub(crate) fn refine(&self, search: SaturationSearch) {
        with_pool(|pool| pool.start(Job::from_search((self.id, JobKind::Refine), search), false));
        self.on_change.emit(());
    }

    /// Cancels the job of this kind; its results so far stay.
    pub(crate) fn cancel(&self, kind: JobKind) {
        if with_pool(|pool| pool.cancel((self.id, kind))) {
            self.on_change.emit(());
        }
    }

    /// Pauses or resumes the job of this kind.
    pub(crate) fn pause(&self, kind: JobKind, is_paused: bool) {
        with_pool(|pool| {
            pool.queue.get((self.id, kind)).into_iter().for_each(|job| job.pause(is_paused));
            if !is_paused {
                pool.failures = 0;
            }
        });
        self.on_change.emit(());
    }

    /// Copies the results of the measurement so far to the job [`JobKind::Pinned`] of this number.
    pub(crate) fn keep(&self, number: u32) {
        if let Some(copy) = self.with_job(JobKind::Measure, |job| job.snapshot(JobKind::Pinned(number))) {
            with_pool(|pool| pool.queue.push(copy));
        }
    }

    /// Removes the job of this kind, which has ended, with its results.
    pub(crate) fn forget(&self, kind: JobKind) {
        with_pool(|pool| pool.queue.remove((self.id, kind)));
    }

    /// Calls `view` with the job of this kind, if there is one.
    pub(crate) fn with_job<T>(&self, kind: JobKind, view: impl FnOnce(&Job) -> T) -> Option<T> {
        self.with_jobs(|jobs| jobs.iter().find(|job| job.kind() == kind).map(|job| view(job)))
    }

    /// Calls `view` with all jobs of the client.
    pub(crate) fn with_jobs<T>(&self, view: impl FnOnce(&[&Job]) -> T) -> T {
        POOL.with_borrow(|pool| view(&pool.queue.jobs().filter(|job| job.key().0 == self.id).collect::<Vec<_>>()))
    }

    /// Returns the message for the user about the workers.
    pub(crate) fn notice(&self) -> Option<String> {
        POOL.with_borrow(|pool| pool.notice.clone())
    }
}

/// A running single job. Dropping it terminates its worker, even in the middle of a computation.
pub(crate) struct SingleJob {
    id: u64,
}

impl SingleJob {
    /// Starts a worker that runs `request` at once. `listener` gets the progress, the result, or
    /// the failure.
    ///
    /// # Errors
    /// The browser's reason why it spawns no worker.
    pub(crate) fn start(request: ToWorker, listener: impl Fn(FromWorker) + 'static) -> Result<Self, String> {
        let single = |id| Single { id, request, listener: Rc::new(listener) };
        with_pool(|pool| {
            let id = pool.queue.new_id();
            pool.spawn(Some(single(id)), 0).map(|()| Self { id })
        })
    }
}

impl Drop for SingleJob {
    fn drop(&mut self) {
        // The job is dropped outside the pool's borrow: values that its listener owns may use the
        // pool when they are dropped.
        drop(with_pool(|pool| pool.remove_single(self.id)));
    }
}

/// Timers of the pool; each is an index of [`WorkerPool::timers`].
#[derive(Clone, Copy)]
enum Timer {
    Poll,
    Idle,
    Slice,
    Notify,
    Save,
}

/// Task that the page itself runs.
struct LocalTask {
    task: SweepTask,
    sampler: Box<dyn Sampler>,
    tally: Tally,
}

/// Pool of workers, with the jobs of all clients of the page.
#[derive(Default)]
struct WorkerPool {
    /// Clients, each with a flag: true if the client has not been notified of its latest results.
    clients: Vec<(JobClient, bool)>,
    queue: JobQueue,
    slots: Vec<WorkerSlot>,
    /// Number of consecutive failures of workers for sweeps. Workers that were spawned together
    /// count once.
    failures: u32,
    /// Time since the workers were given up, in milliseconds.
    back_off: f64,
    /// Current timeout of a task of a sweep, in milliseconds.
    timeout: f64,
    last_poll: Option<f64>,
    /// True while the page itself computes.
    is_local: bool,
    /// Task that the page itself computes.
    local_task: Option<LocalTask>,
    /// True if results have arrived since the last checkpoint.
    is_unsaved: bool,
    /// Size of the last checkpoint.
    checkpoint_bytes: usize,
    load_timer: Option<Timeout>,
    timers: [Option<Timeout>; 5],
    /// Message for the user about the workers.
    notice: Option<String>,
    /// Calls of listeners that are made when the pool is no longer borrowed.
    calls: Vec<Box<dyn FnOnce()>>,
}

/// Workers of the pool.
impl WorkerPool {
    /// Returns the workers for sweeps.
    fn sweep_slots(&self) -> impl Iterator<Item = &WorkerSlot> {
        self.slots.iter().filter(|slot| slot.single().is_none())
    }

    fn has_given_up(&self) -> bool {
        self.failures >= MAX_FAILURES
    }

    /// Spawns a worker, for a single job or for sweeps.
    fn spawn(&mut self, single: Option<Single>, failures: u32) -> Result<(), String> {
        let id = self.queue.new_id();
        let handle = WorkerHandle::spawn(move |event| with_pool(|pool| pool.on_event(id, event)))?;
        self.slots.push(WorkerSlot::new(id, handle, single, failures));
        Ok(())
    }

    fn on_event(&mut self, id: u64, event: WorkerEvent) {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.id() == id) else { return };
        slot.on_message();
        let message = match event {
            WorkerEvent::Message(message) => message,
            WorkerEvent::Crashed(problem) => return self.lose_worker(id, &problem),
        };
        match (message, slot.single().cloned()) {
            (FromWorker::Heartbeat, _) => {}
            (FromWorker::Ready { protocol }, single) if protocol == PROTOCOL => {
                slot.start();
                if single.is_none() && slot.is_ready() {
                    self.stop_local();
                }
            }
            (FromWorker::Ready { .. }, Some(single)) => self.report_failure(single, OTHER_VERSION.into()),
            (FromWorker::Ready { .. }, None) => self.give_up_workers(OTHER_VERSION),
            (message, Some(single)) => self.report(single, message),
            (FromWorker::Done { id: task, tally }, None) => self.on_done(id, task, &tally),
            (FromWorker::Failed { problem, .. }, None) => self.lose_worker(id, &problem),
            // Only workers of single jobs send the other messages.
            (_, None) => {}
        }
    }

    /// Passes a message on to the listener of a single job. The last message ends the job.
    fn report(&mut self, single: Single, message: FromWorker) {
        let is_progress = match &message {
            FromWorker::Searched { .. } => true,
            FromWorker::Refuted { share, .. } => *share < 1.0,
            _ => false,
        };
        if !is_progress {
            self.remove_single(single.id);
        }
        self.calls.push(Box::new(move || (single.listener)(message)));
    }

    fn report_failure(&mut self, single: Single, problem: String) {
        self.report(single, FromWorker::Failed { id: None, problem });
    }

    /// Removes the worker of a single job, and terminates it once the result is dropped.
    fn remove_single(&mut self, id: u64) -> Option<WorkerSlot> {
        let index = self.slots.iter().position(|slot| slot.single().is_some_and(|single| single.id == id))?;
        Some(self.slots.swap_remove(index))
    }

    /// Handles the result of a task of a sweep, or of the health check.
    fn on_done(&mut self, id: u64, task: u64, tally: &Tally) {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.id() == id) else { return };
        let is_first = !slot.is_proven();
        let completed = slot.complete(task);
        if is_first {
            self.failures = 0;
            self.stop_local();
        }
        // The result of a task that was cancelled is dropped.
        if let Some((task, silence)) = completed {
            if task.failures > 0 {
                // Raise the timeout, because the next task may take as long.
                self.timeout = self.timeout.max(1.5 * silence);
            }
            self.finish(&task, tally);
        }
    }

    /// Removes a worker that is lost, and has its tasks or its single job retried.
    fn lose_worker(&mut self, id: u64, problem: &str) {
        let Some(index) = self.slots.iter().position(|slot| slot.id() == id) else { return };
        let slot = self.slots.swap_remove(index);
        if let Some(single) = slot.single().cloned() {
            let failures = slot.failures() + 1;
            let retried = match failures < MAX_SINGLE_FAILURES {
                true => self.spawn(Some(single.clone()), failures),
                false => Err(format!("the worker stopped {failures} times ({problem}); reload the page to try again")),
            };
            return retried.unwrap_or_else(|problem| self.report_failure(single, problem));
        }
        let point = slot.tasks().first().and_then(|task| Some(self.queue.get(task.job)?.point_name(task)));
        let at = point.map_or_else(String::new, |point| format!(" at {point}"));
        self.set_notice(Some(format!("A worker stopped{at} ({problem}) and was replaced; no work is lost.")));
        if !slot.is_proven() && slot.failures() == self.failures {
            self.failures += 1;
        }
        for task in slot.tasks() {
            self.queue.get(task.job).into_iter().for_each(|job| job.retry(*task, problem));
        }
        if !self.sweep_slots().any(WorkerSlot::is_ready) {
            self.is_local |= !slot.is_up() && self.queue.has_work();
            if self.has_given_up() {
                self.give_up_workers(problem);
            }
        }
    }

    /// Terminates the workers for sweeps, and has the page itself compute for a while.
    fn give_up_workers(&mut self, problem: &str) {
        (self.failures, self.back_off, self.is_local) = (MAX_FAILURES, 0.0, true);
        for slot in self.slots.extract_if(.., |slot| slot.single().is_none()) {
            self.queue.give_back(slot.tasks().iter().copied());
        }
        self.set_notice(Some(format!(
            "The page computes without workers, more slowly ({problem}). It tries workers again from time to time, and with every run."
        )));
    }

    /// Checks the heartbeats of all workers.
    fn poll(&mut self) {
        let now = dom::now();
        let elapsed = self.last_poll.replace(now).map_or(0.0, |last| (now - last).min(MAX_ELAPSED));
        if self.has_given_up() {
            self.back_off += elapsed;
            if self.back_off >= BACK_OFF {
                self.failures = MAX_FAILURES - 1;
            }
        }
        let mut expired = Vec::new();
        for slot in &mut self.slots {
            if slot.is_expired(elapsed, self.timeout) {
                expired.push((slot.id(), if slot.is_up() { SILENT } else { LATE }));
            }
        }
        // On a slow network the program loads late, and the page computes meanwhile.
        let is_late = self.sweep_slots().next().is_some() && self.sweep_slots().all(WorkerSlot::is_late);
        self.is_local |= is_late && self.queue.has_work();
        for (id, problem) in expired {
            self.lose_worker(id, problem);
        }
    }
}

/// Sweeps of the pool.
impl WorkerPool {
    /// Starts a job, in place of the one with its key.
    fn start(&mut self, mut job: Job, is_saved: bool) {
        self.cancel(job.key());
        // Workers are tried again after every kind of failure.
        (self.failures, self.timeout, self.notice) = (0, TIMEOUT, None);
        if is_saved {
            job.enable_checkpoints();
            let (key, late) = (job.cache_key(), job.cache_key());
            self.load_timer = Some(dom::set_timeout(LOAD_TIMEOUT, move || with_pool(|pool| pool.resume(&late, None))));
            store::send(Request::Load(key.clone()), move |entry| with_pool(|pool| pool.resume(&key, entry)));
        }
        self.queue.push(job);
    }

    /// Cancels a job. Returns whether it was running.
    fn cancel(&mut self, key: JobKey) -> bool {
        let Some(job) = self.queue.get(key).filter(|job| job.ended().is_none()) else { return false };
        if job.has_checkpoint() {
            self.save();
        }
        self.queue.get(key).into_iter().for_each(Job::cancel);
        self.local_task.take_if(|local| local.task.job == key);
        for slot in self.slots.iter_mut().filter(|slot| slot.single().is_none()) {
            self.queue.give_back(slot.cancel());
        }
        true
    }

    /// Spawns missing workers, dispatches tasks and sets the timers, after every change.
    fn update(&mut self) {
        while !self.has_given_up() && self.queue.has_work() && self.sweep_slots().count() < dom::threads() {
            if let Err(problem) = self.spawn(None, self.failures) {
                self.give_up_workers(&problem);
            }
        }
        for slot in &mut self.slots {
            while let Some((task, job)) = slot.policy().and_then(|policy| self.queue.next(policy)) {
                slot.assign(task, job);
            }
        }
        let is_watched = self.slots.iter().any(WorkerSlot::is_busy) || self.has_given_up() && self.queue.has_work();
        let is_idle = self.sweep_slots().next().is_some() && !self.sweep_slots().any(WorkerSlot::is_busy);
        let is_local = self.take_local_task();
        let is_dirty = self.clients.iter().any(|client| client.1);
        let is_saved = self.queue.jobs().any(Job::is_saved);
        self.is_unsaved &= is_saved;
        let save_delay = SAVE_DELAY + (self.checkpoint_bytes / BYTES_PER_MILLISECOND) as u32;
        self.last_poll = is_watched.then(|| self.last_poll.unwrap_or_else(dom::now));
        self.set_timer(Timer::Poll, is_watched, POLL_INTERVAL, Self::poll);
        self.set_timer(Timer::Idle, is_idle, IDLE_TIMEOUT, |pool| pool.slots.retain(|slot| slot.single().is_some()));
        self.set_timer(Timer::Slice, is_local, 0, Self::run_slice);
        self.set_timer(Timer::Notify, is_dirty, self.notify_delay(), Self::notify);
        self.set_timer(Timer::Save, self.is_unsaved, save_delay, Self::save);
    }

    /// Starts a timer that calls `act` after `wait` milliseconds, unless it is running. Stops the
    /// timer if it is not wanted.
    fn set_timer(&mut self, timer: Timer, is_wanted: bool, wait: u32, act: fn(&mut Self)) {
        let timeout = &mut self.timers[timer as usize];
        if !is_wanted {
            *timeout = None;
        } else if timeout.is_none() {
            let expire = move |pool: &mut Self| {
                pool.timers[timer as usize] = None;
                act(pool);
            };
            *timeout = Some(dom::set_timeout(wait, move || with_pool(expire)));
        }
    }

    /// Adds the result of a task to its sweep.
    fn finish(&mut self, task: &SweepTask, tally: &Tally) {
        let refined = self.queue.get(task.job).and_then(|job| job.finish(task, tally));
        if let (Some(more), Some(measured)) = (refined, self.queue.get((task.job.0, JobKind::Measure))) {
            measured.refine(&more);
        }
        self.is_unsaved = true;
        self.mark_dirty(|client| client.id == task.job.0);
        if self.queue.get(task.job).is_some_and(|job| job.ended().is_some()) {
            self.notify();
        }
    }

    /// Takes a task for the page itself, if the page computes and has none. Returns whether the
    /// page has a task. A retry is taken only after the pool has given up the workers.
    fn take_local_task(&mut self) -> bool {
        if self.is_local && self.local_task.is_none() {
            let policy = if self.has_given_up() { RetryPolicy::NewFirst } else { RetryPolicy::NewOnly };
            let next = self.queue.next(policy);
            self.local_task = next.and_then(|(task, job)| {
                let sampler = job.sampler(&task)?;
                Some(LocalTask { task, sampler, tally: Tally::default() })
            });
        }
        self.is_local && self.local_task.is_some()
    }

    /// Computes in the page itself for one time slice.
    fn run_slice(&mut self) {
        let end = dom::now() + TIME_SLICE;
        while dom::now() < end && self.take_local_task() {
            let is_done =
                |local: &mut LocalTask| local.sampler.advance(local.task.task, &mut local.tally, &mut { BUDGET });
            if let Some(LocalTask { task, tally, .. }) = self.local_task.take_if(is_done) {
                self.finish(&task, &tally);
            }
        }
    }

    /// Lets workers compute again instead of the page itself.
    fn stop_local(&mut self) {
        if mem::take(&mut self.is_local) {
            let local = self.local_task.take();
            self.queue.give_back(local.map(|local| local.task));
            self.set_notice(None);
        }
    }

    /// Resumes the job that waits for the checkpoint with this cache key.
    fn resume(&mut self, key: &str, entry: Option<Entry>) {
        let is_it = |job: &&mut Job| job.is_loading() && job.cache_key() == key;
        let key = self.queue.jobs_mut().find(is_it).map(|job| {
            job.resume(entry);
            job.key()
        });
        self.mark_dirty(|client| key.is_some_and(|key| key.0 == client.id));
    }

    /// Saves a checkpoint of the job that has checkpoints.
    fn save(&mut self) {
        self.is_unsaved = false;
        let local = self.local_task.iter().map(|local| &local.task);
        let held: Vec<_> = self.slots.iter().flat_map(WorkerSlot::tasks).chain(local).copied().collect();
        if let Some(job) = self.queue.jobs_mut().find(|job| job.is_saved()) {
            self.checkpoint_bytes = job.save(&held);
        }
    }

    /// Sets the message for the user about the workers, which all clients show.
    fn set_notice(&mut self, notice: Option<String>) {
        self.notice = notice;
        self.mark_dirty(|_| true);
    }

    fn mark_dirty(&mut self, is_dirty: impl Fn(&JobClient) -> bool) {
        self.clients.iter_mut().for_each(|(client, dirty)| *dirty |= is_dirty(client));
    }

    /// Returns the time from new results to the notification of clients, in milliseconds. It grows
    /// while a job runs, because the later results change a chart less, and drawing it takes time
    /// from the workers.
    fn notify_delay(&self) -> u32 {
        let running = self.queue.jobs().filter(|job| job.ended().is_none()).map(Job::seconds);
        (running.fold(0.0, f64::max) * 100.0).clamp(NOTIFY_DELAY.into(), MAX_NOTIFY_DELAY.into()) as u32
    }

    /// Notifies the clients that have new results.
    fn notify(&mut self) {
        for (client, is_dirty) in &mut self.clients {
            if mem::take(is_dirty) {
                let on_change = client.on_change.clone();
                self.calls.push(Box::new(move || on_change.emit(())));
            }
        }
    }
}
