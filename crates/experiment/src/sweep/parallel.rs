//! A sweep run to its end: task by task, or on several threads. The results are the same bits either way.

use crate::{Sweep, Tally, Task};

/// Runs every task of `sweep` in turn.
pub fn run(sweep: &mut Sweep) {
    while let Some(task) = sweep.next_task() {
        let tally = tally(sweep, task);
        sweep.finish(task, &tally);
    }
}

/// What the trials of `task` come to.
fn tally(sweep: &Sweep, task: Task) -> Tally {
    let sampler = Sweep::sampler(sweep.experiment(), task.slot);
    sampler.map(|mut sampler| sampler.run(task.first, task.count)).unwrap_or_default()
}

#[cfg(feature = "threads")]
pub use threads::{Company, Nobody, run_on_all_threads, run_parallel};

#[cfg(feature = "threads")]
mod threads {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
    use std::thread::{Builder, JoinHandle};

    use crate::{Experiment, Progress, Sampler, Sweep, Tally, Task};

    /// What goes along with a sweep on threads, and keeps the time, of which the sweep knows nothing. Tasks are told as they end, from
    /// whatever thread ran them.
    pub trait Company: Send + Sync + 'static {
        /// It begins. Calling `wake` lets it look at whether to stop and tell how far it is, also where nothing ends for long; what `wake`
        /// returns is whether to go on calling it.
        fn begins(&self, wake: Box<dyn Fn() -> bool + Send>);
        /// What `task` came to, if somebody has run it before.
        fn known(&self, task: Task) -> Option<Tally>;
        /// `task` has been run.
        fn keep(&self, task: Task, tally: &Tally);
        /// Whether to stop: asked many times a second.
        fn stops(&self) -> bool;
        /// Whether those who have not stopped by now are not waited for.
        fn gives_up(&self) -> bool;
        /// Whether it is time to be told how far it is.
        fn looks(&self) -> bool;
        /// How far the sweep is, and how many steps have been made.
        fn progress(&self, progress: Progress, steps: u64);
    }

    /// Nobody goes along.
    #[derive(Clone, Copy, Debug)]
    pub struct Nobody;

    impl Company for Nobody {
        fn begins(&self, _wake: Box<dyn Fn() -> bool + Send>) {}

        fn known(&self, _task: Task) -> Option<Tally> {
            None
        }

        fn keep(&self, _task: Task, _tally: &Tally) {}

        fn stops(&self) -> bool {
            false
        }

        fn gives_up(&self) -> bool {
            false
        }

        fn looks(&self) -> bool {
            false
        }

        fn progress(&self, _progress: Progress, _steps: u64) {}
    }

    /// Between two looks at whether to stop: some hundredths of a second of whatever kind.
    const SLICE: u64 = 1 << 16;

    /// What the threads share.
    struct Shared<C> {
        state: Mutex<State>,
        changed: Condvar,
        steps: AtomicU64,
        company: Arc<C>,
    }

    struct State {
        sweep: Sweep,
        /// The tasks under way.
        busy: usize,
    }

    /// Runs `sweep` on so many threads (at least one; fewer if the system refuses some), with `company`; ends when all points have, or when the company wants it to stop:
    /// then points may be running still, with what is in.
    pub fn run_parallel(sweep: Sweep, threads: usize, company: &Arc<impl Company>) -> Sweep {
        let shared = Arc::new(Shared {
            state: Mutex::new(State { sweep, busy: 0 }),
            changed: Condvar::new(),
            steps: AtomicU64::new(0),
            company: Arc::clone(company),
        });
        let start = |_| {
            let shared = Arc::clone(&shared);
            Builder::new().spawn(move || shared.work()).ok()
        };
        // A system that refuses a thread refuses the next one, too: those that have started do all the work.
        let workers: Vec<_> = (0..threads.max(1)).map_while(start).collect();
        if workers.is_empty() {
            shared.work();
            return shared.lock().sweep.clone();
        }
        company.begins({
            let shared = Arc::downgrade(&shared);
            Box::new(move || {
                let Some(shared) = shared.upgrade() else { return false };
                shared.changed.notify_all();
                true
            })
        });
        shared.attend();
        if company.stops() {
            // Whoever is in the middle of a long step is not waited for.
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
        run_parallel(sweep, threads, &Arc::new(Nobody))
    }

    impl<C: Company> Shared<C> {
        /// A thread that panics has not left the sweep half changed: it is told when it is joined.
        fn lock(&self) -> MutexGuard<'_, State> {
            self.state.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Tells how far it is until it is done or stopped.
        fn attend(&self) {
            let mut state = self.lock();
            loop {
                if self.company.looks() {
                    self.company.progress(state.sweep.progress(), self.steps.load(Ordering::Relaxed));
                }
                let stopped = self.company.stops() && (state.busy == 0 || self.company.gives_up());
                if stopped || state.sweep.is_done() {
                    return;
                }
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }

        /// Runs task after task.
        fn work(&self) {
            let _leaving = Leaving(self);
            let mut last: Option<(u32, Box<dyn Sampler>)> = None;
            while let Some((task, experiment)) = self.next() {
                let mut known = self.company.known(task);
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
                    self.company.keep(task, tally);
                }
                let mut state = self.lock();
                state.busy -= 1;
                match known {
                    Some(tally) => state.sweep.finish(task, &tally),
                    None => state.sweep.give_back(task),
                }
                drop(state);
                self.changed.notify_all();
            }
        }

        /// The next task; waits where tasks under way may bring others. `None` at the end.
        fn next(&self) -> Option<(Task, Experiment)> {
            let mut state = self.lock();
            loop {
                if self.company.stops() || state.sweep.is_done() {
                    return None;
                }
                if let Some(task) = state.sweep.next_task() {
                    state.busy += 1;
                    return Some((task, state.sweep.experiment().clone()));
                }
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }

        /// What `task` comes to; `None` if it was stopped.
        fn run(&self, sampler: &mut dyn Sampler, task: Task) -> Option<Tally> {
            let mut tally = Tally::default();
            loop {
                let mut budget = SLICE;
                let done = sampler.advance(task, &mut tally, &mut budget);
                self.steps.fetch_add(SLICE - budget.min(SLICE), Ordering::Relaxed);
                if done {
                    return Some(tally);
                }
                if self.company.stops() {
                    return None;
                }
            }
        }
    }

    /// A thread that ends, also by a panic: nobody waits for it in vain.
    struct Leaving<'s, C: Company>(&'s Shared<C>);

    impl<C: Company> Drop for Leaving<'_, C> {
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
    fn a_sweep_ends_and_every_point_with_it() {
        let mut sweep = sweep();
        run(&mut sweep);
        assert!(sweep.is_done());
        assert_eq!(sweep.points().len(), 8);
    }

    #[test]
    #[cfg(feature = "threads")]
    fn threads_change_nothing() {
        let mut alone = sweep();
        run(&mut alone);
        for threads in [1, 2, 7] {
            let together = run_parallel(sweep(), threads, &std::sync::Arc::new(Nobody));
            for (one, other) in alone.points().iter().zip(together.points()) {
                assert_eq!(one.tally, other.tally);
            }
        }
    }
}
