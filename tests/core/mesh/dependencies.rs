//! Tests of channel dependency graphs of mesh algorithms: acyclic and cyclic cases.

use faultlab::fault::BlockFaults;
use faultlab::fault::block::sample_isolated;
use faultlab::random::below;
use faultlab::routing::{Unsupported, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus};
use faultlab::theory::{MeshDependencies, mesh_witnesses};

use faultlab::topology::{Mesh, NodeId};

use super::{faults, generator, mesh, random_faults};
use crate::common::worm;

/// Returns whether the dependency graph is acyclic. Asserts that every step of a cycle has a
/// witness message.
fn assert_witnesses_and_check_acyclic(faults: &BlockFaults, id: &str) -> bool {
    let dependencies = MeshDependencies::build(faults, worm(id)).expect("a small mesh");
    match dependencies.graph().acyclic_order() {
        Ok(order) => {
            assert_eq!(order.len() as u32, dependencies.graph().channels());
            true
        }
        Err(cycle) => {
            assert_eq!(mesh_witnesses(faults, worm(id), &cycle).len(), cycle.channels.len());
            false
        }
    }
}

#[test]
fn proved_routings_are_acyclic() {
    for number in 0..150 {
        let size = [(6, 6), (5, 9), (8, 4)][number as usize % 3];
        let faults = random_faults(mesh(size.0, size.1), 5, &mut generator(number));
        for id in ["e-cube", "f-cube1", "f-cube2", "f-cube2-either", "f-cube4", "lh", "lh2", "lh4"] {
            if worm(id).is_proved(&faults) {
                assert!(assert_witnesses_and_check_acyclic(&faults, id), "{id} {:?}", faults.regions());
            }
        }
    }
}

#[test]
fn isolated_faults_let_column_messages_go_either_way() {
    for number in 0..30 {
        let (nodes, links) = sample_isolated(mesh(10, 10), 2, 3, &mut generator(number)).unwrap();
        let faults = BlockFaults::new(mesh(10, 10), &nodes, &links);
        for id in ["f-cube2", "f-cube2-either", "lh2"] {
            assert!(
                worm(id).is_proved(&faults) && assert_witnesses_and_check_acyclic(&faults, id),
                "{id} {:?}",
                faults.regions()
            );
        }
    }
}

/// Section IV.A: with either of two rules for the orientation, two more classes are enough around
/// regions of any size whose rings are whole and do not overlap.
#[test]
fn two_rules_make_two_classes_enough_for_larger_regions() {
    let mut larger = [0; 2];
    let rules = ["lh2-opposite", "lh2-shorter"];
    for number in 0..150 {
        let mesh = mesh(9, 8);
        let mut generator = generator(number);
        let mut nodes = Vec::new();
        for _ in 0..2 {
            let (row, column) = (1 + below(&mut generator, 6), 1 + below(&mut generator, 5));
            let rows = 1 + below(&mut generator, (8 - row).min(3));
            let columns = 1 + below(&mut generator, (7 - column).min(4));
            let places = (row..row + rows).flat_map(|row| (column..column + columns).map(move |at| (row, at)));
            nodes.extend(places.filter_map(|(row, column)| mesh.node(row as i32, column as i32)));
        }
        let faults = BlockFaults::new(mesh, &nodes, &[]);
        for (place, id) in rules.into_iter().enumerate() {
            let is_acyclic = assert_witnesses_and_check_acyclic(&faults, id);
            if worm(id).is_proved(&faults) {
                let arrivals = MeshDependencies::build(&faults, worm(id)).expect("a small mesh").arrivals();
                assert_eq!(
                    (is_acyclic, arrivals.lost, arrivals.livelocked),
                    (true, 0, 0),
                    "{id} {:?}",
                    faults.regions()
                );
                larger[place] += u32::from(!faults.are_isolated());
            }
        }
    }
    assert!(larger.iter().all(|&sets| sets > 20), "{larger:?}");
    let block = faults(mesh(8, 8), "3.3,3.4,4.3,4.4");
    assert!(!worm("lh2").is_proved(&block));
    assert!(rules.iter().all(|id| worm(id).is_proved(&block)));
}

/// The paper's restrictions are necessary: without them there are cycles.
#[test]
fn unproved_routings_can_be_cyclic() {
    let block = faults(mesh(8, 8), "3.3,3.4,4.3,4.4");
    assert!(!assert_witnesses_and_check_acyclic(&block, "f-cube2-either"), "either way around a 2 x 2 block");
    assert!(assert_witnesses_and_check_acyclic(&block, "f-cube2"));
    assert!(!assert_witnesses_and_check_acyclic(&block, "lh2"), "LH2 around a 2 x 2 block");
    assert!(assert_witnesses_and_check_acyclic(&block, "lh4"));
    let single = faults(mesh(8, 8), "3.3");
    assert!(!assert_witnesses_and_check_acyclic(&single, "f-cube1"), "one class only");
    for id in ["f-cube2", "lh2-opposite", "lh2-shorter"] {
        let overlapping = (0..200).map(|number| random_faults(mesh(8, 8), 4, &mut generator(number)));
        let mut overlapping = overlapping.filter(|faults| faults.has_overlapping_rings() && faults.components() == 1);
        assert!(
            overlapping.any(|faults| !assert_witnesses_and_check_acyclic(&faults, id)),
            "{id} on rings that overlap"
        );
    }
}

/// On n x n nodes, messages go straight in both directions of 2n lines, n - 2 times each. They turn
/// from each of the 2(n - 1) row channels into a column in two directions. With 1,024 nodes several
/// threads work.
#[test]
fn e_cube_has_as_many_dependencies_as_can_be_counted_by_hand() {
    for n in [3u16, 8, 32] {
        let none = faults(mesh(n, n), "");
        let built = MeshDependencies::build(&none, worm("e-cube")).expect("a small mesh");
        let (side, nodes) = (u64::from(n), u64::from(n) * u64::from(n));
        assert_eq!(built.graph().dependencies() as u64, 4 * side * (side - 2) + 4 * (side - 1) * (side - 1), "{n}");
        let arrivals = built.arrivals();
        assert_eq!((arrivals.pairs, arrivals.lost, arrivals.livelocked), (nodes * (nodes - 1), 0, 0));
        assert_eq!((u64::from(arrivals.longest), arrivals.detour), (2 * (side - 1), 0));
    }
}

/// All results, including which cycle is found, are independent of the number of threads.
#[cfg(feature = "cli")]
#[test]
fn results_are_independent_of_threads() {
    let around = faults(mesh(26, 26), "3.3,3.4,4.3,4.4,20.20");
    for id in ["f-cube2", "f-cube2-either", "lh2"] {
        let report = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let built = MeshDependencies::build(&around, worm(id)).expect("a small mesh");
                (built.graph().acyclic_order(), built.arrivals())
            })
        };
        let alone = report(1);
        assert_eq!(alone.0.is_err(), id != "f-cube2", "{id}");
        assert!([2, 3].into_iter().all(|threads| report(threads) == alone), "{id}");
    }
}

/// f-cube4 with the rule of Figure 8 as printed: a blocked column message without a row hop as a
/// column message may take either direction. This includes messages whose last hop was made as a
/// row message.
struct Printed(&'static dyn WormRouting);

impl WormRouting for Printed {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        self.0.vc_classes(mesh)
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        self.0.check_network(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        self.0.initial_header(faults, from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mesh = faults.mesh();
        let was_row = at.header.message_type.dim() == 0 && at.header.status == WormStatus::Normal;
        let becomes_column = was_row && mesh.coordinate(at.here, 0) == mesh.coordinate(at.to, 0);
        let came = at.input_port.filter(|_| !becomes_column);
        self.0.route_compute(faults, &WormPosition { input_port: came, ..*at }, choices);
    }

    fn is_proved(&self, _: &BlockFaults) -> bool {
        true
    }
}

/// f-cube4 with Figure 8 as printed has no dependency cycle. A column message enters its first
/// column channel from a row class, so its direction around a region closes no cycle within its own
/// class.
#[test]
fn figure_8_as_printed_is_acyclic_too() {
    let printed = Printed(worm("f-cube4"));
    for number in 0..1500 {
        let size = [(4, 4), (5, 5), (6, 6), (4, 5), (5, 4)][number as usize % 5];
        let faults = random_faults(mesh(size.0, size.1), 5, &mut generator(number));
        let built = MeshDependencies::build(&faults, &printed).expect("a small mesh");
        assert!(built.graph().acyclic_order().is_ok(), "{number} {:?}", faults.regions());
    }
}
