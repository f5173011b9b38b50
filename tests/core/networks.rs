//! Tests of connectivity, shortest live paths and channel dependencies on whole networks, against
//! plain searches.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::CubePointConfig;
use faultlab::fault::{FaultSampler, Faults as _};
use faultlab::switching::PathFinder;
use faultlab::theory::{
    ChannelId, DependencyGraph, FaultSet, connectivity, hypercube_channel, hypercube_dependencies, hypercube_link,
};
use faultlab::topology::{Hypercube, NodeId};

use crate::common::{local, point_config};

/// Returns the distances from the source over live nodes, by breadth-first search.
fn distances(cell: &CubePointConfig, faults: &mut FaultSampler) -> Vec<Option<u32>> {
    let mut distance = vec![None; cell.cube.mask() as usize + 1];
    distance[cell.ends.from.0 as usize] = Some(0);
    let mut queue = std::collections::VecDeque::from([cell.ends.from]);
    while let Some(node) = queue.pop_front() {
        for next in cell.cube.neighbors(node) {
            if distance[next.0 as usize].is_none() && !faults.is_faulty(next) {
                distance[next.0 as usize] = distance[node.0 as usize].map(|hops: u32| hops + 1);
                queue.push_back(next);
            }
        }
    }
    distance
}

#[test]
fn the_path_finder_finds_shortest_live_paths() {
    // Reuse one finder to test that no state leaks from one search to the next.
    let mut finder = PathFinder::default();
    let mut again = PathFinder::default();
    let (mut found, mut longer) = (0, 0);
    for (n, ends) in
        [(1, ""), (2, ""), (4, ""), (7, "&from=3&to=12"), (6, ""), (9, ""), (13, ""), (8, "&from=255&to=254")]
    {
        for p in [0.0, 0.3, 0.5, 0.7, 0.8, 0.9] {
            let cell = point_config(&format!("net=cube:{n}{ends}&faults=nodes:{p}&seed=5"));
            for trial in 0..200 {
                let mut faults = cell.fault_pattern(trial);
                let expected = distances(&cell, &mut faults)[cell.ends.to.0 as usize];
                let hops = finder.find(cell.cube, &mut faults, cell.ends);
                assert_eq!(hops.as_ref().map(|hops| hops.len() as u32), expected);
                assert_eq!(hops, again.find(cell.cube, &mut faults, cell.ends), "the same path every time");
                let Some(hops) = hops else { continue };
                found += 1;
                longer += u32::from(hops.len() as u32 > cell.distance());
                assert_eq!((hops[0].from, hops[hops.len() - 1].to), (cell.ends.from, cell.ends.to));
                assert!(hops.windows(2).all(|pair| pair[0].to == pair[1].from));
                assert!(hops.iter().all(|hop| cell.cube.distance(hop.from, hop.to) == 1));
                assert!(hops.iter().all(|hop| !faults.is_faulty(hop.to)));
            }
        }
    }
    assert!(found > 4000 && longer > 200, "{found} {longer}");
}

#[test]
fn connectivity_is_what_a_plain_search_finds() {
    for (n, p) in [(1, 0.5), (3, 0.6), (5, 0.7), (7, 0.8), (9, 0.85)] {
        let cell = point_config(&format!("net=cube:{n}&faults=nodes:{p}&seed=6"));
        for trial in 0..100 {
            let mut faults = cell.fault_pattern(trial);
            let reached = distances(&cell, &mut faults);
            let live = (0..=cell.cube.mask()).filter(|&node| !faults.is_faulty(NodeId(node))).count() as u64;
            let found = connectivity(cell.cube, cell.ends, &mut faults).unwrap();
            assert_eq!(found.connected, reached[cell.ends.to.0 as usize].is_some());
            assert_eq!(found.around_source, reached.iter().flatten().count() as u64);
            assert_eq!(found.live, live);
            assert_eq!(found.components.iter().sum::<u64>(), live);
            assert!(found.components.is_sorted_by(|a, b| a >= b));
            assert!(found.components.contains(&found.around_destination));
        }
    }
    let largest = point_config("net=cube:20&faults=none");
    let found = connectivity(largest.cube, largest.ends, &mut largest.fault_pattern(0)).unwrap();
    assert_eq!((found.connected, found.live, found.components), (true, 1 << 20, vec![1 << 20]));
    let large = point_config("net=cube:21");
    assert!(connectivity(large.cube, large.ends, &mut large.fault_pattern(0)).is_none());
}

/// Asserts that `order` contains every channel once and that every dependency points forward in it.
fn assert_order(graph: &DependencyGraph, order: &[ChannelId]) {
    let mut rank = vec![None; graph.channels() as usize];
    for (place, channel) in order.iter().enumerate() {
        assert!(rank[channel.0 as usize].replace(place).is_none());
    }
    for held in (0..graph.channels()).map(ChannelId) {
        for wanted in graph.successors(held) {
            assert!(rank[held.0 as usize] < rank[wanted.0 as usize]);
        }
    }
}

#[test]
fn e_cube_routing_is_free_of_cycles_whatever_is_broken() {
    for n in 1..=8 {
        let cell = point_config(&format!("net=cube:{n}&faults=nodes:0.3"));
        for trial in 0..3 {
            let mut faults = cell.fault_pattern(trial);
            let graph = hypercube_dependencies(cell.cube, &mut faults, local("deterministic-blind")).unwrap();
            assert_order(&graph, &graph.acyclic_order().unwrap());
        }
        // Without faults, a channel of dimension i depends on those of all lower dimensions at its
        // end.
        let graph = hypercube_dependencies(cell.cube, &mut FaultSet(0), local("deterministic-blind")).unwrap();
        let n = usize::from(cell.cube.dimension());
        assert_eq!((graph.channels() as usize, graph.dependencies()), (n << n, (n * (n - 1) / 2) << n));
    }
}

/// Deterministic routing takes the highest live wrong bit, so faults change its order of dimensions
/// and can cause a cycle. e-cube routing never has one.
#[test]
fn deterministic_routing_around_faults_can_close_a_cycle() {
    let cube = Hypercube::new(3).unwrap();
    let is_cyclic = |faults: u64| {
        let graph = hypercube_dependencies(cube, &mut FaultSet(faults), local("deterministic")).unwrap();
        match graph.acyclic_order() {
            Ok(order) => {
                assert_order(&graph, &order);
                false
            }
            Err(cycle) => {
                assert_cycle(cube, &graph, &cycle.channels);
                true
            }
        }
    };
    assert!(!is_cyclic(0));
    assert_eq!((0..256).filter(|&faults| is_cyclic(faults)).count(), 4);
}

fn assert_cycle(cube: Hypercube, graph: &DependencyGraph, channels: &[ChannelId]) {
    assert!(!channels.is_empty());
    for (i, &held) in channels.iter().enumerate() {
        let wanted = channels[(i + 1) % channels.len()];
        assert!(graph.successors(held).contains(&wanted));
        assert_eq!(hypercube_link(cube, held).1, hypercube_link(cube, wanted).0);
    }
}

#[test]
fn minimal_adaptive_routing_has_a_cycle_from_two_dimensions_on() {
    for n in 1..=6 {
        let cube = Hypercube::new(n).unwrap();
        let graph = hypercube_dependencies(cube, &mut FaultSet(0), local("random")).unwrap();
        match graph.acyclic_order() {
            Ok(order) => {
                assert_eq!(n, 1);
                assert_order(&graph, &order);
            }
            Err(cycle) => {
                assert!(n >= 2);
                assert_eq!(cycle.channels.len(), 4, "around a square");
                assert_cycle(cube, &graph, &cycle.channels);
            }
        }
    }
}

#[test]
fn sidetracking_makes_a_u_turn_where_a_node_is_blocked() {
    let cube = Hypercube::new(3).unwrap();
    // Without faults no message is blocked, so the cycles are those of minimal routing.
    let graph = hypercube_dependencies(cube, &mut FaultSet(0), local("sidetracking")).unwrap();
    assert_eq!(graph.acyclic_order().unwrap_err().channels.len(), 4);
    // On the way to 111, a message at 001 is blocked by 011 and 101.
    let faults = FaultSet(1 << 0b011 | 1 << 0b101);
    let graph = hypercube_dependencies(cube, &mut { faults }, local("sidetracking")).unwrap();
    let cycle = graph.acyclic_order().unwrap_err().channels;
    assert_eq!(cycle.len(), 2);
    assert_cycle(cube, &graph, &cycle);
    let (u, v) = hypercube_link(cube, cycle[0]);
    assert_eq!(hypercube_link(cube, cycle[1]), (v, u));
    let (forth, back) = (hypercube_channel(cube, NodeId(0), 0), hypercube_channel(cube, NodeId(1), 0));
    assert!(graph.successors(forth).contains(&back));
}

#[test]
fn dependencies_reject_large_cubes_and_backtracking() {
    let nine = Hypercube::new(9).unwrap();
    assert!(hypercube_dependencies(nine, &mut FaultSet(0), local("random")).is_none());
    let three = Hypercube::new(3).unwrap();
    assert!(hypercube_dependencies(three, &mut FaultSet(0), local("backtracking")).is_none());
}

#[test]
fn the_shortest_of_several_cycles_is_found() {
    let mut graph = DependencyGraph::new(12);
    let ring = |graph: &mut DependencyGraph, channels: &[u32]| {
        for (i, &held) in channels.iter().enumerate() {
            graph.add(ChannelId(held), ChannelId(channels[(i + 1) % channels.len()]));
        }
    };
    graph.add(ChannelId(0), ChannelId(99));
    ring(&mut graph, &[0, 1, 2, 3, 4]);
    assert_eq!(graph.acyclic_order().unwrap_err().channels.len(), 5);
    ring(&mut graph, &[4, 5, 6, 7]);
    graph.add(ChannelId(7), ChannelId(8));
    ring(&mut graph, &[9, 10, 8]);
    graph.add(ChannelId(9), ChannelId(10));
    assert_eq!((graph.channels(), graph.dependencies()), (12, 13));
    let mut cycle = graph.acyclic_order().unwrap_err().channels;
    cycle.sort_unstable();
    assert_eq!(cycle, [8, 9, 10].map(ChannelId));
    graph.add(ChannelId(11), ChannelId(11));
    assert_eq!(graph.acyclic_order().unwrap_err().channels, [ChannelId(11)]);
}
