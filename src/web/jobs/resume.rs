//! Sweeps that are written down while they run, and gone on with after the page was closed or loaded anew.

use super::job::{Job, JobKind};
use super::shelf::{self, Deed, Found};
use super::state::{Inner, JobClient};
use crate::experiment::Sweep;
use crate::web::dom;

/// How long the browser may take to say whether something was written down, in milliseconds. Workers start meanwhile.
const RECALL: u32 = 1000;

/// How long after something new a sweep is written down, in milliseconds; and a millisecond more for so many bytes, as large ones wear.
const SOON: u32 = 1000;
const BYTES_A_MILLISECOND: usize = 200;

/// Notice of a sweep whose kept bytes are damaged.
const DAMAGED: &str =
    "What the browser had kept of an earlier run is damaged and was thrown away. The sweep starts from its beginning.";

/// What is asked by a job that may be written down.
fn question(job: &Job) -> Option<String> {
    job.sweeps.first().map(|sweep| Sweep::question(sweep.experiment()))
}

impl JobClient {
    /// Asks whether an earlier run has left something; nothing of the job is handed out before that is known.
    pub(super) fn recall(&self, job: &mut Job) {
        job.is_written = self.writes && job.kind == JobKind::Measure && shelf::is_here();
        if !job.is_written {
            return;
        }
        let (Some(question), number, runner) = (question(job), job.number, self.clone()) else { return };
        job.recalling = true;
        let late = runner.clone();
        self.inner.borrow_mut().writing.recall = Some(dom::later(RECALL, move || late.recalled(number, None)));
        shelf::send(Deed::Take(question), move |found| runner.recalled(number, found));
    }

    /// It is known, or not within a second.
    fn recalled(&self, number: u64, found: Option<Found>) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let Some(job) = inner.jobs.iter_mut().find(|job| job.number == number && job.recalling) else { return };
            job.recalling = false;
            inner.writing.recall = None;
            if let (Some((name, bytes)), Some(sweep), None) = (found, job.sweeps.first_mut(), job.ended) {
                if sweep.go_on_from(&bytes).is_ok() {
                    let progress = sweep.progress();
                    job.went_on = Some(format!(
                        "Went on where it was interrupted: {} trials were kept, {} of {} points final.",
                        sweep.trials(),
                        progress.done,
                        progress.points
                    ));
                    job.base = progress.share;
                    job.shelf = Some(name);
                    job.end_if_done();
                } else {
                    job.went_on = Some(DAMAGED.into());
                    shelf::send(Deed::Forget(Sweep::question(sweep.experiment())), drop);
                }
            }
        }
        self.feed();
        self.changed.emit(());
    }

    /// Something is new: it is written down in a while, or no longer needed.
    pub(super) fn write_soon(&self) {
        let inner = &mut *self.inner.borrow_mut();
        let is_open = inner.jobs.iter().any(|job| job.is_written && job.ended.is_none());
        if is_open && inner.writing.soon.is_none() {
            let runner = self.clone();
            let wait = SOON + (inner.writing.bytes / BYTES_A_MILLISECOND) as u32;
            inner.writing.soon = Some(dom::later(wait, move || {
                let inner = &mut *runner.inner.borrow_mut();
                inner.writing.soon = None;
                inner.write();
            }));
        }
        if !is_open {
            inner.writing.soon = None;
        }
        inner.tidy();
    }
}

impl Inner {
    /// Writes down how far the sweep is.
    pub(super) fn write(&mut self) {
        let Some(place) = self.jobs.iter().position(|job| job.is_written && job.ended.is_none()) else { return };
        let out = self.out(self.jobs[place].whose());
        let job = &mut self.jobs[place];
        // What has failed is tried again from where all was well.
        let (Some(sweep), None, false) = (job.sweeps.first(), &job.problem, job.recalling) else { return };
        let bytes = sweep.halfway(&out);
        self.writing.bytes = bytes.len();
        if bytes.len() > shelf::BYTES || sweep.trials() == 0 {
            return;
        }
        let name = job.shelf.get_or_insert_with(|| shelf::name(&Sweep::question(sweep.experiment()))).clone();
        shelf::send(Deed::Put(name, bytes), drop);
    }

    /// Forgets what was written down of sweeps that are whole by now.
    fn tidy(&mut self) {
        let is_whole = |job: &&mut Job| job.shelf.is_some() && job.ended.is_some() && !job.is_cut();
        for job in self.jobs.iter_mut().filter(is_whole) {
            if let Some(question) = job.shelf.take().and_then(|_| question(job)) {
                shelf::send(Deed::Forget(question), drop);
            }
        }
    }
}
