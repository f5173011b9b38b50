//! Tests of routing with global fault information: up*/down* tables.

use faultlab::fault::BlockFaults;
use faultlab::random::below;
use faultlab::theory::{LivePaths, MeshDependencies};
use faultlab::topology::{Mesh, NodeId};

use super::{faults, generator, mesh, random_faults};
use crate::common::worm;

/// Whatever is faulty: no cyclic dependency, and every message arrives, on meshes and tori.
#[test]
fn tables_tolerate_any_faults() {
    let networks = [mesh(5, 6), mesh(7, 4).to_torus(), Mesh::from_radices(&[3, 3, 3]).unwrap()];
    for number in 0..60 {
        let mesh = networks[number as usize % 3];
        let mut generator = generator(number);
        let nodes: Vec<_> = (0..6).map(|_| NodeId(u64::from(below(&mut generator, mesh.nodes())))).collect();
        let closed = random_faults(mesh, 5, &mut generator);
        for faults in [BlockFaults::unclosed(mesh, &nodes, &[]), closed] {
            let found = MeshDependencies::build(&faults, worm("up-down")).expect("a small mesh");
            assert!(found.graph().acyclic_order().is_ok(), "{nodes:?}");
            assert_eq!((found.arrivals().lost, found.arrivals().livelocked), (0, 0), "{nodes:?}");
            let shortest = LivePaths::compute(&faults).expect("a small mesh");
            assert!(found.arrivals().longest >= shortest.longest && found.arrivals().pairs == shortest.pairs);
        }
    }
}

/// On a line the only path is legal, and it is the shortest.
#[test]
fn a_line_has_shortest_paths_only() {
    let line = Mesh::from_radices(&[9]).unwrap();
    let faults = BlockFaults::new(line, &[], &[]);
    let found = MeshDependencies::build(&faults, worm("up-down")).expect("a small mesh");
    assert_eq!((found.arrivals().longest, found.arrivals().detour), (8, 0));
}

/// The component of a rank takes part: by size, then by first node.
#[test]
fn components_are_selected_by_size() {
    let cut = faults(mesh(3, 6), "0.1,1.1,2.1,0.4,1.4,2.4");
    let members = |rank| cut.clone().with_component(rank).members().map(|node| node.0).collect::<Vec<_>>();
    assert_eq!(members(1), [2, 3, 8, 9, 14, 15]);
    assert_eq!(members(2), [0, 6, 12]);
    assert_eq!(members(3), [5, 11, 17]);
    assert!(members(4).is_empty());
    assert!(cut.simulates_largest() && !cut.clone().with_component(2).simulates_largest());
}
