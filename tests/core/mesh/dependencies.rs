//! Which algorithms have acyclic channel dependency graphs on which faults, and where they have none.

use faultlab::fault::BlockFaults;
use faultlab::fault::block::draw_isolated;
use faultlab::theory::{MeshDependencies, mesh_channel, mesh_witnesses};

use super::journeys::journeys;
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

/// The message that is shown for each step of a circle makes a journey on which it holds the one channel and may ask for the next, and
/// no message between nearer nodes does.
#[test]
fn witnesses_of_circles_have_the_shortest_ways() {
    for (broken, id) in [("2.2", "f-cube1"), ("", "weak"), ("1.2,1.3,2.2,2.3", "f-cube2-either")] {
        let faults = faults(mesh(5, 6), broken);
        let (mesh, routing) = (faults.mesh(), worm(id));
        let built = MeshDependencies::build(&faults, routing).expect("a small mesh");
        let cycle = built.graph().acyclic_order().expect_err("a cycle");
        let count = cycle.channels.len();
        let steps: Vec<_> =
            (0..count).map(|place| [cycle.channels[place], cycle.channels[(place + 1) % count]]).collect();
        // For each step the messages that show it.
        let mut shown = vec![Vec::new(); count];
        let pairs = faults.members().flat_map(|from| faults.members().map(move |to| (from, to)));
        for (from, to) in pairs.filter(|(from, to)| from != to && mesh.distance(*from, *to) < 6) {
            for journey in journeys(&faults, routing, from, to) {
                let hops = journey.nodes.iter().zip(&journey.hops);
                let channels: Vec<_> = hops
                    .map(|(&node, hop)| mesh_channel(mesh, node, hop.port, hop.class, routing.classes(mesh)))
                    .collect();
                for two in channels.windows(2) {
                    let places = steps.iter().enumerate().filter(|(_, step)| step[..] == *two).map(|(place, _)| place);
                    places.for_each(|place| shown[place].push((mesh.distance(from, to), from, to)));
                }
            }
        }
        let witnesses = mesh_witnesses(&faults, routing, &cycle);
        assert_eq!(witnesses.len(), count, "{id}");
        for (witness, all) in witnesses.iter().zip(&shown) {
            let distance = mesh.distance(witness.from, witness.to);
            assert!(all.contains(&(distance, witness.from, witness.to)), "{id} {witness:?}");
            assert_eq!(Some(distance), all.iter().map(|&(distance, ..)| distance).min(), "{id} {witness:?}");
        }
    }
}

/// The longest detour is that of some journey, and no journey makes a longer one.
#[test]
fn the_longest_detour_is_the_longest_of_all_journeys() {
    for (broken, id) in [("2.2", "f-cube2"), ("2.1,2.2,2.3", "f-cube2"), ("1.1,1.2,2.1,2.2", "f-cube4"), ("2.3", "lh4")]
    {
        let faults = faults(mesh(5, 6), broken);
        let (mesh, routing) = (faults.mesh(), worm(id));
        let found = MeshDependencies::build(&faults, routing).expect("a small mesh").arrivals();
        let detour = |from, to| {
            let longest = journeys(&faults, routing, from, to).iter().map(|journey| journey.hops.len() as u32).max();
            longest.expect("a journey") - mesh.distance(from, to)
        };
        let pairs = faults.members().flat_map(|from| faults.members().map(move |to| (from, to)));
        let most = pairs.filter(|(from, to)| from != to).map(|(from, to)| detour(from, to)).max();
        assert_eq!(Some(found.detour), most, "{id} {broken}");
        let pair = found.detoured.expect("a detour");
        assert_eq!(detour(pair.from, pair.to), found.detour, "{id} {broken}");
    }
}
