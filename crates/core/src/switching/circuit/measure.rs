//! Measurement of a circuit-switched network over a time window.

use super::{
    CircuitBatch, CircuitEnd, CircuitEvent, CircuitNetwork, CircuitObserver, CircuitOutcome, CircuitRun,
    CircuitTransitionCounts, CompletedCircuit, InterruptedCircuit, Refusal, WaitEnd,
};
use crate::switching::SetupHistogram;
use crate::topology::{Link, Mesh, NodeId};
use crate::traffic::Arrival;

/// Network of circuits that [`CircuitMeasurement`] measures.
///
/// A link is a node and the number of one of its ports: the dimension in a hypercube, the port in a
/// mesh.
pub trait MeasuredCircuits {
    /// Returns the number of nodes, the number of ports of a node, and the mesh; `None` in a
    /// hypercube.
    fn shape(&self) -> (usize, usize, Option<Mesh>);

    /// Returns the number of live nodes.
    fn live_count(&self) -> u64;

    /// Returns the time of the last event.
    fn time(&self) -> f64;

    /// Returns the time of the next event, infinite if there is none.
    fn next_time(&self) -> f64;

    /// Returns the outcome of the network, `None` while it runs.
    fn outcome(&self) -> Option<&CircuitOutcome>;

    /// Executes the next event. Returns whether there was one.
    fn step(&mut self, observer: &mut WindowObserver) -> bool;

    /// Returns the reserved links.
    fn reserved_links(&self) -> Vec<Link>;

    /// Returns the waits that have not ended.
    fn open_waits(&self) -> Vec<WaitEnd>;

    /// Returns the counts of faults that arrive; `None` if none do.
    fn transition(&self) -> Option<CircuitTransitionCounts>;

    /// Returns the live links along every dimension: first those along which the coordinate grows.
    fn links_by_dimension(&self) -> Vec<[Vec<Link>; 2]>;
}

impl MeasuredCircuits for CircuitNetwork {
    fn shape(&self) -> (usize, usize, Option<Mesh>) {
        let dims = usize::from(self.cube().dimension());
        (1 << dims, dims, None)
    }

    fn live_count(&self) -> u64 {
        self.live().count() as u64
    }

    #[inline(always)]
    fn time(&self) -> f64 {
        self.time()
    }

    #[inline(always)]
    fn next_time(&self) -> f64 {
        self.next_time()
    }

    #[inline(always)]
    fn outcome(&self) -> Option<&CircuitOutcome> {
        self.outcome()
    }

    #[inline(always)]
    fn step(&mut self, observer: &mut WindowObserver) -> bool {
        Self::step(self, observer) != CircuitEvent::Ended
    }

    fn reserved_links(&self) -> Vec<Link> {
        self.messages().flat_map(|message| message.path().collect::<Vec<_>>()).collect()
    }

    fn open_waits(&self) -> Vec<WaitEnd> {
        let waiting = self.messages().filter(|message| !message.transmits());
        let wait = waiting.map(|message| WaitEnd {
            number: message.number(),
            node: message.path_end(),
            dims: message.waits_for().fold(0, |dims, link| dims | 1 << link.dim),
            since: message.since(),
        });
        wait.collect()
    }

    fn transition(&self) -> Option<CircuitTransitionCounts> {
        self.transition()
    }

    fn links_by_dimension(&self) -> Vec<[Vec<Link>; 2]> {
        let links = |dim: u8, up: bool| {
            let all = (0..=self.cube().mask()).map(move |node| Link { from: NodeId(node), dim });
            all.filter(|&link| link.is_up() == up && self.is_live(link)).collect()
        };
        (0..self.cube().dimension()).map(|dim| [links(dim, true), links(dim, false)]).collect()
    }
}

/// A measurement window, in mean transmission times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CircuitWindow {
    /// End of the warm-up, which is not counted; finite, not negative.
    pub from: f64,
    /// End of the measured time; finite, above `from`.
    pub until: f64,
    /// Number of equal parts of the window whose messages are also counted separately, 1 to 65535.
    pub batches: u16,
}

impl CircuitWindow {
    /// Returns the length of the intersection of the window with the time from `start` to `end`.
    #[inline(always)]
    fn overlap(&self, start: f64, end: f64) -> f64 {
        let start = if start > self.from { start } else { self.from };
        let end = if end < self.until { end } else { self.until };
        if end > start { end - start } else { 0.0 }
    }

    #[inline(always)]
    fn contains(&self, time: f64) -> bool {
        self.from <= time && time < self.until
    }
}

/// Counters of the events in a window. Every message generated in the window is followed until its
/// circuit is complete.
#[derive(Clone, Debug)]
pub struct WindowObserver {
    window: CircuitWindow,
    /// Number of ports of a node.
    ports: usize,
    /// Mesh; `None` in a hypercube.
    mesh: Option<Mesh>,
    events: u64,
    generated: u64,
    refused: [u64; 2],
    /// Number of messages of the window that have not completed their circuits.
    pending: u64,
    transmitted: u64,
    attempts: u64,
    /// Messages between nodes that differ in more than half of the dimensions; in a mesh, whose
    /// distance is more than half of the diameter.
    far: CircuitBatch,
    /// Messages of each source.
    sources: Vec<CircuitBatch>,
    histogram: SetupHistogram,
    batches: Vec<CircuitBatch>,
    /// Batches per mean transmission time.
    pace: f64,
    /// Time of the last reservation of each link.
    since: Vec<f64>,
    /// Total time for which each link was reserved.
    busy: Vec<f64>,
    /// Total waiting time of messages for each link.
    queued: Vec<f64>,
    /// Total waiting time of messages.
    waited: f64,
    most_waiting: u64,
}

impl WindowObserver {
    /// Creates empty counters for `circuits`, which must not have started.
    fn new(circuits: &impl MeasuredCircuits, window: CircuitWindow) -> Self {
        let (nodes, ports, mesh) = circuits.shape();
        let links = vec![0.0; nodes * ports];
        let batches = window.batches.max(1);
        Self {
            window,
            ports,
            mesh,
            events: 0,
            generated: 0,
            refused: [0; 2],
            pending: 0,
            transmitted: 0,
            attempts: 0,
            far: CircuitBatch::default(),
            sources: vec![CircuitBatch::default(); nodes],
            histogram: SetupHistogram::default(),
            batches: vec![CircuitBatch::default(); usize::from(batches)],
            pace: f64::from(batches) / (window.until - window.from),
            since: links.clone(),
            busy: links.clone(),
            queued: links,
            waited: 0.0,
            most_waiting: 0,
        }
    }

    #[inline(always)]
    fn index(&self, link: Link) -> usize {
        link.from.0 as usize * self.ports + usize::from(link.dim)
    }

    /// Counts the part of a wait that lies in the window.
    #[inline]
    fn add_wait(&mut self, wait: &WaitEnd, end: f64) {
        let time = self.window.overlap(wait.since, end);
        self.waited += time;
        let mut rest = wait.dims;
        while rest != 0 {
            let index = wait.node.0 as usize * self.ports + rest.trailing_zeros() as usize;
            self.queued[index] += time;
            rest &= rest - 1;
        }
    }

    /// Returns whether every message of the window has completed its circuit and none will be
    /// generated.
    #[inline(always)]
    fn is_complete(&self, circuits: &impl MeasuredCircuits) -> bool {
        let goes_on = matches!(circuits.outcome(), None | Some(CircuitOutcome::Idle { .. }));
        self.pending == 0 && goes_on && circuits.next_time() >= self.window.until
    }

    /// Returns the results up to now for `circuits`, the observed network.
    fn result(&self, circuits: &impl MeasuredCircuits) -> CircuitRun {
        let complete = self.is_complete(circuits);
        let nodes = circuits.live_count();
        let end = match circuits.outcome() {
            None | Some(CircuitOutcome::Idle { .. }) if complete => CircuitEnd::Complete,
            Some(CircuitOutcome::Deadlock(deadlock)) => {
                CircuitEnd::Deadlock { time: deadlock.time, cycle: deadlock.cycle.len() as u64 }
            }
            Some(&CircuitOutcome::Unstable { since, time, backlog, throughput }) => {
                CircuitEnd::Unstable { since, time, backlog, throughput: throughput / (nodes as f64).max(1.0) }
            }
            None | Some(CircuitOutcome::Idle { .. }) => CircuitEnd::Unfinished,
        };
        let horizon = if complete { self.window.until } else { circuits.time() };
        let observed = self.window.overlap(self.window.from, horizon);
        let all = self.including_pending(circuits, horizon);
        let per_time = |sum: f64| if observed > 0.0 { sum / observed } else { 0.0 };
        let utilization: Vec<f64> = all.busy.iter().copied().map(per_time).collect();
        let queues: Vec<f64> = all.queued.iter().copied().map(per_time).collect();
        CircuitRun {
            end,
            time: circuits.time(),
            events: self.events,
            observed,
            nodes,
            generated: self.generated,
            refused_faulty: self.refused[0],
            refused_cut_off: self.refused[1],
            completed: self.batches.iter().map(|batch| batch.count).sum(),
            setup: self.batches.iter().map(|batch| batch.setup).sum(),
            attempts: self.attempts,
            far: self.far,
            slowest_sources: slowest_quarter(&self.sources),
            histogram: self.histogram.clone(),
            batches: self.batches.clone(),
            dimensions: by_dimension(circuits, &utilization),
            dimension_queues: by_dimension(circuits, &queues),
            utilization,
            queues,
            backlog: per_time(all.waited),
            most_waiting: self.most_waiting,
            throughput: per_time(self.transmitted as f64) / (nodes as f64).max(1.0),
            transition: circuits.transition(),
        }
    }

    /// Returns a copy in which pending reservations and waits count as if they ended at `horizon`.
    fn including_pending(&self, circuits: &impl MeasuredCircuits, horizon: f64) -> Self {
        let mut all = self.clone();
        for link in circuits.reserved_links() {
            let index = all.index(link);
            all.busy[index] += self.window.overlap(self.since[index], horizon);
        }
        for wait in circuits.open_waits() {
            all.add_wait(&wait, horizon);
        }
        all
    }
}

/// Returns the messages of the quarter of the sources with the largest mean setup times, at least
/// of one source. Sources without messages do not count.
fn slowest_quarter(sources: &[CircuitBatch]) -> CircuitBatch {
    let mean = |source: &CircuitBatch| source.setup / source.count as f64;
    let mut sources: Vec<_> = sources.iter().filter(|source| source.count > 0).collect();
    sources.sort_by(|one, other| mean(other).total_cmp(&mean(one)));
    let slowest = sources.iter().take(sources.len().div_ceil(4));
    slowest.fold(CircuitBatch::default(), |sum, source| CircuitBatch {
        count: sum.count + source.count,
        setup: sum.setup + source.setup,
    })
}

/// Returns the means of `values` over the live links of both directions of every dimension.
///
/// `values` has one entry for each link.
fn by_dimension(circuits: &impl MeasuredCircuits, values: &[f64]) -> Vec<[f64; 2]> {
    let (_, ports, _) = circuits.shape();
    let mean = |links: &Vec<Link>| {
        let value = |link: &Link| values[link.from.0 as usize * ports + usize::from(link.dim)];
        let sum = links.iter().fold(0.0, |sum, link| sum + value(link));
        if links.is_empty() { 0.0 } else { sum / links.len() as f64 }
    };
    circuits.links_by_dimension().iter().map(|[up, down]| [mean(up), mean(down)]).collect()
}

impl CircuitObserver for WindowObserver {
    #[inline(always)]
    fn generated(&mut self, _number: u64, message: &Arrival) {
        if self.window.contains(message.time) {
            self.generated += 1;
            self.pending += 1;
        }
    }

    #[inline]
    fn refused(&mut self, _number: u64, message: &Arrival, why: Refusal) {
        if self.window.contains(message.time) {
            self.refused[usize::from(why == Refusal::CutOff)] += 1;
        }
    }

    #[inline(always)]
    fn reserved(&mut self, _number: u64, link: Link, time: f64) {
        let index = self.index(link);
        self.since[index] = time;
    }

    #[inline(always)]
    fn released(&mut self, link: Link, time: f64) {
        let index = self.index(link);
        self.busy[index] += self.window.overlap(self.since[index], time);
    }

    #[inline(always)]
    fn waiting(&mut self, _number: u64, _node: NodeId, _dims: u64, backlog: u64, time: f64) {
        if self.window.contains(time) && backlog > self.most_waiting {
            self.most_waiting = backlog;
        }
    }

    #[inline(always)]
    fn granted(&mut self, wait: &WaitEnd, time: f64) {
        self.add_wait(wait, time);
    }

    #[inline(always)]
    fn completed(&mut self, circuit: &CompletedCircuit) {
        let generated = circuit.generated;
        if !circuit.is_repeated && self.window.contains(generated) {
            let setup = circuit.time - generated;
            self.pending = self.pending.saturating_sub(1);
            self.histogram.add(setup);
            let batch = ((generated - self.window.from) * self.pace) as usize;
            // Rounding may place the last moment of the window beyond the last batch.
            let batch = batch.min(self.batches.len() - 1);
            self.batches[batch].add(setup);
            self.attempts += u64::from(circuit.attempts);
            self.sources[circuit.source.0 as usize].add(setup);
            let is_far = match self.mesh {
                None => 2 * (circuit.source.0 ^ circuit.destination.0).count_ones() as usize > self.ports,
                Some(mesh) => 2 * mesh.distance(circuit.source, circuit.destination) > mesh.diameter(),
            };
            if is_far {
                self.far.add(setup);
            }
        }
    }

    fn interrupted(&mut self, circuit: &InterruptedCircuit) {
        if circuit.is_lost && !circuit.has_completed && self.window.contains(circuit.generated) {
            self.pending = self.pending.saturating_sub(1);
        }
    }

    #[inline(always)]
    fn transmitted(&mut self, _number: u64, time: f64) {
        self.transmitted += u64::from(self.window.contains(time));
    }
}

/// A network that runs until its window is measured.
///
/// # Example
/// In a cube of one dimension, the mean setup time is that of a queue with one server,
/// `rate / (1 - rate)`.
/// ```
/// use faultlab_core::fault::{FaultSampler, FaultSpec};
/// use faultlab_core::random::Key;
/// use faultlab_core::routing;
/// use faultlab_core::switching::{
///     CircuitEnd, CircuitMeasurement, CircuitNetwork, CircuitConfig, CircuitWindow,
/// };
/// use faultlab_core::topology::{Hypercube, NodeId};
///
/// let (cube, key) = (Hypercube::new(1).ok_or("no cube")?, Key::from_seed(1));
/// let criterion = routing::find("up")?.criterion().ok_or("no criterion")?;
/// let mut faults = FaultSampler::new(cube, &FaultSpec::NONE.into(), [NodeId::NONE; 2], key);
/// let circuits = CircuitNetwork::new(CircuitConfig::new(cube, criterion, 0.5), &mut faults, key)?;
/// let window = CircuitWindow { from: 100.0, until: 50_000.0, batches: 20 };
/// let run = CircuitMeasurement::new(circuits, window).run_until(1_000_000).ok_or("out of budget")?;
/// assert_eq!(run.end, CircuitEnd::Complete);
/// assert!(run.mean_setup().is_some_and(|setup| (setup - 1.0).abs() < 0.1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CircuitMeasurement<N = CircuitNetwork> {
    circuits: N,
    measure: WindowObserver,
}

impl<N: MeasuredCircuits> CircuitMeasurement<N> {
    /// Creates a measurement of `circuits`, which must not have started.
    pub fn new(circuits: N, window: CircuitWindow) -> Self {
        let measure = WindowObserver::new(&circuits, window);
        Self { circuits, measure }
    }

    /// Returns the network.
    pub fn circuits(&self) -> &N {
        &self.circuits
    }

    /// Runs until every message of the window has completed its circuit, or the network ends.
    ///
    /// Traffic continues meanwhile. Returns the results, or `None` if the run does not end within
    /// `budget` events.
    pub fn run_until(&mut self, budget: u64) -> Option<CircuitRun> {
        for _ in 0..budget {
            if self.measure.is_complete(&self.circuits) || !self.circuits.step(&mut self.measure) {
                return Some(self.result());
            }
            self.measure.events += 1;
        }
        None
    }

    /// Returns the results up to now.
    pub fn result(&self) -> CircuitRun {
        self.measure.result(&self.circuits)
    }
}
