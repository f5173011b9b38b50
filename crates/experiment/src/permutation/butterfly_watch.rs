//! Messages between the rows of a butterfly for Watch: every compared algorithm on the same faults,
//! with its counted routes or its batch at one cycle.

use super::BatchSetting;
use super::butterfly::{ButterflyInstance, ButterflyTrial, followed_message};
use super::watch::BatchEnd;
use crate::Experiment;
use crate::watch::Timeline;
use faultlab_core::routing::oblivious::ButterflyRoute;
use faultlab_core::switching::{BatchRun, ButterflyCongestion};
use faultlab_core::topology::Butterfly;

/// Messages of one scheme in Watch.
#[derive(Clone)]
pub struct WatchedButterfly {
    /// Counts of all routes.
    pub paths: ButterflyCongestion,
    /// Number of the followed message; `None` if there is none.
    pub followed: Option<u32>,
    /// Messages in transit, for batches.
    pub batch: Option<ButterflyBatch>,
}

/// Batch on a butterfly at one cycle, with known outcome.
#[derive(Clone)]
pub struct ButterflyBatch {
    /// Numbers of the messages that have a route, in the order of the batch, with their routes.
    pub routes: Vec<(u32, ButterflyRoute)>,
    /// End of the batch.
    pub end: BatchEnd,
    timeline: Timeline<BatchRun>,
}

impl ButterflyBatch {
    fn new(trial: &ButterflyTrial, setting: &BatchSetting) -> Option<Self> {
        let route = |number| Some((number, trial.route(number).ok()?));
        let routes = (0..trial.relation.len()).filter_map(route).collect();
        let (end, timeline) = BatchEnd::from_run(trial.batch(setting)?)?;
        Some(Self { routes, end, timeline })
    }

    /// Returns the messages at the current cycle.
    pub fn now(&self) -> &BatchRun {
        self.timeline.displayed()
    }

    /// Returns the place in the batch of message `number`; `None` if it has no route.
    pub fn place(&self, number: u32) -> Option<u32> {
        self.routes.binary_search_by_key(&number, |route| route.0).ok().map(|place| place as u32)
    }
}

/// Every compared algorithm at a common time: a hop of the followed messages, or a cycle of the
/// batches.
#[derive(Clone)]
pub struct ButterflyWatch {
    /// Faults, with the messages of each algorithm.
    pub instance: ButterflyInstance,
    /// State of each algorithm.
    pub watched: Vec<WatchedButterfly>,
    now: u32,
    end: u32,
}

impl ButterflyWatch {
    /// Largest butterfly that is watched, in levels of links: its picture has 2,304 nodes.
    pub const MAX_LEVELS: u8 = 8;

    /// Creates trial number `experiment.view.sample` of the experiment at its start. Returns `None`
    /// on other networks and for butterflies of more than [`ButterflyWatch::MAX_LEVELS`]. Cost: all
    /// routes, and the batches to their ends.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        experiment.network.butterfly().filter(|butterfly| butterfly.levels() <= Self::MAX_LEVELS)?;
        let instance = ButterflyInstance::new(experiment)?;
        let butterfly = instance.faults.butterfly();
        let watched = instance.series.iter().map(|(_, trial)| WatchedButterfly {
            paths: trial.congestion(),
            followed: followed_message(experiment, butterfly, trial),
            batch: experiment.setting.batch().and_then(|setting| ButterflyBatch::new(trial, setting)),
        });
        let watched: Vec<_> = watched.collect();
        let hops = |(watched, (_, trial)): (&WatchedButterfly, &(_, ButterflyTrial))| match &watched.batch {
            Some(batch) => batch.end.cycle,
            None => watched.followed.and_then(|number| trial.route(number).ok()).map_or(0, |it| it.length(butterfly)),
        };
        let end = watched.iter().zip(&instance.series).map(hops).max().unwrap_or(0);
        Some(Self { instance, watched, now: 0, end })
    }

    /// Returns the butterfly.
    pub fn butterfly(&self) -> Butterfly {
        self.instance.faults.butterfly()
    }

    /// Returns the current hop or cycle.
    pub fn now(&self) -> u32 {
        self.now
    }

    /// Returns the hop or cycle after which nothing moves.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// Returns whether messages move all at once, and not one message along its route.
    pub fn is_batch(&self) -> bool {
        self.watched.iter().any(|watched| watched.batch.is_some())
    }

    /// Moves to a hop or cycle, at most the end. Cost: the cycles from the current one, or from 0
    /// when moving back.
    pub fn seek(&mut self, time: u32) {
        self.now = time.min(self.end);
        for batch in self.watched.iter_mut().filter_map(|watched| watched.batch.as_mut()) {
            batch.timeline.restore_nearest(self.now.into());
            batch.timeline.run_to(self.now.into(), &mut { u32::MAX });
        }
    }
}
