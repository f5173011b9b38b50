//! Tests of all journeys that a routing permits: delivery, livelock, minimal paths.

use std::collections::{BTreeMap, BTreeSet};

use faultlab::fault::BlockFaults;
use faultlab::routing::{self, VcRequest, WormHeader, WormPosition, WormRouting};
use faultlab::theory::MeshDependencies;
use faultlab::topology::{NodeId, Port};

use super::{generator, mesh, random_faults};

/// Complete path from source to destination.
#[derive(Clone, Debug)]
pub(crate) struct Journey {
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) hops: Vec<VcRequest>,
}

/// Returns every journey over all starts and choices, ordered by nodes. Panics if a journey is
/// longer than four times around the mesh.
pub(crate) fn journeys(faults: &BlockFaults, routing: &dyn WormRouting, from: NodeId, to: NodeId) -> Vec<Journey> {
    let mut all = Vec::new();
    for number in 0..routing.initial_header_count(faults, from, to) {
        let header = routing.initial_header(faults, from, to, number);
        let mut journey = Journey { nodes: vec![from], hops: Vec::new() };
        follow(faults, routing, to, header, &mut journey, &mut all);
    }
    all.sort_by(|a, b| a.nodes.cmp(&b.nodes));
    all
}

fn follow(
    faults: &BlockFaults,
    routing: &dyn WormRouting,
    to: NodeId,
    header: WormHeader,
    journey: &mut Journey,
    all: &mut Vec<Journey>,
) {
    let here = *journey.nodes.last().expect("a node");
    if here == to {
        all.push(journey.clone());
        return;
    }
    assert!(journey.hops.len() < 4 * faults.mesh().nodes() as usize, "goes on forever");
    let at = WormPosition { here, to, input_port: journey.hops.last().map(|hop| hop.port), header };
    for choice in routing.choices(faults, &at).iter() {
        journey.nodes.push(faults.mesh().neighbor(here, choice.port).expect("a neighbour"));
        journey.hops.push(*choice);
        follow(faults, routing, to, choice.header, journey, all);
        journey.nodes.pop();
        journey.hops.pop();
    }
}

/// Returns the largest number of hops that a message to `to` can make from any node. Fails if a
/// state has no choice or if states form a cycle.
pub(crate) fn longest(faults: &BlockFaults, routing: &dyn WormRouting, to: NodeId) -> Result<u32, String> {
    type State = (NodeId, Option<Port>, WormHeader);
    fn visit(
        faults: &BlockFaults,
        routing: &dyn WormRouting,
        to: NodeId,
        state: State,
        known: &mut BTreeMap<State, Option<u32>>,
    ) -> Result<u32, String> {
        let (here, came, header) = state;
        if here == to {
            return Ok(0);
        }
        match known.get(&state) {
            Some(Some(hops)) => return Ok(*hops),
            Some(None) => return Err(format!("a circle at {here} {header:?} to {to}")),
            None => {}
        }
        known.insert(state, None);
        let choices = routing.choices(faults, &WormPosition { here, to, input_port: came, header });
        if choices.is_empty() || choices.can_starve() {
            return Err(format!("no way on at {here} {header:?} to {to}"));
        }
        let mut most = 0;
        for choice in choices.iter() {
            assert!(faults.is_open(here, choice.port) && choice.class < routing.vc_classes(faults.mesh()));
            let next = faults.mesh().neighbor(here, choice.port).expect("a neighbour");
            most = most.max(1 + visit(faults, routing, to, (next, Some(choice.port), choice.header), known)?);
        }
        known.insert(state, Some(most));
        Ok(most)
    }
    let mut known = BTreeMap::new();
    let mut most = 0;
    for from in faults.members().filter(|&from| from != to) {
        for number in 0..routing.initial_header_count(faults, from, to) {
            let header = routing.initial_header(faults, from, to, number);
            most = most.max(visit(faults, routing, to, (from, None, header), &mut known)?);
        }
    }
    Ok(most)
}

/// Lemmas 1 and 2 and Theorem 1: wherever the paper proves it, every message of every pair arrives
/// on every permitted path, without livelock. If faults cut the mesh in two, this holds within the
/// largest component.
#[test]
fn proved_routings_deliver() {
    let mut proved = BTreeMap::new();
    let mut cut_in_two = 0;
    for number in 0..400 {
        let mut generator = generator(number);
        let size = [(6, 6), (8, 5), (3, 9), (7, 7)][number as usize % 4];
        let faults = random_faults(mesh(size.0, size.1), 4, &mut generator);
        cut_in_two += u32::from(faults.components() > 1);
        for id in ["e-cube", "f-cube2", "f-cube4", "lh", "lh2", "lh4", "weak", "weak-f-cube4"] {
            let routing = routing::find(id).unwrap().worm.clone().unwrap();
            if routing.is_proved(&faults) {
                *proved.entry(id).or_insert(0) += 1;
                for to in faults.members() {
                    if let Err(problem) = longest(&faults, &*routing, to) {
                        panic!("{id} {problem} with {:?}", faults.regions());
                    }
                }
            }
        }
    }
    assert!(cut_in_two > 1, "{cut_in_two}");
    assert!(
        proved["f-cube4"] > 200 && proved["lh4"] > 200 && proved["weak-f-cube4"] > 200 && proved["f-cube2"] > 20,
        "{proved:?}"
    );
}

/// Returns the algorithms that support worms on this mesh.
fn mesh_algorithms(faults: &BlockFaults) -> impl Iterator<Item = &'static routing::Algorithm> {
    let mesh = faults.mesh();
    let fits = move |algorithm: &&routing::Algorithm| {
        algorithm.worm.as_ref().is_some_and(|worm| worm.check_network(mesh).is_ok())
    };
    routing::ALGORITHMS.iter().filter(fits)
}

/// Without faults every algorithm except Valiant's takes minimal paths only, and a fully adaptive
/// one takes all of them.
#[test]
fn without_faults_routes_are_minimal() {
    let faults = super::faults(mesh(5, 4), "");
    let binomial = |n: u32, k: u32| (0..k).fold(1u64, |product, i| product * u64::from(n - i) / u64::from(i + 1));
    for algorithm in mesh_algorithms(&faults).filter(|algorithm| algorithm.id != "valiant-mesh") {
        let routing = algorithm.worm.as_deref().unwrap();
        for (from, to) in faults.members().flat_map(|from| faults.members().map(move |to| (from, to))) {
            if from == to {
                continue;
            }
            let all = journeys(&faults, routing, from, to);
            let distance = faults.mesh().distance(from, to);
            // Negative-first overshoots by one hop to reach the destination in two ways.
            let most = distance + if algorithm.id == "negative-first" { 2 } else { 0 };
            assert!(all.iter().all(|journey| (distance..=most).contains(&(journey.hops.len() as u32))));
            let ((a1, a0), (b1, b0)) = (faults.mesh().row_and_column(from), faults.mesh().row_and_column(to));
            let paths = binomial(distance, a0.abs_diff(b0));
            if algorithm.id.starts_with("lh") {
                let starts = if a1 == b1 { 2 } else { 1 };
                assert_eq!(all.len() as u64, starts * paths);
            } else if algorithm.id.starts_with("weak") {
                // The journeys also differ in classes.
                let nodes: BTreeSet<_> = all.iter().map(|journey| &journey.nodes).collect();
                assert_eq!(nodes.len() as u64, paths);
            } else {
                let is_deterministic = ["e-cube", "f-cube"].iter().any(|start| algorithm.id.starts_with(start));
                assert!(all.len() == 1 || !is_deterministic && !all.is_empty());
            }
        }
    }
}

/// Lemma 3: an adaptive message is affected only if it differs from its destination in exactly one
/// dimension.
#[test]
fn messages_are_affected_in_one_dimension_only() {
    for number in 0..200 {
        let faults = random_faults(mesh(7, 7), 5, &mut generator(number));
        for here in faults.members() {
            for to in faults.members().filter(|&to| to != here) {
                let minimal = faults.mesh().minimal_ports(here, to);
                let affected = minimal & faults.open_ports(here) == 0;
                assert!(!affected || minimal.count_ones() == 1);
            }
        }
    }
}

/// Arrivals computed from the dependency states agree with an enumeration of all journeys.
#[test]
fn arrivals_agree_with_enumerated_journeys() {
    let (mut lost, mut arrived) = (0, 0);
    for number in 0..60 {
        let faults = random_faults(mesh(6, 6), 3, &mut generator(number));
        for algorithm in mesh_algorithms(&faults) {
            let routing = algorithm.worm.as_deref().unwrap();
            let found = MeshDependencies::build(&faults, routing).unwrap().arrivals();
            let members = faults.members().count() as u64;
            assert_eq!(found.pairs, members * members.saturating_sub(1));
            let all: Result<Vec<_>, _> = faults.members().map(|to| longest(&faults, routing, to)).collect();
            match all {
                Ok(hops) => {
                    assert_eq!((found.lost, found.livelocked), (0, 0), "{}", algorithm.id);
                    assert_eq!(found.longest, hops.into_iter().max().unwrap_or(0));
                    arrived += 1;
                }
                Err(problem) => {
                    assert!(
                        found.lost + found.livelocked > 0 && found.example().is_some(),
                        "{} {problem}",
                        algorithm.id
                    );
                    lost += 1;
                }
            }
        }
    }
    assert!(lost > 20 && arrived > 100, "{lost} {arrived}");
}

/// e-cube without fault tolerance loses exactly the pairs whose single path meets a fault.
#[test]
fn ecube_loses_what_meets_a_fault() {
    let faults = super::faults(mesh(6, 6), "2.3");
    let found =
        MeshDependencies::build(&faults, &*routing::find("e-cube").unwrap().worm.clone().unwrap()).unwrap().arrivals();
    // Messages along row 2 through column 3: from the left to columns 3 to 5 of any row except (2,
    // 3), and from the right to columns 0 to 3. Turning in column 3 past row 2: from rows above to
    // below, and back.
    let row = 3 * (3 * 6 - 1) + 2 * (4 * 6 - 1);
    let column = 2 * (2 * 3) * 6;
    assert_eq!(found.lost, row + column);
}
