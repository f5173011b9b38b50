//! Execution of a complete sweep, task by task or on several threads, with bit-identical results.

use crate::{Sweep, Tally, Task};

/// Runs every task of `sweep` in turn.
pub fn run(sweep: &mut Sweep) {
    while let Some(task) = sweep.next_task() {
        let tally = tally(sweep, task);
        sweep.submit(task, &tally);
    }
}

/// Returns the tally of `task`.
fn tally(sweep: &Sweep, task: Task) -> Tally {
    let sampler = Sweep::sampler(sweep.experiment(), task.slot);
    sampler.map(|mut sampler| sampler.run(task.first, task.count)).unwrap_or_default()
}

#[cfg(feature = "threads")]
pub use threads::{NoopObserver, SweepObserver, run_on_all_threads, run_parallel};

#[cfg(feature = "threads")]
mod threads {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
    use std::thread::{Builder, JoinHandle};

    use crate::{Experiment, Progress, Sampler, Sweep, Tally, Task};

    /// Observer of a parallel sweep, with cache and cancellation. The observer measures time, which
    /// the sweep does not. Any thread may call it.
    pub trait SweepObserver: Send + Sync + 'static {
        /// Called once at the start with `wake`, which makes the sweep check for cancellation and
        /// report its progress, even while no task ends.
        ///
        /// `wake` returns whether to continue calling it.
        fn on_start(&self, wake: Box<dyn Fn() -> bool + Send>);
        /// Returns the cached tally of `task`, if there is one.
        fn lookup(&self, task: Task) -> Option<Tally>;
        /// Stores the tally of a completed task.
        fn store(&self, task: Task, tally: &Tally);
        /// Returns whether to stop. Called many times a second.
        fn is_cancelled(&self) -> bool;
        /// Returns whether to stop without waiting for tasks in progress.
        fn is_aborting(&self) -> bool;
        /// Returns whether a progress report is due.
        fn wants_progress(&self) -> bool;
        /// Receives the progress of the sweep, and the number of steps made.
        fn progress(&self, progress: Progress, steps: u64);
    }

    /// Observer that does nothing.
    #[derive(Clone, Copy, Debug)]
    pub struct NoopObserver;

    impl SweepObserver for NoopObserver {
        fn on_start(&self, _wake: Box<dyn Fn() -> bool + Send>) {}

        fn lookup(&self, _task: Task) -> Option<Tally> {
            None
        }

        fn store(&self, _task: Task, _tally: &Tally) {}

        fn is_cancelled(&self) -> bool {
            false
        }

        fn is_aborting(&self) -> bool {
            false
        }

        fn wants_progress(&self) -> bool {
            false
        }

        fn progress(&self, _progress: Progress, _steps: u64) {}
    }

    /// Steps between two checks for cancellation: a few hundredths of a second for any kind.
    const SLICE: u64 = 1 << 16;

    /// State shared by the threads.
    struct SharedSweep<C> {
        state: Mutex<SweepState>,
        changed: Condvar,
        steps: AtomicU64,
        observer: Arc<C>,
    }

    struct SweepState {
        sweep: Sweep,
        /// Number of tasks in progress.
        busy: usize,
    }

    /// Runs `sweep` on `threads` threads with `observer`, until all points have ended or the
    /// observer stops it.
    ///
    /// At least one thread is used, and fewer than `threads` if the system refuses some. After a
    /// stop, points may still be running, with the tallies received so far.
    pub fn run_parallel(sweep: Sweep, threads: usize, observer: &Arc<impl SweepObserver>) -> Sweep {
        let shared = Arc::new(SharedSweep {
            state: Mutex::new(SweepState { sweep, busy: 0 }),
            changed: Condvar::new(),
            steps: AtomicU64::new(0),
            observer: Arc::clone(observer),
        });
        let start = |_| {
            let shared = Arc::clone(&shared);
            Builder::new().spawn(move || shared.work()).ok()
        };
        // A system that refuses a thread refuses the next one, too. The started threads do all the
        // work.
        let workers: Vec<_> = (0..threads.max(1)).map_while(start).collect();
        if workers.is_empty() {
            shared.work();
            return shared.lock().sweep.clone();
        }
        observer.on_start({
            let shared = Arc::downgrade(&shared);
            Box::new(move || {
                let Some(shared) = shared.upgrade() else { return false };
                shared.changed.notify_all();
                true
            })
        });
        shared.report_progress();
        if observer.is_cancelled() {
            // Do not join threads that are inside a long step.
            return shared.lock().sweep.clone();
        }
        if let Some(panic) = workers.into_iter().find_map(|worker| JoinHandle::join(worker).err()) {
            std::panic::resume_unwind(panic);
        }
        shared.lock().sweep.clone()
    }

    /// Runs `sweep` to its end, with a thread for each processor.
    pub fn run_on_all_threads(sweep: Sweep) -> Sweep {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        run_parallel(sweep, threads, &Arc::new(NoopObserver))
    }

    impl<C: SweepObserver> SharedSweep<C> {
        /// Locks the state. A panic cannot leave the sweep inconsistent, and is reported when its
        /// thread is joined.
        fn lock(&self) -> MutexGuard<'_, SweepState> {
            self.state.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Reports progress until the sweep is done or stopped.
        fn report_progress(&self) {
            let mut state = self.lock();
            loop {
                if self.observer.wants_progress() {
                    self.observer.progress(state.sweep.progress(), self.steps.load(Ordering::Relaxed));
                }
                let stopped = self.observer.is_cancelled() && (state.busy == 0 || self.observer.is_aborting());
                if stopped || state.sweep.is_done() {
                    return;
                }
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }

        /// Runs tasks until none is left.
        fn work(&self) {
            let _leaving = ExitGuard(self);
            let mut last: Option<(u32, Box<dyn Sampler>)> = None;
            while let Some((task, experiment)) = self.next() {
                let mut known = self.observer.lookup(task);
                let is_new = known.is_none();
                if is_new {
                    let sampler = match last.take() {
                        Some((slot, sampler)) if slot == task.slot => Some(sampler),
                        _ => Sweep::sampler(&experiment, task.slot),
                    };
                    if let Some(mut sampler) = sampler {
                        known = self.run(&mut *sampler, task);
                        last = Some((task.slot, sampler));
                    }
                }
                if let Some(tally) = known.as_ref().filter(|_| is_new) {
                    self.observer.store(task, tally);
                }
                let mut state = self.lock();
                state.busy -= 1;
                match known {
                    Some(tally) => state.sweep.submit(task, &tally),
                    None => state.sweep.requeue(task),
                }
                drop(state);
                self.changed.notify_all();
            }
        }

        /// Returns the next task, and waits while tasks in progress may lead to others; `None` at
        /// the end.
        fn next(&self) -> Option<(Task, Experiment)> {
            let mut state = self.lock();
            loop {
                if self.observer.is_cancelled() || state.sweep.is_done() {
                    return None;
                }
                if let Some(task) = state.sweep.next_task() {
                    state.busy += 1;
                    return Some((task, state.sweep.experiment().clone()));
                }
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }

        /// Runs `task`; `None` if it was stopped.
        fn run(&self, sampler: &mut dyn Sampler, task: Task) -> Option<Tally> {
            let mut tally = Tally::default();
            loop {
                let mut budget = SLICE;
                let done = sampler.advance(task, &mut tally, &mut budget);
                self.steps.fetch_add(SLICE - budget.min(SLICE), Ordering::Relaxed);
                if done {
                    return Some(tally);
                }
                if self.observer.is_cancelled() {
                    return None;
                }
            }
        }
    }

    /// Guard that notifies the other threads when a thread ends, also by a panic.
    struct ExitGuard<'s, C: SweepObserver>(&'s SharedSweep<C>);

    impl<C: SweepObserver> Drop for ExitGuard<'_, C> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                self.0.lock().sweep.cancel();
            }
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep() -> Sweep {
        let text = "net=cube:5&faults=nodes:0.3&vary=p:0.1..0.7:4&route=sidetracking,backtracking&within=0.02";
        Sweep::new(&text.parse().unwrap())
    }

    #[test]
    fn run_completes_every_point() {
        let mut sweep = sweep();
        run(&mut sweep);
        assert!(sweep.is_done());
        assert_eq!(sweep.points().len(), 8);
    }

    #[test]
    #[cfg(feature = "threads")]
    fn thread_count_does_not_change_tallies() {
        let mut alone = sweep();
        run(&mut alone);
        for threads in [1, 2, 7] {
            let together = run_parallel(sweep(), threads, &std::sync::Arc::new(NoopObserver));
            for (one, other) in alone.points().iter().zip(together.points()) {
                assert_eq!(one.tally, other.tally);
            }
        }
    }
}
