//! Jobs: sweeps that are computed together, with their tasks, progress and checkpoints.

use std::collections::VecDeque;

use super::checkpoint_store::{self as store, Entry, Request};
use crate::experiment::saturation::SaturationSearch;
use crate::experiment::{Experiment, Sampler, Status, Sweep, Tally, Task};
use crate::report::wording::numbers::plain;
use crate::web::dom;
use crate::worker::protocol::ToWorker;

/// Message about a checkpoint that cannot be read.
const DAMAGED: &str = "The saved state of an earlier run was damaged and has been deleted. The sweep starts again.";

/// Number of workers that may be lost with a task before its point is given up. The timeout of the
/// task has grown to 20 s by then.
const MAX_FAILURES: u32 = 5;

/// Kind of a job; a client runs one job of each kind at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// Sweep of the experiment that is shown.
    Measure,
    /// Further points of the sweep of [`JobKind::Measure`] where its algorithms saturate.
    Refine,
    /// Published table, by the number of its item.
    Paper(usize),
    /// Sweep whose curves are kept, by its number.
    Pinned(u32),
}

/// Key of a job: the number of its client, and its kind.
pub(super) type JobKey = (u64, JobKind);

/// Task of a sweep as a worker gets it.
#[derive(Clone, Copy)]
pub(super) struct SweepTask {
    /// Number of the task; a new number each time that the task is dispatched.
    pub(super) id: u64,
    pub(super) job: JobKey,
    /// Index of the sweep in its job.
    pub(super) sweep: usize,
    pub(super) task: Task,
    /// Number of workers that were lost with the task.
    pub(super) failures: u32,
}

/// Choice between new tasks and retries of failed tasks.
#[derive(Clone, Copy)]
pub(super) enum RetryPolicy {
    NewOnly,
    NewFirst,
    RetriesFirst,
}

/// State of the checkpoints of a job.
#[derive(Clone, Default)]
struct Checkpoint {
    /// True if the pool saves the job while it runs.
    is_enabled: bool,
    /// True while the last checkpoint is being loaded; the job dispatches no task meanwhile.
    is_loading: bool,
    /// Name of the checkpoint in the store, if there is one.
    name: Option<String>,
    /// Message about the checkpoint that was loaded.
    message: Option<String>,
    /// Share of the work that the loaded checkpoint contains.
    share: f64,
}

/// Group of one or more sweeps that belong together.
#[derive(Clone)]
pub(crate) struct Job {
    key: JobKey,
    sweeps: Vec<Sweep>,
    /// Experiments of the sweeps, as workers read them.
    texts: Vec<String>,
    /// Search that adds sweeps to the job, one after the other.
    search: Option<SaturationSearch>,
    /// Tasks to retry, because workers were lost with them.
    retries: Vec<SweepTask>,
    is_paused: bool,
    problem: Option<String>,
    started: f64,
    ended: Option<f64>,
    checkpoint: Checkpoint,
    pace: Pace,
}

/// Minimum time between two samples of the progress, in milliseconds.
const SAMPLE_INTERVAL: f64 = 500.0;
/// Number of samples from which the speed is estimated: those of about five seconds.
const SAMPLES: usize = 10;

/// Recent samples of the progress: times in milliseconds, with the shares of the work done by then.
#[derive(Clone, Default)]
struct Pace(VecDeque<(f64, f64)>);

impl Pace {
    /// Returns whether a sample is due.
    fn is_due(&self, now: f64) -> bool {
        self.0.back().is_none_or(|last| now - last.0 >= SAMPLE_INTERVAL)
    }

    fn record(&mut self, now: f64, share: f64) {
        if self.0.len() == SAMPLES {
            self.0.pop_front();
        }
        self.0.push_back((now, share));
    }

    /// Returns the remaining time at the speed since the first sample, in seconds; `None` before there
    /// is a speed.
    fn seconds_left(&self, now: f64, share: f64) -> Option<f64> {
        let &(first, before) = self.0.front().filter(|_| self.0.len() > 1)?;
        (share > before).then(|| (now - first) / 1000.0 * (1.0 - share) / (share - before))
    }
}

/// Progress of a job.
impl Job {
    pub(super) fn key(&self) -> JobKey {
        self.key
    }

    pub(crate) fn kind(&self) -> JobKind {
        self.key.1
    }

    pub(crate) fn sweeps(&self) -> &[Sweep] {
        &self.sweeps
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Returns the time at which the job ended, in milliseconds since the page was opened.
    pub(crate) fn ended(&self) -> Option<f64> {
        self.ended
    }

    /// Returns messages about points that failed, and about the checkpoint that was loaded; a
    /// complete job needs no message about its checkpoint.
    pub(crate) fn messages(&self) -> [Option<String>; 2] {
        let is_complete = self.ended.is_some() && !self.is_cancelled();
        [self.problem.clone(), self.checkpoint.message.clone().filter(|_| !is_complete || !self.is_resumed())]
    }

    /// Returns whether a checkpoint contributed a part of the results.
    pub(crate) fn is_resumed(&self) -> bool {
        self.checkpoint.share > 0.0
    }

    /// Returns the share of the work that is done.
    pub(crate) fn share(&self) -> f64 {
        self.sweeps.iter().map(|sweep| sweep.progress().share).sum::<f64>() / self.sweeps.len().max(1) as f64
    }

    /// Returns whether the job was cancelled before its end.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.sweeps.iter().flat_map(Sweep::points).any(|point| point.status == Status::Cancelled)
    }

    /// Returns whether a new job of the same experiment would resume the results of this job.
    pub(crate) fn is_resumable(&self) -> bool {
        self.checkpoint.name.is_some() && self.ended.is_some() && self.is_cancelled()
    }

    /// Returns an estimate of the remaining time from the speed of the last seconds, in seconds.
    pub(crate) fn seconds_left(&self) -> Option<f64> {
        self.pace.seconds_left(dom::now(), self.share())
    }

    /// Returns the time since the start of the job, until its end, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        (self.ended.unwrap_or_else(dom::now) - self.started) / 1000.0
    }
}

/// Tasks of a job.
impl Job {
    /// Creates the job of `experiments`.
    pub(super) fn new(key: JobKey, experiments: &[Experiment]) -> Self {
        Self {
            key,
            sweeps: experiments.iter().map(Sweep::new).collect(),
            texts: experiments.iter().map(Experiment::to_string).collect(),
            search: None,
            retries: Vec::new(),
            is_paused: false,
            problem: None,
            started: dom::now(),
            ended: None,
            checkpoint: Checkpoint::default(),
            pace: Pace::default(),
        }
    }

    /// Creates the job that runs the sweeps of a search.
    pub(super) fn from_search(key: JobKey, search: SaturationSearch) -> Self {
        let mut job = Self { search: Some(search), ..Self::new(key, &[]) };
        job.end_if_done();
        job
    }

    /// Returns a copy of the results so far, as a cancelled job of another kind.
    pub(super) fn snapshot(&self, kind: JobKind) -> Self {
        let mut copy = Self { key: (self.key.0, kind), ..self.clone() };
        copy.checkpoint.name = None;
        copy.cancel();
        copy
    }

    /// Returns whether the job has tasks, or may have some soon.
    pub(super) fn has_work(&self) -> bool {
        !self.is_paused && self.ended.is_none()
    }

    pub(super) fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.pace = Pace::default();
    }

    /// Ends the job; its results so far stay.
    pub(super) fn cancel(&mut self) {
        self.sweeps.iter_mut().for_each(Sweep::cancel);
        self.retries.clear();
        (self.ended, self.checkpoint.is_loading) = (Some(dom::now()), false);
    }

    fn next_new(&mut self) -> Option<SweepTask> {
        let mut tasks = self.sweeps.iter_mut().map(Sweep::next_task).enumerate();
        let (sweep, task) = tasks.find_map(|(sweep, task)| Some((sweep, task?)))?;
        Some(SweepTask { id: 0, job: self.key, sweep, task, failures: 0 })
    }

    fn next_retry(&mut self) -> Option<SweepTask> {
        (!self.retries.is_empty()).then(|| self.retries.swap_remove(0))
    }

    /// Queues a task again that was not run, unless the job has ended.
    pub(super) fn give_back(&mut self, task: SweepTask) {
        match (self.ended, task.failures) {
            (Some(_), _) => {}
            (None, 0) => self.sweeps[task.sweep].requeue(task.task),
            (None, _) => self.retries.push(task),
        }
    }

    /// Queues a task again that a worker was lost with. After [`MAX_FAILURES`] losses the point of
    /// the task is given up, and the other points continue.
    pub(super) fn retry(&mut self, task: SweepTask, problem: &str) {
        let task = SweepTask { failures: task.failures + 1, ..task };
        if task.failures < MAX_FAILURES {
            return self.give_back(task);
        }
        let point = self.point_name(&task);
        self.retries.retain(|other| (other.sweep, other.task.slot) != (task.sweep, task.task.slot));
        self.sweeps[task.sweep].stop(task.task.slot);
        self.problem = Some(format!("A point could not be computed: {point} failed {MAX_FAILURES} times ({problem})."));
        self.end_if_done();
    }

    /// Adds the result of a task. Returns a sweep of a search that ends with it.
    pub(super) fn finish(&mut self, task: &SweepTask, tally: &Tally) -> Option<Sweep> {
        let sweep = &mut self.sweeps[task.sweep];
        sweep.submit(task.task, tally);
        let is_whole = sweep.is_done() && sweep.points().iter().all(|point| point.status != Status::Cancelled);
        let refined = (is_whole && self.search.is_some()).then(|| sweep.clone());
        if let (Some(search), Some(sweep)) = (&mut self.search, &refined) {
            search.add(sweep);
        }
        let now = dom::now();
        if self.pace.is_due(now) {
            let share = self.share();
            self.pace.record(now, share);
        }
        self.end_if_done();
        refined
    }

    /// Refines the saturation of the measured sweep by the points of `more`.
    pub(super) fn refine(&mut self, more: &Sweep) {
        self.sweeps.first_mut().into_iter().for_each(|sweep| sweep.refine(more));
    }

    /// Adds the next sweep of the search. Returns whether there is one.
    fn add_next_sweep(&mut self) -> bool {
        let is_given_up = self.ended.is_some() || self.is_cancelled();
        match self.search.as_ref().filter(|_| !is_given_up).map(SaturationSearch::next_sweep) {
            Some(Ok(Some(next))) => {
                self.texts.push(next.to_string());
                self.sweeps.push(Sweep::new(&next));
                true
            }
            Some(Err(error)) => {
                self.problem = Some(error.to_string());
                false
            }
            None | Some(Ok(None)) => false,
        }
    }

    /// Ends the job once all points have ended. A job without cancelled points needs no checkpoint.
    fn end_if_done(&mut self) {
        if self.sweeps.iter().all(Sweep::is_done) && !self.add_next_sweep() {
            self.ended.get_or_insert_with(dom::now);
            if !self.is_cancelled() && self.checkpoint.name.take().is_some() {
                store::send(Request::Delete(self.cache_key()), drop);
            }
        }
    }

    /// Returns the name of the point of a task.
    pub(super) fn point_name(&self, task: &SweepTask) -> String {
        let sweep = &self.sweeps[task.sweep];
        let Some(point) = sweep.points().get(task.task.slot as usize) else { return String::new() };
        match (&sweep.experiment().vary, point.x) {
            (Some(vary), Some(x)) => format!("{}, {} {}", point.algorithm.name, vary.parameter.axis, plain(x)),
            _ => point.algorithm.name.to_string(),
        }
    }

    /// Returns the message that makes a worker run a task.
    pub(super) fn request(&self, task: &SweepTask) -> ToWorker {
        ToWorker::Run { id: task.id, text: self.texts[task.sweep].clone(), task: task.task }
    }

    /// Returns the sampler that runs a task in the page itself.
    pub(super) fn sampler(&self, task: &SweepTask) -> Option<Box<dyn Sampler>> {
        Sweep::sampler(self.sweeps[task.sweep].experiment(), task.task.slot)
    }
}

/// Checkpoints of a job, which store its first sweep only.
impl Job {
    /// Returns the cache key that names the checkpoints.
    pub(super) fn cache_key(&self) -> String {
        self.sweeps.first().map_or_else(String::new, |sweep| Sweep::cache_key(sweep.experiment()))
    }

    /// Enables checkpoints. The job waits for [`Job::resume`] before it dispatches a task.
    pub(super) fn enable_checkpoints(&mut self) {
        (self.checkpoint.is_enabled, self.checkpoint.is_loading) = (true, true);
    }

    pub(super) fn is_loading(&self) -> bool {
        self.checkpoint.is_loading
    }

    /// Returns whether the job runs and is saved meanwhile.
    pub(super) fn is_saved(&self) -> bool {
        self.checkpoint.is_enabled && self.ended.is_none()
    }

    /// Returns whether there is a checkpoint of the job.
    pub(super) fn has_checkpoint(&self) -> bool {
        self.checkpoint.name.is_some()
    }

    /// Resumes the job from its last checkpoint, if there is one; deletes a damaged one.
    pub(super) fn resume(&mut self, entry: Option<Entry>) {
        self.checkpoint.is_loading = false;
        let (Some((name, bytes)), Some(sweep)) = (entry, self.sweeps.first_mut()) else { return };
        if sweep.resume_from(&bytes).is_err() {
            self.checkpoint.message = Some(DAMAGED.into());
            return store::send(Request::Delete(self.cache_key()), drop);
        }
        let progress = sweep.progress();
        let (trials, done, points) = (sweep.trials(), progress.done, progress.points);
        self.checkpoint.message =
            Some(format!("Resumed: {trials} trials were saved, {done} of {points} points are final."));
        (self.checkpoint.name, self.checkpoint.share) = (Some(name), progress.share);
        self.end_if_done();
    }

    /// Saves a checkpoint while workers run the tasks `held`, and returns its size. A job with a
    /// point that failed is not saved: its next run tries that point again.
    pub(super) fn save(&mut self, held: &[SweepTask]) -> usize {
        let sweep = self.sweeps.first().filter(|sweep| sweep.trials() > 0 && self.problem.is_none());
        let Some(sweep) = sweep else { return 0 };
        let held = held.iter().filter(|task| task.job == self.key).chain(&self.retries);
        let bytes = sweep.checkpoint(&held.map(|task| task.task).collect::<Vec<_>>());
        let size = bytes.len();
        if size <= store::MAX_BYTES {
            let new_name = || store::name(&Sweep::cache_key(sweep.experiment()));
            let name = self.checkpoint.name.get_or_insert_with(new_name).clone();
            store::send(Request::Save(name, bytes), drop);
        }
        size
    }
}

/// Queue of the tasks of all jobs. The job that was started last has priority.
#[derive(Default)]
pub(super) struct JobQueue {
    jobs: Vec<Job>,
    last_id: u64,
}

impl JobQueue {
    /// Returns an id that is unique in the pool.
    pub(super) fn new_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    pub(super) fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter()
    }

    pub(super) fn jobs_mut(&mut self) -> impl Iterator<Item = &mut Job> {
        self.jobs.iter_mut()
    }

    pub(super) fn get(&mut self, key: JobKey) -> Option<&mut Job> {
        self.jobs.iter_mut().find(|job| job.key == key)
    }

    /// Adds a job, in place of the one with its key.
    pub(super) fn push(&mut self, job: Job) {
        self.remove(job.key);
        self.jobs.push(job);
    }

    pub(super) fn remove(&mut self, key: JobKey) {
        self.jobs.retain(|job| job.key != key);
    }

    /// Returns whether jobs have tasks, or may have some soon.
    pub(super) fn has_work(&self) -> bool {
        self.jobs.iter().any(Job::has_work)
    }

    /// Dispatches the next task, with its job.
    pub(super) fn next(&mut self, policy: RetryPolicy) -> Option<(SweepTask, &Job)> {
        let id = self.new_id();
        let task = match policy {
            RetryPolicy::NewOnly => self.find(Job::next_new),
            RetryPolicy::NewFirst => self.find(Job::next_new).or_else(|| self.find(Job::next_retry)),
            RetryPolicy::RetriesFirst => self.find(Job::next_retry).or_else(|| self.find(Job::next_new)),
        };
        let task = SweepTask { id, ..task? };
        Some((task, self.jobs.iter().find(|job| job.key == task.job)?))
    }

    fn find(&mut self, next: fn(&mut Job) -> Option<SweepTask>) -> Option<SweepTask> {
        let mut ready = self.jobs.iter_mut().rev().filter(|job| job.has_work() && !job.checkpoint.is_loading);
        ready.find_map(next)
    }

    /// Queues tasks again that were not run.
    pub(super) fn give_back(&mut self, tasks: impl IntoIterator<Item = SweepTask>) {
        for task in tasks {
            self.get(task.job).into_iter().for_each(|job| job.give_back(task));
        }
    }
}
