//! Tests of fully adaptive routing on tori by the exhaustive checker: every pair, every choice,
//! every dependency.

use faultlab::fault::BlockFaults;
use faultlab::routing::{WormPosition, WormRouting};
use faultlab::theory::{ExtendedDependencies, MeshDependencies};
use faultlab::topology::{Mesh, NodeId, iter_ports};

use super::{faults, generator, sample_raw_faults, torus};
use crate::common::worm;

/// Asserts that every message arrives for all choices, and that no deadlock is possible: the
/// dependencies are acyclic, or Duato's condition holds. Returns the longest detour.
#[track_caller]
fn assert_safe(faults: &BlockFaults, id: &str) -> u32 {
    let routing = worm(id);
    let all = MeshDependencies::build(faults, routing).expect("a small torus");
    let arrivals = all.arrivals();
    let what = format!("{id} {} {:?}", faults.mesh(), faults.regions());
    assert_eq!((arrivals.lost, arrivals.livelocked), (0, 0), "{what}: {:?}", arrivals.example());
    let has_adaptive_class =
        (0..routing.vc_classes(faults.mesh())).any(|class| !routing.is_escape(faults.mesh(), class));
    if has_adaptive_class {
        let extended = ExtendedDependencies::build(faults, routing).expect("a small torus");
        assert!(extended.violation().is_none() && extended.graph().acyclic_order().is_ok(), "{what}");
    } else {
        assert!(all.graph().acyclic_order().is_ok(), "{what}");
    }
    arrivals.detour
}

/// Returns the number of minimal paths to `to`, including both ways around where they are equally
/// long.
fn minimal_paths(mesh: Mesh, here: NodeId, to: NodeId) -> u64 {
    if here == to {
        return 1;
    }
    let next = iter_ports(mesh.minimal_ports(here, to)).filter_map(|port| mesh.neighbor(here, port));
    next.map(|next| minimal_paths(mesh, next, to)).sum()
}

/// Returns the number of paths that `routing` permits from `at.here` to `to`, each counted once for
/// every sequence of hops; headers that differ are different.
fn permitted_paths(faults: &BlockFaults, routing: &dyn WormRouting, at: WormPosition) -> u64 {
    if at.here == at.to {
        return 1;
    }
    let step = |choice: &faultlab::routing::VcRequest| {
        let here = faults.mesh().neighbor(at.here, choice.port).expect("a live hop");
        let next = WormPosition { here, input_port: Some(choice.port), header: choice.header, ..at };
        permitted_paths(faults, routing, next)
    };
    routing.choices(faults, &at).iter().map(step).sum()
}

/// Linder & Harden: (n + 1) 2^(n - 1) classes on tori of n dimensions; five more for messages that
/// faults affect. Weak f-cube4 and, in two dimensions, weak f-cube2 add one class to the five of
/// f-cube4 and the four of f-cube2.
#[test]
fn tori_need_the_stated_classes() {
    for (n, base) in [(1, 2), (2, 6), (3, 16)] {
        let mesh = torus(&vec![4; n]);
        assert_eq!(["lh", "lh4", "weak-f-cube4"].map(|id| worm(id).vc_classes(mesh)), [base, base + 5, 6]);
    }
    assert_eq!(worm("weak-f-cube2").vc_classes(torus(&[4, 4])), 5);
}

/// Without faults, all minimal paths are permitted, and no others. LH draws a virtual network where
/// both ways around are equally long in the second dimension.
#[test]
fn all_minimal_paths_are_permitted_without_faults() {
    for radices in [&[5, 5][..], &[4, 6], &[3, 4, 3]] {
        let none = faults(torus(radices), "");
        for number in 1..none.mesh().nodes() {
            let (from, to) = (NodeId(0), NodeId(u64::from(number)));
            let paths = minimal_paths(none.mesh(), from, to);
            let routing = worm("lh");
            let starts = (0..routing.initial_header_count(&none, from, to)).map(|number| {
                let header = routing.initial_header(&none, from, to, number);
                permitted_paths(&none, routing, WormPosition { here: from, to, input_port: None, header })
            });
            let still = (1..none.mesh().dimensions())
                .filter(|dim| none.mesh().minimal_ports(from, to) >> (2 * dim) & 3 == 0)
                .count();
            // A dimension without hops doubles the virtual networks, each with all paths.
            assert_eq!(starts.sum::<u64>(), paths << still, "{radices:?} {number}");
        }
        let planar = none.mesh().is_plane().then_some("weak-f-cube2");
        assert_eq!(worm("weak-f-cube2").check_network(none.mesh()).is_ok(), planar.is_some());
        for id in ["lh", "lh4", "weak-f-cube4"].into_iter().chain(planar) {
            assert_eq!(assert_safe(&none, id), 0);
        }
    }
}

/// All single and double faulty nodes and all single faulty links of 4 x 4 nodes, and all single
/// faulty nodes of 3 x 3 x 3. Positions differ: the classes change at the wraparound links. Weak
/// f-cube2 claims only those of the plane whose rings do not overlap.
#[test]
fn every_small_fault_set_is_safe() {
    let plane = torus(&[4, 4]);
    let nodes = || plane.iter_nodes();
    let pairs = nodes().flat_map(|one| nodes().filter(move |&other| one <= other).map(move |other| [one, other]));
    let mut sets: Vec<_> = pairs.map(|pair| BlockFaults::new(plane, &pair, &[])).collect();
    sets.extend(plane.iter_links().map(|link| BlockFaults::new(plane, &[], &[link])));
    let space = torus(&[3, 3, 3]);
    sets.extend(space.iter_nodes().map(|node| BlockFaults::new(space, &[node], &[])));
    assert_eq!(sets.len(), 16 * 17 / 2 + 32 + 27);
    let mut disjoint = 0;
    for faults in &sets {
        if faults.mesh().is_plane() && worm("weak-f-cube2").is_proved(faults) {
            assert_safe(faults, "weak-f-cube2");
            disjoint += 1;
        }
        for id in ["lh4", "weak-f-cube4"] {
            assert!(worm(id).is_proved(faults), "{id} {:?}", faults.regions());
            assert_safe(faults, id);
        }
    }
    // At least the single faults.
    assert!(disjoint >= 16 + 32, "{disjoint}");
}

/// Random fault sets with overlapping rings and regions that wrap around.
#[test]
fn proved_routings_are_safe_among_random_faults() {
    let sizes: [&[u16]; 7] = [&[6, 6], &[4, 7], &[8, 5], &[3, 6], &[2, 7], &[3, 4, 3], &[3, 2, 3]];
    let (mut claimed, mut overlapping, mut disjoint) = (0, 0, 0);
    for number in 0..140 {
        let mesh = torus(sizes[number as usize % sizes.len()]);
        let (nodes, links) = sample_raw_faults(mesh, 2 + (number / 7 % 6) as u32, &mut generator(9000 + number));
        let faults = BlockFaults::new(mesh, &nodes, &links);
        for id in ["lh4", "weak-f-cube4"] {
            if worm(id).is_proved(&faults) {
                assert_safe(&faults, id);
                claimed += 1;
                overlapping += u32::from(faults.has_overlapping_rings());
            }
        }
        if faults.mesh().is_plane() && worm("weak-f-cube2").is_proved(&faults) {
            assert_safe(&faults, "weak-f-cube2");
            disjoint += 1;
        }
    }
    assert!(claimed > 120 && overlapping > 50 && disjoint > 0, "{claimed} {overlapping} {disjoint}");
}
