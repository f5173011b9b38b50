//! Circuits under load: a trial is one independent run, and what follows from the runs.
//!
//! Setup times within a run depend on each other, so that only runs count as independent: intervals are those of means
//! over runs (batch means, the batches being runs of their own).

use super::estimate::{self, Z, mean_of_runs, quantile_of_runs, ratio_of_runs};
use super::plan::{self, Verdict};
use super::{Cell, CubeCell, Estimate, Experiment, Status, Tally};
use crate::routing::{Algorithm, Criterion};
use crate::switching::{CircuitRun, CircuitTerms, Circuits, Measurement, RunEnd, Window};

/// The first runs are short, so that every curve appears at once; they no longer count when longer ones are in.
pub(super) const COARSE_RUNS: u64 = 2;

/// The long runs of the first round that counts.
const FIRST_RUNS: u64 = 4;

/// The time that is measured in a short and in a long run, in mean transmission times, and the messages that make it
/// longer in small or quiet networks: a collapse that is to be seen takes its time. And the part of it that goes before, as
/// warm-up.
const COARSE: (f64, f64, f64) = (100.0, 4_000.0, 0.5);
const LONG: (f64, f64, f64) = (2_000.0, 200_000.0, 0.125);

/// Runs circuits, one run after the other.
pub(super) struct CircuitSampler {
    cell: CubeCell,
    terms: Option<CircuitTerms>,
    /// The run under way, with its number.
    run: Option<(u64, Box<Measurement>)>,
}

/// What decides the network of circuits at `cell`; `None` for algorithms that set up no circuits.
pub(super) fn terms(experiment: &Experiment, cell: &CubeCell, algorithm: &Algorithm) -> Option<CircuitTerms> {
    let criterion: &'static Criterion = algorithm.criterion()?;
    let Experiment { avail, wait, traffic, .. } = *experiment;
    Some(CircuitTerms { cube: cell.cube, criterion, avail, wait, pattern: traffic, rate: cell.rate, cap: None })
}

/// The network of run number `number`: its messages are the same for every algorithm. `None` if it cannot be built.
pub(super) fn network(cell: &CubeCell, terms: CircuitTerms, number: u64) -> Option<Circuits> {
    Circuits::new(terms, &mut cell.faults_of(number), cell.trial(number).child(1)).ok()
}

impl CircuitSampler {
    pub(super) fn new(experiment: &Experiment, cell: CubeCell, algorithm: &Algorithm) -> Self {
        let terms = terms(experiment, &cell, algorithm);
        Self { cell, terms, run: None }
    }

    /// Goes on with run number `number` for `budget` events; adds it to `tally` when it is done.
    pub(super) fn advance(&mut self, number: u64, tally: &mut Tally, budget: u32) {
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
        match run.run_until(u64::from(budget)) {
            None => self.run = Some((number, run)),
            Some(mut found) => {
                // What belongs to single links is watched, not tallied: it would be most of the tally.
                (found.utilization, found.queues, found.batches) = (Vec::new(), Vec::new(), Vec::new());
                tally.trials += 1;
                tally.runs.push((number, found));
            }
        }
    }

    fn start(&self, number: u64) -> Option<Measurement> {
        let circuits = network(&self.cell, self.terms?, number)?;
        Some(Measurement::new(circuits, window(&self.cell, number)))
    }
}

/// What is measured of run number `number`.
fn window(cell: &CubeCell, number: u64) -> Window {
    let (time, messages, warm_up) = if number < COARSE_RUNS { COARSE } else { LONG };
    let nodes = cell.cube.nodes().map_or(1.0, |nodes| nodes as f64);
    let span = time.max(messages / (cell.rate * nodes));
    Window { from: span * warm_up, until: span * (1.0 + warm_up), batches: 1 }
}

/// The runs that count: the long ones, or the short ones while there are no others.
fn counted(tally: &Tally) -> &[(u64, CircuitRun)] {
    let long = tally.runs.partition_point(|(number, _)| *number < COARSE_RUNS);
    if long < tally.runs.len() { &tally.runs[long..] } else { &tally.runs }
}

/// The runs that count, if all of them carried their traffic to the end.
pub(super) fn runs(tally: &Tally) -> Option<&[(u64, CircuitRun)]> {
    let runs = counted(tally);
    let stable = runs.iter().all(|(_, run)| run.end == RunEnd::Complete);
    (stable && !runs.is_empty()).then_some(runs)
}

/// The mean setup time; `None` when a run collapsed, for then it has no meaning.
pub(super) fn setup(tally: &Tally) -> Option<Estimate> {
    ratio_of_runs(&runs(tally)?.iter().map(|(_, run)| (run.setup, run.completed)).collect::<Vec<_>>())
}

/// The setup time that a share `q` of the messages does not exceed.
pub(super) fn quantile(tally: &Tally, q: f64) -> Option<Estimate> {
    quantile_of_runs(&runs(tally)?.iter().map(|(_, run)| &run.histogram).collect::<Vec<_>>(), q)
}

/// The mean over runs of a number that each has.
pub(super) fn of_runs(tally: &Tally, value: impl Fn(&CircuitRun) -> f64) -> Option<Estimate> {
    let runs = runs(tally)?;
    let messages = runs.iter().map(|(_, run)| run.completed).sum();
    mean_of_runs(&runs.iter().map(|(_, run)| value(run)).collect::<Vec<_>>(), messages)
}

/// Waiting messages per node.
pub(super) fn backlog(tally: &Tally, _cell: &Cell) -> Option<Estimate> {
    of_runs(tally, |run| run.backlog / (run.nodes as f64).max(1.0))
}

/// The share of messages that are refused.
pub(super) fn refused(tally: &Tally) -> Option<Estimate> {
    of_runs(tally, |run| run.refused() as f64 / ((run.refused() + run.generated) as f64).max(1.0))
}

/// The mean time to collapse: the time watched over the number of collapses, with the interval of an exponential time in
/// logarithms. `None` without a collapse.
pub(super) fn collapse(tally: &Tally) -> Option<Estimate> {
    let runs = counted(tally);
    let collapses = runs.iter().filter(|(_, run)| matches!(run.end, RunEnd::Unstable { .. })).count() as u64;
    let watched: f64 = runs.iter().map(|(_, run)| run.time).sum();
    let factor = libm::exp(Z / libm::sqrt(collapses as f64));
    let mean = watched / collapses as f64;
    (collapses > 0).then_some(Estimate { mean, low: mean / factor, high: mean * factor, n: collapses })
}

/// How often setup times occurred, see [`estimate::distribution`]. Empty where a mean has no meaning.
pub(super) fn distribution(tally: &Tally) -> Vec<(f64, u64)> {
    estimate::distribution(runs(tally).unwrap_or_default().iter().map(|(_, run)| &run.histogram))
}

/// For each dimension the mean utilization of its up-links and of its down-links. Empty where a mean has no meaning.
pub(super) fn by_dimension(tally: &Tally, dimensions: u8) -> Vec<[Estimate; 2]> {
    let of = |dim: usize, way: usize| of_runs(tally, |run| run.dimensions.get(dim).map_or(0.0, |ways| ways[way]));
    (0..usize::from(dimensions)).filter_map(|dim| Some([of(dim, 0)?, of(dim, 1)?])).collect()
}

/// The utilization of all links, dimensions and directions counting alike.
pub(super) fn mean_utilization(run: &CircuitRun) -> f64 {
    run.dimensions.iter().flatten().sum::<f64>() / (2 * run.dimensions.len().max(1)) as f64
}

/// The utilization of the dimension and direction in which it is largest.
pub(super) fn busiest_utilization(run: &CircuitRun) -> f64 {
    run.dimensions.iter().flatten().copied().fold(0.0, f64::max)
}

/// Whether a point is done after `goal` runs, or how many it needs.
pub(super) fn judge(experiment: &Experiment, tally: &Tally, goal: u64) -> Verdict {
    let runs = counted(tally);
    let messages: u64 = runs.iter().map(|(_, run)| run.completed).sum();
    let ended = |kind: fn(&RunEnd) -> bool| runs.iter().any(|(_, run)| kind(&run.end));
    if ended(|end| matches!(end, RunEnd::Deadlock { .. })) {
        return Verdict::Ended(Status::Deadlocked);
    }
    if goal <= COARSE_RUNS && messages < experiment.trials {
        return Verdict::Goal(COARSE_RUNS + FIRST_RUNS);
    }
    if ended(|end| matches!(end, RunEnd::Unstable { .. })) {
        return Verdict::Ended(Status::Unstable);
    }
    match setup(tally) {
        Some(setup) if setup.half_width() <= experiment.within * setup.mean => Verdict::Ended(Status::Converged),
        // Nothing ever had to be set up.
        None if runs.is_empty() || messages == 0 => Verdict::Ended(Status::OutOfBudget),
        _ if messages >= experiment.trials => Verdict::Ended(Status::OutOfBudget),
        _ => Verdict::Goal(runs_for(experiment, tally).clamp(goal + goal / 4 + 1, goal * 3)),
    }
}

/// The runs after which the interval of the mean setup time should be narrow enough, within the budget of messages.
pub(super) fn runs_for(experiment: &Experiment, tally: &Tally) -> u64 {
    COARSE_RUNS + plan::runs_wanted(experiment, counted(tally).len() as u64, setup(tally)).max(FIRST_RUNS)
}
