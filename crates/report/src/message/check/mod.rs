//! Checks on hypercubes: exact results on one instance, independent of their presentation.

mod embedding;
pub mod facts;
mod files;
mod verdict;

pub use embedding::EmbeddingResult;

use std::sync::Arc;

use crate::check_report::{self, CheckReport};
use crate::check_verdict::CheckVerdict;
use crate::cycle::DependencyCycle;
use crate::document::Document;
use crate::error::ReportError;
use crate::files::record;
use crate::wording::facts::Fact;
use faultlab_core::fault::{FaultModel, FaultSampler, Faults as _};
use faultlab_core::routing::{ALGORITHMS, Algorithm, Criterion, Header, Knowledge, LocalRouting, Method, Position};
use faultlab_core::switching::{PathFinder, SetupPolicy};
use faultlab_core::theory::{
    self, AffectedPairs, BlockingFault, Connectivity, DeadlockProof, FreeLinks, PairCounts, Suggestion,
};
use faultlab_core::topology::{Hypercube, Link, NodeId, set_dimensions};
use faultlab_core::traffic::Pair;
use faultlab_experiment::deadlock::{DeadlockVerdict, circuit_verdict};
use faultlab_experiment::{CubePointConfig, Experiment, PointConfig};

/// Maximum dimension of a cube whose faults are counted.
pub(crate) const MAX_COUNTED: u8 = 12;

/// Results on one instance: on its network, and on each algorithm. `None` marks results that cannot
/// be computed, mostly because the cube is too large.
#[derive(Clone, Debug)]
pub struct MessageCheckReport {
    /// Experiment.
    pub experiment: Experiment,
    /// Point of the experiment.
    pub cell: CubePointConfig,
    /// True if the experiment follows a single message.
    pub single: bool,
    /// The only fault, if there is exactly one; up to n = 12.
    pub only: Option<BlockingFault>,
    /// Faulty nodes, ascending; up to n = 12.
    pub faulty_nodes: Vec<NodeId>,
    /// Faulty links between live nodes, ascending; up to n = 12.
    pub faulty_links: Vec<Link>,
    /// Flags for a faulty source and a faulty destination; never set for a single message.
    pub faulty_ends: [bool; 2],
    /// Components of the live nodes; up to n = 20, without faulty links and ends.
    pub connectivity: Option<Connectivity>,
    /// Existence of a live path from source to destination; up to n = 20.
    pub connected: Option<bool>,
    /// Embedding of a healthy cube among the faults; up to n = 8, for single messages with faults.
    pub embedding: Option<EmbeddingResult>,
    /// Labels under which the faults cut off fewer pairs; up to n = 10, for algorithms with a
    /// criterion.
    pub relabelling: Option<Suggestion>,
    /// Results on each algorithm, in the order of the experiment.
    pub algorithms: Vec<MessageCheck>,
}

/// Results on one algorithm and one fault pattern. `None` marks results that cannot be
/// computed: the cube is too large, or the algorithm's decisions depend on the message's past.
#[derive(Clone, Debug)]
pub struct MessageCheck {
    /// Algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Probability of arrival on the given faults, over the algorithm's own random choices. For
    /// single messages up to n = 10, for algorithms that mark nodes up to n = 5, unless the path
    /// limit is too long.
    pub exact_success: Option<f64>,
    /// Mean path length, in hops, of the messages that arrive; also `None` if no message can
    /// arrive.
    pub exact_length: Option<f64>,
    /// Probability of arrival over all fault patterns by one of the paper's closed forms, and its
    /// equation.
    pub closed_form: Option<(f64, &'static str)>,
    /// Largest difference between deterministic and random routing with the same knowledge, over
    /// all numbers of faults, each averaged over all fault sets of that size. By the theorem of
    /// section 2.1 it is 0 except for rounding. For minimal algorithms between antipodes, up to n =
    /// 4.
    pub theorem: Option<f64>,
    /// Channel dependency graph; up to n = 8.
    pub dependencies: Option<Dependencies>,
    /// Verdict on deadlocks of messages that hold their channels while they wait; for circuits, on
    /// deadlocks of circuits. `None` without a graph, and for single messages whose dependencies
    /// have a cycle, which never wait for other messages.
    pub deadlock: Option<DeadlockVerdict>,
    /// Consequences of the criterion, for algorithms that have one.
    pub permitted: Option<Permitted>,
}

/// Paths that a criterion permits among the faults. For an algorithm that takes the better of two
/// criteria network-wide, the criterion is the one taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Permitted {
    /// Criterion.
    pub criterion: Criterion,
    /// Algorithm whose only criterion is [`Permitted::criterion`].
    pub chosen_algorithm: Arc<Algorithm>,
    /// Numbers of pairs of live nodes and of pairs cut off; up to n = 10, or n = 12 in a
    /// thorough check.
    pub pairs: Option<PairCounts>,
    /// Number of pairs of other nodes that the only fault affects, by the paper's closed form.
    pub affected: Option<AffectedPairs>,
    /// Links that are legal at the source, the lowest required one first.
    pub legal: Vec<Link>,
    /// Node-disjoint permitted shortest paths from source to destination, as many as exist without
    /// faults (Theorem 4); for e-cube, UP, DP and any minimal path.
    pub disjoint: Option<Vec<Vec<NodeId>>>,
    /// First faults on the permitted paths from source to destination; empty if one of the paths is
    /// live. `None` if an end is faulty, and above n = 12.
    pub obstacles: Option<Vec<BlockingFault>>,
}

/// Channel dependency graph, whose cycles show whether messages that hold channels could wait for
/// each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependencies {
    /// Number of channels.
    pub channels: u32,
    /// Number of dependencies between channels.
    pub dependencies: usize,
    /// Channels in an order in which every dependency points forward; empty if there is a cycle.
    pub order: Vec<Link>,
    /// Shortest cycle; `None` if the graph is acyclic, which excludes deadlock.
    pub cycle: Option<Vec<Link>>,
    /// Message for each channel of the cycle, as source and destination; it holds the channel and
    /// may wait for the next one.
    pub witnesses: Vec<Pair>,
}

impl MessageCheckReport {
    /// Checks every algorithm of `experiment` on the faults of the sample shown in *Watch*. Returns
    /// `None` if the network is not a hypercube. A `thorough` check also counts pairs above n = 10.
    /// Cost: up to a second for each algorithm.
    pub fn from_experiment(experiment: &Experiment, thorough: bool) -> Option<Self> {
        Some(checks(experiment, CubePointConfig::new(experiment, None)?, thorough))
    }
}

fn checks(experiment: &Experiment, cell: CubePointConfig, thorough: bool) -> MessageCheckReport {
    // Faults are sampled directly, without sending a message.
    let mut faults = cell.fault_pattern(experiment.view.sample);
    let (cube, ends) = (cell.cube, cell.ends);
    let faulty_ends = [ends.from, ends.to].map(|node| faults.is_faulty(node));
    let live_ends = faulty_ends == [false; 2];
    let connectivity = live_ends.then(|| theory::connectivity(cube, ends, &mut faults)).flatten();
    let find_path = |faults: &mut _| {
        let whole = cube.dimension() <= PathFinder::MAX_DIMENSION;
        whole.then(|| PathFinder::default().find(cube, faults, ends).is_some())
    };
    let connected = match &connectivity {
        _ if !live_ends => Some(false),
        Some(found) => Some(found.connected),
        None => find_path(&mut faults),
    };
    let (faulty_nodes, faulty_links) =
        if is_countable(cube) { faulty_elements(cube, &mut faults) } else { Default::default() };
    let only = match (faulty_nodes.as_slice(), faulty_links.as_slice()) {
        (&[node], []) => Some(BlockingFault::Node(node)),
        ([], &[link]) => Some(BlockingFault::Link(link)),
        _ => None,
    };
    let embedding = experiment.setting.message().and_then(|_| EmbeddingResult::new(cube, &mut faults));
    let by_criterion = |algorithm: &Arc<Algorithm>| {
        matches!(algorithm.method, Method::Criterion(_) | Method::Better(_) | Method::Bound(_))
    };
    let any = !(faulty_nodes.is_empty() && faulty_links.is_empty()) && experiment.routing.iter().any(by_criterion);
    let relabelling = if any { theory::suggest_relabelling(cube, &mut faults) } else { None };
    let mut input =
        CheckInput { experiment, cell: &cell, single: experiment.setting.message().is_some(), only, thorough, faults };
    let algorithms = experiment.routing.iter().map(|algorithm| input.check(algorithm)).collect();
    let single = experiment.setting.message().is_some();
    MessageCheckReport {
        experiment: experiment.clone(),
        single,
        only,
        faulty_nodes,
        faulty_links,
        faulty_ends,
        connectivity,
        connected,
        embedding,
        relabelling,
        algorithms,
        cell,
    }
}

/// Returns whether the faults of `cube` are counted one by one.
fn is_countable(cube: Hypercube) -> bool {
    cube.dimension() <= MAX_COUNTED
}

/// Returns the faulty nodes of `cube`, and the faulty links between live nodes. Cost: (n+1) 2^n
/// status queries.
fn faulty_elements(cube: Hypercube, faults: &mut FaultSampler) -> (Vec<NodeId>, Vec<Link>) {
    let all = || (0..=cube.mask()).map(NodeId);
    let nodes: Vec<_> = all().filter(|&node| faults.is_faulty(node)).collect();
    if !faults.has_link_faults() {
        return (nodes, Vec::new());
    }
    let links = all().flat_map(|from| (0..cube.dimension()).map(move |dim| Link { from, dim }));
    let live = |node: NodeId| nodes.binary_search(&node).is_err();
    let links = links.filter(|&link| live(link.from) && live(link.end()) && faults.is_link_faulty(link)).collect();
    (nodes, links)
}

/// Common input of the checks of all algorithms.
struct CheckInput<'a> {
    experiment: &'a Experiment,
    cell: &'a CubePointConfig,
    single: bool,
    only: Option<BlockingFault>,
    thorough: bool,
    faults: FaultSampler,
}

impl CheckInput<'_> {
    fn check(&mut self, algorithm: &Arc<Algorithm>) -> MessageCheck {
        let (cube, ends, limit) = (self.cell.cube, self.cell.ends, self.cell.limit());
        let single = self.single;
        let arrivals = match algorithm.local() {
            Some(routing) if single && is_affordable(cube, routing, limit) => {
                theory::exact_arrivals(cube, ends, &mut self.faults, routing, limit)
            }
            _ => None,
        };
        let permitted = self.permitted(algorithm);
        let routing = match &permitted {
            // A bound does not move messages.
            _ if algorithm.is_bound() => None,
            Some(permitted) => Some(&permitted.criterion as &dyn LocalRouting),
            None => algorithm.local(),
        };
        let dependencies = routing.and_then(|routing| self.dependencies(routing));
        let criterion = permitted.as_ref().map(|permitted| permitted.criterion);
        MessageCheck {
            deadlock: deadlock(self.experiment, algorithm, dependencies.as_ref(), criterion),
            algorithm: algorithm.clone(),
            exact_success: arrivals.as_ref().map(theory::ArrivalDistribution::success),
            exact_length: arrivals.as_ref().and_then(theory::ArrivalDistribution::mean_length),
            closed_form: closed_form(self.cell, algorithm).filter(|_| single),
            theorem: theorem(self.cell, algorithm).filter(|_| single),
            dependencies,
            permitted,
        }
    }

    fn permitted(&mut self, algorithm: &Arc<Algorithm>) -> Option<Permitted> {
        let (cube, ends) = (self.cell.cube, self.cell.ends);
        let (criterion, taken, pairs) = self.criterion_in_use(algorithm)?;
        let free = FreeLinks::from_algorithm(&taken);
        let affected = free.zip(self.only).and_then(|(free, only)| match only {
            BlockingFault::Node(node) => theory::affected_by_node(cube, node, free),
            BlockingFault::Link(link) => theory::affected_by_link(cube, link, free),
        });
        let at = |header| Position { here: ends.from, wrong: ends.from.0 ^ ends.to.0, header: Header(header) };
        let legal = (0..criterion.initial_header_count()).map(|header| criterion.legal(at(header)));
        let (low, others) = legal.fold((0, 0), |all, (low, free)| (all.0 | low, all.1 | free));
        let dims = set_dimensions(low).chain(set_dimensions(others));
        Some(Permitted {
            criterion,
            chosen_algorithm: taken,
            pairs,
            affected,
            legal: dims.map(|dim| Link { from: ends.from, dim }).collect(),
            disjoint: free.and_then(|free| theory::disjoint_paths(cube, ends, free)),
            obstacles: is_countable(cube)
                .then(|| theory::blocking_faults(cube, &mut self.faults, &criterion, ends))
                .flatten(),
        })
    }

    /// Returns the criterion in use, the algorithm that has only this criterion, and the pairs cut
    /// off. Returns `None` without a criterion, and if it is undecided which of two criteria is
    /// better.
    fn criterion_in_use(
        &mut self,
        algorithm: &Arc<Algorithm>,
    ) -> Option<(Criterion, Arc<Algorithm>, Option<PairCounts>)> {
        let candidates = match &algorithm.method {
            Method::Criterion(criterion) | Method::Bound(criterion) => vec![(*criterion, algorithm.clone())],
            Method::Better(two) => {
                two.iter().filter_map(|criterion| Some((*criterion, of_criterion(criterion)?))).collect()
            }
            Method::Local(_)
            | Method::Global
            | Method::Oblivious(_)
            | Method::Delivery(_)
            | Method::Probe(_)
            | Method::Mesh => {
                return None;
            }
        };
        let most = if self.thorough { MAX_COUNTED } else { theory::MAX_CUT_OFF_DIMENSION };
        let alone = candidates.len() == 1;
        let mut counted = |algorithm: &Algorithm| count(self.cell.cube, &mut self.faults, algorithm, most);
        let all = candidates.into_iter().map(|(criterion, algorithm)| {
            let pairs = counted(&algorithm);
            (criterion, algorithm, pairs)
        });
        // Of equally good criteria, the first is taken.
        all.min_by_key(|(_, _, pairs)| pairs.map(|pairs| pairs.cut_off))
            .filter(|(_, _, pairs)| alone || pairs.is_some())
    }

    fn dependencies(&mut self, routing: &dyn LocalRouting) -> Option<Dependencies> {
        let cube = self.cell.cube;
        let graph = theory::hypercube_dependencies(cube, &mut self.faults, routing)?;
        let links = |channels: Vec<theory::ChannelId>| {
            let nodes = channels.into_iter().map(|channel| theory::hypercube_link(cube, channel));
            nodes.map(|(from, to)| Link { from, dim: (from.0 ^ to.0).trailing_zeros() as u8 }).collect()
        };
        let (channels, dependencies) = (graph.channels(), graph.dependencies());
        Some(match graph.acyclic_order() {
            Ok(order) => {
                Dependencies { channels, dependencies, order: links(order), cycle: None, witnesses: Vec::new() }
            }
            Err(cycle) => {
                let witnesses = theory::hypercube_witnesses(cube, &mut self.faults, routing, &cycle);
                let cycle = Some(links(cycle.channels));
                Dependencies { channels, dependencies, order: Vec::new(), cycle, witnesses }
            }
        })
    }
}

/// Maximum number of steps of the search for a deadlocked set of circuits.
const STEPS: u64 = 2_000_000;

/// Returns the verdict on deadlocks of messages that hold their channels while they wait, see
/// [`MessageCheck::deadlock`].
fn deadlock(
    experiment: &Experiment,
    algorithm: &Arc<Algorithm>,
    dependencies: Option<&Dependencies>,
    criterion: Option<Criterion>,
) -> Option<DeadlockVerdict> {
    let free = |by| Some(DeadlockVerdict::ProvedFree { by });
    let backtracks = experiment.setting.circuit().is_some_and(|setting| setting.setup != SetupPolicy::Hold);
    match dependencies {
        None if algorithm.is_bound() => None,
        _ if backtracks => free(DeadlockProof::Backtracks),
        None if criterion.is_some_and(|criterion| criterion.is_deadlock_free()) => free(DeadlockProof::Theorem),
        None => None,
        Some(graph) if graph.cycle.is_none() => free(DeadlockProof::Acyclic),
        Some(_) if experiment.setting.circuit().is_some() => {
            let alone = Experiment { vary: None, routing: vec![algorithm.clone()], ..experiment.clone() };
            let faults = PointConfig::new(&alone, None).blocks(alone.view.sample).ok()?;
            let routing = algorithm.circuits()?;
            let (graph, _) = theory::circuit_dependencies(&faults, &routing)?;
            let case = theory::circuit_deadlocks(&faults, &routing, &graph, STEPS);
            Some(circuit_verdict(&alone, &faults, &case))
        }
        Some(_) => None,
    }
}

/// Returns the algorithm whose only criterion is `criterion`.
fn of_criterion(criterion: &Criterion) -> Option<Arc<Algorithm>> {
    ALGORITHMS.iter().find(|algorithm| algorithm.criterion() == Some(*criterion)).cloned().map(Arc::new)
}

/// Counts the pairs cut off, in a cube of up to `most` dimensions.
fn count(cube: Hypercube, faults: &mut FaultSampler, algorithm: &Algorithm, most: u8) -> Option<PairCounts> {
    let within = cube.dimension() <= most;
    let mut counter = within.then(|| theory::PairCounter::new(cube, faults, algorithm)).flatten()?;
    while counter.step(u64::MAX) {}
    Some(counter.counts())
}

/// Returns the closed form of Gordon & Stout for the probability that `algorithm` delivers over the
/// random faults of `cell`, and its equation. Returns `None` for algorithms that leave minimal
/// paths, and for faults edited by hand.
pub fn closed_form(cell: &CubePointConfig, algorithm: &Algorithm) -> Option<(f64, &'static str)> {
    if cell.faults.has_overrides() || !algorithm.is_minimal() {
        return None;
    }
    prediction(cell, algorithm.knowledge())
}

/// Returns the closed form for minimal routing with `knowledge` over the random faults of `cell`,
/// and its equation.
pub fn prediction(cell: &CubePointConfig, knowledge: Knowledge) -> Option<(f64, &'static str)> {
    let (d, others) = (cell.distance(), cell.cube.others());
    match (cell.faults.model, cell.faults.model.node_count(cell.network), knowledge) {
        (FaultModel::Nodes(p), _, Knowledge::Nothing) => Some((theory::blind_bernoulli(d, p), "equation (1)")),
        (FaultModel::Nodes(p), _, Knowledge::Neighbors) => Some((theory::local_bernoulli(d, p), "equation (6)")),
        (_, Some(f), Knowledge::Nothing) => Some((theory::blind_counted(others, d, f), "equation (2)")),
        (_, Some(f), Knowledge::Neighbors) => Some((theory::local_counted(others, d, f), "equation (7)")),
        _ => None,
    }
}

/// Verifies the theorem of Gordon & Stout section 2.1 by complete enumeration: "deterministic"
/// equals "random" for each number of faults. Returns the largest difference. Cost: 2^(2^n - 2)
/// fault sets, 50 ms for n = 4.
fn theorem(cell: &CubePointConfig, algorithm: &Algorithm) -> Option<f64> {
    if !algorithm.is_minimal() || cell.distance() < u32::from(cell.cube.dimension()) {
        return None;
    }
    let mut averages =
        ALGORITHMS.iter().filter(|other| other.is_minimal() && other.knowledge() == algorithm.knowledge());
    let mut next = || theory::success_by_faults(cell.cube.dimension(), averages.next()?.local()?, cell.limit());
    let (one, other) = (next()?, next()?);
    Some(one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max))
}

/// Returns whether following every random choice of a message takes less than about a second, also
/// in a browser.
fn is_affordable(cube: Hypercube, routing: &dyn LocalRouting, limit: u32) -> bool {
    const STEPS: u64 = 50_000_000;
    // Factor by which distinct sets of marks multiply the number of states.
    let marks = if routing.marks_blocked_nodes() { 200 } else { 1 };
    let steps = [u64::from(cube.dimension()), u64::from(limit), marks];
    steps.into_iter().fold(cube.nodes().unwrap_or(u64::MAX), u64::saturating_mul) <= STEPS
}

impl MessageCheckReport {
    /// Returns the links of the cycle of algorithm number `number`, if its graph has one.
    fn links_of_cycle(&self, number: usize) -> Option<&[Link]> {
        self.algorithms.get(number)?.dependencies.as_ref()?.cycle.as_deref()
    }
}

/// Checks `experiment`, see [`MessageCheckReport::from_experiment`].
///
/// # Errors
/// Returns an error if the network is not a hypercube.
pub(crate) fn check_experiment(experiment: &Experiment, thorough: bool) -> Result<Box<dyn CheckReport>, ReportError> {
    let other = || ReportError::UnsupportedNetwork { network: experiment.network, accepted: "hypercubes" };
    let found = MessageCheckReport::from_experiment(experiment, thorough).ok_or_else(other)?;
    Ok(Box::new(found))
}

impl Document for MessageCheckReport {
    fn text(&self) -> String {
        check_report::render_text(self, &self.experiment, &facts::cut_off_table(self))
    }

    fn csv(&self) -> String {
        record::csv(&self.experiment, &files::COLUMNS, &files::records(self))
    }

    fn json(&self) -> String {
        record::json(&self.experiment, files::records(self))
    }
}

impl CheckReport for MessageCheckReport {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn ground(&self) -> &'static str {
        match self.single {
            true => ", and from the closed forms of Gordon & Stout for random faults",
            false => ", and from the theorems of Chiu, Chalasani & Raghavendra for a single fault",
        }
    }

    fn network_facts(&self) -> Vec<Fact> {
        facts::network(self)
    }

    fn names(&self) -> Vec<&str> {
        self.algorithms.iter().map(|check| &*check.algorithm.name).collect()
    }

    fn verdict(&self, number: usize) -> CheckVerdict {
        let clauses = self.algorithms.get(number).map(|check| verdict::clauses(self, check));
        CheckVerdict::from_clauses(clauses.unwrap_or_default())
    }

    fn facts(&self, number: usize) -> Vec<Fact> {
        self.algorithms.get(number).map_or_else(Vec::new, |check| facts::algorithm_facts(self, check))
    }

    fn witnesses(&self, number: usize) -> Vec<String> {
        let Some(cycle) = self.links_of_cycle(number) else { return Vec::new() };
        let graph = self.algorithms.get(number).and_then(|check| check.dependencies.as_ref());
        let witnesses = graph.map(|graph| graph.witnesses.as_slice()).unwrap_or_default();
        let next = cycle.iter().cycle().skip(1);
        let told = |(number, ((held, wanted), pair)): (usize, ((&Link, &Link), &Pair))| {
            let Pair { from, to } = pair;
            format!("channel {}: a message from {from} to {to} holds {held} and may wait for {wanted}", number + 1)
        };
        cycle.iter().zip(next).zip(witnesses).enumerate().map(told).collect()
    }

    fn deadlock(&self, number: usize) -> Option<&Experiment> {
        self.algorithms.get(number)?.deadlock.as_ref()?.observed().map(|seen| &seen.experiment)
    }

    fn cycle(&self, number: usize) -> Option<DependencyCycle> {
        let links = self.links_of_cycle(number)?.to_vec();
        let (faulty_nodes, faulty_links) = (self.faulty_nodes.clone(), self.faulty_links.clone());
        Some(DependencyCycle::Cube { links, faulty_nodes, faulty_links })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::geometry::Size;
    use crate::picture::scene::Shape;
    use faultlab_experiment::Layout;

    fn first_check(text: &str) -> MessageCheck {
        check_report(text).algorithms.remove(0)
    }

    fn check_report(text: &str) -> MessageCheckReport {
        MessageCheckReport::from_experiment(&text.parse().unwrap(), true).unwrap()
    }

    #[test]
    fn dimension_order_is_acyclic_and_random_order_is_not() {
        let ordered = first_check("net=cube:3&route=deterministic");
        assert_eq!(ordered.exact_success, Some(1.0));
        let found = check_report("net=cube:3&route=deterministic");
        assert_eq!((found.connected, found.connectivity.map(|found| found.live)), (Some(true), Some(8)));
        let graph = ordered.dependencies.unwrap();
        assert_eq!((graph.channels, graph.cycle), (24, None));
        let cycle = first_check("net=cube:3&route=random").dependencies.and_then(|graph| graph.cycle).unwrap();
        assert!(cycle.windows(2).all(|pair| pair[0].end() == pair[1].from), "{cycle:?}");
    }

    #[test]
    fn checks_too_large_to_compute_are_omitted() {
        let found = check_report("net=cube:64&faults=nodes:0.5&route=random,up");
        assert_eq!((found.connectivity, found.connected, found.only), (None, None, None));
        let large = &found.algorithms[0];
        assert_eq!((large.exact_success, &large.dependencies, &large.permitted), (None, &None, &None));
        let up = found.algorithms[1].permitted.as_ref().unwrap();
        assert_eq!((up.pairs, &up.obstacles, up.disjoint.as_ref().map(Vec::len)), (None, &None, Some(64)));
        assert!(large.closed_form.is_some_and(|(share, _)| (share - 0.5775761901).abs() < 1e-9));
        assert_eq!(first_check("net=cube:4&faults=nodes:0.5&break=3&route=random").closed_form, None);
    }

    #[test]
    fn pairs_cut_off_by_one_fault_match_the_theorems() {
        for (text, expected) in [
            ("switch=pairs&break=24_1", [16, 4, 4, 4, 1]),
            ("switch=pairs&break=11", [49, 9, 21, 9, 0]),
            ("switch=circuit&break=26_1&route=e-cube,up,dp,minimal", [16, 8, 2, 1, 1]),
        ] {
            let found = check_report(text);
            for (check, expected) in found.algorithms.iter().zip(expected) {
                let permitted = check.permitted.as_ref().unwrap();
                let by_formula = permitted.affected.unwrap().pairs;
                assert_eq!(
                    (permitted.pairs.unwrap().cut_off, by_formula),
                    (expected, expected),
                    "{:?}",
                    check.algorithm
                );
            }
            let links = text.contains('_');
            assert_eq!(found.relabelling.unwrap().counts.cut_off, u64::from(links), "{text}");
        }
    }

    #[test]
    fn cycles_have_one_witness_per_channel() {
        for check in check_report("net=cube:3&switch=pairs&route=minimal,up-dp-mix,up,up-or-dp").algorithms {
            let graph = check.dependencies.unwrap();
            let deadlock_free = check.permitted.unwrap().criterion.is_deadlock_free();
            assert_eq!(graph.cycle.is_none(), deadlock_free, "{:?}", check.algorithm);
            match graph.cycle {
                None => assert_eq!((graph.order.len(), graph.witnesses.len()), (24, 0)),
                Some(cycle) => assert_eq!((graph.order.len(), graph.witnesses.len()), (0, cycle.len())),
            }
        }
    }

    #[test]
    fn faulty_source_and_destination_are_reported() {
        let found = check_report("switch=pairs&break=0,31&route=e-cube,up-dp-mix,1e+4f&faults=links:0.2");
        assert_eq!((found.faulty_ends, found.connected), ([true, true], Some(false)));
        assert!(found.algorithms.iter().all(|check| check.permitted.as_ref().unwrap().obstacles.is_none()));
    }

    #[test]
    fn cycle_pictures_number_every_link() {
        for text in
            ["net=cube:3&switch=pairs&route=minimal", "net=cube:4&faults=nodes:0.3&route=deterministic&break=6_3"]
        {
            let found = check_report(text);
            let (length, cycle) = (found.links_of_cycle(0).unwrap().len(), found.cycle(0).unwrap());
            for layout in [Layout::Layers, Layout::Cube, Layout::Grid] {
                let mut experiment = found.experiment.clone();
                experiment.view.layout = layout;
                let scene = cycle.draw(&experiment, Size::new(500.0, 400.0));
                let numbers = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Text { size: 11.0, .. }));
                assert!(numbers.count() >= length);
            }
        }
        assert_eq!(check_report("net=cube:3&switch=pairs&route=up").cycle(0), None);
    }

    #[test]
    fn csv_fields_are_empty_without_a_dependency_graph() {
        let csv = check_report("net=cube:2&route=deterministic,random,global").csv();
        let lines: Vec<_> = csv.lines().skip(4).collect();
        assert!(lines[0].starts_with("deterministic,true,8,4,,true,4,1,2,,0,,,,,true,"), "{}", lines[0]);
        assert!(lines[1].starts_with("random,false,8,8,") && lines[1].contains('>'), "{}", lines[1]);
        assert!(
            lines[2].starts_with("global,,,,,true,4,,,,,,,,,,\"undecided: the dependency graph is built up to n = 8,"),
            "{}",
            lines[2]
        );
        assert!(lines[2].ends_with(",4,0,4,,,4,4,4,2"), "{}", lines[2]);
    }
}
