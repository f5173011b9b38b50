//! Delivery cycles of fat-trees: trials, and what follows from their tallies. A trial is a set of live wires, a message set, and
//! an algorithm that delivers it.

use std::sync::Arc;

use super::setting::{DeliveryDemand, Setting};
use crate::sweep::plan;
use crate::sweep::plan::Need;
use crate::sweep::sampler::{Sampler, each_trial};
use crate::{Cell, Estimate, Experiment, Infeasible, Problem, Status, Tally, Task, proportion};
use faultlab_core::fault::LiveWires;
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::fat_tree::{CycleProof, ScheduleTerms};
use faultlab_core::switching::delivery::{Delivery, DeliveryError, DeliveryOutcome, DeliveryTerms, OfflineSchedule};
use faultlab_core::theory::fat_tree::{BadSet, Detour, LoadFactor, bad_set, check_bad_set};
use faultlab_core::topology::fat_tree::{Leaves, TreeChannels};
use faultlab_core::traffic::MessageSet;

use crate::cell::series_number;

/// The first round of trials.
pub(super) const FIRST_TRIALS: u64 = 32;

/// A run that takes longer is given up: RANDOM with the constants of its proof would take millions.
pub(crate) const MOST_CYCLES: u32 = 1 << 20;

/// The largest tree in which the off-line schedule is compacted in every trial.
const MAX_OFFLINE: u32 = 1 << 12;

/// A load factor as a whole number: in units of 2^-20.
const UNIT: u64 = 1 << 20;

/// One trial: the network with its live wires, the messages, an algorithm about to start.
pub struct DeliveryTrial {
    /// The channels.
    pub channels: TreeChannels,
    /// The wires that are live; `None` if all are.
    pub live: Option<LiveWires>,
    /// The messages.
    pub messages: MessageSet,
    /// Their load factor, those that can arrive on the wires that are live.
    pub load_factor: LoadFactor,
    setting: Setting,
    /// What the algorithms' keys are made of.
    key: Key,
}

impl DeliveryTrial {
    /// Trial number `number` at `cell`, the same for every algorithm; `None` on other networks. Cost: as the messages and the
    /// channels.
    pub fn new(cell: &Cell, number: u64) -> Option<Self> {
        let (leaves, setting) = (cell.network.leaves()?, cell.setting.delivery()?);
        let (channels, trial) = (leaves.channels(&setting.profile).ok()?, cell.trial(number));
        let live = match cell.faults.is_none() {
            true => None,
            false => Some(LiveWires::of(channels, &cell.faults, Self::wires_key(cell, number))?),
        };
        let messages = messages(leaves, setting, trial.child(1))?;
        let load_factor = match &live {
            Some(live) => LoadFactor::on_live(live, messages.ends()),
            None => LoadFactor::of(&channels, messages.ends()),
        };
        Some(Self { channels, live, messages, load_factor, setting: setting.clone(), key: trial })
    }

    /// What the wires of trial number `number` are drawn from.
    pub(super) fn wires_key(cell: &Cell, number: u64) -> Key {
        Cell::pattern_key(cell.trial(number))
    }

    /// How the messages were built, if they are Theorem 9's; `leaves` are those of the network. Cost: as building them.
    pub fn bad_set(&self, leaves: Leaves) -> Option<BadSet> {
        let DeliveryDemand::BadSet(lambda) = self.setting.demand else { return None };
        let tree = leaves.tree(&self.setting.profile)?.ok()?;
        bad_set(tree, lambda, self.setting.policy, self.key.child(1)).ok()
    }

    /// `algorithm` about to deliver the messages; `None` if it is none of fat-trees. Cost: as [`DeliveryTrial::new`].
    pub fn start(&self, algorithm: &Algorithm) -> Option<Delivery> {
        self.start_again(algorithm, 0)
    }

    /// The same for the time of this number with other chances, from 0.
    pub fn start_again(&self, algorithm: &Algorithm, time: u32) -> Option<Delivery> {
        let Setting { policy, k1, k2, r, undeliverable, .. } = self.setting;
        let terms = ScheduleTerms::new(k1, k2, r.on(&self.channels)).ok()?;
        let scheduler = (algorithm.delivery()?.start)(&terms, self.channels.processors());
        let network =
            DeliveryTerms { live: self.live.clone(), undeliverable, ..DeliveryTerms::new(self.channels, policy) };
        Delivery::new(network, self.messages.clone(), scheduler, self.key_of(algorithm, time)).ok()
    }

    /// Whether the live wires let a message arrive, if it goes by way of a processor by way of that one. Cost: as
    /// [`LiveWires::is_deliverable`].
    pub fn arrives(&self, [from, to]: [u32; 2], via: Option<u32>) -> bool {
        let Some(live) = &self.live else { return true };
        live.is_deliverable(from, via.unwrap_or(to)) && via.is_none_or(|via| live.is_deliverable(via, to))
    }

    /// What the chances of a run are made of.
    fn key_of(&self, algorithm: &Algorithm, time: u32) -> Key {
        let key = self.key.child(series_number(algorithm));
        if time == 0 { key } else { key.named("again").child(time.into()) }
    }

    /// The messages by way of the intermediate processors to which `algorithm` sends them; `None` if it makes no detour,
    /// and where messages leave by the root or wires are dead. Cost: a step for each message and channel on its path.
    pub fn detour(&self, algorithm: &Algorithm) -> Option<Detour> {
        let detours = algorithm.delivery()?.proof == CycleProof::Section1;
        let key = Delivery::detour_of(self.key_of(algorithm, 0));
        let whole = self.live.is_none() && !self.messages.leaves();
        (detours && whole).then(|| Detour::of(&self.channels, &self.messages, key))
    }

    /// The off-line schedule that comes of the order of a run that has ended; `None` with dead wires and of the second
    /// network.
    pub fn schedule(&self, run: &Delivery) -> Option<OfflineSchedule> {
        let ended = self.live.is_none() && matches!(run.outcome(), Some(DeliveryOutcome::Delivered { .. }));
        let arrived = Some(run.arrived()).filter(|_| ended)?;
        OfflineSchedule::compacted(&self.channels, &self.messages, arrived)
    }

    /// How many schedules are built, the shortest of which counts.
    pub fn schedules(&self) -> u32 {
        self.setting.schedules
    }
}

/// The messages that are asked for; `None` where there are none such.
fn messages(leaves: Leaves, setting: &Setting, key: Key) -> Option<MessageSet> {
    let n = u64::from(leaves.processors());
    match &setting.demand {
        DeliveryDemand::Pattern(pattern) => MessageSet::new(n, *pattern, key).ok(),
        DeliveryDemand::BadSet(lambda) => {
            let tree = leaves.tree(&setting.profile)?.ok()?;
            bad_set(tree, *lambda, setting.policy, key).ok().map(|bad| bad.messages)
        }
        DeliveryDemand::List(messages) => MessageSet::list(n, messages).ok(),
    }
}

/// Checks that the network can have the messages that are asked for.
pub(crate) fn check_demand(leaves: Leaves, setting: &Setting) -> Result<(), Problem> {
    let problem = |why: String| Problem::new("traffic", why);
    if leaves.is_second() && setting.demand.leaves() && !matches!(setting.demand, DeliveryDemand::BadSet(_)) {
        return Err(problem(DeliveryError::NoExternal.to_string()));
    }
    match &setting.demand {
        DeliveryDemand::Pattern(pattern) => {
            MessageSet::check(leaves.processors().into(), *pattern).map(drop).map_err(|why| problem(why.to_string()))
        }
        DeliveryDemand::BadSet(lambda) => match leaves.tree(&setting.profile) {
            None => Err(problem("Theorem 9 is about fat-trees, not the second network".into())),
            Some(Ok(tree)) => check_bad_set(tree, *lambda, setting.policy).map_err(|why| problem(why.to_string())),
            Some(Err(_)) => Ok(()),
        },
        DeliveryDemand::List(messages) => {
            let ends =
                messages.iter().flat_map(|&(from, to)| [Some(from), Some(to).filter(|&to| to != MessageSet::OUT)]);
            let beyond = ends.flatten().find(|&number| number >= leaves.processors());
            beyond.map_or(Ok(()), |number| Err(problem(format!("{number} is no processor of {leaves}"))))
        }
    }
}

/// Delivers the messages of one trial after the other.
pub(crate) struct DeliverySampler {
    cell: Cell,
    algorithm: Arc<Algorithm>,
    /// The trial under way.
    run: Option<UnderWay>,
}

/// A trial under way.
struct UnderWay {
    number: u64,
    trial: DeliveryTrial,
    run: Box<Delivery>,
    /// The run that counts once it has ended: what is under way now is another one, for one more off-line schedule.
    first: Option<Box<Delivery>>,
    /// The runs that have ended,
    ended: u32,
    /// and the cycles of the shortest schedule that came of them.
    offline: Option<u32>,
}

impl UnderWay {
    /// Trial number `number` at its start; `None` if there are no such messages.
    fn new(cell: &Cell, algorithm: &Algorithm, number: u64) -> Option<Self> {
        let trial = DeliveryTrial::new(cell, number)?;
        let run = Box::new(trial.start(algorithm)?);
        Some(Self { number, trial, run, first: None, ended: 0, offline: None })
    }

    /// Goes on for about `budget` steps, which are taken from it; whether all is done.
    fn go_on(&mut self, algorithm: &Algorithm, budget: &mut u64) -> bool {
        loop {
            let steps = |run: &Delivery| run.counts().transmissions + run.counts().literal;
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
            // Where the first run has no schedule, there is none.
            let more = self.offline.is_some() && self.ended < self.trial.schedules();
            let Some(next) = self.trial.start_again(algorithm, self.ended).filter(|_| more) else { return true };
            let ended = std::mem::replace(&mut self.run, Box::new(next));
            self.first.get_or_insert(ended);
        }
    }
}

/// Whether a run has ended, or takes too long.
fn is_over(run: &Delivery) -> bool {
    run.outcome().is_some() || run.cycle() >= MOST_CYCLES
}

impl DeliverySampler {
    pub(crate) fn new(cell: Cell, algorithm: Arc<Algorithm>) -> Self {
        Self { cell, algorithm, run: None }
    }

    /// Goes on with trial number `number` for about `budget` steps, messages sent; adds it to `tally` when it is done.
    fn go_on(&mut self, number: u64, tally: &mut Tally, budget: &mut u64) {
        let under_way = self.run.take().filter(|under_way| under_way.number == number);
        let Some(mut trial) = under_way.or_else(|| UnderWay::new(&self.cell, &self.algorithm, number)) else {
            tally.trials += 1;
            *budget = budget.saturating_sub(1);
            return;
        };
        if trial.go_on(&self.algorithm, budget) {
            tally.trials += 1;
            count(&trial, tally);
        } else {
            self.run = Some(trial);
        }
    }
}

impl Sampler for DeliverySampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        each_trial(task, tally, budget, |number, tally, budget| self.go_on(number, tally, budget))
    }
}

/// Counts one trial that is done.
fn count(done: &UnderWay, tally: &mut Tally) {
    let (trial, run) = (&done.trial, done.first.as_ref().unwrap_or(&done.run));
    let (tally, counts) = (tally.deliveries_mut(), run.counts());
    let messages = u64::from(trial.messages.len());
    let load = &trial.load_factor;
    tally.load_factor.add(u64::from(load.load()) * UNIT / u64::from(load.wires()).max(1), UNIT);
    tally.delivered.add(counts.delivered.into(), messages);
    if !matches!(run.outcome(), Some(DeliveryOutcome::Delivered { .. })) {
        tally.unfinished += 1;
        tally.stuck += u64::from(matches!(run.outcome(), Some(DeliveryOutcome::Stuck { .. })));
        return;
    }
    tally.cycles.add(counts.completion, 1);
    tally.literal.add(counts.literal, 1);
    tally.busy.add(counts.busy, 1);
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

/// The share of the messages that arrive; without dead wires exactly all, where the runs come to an end.
pub(crate) fn delivered(tally: &Tally, cell: &Cell) -> Option<Estimate> {
    let counts = tally.deliveries()?;
    let certain = cell.faults.is_none() && counts.unfinished == 0;
    counts.delivered.share().map(|share| if certain { share.settled() } else { share })
}

/// The share of runs that came to no end.
pub(crate) fn unfinished(tally: &Tally) -> Option<Estimate> {
    let counts = tally.deliveries()?;
    proportion(counts.unfinished, counts.cycles.trials + counts.unfinished)
}

/// Checks that a trial has messages.
pub(super) fn check_trial(cell: &Cell, _: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible> {
    match DeliveryTrial::new(cell, number) {
        Some(trial) if trial.messages.is_empty() => Err("there are no messages".into()),
        _ => Ok(()),
    }
}

/// Why runs did not come to an end, and what that means for the numbers of those that did.
pub(super) fn remark(tally: &Tally, _: &Cell) -> Option<String> {
    let counts = tally.deliveries().filter(|counts| counts.unfinished > 0)?;
    let (ended, stuck, long) = (counts.cycles.trials, counts.stuck, counts.unfinished - counts.stuck);
    let all = ended + counts.unfinished;
    let stuck = (stuck > 0).then(|| format!("in {stuck} of {all} runs messages are stuck for ever"));
    let long = (long > 0).then(|| format!("{long} of {all} runs take more than {MOST_CYCLES} cycles"));
    let means = (ended > 0).then(|| format!("cycles are the means of the {ended} others"));
    Some(stuck.into_iter().chain(long).chain(means).collect::<Vec<_>>().join("; "))
}

/// Checks that there were messages, and that some run has come to an end.
pub(super) fn check_tally(tally: &Tally) -> Result<(), Status> {
    let counts = tally.deliveries().filter(|counts| counts.load_factor.trials > 0).ok_or(Status::Impossible)?;
    if counts.cycles.trials == 0 { Err(Status::Unfinished) } else { Ok(()) }
}

/// The trials after which the intervals of the cycles, as a share of them, and of the share delivered should be as narrow as
/// asked.
pub(super) fn need(experiment: &Experiment, cell: &Cell, tally: &Tally) -> Need {
    let within = |estimate, relative| plan::trials_within(estimate, tally.trials, experiment.within, relative);
    let cycles = tally.deliveries().and_then(|counts| counts.cycles.mean());
    let wanted = within(cycles, true).max(within(delivered(tally, cell), false));
    Need::of(wanted, tally.trials)
}
