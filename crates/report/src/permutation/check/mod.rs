//! Checks of whole permutations on one cube with its faults (thesis, chapter 3): each bound
//! compared with the instance.

mod facts;
mod files;
mod graph;
mod verdict;

pub use graph::PermutationGraph;

use std::sync::Arc;

use crate::check_report::{self, CheckReport};
use crate::check_verdict::CheckVerdict;
use crate::cycle::DependencyCycle;
use crate::document::Document;
use crate::error::ReportError;
use crate::wording::facts::Fact;
use faultlab_core::fault::{FaultyNodes, Tolerance};
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::oblivious::{IntermediateNodes, ObliviousRouting, Subcube, Unavailable, edge_rank};
use faultlab_core::switching::StaticCongestion;
use faultlab_core::theory::DeadlockProof;
use faultlab_core::theory::oblivious::{
    BadPermutation, Claim, ExpectedCongestion, MAX_EXPECTED_DIMENSION, ObliviousWitness, Premise, Statement,
    WorstFaultSet, WorstPair, algorithm_b_expected, bad_permutation, bit_fixing_worst, inactive_of_one_fault,
    lemma_2_faults, oblivious_claims, opposite_at_least, theorem_3_faults, worst_faults, worst_pair,
};
use faultlab_core::topology::NodeId;
use faultlab_core::traffic::{BatchTraffic, ListedMessage, NamedPermutation, Permutation};
use faultlab_experiment::deadlock::{DeadlockVerdict, batch_verdict};
use faultlab_experiment::{CubePointConfig, Experiment, PermutationInstance, PermutationTrial};

/// Results on one cube with its faults, and on each algorithm.
#[derive(Clone, Debug)]
pub struct PermutationChecks {
    /// Experiment.
    pub experiment: Experiment,
    /// Point of the experiment.
    pub cell: CubePointConfig,
    /// Faulty nodes.
    pub faulty: FaultyNodes,
    /// True for a thorough check, which computes expected congestion for larger cubes.
    pub thorough: bool,
    /// Results on each algorithm, in the order of the experiment.
    pub algorithms: Vec<PermutationCheck>,
}

/// Results on one algorithm, or the reason why it does not apply to the faults.
#[derive(Clone, Debug)]
pub struct PermutationCheck {
    /// Algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Results, or the reason why there are none.
    pub found: Result<PermutationResult, Unavailable>,
}

/// Results on one algorithm.
#[derive(Clone, Debug)]
pub struct PermutationResult {
    /// Number of active nodes, |A|; for schemes without an active set, number of healthy nodes.
    pub active: u64,
    /// Active set of Algorithms A and B.
    pub set: Option<ActiveSetResult>,
    /// Fault sets of one, two and three nodes that leave the fewest nodes active, if found in time;
    /// for Algorithms A and B.
    pub worst_faults: Vec<WorstFaultSet>,
    /// Pair of active nodes with the fewest intermediate nodes; for Algorithms A and B, unless
    /// there are too many pairs.
    pub worst_pair: Option<WorstPair>,
    /// Number of messages between active nodes.
    pub messages: u32,
    /// Number of messages left out because of an inactive end.
    pub kept_back: u32,
    /// Parameter h of the h-relation: the most messages that a node sends or receives.
    pub h: u32,
    /// Counts of the routes of the messages; empty if there are too many messages for a check that
    /// is not thorough.
    pub paths: StaticCongestion,
    /// Expectations over all choices of intermediate nodes; `None` if they would take too long.
    pub expected: Option<Expected>,
    /// Classes of figure 3-7; for Algorithm B.
    pub classes: Vec<ClassResult>,
    /// Claims of the thesis; for Algorithms A and B.
    pub claims: Vec<Claim>,
    /// Maximum congestion over all permutations, h times 2^floor((n-1)/2); for bit-fixing.
    pub worst_congestion: Option<u32>,
    /// Permutation with a high congestion, built from the paths of a routing without intermediate nodes;
    /// `None` for other routings and for large cubes.
    pub bad_permutation: Option<BadPermutation>,
    /// Lower bound on the congestion under any routing (Corollary 3), if every node sends to the
    /// opposite node.
    pub lower_bound: Option<u32>,
    /// Healthy subcube; for Kim & Shin's scheme.
    pub subcube: Option<Subcube>,
    /// True if all routes take their channels in ascending order. `None` for a scheme without an
    /// order.
    pub ascends: Option<bool>,
    /// Channel dependency graph over all routes; up to n = 7.
    pub graph: Option<PermutationGraph>,
    /// Verdict on deadlocks of worms on the routes.
    pub deadlock: DeadlockVerdict,
}

/// Active set with the results proved on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveSetResult {
    /// True if the set consists of squares, as under Algorithm B.
    pub squares: bool,
    /// Maximum number of faulty paths of an active node, or square.
    pub limit: u32,
    /// Maximum number of faults that Lemma 2 (nodes) or Theorem 3 (squares) assumes.
    pub faults: u32,
    /// Number of inactive nodes by the closed form, if there is one fault and the tolerance is the
    /// thesis'.
    pub closed_form: Option<u64>,
}

/// Expectations over all choices of intermediate nodes, exact up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Largest expected congestion of a channel.
    pub congestion: f64,
    /// Largest expected load of a node.
    pub load: f64,
    /// Mean length of the routes, in hops; `None` without a route.
    pub length: Option<f64>,
    /// Size of the smallest set I_sd; `None` if no message has one.
    pub smallest: Option<u64>,
}

/// Channels of one class of figure 3-7.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassResult {
    /// Number of the class, 1 to 9.
    pub class: u8,
    /// Maximum number of messages of the instance on a channel of the class.
    pub measured: u32,
    /// Largest expected congestion of a channel of the class.
    pub expected: Option<f64>,
    /// Expected congestion without faults, where the length cap excludes nothing.
    pub closed_form: f64,
}

/// Maximum number of messages whose routes are counted in a check that is not thorough.
const MOST_ROUTES: u32 = 1 << 14;

/// Maximum product of messages and nodes for computing expectations. It allows n = 10 on the page,
/// and n = 12 in a thorough check, with one message for each node.
const MOST_EXPECTED: [u64; 2] = [1 << 20, 1 << (2 * MAX_EXPECTED_DIMENSION)];

/// Maximum number of fault sets examined in the search for the worst fault sets. It allows pairs up
/// to n = 14 and triples up to n = 8 on the page. A thorough check allows two more dimensions,
/// and Algorithm B another two.
const MOST_SETS: [u64; 2] = [1 << 15, 1 << 19];

/// Maximum product of pairs and nodes in the search for the pair with the fewest intermediate
/// nodes. It allows n = 6, and n = 8 in a thorough check.
const MOST_PAIRS: [u64; 2] = [1 << 18, 1 << 24];

/// Largest dimension of a cube for which a bad permutation is built from all paths; in a thorough check the
/// second.
const MOST_BAD_DIMENSION: [u8; 2] = [6, 9];

/// Returns the experiment with faults that exist before the messages start: the claims concern the scheme
/// among the faults.
fn without_onset(experiment: &Experiment) -> Experiment {
    let mut experiment = experiment.clone();
    if let Some(batch) = experiment.setting.batch_mut() {
        batch.onset = 0;
    }
    experiment
}

/// Builds a bad permutation of a routing without intermediate nodes.
fn bad(routing: &dyn ObliviousRouting, most: u8) -> Option<BadPermutation> {
    let (cube, node) = (routing.cube(), NodeId(0));
    if cube.dimension() > most || routing.legs(node, node).is_some() {
        return None;
    }
    bad_permutation(cube, |from, to, links| {
        if routing.is_active(from) && routing.is_active(to) {
            links.extend(routing.route_via(from, to, None).iter().flat_map(|route| route.hops().map(|hop| hop.link)));
        }
    })
}

impl PermutationChecks {
    /// Checks every algorithm of `experiment` on the faults of the sample shown in *Watch*. Returns
    /// `None` for networks other than cubes of up to 20 dimensions. A `thorough` check covers larger
    /// cubes. Cost: up to a second for each algorithm, a few seconds if thorough.
    pub fn from_experiment(experiment: &Experiment, thorough: bool) -> Option<Self> {
        let PermutationInstance { cell, faulty, series } = PermutationInstance::new(&without_onset(experiment))?;
        let check = |algorithm: Arc<Algorithm>, trial: Result<PermutationTrial, Unavailable>| {
            let found = match trial {
                Ok(trial) => Ok(PermutationResult::new(&cell, &algorithm, &trial, thorough)?),
                Err(why) => Err(why),
            };
            Some(PermutationCheck { algorithm, found })
        };
        let algorithms = series.into_iter().map(|series| check(series.algorithm, series.trial));
        let algorithms = algorithms.collect::<Option<_>>()?;
        Some(Self { experiment: experiment.clone(), algorithms, faulty, cell, thorough })
    }
}

impl PermutationResult {
    fn new(
        cell: &CubePointConfig,
        algorithm: &Arc<Algorithm>,
        trial: &PermutationTrial,
        thorough: bool,
    ) -> Option<Self> {
        let (cube, routing, relation) = (cell.cube, &*trial.routing, &trial.relation);
        let (paths, ascends) = routes(trial, thorough)?;
        let work = u64::from(relation.len()) * (cube.mask() + 1);
        // A listed intermediate node is not chosen at random.
        let drawn = (0..relation.len()).all(|number| relation.via(number).is_none());
        let affordable = drawn && work > 0 && work <= MOST_EXPECTED[usize::from(thorough)];
        let expected = if affordable { ExpectedCongestion::new(routing, relation) } else { None };
        let h = if relation.is_empty() { cell.permutation_setting().h } else { relation.h() };
        let mut claims = oblivious_claims(routing, h, &paths, expected.as_ref());
        // The other claims concern messages whose intermediate nodes are chosen at random.
        let fails = if relation.is_empty() {
            Some(Premise::AnyMessage)
        } else {
            (!drawn).then_some(Premise::RandomIntermediates)
        };
        for claim in &mut claims {
            if !matches!(claim.statement, Statement::FaultyPaths | Statement::ActiveNodes) {
                claim.unmet_premise = fails.or(claim.unmet_premise);
            }
        }
        let squares = routing.active_set().is_some_and(|active| active.has_squares());
        let direct =
            algorithm.oblivious().is_some_and(|scheme| scheme.intermediate_nodes == IntermediateNodes::Nothing);
        let limit_index = usize::from(thorough);
        let tolerance = cell.permutation_setting().tolerance;
        let worst = |count| worst_faults(cube, squares, count, tolerance, MOST_SETS[limit_index]);
        let has_set = routing.active_set().is_some();
        let worst_pair = worst_pair(routing, MOST_PAIRS[limit_index] / (cube.mask() + 1)).filter(|_| has_set);
        let graph = PermutationGraph::build(routing);
        let opposite =
            cell.permutation_setting().demand == BatchTraffic::Rule(Permutation::Named(NamedPermutation::Complement));
        let all = u64::from(paths.delivered()) == u64::from(cell.permutation_setting().h) * (cube.mask() + 1);
        Some(Self {
            active: trial.active_count(),
            set: active_set(cell, trial),
            worst_faults: if has_set { (1..=3).filter_map(worst).collect() } else { Vec::new() },
            worst_pair,
            messages: relation.len(),
            kept_back: relation.excluded_count(),
            h,
            classes: if squares && !relation.is_empty() { classes(h, &paths, expected.as_ref()) } else { Vec::new() },
            expected: expected.map(|expected| Expected {
                congestion: expected.max_congestion(),
                load: expected.max_load(),
                length: expected.mean_length(),
                smallest: expected.smallest_choice(),
            }),
            claims,
            worst_congestion: direct.then(|| h * bit_fixing_worst(cube.dimension())),
            bad_permutation: bad(routing, MOST_BAD_DIMENSION[limit_index]),
            lower_bound: (opposite && all).then(|| opposite_at_least(h)),
            subcube: routing.healthy_subcube(),
            deadlock: deadlock(cell, algorithm, trial.routing.faulty(), graph.as_ref()),
            graph,
            ascends,
            paths,
        })
    }
}

/// Returns the verdict on worms on the routes of `algorithm`, whose dependency graph is `graph`.
fn deadlock(
    cell: &CubePointConfig,
    algorithm: &Arc<Algorithm>,
    faulty: &FaultyNodes,
    graph: Option<&PermutationGraph>,
) -> DeadlockVerdict {
    let is_ranked = algorithm.oblivious().is_some_and(|scheme| scheme.deadlock_free);
    match graph {
        None if is_ranked => DeadlockVerdict::ProvedFree { by: DeadlockProof::Theorem },
        None => DeadlockVerdict::too_large(),
        Some(graph) if graph.cycle.is_empty() => DeadlockVerdict::ProvedFree { by: DeadlockProof::Acyclic },
        Some(graph) => {
            let listed =
                |message: &ObliviousWitness| ListedMessage { from: message.from, via: message.via, to: message.to };
            let messages: Vec<_> = graph.witnesses.iter().map(listed).collect();
            batch_verdict(cell.cube, algorithm, faulty, cell.permutation_setting().tolerance, &messages)
        }
    }
}

/// Returns the counts of all routes, and whether each ascends; empty counts if there are too many.
fn routes(trial: &PermutationTrial, thorough: bool) -> Option<(StaticCongestion, Option<bool>)> {
    let mut paths = StaticCongestion::new(trial.routing.cube())?;
    let mut ascends = None;
    if !thorough && trial.relation.len() > MOST_ROUTES {
        return Some((paths, None));
    }
    for number in 0..trial.relation.len() {
        let route = trial.route(number);
        if let Some(found) = route.as_ref().ok().filter(|route| route.length() > 0).and_then(|route| route.ascends()) {
            ascends = Some(found && ascends != Some(false));
        }
        paths.count(&route);
    }
    Some((paths, ascends))
}

fn active_set(cell: &CubePointConfig, trial: &PermutationTrial) -> Option<ActiveSetResult> {
    let active = trial.routing.active_set()?;
    let (n, squares) = (cell.cube.dimension(), active.has_squares());
    let one = active.faulty().count() == 1
        && !active.faulty().has_faulty_links()
        && cell.permutation_setting().tolerance == Tolerance::Thesis;
    let inactive = || if squares { 4 * inactive_of_one_fault(n - 2) } else { inactive_of_one_fault(n) };
    let faults = if squares { theorem_3_faults(n) } else { lemma_2_faults(n) };
    Some(ActiveSetResult { squares, limit: active.limit(), faults, closed_form: one.then(inactive) })
}

fn classes(h: u32, paths: &StaticCongestion, expected: Option<&ExpectedCongestion>) -> Vec<ClassResult> {
    let class_of = |link| edge_rank(link).map(|rank| rank.class);
    let largest = |class| {
        let channels = expected?.channels().filter(|&(link, _)| class_of(link) == Some(class));
        Some(channels.map(|(_, expected)| expected).fold(0.0, f64::max))
    };
    let found = paths.by_class(class_of).into_iter();
    found
        .map(|(class, found)| ClassResult {
            class,
            measured: found.max,
            expected: largest(class),
            closed_form: f64::from(h) * algorithm_b_expected(class),
        })
        .collect()
}

impl PermutationChecks {
    /// Returns the dependency graph of algorithm number `number`, if it has a cycle.
    fn cyclic(&self, number: usize) -> Option<&PermutationGraph> {
        let found = self.algorithms.get(number)?.found.as_ref().ok()?;
        found.graph.as_ref().filter(|graph| !graph.cycle.is_empty())
    }
}

/// Checks `experiment`, see [`PermutationChecks::from_experiment`].
///
/// # Errors
/// Returns an error if the network is not a cube of up to 20 dimensions.
pub(crate) fn check_experiment(experiment: &Experiment, thorough: bool) -> Result<Box<dyn CheckReport>, ReportError> {
    let other =
        || ReportError::UnsupportedNetwork { network: experiment.network, accepted: "cubes of up to 20 dimensions" };
    let found = PermutationChecks::from_experiment(experiment, thorough).ok_or_else(other)?;
    Ok(Box::new(found))
}

impl Document for PermutationChecks {
    fn text(&self) -> String {
        check_report::render_text(self, &self.experiment, "")
    }

    fn csv(&self) -> String {
        files::csv(self)
    }

    fn json(&self) -> String {
        files::json(self)
    }
}

impl CheckReport for PermutationChecks {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn ground(&self) -> &'static str {
        ", over all choices of intermediate nodes, and compared with the theorems of the thesis"
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
        self.cyclic(number).map_or_else(Vec::new, |graph| graph::witnesses(self.cell.cube, graph))
    }

    fn deadlock(&self, number: usize) -> Option<&Experiment> {
        let found = self.algorithms.get(number)?.found.as_ref().ok()?;
        found.deadlock.observed().map(|seen| &seen.experiment)
    }

    fn cycle(&self, number: usize) -> Option<DependencyCycle> {
        let links = self.cyclic(number)?.cycle.clone();
        let (faulty_nodes, faulty_links) = (self.faulty.iter().collect(), self.faulty.links().collect());
        Some(DependencyCycle::Cube { links, faulty_nodes, faulty_links })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::geometry::Size;

    fn checks(text: &str) -> PermutationChecks {
        PermutationChecks::from_experiment(&text.parse().expect("an experiment"), false).expect("a small cube")
    }

    fn find_fact(checks: &PermutationChecks, number: usize, what: &str) -> Fact {
        checks.facts(number).into_iter().find(|fact| fact.what.starts_with(what)).unwrap_or_else(|| panic!("no {what}"))
    }

    #[test]
    fn one_fault_matches_closed_forms_and_lemma_1_exactly() {
        let checks = checks("switch=permutation&net=cube:8&faults=none&break=16&route=algorithm-a,algorithm-b");
        for (number, active) in [225, 144].into_iter().enumerate() {
            let found = checks.algorithms[number].found.as_ref().unwrap();
            assert_eq!((found.active, found.set.unwrap().closed_form), (active, Some(256 - active)));
            let lemma = found.claims.iter().find(|claim| claim.statement == Statement::FaultyPaths).unwrap();
            assert_eq!(lemma.measured, Some(lemma.bound));
            assert!(find_fact(&checks, number, "Active nodes").meaning.ends_with("the count agrees"));
        }
        assert!(find_fact(&checks, 1, "Theorem 3: active nodes").value.ends_with(": not applicable"));
    }

    #[test]
    fn class_expectations_match_closed_forms_without_faults() {
        let checks = checks("switch=permutation&net=cube:6&faults=none&route=algorithm-b&h=2");
        let found = checks.algorithms[0].found.as_ref().unwrap();
        assert_eq!(found.classes.iter().map(|class| class.class).collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>());
        for class in &found.classes {
            assert!((class.expected.unwrap() - class.closed_form).abs() < 1e-9, "{class:?}");
        }
        assert_eq!(find_fact(&checks, 0, "Expected congestion by class").value, "8 against 4h = 8");
        assert!((found.expected.unwrap().length.unwrap() - 8.0).abs() < 1e-9, "n + 2");
    }

    #[test]
    fn cycles_have_witnesses_and_acyclic_graphs_have_none() {
        let checks = checks("switch=batch&net=cube:5&faults=none&route=algorithm-a,algorithm-b,bit-fixing");
        let graphs: Vec<_> =
            checks.algorithms.iter().map(|check| check.found.as_ref().unwrap().graph.as_ref().unwrap()).collect();
        assert_eq!(graphs.iter().map(|graph| graph.cycle.len()).collect::<Vec<_>>(), [2, 0, 0]);
        assert_eq!(graphs[0].witnesses.len(), 2);
        assert!(graphs[0].witnesses.iter().all(|message| message.from != message.to));
        let [cycle, none] = [0, 1].map(|number| checks.cycle(number));
        let scene = cycle.unwrap().draw(&checks.experiment, Size::new(500.0, 400.0));
        assert!(!scene.shapes.is_empty() && none.is_none());
        assert_eq!(find_fact(&checks, 0, "Channel dependency").value, "cyclic");
        assert_eq!(find_fact(&checks, 1, "Channel dependency").value, "acyclic");
    }

    #[test]
    fn inapplicable_schemes_and_idle_networks_are_reported() {
        let checks = checks("switch=permutation&net=cube:5&faults=count:16&route=kim-shin,algorithm-b");
        assert!(find_fact(&checks, 0, "Algorithm").meaning.contains("Any 5 faults leave such a subcube"));
        assert_eq!(find_fact(&checks, 1, "Active nodes").value, "0 of 32, 0.0000%");
        assert_eq!(find_fact(&checks, 1, "Channel dependency").value, "empty");
    }

    #[test]
    fn claims_with_failing_premises_are_not_applicable() {
        let small = checks("switch=permutation&net=cube:1&faults=none&route=algorithm-a");
        let theorem = find_fact(&small, 0, "Theorem 2, part 1");
        assert_eq!(theorem.value, "1: not applicable");
        assert!(theorem.meaning.ends_with("Not applicable: it assumes n >= 2, but n = 1"), "{theorem:?}");

        let many = checks("switch=permutation&net=cube:5&faults=none&break=1,2,4,8&route=algorithm-a,algorithm-b");
        for number in 0..2 {
            // No node is active, so no message is sent, and claims on messages do not apply.
            let rest = many.facts(number).into_iter().skip_while(|fact| !fact.what.starts_with("Lemma 1")).skip(1);
            let claims: Vec<_> = rest.take(8).collect();
            assert!(claims.iter().all(|fact| fact.value.ends_with("not applicable")), "{claims:?}");
        }
        assert!(find_fact(&many, 0, "Lemma 2, part 1").meaning.ends_with("it assumes F <= 0, but there are 4 faults"));
        assert!(find_fact(&many, 0, "Theorem 1, part 4").meaning.ends_with("it is about messages, but there are none"));

        for checks in [small, many] {
            let (text, json, csv) = (checks.text(), checks.json(), checks.csv());
            assert!(!text.contains("inf") && !json.contains("inf") && !csv.contains("inf"), "{text}{json}");
            let count = |text: &str, word: &str| text.matches(word).count();
            assert_eq!(count(&text, ": not applicable"), count(&json, "\"verdict\":\"not applicable\""), "{text}");
            assert_eq!(count(&json, "\"verdict\":\"not applicable\""), count(&csv, ",not applicable,"), "{csv}");
        }
    }

    #[test]
    fn large_cubes_are_proved_acyclic_by_ranks() {
        let checks = checks("switch=permutation&net=cube:11&faults=none&route=algorithm-b,algorithm-a");
        assert_eq!(checks.algorithms[0].found.as_ref().map(|found| found.expected), Ok(None));
        let graph = find_fact(&checks, 0, "Channel dependency");
        assert!(graph.value == "acyclic, by ranks" && graph.meaning.contains("figure 3-7"), "{graph:?}");
        assert_eq!(find_fact(&checks, 1, "Channel dependency").value, "not built");
    }
}
