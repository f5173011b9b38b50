//! Checks of wormhole routing on one mesh with its faults (Boppana & Chalasani sections II to IV).

mod facts;
mod files;
mod load;
mod verdict;

use std::sync::Arc;

use crate::check_report::{self, CheckReport};
use crate::check_verdict::CheckVerdict;
use crate::cycle::{DependencyCycle, MeshChannel};
use crate::document::Document;
use crate::error::ReportError;
use crate::files::record;
use crate::wording::facts::Fact;
use crate::worm;
use crate::worm::busiest_channel::{BusiestChannel, busiest_channel};
use faultlab_core::fault::{BlockFaults, SampleError};
use faultlab_core::routing::{Algorithm, WormRouting};
use faultlab_core::theory::{
    ChannelId, DeadlockAnalysis, DeadlockProof, DeliveryOutcomes, DependencyGraph, EscapeViolation,
    ExtendedDependencies, LivePaths, MAX_DEPENDENCY_NODES, MeshDependencies, MeshLoadFactor, mesh_channel_ends,
    mesh_witnesses, worm_deadlocks,
};
use faultlab_core::traffic::Pair;
use faultlab_experiment::deadlock::{DeadlockVerdict, worm_verdict};
use faultlab_experiment::{Experiment, PointConfig};

/// Results on one mesh, and on each algorithm.
#[derive(Clone, Debug)]
pub struct WormChecks {
    /// Experiment.
    pub experiment: Experiment,
    /// Mesh and its faults.
    pub faults: Arc<BlockFaults>,
    /// Shortest live paths; `None` without faults, without pairs and on large networks.
    pub live_paths: Option<LivePaths>,
    /// Load factor of the traffic; `None` on large networks and without messages.
    pub load_factor: Option<MeshLoadFactor>,
    /// Number of components of at least two live nodes that take no part in simulations and are not
    /// checked: those after the first [`MAX_OTHER_COMPONENTS`], or all on large networks.
    pub unchecked_components: usize,
    /// Results on each algorithm, in the order of the experiment.
    pub algorithms: Vec<WormCheck>,
}

/// Maximum number of components that are checked besides the largest.
pub const MAX_OTHER_COMPONENTS: usize = 8;

/// Results on one algorithm.
#[derive(Clone, Debug)]
pub struct WormCheck {
    /// Algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Number of virtual-channel classes that the algorithm needs.
    pub classes: u8,
    /// True if the guarantee of the algorithm, of its paper or of Faultlab, covers the faults:
    /// delivery without deadlock. `None` for a user-defined routing, which has none.
    pub proved: Option<bool>,
    /// Dependency graph of the algorithm, and the arrival of its messages; `None` on meshes of more
    /// than [`MAX_DEPENDENCY_NODES`] nodes.
    pub graph: Option<WormGraph>,
    /// Duato's condition on the escape channels; for weakly adaptive routing.
    pub escape: Option<MeshEscape>,
    /// Verdict on deadlocks.
    pub deadlock: DeadlockVerdict,
    /// Results on the components of live nodes that take no part in simulations.
    pub other_components: Vec<ComponentCheck>,
    /// Channel with the largest expected load; `None` where loads cannot be summed.
    pub busiest: Option<BusiestChannel>,
}

/// Results on one algorithm in a component of live nodes.
#[derive(Clone, Copy, Debug)]
pub struct ComponentCheck {
    /// Number of nodes of the component.
    pub nodes: u32,
    /// True if freedom from deadlock is proved.
    pub is_deadlock_free: bool,
    /// Number of ordered pairs of its nodes.
    pub pairs: u64,
    /// Number of these pairs whose messages may not arrive.
    pub undelivered: u64,
}

impl ComponentCheck {
    /// Checks `routing` on the component that takes part in `faults`; `None` if the dependency graph
    /// would be too large.
    fn new(faults: &BlockFaults, routing: &dyn WormRouting) -> Option<Self> {
        let built = MeshDependencies::build(faults, routing)?;
        let arrivals = built.arrivals();
        Some(Self {
            nodes: faults.members().count() as u32,
            is_deadlock_free: worm_deadlocks(faults, routing, built.graph(), STEPS).is_free(),
            pairs: arrivals.pairs,
            undelivered: arrivals.lost + arrivals.livelocked,
        })
    }
}

/// Duato's condition on the escape channels of weakly adaptive routing.
#[derive(Clone, Debug)]
pub struct MeshEscape {
    /// Escape classes, ascending.
    pub classes: Vec<u8>,
    /// Result on the condition; `None` on meshes of more than
    /// [`faultlab_core::theory::MAX_DUATO_NODES`] nodes.
    pub result: Option<MeshDuato>,
}

/// Results on escape channels.
#[derive(Clone, Copy, Debug)]
pub struct MeshDuato {
    /// Number of extended dependencies.
    pub dependencies: usize,
    /// Number of channels of a shortest cycle of extended dependencies; 0 if there is none.
    pub cycle: usize,
    /// Message that escape channels do not deliver, if there is one.
    pub stranded: Option<EscapeViolation>,
}

impl MeshDuato {
    /// Returns whether escape channels lead every message to its destination, and their
    /// dependencies have no cycle.
    pub fn holds(&self) -> bool {
        self.cycle == 0 && self.stranded.is_none()
    }
}

impl MeshEscape {
    /// Checks Duato's condition; `None` for a routing without adaptive classes. Cost: as
    /// [`ExtendedDependencies::build`].
    fn new(faults: &BlockFaults, routing: &dyn WormRouting) -> Option<Self> {
        let mesh = faults.mesh();
        let escape = |class: &u8| routing.is_escape(mesh, *class);
        let all = routing.vc_classes(mesh);
        let classes: Vec<_> = (0..all).filter(escape).collect();
        let found = || {
            let built = ExtendedDependencies::build(faults, routing)?;
            let graph = built.graph();
            let cycle = graph.acyclic_order().err().map_or(0, |cycle| cycle.channels.len());
            Some(MeshDuato { dependencies: graph.dependencies(), cycle, stranded: built.violation() })
        };
        (classes.len() < usize::from(all)).then(|| Self { classes, result: found() })
    }
}

/// Channel dependency graph over virtual-channel classes.
#[derive(Clone, Debug)]
pub struct WormGraph {
    /// Number of live channels, counting each class.
    pub channels: u32,
    /// Number of dependencies between channels.
    pub dependencies: usize,
    /// Channels in an order in which every dependency points forward; empty if there is a cycle.
    pub order: Vec<MeshChannel>,
    /// Shortest cycle; empty if there is none.
    pub cycle: Vec<MeshChannel>,
    /// Message for each channel of the cycle; it holds the channel and may request the next one.
    pub witnesses: Vec<Pair>,
    /// Arrival of the messages of all pairs.
    pub arrivals: DeliveryOutcomes,
}

impl WormChecks {
    /// Checks every algorithm of `experiment` that supports the network, on the faults of the
    /// sample shown in *Watch*. A `thorough` check computes load factors of larger networks. Cost: up
    /// to some seconds for each algorithm with 4096 nodes.
    ///
    /// # Errors
    /// Returns an error if the network or the fault model is unsupported, or no fault set was
    /// found.
    pub fn from_experiment(experiment: &Experiment, thorough: bool) -> Result<Self, SampleError> {
        let faults = PointConfig::new(experiment, None).blocks(experiment.view.sample)?;
        let most = if faults.mesh().nodes() > MAX_DEPENDENCY_NODES { 0 } else { MAX_OTHER_COMPONENTS };
        let others: Vec<_> = faults.other_components().take(most).collect();
        let unchecked_components = faults.other_component_count() - others.len();
        let live_paths = if faults.is_none() { None } else { LivePaths::compute(&faults) };
        let live_paths = live_paths.filter(|found| found.pairs > 0);
        let check = |algorithm: &Arc<Algorithm>| WormCheck::new(experiment, &faults, &others, algorithm);
        let algorithms = experiment.routing.iter().filter_map(check).collect();
        let load_factor = load::load_factor(experiment, &faults, thorough);
        Ok(Self { experiment: experiment.clone(), faults, live_paths, load_factor, unchecked_components, algorithms })
    }

    /// Returns a channel as `(3,4) East c1`, on a hypercube as `1010 3+ c0`.
    pub fn channel(&self, channel: MeshChannel) -> String {
        let from = worm::wording::node(self.faults.mesh(), channel.from);
        format!("{from} {} c{}", self.faults.mesh().port_name(channel.port), channel.class)
    }

    /// Returns a pair as `(3,4) → (5,0)`.
    fn pair(&self, pair: Pair) -> String {
        let [from, to] = [pair.from, pair.to].map(|node| worm::wording::node(self.faults.mesh(), node));
        format!("{from} → {to}")
    }
}

impl WormCheck {
    /// Checks `algorithm` on `faults`, and on the components `others` that take no part in them.
    fn new(
        experiment: &Experiment,
        faults: &Arc<BlockFaults>,
        others: &[BlockFaults],
        algorithm: &Arc<Algorithm>,
    ) -> Option<Self> {
        let routing = algorithm.worm.as_deref().filter(|worm| worm.check_network(faults.mesh()).is_ok())?;
        let (mesh, classes) = (faults.mesh(), routing.vc_classes(faults.mesh()));
        let channel = |channel: ChannelId| {
            let (from, port, class) = mesh_channel_ends(mesh, channel, classes);
            MeshChannel { from, port, class }
        };
        let live = |channel: &MeshChannel| faults.is_open(channel.from, channel.port);
        let built = MeshDependencies::build(faults, routing);
        let escape = MeshEscape::new(faults, routing);
        let deadlock = built.as_ref().map_or_else(DeadlockVerdict::too_large, |built| {
            let alone = Experiment { vary: None, routing: vec![algorithm.clone()], ..experiment.clone() };
            deadlock(&alone, faults, routing, built.graph(), escape.as_ref())
        });
        let graph = built.map(|built| {
            let graph = built.graph();
            let (order, cycle) = match graph.acyclic_order() {
                Ok(order) => (order.into_iter().map(channel).filter(live).collect(), None),
                Err(cycle) => (Vec::new(), Some(cycle)),
            };
            let open: u32 = mesh.iter_nodes().map(|node| faults.open_ports(node).count_ones()).sum();
            WormGraph {
                channels: open * u32::from(classes),
                dependencies: graph.dependencies(),
                order,
                witnesses: cycle.as_ref().map(|cycle| mesh_witnesses(faults, routing, cycle)).unwrap_or_default(),
                cycle: cycle.map(|cycle| cycle.channels.into_iter().map(channel).collect()).unwrap_or_default(),
                arrivals: built.arrivals(),
            }
        });
        Some(Self {
            algorithm: algorithm.clone(),
            classes,
            proved: routing.user_routing().is_none().then(|| routing.is_proved(faults)),
            graph,
            escape,
            deadlock,
            other_components: others.iter().filter_map(|part| ComponentCheck::new(part, routing)).collect(),
            busiest: busiest_channel(&PointConfig::new(experiment, None), faults, algorithm),
        })
    }
}

/// Maximum number of steps of the search for a deadlocked set of messages.
const STEPS: u64 = 2_000_000;

/// Returns the verdict on the single routing of `experiment`, with Duato's condition as its proof
/// where it holds.
fn deadlock(
    experiment: &Experiment,
    faults: &Arc<BlockFaults>,
    routing: &dyn WormRouting,
    graph: &DependencyGraph,
    escape: Option<&MeshEscape>,
) -> DeadlockVerdict {
    let case = match worm_deadlocks(faults, routing, graph, STEPS) {
        DeadlockAnalysis::Free(proof @ (DeadlockProof::NothingHeld | DeadlockProof::NoSet)) => {
            let declared = escape.filter(|escape| escape.result.is_some_and(|found| found.holds()));
            let proof = match declared {
                Some(escape) => DeadlockProof::Escape { classes: escape.classes.clone(), declared: true },
                None => ExtendedDependencies::find_escapes(faults, routing)
                    .map_or(proof, |classes| DeadlockProof::Escape { classes, declared: false }),
            };
            DeadlockAnalysis::Free(proof)
        }
        case => case,
    };
    worm_verdict(experiment, faults, graph, &case)
}

/// Checks `experiment`, see [`WormChecks::from_experiment`].
///
/// # Errors
/// Returns an error if the network or the fault model is unsupported, or no fault set was found.
pub(crate) fn check_experiment(experiment: &Experiment, thorough: bool) -> Result<Box<dyn CheckReport>, ReportError> {
    let none = |why| ReportError::NoFaults { model: experiment.faults.model, why };
    let found = WormChecks::from_experiment(experiment, thorough).map_err(none)?;
    Ok(Box::new(found))
}

impl Document for WormChecks {
    fn text(&self) -> String {
        check_report::render_text(self, &self.experiment, "")
    }

    fn csv(&self) -> String {
        record::csv(&self.experiment, &files::COLUMNS, &files::records(self))
    }

    fn json(&self) -> String {
        record::json(&self.experiment, files::records(self))
    }
}

impl CheckReport for WormChecks {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn ground(&self) -> &'static str {
        match self.algorithms.iter().all(|check| check.proved.is_none()) {
            true => ", over all pairs and all choices",
            false => ", over all pairs and all choices, and compared with the guarantee of each algorithm",
        }
    }

    fn network_facts(&self) -> Vec<Fact> {
        facts::network(self)
    }

    fn message_facts(&self) -> Vec<Fact> {
        let factor = self.load_factor.iter().map(|load| load::fact_on(self, load));
        let alone = [load::offered_fact(self), load::buffer_fact(self), load::drawn_fact(self)];
        factor.chain(alone.into_iter().flatten()).collect()
    }

    fn names(&self) -> Vec<&str> {
        self.algorithms.iter().map(|check| &*check.algorithm.name).collect()
    }

    fn verdict(&self, number: usize) -> CheckVerdict {
        CheckVerdict::from_clauses(self.algorithms.get(number).map(verdict::clauses).unwrap_or_default())
    }

    fn facts(&self, number: usize) -> Vec<Fact> {
        self.algorithms.get(number).map_or_else(Vec::new, |check| facts::algorithm_facts(self, check))
    }

    fn witnesses(&self, number: usize) -> Vec<String> {
        let Some(graph) = self.algorithms.get(number).and_then(|check| check.graph.as_ref()) else { return Vec::new() };
        let next = graph.cycle.iter().cycle().skip(1);
        let told = |(number, ((&held, &wanted), &pair)): (usize, ((&MeshChannel, &MeshChannel), &Pair))| {
            let (pair, held, wanted) = (self.pair(pair), self.channel(held), self.channel(wanted));
            format!("channel {}: a message {pair} holds {held} and may request {wanted}", number + 1)
        };
        graph.cycle.iter().zip(next).zip(&graph.witnesses).enumerate().map(told).collect()
    }

    fn deadlock(&self, number: usize) -> Option<&Experiment> {
        self.algorithms.get(number)?.deadlock.observed().map(|seen| &seen.experiment)
    }

    fn cycle(&self, number: usize) -> Option<DependencyCycle> {
        let check = self.algorithms.get(number)?;
        let channels = check.graph.as_ref().map(|graph| graph.cycle.clone()).filter(|cycle| !cycle.is_empty())?;
        Some(DependencyCycle::Mesh { channels, classes: check.classes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_core::routing;

    fn checks(text: &str) -> WormChecks {
        let mut experiment: Experiment = text.parse().unwrap();
        experiment.routing.push(routing::find("sidetracking").unwrap());
        WormChecks::from_experiment(&experiment, false).unwrap()
    }

    fn find_fact(checks: &WormChecks, number: usize, what: &str) -> Option<Fact> {
        checks.facts(number).into_iter().find(|fact| fact.what == what)
    }

    /// Faulty columns leave parts of four nodes each. Without faults, shortest paths are distances.
    #[test]
    fn many_components_are_left_out_and_counted() {
        let columns =
            |count: u32| (0..count).map(|at| format!("0.{0},1.{0}", 3 * at + 2)).collect::<Vec<_>>().join(",");
        for (parts, left_out) in [(1, 0), (8, 0), (11, 3)] {
            let text = format!("switch=wormhole&net=mesh:2x40&faults=none&route=f-cube4&break={}", columns(parts));
            let found = checks(&text);
            assert_eq!(found.unchecked_components, left_out, "{parts}");
            assert_eq!(found.algorithms[0].other_components.len() + left_out, parts as usize);
            assert_eq!(found.text().contains("except 3: at most 8 are"), left_out == 3, "{}", found.text());
            assert!(found.live_paths.is_some());
        }
        let large = checks("switch=wormhole&net=mesh:65x65&faults=none&route=f-cube4&break=0.1,1.1,1.0");
        assert_eq!((large.unchecked_components, large.live_paths), (0, None));
        assert_eq!(checks("switch=wormhole&net=mesh:4x4&faults=none&route=f-cube4").live_paths, None);
    }

    /// On a 4 x 4 mesh, 8 messages of the complement cross the 4 channels of the bisection. Three
    /// messages between two corners have two channels out of the corner.
    #[test]
    fn load_of_a_random_permutation_depends_on_the_run() {
        let said = |traffic: &str| {
            let text = format!(
                "v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube&load=0.5&length=4&traffic={traffic}"
            );
            checks(&text).text()
        };
        let drawn = said("random-permutation");
        assert!(drawn.contains("Load of channels: depends on the run") && !drawn.contains("Load factor"), "{drawn}");
        let fixed = said("transpose");
        assert!(fixed.contains("Load factor") && !fixed.contains("depends on the run"), "{fixed}");
        // Half of 4 (N - 1) / (k N) = 0.9375 flits.
        assert!(fixed.contains("Offered load: 0.5 of capacity") && fixed.contains("0.4688 flits"), "{fixed}");
    }

    #[test]
    fn load_factors_are_those_of_the_bisection_and_of_a_corner() {
        let load = |text: &str| {
            let checks = checks(&format!("switch=wormhole&net=mesh:4x4&faults=none&route=f-cube2&traffic={text}"));
            let fact = checks.message_facts().into_iter().next().expect("a load factor");
            assert!(checks.json().contains("\"load_factor\":{\"value\":"), "{}", checks.json());
            (fact.value, fact.meaning)
        };
        let (value, meaning) = load("complement");
        assert_eq!(value, "2");
        assert!(meaning.contains("8 messages, if each node sends one, must cross the 4 channels"), "{meaning}");
        assert!(meaning.contains("No routing carries more than 0.5000 flits from each node per cycle"), "{meaning}");
        let (value, meaning) = load("0.0-3.3,0.0-3.2,0.0-2.3");
        assert_eq!(value, "1.5000");
        assert!(meaning.contains("3 messages must cross the 2 channels from (0,0) to 15 other nodes"), "{meaning}");
    }

    #[test]
    fn proofs_have_an_order_and_counterexamples_have_witnesses() {
        let checks =
            checks("switch=wormhole&net=mesh:8x8&faults=none&break=3.3,3.4,4.3,4.4&route=f-cube2,f-cube2-either");
        let [proved, unsafe_one] = checks.algorithms.as_slice() else { panic!("sidetracking has no way on meshes") };
        let graph = proved.graph.as_ref().unwrap();
        assert!(proved.proved == Some(true) && graph.cycle.is_empty() && graph.order.len() as u32 == graph.channels);
        let graph = unsafe_one.graph.as_ref().unwrap();
        assert!(unsafe_one.proved == Some(false) && !graph.cycle.is_empty() && graph.order.is_empty());
        assert_eq!(checks.witnesses(1).len(), graph.cycle.len());
        let told = checks.text();
        for said in ["This network", "F-cube2", "channel 1: a message "] {
            assert!(told.to_lowercase().contains(&said.to_lowercase()), "{said}: {told}");
        }
        let drawn = [0, 1, 2].map(|number| checks.cycle(number).is_some());
        assert_eq!(drawn, [false, true, false]);
    }

    #[test]
    fn weak_algorithms_are_judged_by_duatos_condition() {
        let mesh = "switch=wormhole&net=mesh:6x6&faults=none&break=2.2-2.3&route=";
        let weak = checks(&format!("{mesh}weak,weak-f-cube4,f-cube4"));
        let duato = |place| find_fact(&weak, place, "Duato's condition").map(|fact| fact.value);
        assert_eq!([0, 1, 2].map(duato), [Some("fails".into()), Some("holds".into()), None]);
        let waits = "it waits for no escape channel, only for adaptive ones";
        assert!(find_fact(&weak, 0, "Duato's condition").unwrap().meaning.contains(waits));
        assert!(
            [0, 1].iter().all(|&place| find_fact(&weak, place, "Channel dependency graph").unwrap().value == "cyclic")
        );

        // Routings that order their waiting messages have cycles of channels, and need no escape.
        let ranked = checks(&format!("{mesh}dr-dynamic"));
        let graph = find_fact(&ranked, 0, "Channel dependency graph").unwrap();
        assert_eq!(graph.value, "cyclic");
        let deadlock = |checks: &WormChecks, number| find_fact(checks, number, "Deadlock").unwrap();
        assert!(deadlock(&ranked, 0).value == "proved free" && deadlock(&ranked, 0).meaning.contains("more reversals"));
        let held = deadlock(&weak, 1);
        assert!(
            held.value == "proved free" && held.meaning.starts_with("Duato's condition holds with escape classes"),
            "{held:?}"
        );
        assert_eq!(find_fact(&ranked, 0, "Duato's condition"), None);
    }
}
