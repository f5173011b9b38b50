//! Adversaries place what they say they do.

use faultlab::fault::{ActiveSet, Adversary, FaultyNodes, Tolerance, fault_free_through};
use faultlab::random::Key;
use faultlab::topology::NodeId;

use super::{cube, none};

fn place(adversary: Adversary, n: u8, count: u32, centre: u64, seed: u64) -> FaultyNodes {
    adversary.place(cube(n), count, NodeId(centre), Key::from_seed(seed)).expect("a cube with this centre")
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
        assert!(adversary.place(cube(3), 1, NodeId(8), Key::from_seed(1)).is_none());
        assert!(adversary.place(cube(25), 1, NodeId(0), Key::from_seed(1)).is_none());
    }
}

#[test]
fn shapes_are_what_they_are_called() {
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

#[test]
fn who_searches_does_more_harm_than_chance() {
    let (n, count) = (11, 4);
    let active = |faulty| ActiveSet::algorithm_a(faulty, Tolerance::Thesis).count();
    let squares = |faulty| ActiveSet::algorithm_b(faulty, Tolerance::Thesis).unwrap().count();
    let live =
        |faulty: FaultyNodes| (1u64 << (2 * n)) - ActiveSet::algorithm_a(faulty, Tolerance::Thesis).faulty_paths();
    let mean = |measure: &dyn Fn(FaultyNodes) -> u64| {
        (0..20).map(|seed| measure(place(Adversary::Random, n, count, 0, seed))).sum::<u64>() as f64 / 20.0
    };
    let greedy = |squares| place(Adversary::Greedy { squares }, n, count, 0, 1);
    assert!(f64::from(active(greedy(false))) < mean(&|faulty| u64::from(active(faulty))));
    assert!(f64::from(squares(greedy(true))) < mean(&|faulty| u64::from(squares(faulty))));
    assert!((live(place(Adversary::Busiest, n, count, 0, 1)) as f64) < mean(&live));
}

/// The first node is any, the second one of those on the most paths that are left.
#[test]
fn the_busiest_node_goes_next() {
    let one = place(Adversary::Busiest, 7, 1, 0, 3);
    let two = place(Adversary::Busiest, 7, 2, 0, 3);
    let next = two.iter().find(|&node| !one.contains(node)).unwrap();
    let through = fault_free_through(&one);
    assert_eq!(through[next.0 as usize], *through.iter().max().unwrap());
}

/// With 2^k - 1 faults across dimension k+1, no path leads from the subcube below it across but through the centre.
#[test]
fn the_funnel_leaves_one_channel() {
    let faulty = place(Adversary::Funnel, 8, 15, 0, 1);
    let clear = |s: u64, d: u64| faulty.first_on_path(NodeId(s), NodeId(d)).is_none();
    let across: Vec<_> = (0..16).flat_map(|s| (0..256).map(move |d| (s, d))).filter(|&(_, d)| d & 16 != 0).collect();
    assert!(across.iter().all(|&(s, d)| clear(s, d) == (d & 15 == 0)));
}

#[test]
fn scattered_faults_are_the_golden_ones() {
    let faulty = FaultyNodes::scattered(cube(6), 3).unwrap();
    assert_eq!(faulty.iter().collect::<Vec<_>>(), [5, 47, 53].map(NodeId));
    let mut faulty = none(3);
    faulty.set(NodeId(3), true);
    faulty.set(NodeId(3), true);
    faulty.set(NodeId(9), true);
    assert_eq!(faulty.count(), 1);
    faulty.set(NodeId(3), false);
    assert_eq!((faulty.count(), faulty.contains(NodeId(8))), (0, true));
}
