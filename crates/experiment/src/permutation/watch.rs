//! A whole permutation as it is watched: every compared algorithm on the same faults, its routes laid over each other, or its
//! worms at one cycle.

use super::instance::{PermutationInstance, PermutationTrial};
use crate::Experiment;
use crate::watch::Tape;
use faultlab_core::routing::oblivious::{NoRoute, ObliviousRoute};
use faultlab_core::switching::{BatchOutcome, Moment as _, RouteBatch, StaticPaths};
use faultlab_core::topology::NodeId;

/// The message that is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Followed {
    /// Its number.
    pub number: u32,
    /// Its source.
    pub from: NodeId,
    /// Its destination.
    pub to: NodeId,
    /// Its route, or why it has none.
    pub route: Result<ObliviousRoute, NoRoute>,
}

impl Followed {
    /// Message `number` of `trial`.
    pub fn of(trial: &PermutationTrial, number: u32) -> Self {
        let (from, to) = trial.relation.ends(number);
        Self { number, from, to, route: trial.route(number) }
    }

    /// The message between the ends that the experiment names: the first from its source; without a source, the first of all.
    /// With both named, `None` if no message has both.
    pub fn chosen(experiment: &Experiment, trial: &PermutationTrial) -> Option<Self> {
        let number = match (experiment.from, experiment.to) {
            (_, Some(to)) => {
                let fits = |(from, end): (NodeId, NodeId)| end == to && experiment.from.is_none_or(|node| node == from);
                trial.relation.iter().position(fits)? as u32
            }
            (Some(from), None) => trial.relation.iter().position(|(node, _)| node == from)? as u32,
            (None, None) => (!trial.relation.is_empty()).then_some(0)?,
        };
        Some(Self::of(trial, number))
    }
}

/// The numbers that the messages of a batch have among all messages of the trial: those without a route are not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchNumbers {
    numbers: Vec<u32>,
    /// Their routes, if they are few enough to be kept.
    routes: Vec<ObliviousRoute>,
}

/// The messages whose routes are counted before anything is shown: all of small cubes.
const AT_ONCE: u32 = 1 << 12;

/// The most routes that are kept: a megabyte.
const KEPT: usize = 4096;

impl BatchNumbers {
    /// Those of the batch of `trial`. Cost: a route for each message.
    pub fn of(trial: &PermutationTrial) -> Self {
        let mut all = Self::default();
        for (number, route) in (0..trial.relation.len()).filter_map(|number| Some((number, trial.route(number).ok()?)))
        {
            all.numbers.push(number);
            if all.routes.len() < KEPT {
                all.routes.push(route);
            }
        }
        all
    }

    /// The number of the message that has place `place` in the batch.
    pub fn number(&self, place: u32) -> Option<u32> {
        self.numbers.get(place as usize).copied()
    }

    /// The place in the batch of message `number`; `None` if it was not sent.
    pub fn place(&self, number: u32) -> Option<u32> {
        self.numbers.binary_search(&number).ok().map(|place| place as u32)
    }

    /// The route of the message that has place `place` in the batch.
    pub fn route(&self, trial: &PermutationTrial, place: u32) -> Option<ObliviousRoute> {
        let kept = self.routes.get(place as usize).copied();
        kept.or_else(|| trial.route(self.number(place)?).ok())
    }
}

/// The messages of one scheme, watched.
#[derive(Clone)]
pub struct WatchedPermutation {
    /// What the routes that are counted add up to.
    pub paths: StaticPaths,
    /// The messages whose routes are counted, of all.
    counted: u32,
    /// The message that is followed; `None` if there is none.
    pub followed: Option<Followed>,
    /// Its worms, of batches.
    pub batch: Option<WatchedBatch>,
}

impl WatchedPermutation {
    fn new(experiment: &Experiment, trial: &PermutationTrial) -> Option<Self> {
        let flits = experiment.setting.batch().map(|batch| batch.length);
        Some(Self {
            paths: StaticPaths::new(trial.routing.cube())?,
            counted: 0,
            followed: Followed::chosen(experiment, trial),
            batch: flits.and_then(|flits| WatchedBatch::new(trial, flits)),
        })
    }

    /// Counts the routes of about so many messages more; whether there are others.
    fn work(&mut self, trial: &PermutationTrial, messages: u32) -> bool {
        let until = self.counted.saturating_add(messages).min(trial.relation.len());
        (self.counted..until).for_each(|number| self.paths.count(&trial.route(number)));
        self.counted = until;
        until < trial.relation.len()
    }

    /// The hops of the followed message's route.
    pub fn hops(&self) -> u32 {
        self.followed.as_ref().map_or(0, |followed| followed.route.as_ref().map_or(0, ObliviousRoute::length))
    }
}

/// A batch of worms at one cycle, its end known.
#[derive(Clone)]
pub struct WatchedBatch {
    /// Which message is which.
    pub numbers: BatchNumbers,
    /// How it ends.
    pub outcome: BatchOutcome,
    /// The cycle in which it ends.
    pub end: u32,
    /// For every cycle from 0 on, up to the last, the messages that have arrived at its end.
    pub arrived: Vec<u32>,
    tape: Tape<RouteBatch>,
}

impl WatchedBatch {
    fn new(trial: &PermutationTrial, flits: u16) -> Option<Self> {
        let numbers = BatchNumbers::of(trial);
        // It starts anew to go back: most batches are over after some dozen cycles, and large ones weigh much.
        let mut tape = Tape::new(trial.batch(flits)?, u64::NEVER, 1.0);
        // Every cycle brings some message on, and none has more than 64 hops and flits behind.
        tape.look_ahead(u32::MAX.into(), &mut { u32::MAX }, u64::MAX, 0);
        let last = tape.ahead();
        let outcome = last.outcome()?.clone();
        let end = last.cycle();
        let mut arrived = vec![0; end as usize + 1];
        for &cycle in last.finished().iter().flatten() {
            if let Some(count) = arrived.get_mut(cycle as usize) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut arrived {
            sum += *count;
            *count = sum;
        }
        Some(Self { numbers, outcome, end, arrived, tape })
    }

    /// The worms as they are now.
    pub fn now(&self) -> &RouteBatch {
        self.tape.shown()
    }

    /// The circle of waiting messages, once it stands: at the end of a batch that freezes.
    pub fn is_frozen(&self) -> bool {
        matches!(self.outcome, BatchOutcome::Deadlock(_)) && self.now().cycle() >= self.end
    }

    fn seek(&mut self, cycle: u32) {
        self.tape.aim(cycle.into());
        self.tape.follow(cycle.into(), &mut { u32::MAX });
    }
}

/// Every compared algorithm at the same time: a hop of the followed messages, or a cycle of the batches.
#[derive(Clone)]
pub struct PermutationWatch {
    /// The faults, and the algorithms among them.
    pub instance: PermutationInstance,
    /// For each algorithm what is watched; `None` where it does not apply.
    pub watched: Vec<Option<WatchedPermutation>>,
    now: u32,
    end: u32,
}

impl PermutationWatch {
    /// Trial number `experiment.view.sample` of the experiment as it stands. `None` on other networks and kinds, and on cubes
    /// that are too large. Cost: as all routes.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let mut watch = Self::begun(experiment)?;
        while watch.work(u32::MAX) {}
        Some(watch)
    }

    /// The same, with the routes of the first messages counted only: [`PermutationWatch::work`] counts the others. Cost: as the messages.
    pub fn begun(experiment: &Experiment) -> Option<Self> {
        let instance = PermutationInstance::new(experiment)?;
        let watched = |series: &crate::PermutationSeries| {
            series.trial.as_ref().ok().and_then(|trial| WatchedPermutation::new(experiment, trial))
        };
        let watched: Vec<_> = instance.series.iter().map(watched).collect();
        let end = |watched: &WatchedPermutation| match &watched.batch {
            Some(batch) => batch.end,
            None => watched.hops(),
        };
        let end = watched.iter().flatten().map(end).max().unwrap_or(0);
        let mut watch = Self { instance, watched, now: 0, end };
        watch.work(AT_ONCE);
        Some(watch)
    }

    /// Counts the routes of about so many messages more, under every algorithm; whether there are others.
    pub fn work(&mut self, messages: u32) -> bool {
        let all = self.instance.series.iter().zip(&mut self.watched);
        let each = all.filter_map(|(series, watched)| Some((series.trial.as_ref().ok()?, watched.as_mut()?)));
        // All of them go on, not only the first that is not done.
        each.filter_map(|(trial, watched)| watched.work(trial, messages).then_some(())).count() > 0
    }

    /// Whether all routes are counted.
    pub fn is_known(&self) -> bool {
        let all = self.instance.series.iter().zip(&self.watched);
        let mut each = all.filter_map(|(series, watched)| Some((series.trial.as_ref().ok()?, watched.as_ref()?)));
        each.all(|(trial, watched)| watched.counted == trial.relation.len())
    }

    /// The hops or cycles that have passed.
    pub fn now(&self) -> u32 {
        self.now
    }

    /// When nothing moves any more.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// Whether worms move, and not one message along its route.
    pub fn is_batch(&self) -> bool {
        self.watched.iter().flatten().any(|watched| watched.batch.is_some())
    }

    /// Goes to a hop or cycle, at most the end. Cost: the cycles from here, or from 0 if it lies behind.
    pub fn seek(&mut self, time: u32) {
        self.now = time.min(self.end);
        for batch in self.watched.iter_mut().flatten().filter_map(|watched| watched.batch.as_mut()) {
            batch.seek(self.now);
        }
    }
}
