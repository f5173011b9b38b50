//! What can be said exactly of whole permutations on one cube with its faults (thesis, chapter 3): each bound beside what
//! the instance has.

mod facts;
mod files;
mod graph;

pub use graph::PermutationGraph;

use std::sync::Arc;

use crate::checked::{self, Checked};
use crate::cycle::DependencyCycle;
use crate::document::Document;
use crate::error::ReportError;
use crate::words::facts::Fact;
use faultlab_core::fault::{FaultyNodes, Tolerance};
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::oblivious::{ByWayOf, Subcube, Unavailable, edge_rank};
use faultlab_core::switching::StaticPaths;
use faultlab_core::theory::DeadlockProof;
use faultlab_core::theory::oblivious::{
    Claim, ExpectedCongestion, MAX_EXPECTED_DIMENSION, ObliviousWitness, Premise, Statement, WorstFaults, WorstPair,
    algorithm_b_expected, bit_fixing_worst, inactive_of_one_fault, lemma_2_faults, oblivious_claims, opposite_at_least,
    theorem_3_faults, worst_faults, worst_pair,
};
use faultlab_core::topology::NodeId;
use faultlab_core::traffic::{Demand, Listed, Permutation};
use faultlab_experiment::deadlock::{DeadlockVerdict, batch_verdict};
use faultlab_experiment::{CubeCell, Experiment, PermutationInstance, PermutationTrial};

/// What is proved of one cube with its faults, and of each algorithm on it.
#[derive(Clone, Debug)]
pub struct PermutationChecks {
    /// The experiment.
    pub experiment: Experiment,
    /// The point.
    pub cell: CubeCell,
    /// The faulty nodes.
    pub faulty: FaultyNodes,
    /// Whether somebody was patient: expected congestion is computed for larger cubes then.
    pub patient: bool,
    /// What is proved of each algorithm, in the order of the experiment.
    pub algorithms: Vec<PermutationCheck>,
}

/// What is proved of one algorithm, or why it does not apply to these faults.
#[derive(Clone, Debug)]
pub struct PermutationCheck {
    /// The algorithm.
    pub algorithm: Arc<Algorithm>,
    /// What is found.
    pub found: Result<PermutationFound, Unavailable>,
}

/// What is found of one algorithm.
#[derive(Clone, Debug)]
pub struct PermutationFound {
    /// The number of active nodes, |A|; of schemes without a set of their own, that of healthy nodes.
    pub active: u64,
    /// Its own active set: under Algorithms A and B.
    pub set: Option<ActiveFound>,
    /// The one, two and three faults that leave the fewest nodes active, those that are found in time; of Algorithms A and B.
    pub worst_faults: Vec<WorstFaults>,
    /// The pair of active nodes with the fewest intermediate nodes; of Algorithms A and B, where there are not too many pairs.
    pub worst_pair: Option<WorstPair>,
    /// The messages, those with an end that is not active left out.
    pub messages: u32,
    /// How many were left out for that.
    pub kept_back: u32,
    /// The h of the h-relation: the most messages that a node sends or receives.
    pub h: u32,
    /// The routes of these very messages, laid over each other; of no messages where there are too many to be patient for.
    pub paths: StaticPaths,
    /// Over all choices of intermediate nodes; `None` where that takes too long.
    pub expected: Option<Expected>,
    /// The classes of figure 3-7; under Algorithm B.
    pub classes: Vec<ClassFound>,
    /// The claims of the thesis; of Algorithms A and B.
    pub claims: Vec<Claim>,
    /// The most congestion that any permutations bring, h times 2^floor((n-1)/2); of bit-fixing.
    pub worst: Option<u32>,
    /// Corollary 3: the least congestion, whatever the routing; if every node sends to the opposite one.
    pub least: Option<u32>,
    /// The healthy subcube; of Kim & Shin's scheme.
    pub subcube: Option<Subcube>,
    /// Whether every route of these messages takes its channels in ascending order; `None` of a scheme without an order.
    pub ascends: Option<bool>,
    /// The channel dependency graph over all routes; up to n = 7.
    pub graph: Option<PermutationGraph>,
    /// The verdict on deadlocks of worms on these routes.
    pub deadlock: DeadlockVerdict,
}

/// An active set beside what is proved of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveFound {
    /// Whether it is that of squares: Algorithm B's.
    pub squares: bool,
    /// How many of the paths of a node, or of a square, may be faulty.
    pub limit: u32,
    /// The most faults that the theorem supposes: Lemma 2's or Theorem 3's.
    pub faults: u32,
    /// The inactive nodes by the closed form; if there is one fault, and the tolerance is the thesis'.
    pub closed_form: Option<u64>,
}

/// Expectations over all choices of intermediate nodes, exact up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The largest expected congestion of a channel.
    pub congestion: f64,
    /// The largest expected load of a node.
    pub load: f64,
    /// The mean length of the routes, in hops; `None` without a route.
    pub length: Option<f64>,
    /// The size of the smallest set I_sd; `None` if no message has one.
    pub smallest: Option<u64>,
}

/// The channels of one class of figure 3-7.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassFound {
    /// Its number, 1 to 9.
    pub class: u8,
    /// The most messages of this instance that cross one of them.
    pub measured: u32,
    /// The largest expected congestion of one of them.
    pub expected: Option<f64>,
    /// The same without faults, where the length cap excludes nothing.
    pub closed_form: f64,
}

/// The most messages whose routes are laid over each other on a page that waits.
const MOST_ROUTES: u32 = 1 << 14;

/// The most messages times nodes for which expectations are computed: n = 12 with one message for each node, and n = 10 on
/// a page that waits.
const MOST_EXPECTED: [u64; 2] = [1 << 20, 1 << (2 * MAX_EXPECTED_DIMENSION)];

/// The most sets of faults that are looked at for the worst ones: pairs up to n = 14 on a page that waits, and triples up to n = 8; two
/// dimensions more if somebody is patient, and two more under Algorithm B.
const MOST_SETS: [u64; 2] = [1 << 15, 1 << 19];

/// The most pairs of nodes, times nodes, of which the one with the fewest intermediate nodes is looked for: n = 6, or n = 8.
const MOST_PAIRS: [u64; 2] = [1 << 18, 1 << 24];

impl PermutationChecks {
    /// Checks every algorithm of `experiment` on the faults it is watched with. `None` on other networks than cubes of up to 20
    /// dimensions. Larger ones are gone through if somebody is `patient`. Cost: up to a second each, and a few if patient.
    pub fn of(experiment: &Experiment, patient: bool) -> Option<Self> {
        let PermutationInstance { cell, faulty, series } = PermutationInstance::new(experiment)?;
        let check = |algorithm: Arc<Algorithm>, trial: Result<PermutationTrial, Unavailable>| {
            let found = match trial {
                Ok(trial) => Ok(PermutationFound::new(&cell, &algorithm, &trial, patient)?),
                Err(why) => Err(why),
            };
            Some(PermutationCheck { algorithm, found })
        };
        let algorithms = series.into_iter().map(|series| check(series.algorithm, series.trial));
        let algorithms = algorithms.collect::<Option<_>>()?;
        Some(Self { experiment: experiment.clone(), algorithms, faulty, cell, patient })
    }
}

impl PermutationFound {
    fn new(cell: &CubeCell, algorithm: &Arc<Algorithm>, trial: &PermutationTrial, patient: bool) -> Option<Self> {
        let (cube, routing, relation) = (cell.cube, &*trial.routing, &trial.relation);
        let (paths, ascends) = routes(trial, patient)?;
        let work = u64::from(relation.len()) * (cube.mask() + 1);
        // An intermediate node that is given is not drawn.
        let drawn = (0..relation.len()).all(|number| relation.via(number).is_none());
        let affordable = drawn && work > 0 && work <= MOST_EXPECTED[usize::from(patient)];
        let expected = if affordable { ExpectedCongestion::of(routing, relation) } else { None };
        let h = if relation.is_empty() { cell.relation().h } else { relation.h() };
        let mut claims = oblivious_claims(routing, h, &paths, expected.as_ref());
        // The others are about messages whose intermediate nodes are drawn.
        let fails = if relation.is_empty() { Some(Premise::Message) } else { (!drawn).then_some(Premise::Drawn) };
        for claim in &mut claims {
            if !matches!(claim.statement, Statement::FaultyPaths | Statement::ActiveNodes) {
                claim.fails = fails.or(claim.fails);
            }
        }
        let squares = routing.active_set().is_some_and(|active| active.has_squares());
        let direct = algorithm.oblivious().is_some_and(|scheme| scheme.by_way_of == ByWayOf::Nothing);
        let patience = usize::from(patient);
        let tolerance = cell.relation().tolerance;
        let worst = |count| worst_faults(cube, squares, count, tolerance, MOST_SETS[patience]);
        let has_set = routing.active_set().is_some();
        let worst_pair = worst_pair(routing, MOST_PAIRS[patience] / (cube.mask() + 1)).filter(|_| has_set);
        let graph = PermutationGraph::build(routing);
        let opposite = cell.relation().demand == Demand::Rule(Permutation::Complement);
        let all = u64::from(paths.delivered()) == u64::from(cell.relation().h) * (cube.mask() + 1);
        Some(Self {
            active: trial.active_count(),
            set: active_set(cell, trial),
            worst_faults: if has_set { (1..=3).filter_map(worst).collect() } else { Vec::new() },
            worst_pair,
            messages: relation.len(),
            kept_back: relation.kept_back(),
            h,
            classes: if squares && !relation.is_empty() { classes(h, &paths, expected.as_ref()) } else { Vec::new() },
            expected: expected.map(|expected| Expected {
                congestion: expected.max_congestion(),
                load: expected.max_load(),
                length: expected.mean_length(),
                smallest: expected.smallest_choice(),
            }),
            claims,
            worst: direct.then(|| h * bit_fixing_worst(cube.dimension())),
            least: (opposite && all).then(|| opposite_at_least(h)),
            subcube: routing.healthy_subcube(),
            deadlock: deadlock(cell, algorithm, &trial.routing.faulty().iter().collect::<Vec<_>>(), graph.as_ref()),
            graph,
            ascends,
            paths,
        })
    }
}

/// The verdict on worms on the routes of `algorithm`, whose dependency graph is `graph`.
fn deadlock(
    cell: &CubeCell,
    algorithm: &Arc<Algorithm>,
    faulty: &[NodeId],
    graph: Option<&PermutationGraph>,
) -> DeadlockVerdict {
    let is_ranked = algorithm.oblivious().is_some_and(|scheme| scheme.deadlock_free);
    match graph {
        None if is_ranked => DeadlockVerdict::ProvedFree { by: DeadlockProof::Theorem },
        None => DeadlockVerdict::too_large(),
        Some(graph) if graph.cycle.is_empty() => DeadlockVerdict::ProvedFree { by: DeadlockProof::Acyclic },
        Some(graph) => {
            let listed = |message: &ObliviousWitness| Listed { from: message.from, via: message.via, to: message.to };
            let messages: Vec<_> = graph.witnesses.iter().map(listed).collect();
            batch_verdict(cell.cube, algorithm, faulty.to_vec(), cell.relation().tolerance, &messages)
        }
    }
}

/// All routes laid over each other, and whether each ascends; of none if they are too many.
fn routes(trial: &PermutationTrial, patient: bool) -> Option<(StaticPaths, Option<bool>)> {
    let mut paths = StaticPaths::new(trial.routing.cube())?;
    let mut ascends = None;
    if !patient && trial.relation.len() > MOST_ROUTES {
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

fn active_set(cell: &CubeCell, trial: &PermutationTrial) -> Option<ActiveFound> {
    let active = trial.routing.active_set()?;
    let (n, squares) = (cell.cube.dimension(), active.has_squares());
    let one = active.faulty().count() == 1 && cell.relation().tolerance == Tolerance::Thesis;
    let inactive = || if squares { 4 * inactive_of_one_fault(n - 2) } else { inactive_of_one_fault(n) };
    let faults = if squares { theorem_3_faults(n) } else { lemma_2_faults(n) };
    Some(ActiveFound { squares, limit: active.limit(), faults, closed_form: one.then(inactive) })
}

fn classes(h: u32, paths: &StaticPaths, expected: Option<&ExpectedCongestion>) -> Vec<ClassFound> {
    let class_of = |link| edge_rank(link).map(|rank| rank.class);
    let largest = |class| {
        let channels = expected?.channels().filter(|&(link, _)| class_of(link) == Some(class));
        Some(channels.map(|(_, expected)| expected).fold(0.0, f64::max))
    };
    let found = paths.by_class(class_of).into_iter();
    found
        .map(|(class, found)| ClassFound {
            class,
            measured: found.max,
            expected: largest(class),
            closed_form: f64::from(h) * algorithm_b_expected(class),
        })
        .collect()
}

impl PermutationChecks {
    /// The dependency graph of algorithm number `number`, if it has a cycle.
    fn cyclic(&self, number: usize) -> Option<&PermutationGraph> {
        let found = self.algorithms.get(number)?.found.as_ref().ok()?;
        found.graph.as_ref().filter(|graph| !graph.cycle.is_empty())
    }
}

/// What is proved of `experiment`, see [`PermutationChecks::of`].
///
/// # Errors
/// Which key of it allows no check.
pub(crate) fn of(experiment: &Experiment, patient: bool) -> Result<Box<dyn Checked>, ReportError> {
    let other = || ReportError::OtherNetwork { network: experiment.network, accepted: "cubes of up to 20 dimensions" };
    let found = PermutationChecks::of(experiment, patient).ok_or_else(other)?;
    Ok(Box::new(found))
}

impl Document for PermutationChecks {
    fn text(&self) -> String {
        checked::told(self, &self.experiment, "")
    }

    fn csv(&self) -> String {
        files::csv(self)
    }

    fn json(&self) -> String {
        files::json(self)
    }
}

impl Checked for PermutationChecks {
    fn ground(&self) -> &'static str {
        ", over all choices of intermediate nodes, beside what the thesis proves"
    }

    fn network(&self) -> Vec<Fact> {
        facts::network(self)
    }

    fn names(&self) -> Vec<&str> {
        self.algorithms.iter().map(|check| &*check.algorithm.name).collect()
    }

    fn of(&self, number: usize) -> Vec<Fact> {
        self.algorithms.get(number).map_or_else(Vec::new, |check| facts::of(self, check))
    }

    fn witnesses(&self, number: usize) -> Vec<String> {
        self.cyclic(number).map_or_else(Vec::new, |graph| graph::witnesses(self.cell.cube, graph))
    }

    fn deadlock(&self, number: usize) -> Option<&Experiment> {
        let found = self.algorithms.get(number)?.found.as_ref().ok()?;
        found.deadlock.seen().map(|seen| &seen.experiment)
    }

    fn cycle(&self, number: usize) -> Option<DependencyCycle> {
        let links = self.cyclic(number)?.cycle.clone();
        Some(DependencyCycle::Cube { links, faulty_nodes: self.faulty.iter().collect(), faulty_links: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::geometry::Size;

    fn checks(text: &str) -> PermutationChecks {
        PermutationChecks::of(&text.parse().expect("an experiment"), false).expect("a small cube")
    }

    fn told(checks: &PermutationChecks, number: usize, what: &str) -> Fact {
        checks.of(number).into_iter().find(|fact| fact.what.starts_with(what)).unwrap_or_else(|| panic!("no {what}"))
    }

    #[test]
    fn one_fault_keeps_the_closed_forms_and_lemma_1_to_the_last_path() {
        let checks = checks("switch=permutation&net=cube:8&faults=none&break=16&route=algorithm-a,algorithm-b");
        for (number, active) in [225, 144].into_iter().enumerate() {
            let found = checks.algorithms[number].found.as_ref().unwrap();
            assert_eq!((found.active, found.set.unwrap().closed_form), (active, Some(256 - active)));
            let lemma = found.claims.iter().find(|claim| claim.statement == Statement::FaultyPaths).unwrap();
            assert_eq!(lemma.measured, Some(lemma.bound));
            assert!(told(&checks, number, "Active nodes").meaning.ends_with("the same"));
        }
        assert!(told(&checks, 1, "Theorem 3: active nodes").value.ends_with(": not applicable"));
    }

    #[test]
    fn without_faults_the_classes_have_their_expectations() {
        let checks = checks("switch=permutation&net=cube:6&faults=none&route=algorithm-b&h=2");
        let found = checks.algorithms[0].found.as_ref().unwrap();
        assert_eq!(found.classes.iter().map(|class| class.class).collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>());
        for class in &found.classes {
            assert!((class.expected.unwrap() - class.closed_form).abs() < 1e-9, "{class:?}");
        }
        assert_eq!(told(&checks, 0, "Expected congestion by class").value, "8 against 4h = 8");
        assert!((found.expected.unwrap().length.unwrap() - 8.0).abs() < 1e-9, "n + 2");
    }

    #[test]
    fn a_cycle_has_two_messages_and_an_order_none() {
        let checks = checks("switch=batch&net=cube:5&faults=none&route=algorithm-a,algorithm-b,bit-fixing");
        let graphs: Vec<_> =
            checks.algorithms.iter().map(|check| check.found.as_ref().unwrap().graph.as_ref().unwrap()).collect();
        assert_eq!(graphs.iter().map(|graph| graph.cycle.len()).collect::<Vec<_>>(), [2, 0, 0]);
        assert_eq!(graphs[0].witnesses.len(), 2);
        assert!(graphs[0].witnesses.iter().all(|message| message.from != message.to));
        let [cycle, none] = [0, 1].map(|number| checks.cycle(number));
        let scene = cycle.unwrap().draw(&checks.experiment, Size::new(500.0, 400.0));
        assert!(!scene.shapes.is_empty() && none.is_none());
        assert_eq!(told(&checks, 0, "Channel dependency").value, "cyclic");
        assert_eq!(told(&checks, 1, "Channel dependency").value, "acyclic");
    }

    #[test]
    fn what_does_not_apply_or_lets_nobody_send_is_told() {
        let checks = checks("switch=permutation&net=cube:5&faults=count:16&route=kim-shin,algorithm-b");
        assert!(told(&checks, 0, "Does not apply").meaning.contains("Any 5 faults leave one"));
        assert_eq!(told(&checks, 1, "Active nodes").value, "0 of 32, 0.0000%");
        assert_eq!(told(&checks, 1, "Channel dependency").value, "empty");
    }

    #[test]
    fn a_claim_whose_premise_fails_is_not_applicable_in_text_and_files_alike() {
        let small = checks("switch=permutation&net=cube:1&faults=none&route=algorithm-a");
        let theorem = told(&small, 0, "Theorem 2, part 1");
        assert_eq!(theorem.value, "1: not applicable");
        assert!(theorem.meaning.ends_with("Not applicable: it supposes n >= 2, and here is n = 1"), "{theorem:?}");

        let many = checks("switch=permutation&net=cube:5&faults=none&break=1,2,4,8&route=algorithm-a,algorithm-b");
        for number in 0..2 {
            // Nobody is active: nobody sends, and nothing that is about messages applies.
            let rest = many.of(number).into_iter().skip_while(|fact| !fact.what.starts_with("Lemma 1")).skip(1);
            let claims: Vec<_> = rest.take(8).collect();
            assert!(claims.iter().all(|fact| fact.value.ends_with("not applicable")), "{claims:?}");
        }
        assert!(told(&many, 0, "Lemma 2, part 1").meaning.ends_with("it supposes F <= 0, and there are 4 faults"));
        assert!(told(&many, 0, "Theorem 1, part 4").meaning.ends_with("it is about messages, and there is none"));

        for checks in [small, many] {
            let (text, json, csv) = (checks.text(), checks.json(), checks.csv());
            assert!(!text.contains("inf") && !json.contains("inf") && !csv.contains("inf"), "{text}{json}");
            let count = |text: &str, word: &str| text.matches(word).count();
            assert_eq!(count(&text, ": not applicable"), count(&json, "\"verdict\":\"not applicable\""), "{text}");
            assert_eq!(count(&json, "\"verdict\":\"not applicable\""), count(&csv, ",not applicable,"), "{csv}");
        }
    }

    #[test]
    fn large_cubes_have_the_proof_by_ranks() {
        let checks = checks("switch=permutation&net=cube:11&faults=none&route=algorithm-b,algorithm-a");
        assert_eq!(checks.algorithms[0].found.as_ref().map(|found| found.expected), Ok(None));
        let graph = told(&checks, 0, "Channel dependency");
        assert!(graph.value == "acyclic, by ranks" && graph.meaning.contains("figure 3-7"), "{graph:?}");
        assert_eq!(told(&checks, 1, "Channel dependency").value, "not built");
    }
}
