//! Whole permutations for Watch: every compared algorithm on the same faults, with its counted
//! routes or its worms at one cycle.

use super::BatchSetting;
use super::instance::{PermutationInstance, PermutationTrial};
use crate::Experiment;
use crate::watch::Timeline;
use faultlab_core::routing::oblivious::{NoRoute, ObliviousRoute};
use faultlab_core::switching::{BatchOutcome, BatchRun, SimTime as _, StaticCongestion};
use faultlab_core::topology::NodeId;

/// Message that Watch follows, with its route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowedMessage {
    /// Number of the message in the trial.
    pub number: u32,
    /// Source of the message.
    pub from: NodeId,
    /// Destination of the message.
    pub to: NodeId,
    /// Route, or the reason why there is none.
    pub route: Result<ObliviousRoute, NoRoute>,
}

impl FollowedMessage {
    /// Creates the view of message `number` of `trial`.
    pub fn with_number(trial: &PermutationTrial, number: u32) -> Self {
        let (from, to) = trial.relation.ends(number);
        Self { number, from, to, route: trial.route(number) }
    }

    /// Returns the message between the ends that the experiment names; `None` if there is none.
    ///
    /// With only a source or only a destination, the first message with that end is returned;
    /// without both, the first message.
    pub fn from_experiment(experiment: &Experiment, trial: &PermutationTrial) -> Option<Self> {
        let number = match (experiment.from, experiment.to) {
            (_, Some(to)) => {
                let fits = |(from, end): (NodeId, NodeId)| end == to && experiment.from.is_none_or(|node| node == from);
                trial.relation.iter().position(fits)? as u32
            }
            (Some(from), None) => trial.relation.iter().position(|(node, _)| node == from)? as u32,
            (None, None) => (!trial.relation.is_empty()).then_some(0)?,
        };
        Some(Self::with_number(trial, number))
    }
}

/// Mapping between the indices in a batch and the message numbers of the trial. Messages without a
/// route are not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchIndex {
    numbers: Vec<u32>,
    /// Cached routes, up to the limit.
    routes: Vec<ObliviousRoute>,
}

/// Messages whose routes are counted before the first display: all of small hypercubes.
const AT_ONCE: u32 = 1 << 12;

/// Maximum number of cached routes: a megabyte.
const KEPT: usize = 4096;

impl BatchIndex {
    /// Creates the mapping for the batch of `trial`. Cost: a route for each message.
    pub fn from_trial(trial: &PermutationTrial) -> Self {
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

    /// Returns the number of the message with index `place` in the batch.
    pub fn number(&self, place: u32) -> Option<u32> {
        self.numbers.get(place as usize).copied()
    }

    /// Returns the index in the batch of message `number`; `None` if it was not sent.
    pub fn batch_index(&self, number: u32) -> Option<u32> {
        self.numbers.binary_search(&number).ok().map(|place| place as u32)
    }

    /// Returns the route of the message with index `place` in `batch`: its new route if it has one.
    pub fn route(&self, trial: &PermutationTrial, batch: &BatchRun, place: u32) -> Option<ObliviousRoute> {
        if batch.has_new_route(place) {
            return trial.new_route(self.number(place)?).ok();
        }
        let kept = self.routes.get(place as usize).copied();
        kept.or_else(|| trial.route(self.number(place)?).ok())
    }
}

/// Messages of one scheme in Watch.
#[derive(Clone)]
pub struct WatchedPermutation {
    /// Channel loads of the routes counted so far.
    pub paths: StaticCongestion,
    /// Number of messages whose routes are counted.
    counted: u32,
    /// Followed message; `None` if there is none.
    pub followed: Option<FollowedMessage>,
    /// Messages in transit, for batches.
    pub batch: Option<WatchedBatch>,
}

impl WatchedPermutation {
    fn new(experiment: &Experiment, trial: &PermutationTrial) -> Option<Self> {
        Some(Self {
            paths: StaticCongestion::new(trial.routing.cube())?,
            counted: 0,
            followed: FollowedMessage::from_experiment(experiment, trial),
            batch: experiment.setting.batch().and_then(|setting| WatchedBatch::new(trial, setting)),
        })
    }

    /// Counts the routes of at most `messages` more messages. Returns whether others remain.
    fn work(&mut self, trial: &PermutationTrial, messages: u32) -> bool {
        let until = self.counted.saturating_add(messages).min(trial.relation.len());
        (self.counted..until).for_each(|number| self.paths.count(&trial.route(number)));
        self.counted = until;
        until < trial.relation.len()
    }

    /// Returns the number of hops of the followed message's route.
    pub fn hops(&self) -> u32 {
        self.followed.as_ref().map_or(0, |followed| followed.route.as_ref().map_or(0, ObliviousRoute::length))
    }
}

/// End of a batch.
#[derive(Clone, Debug)]
pub struct BatchEnd {
    /// Outcome of the batch.
    pub outcome: BatchOutcome,
    /// Cycle in which the batch ends.
    pub cycle: u32,
    /// Number of messages that have been given up by the end.
    pub given_up: u64,
    /// Number of messages that have arrived by the end of each cycle, from 0 to the last.
    pub arrived: Vec<u32>,
}

impl BatchEnd {
    /// Runs `batch` to its end. Returns the end, and a time line at the start; `None` if it does
    /// not end.
    pub(super) fn from_run(batch: BatchRun) -> Option<(Self, Timeline<BatchRun>)> {
        // Going back restarts the batch: most batches end after some dozen cycles, and snapshots of
        // large ones need much memory.
        let mut timeline = Timeline::new(batch, u64::NEVER, 1.0);
        // Every cycle advances at least one message, and no message needs more than 64 hops and its
        // flits.
        timeline.look_ahead(u32::MAX.into(), &mut { u32::MAX }, u64::MAX, 0);
        let last = timeline.lookahead();
        let outcome = last.outcome()?.clone();
        let (cycle, given_up) = (last.cycle(), last.transition().map_or(0, |found| found.given_up));
        let mut arrived = vec![0; cycle as usize + 1];
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
        Some((Self { outcome, cycle, given_up, arrived }, timeline))
    }
}

/// Batch at one cycle, with known outcome.
#[derive(Clone)]
pub struct WatchedBatch {
    /// Mapping between batch indices and message numbers.
    pub numbers: BatchIndex,
    /// Outcome of the batch.
    pub outcome: BatchOutcome,
    /// Cycle in which the batch ends.
    pub end: u32,
    /// Number of messages that have been given up by the end.
    pub given_up: u64,
    /// Number of messages that have arrived by the end of each cycle, from 0 to the last.
    pub arrived: Vec<u32>,
    timeline: Timeline<BatchRun>,
}

impl WatchedBatch {
    fn new(trial: &PermutationTrial, setting: &BatchSetting) -> Option<Self> {
        let numbers = BatchIndex::from_trial(trial);
        let (BatchEnd { outcome, cycle: end, given_up, arrived }, timeline) =
            BatchEnd::from_run(trial.batch(setting)?)?;
        Some(Self { numbers, outcome, end, given_up, arrived, timeline })
    }

    /// Returns the messages at the current cycle.
    pub fn now(&self) -> &BatchRun {
        self.timeline.displayed()
    }

    /// Returns `followed` with its current route: the new one if faults have arrived and its source sends
    /// it again.
    pub fn with_current_route(&self, trial: &PermutationTrial, followed: &FollowedMessage) -> FollowedMessage {
        let index = self.numbers.batch_index(followed.number);
        match index.filter(|&index| self.now().has_new_route(index)) {
            Some(_) => FollowedMessage { route: trial.new_route(followed.number), ..*followed },
            None => *followed,
        }
    }

    /// Returns whether the batch has deadlocked by the current cycle, so that the cyclic wait
    /// exists.
    pub fn is_deadlocked(&self) -> bool {
        matches!(self.outcome, BatchOutcome::Deadlock(_)) && self.now().cycle() >= self.end
    }

    fn seek(&mut self, cycle: u32) {
        self.timeline.restore_nearest(cycle.into());
        self.timeline.run_to(cycle.into(), &mut { u32::MAX });
    }
}

/// Every compared algorithm at a common time: a hop of the followed messages, or a cycle of the
/// batches.
#[derive(Clone)]
pub struct PermutationWatch {
    /// Faults, with the algorithms built for them.
    pub instance: PermutationInstance,
    /// State of each algorithm; `None` where it does not apply.
    pub watched: Vec<Option<WatchedPermutation>>,
    now: u32,
    end: u32,
}

impl PermutationWatch {
    /// Creates trial number `experiment.view.sample` of the experiment, with all routes counted.
    ///
    /// `None` on other networks and kinds, and on hypercubes that are too large. Cost: as all
    /// routes.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let mut watch = Self::start(experiment)?;
        while watch.work(u32::MAX) {}
        Some(watch)
    }

    /// Creates the trial with only the first routes counted; [`PermutationWatch::work`] counts the
    /// others. Cost: proportional to the messages.
    pub fn start(experiment: &Experiment) -> Option<Self> {
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

    /// Counts the routes of at most `messages` more messages under every algorithm. Returns whether
    /// others remain.
    pub fn work(&mut self, messages: u32) -> bool {
        let all = self.instance.series.iter().zip(&mut self.watched);
        let each = all.filter_map(|(series, watched)| Some((series.trial.as_ref().ok()?, watched.as_mut()?)));
        // `count` advances all algorithms; `any` would stop at the first with work left.
        each.filter_map(|(trial, watched)| watched.work(trial, messages).then_some(())).count() > 0
    }

    /// Returns whether all routes are counted.
    pub fn has_all_routes(&self) -> bool {
        let all = self.instance.series.iter().zip(&self.watched);
        let mut each = all.filter_map(|(series, watched)| Some((series.trial.as_ref().ok()?, watched.as_ref()?)));
        each.all(|(trial, watched)| watched.counted == trial.relation.len())
    }

    /// Returns the current hop or cycle.
    pub fn now(&self) -> u32 {
        self.now
    }

    /// Returns the hop or cycle after which nothing moves.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// Returns whether this is a batch of worms, and not one message along its route.
    pub fn is_batch(&self) -> bool {
        self.watched.iter().flatten().any(|watched| watched.batch.is_some())
    }

    /// Moves to a hop or cycle, at most the end. Cost: the cycles from the current one, or from 0
    /// when moving back.
    pub fn seek(&mut self, time: u32) {
        self.now = time.min(self.end);
        for batch in self.watched.iter_mut().flatten().filter_map(|watched| watched.batch.as_mut()) {
            batch.seek(self.now);
        }
    }
}
