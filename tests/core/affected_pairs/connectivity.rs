//! Tests of the connectivity of the live nodes (Gordon & Stout section 4, after Erdős & Spencer)
//! against enumerations of all fault sets.

use faultlab::fault::Faults;
use faultlab::routing;
use faultlab::theory::{PairCounter, cut_off};
use faultlab::topology::{Link, NodeId};

use crate::common::{assert_share, cube, measure};

/// Faulty nodes and one-way links, as bits; link v_d has bit n v + d.
#[derive(Clone, Copy)]
struct Bits {
    n: u8,
    nodes: u64,
    links: u64,
}

impl Faults for Bits {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        self.nodes >> node.0 & 1 == 1
    }

    fn has_link_faults(&self) -> bool {
        self.links != 0
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        self.links >> (link.from.0 * u64::from(self.n) + u64::from(link.dim)) & 1 == 1
    }
}

/// Returns the number of ordered pairs of live nodes without a live path, by transitive closure, and
/// the number of those whose source no live link leaves or whose destination none enters.
fn closure(faults: Bits) -> [u64; 2] {
    let nodes: Vec<u64> = (0..1 << faults.n).filter(|&node| !faults.clone().is_faulty(NodeId(node))).collect();
    let size = 1usize << faults.n;
    let mut reaches = vec![vec![false; size]; size];
    for &from in &nodes {
        for link in (0..faults.n).map(|dim| Link { from: NodeId(from), dim }) {
            let live = !faults.clone().is_faulty(link.end()) && !faults.clone().is_link_faulty(link);
            reaches[from as usize][link.end().0 as usize] = live;
        }
    }
    let sends: Vec<bool> = reaches.iter().map(|row| row.contains(&true)).collect();
    let receives: Vec<bool> = (0..size).map(|to| reaches.iter().any(|row| row[to])).collect();
    for middle in 0..size {
        for from in 0..size {
            for to in 0..size {
                reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
            }
        }
    }
    let pairs = || nodes.iter().flat_map(|&from| nodes.iter().map(move |&to| (from as usize, to as usize)));
    let cut = pairs().filter(|&(from, to)| from != to && !reaches[from][to]);
    let isolated = pairs().filter(|&(from, to)| from != to && !(sends[from] && receives[to]));
    [cut.count() as u64, isolated.count() as u64]
}

/// Returns the same numbers as [`closure`], from the library.
fn counted(mut faults: Bits) -> [u64; 2] {
    let global = routing::find("global").expect("an algorithm");
    let mut counter = PairCounter::new(cube(faults.n), &mut faults, &global).expect("a counter");
    while counter.step(3) {}
    let found = cut_off(cube(faults.n), &mut faults, &global).expect("a result");
    assert_eq!((found.counts(), found.pairs().count() as u64), (counter.counts(), counter.counts().cut_off));
    [counter.counts().cut_off, counter.isolated_pairs()]
}

/// All 256 sets of faulty nodes of the 3-cube: 168 leave the live nodes connected, 250 cut off at
/// most single nodes. The numbers of connected sets by size, 1, 8, 12, 24, 38, 48, 28, 8, 1, are
/// those of a separate program.
#[test]
fn node_faults_of_the_3_cube_match_enumeration() {
    let (mut connected, mut single) = ([0; 9], 0);
    for nodes in 0..256u64 {
        let faults = Bits { n: 3, nodes, links: 0 };
        let [cut, isolated] = closure(faults);
        assert_eq!(counted(faults), [cut, isolated], "{nodes:b}");
        connected[8 - nodes.count_ones() as usize] += u32::from(cut == 0);
        single += u32::from(cut == isolated);
    }
    assert_eq!((connected, single), ([1, 8, 12, 24, 38, 48, 28, 8, 1], 250));
}

/// All sets of faulty one-way links of the 2-cube, alone and with a faulty node.
#[test]
fn link_faults_of_the_2_cube_match_enumeration() {
    for links in 0..256u64 {
        for nodes in [0, 0b100] {
            let faults = Bits { n: 2, nodes, links };
            assert_eq!(counted(faults), closure(faults), "{links:b} {nodes:b}");
        }
    }
}

/// Among the 65,536 sets of live nodes of the 4-cube, 37,294 are connected, and 57,396 are after
/// removal of isolated nodes. If two opposite nodes are live, 70.1% of the sets are connected.
#[test]
fn sets_of_the_4_cube_are_as_quoted() {
    let (mut connected, mut single, mut opposite, mut opposite_connected) = (0, 0, 0u32, 0u32);
    for nodes in 0..1u64 << 16 {
        let [cut, isolated] = closure(Bits { n: 4, nodes, links: 0 });
        connected += u32::from(cut == 0);
        single += u32::from(cut == isolated);
        if nodes & 1 == 0 && nodes >> 15 == 0 {
            opposite += 1;
            opposite_connected += u32::from(cut == 0);
        }
    }
    assert_eq!((connected, single, opposite), (37_294, 57_396, 1 << 14));
    let share = f64::from(opposite_connected) / f64::from(opposite);
    assert_eq!((1000.0 * share).round(), 701.0, "{opposite_connected} of {opposite}");
}

/// Faults of probability 1/2 draw every set alike.
#[test]
fn connectivity_of_the_4_cube_matches_enumeration() {
    let points = measure("switch=pairs&net=cube:4&route=global&faults=nodes:0.5&trials=40000&within=0.0005");
    let (tally, kind) = (&points[0].tally, points[0].config.setting.kind());
    let counts = tally.pairs().unwrap();
    assert!(tally.trials >= 10_000, "{}", tally.trials);
    assert_share(counts.connected, tally.trials, 37_294.0 / 65_536.0);
    assert_share(counts.single_nodes, tally.trials, 57_396.0 / 65_536.0);
    let estimate = points[0].estimate(kind.metric("connected").unwrap()).unwrap();
    assert_eq!(estimate.mean, counts.connected as f64 / tally.trials as f64);
}

/// A routing with fewer paths cuts off some pair in every set in which global information does.
#[test]
fn global_information_connects_most_often() {
    let points =
        measure("switch=pairs&net=cube:4&route=global,minimal,e-cube&faults=nodes:0.2&trials=400&within=0.001");
    let connected: Vec<_> = points.iter().map(|point| point.tally.pairs().unwrap().connected).collect();
    assert!(connected[0] > connected[1] && connected[1] > connected[2], "{connected:?}");
}
