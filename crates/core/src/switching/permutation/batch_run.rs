//! Batches of messages under each flow control.

use super::batch::{BatchOutcome, WormBatchRun};
use super::channel_routes::ChannelRoutes;
use super::queued::{BatchOnset, QueuedBatchRun};
use crate::random::Key;
use crate::routing::oblivious::{ButterflyRoute, ObliviousRoute};
use crate::switching::{Engine, FlowControl, TransitionCounts};
use crate::topology::{Butterfly, Hypercube, Link};

/// A simulation of a batch of messages on fixed routes in a hypercube, all started at once.
#[derive(Clone, Debug)]
pub enum BatchRun {
    /// Worms, which wait in the channels.
    Worms(WormBatchRun),
    /// Messages that wait in the nodes.
    Queued(QueuedBatchRun),
}

/// Calls a method of the engine inside of a [`BatchRun`].
macro_rules! forward {
    ($run:expr, $engine:ident => $call:expr) => {
        match $run {
            BatchRun::Worms($engine) => $call,
            BatchRun::Queued($engine) => $call,
        }
    };
}

impl BatchRun {
    /// Creates a batch of messages of `flits` flits on `routes` in `cube`.
    ///
    /// Limits, random choices and errors are those of [`WormBatchRun::new`].
    pub fn new<'r>(
        cube: Hypercube,
        routes: impl IntoIterator<Item = &'r ObliviousRoute>,
        flow: FlowControl,
        flits: u16,
        key: Key,
    ) -> Option<Self> {
        match flow {
            FlowControl::Wormhole => WormBatchRun::new(cube, routes, flits, key).map(Self::Worms),
            FlowControl::CutThrough => QueuedBatchRun::new(cube, routes, flits, 1, key).map(Self::Queued),
            FlowControl::StoreAndForward => QueuedBatchRun::new(cube, routes, flits, flits, key).map(Self::Queued),
        }
    }

    /// Creates a batch of messages of `flits` flits on `routes` in `butterfly`, as [`BatchRun::new`]. Links
    /// have the node of the lower level, and [`Butterfly::STRAIGHT`] or [`Butterfly::CROSS`].
    pub fn on_butterfly(
        butterfly: Butterfly,
        routes: &[ButterflyRoute],
        flow: FlowControl,
        flits: u16,
        key: Key,
    ) -> Option<Self> {
        let routes = ChannelRoutes::on_butterfly(butterfly, routes, flits)?;
        Some(match flow {
            FlowControl::Wormhole => Self::Worms(WormBatchRun::on_channels(routes, flits, key)),
            FlowControl::CutThrough => Self::Queued(QueuedBatchRun::on_channels(routes, flits, 1, key)),
            FlowControl::StoreAndForward => Self::Queued(QueuedBatchRun::on_channels(routes, flits, flits, key)),
        })
    }

    /// Returns the batch with faults that arrive while its messages move.
    ///
    /// `None` for worms, which hold channels, after cycle 0, and if `onset` does not fit the messages.
    pub fn with_onset(self, onset: &BatchOnset<'_>) -> Option<Self> {
        match self {
            Self::Queued(run) if run.cycle() == 0 => run.with_onset(onset).map(Self::Queued),
            _ => None,
        }
    }

    fn queued(&self) -> Option<&QueuedBatchRun> {
        match self {
            Self::Worms(_) => None,
            Self::Queued(run) => Some(run),
        }
    }

    /// Returns the cycle in which faults arrive while messages move; `None` if there are none.
    pub fn onset(&self) -> Option<u32> {
        self.queued().and_then(QueuedBatchRun::onset)
    }

    /// Returns the counts of the transition; `None` if no faults arrive while messages move.
    pub fn transition(&self) -> Option<TransitionCounts> {
        self.queued().and_then(QueuedBatchRun::transition)
    }

    /// Returns whether a message has its new route, that among the faults.
    pub fn has_new_route(&self, message: u32) -> bool {
        self.queued().is_some_and(|run| run.has_new_route(message))
    }

    /// Returns whether a message has been given up, because faults leave it no route.
    pub fn is_given_up(&self, message: u32) -> bool {
        self.queued().is_some_and(|run| run.is_given_up(message))
    }

    /// Returns the number of cycles so far.
    pub fn cycle(&self) -> u32 {
        forward!(self, run => run.cycle())
    }

    /// Returns the outcome of the batch; `None` while it continues.
    pub fn outcome(&self) -> Option<&BatchOutcome> {
        forward!(self, run => run.outcome())
    }

    /// Returns the number of cycles until each message's last flit arrived; `None` for a message
    /// that has not arrived.
    pub fn finished(&self) -> &[Option<u32>] {
        forward!(self, run => run.finished())
    }

    /// Returns the channels that a message holds, in the order of its route.
    pub fn held_channels(&self, message: u32) -> impl Iterator<Item = Link> + '_ {
        let (worms, queued) = match self {
            Self::Worms(run) => (Some(run.held_channels(message)), None),
            Self::Queued(run) => (None, Some(run.held_channels(message))),
        };
        worms.into_iter().flatten().chain(queued.into_iter().flatten())
    }

    /// Returns the number of channels that a message's header has entered.
    pub fn hops_made(&self, message: u32) -> u32 {
        forward!(self, run => run.hops_made(message))
    }

    /// Returns whether a message cannot request its next channel yet, because the node stores the
    /// complete message first and not all of its flits have arrived.
    pub fn is_entering(&self, message: u32) -> bool {
        matches!(self, Self::Queued(run) if run.is_entering(message))
    }

    /// Runs for at most `cycles` cycles. Returns the outcome if the batch has ended.
    pub fn run_until(&mut self, cycles: u32) -> Option<&BatchOutcome> {
        for _ in 0..cycles {
            if self.outcome().is_some() {
                break;
            }
            self.step();
        }
        self.outcome()
    }

    /// Simulates one cycle. Has no effect after the end.
    pub fn step(&mut self) {
        forward!(self, run => run.step());
    }
}

/// The gauge is the number of messages that have not arrived.
impl Engine for BatchRun {
    type Time = u64;

    fn current_time(&self) -> u64 {
        self.cycle().into()
    }

    fn next_time(&self) -> u64 {
        if Engine::has_ended(self) { u64::MAX } else { u64::from(self.cycle()) + 1 }
    }

    fn step(&mut self) {
        Self::step(self);
    }

    fn has_ended(&self) -> bool {
        self.outcome().is_some()
    }

    fn size_bytes(&self) -> u64 {
        forward!(self, run => run.size_bytes())
    }

    fn gauge_value(&self) -> u64 {
        forward!(self, run => run.active_count() as u64)
    }
}
