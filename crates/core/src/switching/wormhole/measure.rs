//! Measurement of a wormhole-switched network over a window of cycles.

use super::warm_up::{WarmUpMonitor, WormWarmUp};
use super::{FlitCounts, WormArrival, WormBatch, WormDelivery, WormEnd, WormObserver, WormRun, WormholeNetwork};
use crate::routing::VcRequest;
use crate::switching::SetupHistogram;
use crate::topology::NodeId;
use crate::traffic::Bisection;

/// A measurement window, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormWindow {
    /// The warm-up, which is not counted.
    pub warm_up: WormWarmUp,
    /// Number of equal batches of the measured time, at least 1.
    pub batches: u16,
    /// Length of a batch, at least 1.
    pub batch: u64,
}

/// Counters of the events in a window.
#[derive(Clone, Debug)]
struct Measure {
    window: WormWindow,
    bisection: Bisection,
    /// Cycle at which the warm-up begins; after the warm-up, cycle at which the window begins.
    from: u64,
    /// Cycle at which the current batch ends; during the warm-up, cycle of the next check.
    until: u64,
    warming: WarmUpMonitor,
    /// Flits that had crossed each channel when the window began; empty before.
    carried: Vec<u64>,
    /// Flits that had crossed each channel after half of the batches; empty before.
    carried_half: Vec<u64>,
    /// Flits that had crossed all channels when the window began.
    flit_hops: u64,
    histogram: SetupHistogram,
    /// The current batch.
    batch: WormBatch,
    batches: Vec<WormBatch>,
}

impl Measure {
    fn new(worms: &WormholeNetwork, window: WormWindow) -> Self {
        let window = WormWindow { batches: window.batches.max(1), batch: window.batch.max(1), ..window };
        Self {
            window,
            bisection: Bisection::new(worms.mesh()),
            from: worms.cycle(),
            until: worms.cycle().saturating_add(window.warm_up.stretch()),
            warming: WarmUpMonitor::default(),
            carried: Vec::new(),
            carried_half: Vec::new(),
            flit_hops: 0,
            histogram: SetupHistogram::default(),
            batch: WormBatch::default(),
            batches: Vec::with_capacity(usize::from(window.batches)),
        }
    }

    /// Returns whether the window has begun.
    #[inline(always)]
    fn is_open(&self) -> bool {
        !self.carried.is_empty()
    }

    /// Ends a stretch of the warm-up or a batch. Returns whether the window is complete.
    fn end_stretch(&mut self, worms: &WormholeNetwork) -> bool {
        if self.is_open() {
            self.batch.in_flight = worms.in_flight();
            self.batches.push(std::mem::take(&mut self.batch));
            if self.batches.len() == usize::from(self.window.batches / 2) {
                self.carried_half = worms.carried();
            }
        } else if self.warming.is_over(self.window.warm_up, worms, self.from) {
            self.open(worms);
        } else {
            self.until += self.window.warm_up.stretch();
            return false;
        }
        let last = self.batches.len() == usize::from(self.window.batches);
        if !last {
            self.until = self.until.saturating_add(self.window.batch);
        }
        last
    }

    /// Begins the window.
    fn open(&mut self, worms: &WormholeNetwork) {
        if let WormWarmUp::Steady { .. } = self.window.warm_up {
            let warm_up = worms.cycle() - self.from;
            self.window.batch = self.window.batch.max(warm_up / u64::from(self.window.batches));
        }
        self.from = worms.cycle();
        self.warming = WarmUpMonitor::default();
        (self.carried, self.flit_hops) = (worms.carried(), worms.flit_hops());
    }

    fn end(&self, worms: &WormholeNetwork) -> WormEnd {
        match worms.outcome() {
            _ if self.batches.len() == usize::from(self.window.batches) => WormEnd::Complete,
            Some(deadlock) => WormEnd::Deadlock { since: deadlock.since, cycle: deadlock.cycle.len() as u64 },
            None => WormEnd::Unfinished,
        }
    }

    fn result(&self, worms: &WormholeNetwork) -> WormRun {
        let rest = WormBatch { in_flight: worms.in_flight(), ..self.batch };
        let batches: Vec<_> = self.batches.iter().copied().chain(self.is_rest().then_some(rest)).collect();
        let sum = |of: fn(&WormBatch) -> u64| batches.iter().map(of).sum::<u64>();
        let since = |now: &[u64]| now.iter().zip(&self.carried).map(|(now, then)| now - then).collect();
        let faults = worms.faults();
        let live = self.bisection.channels().filter(|&(from, port)| faults.is_open(from, port));
        WormRun {
            end: self.end(worms),
            cycles: if self.is_open() { worms.cycle() - self.from } else { 0 },
            batch: self.window.batch,
            nodes: worms.live().count() as u64,
            bisection_channels: live.count() as u64,
            message_flits: FlitCounts {
                generated: sum(|batch| batch.flits.generated),
                delivered: sum(|batch| batch.flits.delivered),
                bisection: sum(|batch| batch.flits.bisection),
                hops: sum(|batch| batch.flits.hops),
            },
            generated: sum(|batch| batch.generated),
            discarded: sum(|batch| batch.discarded),
            delivered: sum(|batch| batch.delivered),
            bisection: sum(|batch| batch.bisection),
            lost: sum(|batch| batch.lost),
            latency: sum(|batch| batch.latency),
            histogram: self.histogram.clone(),
            hops: sum(|batch| batch.hops),
            flit_hops: if self.is_open() { worms.flit_hops() - self.flit_hops } else { 0 },
            flits: since(&worms.carried()),
            first_half: since(&self.carried_half),
            batches,
            in_flight: worms.in_flight(),
            unstarted: worms.unstarted(),
            transition: worms.transition(),
        }
    }

    /// Returns whether a batch has begun and not ended.
    fn is_rest(&self) -> bool {
        self.is_open() && self.batches.len() < usize::from(self.window.batches)
    }
}

impl WormObserver for Measure {
    #[inline(always)]
    fn generated(&mut self, message: &WormArrival) {
        let is_open = self.is_open();
        self.batch.generated += u64::from(is_open);
        self.batch.flits.generated += if is_open { u64::from(message.length) } else { 0 };
    }

    #[inline(always)]
    fn discarded(&mut self, _message: &WormArrival) {
        self.batch.discarded += u64::from(self.is_open());
    }

    #[inline]
    fn delivered(&mut self, message: &WormDelivery) {
        if !self.is_open() {
            return;
        }
        let latency = message.latency();
        self.batch.delivered += 1;
        let (crosses, length) = (self.bisection.separates(message.from, message.to), u64::from(message.length));
        self.batch.bisection += u64::from(crosses);
        self.batch.flits.delivered += length;
        self.batch.flits.bisection += if crosses { length } else { 0 };
        self.batch.flits.hops += length * u64::from(message.hops);
        self.batch.latency += latency;
        self.batch.hops += u64::from(message.hops);
        self.histogram.add(latency as f64);
    }

    #[inline(always)]
    fn lost(&mut self, _number: u64) {
        self.batch.lost += u64::from(self.is_open());
    }
}

/// Two observers of the same events.
struct Both<'a, A, B>(&'a mut A, &'a mut B);

impl<A: WormObserver, B: WormObserver> WormObserver for Both<'_, A, B> {
    fn generated(&mut self, message: &WormArrival) {
        self.0.generated(message);
        self.1.generated(message);
    }

    fn discarded(&mut self, message: &WormArrival) {
        self.0.discarded(message);
        self.1.discarded(message);
    }

    fn hop(&mut self, number: u64, from: NodeId, choice: &VcRequest, virtual_channel: u8) {
        self.0.hop(number, from, choice, virtual_channel);
        self.1.hop(number, from, choice, virtual_channel);
    }

    fn delivered(&mut self, message: &WormDelivery) {
        self.0.delivered(message);
        self.1.delivered(message);
    }

    fn lost(&mut self, number: u64) {
        self.0.lost(number);
        self.1.lost(number);
    }
}

/// A network that runs until its window is measured.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use faultlab_core::fault::BlockFaults;
/// use faultlab_core::random::Key;
/// use faultlab_core::routing;
/// use faultlab_core::switching::{WormEnd, WormMeasurement, WormholeConfig, WormWarmUp, WormWindow, WormholeNetwork};
/// use faultlab_core::topology::Mesh;
///
/// let mesh = Mesh::new(8, 8).ok_or("no mesh")?;
/// let routing = routing::find("e-cube")?.worm.clone().ok_or("no worms")?;
/// let config = WormholeConfig { load: 0.2, ..WormholeConfig::new(routing) };
/// let worms = WormholeNetwork::new(config, Arc::new(BlockFaults::new(mesh, &[], &[])), Key::from_seed(1))?;
/// let window = WormWindow { warm_up: WormWarmUp::Fixed(1_000), batches: 10, batch: 1_000 };
/// let run = WormMeasurement::new(worms, window).run_until(u64::MAX).ok_or("out of budget")?;
/// assert_eq!(run.end, WormEnd::Complete);
/// // Far from saturation, the network delivers all offered traffic.
/// assert!((run.throughput() / run.offered() - 1.0).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WormMeasurement {
    worms: WormholeNetwork,
    measure: Measure,
    /// True if the measurement ends when no message is left.
    ends_when_empty: bool,
}

impl WormMeasurement {
    /// Creates a measurement of `worms`, whose warm-up begins now.
    pub fn new(worms: WormholeNetwork, window: WormWindow) -> Self {
        let measure = Measure::new(&worms, window);
        Self { worms, measure, ends_when_empty: false }
    }

    /// Creates a measurement of preset messages in `worms`, which must have no other traffic.
    ///
    /// The measurement runs until all messages are delivered or lost and none will start, or for at
    /// most `most` cycles. The run counts the cycles until the last message has left the network.
    pub fn for_preset_messages(worms: WormholeNetwork, most: u64) -> Self {
        let window = WormWindow { warm_up: WormWarmUp::Fixed(0), batches: 1, batch: most };
        Self { ends_when_empty: true, ..Self::new(worms, window) }
    }

    /// Returns the network.
    pub fn worms(&self) -> &WormholeNetwork {
        &self.worms
    }

    /// Runs until the window or the network ends and returns the results, `None` if neither ends
    /// within `cycles` cycles.
    pub fn run_until(&mut self, cycles: u64) -> Option<WormRun> {
        let mut rest = cycles;
        loop {
            if self.measure.end(&self.worms) != WormEnd::Unfinished {
                return Some(self.result());
            }
            if self.worms.cycle() == self.measure.until && self.measure.end_stretch(&self.worms) {
                return Some(self.result());
            }
            if rest == 0 {
                return None;
            }
            let stretch = rest.min(self.measure.until - self.worms.cycle());
            self.run_for(stretch);
            if self.is_over() {
                self.measure.end_stretch(&self.worms);
                return Some(self.result());
            }
            rest -= stretch;
        }
    }

    /// Runs until the window or the network ends, and reports every event to `observer`, those of
    /// the warm-up included. Returns the results, which equal those of
    /// [`WormMeasurement::run_until`].
    pub fn run_observed(&mut self, observer: &mut impl WormObserver) -> WormRun {
        loop {
            if let Some(run) = self.run_until(0) {
                return run;
            }
            self.worms.step(&mut Both(&mut self.measure, observer));
            if self.is_over() {
                self.measure.end_stretch(&self.worms);
                return self.result();
            }
        }
    }

    /// Returns the cycle at which the window began; `None` during the warm-up.
    pub fn window_start(&self) -> Option<u64> {
        self.measure.is_open().then_some(self.measure.from)
    }

    /// Runs for `cycles` cycles, unless the measurement or the network ends earlier.
    fn run_for(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.worms.step(&mut self.measure);
            if self.worms.outcome().is_some() || self.is_over() {
                return;
            }
        }
    }

    /// Returns whether the measurement ends because no message is left.
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.ends_when_empty && self.worms.is_complete()
    }

    /// Returns the results up to now.
    pub fn result(&self) -> WormRun {
        self.measure.result(&self.worms)
    }
}
