//! Tests of delivery under faults, over all pairs and all choices.

use faultlab::theory::MeshDependencies;

use super::{cube, faults, generator, random_faults, worm};

#[test]
fn every_routing_delivers_without_faults() {
    for id in super::all() {
        let none = faults(4, &[], &[]);
        let found = MeshDependencies::build(&none, worm(id)).unwrap().arrivals();
        assert_eq!((found.pairs, found.lost, found.livelocked), (240, 0, 0), "{id}");
        // A detour through any node is at most 2n hops; under Algorithm B it is 2(n-2) and seven
        // more.
        assert!(found.longest <= if id == "algorithm-b" { 11 } else { 8 }, "{id}: {}", found.longest);
    }
}

#[test]
fn proved_routings_deliver() {
    let mut generator = generator(5);
    for n in [3, 4, 5] {
        for round in 0..40 {
            let found = random_faults(n, round % 4, 0, &mut generator);
            for id in super::all() {
                if worm(id).check_network(found.mesh()).is_ok() && worm(id).is_proved(&found) {
                    let built = MeshDependencies::build(&found, worm(id)).unwrap();
                    let arrivals = built.arrivals();
                    assert_eq!((arrivals.lost, arrivals.livelocked), (0, 0), "{id} {n} {arrivals:?}");
                    assert!(built.graph().acyclic_order().is_ok(), "{id} {n}");
                }
            }
        }
    }
}

#[test]
fn one_faulty_link_cuts_off_the_pairs_of_the_theorems() {
    // Chiu, Chalasani & Raghavendra, section IV, in the 5-cube: the faulty up-link 24_1 cuts off 16
    // pairs under e-cube and 4 under UP. Circuits are routed with information on all faults. A worm
    // is routed with the links of its node only, and may step to a node whose last path is cut.
    let link = faultlab::topology::Link::parse(cube(5), "24_1").unwrap();
    let one = faults(5, &[], &[link]);
    let lost = |id| MeshDependencies::build(&one, worm(id)).unwrap().arrivals().lost;
    assert_eq!(lost("e-cube"), 16);
    assert!(lost("up") >= 4, "{}", lost("up"));
    // The opposite direction of the edge is not faulty.
    assert!(one.is_open(link.end(), faultlab::topology::Port::along(1, false)));
    assert!(!one.is_open(link.from, faultlab::topology::Port::along(1, true)));
}

#[test]
fn backtracking_finds_a_way_on_the_4_cube_and_sidetracking_may_circle() {
    // Backtracking finds a path whenever there is one that leaves the source forward. A message
    // blocked at its source fails at once.
    let mut generator = generator(6);
    let mut circling = 0;
    for _ in 0..60 {
        let found = random_faults(4, 5, 0, &mut generator);
        let back = MeshDependencies::build(&found, worm("backtracking")).unwrap().arrivals();
        assert_eq!(back.livelocked, 0);
        circling += MeshDependencies::build(&found, worm("sidetracking")).unwrap().arrivals().livelocked;
    }
    assert!(circling > 0);
}

#[test]
fn one_way_links_leave_a_strongly_connected_part() {
    // Node 0 of the 3-cube can send, but no node can send to it.
    let links: Vec<_> =
        (0..3).map(|dim| faultlab::topology::Link { from: faultlab::topology::NodeId(1 << dim), dim }).collect();
    let found = faults(3, &[], &links);
    assert_eq!((found.members().count(), found.components()), (7, 2));
    assert!(!found.is_member(faultlab::topology::NodeId(0)));
    assert!(found.has_link_faults() && !faults(3, &[1, 2, 4], &[]).has_link_faults());
}
