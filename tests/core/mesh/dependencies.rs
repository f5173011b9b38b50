//! Which algorithms have acyclic channel dependency graphs on which faults, and where they have none.

use faultlab::fault::BlockFaults;
use faultlab::fault::block::draw_isolated;
use faultlab::theory::{MeshDependencies, mesh_witnesses};

use super::{faults, generator, mesh, random_faults};
use crate::common::worm;

/// Whether the dependency graph is acyclic; of a cycle, every step must have a message.
fn is_acyclic(faults: &BlockFaults, id: &str) -> bool {
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
fn what_is_proved_is_acyclic() {
    for number in 0..150 {
        let size = [(6, 6), (5, 9), (8, 4)][number as usize % 3];
        let faults = random_faults(mesh(size.0, size.1), 5, &mut generator(number));
        for id in ["e-cube", "f-cube1", "f-cube2", "f-cube2-either", "f-cube4", "lh", "lh2", "lh4"] {
            if worm(id).is_proved(&faults) {
                assert!(is_acyclic(&faults, id), "{id} {:?}", faults.regions());
            }
        }
    }
}

#[test]
fn isolated_faults_let_column_messages_go_either_way() {
    for number in 0..30 {
        let (nodes, links) = draw_isolated(mesh(10, 10), 2, 3, &mut generator(number)).unwrap();
        let faults = BlockFaults::new(mesh(10, 10), &nodes, &links);
        for id in ["f-cube2", "f-cube2-either", "lh2"] {
            assert!(worm(id).is_proved(&faults) && is_acyclic(&faults, id), "{id} {:?}", faults.regions());
        }
    }
}

/// What the paper forbids is forbidden for a reason.
#[test]
fn what_is_not_proved_can_be_cyclic() {
    let block = faults(mesh(8, 8), "3.3,3.4,4.3,4.4");
    assert!(!is_acyclic(&block, "f-cube2-either"), "either way around a 2 x 2 block");
    assert!(is_acyclic(&block, "f-cube2"));
    assert!(!is_acyclic(&block, "lh2"), "LH2 around a 2 x 2 block");
    assert!(is_acyclic(&block, "lh4"));
    let single = faults(mesh(8, 8), "3.3");
    assert!(!is_acyclic(&single, "f-cube1"), "one class only");
    let overlapping = (0..200).map(|number| random_faults(mesh(8, 8), 4, &mut generator(number)));
    let mut overlapping = overlapping.filter(|faults| faults.overlap() && faults.components() == 1);
    assert!(overlapping.any(|faults| !is_acyclic(&faults, "f-cube2")), "f-cube2 on rings that overlap");
}
