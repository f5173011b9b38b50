//! Worms under load: a trial is one independent run, with a fault set of its own, and what follows from the runs.
//!
//! Latencies within a run depend on each other, and fault sets differ widely: only runs count as independent, and intervals are
//! those of means over runs. Where the faults are the same in all runs, the parts of a single one stand in for runs.

use std::sync::Arc;

use super::steady;
use super::tally::{self, Keep};
use crate::kind::NOBODY;
use crate::stats::estimate;
use crate::stats::of_runs::{EARLY, mean_of_runs, mean_of_steady_runs, quantile_of_runs, ratio_of_runs, stopped_early};
use crate::sweep::Phase;
use crate::sweep::plan;
use crate::sweep::plan::{Need, Plan};
use crate::sweep::sampler::{Sampler, each_trial};
use crate::{Cell, Estimate, Experiment, Infeasible, Status, Tally, Task, Version, WormTally};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{
    InjectionPolicy, WormEnd, WormMeasurement, WormRun, WormTerms, WormWarmUp, WormWindow, Worms,
};
use faultlab_core::traffic::Pair;

/// The first runs are short, so that every curve appears at once; they no longer count when longer ones are in.
pub(crate) const COARSE_RUNS: u64 = 2;

/// The long runs of the first round that counts: with the same faults in all of them, and with a fault set each. Sets differ
/// widely, and a few that happen to be alike must not end a point: the paper took ten.
const FIRST_RUNS: u64 = 4;
const FIRST_SETS: u64 = 12;

/// The warm-up of a long run, in times that a message alone takes across the mesh: 5,000 cycles in a 16 x 16 mesh with 20
/// flits; a short run has a quarter of it. Around faults queues grow slowly: at 90% load and one faulty node and link, f-cube2
/// still delivers 9% more than in the long run in cycles 1,000 to 3,000, and 1% more up to 5,000.
const WARM_UP: u64 = 100;

/// A network of more nodes is asked whether it is steady already (rule MSER-5), and measured as soon as it is; at the latest
/// after the warm-up above.
const LARGE: u64 = 1024;

/// The messages that a long run is to measure, as about 6,000 cycles in a 16 x 16 mesh at 70% load bring; of a fault set among
/// many, fewer: another set says more than a longer run. But at least as long as the warm-up, and within a limit, so that a
/// network without traffic comes to an end.
const MESSAGES: f64 = 13_000.0;
const MESSAGES_OF_A_SET: f64 = 5_000.0;
const MOST_SPANS: u64 = 30;

/// The parts of a run that are counted apart.
const BATCHES: u16 = 6;

/// Runs worms, one run after the other.
pub(crate) struct WormSampler {
    cell: Cell,
    terms: Option<WormTerms>,
    /// The run under way, with its number.
    run: Option<(u64, Box<WormMeasurement>)>,
}

/// What decides the network of worms at `cell`; `None` for algorithms that route none.
pub(crate) fn terms(cell: &Cell, algorithm: &Algorithm) -> Option<WormTerms> {
    Some(cell.setting.worm()?.terms(cell.version, algorithm.worm.clone()?, cell.network.worm_mesh()?))
}

/// The network of run number `number`: its faults and messages are the same for every algorithm, and in every phase. `None` if it cannot be built,
/// or nobody has anybody to send to.
pub(crate) fn network(cell: &Cell, terms: WormTerms, number: u64) -> Option<Worms> {
    let trial = Phase::index(number);
    let faults = cell.blocks(trial).ok()?;
    faults.members().nth(1)?;
    let mut worms = Worms::new(terms, faults, cell.trial(trial).child(1)).ok()?;
    if let Some(messages) = cell.setting.worm()?.traffic.listed() {
        worms.give(messages.iter().map(|message| Pair { from: message.from, to: message.to }));
    }
    Some(worms)
}

impl WormSampler {
    pub(crate) fn new(cell: Cell, algorithm: &Algorithm) -> Self {
        let terms = terms(&cell, algorithm);
        Self { cell, terms, run: None }
    }

    /// Goes on with run number `number` for about `budget` steps, flits that move; adds it to `tally` when it is done.
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
        let cycles = (std::mem::take(budget) / cycle_steps(&self.cell)).max(1);
        match run.run_until(cycles) {
            None => self.run = Some((number, run)),
            Some(found) => {
                tally.trials += 1;
                let keep = Keep { queues: self.has_queues(), channels: keeps_channels(&self.cell) };
                tally.worms_mut().0.push((number, WormTally::new(found, keep)));
            }
        }
    }

    /// Whether messages come for ever and wait for their turn.
    fn has_queues(&self) -> bool {
        let policy = self.terms.as_ref().map(|terms| terms.injection.policy);
        policy == Some(InjectionPolicy::Queue) && !is_listed(&self.cell)
    }

    fn start(&self, number: u64) -> Option<WormMeasurement> {
        let terms = self.terms.clone()?;
        let window = window(&self.cell, &terms, number);
        let worms = network(&self.cell, terms, number)?;
        Some(match is_listed(&self.cell) {
            true => WormMeasurement::of_given(worms, MOST_CYCLES),
            false => WormMeasurement::new(worms, window),
        })
    }
}

impl Sampler for WormSampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        each_trial(task, tally, budget, |number, tally, budget| self.go_on(number, tally, budget))
    }
}

/// The cycles after which messages that are listed are given up.
const MOST_CYCLES: u64 = 1 << 20;

/// Whether the messages are listed, and no others come.
pub(super) fn is_listed(cell: &Cell) -> bool {
    cell.setting.worm().is_some_and(|setting| setting.traffic.listed().is_some())
}

/// Whether all runs have the same faults.
pub(super) fn has_fixed_faults(cell: &Cell) -> bool {
    cell.faults.model == FaultModel::None
}

/// The long runs of the first round that counts.
fn first_runs(cell: &Cell) -> u64 {
    match (has_fixed_faults(cell), cell.version) {
        (false, _) => FIRST_SETS,
        (true, Version::V2) if !is_large(cell) => FIRST_STEADY_RUNS,
        (true, _) => FIRST_RUNS,
    }
}

/// The runs of the first round of version 2 on networks of up to [`LARGE`] nodes with the same faults in all runs. From fewer runs the
/// deviation is known too badly for a rule that stops as soon as it is small.
const FIRST_STEADY_RUNS: u64 = 10;

/// The steps of a cycle: flits that move, and what is looked at though nothing moves.
pub(super) fn cycle_steps(cell: &Cell) -> u64 {
    let load = cell.setting.worm().map_or(0.0, |setting| setting.load.min(1.0));
    ((cell.network.last().0 + 1) as f64 * (0.25 + 2.0 * load)) as u64 + 1
}

/// What is measured of run number `number`.
pub(super) fn window(cell: &Cell, terms: &WormTerms, number: u64) -> WormWindow {
    if cell.version >= Version::V2 {
        return steady::window(cell, terms, number);
    }
    let alone = u64::from(cell.network.diameter()) + u64::from(terms.length);
    let (long, is_short) = (WARM_UP * alone, number < COARSE_RUNS);
    let of = |warm_up, span: u64| WormWindow { warm_up, batches: BATCHES, batch: (span / u64::from(BATCHES)).max(1) };
    let wanted = cycles_for(cell, terms, if has_fixed_faults(cell) { MESSAGES } else { MESSAGES_OF_A_SET });
    if let Some(warm_up) = cell.setting.worm().and_then(|setting| setting.warm_up).map(u64::from) {
        let span = wanted.clamp(warm_up, warm_up.max(MOST_SPANS * long));
        let share = if is_short { 4 } else { 1 };
        return of(WormWarmUp::Fixed(warm_up / share), span / share);
    }
    match (is_large(cell), is_short) {
        (false, true) => of(WormWarmUp::Fixed(long / 4), long / 2),
        (false, false) => of(WormWarmUp::Fixed(long), wanted.clamp(long, MOST_SPANS * long)),
        (true, true) => of(WormWarmUp::Steady { least: alone * 4, most: long / 4 }, (wanted / 4).min(long / 2)),
        (true, false) => of(WormWarmUp::Steady { least: alone * 8, most: long }, wanted.min(MOST_SPANS * long)),
    }
}

/// Whether a network is so large that a run of the full length carries a multiple of the messages that its interval needs. None
/// of the papers has as large ones.
fn is_large(cell: &Cell) -> bool {
    cell.network.last().0 >= LARGE
}

/// The cycles in which about so many messages are generated.
pub(super) fn cycles_for(cell: &Cell, terms: &WormTerms, messages: f64) -> u64 {
    let nodes = (cell.network.last().0 + 1) as f64;
    let rate = cell.network.worm_mesh().map_or(0.0, |mesh| terms.probability(mesh)).min(1.0) * nodes;
    if rate > 0.0 { (messages / rate) as u64 } else { 0 }
}

/// All runs, the short ones included.
fn all(tally: &Tally) -> &[(u64, WormTally)] {
    tally.worms().map_or(&[], |runs| &runs.0)
}

/// The runs that count: the long ones of the last phase, or the short ones while there are no others.
pub(super) fn counted(tally: &Tally) -> &[(u64, WormTally)] {
    let runs = all(tally);
    let last = runs.last().map_or(0, |(number, _)| Phase::number_at(*number));
    let is_before = |number: u64| number < COARSE_RUNS || Phase::number_at(number) < last;
    let long = runs.partition_point(|(number, _)| is_before(*number));
    if long < runs.len() { &runs[long..] } else { runs }
}

/// Returns the number of runs that an estimate counts. Each has a fault set of its own where faults are random.
pub fn counted_runs(tally: &Tally) -> usize {
    counted(tally).len()
}

/// Whether messages of any run came to wait for each other.
pub(super) fn has_deadlocked(tally: &Tally) -> bool {
    all(tally).iter().any(|(_, worms)| matches!(worms.run.end, WormEnd::Deadlock { .. }))
}

/// A run in which what waits grew by more than this share of what was generated, and by a message at every node, was
/// overloaded. Of e-cube on 4 x 4, 8 x 8 and 16 x 16 meshes, eight runs each, it grew by 2% at the most at a load of 0.8, by 2.9 to 10% at
/// 0.9, and by 12 to 20% at 1, which no routing carries.
const MOST_GROWTH: f64 = 0.03;

/// The same of the mean over runs, where its interval lies above it: less, for runs that all grow do not by chance.
const MOST_MEAN_GROWTH: f64 = 0.005;

/// Whether more comes than is carried, so that the latency of a message depends on when one looks. What the network carries then still
/// has a mean.
fn is_overloaded(tally: &Tally, cell: &Cell) -> bool {
    if cell.version >= Version::V2 {
        return steady::is_unstable(tally, cell);
    }
    let runs = counted(tally);
    let grew = |worms: &WormTally| worms.growth * worms.run.generated as f64 >= worms.run.nodes.max(FEWEST_MORE) as f64;
    let mean = || mean_of_runs(&runs.iter().map(|(_, worms)| worms.growth).collect::<Vec<_>>(), delivered(tally));
    runs.iter().any(|(_, worms)| worms.growth > MOST_GROWTH && grew(worms))
        || mean().is_some_and(|mean| mean.low > MOST_MEAN_GROWTH) && runs.iter().any(|(_, worms)| grew(worms))
}

/// In a small network fewer messages that wait than so many may be chance.
const FEWEST_MORE: u64 = 20;

/// The runs that count, if latencies have a mean; none otherwise.
fn with_latencies<'t>(tally: &'t Tally, cell: &Cell) -> &'t [(u64, WormTally)] {
    if is_overloaded(tally, cell) { &[] } else { runs(tally) }
}

/// The runs that count; none if one deadlocked, for then means have no meaning.
fn runs(tally: &Tally) -> &[(u64, WormTally)] {
    if has_deadlocked(tally) { &[] } else { counted(tally) }
}

/// Messages delivered in the runs that count.
fn delivered(tally: &Tally) -> u64 {
    counted(tally).iter().map(|(_, worms)| worms.run.delivered).sum()
}

/// Messages delivered in all long runs, those of earlier phases included; in the short runs while there are no others.
fn spent(tally: &Tally) -> u64 {
    let long = all(tally).iter().filter(|(number, _)| *number >= COARSE_RUNS);
    let delivered: u64 = long.map(|(_, worms)| worms.run.delivered).sum();
    if delivered > 0 { delivered } else { self::delivered(tally) }
}

/// The only run that counts, if its faults are those of every run.
fn only<'t>(tally: &'t Tally, cell: &Cell) -> Option<&'t WormRun> {
    match runs(tally) {
        [(_, only)] if has_fixed_faults(cell) && !is_listed(cell) && cell.version == Version::V1 => Some(&only.run),
        _ => None,
    }
}

/// The mean over runs of a number that each has.
pub(crate) fn of_runs(tally: &Tally, cell: &Cell, value: impl Fn(&WormTally) -> f64) -> Option<Estimate> {
    let values: Vec<_> = runs(tally).iter().map(|(_, worms)| value(worms)).collect();
    match cell.version {
        Version::V1 => mean_of_runs(&values, delivered(tally)),
        Version::V2 => {
            let values: Vec<_> = values.into_iter().map(|value| (value, 1.0)).collect();
            mean_of_steady_runs(&values, delivered(tally))
        }
    }
}

/// The mean over messages of what the runs summed up; or, of the messages generated, the share that the runs counted.
pub(crate) fn of_messages(tally: &Tally, cell: &Cell, sums: impl Fn(&WormRun) -> (u64, u64)) -> Option<Estimate> {
    let sums = runs(tally).iter().map(|(_, worms)| sums(&worms.run));
    if cell.version == Version::V1 {
        return of_sums(sums);
    }
    let messages = sums.clone().map(|(_, messages)| messages).sum();
    let sums: Vec<_> = sums.map(|(sum, messages)| (sum as f64, messages as f64)).collect();
    mean_of_steady_runs(&sums, messages)
}

/// Sums over messages and the numbers of messages, of independent runs or what stands for them.
fn of_sums(sums: impl Iterator<Item = (u64, u64)> + Clone) -> Option<Estimate> {
    let messages = sums.clone().map(|(_, messages)| messages).sum();
    ratio_of_runs(&sums.map(|(sum, messages)| (sum as f64, messages as f64)).collect::<Vec<_>>(), messages)
}

/// The bisection utilization.
pub(crate) fn utilization(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    match only(tally, cell) {
        Some(run) => mean_of_runs(&run.batch_utilizations(), run.delivered),
        None => of_runs(tally, cell, |worms| worms.run.utilization()),
    }
}

/// The cycles until the last of the messages that are listed has arrived.
pub(crate) fn finish(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    let ended = runs(tally).iter().filter(|(_, worms)| worms.run.in_flight == 0 && worms.run.delivered > 0);
    let cycles: Vec<_> = ended.map(|(_, worms)| worms.run.cycles as f64).collect();
    mean_of_runs(&cycles, delivered(tally)).filter(|_| is_listed(cell))
}

/// The mean latency.
pub(crate) fn latency(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    match only(tally, cell) {
        _ if is_overloaded(tally, cell) => None,
        Some(run) => of_sums(run.batches.iter().map(|batch| (batch.latency, batch.delivered))),
        None => of_messages(tally, cell, |run| (run.latency, run.delivered)),
    }
}

/// The latency that a share `q` of the messages does not exceed.
pub(crate) fn quantile(tally: &Tally, cell: &Cell, q: f64) -> Option<Estimate> {
    let runs = with_latencies(tally, cell);
    let found = quantile_of_runs(&runs.iter().map(|(_, worms)| &worms.run.histogram).collect::<Vec<_>>(), q);
    let is_widened = cell.version >= Version::V2;
    found.map(|found| if is_widened { stopped_early(found, runs.len() as f64, EARLY) } else { found })
}

/// The share of time in which the busiest channel carries a flit.
///
/// The largest of many noisy shares is larger than the share of any channel. So from version 2 on the channel is chosen by one half
/// of each run, and measured in the other: among channels that are equally busy that is unbiased, and else too small by less than
/// the noise (H. van Hasselt, "Estimating the maximum expected value: an analysis of (nested) cross-validation and the maximum
/// sample average", arXiv 1302.7175, 2013). With the same faults in all runs, all first halves together choose one channel.
pub(crate) fn busiest(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    let share = |flits: u64, cycles: u64| flits as f64 / (cycles as f64).max(1.0);
    if cell.version == Version::V1 {
        return of_runs(tally, cell, |worms| share(worms.busiest, worms.run.cycles));
    }
    if !keeps_channels(cell) {
        return of_runs(tally, cell, |worms| share(worms.busiest_of_other_half, worms.run.cycles));
    }
    let runs = runs(tally);
    let mut chosen_by = vec![0; runs.first()?.1.channels[0].len()];
    for (_, run) in runs {
        chosen_by.iter_mut().zip(&run.channels[0]).for_each(|(sum, &flits)| *sum += u64::from(flits));
    }
    let channel = tally::busiest(&chosen_by)?;
    of_runs(tally, cell, |worms| {
        let second_half = worms.run.cycles - worms.run.cycles / 2;
        share(worms.channels[1].get(channel).copied().unwrap_or(0).into(), second_half)
    })
}

/// Returns whether tallies keep the flits of every channel: if all runs have the same channels, and these are not too many.
fn keeps_channels(cell: &Cell) -> bool {
    const MOST: u32 = 1 << 14;
    let channels = cell.network.worm_mesh().map_or(0, |mesh| mesh.channels());
    cell.version >= Version::V2 && has_fixed_faults(cell) && !is_listed(cell) && channels <= MOST
}

/// How often latencies occurred, see [`estimate::distribution`]. Empty where a mean has no meaning.
pub(crate) fn distribution(tally: &Tally, cell: &Cell) -> Vec<(f64, u64)> {
    estimate::distribution(with_latencies(tally, cell).iter().map(|(_, worms)| &worms.run.histogram))
}

/// More runs are not made of a point, whatever they bring.
const MOST_RUNS: u64 = 10_000;

/// When a point is done: by the bisection utilization; of listed messages, by the time they take. Its budget counts messages.
pub(super) const PLAN: Plan = Plan {
    first: |_| COARSE_RUNS,
    fewest: 0,
    coarse: COARSE_RUNS,
    counted: first_runs,
    weight: |_| 1.0,
    task: (1, 1, 1),
    growth: (4, 3),
    most: MOST_RUNS,
    spent: Some(spent),
    check: check_tally,
    steady: |tally, cell| !is_overloaded(tally, cell),
    settled: |tally, cell| cell.version == Version::V1 || steady::is_settled(tally, cell),
    need,
};

/// Checks that such faults are found for a trial and that they leave two nodes in the network.
pub(super) fn check_trial(cell: &Cell, _: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
    match cell.blocks(number) {
        Err(why) => Err(format!("faults={}: {why}", cell.faults.model).into()),
        Ok(faults) if faults.members().nth(1).is_none() => Err(NOBODY.into()),
        Ok(_) => Ok(()),
    }
}

/// The remark that listed messages were discarded at their sources, which happens in version 1 alone; `None` if none were.
pub(super) fn remark(tally: &Tally, cell: &Cell) -> Option<String> {
    let run = &counted(tally).first()?.1.run;
    (is_listed(cell) && run.discarded > 0).then(|| {
        let (discarded, all) = (run.discarded, run.generated);
        format!(
            "{discarded} of {all} listed messages were discarded by the injection limit: with v=2 all are delivered"
        )
    })
}

/// Checks that no run has deadlocked and that the network could be built.
fn check_tally(tally: &Tally, _: bool) -> Result<(), Status> {
    if has_deadlocked(tally) {
        return Err(Status::Deadlocked);
    }
    if all(tally).is_empty() { Err(Status::Impossible) } else { Ok(()) }
}

/// The runs after which the interval of the bisection utilization, or of the time that listed messages take, should be narrow enough, within the budget of messages.
fn need(experiment: &Experiment, cell: &Cell, tally: &Tally) -> Need {
    let deciding = if is_listed(cell) { finish } else { utilization };
    let mut deciding = vec![deciding(tally, cell)];
    if cell.version >= Version::V2 && !is_listed(cell) && !is_overloaded(tally, cell) {
        deciding.push(latency(tally, cell));
    }
    let is_narrow = |found: &Estimate| found.half_width() <= experiment.within * found.mean;
    if deciding.iter().all(|found| found.as_ref().is_some_and(is_narrow)) {
        return Need::Met;
    }
    let made = counted(tally).len() as u64;
    let wanted = deciding.into_iter().map(|found| plan::runs_wanted(experiment, made, found)).max().unwrap_or(0);
    // Those of earlier phases are made, too.
    let before = (all(tally).len() as u64 - made).max(COARSE_RUNS);
    Need::Trials(before + wanted.max(first_runs(cell)))
}
