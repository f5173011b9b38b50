//! Trials of circuits under load, each an independent run, and the estimates from these runs.
//!
//! Setup times within a run depend on each other, so that only runs count as independent. Intervals
//! are those of means over runs (batch means with independent runs as batches). Runs become longer
//! from round to round (A. M. Law and J. S. Carson, "A sequential procedure for determining the
//! length of a steady-state simulation", Operations Research 27, 1979, double their batches
//! likewise).

use std::sync::Arc;

use super::setting::CircuitSetting;
use super::{mesh, steady};
use crate::kind::NO_DESTINATION;
use crate::stats::estimate;
use crate::stats::poisson::poisson_interval;
use crate::stats::run_estimates::{
    EARLY_STOPPING_SHARE, mean_of_steady_runs, quantile_of_runs, ratio_of_runs_stopped_early, widen_for_early_stopping,
};
use crate::sweep::Phase;
use crate::sweep::sampler::{Sampler, each_trial};
use crate::sweep::stopping_rule;
use crate::sweep::stopping_rule::{Demand, StoppingRule};
use crate::{CubePointConfig, Estimate, Experiment, Infeasible, PointConfig, Status, Tally, Task, Version};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{
    CircuitConfig, CircuitEnd, CircuitMeasurement, CircuitNetwork, CircuitRun, CircuitTransitionCounts, CircuitWindow,
    MeasuredCircuits,
};

/// Number of short runs at the start, which make every curve appear quickly. Longer runs replace
/// them.
pub(crate) const COARSE_RUNS: u64 = 2;

/// Number of runs of the first counted round.
///
/// With fewer than about seven values, a rule that stops at the first narrow interval often stops
/// too early.
const FIRST_RUNS: u64 = 10;

/// Number of runs of every later round.
///
/// Later rounds have longer runs. Near saturation, early events have lasting effects and jams need
/// time to form, so only longer runs add information.
const LATER_RUNS: u64 = 4;

/// Length of short runs: the minimum measured time in mean transmission times, the minimum number
/// of messages, and the warm-up as a share of the measured time.
///
/// The minimum number of messages makes runs longer in small or quiet networks.
const COARSE: (f64, f64, f64) = (100.0, 4_000.0, 0.5);
/// Length of the runs of the first round, with the values of [`COARSE`].
const LONG: (f64, f64, f64) = (1_000.0, 100_000.0, 0.25);

/// Setup time from which a message counts as starved, in mean transmission times. Also the end of
/// the operational range (docs/models/circuits.md). A bound between two buckets of the histogram.
const STARVED_SETUP_TIME: f64 = 10.0;

/// Returns the length of run number `number` as a multiple of a run of the first round.
///
/// The factors of the later rounds are 2, 2, 4, 4, 8, 8 and so on.
fn length_factor(number: u64) -> u64 {
    let later = number.saturating_sub(COARSE_RUNS);
    if later < FIRST_RUNS { 1 } else { 2 << ((later - FIRST_RUNS) / LATER_RUNS / 2).min(40) }
}

/// Networks of the runs of one point.
pub(crate) trait RunNetworks: Send {
    /// Network of a run.
    type Network: MeasuredCircuits + Send;

    /// Returns the point.
    fn cell(&self) -> &PointConfig;

    /// Returns the network of run number `number`; `None` if it cannot be built.
    fn network(&self, number: u64) -> Option<Self::Network>;
}

/// Hypercubes of one point.
pub(crate) struct CubeNetworks {
    cell: CubePointConfig,
    config: Option<CircuitConfig>,
}

impl CubeNetworks {
    pub(crate) fn new(cell: CubePointConfig, algorithm: &Algorithm) -> Self {
        let config = config(&cell, algorithm);
        Self { cell, config }
    }
}

impl RunNetworks for CubeNetworks {
    type Network = CircuitNetwork;

    fn cell(&self) -> &PointConfig {
        &self.cell
    }

    fn network(&self, number: u64) -> Option<CircuitNetwork> {
        network(&self.cell, self.config.clone()?, number)
    }
}

/// Sampler that runs circuit networks, one run at a time.
pub(crate) struct CircuitSampler<N: RunNetworks> {
    networks: N,
    /// Current run, with its number.
    run: Option<(u64, Box<CircuitMeasurement<N::Network>>)>,
}

/// Returns the configuration of the circuit network at `cell`; `None` for algorithms that set up no
/// circuits.
pub(crate) fn config(cell: &CubePointConfig, algorithm: &Algorithm) -> Option<CircuitConfig> {
    let routing = algorithm.circuits()?;
    let CircuitSetting { rate, traffic, avail, wait, setup, .. } = cell.setting.circuit()?.clone();
    Some(CircuitConfig { cube: cell.cube, routing, avail, wait, setup, pattern: traffic, rate, cap: None })
}

/// Returns the network of run number `number`; `None` if it cannot be built.
///
/// Messages of a run are the same for every algorithm and in every phase.
pub(crate) fn network(cell: &CubePointConfig, config: CircuitConfig, number: u64) -> Option<CircuitNetwork> {
    let trial = Phase::index(number);
    let mut circuits =
        CircuitNetwork::new(config, &mut cell.fault_pattern_at(trial, 0.0), cell.trial(trial).child(1)).ok()?;
    for time in cell.setting.onsets() {
        circuits.add_onset(time, &mut cell.fault_pattern_at(trial, time)).ok()?;
    }
    Some(circuits)
}

impl<N: RunNetworks> CircuitSampler<N> {
    pub(crate) fn new(networks: N) -> Self {
        Self { networks, run: None }
    }

    /// Continues run number `number` for `budget` events and adds it to `tally` when it is
    /// complete.
    fn advance_run(&mut self, number: u64, tally: &mut Tally, budget: &mut u64) {
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
                // Per-link data is only shown in Watch. Here it would be most of the tally.
                (found.utilization, found.queues) = (Vec::new(), Vec::new());
                if self.networks.cell().version == Version::V1 {
                    found.batches = Vec::new();
                }
                tally.trials += 1;
                tally.circuits_mut().0.push((number, found));
            }
        }
    }

    fn start(&self, number: u64) -> Option<CircuitMeasurement<N::Network>> {
        let (circuits, cell) = (self.networks.network(number)?, self.networks.cell());
        let rate = cell.setting.circuit()?.rate;
        Some(CircuitMeasurement::new(circuits, window(cell, rate, number)))
    }
}

impl<N: RunNetworks> Sampler for CircuitSampler<N> {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        each_trial(task, tally, budget, |number, tally, budget| self.advance_run(number, tally, budget))
    }
}

/// Returns the measurement window of run number `number`.
pub(super) fn window(cell: &PointConfig, rate: f64, number: u64) -> CircuitWindow {
    if cell.version >= Version::V2 {
        return steady::window(cell, rate, number);
    }
    let (time, messages, warm_up) = if number < COARSE_RUNS { COARSE } else { LONG };
    let nodes = node_count(cell);
    let span = time.max(messages / (rate * nodes)) * length_factor(number) as f64;
    CircuitWindow { from: span * warm_up, until: span * (1.0 + warm_up), batches: 1 }
}

/// Returns the number of nodes.
pub(super) fn node_count(cell: &PointConfig) -> f64 {
    cell.network.last_node().0 as f64 + 1.0
}

/// Returns the counted runs: the long ones of the last phase, or the short ones until a long run is
/// complete.
pub(super) fn counted(tally: &Tally) -> &[(u64, CircuitRun)] {
    let runs = tally.circuits().map_or(&[][..], |runs| &runs.0);
    let last = runs.last().map_or(0, |(number, _)| Phase::number_at(*number));
    let is_before = |number: u64| number < COARSE_RUNS || Phase::number_at(number) < last;
    let long = runs.partition_point(|(number, _)| is_before(*number));
    if long < runs.len() { &runs[long..] } else { runs }
}

/// Returns the counted runs; `None` if there are none or if any run ended early.
pub(crate) fn runs(tally: &Tally) -> Option<&[(u64, CircuitRun)]> {
    let runs = counted(tally);
    let stable = runs.iter().all(|(_, run)| run.end == CircuitEnd::Complete);
    (stable && !runs.is_empty()).then_some(runs)
}

/// Returns the mean setup time; `None` if a run collapsed, because the mean is then undefined.
pub(crate) fn setup(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let sums = runs(tally)?.iter().map(|(_, run)| (run.setup, run.completed as f64));
    ratio(cell, &sums.collect::<Vec<_>>(), messages(tally))
}

/// Returns a ratio of sums over runs that contain `n` messages.
fn ratio(cell: &PointConfig, runs: &[(f64, f64)], n: u64) -> Option<Estimate> {
    match cell.version {
        Version::V1 => ratio_of_runs_stopped_early(runs, n),
        Version::V2 => mean_of_steady_runs(runs, n),
    }
}

/// Returns the `q` quantile of the setup times.
pub(crate) fn quantile(tally: &Tally, cell: &PointConfig, q: f64) -> Option<Estimate> {
    let found = quantile_of_runs(&runs(tally)?.iter().map(|(_, run)| &run.histogram).collect::<Vec<_>>(), q)?;
    let is_widened = cell.version >= Version::V2;
    Some(if is_widened { widen_for_early_stopping(found, found.runs as f64, EARLY_STOPPING_SHARE) } else { found })
}

/// Returns the mean over runs of a quantity of each run, weighted by the observed times.
pub(crate) fn of_runs(tally: &Tally, cell: &PointConfig, value: impl Fn(&CircuitRun) -> f64) -> Option<Estimate> {
    let sums = runs(tally)?.iter().map(|(_, run)| (value(run) * run.observed, run.observed));
    ratio(cell, &sums.collect::<Vec<_>>(), messages(tally))
}

/// Returns a mean over the completed messages, of which `sum` returns the sum and the number in a
/// run; `None` if a run collapsed.
pub(crate) fn of_messages(
    tally: &Tally,
    cell: &PointConfig,
    sum: impl Fn(&CircuitRun) -> (f64, u64),
) -> Option<Estimate> {
    let sums: Vec<_> = runs(tally)?.iter().map(|(_, run)| sum(run)).collect();
    let count = sums.iter().map(|(_, count)| count).sum();
    ratio(cell, &sums.into_iter().map(|(sum, count)| (sum, count as f64)).collect::<Vec<_>>(), count)
}

/// Returns the mean over runs of a quantity of the faults that arrive; `None` if none do, or a run
/// collapsed.
pub(crate) fn of_transition(
    tally: &Tally,
    cell: &PointConfig,
    value: impl Fn(&CircuitTransitionCounts) -> f64,
) -> Option<Estimate> {
    let values = runs(tally)?.iter().map(|(_, run)| Some((value(run.transition.as_ref()?), 1.0)));
    ratio(cell, &values.collect::<Option<Vec<_>>>()?, messages(tally))
}

/// Returns a ratio of two sums over the runs of counts of the faults that arrive; `None` if none
/// do, a run collapsed, or the divisor is 0.
pub(crate) fn of_transition_ratio(
    tally: &Tally,
    cell: &PointConfig,
    sums: impl Fn(&CircuitTransitionCounts) -> (f64, u64),
) -> Option<Estimate> {
    let sums: Option<Vec<_>> = runs(tally)?.iter().map(|(_, run)| Some(sums(run.transition.as_ref()?))).collect();
    let (sums, count) = sums.map(|sums| (sums.clone(), sums.iter().map(|(_, count)| count).sum()))?;
    let sums: Vec<_> = sums.into_iter().map(|(sum, count)| (sum, count as f64)).collect();
    (count > 0).then(|| ratio(cell, &sums, count))?
}

/// Returns the mean setup time of the messages of a period around the arrival of faults.
pub(crate) fn setup_in(tally: &Tally, cell: &PointConfig, period: usize) -> Option<Estimate> {
    of_transition_ratio(tally, cell, |found| (found.periods[period].setup, found.periods[period].completed))
}

/// Returns the share of the messages of a period around the arrival of faults that are neither
/// refused nor lost.
pub(crate) fn success_in(tally: &Tally, cell: &PointConfig, period: usize) -> Option<Estimate> {
    let share = of_transition_ratio(tally, cell, |found| {
        let period = found.periods[period];
        ((period.generated - period.refused - period.lost) as f64, period.generated)
    })?;
    Some(Estimate { low: share.low.max(0.0), high: share.high.min(1.0), ..share })
}

/// Returns the share of messages whose setup time is at least [`STARVED_SETUP_TIME`].
pub(crate) fn starved(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let share = of_messages(tally, cell, |run| (run.histogram.count_from(STARVED_SETUP_TIME) as f64, run.completed))?;
    Some(Estimate { low: share.low.max(0.0), high: share.high.min(1.0), ..share })
}

/// Returns the counted runs, each with its throughput and the time for which this was measured. In
/// a jammed network, these are the jammed runs, from the beginning of the jam on.
fn carried(tally: &Tally) -> impl Iterator<Item = (&CircuitRun, f64, f64)> {
    let is_stable = runs(tally).is_some();
    counted(tally).iter().filter_map(move |(_, run)| match run.end {
        CircuitEnd::Complete if is_stable => Some((run, run.throughput, run.observed)),
        CircuitEnd::Unstable { since, time, throughput, .. } => Some((run, throughput, time - since)),
        _ => None,
    })
}

/// Returns the number of transmissions that end per node and unit of time; in a jammed network,
/// from the beginning of the jam on.
pub(crate) fn throughput(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let sums = carried(tally).map(|(_, throughput, time)| (throughput * time, time));
    ratio(cell, &sums.collect::<Vec<_>>(), messages(tally))
}

/// Returns the throughput as a share of the messages that are generated and not refused.
///
/// With drawn faults both vary from run to run, and together. The interval is therefore that of
/// their ratio over runs.
pub(super) fn accepted_share(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let rate = cell.setting.circuit()?.rate;
    let sums =
        carried(tally).map(|(run, throughput, time)| (throughput * time, rate * (1.0 - refused_share(run)) * time));
    ratio(cell, &sums.collect::<Vec<_>>(), messages(tally))
}

/// Returns the number of waiting messages per node.
pub(crate) fn backlog(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    of_runs(tally, cell, |run| run.backlog / (run.nodes as f64).max(1.0))
}

/// Returns the share of messages that are refused.
pub(crate) fn refused(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    of_runs(tally, cell, refused_share)
}

fn refused_share(run: &CircuitRun) -> f64 {
    run.refused() as f64 / ((run.refused() + run.generated) as f64).max(1.0)
}

/// Returns the number of jams and the total time without a jam, over all runs. Short runs and
/// warm-ups are included.
fn jams_and_observed_time(tally: &Tally) -> (u64, f64) {
    let runs = tally.circuits().map_or(&[][..], |runs| &runs.0);
    runs.iter().fold((0, 0.0), |(jams, watched), (_, run)| match run.end {
        CircuitEnd::Unstable { since, .. } => (jams + 1, watched + since),
        _ => (jams, watched + run.time),
    })
}

/// Returns the mean time to collapse, assumed exponential and censored by the ends of the runs;
/// `None` without runs.
///
/// The estimate is the time without a jam over the number of jams. The interval follows from the
/// exact interval of a Poisson number. Without jams the estimate is infinite, with a lower bound.
pub(crate) fn collapse(tally: &Tally) -> Option<Estimate> {
    let (jams, watched) = jams_and_observed_time(tally);
    let [low, high] = poisson_interval(jams);
    let runs = tally.circuits().map_or(0, |runs| runs.0.len() as u64);
    let found = Estimate { mean: watched / jams as f64, low: watched / high, high: watched / low, n: jams, runs };
    (watched > 0.0).then_some(found)
}

/// Returns the total time without a jam.
pub(crate) fn watched(tally: &Tally) -> Option<Estimate> {
    let (n, watched) = jams_and_observed_time(tally);
    // More digits than a whole unit are not meaningful.
    let watched = libm::round(watched);
    let runs = tally.circuits().map_or(0, |runs| runs.0.len() as u64);
    (runs > 0).then_some(Estimate { mean: watched, low: watched, high: watched, n, runs })
}

/// Returns the histogram of setup times, see [`estimate::distribution`]. Empty where the mean is
/// undefined.
pub(crate) fn distribution(tally: &Tally) -> Vec<(f64, u64)> {
    estimate::distribution(runs(tally).unwrap_or_default().iter().map(|(_, run)| &run.histogram))
}

/// Returns the mean utilization of the up-links and of the down-links of each dimension. Empty
/// where the mean is undefined.
pub(crate) fn by_dimension(tally: &Tally, cell: &PointConfig, dimensions: u8) -> Vec<[Estimate; 2]> {
    let of = |dim: usize, way: usize| of_runs(tally, cell, |run| run.dimensions.get(dim).map_or(0.0, |ways| ways[way]));
    (0..usize::from(dimensions)).filter_map(|dim| Some([of(dim, 0)?, of(dim, 1)?])).collect()
}

/// Returns the utilization of all links, with equal weights for all dimensions and directions.
pub(crate) fn mean_utilization(run: &CircuitRun) -> f64 {
    run.dimensions.iter().flatten().sum::<f64>() / (2 * run.dimensions.len().max(1)) as f64
}

/// Returns the utilization of the dimension and direction in which it is largest.
///
/// From version 2 on, half of the runs select these links and the other half measure them. This
/// avoids selection bias (H. van Hasselt, arXiv 1302.7175, 2013).
pub(crate) fn busiest(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
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

/// Stopping rule of a point, based on the mean setup time. Its budget counts messages.
pub(super) const STOPPING_RULE: StoppingRule = StoppingRule {
    first: |_| COARSE_RUNS,
    fewest: 0,
    coarse: COARSE_RUNS,
    counted: |_| FIRST_RUNS,
    weight: |number| length_factor(number) as f64,
    task: (1, 1, 1),
    // Rounds grow by the lengths of their runs, see `next_round`.
    growth: (u64::MAX, u64::MAX),
    max_trials: u64::MAX,
    spent: Some(spent),
    check: check_tally,
    has_mean: |_, _| true,
    has_long_enough_runs: |tally, cell| cell.version == Version::V1 || steady::is_settled(tally, cell),
    need,
};

/// Checks that the faults of a trial leave two live nodes.
pub(super) fn check_trial(cell: &PointConfig, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
    if cell.network.mesh().is_some() {
        return mesh::check_trial(cell, algorithm, number);
    }
    let cell = CubePointConfig::from_point(cell.clone());
    let circuits = cell.and_then(|cell| network(&cell, config(&cell, algorithm)?, number));
    if circuits.is_some_and(|circuits| circuits.live().count() < 2) { Err(NO_DESTINATION.into()) } else { Ok(()) }
}

/// Returns a remark with the time without a jam. The mean of a stable network is valid only for
/// this time.
pub(super) fn remark(tally: &Tally, _: &PointConfig) -> Option<String> {
    let (jams, watched) = jams_and_observed_time(tally);
    (jams == 0 && watched > 0.0).then(|| format!("no jam in {watched:.0} mean transmission times"))
}

/// Returns the number of messages completed in all long runs, including earlier phases; in the
/// counted runs if no long run has completed a message.
fn spent(tally: &Tally) -> u64 {
    let runs = tally.circuits().map_or(&[][..], |runs| &runs.0);
    let long = runs.iter().filter(|(number, _)| *number >= COARSE_RUNS);
    let completed: u64 = long.map(|(_, run)| run.completed).sum();
    if completed > 0 { completed } else { messages(tally) }
}

/// Returns the number of messages completed in the counted runs.
fn messages(tally: &Tally) -> u64 {
    counted(tally).iter().map(|(_, run)| run.completed).sum()
}

/// Checks that no run has deadlocked or jammed. In `coarse` runs jams are ignored, because such
/// short runs miss some of them.
pub(super) fn check_tally(tally: &Tally, coarse: bool) -> Result<(), Status> {
    let ended = |kind: fn(&CircuitEnd) -> bool| counted(tally).iter().any(|(_, run)| kind(&run.end));
    if ended(|end| matches!(end, CircuitEnd::Deadlock { .. })) {
        return Err(Status::Deadlocked);
    }
    if !coarse && ended(|end| matches!(end, CircuitEnd::Unstable { .. })) {
        return Err(Status::Unstable);
    }
    Ok(())
}

/// Returns the trials that the interval of the mean setup time requires, within the budget of
/// messages.
fn need(experiment: &Experiment, cell: &PointConfig, tally: &Tally) -> Demand {
    // No message needed a circuit.
    if runs(tally).is_some() && messages(tally) == 0 {
        return Demand::Unreachable;
    }
    let setup = setup(tally, cell);
    if setup.is_some_and(|setup| setup.half_width() <= experiment.within * setup.mean)
        && !is_backlog_growing(tally, cell)
    {
        return Demand::Satisfied;
    }
    if cell.version >= Version::V2 {
        // All runs of a phase have the same length.
        let made = counted(tally).len() as u64;
        let wanted = stopping_rule::runs_wanted(experiment, made, setup).max(made + LATER_RUNS);
        return Demand::MoreTrials((tally.trials - made).max(COARSE_RUNS) + wanted);
    }
    next_round(experiment, tally, setup).map_or(Demand::Unreachable, Demand::MoreTrials)
}

/// Returns whether significantly fewer transmissions end than messages arrive, even after allowance
/// for early stopping.
///
/// The number of messages in the network then keeps growing, although not enough yet for a jam to
/// be detected.
fn is_backlog_growing(tally: &Tally, cell: &PointConfig) -> bool {
    let gained = |run: &CircuitRun| run.generated as f64 / run.observed.max(1.0) - run.throughput * run.nodes as f64;
    of_runs(tally, cell, gained).is_some_and(|found| found.mean > 2.0 * found.half_width())
}

/// Maximum factor by which the measured time grows from one round to the next.
const GROWTH: f64 = 3.0;

/// Returns the number of runs after the next round, chosen to make the interval of the mean setup
/// time narrow enough.
///
/// `None` if the budget of messages does not allow one more round.
fn next_round(experiment: &Experiment, tally: &Tally, setup: Option<Estimate>) -> Option<u64> {
    let made = tally.trials;
    let length: f64 = (COARSE_RUNS..made).map(|number| length_factor(number) as f64).sum();
    let most = length * experiment.trials as f64 / (messages(tally) as f64).max(1.0);
    let wanted = setup.filter(|setup| setup.mean > 0.0 && setup.half_width().is_finite()).map_or(0.0, |setup| {
        let ratio = setup.half_width() / (experiment.within * setup.mean);
        length * ratio * ratio * 1.05
    });
    let (mut goal, mut after) = (made, length);
    loop {
        let round = (LATER_RUNS * length_factor(goal)) as f64;
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
