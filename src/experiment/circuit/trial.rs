//! Circuits under load: a trial is one independent run, and what follows from the runs.
//!
//! Setup times within a run depend on each other, so that only runs count as independent: intervals are those of means
//! over runs (batch means, the batches being runs of their own).

use super::setting::Setting;
use crate::experiment::stats::estimate;
use crate::experiment::stats::estimate::{mean_of_runs, quantile_of_runs, ratio_of_runs};
use crate::experiment::stats::student::Z;
use crate::experiment::sweep::plan;
use crate::experiment::sweep::plan::{Need, Plan};
use crate::experiment::sweep::sampler::{Sampler, each_trial};
use crate::experiment::{Cell, CubeCell, Estimate, Experiment, Status, Tally, Task};
use crate::routing::Algorithm;
use crate::switching::{CircuitRun, CircuitTerms, Circuits, Measurement, RunEnd, Window};

/// The first runs are short, so that every curve appears at once; they no longer count when longer ones are in.
pub(crate) const COARSE_RUNS: u64 = 2;

/// The long runs of the first round that counts.
const FIRST_RUNS: u64 = 4;

/// The time that is measured in a short and in a long run, in mean transmission times, and the messages that make it
/// longer in small or quiet networks: a collapse that is to be seen takes its time. And the part of it that goes before, as
/// warm-up.
const COARSE: (f64, f64, f64) = (100.0, 4_000.0, 0.5);
const LONG: (f64, f64, f64) = (2_000.0, 200_000.0, 0.125);

/// Runs circuits, one run after the other.
pub(crate) struct CircuitSampler {
    cell: CubeCell,
    terms: Option<CircuitTerms>,
    /// The run under way, with its number.
    run: Option<(u64, Box<Measurement>)>,
}

/// What decides the network of circuits at `cell`; `None` for algorithms that set up no circuits.
pub(crate) fn terms(cell: &CubeCell, algorithm: &Algorithm) -> Option<CircuitTerms> {
    let criterion = algorithm.criterion()?;
    let Setting { rate, traffic, avail, wait } = *cell.setting.circuit()?;
    Some(CircuitTerms { cube: cell.cube, criterion, avail, wait, pattern: traffic, rate, cap: None })
}

/// The network of run number `number`: its messages are the same for every algorithm. `None` if it cannot be built.
pub(crate) fn network(cell: &CubeCell, terms: CircuitTerms, number: u64) -> Option<Circuits> {
    Circuits::new(terms, &mut cell.faults_of(number), cell.trial(number).child(1)).ok()
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
                (found.utilization, found.queues, found.batches) = (Vec::new(), Vec::new(), Vec::new());
                tally.trials += 1;
                tally.circuits_mut().0.push((number, found));
            }
        }
    }

    fn start(&self, number: u64) -> Option<Measurement> {
        let circuits = network(&self.cell, self.terms?, number)?;
        Some(Measurement::new(circuits, window(&self.cell, self.terms?.rate, number)))
    }
}

impl Sampler for CircuitSampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        each_trial(task, tally, budget, |number, tally, budget| self.go_on(number, tally, budget))
    }
}

/// What is measured of run number `number`.
fn window(cell: &CubeCell, rate: f64, number: u64) -> Window {
    let (time, messages, warm_up) = if number < COARSE_RUNS { COARSE } else { LONG };
    let nodes = cell.cube.nodes().map_or(1.0, |nodes| nodes as f64);
    let span = time.max(messages / (rate * nodes));
    Window { from: span * warm_up, until: span * (1.0 + warm_up), batches: 1 }
}

/// The runs that count: the long ones, or the short ones while there are no others.
fn counted(tally: &Tally) -> &[(u64, CircuitRun)] {
    let runs = tally.circuits().map_or(&[][..], |runs| &runs.0);
    let long = runs.partition_point(|(number, _)| *number < COARSE_RUNS);
    if long < runs.len() { &runs[long..] } else { runs }
}

/// The runs that count, if all of them carried their traffic to the end.
pub(crate) fn runs(tally: &Tally) -> Option<&[(u64, CircuitRun)]> {
    let runs = counted(tally);
    let stable = runs.iter().all(|(_, run)| run.end == RunEnd::Complete);
    (stable && !runs.is_empty()).then_some(runs)
}

/// The mean setup time; `None` when a run collapsed, for then it has no meaning.
pub(crate) fn setup(tally: &Tally) -> Option<Estimate> {
    ratio_of_runs(&runs(tally)?.iter().map(|(_, run)| (run.setup, run.completed)).collect::<Vec<_>>())
}

/// The setup time that a share `q` of the messages does not exceed.
pub(crate) fn quantile(tally: &Tally, q: f64) -> Option<Estimate> {
    quantile_of_runs(&runs(tally)?.iter().map(|(_, run)| &run.histogram).collect::<Vec<_>>(), q)
}

/// The mean over runs of a number that each has.
pub(crate) fn of_runs(tally: &Tally, value: impl Fn(&CircuitRun) -> f64) -> Option<Estimate> {
    let runs = runs(tally)?;
    let messages = runs.iter().map(|(_, run)| run.completed).sum();
    mean_of_runs(&runs.iter().map(|(_, run)| value(run)).collect::<Vec<_>>(), messages)
}

/// Waiting messages per node.
pub(crate) fn backlog(tally: &Tally, _cell: &Cell) -> Option<Estimate> {
    of_runs(tally, |run| run.backlog / (run.nodes as f64).max(1.0))
}

/// The share of messages that are refused.
pub(crate) fn refused(tally: &Tally) -> Option<Estimate> {
    of_runs(tally, |run| run.refused() as f64 / ((run.refused() + run.generated) as f64).max(1.0))
}

/// The mean time to collapse: the time watched over the number of collapses, with the interval of an exponential time in
/// logarithms. `None` without a collapse.
pub(crate) fn collapse(tally: &Tally) -> Option<Estimate> {
    let runs = counted(tally);
    let collapses = runs.iter().filter(|(_, run)| matches!(run.end, RunEnd::Unstable { .. })).count() as u64;
    let watched: f64 = runs.iter().map(|(_, run)| run.time).sum();
    let factor = libm::exp(Z / libm::sqrt(collapses as f64));
    let mean = watched / collapses as f64;
    (collapses > 0).then_some(Estimate { mean, low: mean / factor, high: mean * factor, n: collapses })
}

/// How often setup times occurred, see [`estimate::distribution`]. Empty where a mean has no meaning.
pub(crate) fn distribution(tally: &Tally) -> Vec<(f64, u64)> {
    estimate::distribution(runs(tally).unwrap_or_default().iter().map(|(_, run)| &run.histogram))
}

/// For each dimension the mean utilization of its up-links and of its down-links. Empty where a mean has no meaning.
pub(crate) fn by_dimension(tally: &Tally, dimensions: u8) -> Vec<[Estimate; 2]> {
    let of = |dim: usize, way: usize| of_runs(tally, |run| run.dimensions.get(dim).map_or(0.0, |ways| ways[way]));
    (0..usize::from(dimensions)).filter_map(|dim| Some([of(dim, 0)?, of(dim, 1)?])).collect()
}

/// The utilization of all links, dimensions and directions counting alike.
pub(crate) fn mean_utilization(run: &CircuitRun) -> f64 {
    run.dimensions.iter().flatten().sum::<f64>() / (2 * run.dimensions.len().max(1)) as f64
}

/// The utilization of the dimension and direction in which it is largest.
pub(crate) fn busiest_utilization(run: &CircuitRun) -> f64 {
    run.dimensions.iter().flatten().copied().fold(0.0, f64::max)
}

/// When a point is done: by the mean setup time. Its budget counts messages.
pub(super) const PLAN: Plan = Plan {
    first: |_| COARSE_RUNS,
    fewest: 0,
    coarse: COARSE_RUNS,
    counted: |_| FIRST_RUNS,
    task: (1, 1, 1),
    growth: (4, 3),
    most: u64::MAX,
    spent: Some(messages),
    failed,
    need,
};

/// Messages completed in the runs that count.
fn messages(tally: &Tally) -> u64 {
    counted(tally).iter().map(|(_, run)| run.completed).sum()
}

/// A deadlock ends a point at once; a jam only in the long runs, which a short one may miss.
fn failed(tally: &Tally, coarse: bool) -> Option<Status> {
    let ended = |kind: fn(&RunEnd) -> bool| counted(tally).iter().any(|(_, run)| kind(&run.end));
    if ended(|end| matches!(end, RunEnd::Deadlock { .. })) {
        return Some(Status::Deadlocked);
    }
    (!coarse && ended(|end| matches!(end, RunEnd::Unstable { .. }))).then_some(Status::Unstable)
}

/// The runs after which the interval of the mean setup time should be narrow enough, within the budget of messages.
fn need(experiment: &Experiment, _: &Cell, tally: &Tally) -> Need {
    match setup(tally) {
        Some(setup) if setup.half_width() <= experiment.within * setup.mean => Need::Met,
        // Nothing ever had to be set up.
        None if messages(tally) == 0 => Need::Hopeless,
        setup => {
            let runs = counted(tally).len() as u64;
            Need::Trials(COARSE_RUNS + plan::runs_wanted(experiment, runs, setup).max(FIRST_RUNS))
        }
    }
}
