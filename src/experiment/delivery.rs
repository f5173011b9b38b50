//! Delivery cycles of fat-trees: trials, and what follows from their tallies. A trial is a set of live wires, a message set, and
//! an algorithm that delivers it.

use super::plan::{self, Verdict};
use super::{Cell, Estimate, Experiment, Status, Tally, TreeDemand, TreeSetting, proportion};
use crate::fault::{FaultModel, LiveWires};
use crate::random::Key;
use crate::routing::Algorithm;
use crate::routing::fat_tree::ScheduleTerms;
use crate::switching::delivery::{Delivery, DeliveryOutcome, DeliveryTerms, OfflineSchedule};
use crate::theory::fat_tree::{BadSet, LoadFactor, bad_set, check_bad_set};
use crate::topology::fat_tree::{Leaves, TreeChannels};
use crate::traffic::MessageSet;

use super::sample::series_number;

/// The first round of trials.
const FIRST_TRIALS: u64 = 16;

/// A run that takes longer is given up: RANDOM with the constants of its proof would take millions.
pub(super) const MOST_CYCLES: u32 = 1 << 20;

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
    setting: std::sync::Arc<TreeSetting>,
    /// What the algorithms' keys are made of.
    key: Key,
}

impl DeliveryTrial {
    /// Trial number `number` at `cell`, the same for every algorithm; `None` on other networks. Cost: as the messages and the
    /// channels.
    pub fn new(cell: &Cell, number: u64) -> Option<Self> {
        let (leaves, setting) = (cell.network.leaves()?, &cell.tree);
        let (channels, trial) = (leaves.channels(&setting.profile).ok()?, cell.trial(number));
        let live = match cell.faults.model {
            FaultModel::Wires(p) => Some(LiveWires::drawn(channels, p, Cell::pattern_key(trial))?),
            _ => None,
        };
        let messages = messages(leaves, setting, trial.child(1))?;
        let load_factor = match &live {
            Some(live) => LoadFactor::on_live(live, messages.ends()),
            None => LoadFactor::of(&channels, messages.ends()),
        };
        Some(Self { channels, live, messages, load_factor, setting: std::sync::Arc::clone(setting), key: trial })
    }

    /// How the messages were built, if they are Theorem 9's; `leaves` are those of the network. Cost: as building them.
    pub fn bad_set(&self, leaves: Leaves) -> Option<BadSet> {
        let TreeDemand::BadSet(lambda) = self.setting.demand else { return None };
        let tree = leaves.tree(&self.setting.profile)?.ok()?;
        bad_set(tree, lambda, self.setting.policy, self.key.child(1)).ok()
    }

    /// `algorithm` about to deliver the messages; `None` if it is none of fat-trees. Cost: as [`DeliveryTrial::new`].
    pub fn start(&self, algorithm: &Algorithm) -> Option<Delivery> {
        let TreeSetting { policy, k1, k2, r, undeliverable, .. } = *self.setting;
        let terms = ScheduleTerms::new(k1, k2, r).ok()?;
        let scheduler = (algorithm.delivery()?.start)(&terms, self.channels.processors());
        let network =
            DeliveryTerms { live: self.live.clone(), undeliverable, ..DeliveryTerms::new(self.channels, policy) };
        Delivery::new(network, self.messages.clone(), scheduler, self.key.child(series_number(algorithm))).ok()
    }
}

/// The messages that are asked for; `None` where there are none such.
fn messages(leaves: Leaves, setting: &TreeSetting, key: Key) -> Option<MessageSet> {
    let n = u64::from(leaves.processors());
    match &setting.demand {
        TreeDemand::Pattern(pattern) => MessageSet::new(n, *pattern, key).ok(),
        TreeDemand::BadSet(lambda) => {
            let tree = leaves.tree(&setting.profile)?.ok()?;
            bad_set(tree, *lambda, setting.policy, key).ok().map(|bad| bad.messages)
        }
        TreeDemand::List(messages) => MessageSet::list(n, messages).ok(),
    }
}

/// What is wrong with the messages that are asked for on such a network; `None` if nothing.
pub(super) fn problem_of_demand(leaves: Leaves, setting: &TreeSetting) -> Option<String> {
    match &setting.demand {
        TreeDemand::Pattern(pattern) => {
            MessageSet::check(leaves.processors().into(), *pattern).err().map(|why| why.to_string())
        }
        TreeDemand::BadSet(lambda) => match leaves.tree(&setting.profile) {
            None => Some("Theorem 9 is about fat-trees, not the second network".into()),
            Some(tree) => check_bad_set(tree.ok()?, *lambda, setting.policy).err().map(|why| why.to_string()),
        },
        TreeDemand::List(messages) => {
            let beyond = messages.iter().map(|&(from, to)| from.max(to)).find(|&number| number >= leaves.processors());
            beyond.map(|number| format!("{number} is no processor of {leaves}"))
        }
    }
}

/// Delivers the messages of one trial after the other.
pub(super) struct DeliverySampler {
    cell: Cell,
    algorithm: &'static Algorithm,
    /// The run under way, with the number of its trial.
    run: Option<(u64, DeliveryTrial, Box<Delivery>)>,
}

impl DeliverySampler {
    pub(super) fn new(cell: Cell, algorithm: &'static Algorithm) -> Self {
        Self { cell, algorithm, run: None }
    }

    /// Goes on with trial number `number` for about `budget` steps, messages sent; adds it to `tally` when it is done. The steps
    /// that are left of the budget.
    pub(super) fn advance(&mut self, number: u64, tally: &mut Tally, budget: u64) -> u64 {
        let (trial, mut run) = match self.run.take() {
            Some((under_way, trial, run)) if under_way == number => (trial, run),
            _ => {
                let trial = DeliveryTrial::new(&self.cell, number);
                let started = trial.and_then(|trial| Some((trial.start(self.algorithm)?, trial)));
                match started {
                    Some((run, trial)) => (trial, Box::new(run)),
                    None => {
                        tally.trials += 1;
                        return budget.saturating_sub(1);
                    }
                }
            }
        };
        let before = run.counts().transmissions + run.counts().literal;
        let steps = |run: &Delivery| run.counts().transmissions + run.counts().literal - before;
        while run.outcome().is_none() && run.cycle() < MOST_CYCLES && steps(&run) < budget {
            run.step();
        }
        let left = budget.saturating_sub(steps(&run).max(1));
        if run.outcome().is_none() && run.cycle() < MOST_CYCLES {
            self.run = Some((number, trial, run));
            return 0;
        }
        tally.trials += 1;
        count(&trial, &run, tally);
        left
    }
}

/// Counts one run that has ended.
fn count(trial: &DeliveryTrial, run: &Delivery, tally: &mut Tally) {
    let (tally, counts) = (&mut tally.deliveries, run.counts());
    let messages = u64::from(trial.messages.len());
    let load = &trial.load_factor;
    tally.load_factor.add(u64::from(load.load()) * UNIT / u64::from(load.wires()).max(1), UNIT);
    tally.delivered.add(counts.delivered.into(), messages);
    if !matches!(run.outcome(), Some(DeliveryOutcome::Delivered { .. })) {
        tally.unfinished += 1;
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
    if trial.live.is_none()
        && trial.channels.processors() <= MAX_OFFLINE
        && let Some(schedule) = OfflineSchedule::compacted(&trial.channels, &trial.messages, run.arrived())
    {
        tally.offline.add(schedule.cycles().into(), 1);
    }
}

/// The share of runs that came to no end.
pub(super) fn unfinished(tally: &Tally) -> Option<Estimate> {
    let finished = tally.deliveries.cycles.trials;
    proportion(tally.deliveries.unfinished, finished + tally.deliveries.unfinished)
}

/// The trials of the first round.
pub(super) fn first_goal(experiment: &Experiment) -> u64 {
    FIRST_TRIALS.min(experiment.trials)
}

/// Whether a point is done after `goal` trials, or how many it needs.
pub(super) fn judge(experiment: &Experiment, tally: &Tally, goal: u64) -> Verdict {
    if tally.deliveries.load_factor.trials == 0 {
        return Verdict::Ended(Status::NoNetwork);
    }
    if tally.deliveries.cycles.trials == 0 {
        return Verdict::Ended(Status::Unfinished);
    }
    let needed = trials_for(experiment, tally);
    if needed <= goal {
        Verdict::Ended(Status::Converged)
    } else if goal >= experiment.trials {
        Verdict::Ended(Status::OutOfBudget)
    } else {
        Verdict::Goal(needed.clamp(goal + goal / 8 + 1, goal * 8).min(experiment.trials))
    }
}

/// The trials after which the intervals of the cycles, as a share of them, and of the share delivered should be as narrow as
/// asked.
pub(super) fn trials_for(experiment: &Experiment, tally: &Tally) -> u64 {
    let cycles = plan::trials_within(tally.deliveries.cycles.mean(), tally.trials, experiment.within, true);
    cycles.max(plan::trials_within(tally.deliveries.delivered.ratio(), tally.trials, experiment.within, false))
}
