//! Estimate of the cost of a run before its first trial: memory and, by short probes, time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use faultlab::api::native::{format_bytes, free_memory};
use faultlab::experiment::{Experiment, Memory, Sweep, Tally};
use serde_json::json;

use crate::arguments::RunArgs;
use crate::output::{CliError, print};
use crate::work::{execution, format_duration};

/// Maximum number of probed points.
const MAX_PROBES: usize = 16;
/// Time for all probes together.
const PROBE_TIME: Duration = Duration::from_secs(3);

/// Returns the number of steps between two checks of the clock, for a trial of `trial` expected
/// steps. The number is a small part of a trial, because the slice in which a trial ends consumes
/// its whole budget. It is at least the cost of one cycle of the largest networks.
fn clock_check_steps(trial: f64) -> u64 {
    (trial as u64 / 64).clamp(1 << 14, 1 << 22)
}

/// Predicted cost of a run.
struct Plan {
    points: usize,
    routings: usize,
    memory: Memory,
    threads: usize,
    /// Estimated number of tasks that can run at the same time.
    tasks: u64,
    /// Predicted time on one thread until all points have ended, in seconds, from the probes.
    seconds: f64,
    /// Number of probed points.
    probes: usize,
    /// True if every probe has measured the time of a trial and the number of trials is known.
    is_reliable: bool,
}

/// Runs `faultlab run --plan`: predicts the cost of the points `slots` of `sweep`.
pub(crate) fn plan(arguments: &RunArgs, sweep: &Sweep, slots: &[u32]) -> Result<(), CliError> {
    let experiment = sweep.experiment();
    let threads = execution(&arguments.effort).threads_within(experiment.memory(), experiment)?;
    let (seconds, probes, is_sure) = predict_seconds(sweep, slots);
    let (memory, routings, tasks) = (experiment.memory(), experiment.routing.len(), sweep.expected_tasks(slots));
    let plan = Plan { points: slots.len(), routings, memory, threads, tasks, seconds, probes, is_reliable: is_sure };
    print(&if arguments.printed.json { plan.json(experiment) } else { plan.text(experiment) })
}

/// Predicts the seconds that the points `slots` take on one thread. Also returns the number of
/// probed points, and whether the probes determine the number of trials and the time of a trial.
fn predict_seconds(sweep: &Sweep, slots: &[u32]) -> (f64, usize, bool) {
    let apart = slots.len().div_ceil(MAX_PROBES).max(1);
    // Start from the last point, which is usually the most expensive one.
    let chosen: Vec<u32> = slots.iter().rev().step_by(apart).copied().collect();
    let each = PROBE_TIME / chosen.len().max(1) as u32;
    let mut probed = sweep.clone();
    let probes: Vec<_> = chosen.iter().filter_map(|&slot| Some((slot, probe(&mut probed, slot, each)?))).collect();
    let expected = probed.expected_steps();
    let per_step = |slot: u32| {
        let nearest = probes.iter().min_by_key(|(probed, _)| probed.abs_diff(slot));
        nearest.map_or(0.0, |(_, probe)| probe.seconds_per_step)
    };
    let seconds = slots.iter().map(|&slot| expected.get(slot as usize).unwrap_or(&0.0) * per_step(slot)).sum();
    (seconds, probes.len(), probes.iter().all(|(_, probe)| probe.is_sure))
}

struct Probe {
    /// Seconds per expected step; the trials may take more or fewer steps than expected.
    seconds_per_step: f64,
    is_sure: bool,
}

/// Runs a point for at most `time` and measures its speed.
fn probe(sweep: &mut Sweep, slot: u32, time: Duration) -> Option<Probe> {
    let (experiment, begun) = (sweep.experiment().clone(), Instant::now());
    let first = sweep.point_task(slot)?;
    let mut sampler = Sweep::sampler(&experiment, slot)?;
    let slice = clock_check_steps(sweep.steps_of(slot, 1));
    let (mut task, mut tally, mut steps, mut done) = (first, Tally::default(), 0.0, 0);
    let (mut is_judged, mut done_at) = (has_fixed_trials(&experiment), Duration::ZERO);
    while begun.elapsed() < time {
        let (before, mut budget) = (tally.trials, slice);
        let is_done = sampler.advance(task, &mut tally, &mut budget);
        if tally.trials > before {
            done += tally.trials - before;
            done_at = begun.elapsed();
        }
        steps += (slice - budget.min(slice)) as f64;
        if is_done {
            is_judged = true;
            sweep.submit(task, &std::mem::take(&mut tally));
            match sweep.point_task(slot) {
                Some(next) => task = next,
                None => break,
            }
        }
    }
    // Expected steps may be far from the steps that a trial takes, as with retransmitted messages,
    // so the time of a trial counts. For an unfinished trial, it is the time so far.
    let (seconds, expected) = match done {
        0 => (begun.elapsed(), steps.min(sweep.steps_of(slot, 1))),
        _ => (done_at, sweep.steps_of(slot, done)),
    };
    Some(Probe { seconds_per_step: seconds.as_secs_f64() / expected.max(1.0), is_sure: done > 0 && is_judged })
}

/// Returns whether the number of trials of every point is known in advance.
fn has_fixed_trials(experiment: &Experiment) -> bool {
    experiment.within == Experiment::ALL_TRIALS && !experiment.kind().is_under_load()
}

impl Plan {
    fn wall_seconds(&self) -> f64 {
        self.seconds / (self.threads as u64).min(self.tasks.max(1)) as f64
    }

    fn text(&self, experiment: &Experiment) -> String {
        let Self { points, routings, memory, threads, probes, .. } = *self;
        let many = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let mut text = format!("{experiment}\n\n");
        let about = if self.is_reliable { "about" } else { "at least" };
        let memory = match format_bytes(memory.least) {
            least if memory.least > 1 << 20 => format!("{least} to {} per thread", format_bytes(memory.most)),
            _ => format!("at most {} per thread", format_bytes(memory.most)),
        };
        let _ = writeln!(text, "points   {points}, of {}", many(routings, "routing"));
        let _ = writeln!(text, "memory   {memory}, {}; {} free", many(threads, "thread"), format_bytes(free_memory()));
        let _ =
            writeln!(text, "time     {about} {}, by {}", format_duration(self.wall_seconds()), many(probes, "probe"));
        text.push_str(
            "\nNothing was run. The results decide when points end, so the time may be half or twice as long.\n",
        );
        text
    }

    fn json(&self, experiment: &Experiment) -> String {
        let Self { points, memory, threads, probes, is_reliable: is_sure, .. } = *self;
        let text = experiment.to_string();
        let (least, most, seconds) = (memory.least, memory.most, self.wall_seconds());
        format!(
            "{}\n",
            json!({"experiment": text, "points": points, "threads": threads, "memory_least": least, "memory_most": most,
                   "seconds": seconds, "probes": probes, "at_least": !is_sure})
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations_are_formatted_briefly() {
        assert_eq!([999, 1_000_000, 2_500_000_000].map(format_bytes), ["1 kB", "1 MB", "2.5 GB"]);
        let told = [0.1, 42.0, 600.0, 36_000.0, 1e6].map(format_duration);
        assert_eq!(told, ["a second", "42 s", "10 min", "10.0 h", "12 days"]);
    }
}
