//! A sweep run to its end: task by task, or on every thread at hand. The results are the same bits either way.

use crate::experiment::{Sweep, Tally, Task};

/// Runs every task of `sweep` in turn.
pub fn run(sweep: &mut Sweep) {
    while let Some(task) = sweep.next_task() {
        let tally = tally(sweep, task);
        sweep.finish(task, &tally);
    }
}

/// How many tasks of a batch there are for each thread: enough that a slow task does not leave the others idle, few
/// enough that progress is seen often.
#[cfg(feature = "cli")]
const TASKS_PER_THREAD: usize = 8;

/// Runs `sweep` on the threads of the current rayon pool; `on_progress` sees it after every batch of tasks.
#[cfg(feature = "cli")]
pub fn run_parallel(sweep: &mut Sweep, mut on_progress: impl FnMut(&Sweep)) {
    use rayon::prelude::*;

    let size = rayon::current_num_threads() * TASKS_PER_THREAD;
    loop {
        let batch: Vec<Task> = std::iter::from_fn(|| sweep.next_task()).take(size).collect();
        if batch.is_empty() {
            return;
        }
        let seen = &*sweep;
        let tallies: Vec<Tally> = batch.par_iter().map(|&task| tally(seen, task)).collect();
        for (&task, tally) in batch.iter().zip(&tallies) {
            sweep.finish(task, tally);
        }
        on_progress(sweep);
    }
}

/// What the trials of `task` come to.
fn tally(sweep: &Sweep, task: Task) -> Tally {
    let sampler = Sweep::sampler(sweep.experiment(), task.slot);
    sampler.map(|mut sampler| sampler.run(task.first, task.count)).unwrap_or_default()
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
    #[cfg(feature = "cli")]
    fn threads_change_nothing() {
        let mut alone = sweep();
        run(&mut alone);
        let mut together = sweep();
        let mut calls = 0;
        run_parallel(&mut together, |_| calls += 1);
        assert!(calls > 0);
        for (one, other) in alone.points().iter().zip(together.points()) {
            assert_eq!(one.tally, other.tally);
        }
    }
}
