//! Trials of wormhole switching under load, each an independent run with its own faults, and the
//! estimates from these runs.
//!
//! Latencies within a run depend on each other, and fault sets differ widely. Therefore only runs
//! count as independent, and intervals are those of means over runs. In version 1, the parts of a
//! single run replace runs if the faults never change.

use std::sync::Arc;

use super::steady;
use super::tally::{self, TallyDetail};
use crate::kind::NO_DESTINATION;
use crate::stats::estimate;
use crate::stats::run_estimates::{
    EARLY_STOPPING_SHARE, mean_of_runs, mean_of_steady_runs, quantile_of_runs, ratio_of_runs, widen_for_early_stopping,
};
use crate::sweep::Phase;
use crate::sweep::sampler::{Sampler, each_trial};
use crate::sweep::stopping_rule;
use crate::sweep::stopping_rule::{Demand, StoppingRule};
use crate::{Estimate, Experiment, Infeasible, PointConfig, PointResult, Status, Tally, Task, Version, WormTally};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{
    InjectionPolicy, TransitionCounts, WormEnd, WormMeasurement, WormRun, WormWarmUp, WormWindow, WormholeConfig,
    WormholeNetwork,
};
use faultlab_core::topology::{NodeId, Port, iter_ports};
use faultlab_core::traffic::Pair;

/// Number of short runs at the start, which make every curve appear quickly. Longer runs replace
/// them.
pub(crate) const COARSE_RUNS: u64 = 2;

/// Number of long runs in the first counted round, with the same faults in all of them.
const FIRST_RUNS: u64 = 4;
/// Number of long runs in the first counted round, with different faults in each.
///
/// Fault sets differ widely, and a few similar ones must not end a point: the paper used ten.
const FIRST_SETS: u64 = 12;

/// Warm-up of a long run, as a multiple of the time that a single message takes across the mesh.
///
/// The warm-up is 5,000 cycles in a 16 x 16 mesh with 20 flits, and a quarter of that in a short
/// run. Around faults queues grow slowly. An example is f-cube2 at 90% load with one faulty node
/// and link: it delivers 9% more than in the long run in cycles 1,000 to 3,000, and 1% more up to
/// 5,000.
const WARM_UP: u64 = 100;

/// Number of nodes above which the warm-up ends as soon as a test (rule MSER-5) finds the network
/// steady, at the latest after [`WARM_UP`].
const LARGE: u64 = 1024;

/// Target number of messages in a long run, which corresponds to about 6,000 cycles in a 16 x 16
/// mesh at 70% load.
///
/// A run is at least as long as the warm-up.
const MESSAGES: f64 = 13_000.0;
/// Target number of messages in a long run if every run has different faults.
///
/// The target is smaller than [`MESSAGES`], because another fault set adds more information than a
/// longer run.
const MESSAGES_OF_A_SET: f64 = 5_000.0;
/// Maximum length of a run as a multiple of the longest warm-up, which ends runs of a network
/// without traffic.
const MOST_SPANS: u64 = 30;

/// Number of parts of a run with separate counts.
const BATCHES: u16 = 6;

/// Sampler that runs wormhole networks, one run at a time.
pub(crate) struct WormSampler {
    cell: PointConfig,
    config: Option<WormholeConfig>,
    /// Current run, with its number.
    run: Option<(u64, Box<WormMeasurement>)>,
}

/// Returns the configuration of the wormhole network at `cell`; `None` for algorithms without
/// wormhole routing.
pub(crate) fn config(cell: &PointConfig, algorithm: &Algorithm) -> Option<WormholeConfig> {
    Some(cell.setting.worm()?.config(cell.version, algorithm.worm.clone()?, cell.network.wormhole_mesh()?))
}

/// Returns the network of run number `number`; `None` if it cannot be built, or has fewer than two
/// nodes.
///
/// Faults and messages of a run are the same for every algorithm and in every phase.
pub(crate) fn network(cell: &PointConfig, config: WormholeConfig, number: u64) -> Option<WormholeNetwork> {
    let trial = Phase::index(number);
    let faults = cell.blocks(trial).ok()?;
    let member = faults.members().next()?;
    faults.members().nth(1)?;
    let key = cell.trial(trial).child(1);
    let setting = cell.setting.worm()?;
    let onsets = cell.setting.onsets();
    let first = if onsets.is_empty() { faults } else { cell.blocks_at(trial, 0.0, member).ok()? };
    let mut worms = WormholeNetwork::new(config, first, key).ok()?;
    for cycle in onsets {
        worms.add_onset(cycle as u64, cell.blocks_at(trial, cycle, member).ok()?);
    }
    if let Some(messages) = setting.traffic.listed() {
        worms.add_preset_messages(messages.iter().map(|message| Pair { from: message.from, to: message.to }));
    }
    Some(worms)
}

impl WormSampler {
    pub(crate) fn new(cell: PointConfig, algorithm: &Algorithm) -> Self {
        let config = config(&cell, algorithm);
        Self { cell, config, run: None }
    }

    /// Continues run number `number` for about `budget` flit moves and adds it to `tally` when it
    /// is complete.
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
        let cycles = (std::mem::take(budget) / cycle_steps(&self.cell)).max(1);
        match run.run_until(cycles) {
            None => self.run = Some((number, run)),
            Some(found) => {
                tally.trials += 1;
                let keep = TallyDetail { queues: self.has_queues(), channels: stores_channel_counts(&self.cell) };
                tally.worms_mut().0.push((number, WormTally::new(found, keep)));
            }
        }
    }

    /// Returns whether messages are generated continuously and queue at their sources.
    fn has_queues(&self) -> bool {
        let policy = self.config.as_ref().map(|config| config.injection.policy);
        policy == Some(InjectionPolicy::Queue) && !is_listed(&self.cell)
    }

    fn start(&self, number: u64) -> Option<WormMeasurement> {
        start(&self.cell, self.config.clone()?, number)
    }
}

/// Returns the measurement of run number `number` of `algorithm` at `cell`; `None` if it cannot be
/// built.
pub(super) fn measurement(cell: &PointConfig, algorithm: &Algorithm, number: u64) -> Option<WormMeasurement> {
    start(cell, config(cell, algorithm)?, number)
}

fn start(cell: &PointConfig, config: WormholeConfig, number: u64) -> Option<WormMeasurement> {
    let window = window(cell, &config, number);
    let worms = network(cell, config, number)?;
    Some(match is_listed(cell) {
        true => WormMeasurement::for_preset_messages(worms, MOST_CYCLES),
        false => WormMeasurement::new(worms, window),
    })
}

impl Sampler for WormSampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        each_trial(task, tally, budget, |number, tally, budget| self.advance_run(number, tally, budget))
    }
}

/// Number of cycles after which a run of listed messages is abandoned.
const MOST_CYCLES: u64 = 1 << 20;

/// Returns whether the messages are listed, without any others.
pub(super) fn is_listed(cell: &PointConfig) -> bool {
    cell.setting.worm().is_some_and(|setting| setting.traffic.is_finite())
}

/// Returns whether all runs have the same faults.
pub(super) fn has_fixed_faults(cell: &PointConfig) -> bool {
    cell.faults.model == FaultModel::None
}

/// Returns the number of long runs in the first counted round.
fn first_runs(cell: &PointConfig) -> u64 {
    match (has_fixed_faults(cell), cell.version) {
        (false, _) => FIRST_SETS,
        (true, Version::V2) if !is_large(cell) => FIRST_STEADY_RUNS,
        (true, _) => FIRST_RUNS,
    }
}

/// Number of runs in the first round of version 2, on networks of up to [`LARGE`] nodes with the
/// same faults in all runs.
///
/// Fewer runs determine the deviation too poorly for a rule that stops as soon as it is small.
const FIRST_STEADY_RUNS: u64 = 10;

/// Returns the estimated steps of a cycle: moving flits, and checks without any move.
pub(super) fn cycle_steps(cell: &PointConfig) -> u64 {
    let mesh = cell.network.wormhole_mesh();
    let load = cell.setting.worm().zip(mesh).map_or(0.0, |(setting, mesh)| setting.load_on(mesh).min(1.0));
    ((cell.network.last_node().0 + 1) as f64 * (0.25 + 2.0 * load)) as u64 + 1
}

/// Returns the measurement window of run number `number`.
pub(super) fn window(cell: &PointConfig, config: &WormholeConfig, number: u64) -> WormWindow {
    if cell.version >= Version::V2 {
        return steady::window(cell, config, number);
    }
    let alone = config.time_alone(cell.network.diameter());
    let (long, is_short) = (WARM_UP * alone, number < COARSE_RUNS);
    let of = |warm_up, span: u64| WormWindow { warm_up, batches: BATCHES, batch: (span / u64::from(BATCHES)).max(1) };
    let wanted = cycles_for(cell, config, if has_fixed_faults(cell) { MESSAGES } else { MESSAGES_OF_A_SET });
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

/// Returns whether a network is so large that a run of the full length delivers several times the
/// messages that its interval needs. The networks of the papers are smaller.
fn is_large(cell: &PointConfig) -> bool {
    cell.network.last_node().0 >= LARGE
}

/// Returns the number of cycles in which about `messages` messages are generated.
pub(super) fn cycles_for(cell: &PointConfig, config: &WormholeConfig, messages: f64) -> u64 {
    let nodes = (cell.network.last_node().0 + 1) as f64;
    let rate = cell.network.wormhole_mesh().map_or(0.0, |mesh| config.messages_per_cycle(mesh)) * nodes;
    if rate > 0.0 { (messages / rate) as u64 } else { 0 }
}

/// Returns all runs, including the short ones.
fn all(tally: &Tally) -> &[(u64, WormTally)] {
    tally.worms().map_or(&[], |runs| &runs.0)
}

/// Returns the counted runs: the long ones of the last phase, or the short ones until a long run is
/// complete.
pub(super) fn counted(tally: &Tally) -> &[(u64, WormTally)] {
    let runs = all(tally);
    let last = runs.last().map_or(0, |(number, _)| Phase::number_at(*number));
    let is_before = |number: u64| number < COARSE_RUNS || Phase::number_at(number) < last;
    let long = runs.partition_point(|(number, _)| is_before(*number));
    if long < runs.len() { &runs[long..] } else { runs }
}

/// Returns the number of runs that an estimate counts. If faults are random, each has a different
/// fault set.
pub fn counted_runs(tally: &Tally) -> usize {
    counted(tally).len()
}

/// Returns whether a run ended in a deadlock.
pub(super) fn has_deadlocked(tally: &Tally) -> bool {
    all(tally).iter().any(|(_, worms)| matches!(worms.run.end, WormEnd::Deadlock { .. }))
}

/// Maximum growth of the waiting messages of a run, as a share of those generated, above which the
/// run counts as overloaded.
///
/// The growth must also be at least one message per node. Measurements for e-cube on 4 x 4, 8 x 8
/// and 16 x 16 meshes, with eight runs each:
///
/// - at most 2% at a load of 0.8;
/// - 2.9 to 10% at 0.9;
/// - 12 to 20% at 1, a load that no routing can deliver.
const MOST_GROWTH: f64 = 0.03;

/// Maximum mean growth over runs, which the lower end of its interval must exceed. It is smaller
/// than [`MOST_GROWTH`], because runs do not all grow by chance.
const MOST_MEAN_GROWTH: f64 = 0.005;

/// Returns whether more messages are generated than delivered, so that latencies grow with time.
/// Throughput has a mean even then.
fn is_overloaded(tally: &Tally, cell: &PointConfig) -> bool {
    if cell.version >= Version::V2 {
        return steady::is_unstable(tally, cell);
    }
    let runs = counted(tally);
    let grew = |worms: &WormTally| worms.growth * worms.run.generated as f64 >= worms.run.nodes.max(FEWEST_MORE) as f64;
    let mean = || mean_of_runs(&runs.iter().map(|(_, worms)| worms.growth).collect::<Vec<_>>(), delivered(tally));
    runs.iter().any(|(_, worms)| worms.growth > MOST_GROWTH && grew(worms))
        || mean().is_some_and(|mean| mean.low > MOST_MEAN_GROWTH) && runs.iter().any(|(_, worms)| grew(worms))
}

/// Minimum growth in messages. A smaller growth may be chance in a small network.
const FEWEST_MORE: u64 = 20;

/// Returns the counted runs if latencies have a mean; none otherwise.
fn with_latencies<'t>(tally: &'t Tally, cell: &PointConfig) -> &'t [(u64, WormTally)] {
    if is_overloaded(tally, cell) { &[] } else { runs(tally) }
}

/// Returns the counted runs; none if a run deadlocked, because means are then undefined.
fn runs(tally: &Tally) -> &[(u64, WormTally)] {
    if has_deadlocked(tally) { &[] } else { counted(tally) }
}

/// Returns the number of messages delivered in the counted runs.
fn delivered(tally: &Tally) -> u64 {
    counted(tally).iter().map(|(_, worms)| worms.run.delivered).sum()
}

/// Returns the number of messages delivered in all long runs, including earlier phases; in the
/// counted runs if no long run has delivered a message.
fn spent(tally: &Tally) -> u64 {
    let long = all(tally).iter().filter(|(number, _)| *number >= COARSE_RUNS);
    let delivered: u64 = long.map(|(_, worms)| worms.run.delivered).sum();
    if delivered > 0 { delivered } else { self::delivered(tally) }
}

/// Returns the only counted run, if all runs have the same faults; `None` otherwise, and from
/// version 2 on.
fn only<'t>(tally: &'t Tally, cell: &PointConfig) -> Option<&'t WormRun> {
    match runs(tally) {
        [(_, only)] if has_fixed_faults(cell) && !is_listed(cell) && cell.version == Version::V1 => Some(&only.run),
        _ => None,
    }
}

/// Returns the mean over runs of a quantity of each run.
pub(crate) fn of_runs(tally: &Tally, cell: &PointConfig, value: impl Fn(&WormTally) -> f64) -> Option<Estimate> {
    let values: Vec<_> = runs(tally).iter().map(|(_, worms)| value(worms)).collect();
    match cell.version {
        Version::V1 => mean_of_runs(&values, delivered(tally)),
        Version::V2 => {
            let values: Vec<_> = values.into_iter().map(|value| (value, 1.0)).collect();
            mean_of_steady_runs(&values, delivered(tally))
        }
    }
}

/// Returns the mean over runs of a count of the transition; `None` if faults exist from the start.
pub(crate) fn of_transition(
    tally: &Tally,
    cell: &PointConfig,
    count: impl Fn(&TransitionCounts) -> u64,
) -> Option<Estimate> {
    counted(tally).first()?.1.run.transition?;
    of_runs(tally, cell, |worms| worms.run.transition.as_ref().map_or(0.0, |found| count(found) as f64))
}

/// Returns the ratio of two sums over messages, for example a mean over the delivered messages or a
/// share of the generated ones.
pub(crate) fn of_messages(
    tally: &Tally,
    cell: &PointConfig,
    sums: impl Fn(&WormRun) -> (u64, u64),
) -> Option<Estimate> {
    let sums = runs(tally).iter().map(|(_, worms)| sums(&worms.run));
    if cell.version == Version::V1 {
        return of_sums(sums);
    }
    let messages = sums.clone().map(|(_, messages)| messages).sum();
    let sums: Vec<_> = sums.map(|(sum, messages)| (sum as f64, messages as f64)).collect();
    mean_of_steady_runs(&sums, messages)
}

/// Returns the mean energy of a delivered message of h hops: for each flit h + 1 routers, h writes
/// into buffers and h links.
pub(super) fn energy(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let setting = cell.setting.worm()?;
    let (hop, first) = setting.energy.per_hop();
    let sums: Vec<_> = runs(tally)
        .iter()
        .map(|(_, worms)| {
            let flits = &worms.run.message_flits;
            (hop * flits.hops as f64 + first * flits.delivered as f64, worms.run.delivered as f64)
        })
        .collect();
    let messages = runs(tally).iter().map(|(_, worms)| worms.run.delivered).sum();
    if cell.version == Version::V1 { ratio_of_runs(&sums, messages) } else { mean_of_steady_runs(&sums, messages) }
}

/// Returns the share of the generated messages that are delivered, without those lost at faults.
pub(super) fn accepted_share(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    match only(tally, cell) {
        Some(run) => {
            of_sums(run.batches.iter().map(|batch| (batch.delivered, batch.generated.saturating_sub(batch.lost))))
        }
        None => of_messages(tally, cell, |run| (run.delivered, run.generated.saturating_sub(run.lost))),
    }
}

/// Returns the ratio of sums over messages and numbers of messages, from independent runs or parts
/// that replace them.
fn of_sums(sums: impl Iterator<Item = (u64, u64)> + Clone) -> Option<Estimate> {
    let messages = sums.clone().map(|(_, messages)| messages).sum();
    ratio_of_runs(&sums.map(|(sum, messages)| (sum as f64, messages as f64)).collect::<Vec<_>>(), messages)
}

/// Returns the bisection utilization.
pub(crate) fn utilization(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    match only(tally, cell) {
        Some(run) => mean_of_runs(&run.batch_utilizations(), run.delivered),
        None => of_runs(tally, cell, |worms| worms.run.utilization()),
    }
}

/// Returns the number of cycles until the last of the listed messages has arrived.
pub(crate) fn finish(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let ended = runs(tally)
        .iter()
        .filter(|(_, worms)| worms.run.in_flight == 0 && worms.run.delivered > 0 && worms.run.cycles < MOST_CYCLES);
    let cycles: Vec<_> = ended.map(|(_, worms)| worms.run.cycles as f64).collect();
    mean_of_runs(&cycles, delivered(tally)).filter(|_| is_listed(cell))
}

/// Returns the number of scheduled messages that never start; `None` without a schedule.
pub(crate) fn unstarted(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    cell.setting.worm()?.traffic.schedule()?;
    of_runs(tally, cell, |worms| worms.run.unstarted as f64)
}

/// Returns the mean latency.
pub(crate) fn latency(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    match only(tally, cell) {
        _ if is_overloaded(tally, cell) => None,
        Some(run) => of_sums(run.batches.iter().map(|batch| (batch.latency, batch.delivered))),
        None => of_messages(tally, cell, |run| (run.latency, run.delivered)),
    }
}

/// Returns the `q` quantile of the latencies.
pub(crate) fn quantile(tally: &Tally, cell: &PointConfig, q: f64) -> Option<Estimate> {
    let runs = with_latencies(tally, cell);
    let found = quantile_of_runs(&runs.iter().map(|(_, worms)| &worms.run.histogram).collect::<Vec<_>>(), q);
    let is_widened = cell.version >= Version::V2;
    found.map(
        |found| {
            if is_widened { widen_for_early_stopping(found, runs.len() as f64, EARLY_STOPPING_SHARE) } else { found }
        },
    )
}

/// Returns the share of time in which the busiest channel carries a flit.
///
/// The largest of many noisy shares is larger than the share of any channel. From version 2 on, one
/// half of each run therefore selects the channel and the other measures it. Among equally busy
/// channels the result is unbiased; otherwise the result is too small by less than the noise (H.
/// van Hasselt, "Estimating the maximum expected value: an analysis of (nested) cross-validation
/// and the maximum sample average", arXiv 1302.7175, 2013). With the same faults in all runs, all
/// first halves together select one channel.
pub(crate) fn busiest(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let share = |flits: u64, cycles: u64| flits as f64 / (cycles as f64).max(1.0);
    if cell.version == Version::V1 {
        return of_runs(tally, cell, |worms| share(worms.busiest, worms.run.cycles));
    }
    if !stores_channel_counts(cell) {
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

/// Maximum number of channels whose flits tallies keep.
const MOST_CHANNELS: u32 = 1 << 14;

/// Returns whether tallies keep the flits of every channel: if all runs have the same channels, and
/// not too many channels.
fn stores_channel_counts(cell: &PointConfig) -> bool {
    missing_channel_counts(cell).is_none()
}

/// Returns the reason why tallies do not keep the flits of every channel, with what to do about it;
/// `None` if they do.
fn missing_channel_counts(cell: &PointConfig) -> Option<String> {
    let channels = cell.network.wormhole_mesh().map_or(0, |mesh| mesh.channel_table_size());
    if cell.version < Version::V2 {
        return Some("channels are counted from v=2 on; add v=2".into());
    }
    if !has_fixed_faults(cell) {
        let model = &cell.faults.model;
        return Some(format!(
            "with faults={model} every run has other channels; list the faults instead: faults=none&break=..."
        ));
    }
    if is_listed(cell) {
        return Some("listed messages make no steady traffic; use a pattern, such as traffic=uniform".into());
    }
    (channels > MOST_CHANNELS)
        .then(|| format!("the network has {channels} channels; at most {MOST_CHANNELS} are counted one by one"))
}

/// Checks that the runs of an experiment count the flits of every channel.
///
/// # Errors
///
/// Returns the reason why they do not, and what to do about it.
pub fn check_channels(experiment: &Experiment) -> Result<(), String> {
    if experiment.setting.worm().is_none() {
        let kind = experiment.kind().id;
        return Err(format!("switch={kind} has no channels that flits cross; accepted: switch=wormhole"));
    }
    missing_channel_counts(&PointConfig::new(experiment, None)).map_or(Ok(()), Err)
}

/// Share of time in which a channel carries a flit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelEstimate {
    /// Node that the channel leaves.
    pub from: NodeId,
    /// Node that the channel enters.
    pub to: NodeId,
    /// Port by which the channel leaves its node.
    pub port: Port,
    /// Share of time, estimated over the runs of the point.
    pub utilization: Estimate,
}

/// Returns the utilization of every live channel of a point, by node and port; empty for points
/// whose tallies do not count channels, and for points without a mean.
pub fn channel_estimates(point: &PointResult) -> Vec<ChannelEstimate> {
    let (tally, cell) = (&point.tally, &point.config);
    let faults = cell.blocks(0).ok().filter(|_| stores_channel_counts(cell));
    let Some(faults) = faults else { return Vec::new() };
    let mesh = faults.mesh();
    let estimate = |channel: u32| {
        let (from, port) = mesh.channel_ends(channel);
        let to = mesh.neighbor(from, port).filter(|_| faults.is_open(from, port))?;
        let flits = |worms: &WormTally| {
            let halves = worms.channels.iter().filter_map(|half| half.get(channel as usize));
            halves.map(|&flits| f64::from(flits)).sum::<f64>() / (worms.run.cycles as f64).max(1.0)
        };
        let utilization = of_runs(tally, cell, flits)?;
        Some(ChannelEstimate { from, to, port, utilization })
    };
    (0..mesh.channel_table_size()).filter_map(estimate).collect()
}

/// Flits per cycle that enter and leave a node by its channels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeEstimate {
    /// Node.
    pub node: NodeId,
    /// Flits that enter the node by channels, per cycle, estimated over the runs of the point.
    pub entering: Estimate,
    /// Flits that leave the node by channels, per cycle.
    pub leaving: Estimate,
}

/// Returns the flits of every live node of a point, by node; empty where [`channel_estimates`] is.
pub fn node_estimates(point: &PointResult) -> Vec<NodeEstimate> {
    let (tally, cell) = (&point.tally, &point.config);
    let faults = cell.blocks(0).ok().filter(|_| stores_channel_counts(cell));
    let Some(faults) = faults else { return Vec::new() };
    let mesh = faults.mesh();
    let per_cycle = |channels: &[u32]| {
        let flits = |worms: &WormTally| {
            let count =
                |channel: &u32| worms.channels.iter().filter_map(|half| half.get(*channel as usize)).sum::<u32>();
            channels.iter().map(|channel| f64::from(count(channel))).sum::<f64>() / (worms.run.cycles as f64).max(1.0)
        };
        of_runs(tally, cell, flits)
    };
    let estimate = |node: NodeId| {
        let ports = || iter_ports(faults.open_ports(node));
        let leaving: Vec<_> = ports().map(|port| mesh.channel(node, port)).collect();
        let entering = ports().filter_map(|port| Some(mesh.channel(mesh.neighbor(node, port)?, port.opposite())));
        let entering = per_cycle(&entering.collect::<Vec<_>>())?;
        Some(NodeEstimate { node, entering, leaving: per_cycle(&leaving)? })
    };
    mesh.iter_nodes().filter(|&node| !faults.is_faulty(node)).filter_map(estimate).collect()
}

/// Returns the histogram of latencies, see [`estimate::distribution`]. Empty where the mean is
/// undefined.
pub(crate) fn distribution(tally: &Tally, cell: &PointConfig) -> Vec<(f64, u64)> {
    estimate::distribution(with_latencies(tally, cell).iter().map(|(_, worms)| &worms.run.histogram))
}

/// Maximum number of runs of a point.
const MOST_RUNS: u64 = 10_000;

/// Stopping rule of a point, based on the bisection utilization; for listed messages, on their
/// finish time. Its budget counts messages.
pub(super) const STOPPING_RULE: StoppingRule = StoppingRule {
    first: |_| COARSE_RUNS,
    fewest: 0,
    coarse: COARSE_RUNS,
    counted: first_runs,
    weight: |_| 1.0,
    task: (1, 1, 1),
    growth: (4, 3),
    max_trials: MOST_RUNS,
    spent: Some(spent),
    check: check_tally,
    has_mean: |tally, cell| !is_overloaded(tally, cell),
    has_long_enough_runs: |tally, cell| cell.version == Version::V1 || steady::is_settled(tally, cell),
    need,
};

/// Checks that the faults of a trial exist and that they leave two nodes in the network.
pub(super) fn check_trial(cell: &PointConfig, _: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
    match cell.blocks(number) {
        Err(why) => Err(format!("faults={}: {why}", cell.faults.model).into()),
        Ok(faults) if faults.members().nth(1).is_none() => Err(NO_DESTINATION.into()),
        Ok(_) => Ok(()),
    }
}

/// Returns the remark that messages of a schedule never start, or that sources discarded listed
/// messages, which happens only in version 1; `None` if there are none.
pub(super) fn remark(tally: &Tally, cell: &PointConfig) -> Option<String> {
    let run = &counted(tally).first()?.1.run;
    if run.unstarted > 0 {
        let (unstarted, lost, all) = (run.unstarted, run.lost, run.generated + run.unstarted);
        return Some(match run.cycles {
            MOST_CYCLES.. => format!("after {MOST_CYCLES} cycles, {unstarted} of {all} messages had not started"),
            _ => format!("{unstarted} of {all} messages never start: they depend on {lost} that were lost"),
        });
    }
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

/// Returns the number of runs that the intervals require, within the budget of messages.
///
/// The intervals are those of the bisection utilization and, from version 2 on, of the latency; for
/// listed messages, of their finish time.
fn need(experiment: &Experiment, cell: &PointConfig, tally: &Tally) -> Demand {
    let deciding = if is_listed(cell) { finish } else { utilization };
    let mut deciding = vec![deciding(tally, cell)];
    if cell.version >= Version::V2 && !is_listed(cell) && !is_overloaded(tally, cell) {
        deciding.push(latency(tally, cell));
    }
    let is_narrow = |found: &Estimate| found.half_width() <= experiment.within * found.mean;
    if deciding.iter().all(|found| found.as_ref().is_some_and(is_narrow)) {
        return Demand::Satisfied;
    }
    let made = counted(tally).len() as u64;
    let wanted =
        deciding.into_iter().map(|found| stopping_rule::runs_wanted(experiment, made, found)).max().unwrap_or(0);
    // Earlier phases count too.
    let before = (all(tally).len() as u64 - made).max(COARSE_RUNS);
    Demand::MoreTrials(before + wanted.max(first_runs(cell)))
}
