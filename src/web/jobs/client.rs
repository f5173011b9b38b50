//! Sweeps under way: hands tasks to the workers and their tallies back to the sweeps.

use std::rc::Rc;

use super::job::{Job, JobKind};
use super::life::PATIENCE;
pub(crate) use super::state::JobClient;
use super::state::{Inner, POOL};
use crate::experiment::{Experiment, Sweep};
use crate::web::dom;
use crate::worker::protocol::ToWorker;

/// How often the page looks at new numbers, in milliseconds.
const REDRAW: u32 = 150;

impl PartialEq for JobClient {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl JobClient {
    /// A runner that calls `changed` when there are new numbers, a few times a second. `writes` says whether what it measures is written
    /// down, to be gone on with when it was interrupted.
    pub(crate) fn new(changed: yew::Callback<()>, writes: bool) -> Self {
        let (inner, changed) = (POOL.with(Rc::clone), Rc::new(changed));
        let number = {
            let runners = &mut inner.borrow_mut().runners;
            let number = runners.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
            runners.push((number, Rc::downgrade(&changed)));
            number
        };
        Self { inner, number, changed, writes }
    }

    /// Ends all that it runs, and is told of nothing any more.
    pub(crate) fn close(&self) {
        let mine: Vec<_> = self.with_jobs(|jobs| jobs.iter().map(|job| job.kind).collect());
        for kind in mine {
            self.cancel(kind);
            self.forget(kind);
        }
        self.inner.borrow_mut().runners.retain(|(number, _)| *number != self.number);
    }

    /// Whether a job of its own is for `kind`.
    fn is(&self, job: &Job, kind: JobKind) -> bool {
        job.whose() == (self.number, kind)
    }

    /// Runs `experiments` for `kind`, in place of what ran for it.
    pub(crate) fn start(&self, kind: JobKind, experiments: &[Experiment]) {
        self.cancel(kind);
        let number = {
            let inner = &mut *self.inner.borrow_mut();
            // Whatever was wrong with workers, they are tried again.
            (inner.barren, inner.patience, inner.notice) = (0, PATIENCE, None);
            inner.next += 1;
            inner.next
        };
        let mut job = Job {
            owner: self.number,
            kind,
            number,
            sweeps: experiments.iter().map(Sweep::new).collect(),
            texts: experiments.iter().map(Experiment::to_string).collect(),
            paused: false,
            problem: None,
            started: dom::now(),
            ended: None,
            is_written: false,
            recalling: false,
            shelf: None,
            went_on: None,
            base: 0.0,
        };
        self.recall(&mut job);
        self.inner.borrow_mut().jobs.retain(|job| !self.is(job, kind));
        self.inner.borrow_mut().jobs.push(job);
        self.hire();
        self.feed();
        self.changed.emit(());
    }

    /// Stops what runs for `kind`; its numbers stay.
    pub(crate) fn cancel(&self, kind: JobKind) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let is_it = |job: &Job| self.is(job, kind) && job.ended.is_none();
            let Some(place) = inner.jobs.iter().position(is_it) else { return };
            if inner.jobs[place].shelf.is_some() {
                inner.write();
            }
            let job = &mut inner.jobs[place];
            job.sweeps.iter_mut().for_each(Sweep::cancel);
            job.ended = Some(dom::now());
            let whose = (self.number, kind);
            inner.alone.take_if(|alone| alone.0.whose == whose);
            inner.retries.retain(|order| order.whose != whose);
            for seat in &mut inner.seats {
                seat.hand.tell(&ToWorker::Cancel);
                let orders = std::mem::take(&mut seat.orders);
                inner.retries.extend(orders.into_iter().filter(|order| order.whose != whose));
            }
        }
        self.feed();
        self.changed.emit(());
    }

    /// Pauses or resumes what runs for `kind`.
    pub(crate) fn pause(&self, kind: JobKind, paused: bool) {
        if let Some(job) = self.inner.borrow_mut().jobs.iter_mut().find(|job| self.is(job, kind)) {
            job.paused = paused;
        }
        if !paused {
            self.inner.borrow_mut().barren = 0;
            self.hire();
        }
        self.feed();
        self.changed.emit(());
    }

    /// Looks at the job of `kind`.
    pub(crate) fn with_job<T>(&self, kind: JobKind, view: impl FnOnce(&Job) -> T) -> Option<T> {
        self.inner.borrow().jobs.iter().find(|job| self.is(job, kind)).map(view)
    }

    /// Looks at all its jobs.
    pub(crate) fn with_jobs<T>(&self, view: impl FnOnce(&[&Job]) -> T) -> T {
        let inner = self.inner.borrow();
        view(&inner.jobs.iter().filter(|job| job.owner == self.number).collect::<Vec<_>>())
    }

    /// Keeps what is measured now, as far as it is, under this number; nothing more is computed of it.
    pub(crate) fn keep(&self, number: u32) {
        let kind = JobKind::Kept(number);
        if let Some(job) = self.with_job(JobKind::Measure, Job::clone) {
            let (ended, shelf) = (Some(dom::now()), None);
            let mut copy = Job { kind, ended, shelf, is_written: false, recalling: false, number: 0, ..job };
            copy.sweeps.iter_mut().for_each(Sweep::cancel);
            self.inner.borrow_mut().jobs.insert(0, copy);
        }
    }

    /// Forgets the numbers of what has ended for `kind`.
    pub(crate) fn forget(&self, kind: JobKind) {
        self.inner.borrow_mut().jobs.retain(|job| !self.is(job, kind));
    }

    /// What the person should know about the workers.
    pub(crate) fn notice(&self) -> Option<String> {
        self.inner.borrow().notice.clone()
    }

    pub(super) fn redraw_soon(&self) {
        let mut inner = self.inner.borrow_mut();
        if inner.redraw.is_none() {
            let pool = Rc::clone(&self.inner);
            inner.redraw = Some(dom::later(REDRAW, move || {
                let told = {
                    let inner = &mut *pool.borrow_mut();
                    inner.redraw = None;
                    let untold = std::mem::take(&mut inner.untold);
                    let runners = inner.runners.iter().filter(|(number, _)| untold.contains(number));
                    runners.filter_map(|(_, changed)| changed.upgrade()).collect::<Vec<_>>()
                };
                told.iter().for_each(|changed| changed.emit(()));
            }));
        }
    }
}

impl Inner {
    /// Says something about the workers, to everybody.
    pub(super) fn say(&mut self, notice: Option<String>) {
        self.notice = notice;
        self.untold = self.runners.iter().map(|runner| runner.0).collect();
    }
}
