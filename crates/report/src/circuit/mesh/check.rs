//! Exact results on circuits of a mesh or torus: the pairs that each search serves, and deadlock.

use std::sync::Arc;

use crate::check_report::{self, CheckReport};
use crate::check_verdict::{CheckVerdict, VerdictMark};
use crate::cycle::{DependencyCycle, MeshChannel};
use crate::document::Document;
use crate::error::ReportError;
use crate::files::record::{self, Record, Value};
use crate::wording::count;
use crate::wording::facts::{Fact, fact};
use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::wording::{mesh_node, port as port_name};
use faultlab_core::routing::{Algorithm, ProbeRouting, least_misroutes};
use faultlab_core::switching::SetupPolicy;
use faultlab_core::theory::{ChannelCycle, ecube_circuit_dependencies, ecube_circuit_witnesses};
use faultlab_core::topology::{Link, Mesh, NodeId, Port};
use faultlab_core::traffic::Pair;
use faultlab_experiment::{Experiment, PointConfig, ProbeOutcome, ProbeTrace, ProbeTraces};

/// Freedom from deadlock, or the reason against it.
enum Deadlock {
    /// No probe waits for a link while it holds others.
    NothingWaits,
    /// e-cube with reserve and hold: the graph has no cycle.
    Acyclic { dependencies: usize },
    /// e-cube with reserve and hold: each message of the cycle holds a link and waits for the next.
    Cyclic { dependencies: usize, cycle: Vec<(NodeId, Port)>, witnesses: Vec<Pair> },
    /// The network is too large.
    TooLarge,
}

/// Check of one algorithm.
struct ProbeCheck {
    algorithm: Arc<Algorithm>,
    /// Ordered pairs of live nodes that the search serves.
    served: u64,
    deadlock: Deadlock,
    /// Search of the followed pair without other messages.
    trace: ProbeTrace,
}

/// Check of all algorithms.
struct ProbeChecks {
    experiment: Experiment,
    cell: PointConfig,
    faults: Arc<BlockFaults>,
    /// Ordered pairs of live nodes.
    pairs: u64,
    /// Ordered pairs of live nodes that faults do not disconnect.
    connected: u64,
    /// Least misroutes of a path of the followed pair; `None` if there is no path.
    misroutes: Option<u16>,
    algorithms: Vec<ProbeCheck>,
}

/// Checks every algorithm of `experiment` on the faults of the sample shown in *Watch*.
///
/// # Errors
/// Returns an error if the fault model is unsupported, or no fault set was found.
pub(crate) fn check_experiment(experiment: &Experiment) -> Result<Box<dyn CheckReport>, ReportError> {
    let none = |why| ReportError::NoFaults { model: experiment.faults.model, why };
    let ProbeTraces { cell, faults, traces } = ProbeTraces::new(experiment).map_err(none)?;
    let counts = PairsByMisroutes::new(&faults);
    let holds = experiment.setting.circuit().is_some_and(|setting| setting.setup == SetupPolicy::Hold);
    let check = |trace: ProbeTrace| {
        let routing = trace.algorithm.probe().unwrap_or(ProbeRouting::DimensionOrder);
        let deadlock = if holds && !routing.backtracks() { ecube_deadlock(&faults) } else { Deadlock::NothingWaits };
        ProbeCheck { algorithm: trace.algorithm.clone(), served: counts.served(&faults, routing), deadlock, trace }
    };
    Ok(Box::new(ProbeChecks {
        experiment: experiment.clone(),
        pairs: counts.all(),
        connected: counts.connected(),
        misroutes: misroutes_between(&faults, cell.ends),
        algorithms: traces.into_iter().map(check).collect(),
        cell,
        faults,
    }))
}

/// Numbers of ordered pairs of live nodes by the least misroutes of their paths.
struct PairsByMisroutes {
    /// Number of pairs with each least number of misroutes, from 0.
    counts: Vec<u64>,
    disconnected: u64,
}

impl PairsByMisroutes {
    fn new(faults: &BlockFaults) -> Self {
        let (mut counts, mut disconnected) = (Vec::new(), 0);
        for to in live_nodes(faults) {
            let table = least_misroutes(faults, to);
            for from in live_nodes(faults).filter(|&from| from != to) {
                match table[from.0 as usize] {
                    u16::MAX => disconnected += 1,
                    least => {
                        let least = usize::from(least);
                        if counts.len() <= least {
                            counts.resize(least + 1, 0);
                        }
                        counts[least] += 1;
                    }
                }
            }
        }
        Self { counts, disconnected }
    }

    fn all(&self) -> u64 {
        self.connected() + self.disconnected
    }

    fn connected(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of pairs that a search serves.
    fn served(&self, faults: &BlockFaults, routing: ProbeRouting) -> u64 {
        match routing {
            ProbeRouting::Backtracking { misroutes: ProbeRouting::UNLIMITED } => self.connected(),
            ProbeRouting::Backtracking { misroutes } => self.counts.iter().take(usize::from(misroutes) + 1).sum(),
            ProbeRouting::DimensionOrder => {
                let reaching = |to: NodeId| {
                    let reaches = routing.reaching(faults, to);
                    live_nodes(faults).filter(|&from| from != to && reaches[from.0 as usize]).count() as u64
                };
                live_nodes(faults).map(reaching).sum()
            }
        }
    }
}

fn live_nodes(faults: &BlockFaults) -> impl Iterator<Item = NodeId> {
    faults.mesh().iter_nodes().filter(|&node| !faults.is_faulty(node))
}

/// Returns the least misroutes of a path between two nodes; `None` without a path.
fn misroutes_between(faults: &BlockFaults, ends: Pair) -> Option<u16> {
    let least = least_misroutes(faults, ends.to).get(ends.from.0 as usize).copied();
    least.filter(|&least| least != u16::MAX && !faults.is_faulty(ends.from))
}

fn ecube_deadlock(faults: &BlockFaults) -> Deadlock {
    let Some(graph) = ecube_circuit_dependencies(faults) else { return Deadlock::TooLarge };
    let dependencies = graph.dependencies();
    match graph.acyclic_order() {
        Ok(_) => Deadlock::Acyclic { dependencies },
        Err(cycle) => {
            let witnesses = ecube_circuit_witnesses(faults, &cycle);
            let ChannelCycle { channels } = cycle;
            let cycle = channels.into_iter().map(|channel| faults.mesh().channel_ends(channel.0)).collect();
            Deadlock::Cyclic { dependencies, cycle, witnesses }
        }
    }
}

impl Deadlock {
    fn is_free(&self) -> Option<bool> {
        match self {
            Self::NothingWaits | Self::Acyclic { .. } => Some(true),
            Self::Cyclic { .. } => Some(false),
            Self::TooLarge => None,
        }
    }

    fn dependencies(&self) -> Option<usize> {
        match self {
            Self::Acyclic { dependencies } | Self::Cyclic { dependencies, .. } => Some(*dependencies),
            Self::NothingWaits | Self::TooLarge => None,
        }
    }

    fn cycle(&self) -> &[(NodeId, Port)] {
        if let Self::Cyclic { cycle, .. } = self { cycle } else { &[] }
    }

    fn witnesses(&self) -> &[Pair] {
        if let Self::Cyclic { witnesses, .. } = self { witnesses } else { &[] }
    }
}

/// Returns the guarantee of the algorithm for circuits on meshes. That of e-cube is about hypercubes.
fn guarantee(check: &ProbeCheck) -> &'static str {
    match check.algorithm.probe() {
        Some(ProbeRouting::DimensionOrder) => {
            "One path for each pair: any fault on it cuts the pair off. Never deadlocks on meshes; around a torus only with \
             setup=retry."
        }
        _ => check.algorithm.guarantee,
    }
}

/// Columns of the CSV, which has a line for each algorithm.
const COLUMNS: [&str; 20] = [
    "series",
    "pairs",
    "connected",
    "served",
    "cut_off",
    "deadlock_free",
    "because",
    "acyclic",
    "dependencies",
    "cycle",
    "outcome",
    "misroutes",
    "moves",
    "hops",
    "setup",
    "guarantee",
    "network.nodes",
    "network.faulty",
    "network.live",
    "network.distance",
];

impl ProbeChecks {
    fn mesh(&self) -> Mesh {
        self.faults.mesh()
    }

    fn hop_time(&self) -> f64 {
        self.cell.setting.circuit().map_or(0.0, |setting| setting.hop)
    }

    /// Returns the setup time of the followed pair without other messages.
    fn setup(&self, trace: &ProbeTrace) -> Option<f64> {
        let hops = trace.moves.len() as u64 + trace.hops;
        (trace.outcome == ProbeOutcome::Arrived).then(|| self.hop_time() * hops as f64)
    }

    fn live(&self) -> u64 {
        live_nodes(&self.faults).count() as u64
    }

    fn faulty_links(&self) -> Vec<Link> {
        let is_faulty = |link: &Link| {
            let is_live = |node| !self.faults.is_faulty(node);
            let ends_live = is_live(link.from) && self.mesh().link_end(*link).is_some_and(is_live);
            ends_live && self.faults.faulty_ports(link.from) & Port::along(link.dim, true).bit() != 0
        };
        self.mesh().iter_links().filter(is_faulty).collect()
    }

    /// Returns the name of a one-way link: `FROM>TO`.
    fn channel(&self, (node, port): (NodeId, Port)) -> [String; 2] {
        let mesh = self.mesh();
        let to = mesh.neighbor(node, port).map_or_else(String::new, |to| mesh.format_node(to));
        [mesh.format_node(node), to]
    }

    /// Returns whether the guarantee holds here, in words.
    fn guarantee_holds(&self, check: &ProbeCheck) -> &'static str {
        match check.deadlock.is_free() {
            Some(true) => "holds",
            Some(false) => "fails: deadlock",
            None => "undecided",
        }
    }

    fn because(&self, check: &ProbeCheck) -> &'static str {
        match (&check.deadlock, check.algorithm.probe().is_some_and(|routing| routing.backtracks())) {
            (Deadlock::NothingWaits, true) => {
                "a probe goes back instead of waiting, so nothing that holds a link waits"
            }
            (Deadlock::NothingWaits, false) => "a probe releases its path where a link is reserved (setup=retry)",
            (Deadlock::Acyclic { .. }, _) => "the waits between links have no cycle",
            (Deadlock::Cyclic { .. }, _) => {
                "messages from the nodes of the cycle each reserve their first link and wait for the next one; \
                 setup=retry avoids this"
            }
            (Deadlock::TooLarge, _) => "undecided: the waits between links are computed up to 4096 nodes",
        }
    }

    fn record(&self, check: &ProbeCheck) -> Record {
        let mesh = self.mesh();
        let node = |node: NodeId| Value::from(mesh.format_node(node));
        let channel = |&held: &(NodeId, Port)| {
            let [from, to] = self.channel(held);
            Record::default().with("from", from).with("to", to)
        };
        let ends = |pair: &Pair| Record::default().with("from", node(pair.from)).with("to", node(pair.to));
        let short: Vec<_> = check.deadlock.cycle().iter().map(|&held| self.channel(held).join(">")).collect();
        let links = self.faulty_links().into_iter().map(|link| Value::from(mesh.format_link(link)));
        let dead = mesh.iter_nodes().filter(|&it| self.faults.is_faulty(it)).map(node);
        let network = Record::default()
            .with("nodes", u64::from(mesh.nodes()))
            .with("faulty", u64::from(mesh.nodes()) - self.live())
            .with("live", self.live())
            .with("faulty_nodes", Value::List(dead.collect()))
            .with("faulty_links", Value::List(links.collect()))
            .with("from", node(self.cell.ends.from))
            .with("to", node(self.cell.ends.to))
            .with("distance", self.cell.distance());
        let graph = check.deadlock.dependencies();
        Record::default()
            .with("series", &*check.algorithm.id)
            .with("pairs", self.pairs)
            .with("connected", self.connected)
            .with("served", check.served)
            .with("cut_off", self.pairs - check.served)
            .with("deadlock_free", check.deadlock.is_free())
            .with("because", self.because(check))
            .with("acyclic", graph.map(|_| check.deadlock.cycle().is_empty()))
            .with("dependencies", graph.map(|count| count as u64))
            .with_field("cycle", check.deadlock.cycle().iter().map(channel).collect::<Value>(), short.join(" "))
            .with("witnesses", check.deadlock.witnesses().iter().map(ends).collect::<Value>())
            .with("outcome", super::routes::outcome_id(check.trace.outcome))
            .with("misroutes", self.misroutes.map(u64::from))
            .with("moves", check.trace.moves.len() as u64)
            .with("hops", check.trace.hops)
            .with("setup", self.setup(&check.trace))
            .with("guarantee", guarantee(check))
            .with("network", network)
            .with("cost", crate::cost::record_for(&self.experiment, &check.algorithm))
    }

    fn records(&self) -> Vec<Record> {
        self.algorithms.iter().map(|check| self.record(check)).collect()
    }

    /// Returns the fact on the followed pair.
    fn pair_fact(&self, check: &ProbeCheck) -> Fact {
        let mesh = self.mesh();
        let ends = [self.cell.ends.from, self.cell.ends.to].map(|node| mesh_node(mesh, node));
        let what = format!("From {} to {}", ends[0], ends[1]);
        let trace = &check.trace;
        match self.setup(trace) {
            Some(setup) => fact(
                &what,
                format!("setup {setup:.4} without load"),
                format!(
                    "in mean transmission times: {} of the probe, then {} of the acknowledgement, for a distance of {}",
                    count(trace.moves.len() as u32, "move"),
                    count(trace.hops as u32, "hop"),
                    self.cell.distance()
                ),
            ),
            None if trace.outcome == ProbeOutcome::FaultyEnd => {
                fact(&what, "refused", "source or destination is faulty")
            }
            None => fact(&what, "refused", "every path that the search may take has a fault"),
        }
    }
}

impl Document for ProbeChecks {
    fn text(&self) -> String {
        check_report::render_text(self, &self.experiment, "")
    }

    fn csv(&self) -> String {
        record::csv(&self.experiment, &COLUMNS, &self.records())
    }

    fn json(&self) -> String {
        record::json(&self.experiment, self.records())
    }
}

impl CheckReport for ProbeChecks {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn ground(&self) -> &'static str {
        ", over all pairs"
    }

    fn network_facts(&self) -> Vec<Fact> {
        let nodes = u64::from(self.mesh().nodes());
        let live = self.live();
        let mut facts = vec![
            fact(
                "Live nodes",
                format!("{live} of {nodes}"),
                "nodes without a fault; faults are used as they are, without closure",
            ),
            fact(
                "Connected pairs",
                format!("{} of {}", self.connected, self.pairs),
                "ordered pairs of live nodes with a path without faults",
            ),
        ];
        if let Some(least) = self.misroutes {
            facts.push(fact(
                "Least misroutes of the followed pair",
                least.to_string(),
                "hops that lead no nearer on the path without faults that has the fewest of them",
            ));
        }
        facts
    }

    fn names(&self) -> Vec<&str> {
        self.algorithms.iter().map(|check| &*check.algorithm.name).collect()
    }

    fn verdict(&self, number: usize) -> CheckVerdict {
        let Some(check) = self.algorithms.get(number) else { return CheckVerdict::from_clauses([]) };
        let name = &check.algorithm.name;
        let deadlock = match check.deadlock.is_free() {
            Some(true) => (VerdictMark::Holds, format!("{name} is proved free of deadlock")),
            Some(false) => {
                let messages = count(check.deadlock.cycle().len() as u32, "message");
                (VerdictMark::Fails, format!("{name} can deadlock: {messages} can wait for each other"))
            }
            None => (VerdictMark::Partly, format!("deadlock of {name} is undecided")),
        };
        let served = match self.pairs - check.served {
            0 => (VerdictMark::Holds, format!("all {} pairs are served", self.pairs)),
            cut_off => (VerdictMark::Partly, format!("{cut_off} of {} pairs are refused", self.pairs)),
        };
        CheckVerdict::from_clauses([deadlock, served])
    }

    fn facts(&self, number: usize) -> Vec<Fact> {
        let Some(check) = self.algorithms.get(number) else { return Vec::new() };
        let deadlock = match check.deadlock.is_free() {
            Some(true) => "proved free",
            Some(false) => "can occur",
            None => "undecided",
        };
        let because = match &check.deadlock {
            Deadlock::Acyclic { dependencies } | Deadlock::Cyclic { dependencies, .. } => {
                format!("{}; {} between links", self.because(check), count(*dependencies as u32, "wait"))
            }
            _ => self.because(check).to_owned(),
        };
        vec![
            fact(
                "Pairs served",
                format!("{} of {}", check.served, self.pairs),
                "ordered pairs of live nodes for which the search finds a path if no link is reserved",
            ),
            fact("Deadlock", deadlock, because),
            self.pair_fact(check),
            fact("Guarantee", self.guarantee_holds(check), guarantee(check)),
        ]
    }

    fn witnesses(&self, number: usize) -> Vec<String> {
        let Some(check) = self.algorithms.get(number) else { return Vec::new() };
        let (cycle, mesh) = (check.deadlock.cycle(), self.mesh());
        let name = |place: usize| {
            let &(node, port) = cycle.get(place % cycle.len())?;
            Some(format!("{} at {}", port_name(mesh, node, port), mesh_node(mesh, node)))
        };
        let told = |(place, pair): (usize, &Pair)| {
            let [from, to] = [pair.from, pair.to].map(|node| mesh_node(mesh, node));
            let (held, wanted) = (name(place)?, name(place + 1)?);
            Some(format!("channel {}: a message from {from} to {to} holds {held} and waits for {wanted}", place + 1))
        };
        check.deadlock.witnesses().iter().enumerate().filter_map(told).collect()
    }

    fn cycle(&self, number: usize) -> Option<DependencyCycle> {
        let cycle = self.algorithms.get(number)?.deadlock.cycle();
        let channels: Vec<_> = cycle.iter().map(|&(from, port)| MeshChannel { from, port, class: 0 }).collect();
        (!channels.is_empty()).then_some(DependencyCycle::Mesh { channels, classes: 1 })
    }
}
