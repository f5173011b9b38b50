//! Trials of delivery cycles on fat-trees, and the estimates from their tallies. A trial consists
//! of a set of live wires, a message set, and an algorithm that delivers it.

use std::sync::Arc;

use super::setting::{DeliveryDemand, DeliverySetting};
use crate::sweep::sampler::{Sampler, each_trial};
use crate::sweep::stopping_rule;
use crate::sweep::stopping_rule::Demand;
use crate::{Estimate, Experiment, Infeasible, PointConfig, Problem, Status, Tally, Task, proportion};
use faultlab_core::fault::LiveWires;
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::fat_tree::{CycleProof, ScheduleConstants};
use faultlab_core::switching::delivery::{
    DeliveryConfig, DeliveryError, DeliveryOutcome, DeliveryRun, OfflineSchedule,
};
use faultlab_core::theory::fat_tree::{BadSet, Detour, HalvingLoop, LoadFactor, bad_set, check_bad_set};
use faultlab_core::topology::fat_tree::{Leaves, TreeChannels};
use faultlab_core::traffic::MessageSet;

use crate::point_config::algorithm_key;

/// Number of trials in the first round.
pub(super) const FIRST_TRIALS: u64 = 32;

/// Maximum number of cycles of a run: RANDOM with the constants of its proof would take millions.
pub(crate) const MOST_CYCLES: u32 = 1 << 20;

/// Number of processors of the largest tree in which every trial compacts the off-line schedule.
const MAX_OFFLINE: u32 = 1 << 12;

/// Denominator of load factors as integers, which are in units of 2^-20.
const UNIT: u64 = 1 << 20;

/// Trial: the network with its live wires, and the messages.
pub struct DeliveryTrial {
    /// Channels of the fat-tree, with their capacities.
    pub channels: TreeChannels,
    /// Live wires; `None` if all are live.
    pub live: Option<LiveWires>,
    /// Messages to deliver.
    pub messages: MessageSet,
    /// Load factor of the deliverable messages on the live wires.
    pub load_factor: LoadFactor,
    setting: DeliverySetting,
    /// Random key from which the keys of the algorithms derive.
    key: Key,
}

impl DeliveryTrial {
    /// Creates trial number `number` at `cell`, the same for every algorithm; `None` on other
    /// networks. Cost: proportional to messages and channels.
    pub fn new(cell: &PointConfig, number: u64) -> Option<Self> {
        let (leaves, setting) = (cell.network.leaves()?, cell.setting.delivery()?);
        let (channels, trial) = (leaves.channels(&setting.profile).ok()?, cell.trial(number));
        let live = match cell.faults.is_empty() {
            true => None,
            false => Some(LiveWires::from_spec(channels, &cell.faults, Self::wires_key(cell, number))?),
        };
        let messages = messages(leaves, setting, trial.child(1))?;
        let load_factor = match &live {
            Some(live) => LoadFactor::for_live_wires(live, messages.ends()),
            None => LoadFactor::new(&channels, messages.ends()),
        };
        Some(Self { channels, live, messages, load_factor, setting: setting.clone(), key: trial })
    }

    /// Returns the key from which the wires of trial number `number` are sampled.
    pub(super) fn wires_key(cell: &PointConfig, number: u64) -> Key {
        PointConfig::pattern_key(cell.trial(number))
    }

    /// Returns the construction of the messages, if they are Theorem 9's; `leaves` are the
    /// network's processors. Cost: as building the messages.
    pub fn bad_set(&self, leaves: Leaves) -> Option<BadSet> {
        let DeliveryDemand::BadSet(lambda) = self.setting.demand else { return None };
        let tree = leaves.tree(&self.setting.profile)?.ok()?;
        bad_set(tree, lambda, self.setting.policy, self.key.child(1)).ok()
    }

    /// Starts the delivery of the messages by `algorithm`; `None` if the algorithm is not for
    /// fat-trees. Cost: as [`DeliveryTrial::new`].
    pub fn start(&self, algorithm: &Algorithm) -> Option<DeliveryRun> {
        self.start_repetition(algorithm, 0)
    }

    /// Starts repetition number `time`, from 0, of the delivery, each with different random
    /// choices.
    pub fn start_repetition(&self, algorithm: &Algorithm, time: u32) -> Option<DeliveryRun> {
        let DeliverySetting { policy, k1, k2, r, undeliverable, .. } = self.setting;
        let constants = ScheduleConstants::new(k1, k2, r.value_for(&self.channels)).ok()?;
        let scheduler = (algorithm.delivery()?.start)(&constants, self.channels.processors());
        let network =
            DeliveryConfig { live: self.live.clone(), undeliverable, ..DeliveryConfig::new(self.channels, policy) };
        DeliveryRun::new(network, self.messages.clone(), scheduler, self.key_of(algorithm, time)).ok()
    }

    /// Returns whether the live wires can deliver a message, through processor `via` if there is
    /// one. Cost: as [`LiveWires::is_deliverable`].
    pub fn is_deliverable(&self, [from, to]: [u32; 2], via: Option<u32>) -> bool {
        let Some(live) = &self.live else { return true };
        live.is_deliverable(from, via.unwrap_or(to)) && via.is_none_or(|via| live.is_deliverable(via, to))
    }

    /// Returns the random key of a run.
    fn key_of(&self, algorithm: &Algorithm, time: u32) -> Key {
        let key = self.key.child(algorithm_key(algorithm));
        if time == 0 { key } else { key.named("again").child(time.into()) }
    }

    /// Returns the messages through the intermediate processors that `algorithm` selects.
    ///
    /// `None` if the algorithm makes no detour, if messages leave by the root, or if wires are
    /// dead. Cost: a step for each message and channel on its path.
    pub fn detour(&self, algorithm: &Algorithm) -> Option<Detour> {
        let detours = algorithm.delivery()?.proof == CycleProof::Section1;
        let key = DeliveryRun::detour_key(self.key_of(algorithm, 0));
        let whole = self.live.is_none() && !self.messages.has_external_messages();
        (detours && whole).then(|| Detour::new(&self.channels, &self.messages, key))
    }

    /// Returns the off-line schedule from the arrival order of a completed run; `None` with dead
    /// wires and on the second network.
    pub fn schedule(&self, run: &DeliveryRun) -> Option<OfflineSchedule> {
        let ended = self.live.is_none() && matches!(run.outcome(), Some(DeliveryOutcome::Delivered { .. }));
        let arrived = Some(run.arrived()).filter(|_| ended)?;
        OfflineSchedule::compact(&self.channels, &self.messages, arrived)
    }

    /// Returns the number of loops of TRY-GUESS to run for `algorithm`: none except for RANDOM, and
    /// with dead wires.
    fn loops(&self, algorithm: &Algorithm) -> u32 {
        let is_random = algorithm.delivery().is_some_and(|delivery| delivery.proof == CycleProof::Theorem8);
        if is_random && self.live.is_none() { self.setting.loops } else { 0 }
    }

    /// Returns the innermost loop of TRY-GUESS on the messages; `None` on the second network, and
    /// if no message needs a channel.
    fn halving_loop(&self) -> Option<HalvingLoop> {
        let DeliverySetting { policy, k1, k2, r, .. } = self.setting;
        let constants = ScheduleConstants::new(k1, k2, r.value_for(&self.channels)).ok()?;
        HalvingLoop::new(self.channels, &self.messages, policy, &constants).ok()?
    }

    /// Returns the number of schedules to build, the shortest of which counts.
    pub fn schedules(&self) -> u32 {
        self.setting.schedules
    }
}

/// Creates the messages of the setting; `None` if they do not exist on this network.
fn messages(leaves: Leaves, setting: &DeliverySetting, key: Key) -> Option<MessageSet> {
    let n = u64::from(leaves.processors());
    match &setting.demand {
        DeliveryDemand::Pattern(pattern) => MessageSet::new(n, *pattern, key).ok(),
        DeliveryDemand::BadSet(lambda) => {
            let tree = leaves.tree(&setting.profile)?.ok()?;
            bad_set(tree, *lambda, setting.policy, key).ok().map(|bad| bad.messages)
        }
        DeliveryDemand::List(messages) => MessageSet::from_pairs(n, messages).ok(),
    }
}

/// Checks that the network can have the messages of the setting.
pub(crate) fn check_demand(leaves: Leaves, setting: &DeliverySetting) -> Result<(), Problem> {
    let problem = |why: String| Problem::new("traffic", why);
    if leaves.is_second()
        && setting.demand.has_external_messages()
        && !matches!(setting.demand, DeliveryDemand::BadSet(_))
    {
        return Err(problem(DeliveryError::NoExternal.to_string()));
    }
    match &setting.demand {
        DeliveryDemand::Pattern(pattern) => {
            MessageSet::check(leaves.processors().into(), *pattern).map(drop).map_err(|why| problem(why.to_string()))
        }
        DeliveryDemand::BadSet(lambda) => match leaves.tree(&setting.profile) {
            None => Err(problem("Theorem 9 applies to fat-trees, not to the second network".into())),
            Some(Ok(tree)) => check_bad_set(tree, *lambda, setting.policy).map_err(|why| problem(why.to_string())),
            Some(Err(_)) => Ok(()),
        },
        DeliveryDemand::List(messages) => {
            let ends =
                messages.iter().flat_map(|&(from, to)| [Some(from), Some(to).filter(|&to| to != MessageSet::OUT)]);
            let beyond = ends.flatten().find(|&number| number >= leaves.processors());
            beyond.map_or(Ok(()), |number| Err(problem(format!("{number} is not a processor of {leaves}"))))
        }
    }
}

/// Sampler that delivers the messages of one trial at a time.
pub(crate) struct DeliverySampler {
    cell: PointConfig,
    algorithm: Arc<Algorithm>,
    /// Current trial.
    run: Option<TrialInProgress>,
}

/// Trial in progress.
struct TrialInProgress {
    number: u64,
    trial: DeliveryTrial,
    run: Box<DeliveryRun>,
    /// First run, which counts. The current run is then a repetition, for one more off-line
    /// schedule.
    first: Option<Box<DeliveryRun>>,
    /// Number of completed runs.
    ended: u32,
    /// Cycles of the shortest off-line schedule of the completed runs.
    offline: Option<u32>,
    /// Loops of TRY-GUESS; created after the runs, if there are any.
    halving: Option<Box<HalvingLoop>>,
    /// Number of loops run.
    loops: u32,
    /// Number of loops that did not halve the load factor.
    unhalved: u32,
}

impl TrialInProgress {
    /// Starts trial number `number`; `None` if the messages do not exist.
    fn new(cell: &PointConfig, algorithm: &Algorithm, number: u64) -> Option<Self> {
        let trial = DeliveryTrial::new(cell, number)?;
        let run = Box::new(trial.start(algorithm)?);
        Some(Self { number, trial, run, first: None, ended: 0, offline: None, halving: None, loops: 0, unhalved: 0 })
    }

    /// Continues for about `budget` steps, which are subtracted from it. Returns whether the trial
    /// is complete.
    fn advance_trial(&mut self, algorithm: &Algorithm, budget: &mut u64) -> bool {
        if self.halving.is_some() {
            return self.advance_loops(algorithm, budget);
        }
        loop {
            let steps = |run: &DeliveryRun| run.counts().transmissions + run.counts().pseudocode_cycles;
            let before = steps(&self.run);
            while !is_over(&self.run) && steps(&self.run) - before < *budget {
                self.run.step();
            }
            *budget = budget.saturating_sub((steps(&self.run) - before).max(1));
            if !is_over(&self.run) {
                *budget = 0;
                return false;
            }
            self.ended += 1;
            let small = self.trial.channels.processors() <= MAX_OFFLINE;
            let cycles =
                Some(&self.run).filter(|_| small).and_then(|run| self.trial.schedule(run)).map(|it| it.cycles());
            self.offline = self.offline.into_iter().chain(cycles).min();
            // If the first run has no schedule, repetitions have none either.
            let more = self.offline.is_some() && self.ended < self.trial.schedules();
            let Some(next) = self.trial.start_repetition(algorithm, self.ended).filter(|_| more) else {
                return self.advance_loops(algorithm, budget);
            };
            let ended = std::mem::replace(&mut self.run, Box::new(next));
            self.first.get_or_insert(ended);
        }
    }

    /// Runs loops of TRY-GUESS for about `budget` messages, which are subtracted from it. Returns
    /// whether all have been run.
    fn advance_loops(&mut self, algorithm: &Algorithm, budget: &mut u64) -> bool {
        let key = self.trial.key.named("loops");
        while self.loops < self.trial.loops(algorithm) {
            if self.halving.is_none() {
                self.halving = self.trial.halving_loop().map(Box::new);
            }
            let Some(halving) = &mut self.halving else { return true };
            if *budget == 0 {
                return false;
            }
            let found = halving.run(key.child(self.loops.into()));
            *budget = budget.saturating_sub(found.sent + u64::from(self.trial.messages.len()));
            self.loops += 1;
            self.unhalved += u32::from(found.halved_after.is_none());
        }
        true
    }
}

/// Returns whether a run has ended or exceeds the cycle limit.
fn is_over(run: &DeliveryRun) -> bool {
    run.outcome().is_some() || run.cycle() >= MOST_CYCLES
}

impl DeliverySampler {
    pub(crate) fn new(cell: PointConfig, algorithm: Arc<Algorithm>) -> Self {
        Self { cell, algorithm, run: None }
    }

    /// Continues trial number `number` for about `budget` transmissions and cycles, and adds it to
    /// `tally` when it is complete.
    fn advance_run(&mut self, number: u64, tally: &mut Tally, budget: &mut u64) {
        let under_way = self.run.take().filter(|under_way| under_way.number == number);
        let Some(mut trial) = under_way.or_else(|| TrialInProgress::new(&self.cell, &self.algorithm, number)) else {
            tally.trials += 1;
            *budget = budget.saturating_sub(1);
            return;
        };
        if trial.advance_trial(&self.algorithm, budget) {
            tally.trials += 1;
            count(&trial, tally);
        } else {
            self.run = Some(trial);
        }
    }
}

impl Sampler for DeliverySampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        each_trial(task, tally, budget, |number, tally, budget| self.advance_run(number, tally, budget))
    }
}

/// Counts one complete trial.
fn count(done: &TrialInProgress, tally: &mut Tally) {
    let (trial, run) = (&done.trial, done.first.as_ref().unwrap_or(&done.run));
    let (tally, counts) = (tally.deliveries_mut(), run.counts());
    let messages = u64::from(trial.messages.len());
    let load = &trial.load_factor;
    tally.load_factor.add(u64::from(load.load()) * UNIT / u64::from(load.wires()).max(1), UNIT);
    tally.delivered.add(counts.delivered.into(), messages);
    tally.loops += u64::from(done.loops);
    tally.unhalved += u64::from(done.unhalved);
    if !matches!(run.outcome(), Some(DeliveryOutcome::Delivered { .. })) {
        tally.unfinished += 1;
        tally.stuck += u64::from(matches!(run.outcome(), Some(DeliveryOutcome::Stuck { .. })));
        return;
    }
    tally.cycles.add(counts.completion, 1);
    tally.literal.add(counts.pseudocode_cycles, 1);
    tally.busy.add(counts.sending_cycles, 1);
    tally.transmissions.add(counts.transmissions, counts.delivered.into());
    tally.first.add(run.arrived().iter().filter(|&&cycle| cycle == 1).count() as u64, messages);
    if load.load() > 0 {
        let per_load = counts.completion * u64::from(load.wires()) * UNIT / u64::from(load.load());
        tally.per_load.add(per_load, UNIT);
    }
    if let Some(cycles) = done.offline {
        tally.offline.add(cycles.into(), 1);
    }
}

/// Returns the share of the messages that arrive: exactly 1 without dead wires if all runs
/// complete.
pub(crate) fn delivered(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let counts = tally.deliveries()?;
    let certain = cell.faults.is_empty() && counts.unfinished == 0;
    counts.delivered.share().map(|share| if certain { share.as_exact() } else { share })
}

/// Returns the share of runs that did not complete.
pub(crate) fn unfinished(tally: &Tally) -> Option<Estimate> {
    let counts = tally.deliveries()?;
    proportion(counts.unfinished, counts.cycles.trials + counts.unfinished)
}

/// Returns the share of loops of TRY-GUESS that do not halve the load factor; `None` without loops.
pub(crate) fn unhalved(tally: &Tally) -> Option<Estimate> {
    let counts = tally.deliveries()?;
    proportion(counts.unhalved, counts.loops)
}

/// Checks that a trial has messages.
pub(super) fn check_trial(cell: &PointConfig, _: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
    match DeliveryTrial::new(cell, number) {
        Some(trial) if trial.messages.is_empty() => Err("there are no messages".into()),
        _ => Ok(()),
    }
}

/// Returns the reason why runs did not complete, and the number of runs in the means.
pub(super) fn remark(tally: &Tally, _: &PointConfig) -> Option<String> {
    let counts = tally.deliveries().filter(|counts| counts.unfinished > 0)?;
    let (ended, stuck, long) = (counts.cycles.trials, counts.stuck, counts.unfinished - counts.stuck);
    let all = ended + counts.unfinished;
    let stuck = (stuck > 0).then(|| format!("in {stuck} of {all} runs messages are stuck forever"));
    let long = (long > 0).then(|| format!("{long} of {all} runs take more than {MOST_CYCLES} cycles"));
    let means = (ended > 0).then(|| format!("cycles are means over the other {ended} runs"));
    Some(stuck.into_iter().chain(long).chain(means).collect::<Vec<_>>().join("; "))
}

/// Checks that there were messages, and that at least one run completed.
pub(super) fn check_tally(tally: &Tally) -> Result<(), Status> {
    let counts = tally.deliveries().filter(|counts| counts.load_factor.trials > 0).ok_or(Status::Impossible)?;
    if counts.cycles.trials == 0 { Err(Status::Unfinished) } else { Ok(()) }
}

/// Returns the trials required for the intervals of the cycles, as a share of their mean, and of
/// the delivered share.
pub(super) fn need(experiment: &Experiment, cell: &PointConfig, tally: &Tally) -> Demand {
    let within = |estimate, relative| stopping_rule::trials_within(estimate, tally.trials, experiment.within, relative);
    let cycles = tally.deliveries().and_then(|counts| counts.cycles.mean());
    let wanted = within(cycles, true).max(within(delivered(tally, cell), false));
    Demand::from_wanted(wanted, tally.trials)
}
