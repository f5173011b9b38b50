//! Circuits under load: a trial is one independent run, and what follows from the runs.
//!
//! Setup times within a run depend on each other, so that only runs count as independent: intervals are those of means
//! over runs (batch means, the batches being runs of their own).
//! Runs become longer from round to round (A. M. Law and J. S. Carson, "A sequential procedure for determining the length of a
//! steady-state simulation", Operations Research 27, 1979, double their batches likewise).

use std::sync::Arc;

use super::setting::Setting;
use super::steady;
use crate::kind::NOBODY;
use crate::stats::estimate;
use crate::stats::of_runs::{EARLY, mean_of_steady_runs, quantile_of_runs, ratio_of_runs_stopped_early, stopped_early};
use crate::stats::poisson::poisson_interval;
use crate::sweep::Phase;
use crate::sweep::plan;
use crate::sweep::plan::{Need, Plan};
use crate::sweep::sampler::{Sampler, each_trial};
use crate::{Cell, CubeCell, Estimate, Experiment, Infeasible, Status, Tally, Task, Version};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{CircuitRun, CircuitTerms, Circuits, Measurement, RunEnd, Window};

/// The first runs are short, so that every curve appears at once; they no longer count when longer ones are in.
pub(crate) const COARSE_RUNS: u64 = 2;

/// The runs of the first round that counts: from some seven values on a rule that stops as soon as the interval is narrow enough does not stop
/// much too early.
const FIRST_RUNS: u64 = 10;

/// The runs of every later round, which are the longer the later it is: near saturation what happens early in a run has its effects
/// for so long that only longer runs say more, and a jam takes its time.
const LATER_RUNS: u64 = 4;

/// The time that is measured in a short run and in one of the first round, in mean transmission times, and the messages that make
/// it longer in small or quiet networks. And the part of it that goes before, as warm-up.
const COARSE: (f64, f64, f64) = (100.0, 4_000.0, 0.5);
const LONG: (f64, f64, f64) = (1_000.0, 100_000.0, 0.25);

/// How many times as long run number `number` is as one of the first round: from there on twice, twice, four times, four times and so
/// on, a round after the other.
fn stretch(number: u64) -> u64 {
    let later = number.saturating_sub(COARSE_RUNS);
    if later < FIRST_RUNS { 1 } else { 2 << ((later - FIRST_RUNS) / LATER_RUNS / 2).min(40) }
}

/// Runs circuits, one run after the other.
pub(crate) struct CircuitSampler {
    cell: CubeCell,
    terms: Option<CircuitTerms>,
    /// The run under way, with its number.
    run: Option<(u64, Box<Measurement>)>,
}

/// What decides the network of circuits at `cell`; `None` for algorithms that set up no circuits.
pub(crate) fn terms(cell: &CubeCell, algorithm: &Algorithm) -> Option<CircuitTerms> {
    let routing = algorithm.circuits()?;
    let Setting { rate, traffic, avail, wait } = *cell.setting.circuit()?;
    Some(CircuitTerms { cube: cell.cube, routing, avail, wait, pattern: traffic, rate, cap: None })
}

/// The network of run number `number`: its messages are the same for every algorithm, and in every phase. `None` if it cannot be built.
pub(crate) fn network(cell: &CubeCell, terms: CircuitTerms, number: u64) -> Option<Circuits> {
    let trial = Phase::index(number);
    Circuits::new(terms, &mut cell.faults_of(trial), cell.trial(trial).child(1)).ok()
}

impl CircuitSampler {
    pub(crate) fn new(cell: CubeCell, algorithm: &Algorithm) -> Self {
        let terms = terms(&cell, algorithm);
        Self { cell, terms, run: None }
    }

    /// Goes on with run number `number` for `budget` events; adds it to `tally` when it is done.
    fn go_on(&mut self, number: u64, tally: &mut Tally, budget: &mut u64) {
        let mut run = match self.run.take() {
            Some((under_way, run)) if under_way == number => run,
            _ => match self.start(number) {
                Some(run) => Box::new(run),
                None => {
                    tally.trials += 1;
                    return;
                }
            },
        };
        let events = std::mem::take(budget);
        match run.run_until(events) {
            None => self.run = Some((number, run)),
            Some(mut found) => {
                // What belongs to single links is watched, not tallied: it would be most of the tally.
                (found.utilization, found.queues) = (Vec::new(), Vec::new());
                if self.cell.version == Version::V1 {
                    found.batches = Vec::new();
                }
                tally.trials += 1;
                tally.circuits_mut().0.push((number, found));
            }
        }
    }

    fn start(&self, number: u64) -> Option<Measurement> {
        let circuits = network(&self.cell, self.terms.clone()?, number)?;
        let rate = circuits.terms().rate;
        Some(Measurement::new(circuits, window(&self.cell, rate, number)))
    }
}

impl Sampler for CircuitSampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        each_trial(task, tally, budget, |number, tally, budget| self.go_on(number, tally, budget))
    }
}

/// What is measured of run number `number`.
pub(super) fn window(cell: &CubeCell, rate: f64, number: u64) -> Window {
    if cell.version >= Version::V2 {
        return steady::window(cell, rate, number);
    }
    let (time, messages, warm_up) = if number < COARSE_RUNS { COARSE } else { LONG };
    let nodes = cell.cube.nodes().map_or(1.0, |nodes| nodes as f64);
    let span = time.max(messages / (rate * nodes)) * stretch(number) as f64;
    Window { from: span * warm_up, until: span * (1.0 + warm_up), batches: 1 }
}

/// The runs that count: the long ones of the last phase, or the short ones while there are no others.
pub(super) fn counted(tally: &Tally) -> &[(u64, CircuitRun)] {
    let runs = tally.circuits().map_or(&[][..], |runs| &runs.0);
    let last = runs.last().map_or(0, |(number, _)| Phase::number_at(*number));
    let is_before = |number: u64| number < COARSE_RUNS || Phase::number_at(number) < last;
    let long = runs.partition_point(|(number, _)| is_before(*number));
    if long < runs.len() { &runs[long..] } else { runs }
}

/// The runs that count, if all of them carried their traffic to the end.
pub(crate) fn runs(tally: &Tally) -> Option<&[(u64, CircuitRun)]> {
    let runs = counted(tally);
    let stable = runs.iter().all(|(_, run)| run.end == RunEnd::Complete);
    (stable && !runs.is_empty()).then_some(runs)
}

/// The mean setup time; `None` when a run collapsed, for then it has no meaning.
pub(crate) fn setup(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    let sums = runs(tally)?.iter().map(|(_, run)| (run.setup, run.completed as f64));
    ratio(cell, &sums.collect::<Vec<_>>(), messages(tally))
}

/// A ratio of sums over runs, behind which are `n` messages.
fn ratio(cell: &Cell, runs: &[(f64, f64)], n: u64) -> Option<Estimate> {
    match cell.version {
        Version::V1 => ratio_of_runs_stopped_early(runs, n),
        Version::V2 => mean_of_steady_runs(runs, n),
    }
}

/// The setup time that a share `q` of the messages does not exceed.
pub(crate) fn quantile(tally: &Tally, cell: &Cell, q: f64) -> Option<Estimate> {
    let found = quantile_of_runs(&runs(tally)?.iter().map(|(_, run)| &run.histogram).collect::<Vec<_>>(), q)?;
    let is_widened = cell.version >= Version::V2;
    Some(if is_widened { stopped_early(found, found.runs as f64, EARLY) } else { found })
}

/// The mean over time of a number that each run has.
pub(crate) fn of_runs(tally: &Tally, cell: &Cell, value: impl Fn(&CircuitRun) -> f64) -> Option<Estimate> {
    let sums = runs(tally)?.iter().map(|(_, run)| (value(run) * run.observed, run.observed));
    ratio(cell, &sums.collect::<Vec<_>>(), messages(tally))
}

/// Transmissions that end, for each node and unit of time; where the network jams, from the beginning of the jam on.
pub(crate) fn throughput(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    let jammed = |(_, run): &(u64, CircuitRun)| match run.end {
        RunEnd::Unstable { since, time, throughput, .. } => Some((throughput * (time - since), time - since)),
        _ => None,
    };
    of_runs(tally, cell, |run| run.throughput).or_else(|| {
        let sums: Vec<_> = counted(tally).iter().filter_map(jammed).collect();
        ratio(cell, &sums, messages(tally))
    })
}

/// Waiting messages per node.
pub(crate) fn backlog(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    of_runs(tally, cell, |run| run.backlog / (run.nodes as f64).max(1.0))
}

/// The share of messages that are refused.
pub(crate) fn refused(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    of_runs(tally, cell, |run| run.refused() as f64 / ((run.refused() + run.generated) as f64).max(1.0))
}

/// All runs, short ones and warm-up included: the jams, and how long the network was watched for one, up to the beginning of each.
fn exposure(tally: &Tally) -> (u64, f64) {
    let runs = tally.circuits().map_or(&[][..], |runs| &runs.0);
    runs.iter().fold((0, 0.0), |(jams, watched), (_, run)| match run.end {
        RunEnd::Unstable { since, .. } => (jams + 1, watched + since),
        _ => (jams, watched + run.time),
    })
}

/// The mean time to collapse, taken as exponential and censored by the ends of the runs: the time watched over the number of jams,
/// with the interval that follows from the exact one of a Poisson number. Infinite, with a lower bound, if none was seen. `None`
/// without runs.
pub(crate) fn collapse(tally: &Tally) -> Option<Estimate> {
    let (jams, watched) = exposure(tally);
    let [low, high] = poisson_interval(jams);
    let runs = tally.circuits().map_or(0, |runs| runs.0.len() as u64);
    let found = Estimate { mean: watched / jams as f64, low: watched / high, high: watched / low, n: jams, runs };
    (watched > 0.0).then_some(found)
}

/// How long the network was watched for a jam.
pub(crate) fn watched(tally: &Tally) -> Option<Estimate> {
    let (n, watched) = exposure(tally);
    // To a whole unit: nobody asks for more of such a sum.
    let watched = libm::round(watched);
    let runs = tally.circuits().map_or(0, |runs| runs.0.len() as u64);
    (runs > 0).then_some(Estimate { mean: watched, low: watched, high: watched, n, runs })
}

/// How often setup times occurred, see [`estimate::distribution`]. Empty where a mean has no meaning.
pub(crate) fn distribution(tally: &Tally) -> Vec<(f64, u64)> {
    estimate::distribution(runs(tally).unwrap_or_default().iter().map(|(_, run)| &run.histogram))
}

/// For each dimension the mean utilization of its up-links and of its down-links. Empty where a mean has no meaning.
pub(crate) fn by_dimension(tally: &Tally, cell: &Cell, dimensions: u8) -> Vec<[Estimate; 2]> {
    let of = |dim: usize, way: usize| of_runs(tally, cell, |run| run.dimensions.get(dim).map_or(0.0, |ways| ways[way]));
    (0..usize::from(dimensions)).filter_map(|dim| Some([of(dim, 0)?, of(dim, 1)?])).collect()
}

/// The utilization of all links, dimensions and directions counting alike.
pub(crate) fn mean_utilization(run: &CircuitRun) -> f64 {
    run.dimensions.iter().flatten().sum::<f64>() / (2 * run.dimensions.len().max(1)) as f64
}

/// The utilization of the dimension and direction in which it is largest.
///
/// From version 2 on one half of the runs chooses these links, and the other measures them, so that noise does not choose what it is
/// measured by (H. van Hasselt, arXiv 1302.7175, 2013).
pub(crate) fn busiest(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    let classes = |run: &CircuitRun| run.dimensions.iter().flatten().copied().collect::<Vec<f64>>();
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let runs = runs(tally)?;
    if cell.version == Version::V1 || runs.len() < 4 {
        return of_runs(tally, cell, |run| largest(&classes(run)));
    }
    let (choosing, measuring) = runs.split_at(runs.len() / 2);
    let add = |sum: Vec<f64>, run: Vec<f64>| sum.iter().zip(&run).map(|(a, b)| a + b).collect();
    let chosen_by = choosing.iter().map(|(_, run)| classes(run)).reduce(add)?;
    let chosen = chosen_by.iter().position(|&value| value == largest(&chosen_by))?;
    let sums = measuring.iter().map(|(_, run)| (classes(run)[chosen] * run.observed, run.observed));
    ratio(cell, &sums.collect::<Vec<_>>(), messages(tally))
}

/// When a point is done: by the mean setup time. Its budget counts messages.
pub(super) const PLAN: Plan = Plan {
    first: |_| COARSE_RUNS,
    fewest: 0,
    coarse: COARSE_RUNS,
    counted: |_| FIRST_RUNS,
    weight: |number| stretch(number) as f64,
    task: (1, 1, 1),
    // Rounds grow by the lengths of their runs, see `next_round`.
    growth: (u64::MAX, u64::MAX),
    most: u64::MAX,
    spent: Some(spent),
    check: check_tally,
    steady: |_, _| true,
    settled: |tally, cell| cell.version == Version::V1 || steady::is_settled(tally, cell),
    need,
};

/// Checks that the faults of a trial leave two live nodes.
pub(super) fn check_trial(cell: &Cell, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
    let cell = CubeCell::of(cell.clone());
    let circuits = cell.and_then(|cell| network(&cell, terms(&cell, algorithm)?, number));
    if circuits.is_some_and(|circuits| circuits.live().count() < 2) { Err(NOBODY.into()) } else { Ok(()) }
}

/// How long the network has been watched without a jam, so that a mean of its good times cannot pass for more.
pub(super) fn remark(tally: &Tally, _: &Cell) -> Option<String> {
    let (jams, watched) = exposure(tally);
    (jams == 0 && watched > 0.0).then(|| format!("no jam in {watched:.0} mean transmission times"))
}

/// Messages completed in all long runs, those of earlier phases included; in the short runs while there are no others.
fn spent(tally: &Tally) -> u64 {
    let runs = tally.circuits().map_or(&[][..], |runs| &runs.0);
    let long = runs.iter().filter(|(number, _)| *number >= COARSE_RUNS);
    let completed: u64 = long.map(|(_, run)| run.completed).sum();
    if completed > 0 { completed } else { messages(tally) }
}

/// Messages completed in the runs that count.
fn messages(tally: &Tally) -> u64 {
    counted(tally).iter().map(|(_, run)| run.completed).sum()
}

/// Checks that no run has deadlocked or jammed. In `coarse` runs jams do not count, because such
/// short runs miss some of them.
pub(super) fn check_tally(tally: &Tally, coarse: bool) -> Result<(), Status> {
    let ended = |kind: fn(&RunEnd) -> bool| counted(tally).iter().any(|(_, run)| kind(&run.end));
    if ended(|end| matches!(end, RunEnd::Deadlock { .. })) {
        return Err(Status::Deadlocked);
    }
    if !coarse && ended(|end| matches!(end, RunEnd::Unstable { .. })) {
        return Err(Status::Unstable);
    }
    Ok(())
}

/// What the interval of the mean setup time asks for, within the budget of messages.
fn need(experiment: &Experiment, cell: &Cell, tally: &Tally) -> Need {
    // Nothing ever had to be set up.
    if runs(tally).is_some() && messages(tally) == 0 {
        return Need::Hopeless;
    }
    let setup = setup(tally, cell);
    if setup.is_some_and(|setup| setup.half_width() <= experiment.within * setup.mean) && !grows(tally, cell) {
        return Need::Met;
    }
    if cell.version >= Version::V2 {
        // All runs of a phase are equally long.
        let made = counted(tally).len() as u64;
        let wanted = plan::runs_wanted(experiment, made, setup).max(made + LATER_RUNS);
        return Need::Trials((tally.trials - made).max(COARSE_RUNS) + wanted);
    }
    next_round(experiment, tally, setup).map_or(Need::Hopeless, Need::Trials)
}

/// Whether fewer transmissions end than messages come, beyond chance and beyond what stopping early would make of it: the messages
/// in the network become more and more, though not enough yet for a jam to be seen.
fn grows(tally: &Tally, cell: &Cell) -> bool {
    let gained = |run: &CircuitRun| run.generated as f64 / run.observed.max(1.0) - run.throughput * run.nodes as f64;
    of_runs(tally, cell, gained).is_some_and(|found| found.mean > 2.0 * found.half_width())
}

/// By how many times the time that is measured grows from one round to the next at most.
const GROWTH: f64 = 3.0;

/// The runs after the next round: as many as should make the interval of the mean setup time narrow enough. `None` if not even one
/// more round is within the budget of messages.
fn next_round(experiment: &Experiment, tally: &Tally, setup: Option<Estimate>) -> Option<u64> {
    let made = tally.trials;
    let length: f64 = (COARSE_RUNS..made).map(|number| stretch(number) as f64).sum();
    let most = length * experiment.trials as f64 / (messages(tally) as f64).max(1.0);
    let wanted = setup.filter(|setup| setup.mean > 0.0 && setup.half_width().is_finite()).map_or(0.0, |setup| {
        let ratio = setup.half_width() / (experiment.within * setup.mean);
        length * ratio * ratio * 1.05
    });
    let (mut goal, mut after) = (made, length);
    loop {
        let round = (LATER_RUNS * stretch(goal)) as f64;
        if after + round > most {
            break;
        }
        (goal, after) = (goal + LATER_RUNS, after + round);
        if after >= wanted.min(GROWTH * length) {
            break;
        }
    }
    (goal > made).then_some(goal)
}
