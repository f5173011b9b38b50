//! Tests of the adversarial fault placements.

use faultlab::fault::{ActiveSet, Adversary, FaultyNodes, RemainingPaths, Tolerance};
use faultlab::random::Key;
use faultlab::topology::NodeId;

use super::{cube, no_faults};

fn place(adversary: Adversary, n: u8, count: u32, centre: u64, seed: u64) -> FaultyNodes {
    adversary.place_faults(cube(n), count, NodeId(centre), Key::from_seed(seed)).expect("a cube with this centre")
}

#[test]
fn they_place_exactly_as_many_faults_as_asked() {
    for adversary in Adversary::ALL {
        for n in 1..=6 {
            for count in 0..=(1 << n) + 1 {
                let faulty = place(adversary, n, count, 1, 7);
                assert_eq!(
                    (faulty.count(), faulty.iter().count() as u32),
                    (count.min(1 << n), count.min(1 << n)),
                    "{adversary}"
                );
            }
        }
        assert_eq!(place(adversary, 7, 9, 5, 3), place(adversary, 7, 9, 5, 3), "{adversary}: same key, same set");
        assert_eq!(Adversary::parse(adversary.id()), Some(adversary));
        assert!(adversary.place_faults(cube(3), 1, NodeId(8), Key::from_seed(1)).is_none());
        assert!(adversary.place_faults(cube(25), 1, NodeId(0), Key::from_seed(1)).is_none());
    }
}

#[test]
fn shaped_placements_have_their_shape() {
    let centre = NodeId(0b10110);
    let distances = |faulty: &FaultyNodes| faulty.iter().map(|node| cube(5).distance(node, centre)).collect::<Vec<_>>();
    let ball = place(Adversary::Ball, 5, 16, centre.0, 1);
    assert!(ball.contains(centre) && distances(&ball).iter().all(|&distance| distance <= 2));
    let neighbors = place(Adversary::Neighbors, 5, 5, centre.0, 1);
    assert!(distances(&neighbors).iter().all(|&distance| distance == 1));
    let active = ActiveSet::algorithm_a(neighbors, Tolerance::Thesis);
    assert!(!active.faulty().contains(centre) && !active.contains(centre));
    let subcube = place(Adversary::Subcube, 5, 8, centre.0, 1);
    let spread = subcube.iter().fold(0, |spread, node| spread | (node.0 ^ centre.0));
    assert_eq!(spread.count_ones(), 3, "eight nodes of three dimensions");
}

/// Returns the numbers of active nodes and fault-free paths that `faulty` leaves (Algorithm A).
fn remaining(faulty: &FaultyNodes) -> RemainingPaths {
    RemainingPaths::new(faulty, &faulty.iter().collect::<Vec<_>>(), Tolerance::Thesis)
}

/// Returns the number of nodes in active squares under Algorithm B's rule.
fn active_b(faulty: &FaultyNodes) -> u32 {
    ActiveSet::algorithm_b(faulty.clone(), Tolerance::Thesis).expect("squares").count()
}

/// Returns the minimum of `measure` over a hundred random fault sets.
fn minimum_over_random_sets(n: u8, count: u32, measure: impl Fn(&FaultyNodes) -> u32) -> u32 {
    (0..100).map(|seed| measure(&place(Adversary::Random, n, count, 0, 1000 + seed))).min().expect("a hundred")
}

fn greedy(squares: bool) -> Adversary {
    Adversary::Greedy { squares }
}

#[test]
fn searching_adversaries_beat_random_sets() {
    let table: &[(u8, &[u32])] = &[
        (4, &[1, 2, 5, 16]),
        (6, &[1, 2, 3, 4, 20]),
        (7, &[2, 3, 4, 9]),
        (8, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 100]),
        (9, &[2, 3, 6, 10, 14]),
        (10, &[2, 3, 4, 6, 8, 10, 12, 20]),
        (11, &[4, 10, 20]),
        (12, &[3, 8, 24, 40]),
    ];
    for &(n, counts) in table {
        for &count in counts {
            let (a, b) = (
                minimum_over_random_sets(n, count, |faulty| remaining(faulty).active),
                minimum_over_random_sets(n, count, active_b),
            );
            for seed in 0..3 {
                let placed = |adversary| place(adversary, n, count, 0, seed);
                for adversary in [greedy(false), Adversary::Busiest] {
                    let active = remaining(&placed(adversary)).active;
                    assert!(active <= a, "{adversary}:{count} in n = {n}: {active} active, chance leaves {a}");
                }
                let active = active_b(&placed(greedy(true)));
                assert!(active <= b, "greedy-b:{count} in n = {n}: {active} active, chance leaves {b}");
            }
        }
    }
}

/// In the 14-cube with 111 random faults hundreds of nodes stay active; with adversarial faults
/// none does.
#[test]
fn searching_adversaries_beat_random_sets_in_the_14_cube() {
    for (count, most) in [(8, 15_500), (32, 9_300), (64, 4_100), (111, 0)] {
        let (a, b) = (
            minimum_over_random_sets(14, count, |faulty| remaining(faulty).active),
            minimum_over_random_sets(14, count, active_b),
        );
        let active = remaining(&place(greedy(false), 14, count, 0, 1)).active;
        assert!(active < a && active <= most, "{count}: {active} active, chance leaves {a}");
        let busiest = remaining(&place(Adversary::Busiest, 14, count, 0, 1)).active;
        assert!(busiest < a, "{count}: {busiest} active, chance leaves {a}");
        let squares = active_b(&place(greedy(true), 14, count, 0, 1));
        assert!(squares < b || b == 0, "{count}: {squares} active, chance leaves {b}");
    }
}

/// The greedy adversary finds the worst sets, compared with all sets that contain node 0. All other
/// sets are translations of these.
#[test]
fn greedy_finds_the_worst_small_sets() {
    for (n, count) in [(5, 2), (6, 2), (8, 2), (10, 2), (6, 3), (7, 3)] {
        let nodes = 1u64 << n;
        let sets = (1..nodes).flat_map(|one| {
            let others = if count == 3 { one + 1..nodes } else { 0..1 };
            others.map(move |other| if count == 3 { vec![0, one, other] } else { vec![0, one] })
        });
        let of = |set: Vec<u64>| {
            RemainingPaths::from_few_faults(
                cube(n),
                &set.into_iter().map(NodeId).collect::<Vec<_>>(),
                Tolerance::Thesis,
            )
        };
        let all: Vec<_> = sets.map(of).collect();
        for seed in 0..3 {
            let active = remaining(&place(greedy(false), n, count, 0, seed)).active;
            assert_eq!(active, all.iter().map(|left| left.active).min().unwrap(), "n = {n}, {count} faults");
            let of_those = all.iter().filter(|left| left.active <= active).map(|left| left.paths).min().unwrap();
            let busiest = remaining(&place(Adversary::Busiest, n, count, 0, seed));
            assert!(busiest.paths <= of_those, "n = {n}, {count} faults: {busiest:?}, {of_those}");
        }
    }
}

#[test]
fn sparse_counting_agrees_with_tables() {
    for (n, count) in [(1, 1), (2, 3), (3, 2), (4, 9), (6, 5), (6, 64), (9, 12), (11, 40)] {
        for seed in 0..6 {
            let set = if seed % 2 == 0 { Adversary::Random } else { Adversary::Ball };
            let faulty = place(set, n, count, 0, seed);
            let nodes: Vec<_> = faulty.iter().collect();
            for tolerance in [Tolerance::Thesis, Tolerance::Share(0.1), Tolerance::Share(0.45)] {
                let active = ActiveSet::algorithm_a(faulty.clone(), tolerance);
                let found = RemainingPaths::from_few_faults(cube(n), &nodes, tolerance);
                assert_eq!(found.active, active.count(), "n = {n}, {nodes:?}");
                assert_eq!(found.paths, (1 << (2 * n)) - active.faulty_paths(), "n = {n}, {nodes:?}");
            }
        }
    }
}

/// With 2^k - 1 faults across dimension k+1, every path from the subcube below across that
/// dimension leads through the centre.
#[test]
fn the_funnel_leaves_one_channel() {
    let faulty = place(Adversary::Funnel, 8, 15, 0, 1);
    let clear = |s: u64, d: u64| faulty.first_faulty_on_path(NodeId(s), NodeId(d)).is_none();
    let across: Vec<_> = (0..16).flat_map(|s| (0..256).map(move |d| (s, d))).filter(|&(_, d)| d & 16 != 0).collect();
    assert!(across.iter().all(|&(s, d)| clear(s, d) == (d & 15 == 0)));
}

#[test]
fn scattered_faults_have_recorded_positions() {
    let faulty = FaultyNodes::scattered(cube(6), 3).unwrap();
    assert_eq!(faulty.iter().collect::<Vec<_>>(), [5, 47, 53].map(NodeId));
    let mut faulty = no_faults(3);
    faulty.set(NodeId(3), true);
    faulty.set(NodeId(3), true);
    faulty.set(NodeId(9), true);
    assert_eq!(faulty.count(), 1);
    faulty.set(NodeId(3), false);
    assert_eq!((faulty.count(), faulty.contains(NodeId(8))), (0, true));
}
