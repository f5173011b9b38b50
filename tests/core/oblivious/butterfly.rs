//! Tests of butterflies and of routing between their rows, against plain enumeration and closed
//! forms.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use faultlab::experiment::Experiment;
use faultlab::experiment::permutation::ButterflyInstance;
use faultlab::fault::{ButterflyFaults, FaultModel, FaultSpec, Tolerance};
use faultlab::random::{Key, below};
use faultlab::routing::oblivious::{
    AlgorithmA, ButterflyRoute, ButterflyRouting, ButterflyScheme, ObliviousRouting as _,
};
use faultlab::switching::{BatchRun, ButterflyCongestion, FlowControl};
use faultlab::topology::{Butterfly, Link, NodeId};
use faultlab::traffic::{NamedPermutation, Permutation};

use super::{cube, faulty_nodes};
use crate::common::{experiment, measure};

fn butterfly(levels: u8) -> Butterfly {
    Butterfly::new(levels).expect("1 to 16 levels")
}

fn nodes(butterfly: Butterfly) -> impl Iterator<Item = NodeId> {
    (0..u64::from(butterfly.nodes())).map(NodeId)
}

/// Returns the links and their ends by the definition: level l joins rows that differ at most in
/// bit l.
fn links(butterfly: Butterfly) -> Vec<(Link, NodeId)> {
    let all = nodes(butterfly).flat_map(|from| [0, 1].map(|dim| Link { from, dim }));
    all.filter_map(|link| Some((link, butterfly.link_end(link)?))).collect()
}

fn random_faults(levels: u8, count: u32, seed: u64) -> ButterflyFaults {
    let (generator, all) = (&mut Key::from_seed(seed).generator(), butterfly(levels).nodes());
    let nodes: Vec<_> = (0..count).map(|_| NodeId(below(generator, all).into())).collect();
    ButterflyFaults::from_nodes(butterfly(levels), nodes)
}

fn routing(faults: ButterflyFaults, scheme: ButterflyScheme) -> ButterflyRouting {
    ButterflyRouting::new(faults, scheme, Tolerance::Thesis)
}

#[test]
fn a_butterfly_has_n_plus_1_levels_of_2_to_the_n_nodes() {
    for n in 1..=6 {
        let network = butterfly(n);
        let all = links(network);
        assert_eq!(nodes(network).count(), (usize::from(n) + 1) << n);
        assert_eq!(all.len(), usize::from(n) << (n + 1));
        assert_eq!((network.nodes() as usize, network.links() as usize), (nodes(network).count(), all.len()));
        let mut entered: BTreeMap<NodeId, u32> = BTreeMap::new();
        for &(link, end) in &all {
            let (level, differing) = (network.level(link.from), network.row(link.from) ^ network.row(end));
            assert_eq!(network.level(end), level + 1);
            assert_eq!(differing, u32::from(link.dim) << level);
            *entered.entry(end).or_default() += 1;
        }
        assert!(nodes(network).all(|node| entered.get(&node).is_none_or(|&links| links == 2)));
        assert!(nodes(network).all(|node| network.parse_node(&network.format_node(node)) == Some(node)));
    }
    assert_eq!((Butterfly::new(0), Butterfly::new(17)), (None, None));
    let rejected = ["8.0", "0.4", "0", "0.0.0", "+1.0", "-1.0", ""];
    assert!(rejected.iter().all(|text| butterfly(3).parse_node(text).is_none()));
}

/// Counts the paths from each input to all nodes, level by level, and walks the path of bit-fixing.
#[test]
fn one_path_leads_from_each_input_to_each_output() {
    let network = butterfly(4);
    for from in 0..16 {
        let mut paths = BTreeMap::from([(network.node(from, 0), 1)]);
        for (link, end) in links(network) {
            let before = paths.get(&link.from).copied().unwrap_or(0);
            *paths.entry(end).or_insert(0) += before;
        }
        for to in 0..16 {
            assert_eq!(paths[&network.node(to, 4)], 1);
            let mut here = network.node(from, 0);
            for link in network.path(from, to) {
                assert_eq!(link.from, here);
                here = network.link_end(link).expect("a link");
            }
            assert_eq!(here, network.node(to, 4));
        }
    }
}

#[test]
fn distances_are_those_of_a_search() {
    for n in 1..=4 {
        let network = butterfly(n);
        let mut neighbors: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for (link, end) in links(network) {
            neighbors.entry(link.from).or_default().push(end);
            neighbors.entry(end).or_default().push(link.from);
        }
        for start in nodes(network) {
            let (mut found, mut queue) = (BTreeMap::from([(start, 0)]), VecDeque::from([start]));
            while let Some(node) = queue.pop_front() {
                for &next in &neighbors[&node] {
                    if !found.contains_key(&next) {
                        found.insert(next, found[&node] + 1);
                        queue.push_back(next);
                    }
                }
            }
            assert!(nodes(network).all(|node| network.distance(start, node) == found[&node]), "n = {n}");
        }
    }
}

fn direct(n: u8, permutation: Permutation) -> Vec<ButterflyRoute> {
    let image = |row: u32| permutation.image(cube(n), NodeId(row.into())).expect("a rule").0 as u32;
    (0..1 << n).map(|row| ButterflyRoute { from: row, via: None, to: image(row) }).collect()
}

fn congestion(n: u8, routes: &[ButterflyRoute]) -> u32 {
    let mut counts = ButterflyCongestion::new(butterfly(n));
    routes.iter().for_each(|&route| counts.count(&Ok(route)));
    counts.max_congestion()
}

/// After k = floor(n/2) levels the corrected bits of a bit-reversed row repeat its other bits.
/// 2^(n-k) values of these bits are left for 2^n messages, and the next link takes half of a node's
/// 2^k messages if n is even, and all of them if n is odd: 2^floor((n-1)/2). Under complement every
/// message crosses at every level.
#[test]
fn bit_reversal_has_congestion_of_the_square_root() {
    for n in 1..=11 {
        assert_eq!(
            congestion(n, &direct(n, Permutation::Named(NamedPermutation::BitReversal))),
            1 << ((n - 1) / 2),
            "n = {n}"
        );
        assert_eq!(congestion(n, &direct(n, Permutation::Named(NamedPermutation::Complement))), 1, "n = {n}");
    }
}

/// A faulty node of level l is on the paths from 2^l inputs to 2^(n-l) outputs: N of N^2 paths.
/// With more faults the numbers of fault-free paths are those of all paths, walked one by one.
#[test]
fn fault_free_paths_are_those_of_an_enumeration() {
    for node in nodes(butterfly(5)) {
        let faults = ButterflyFaults::from_nodes(butterfly(5), [node]);
        let [out, into] = [faults.fault_free_out(), faults.fault_free_into()].map(|free| free.iter().sum::<u32>());
        assert_eq!((out, into), (32 * 32 - 32, 32 * 32 - 32));
    }
    for seed in 0..40 {
        let faults = random_faults(4, 1 + seed as u32 % 9, seed);
        let network = faults.butterfly();
        let bad: BTreeSet<_> = faults.iter().collect();
        assert_eq!(bad.len(), faults.count() as usize);
        let is_free = |from: u32, to: u32| {
            let ends = network.path(from, to).map(|link| network.link_end(link).expect("a link"));
            !bad.contains(&network.node(from, 0)) && !ends.into_iter().any(|node| bad.contains(&node))
        };
        let rows: Vec<u32> = (0..16).collect();
        let count = |is: &dyn Fn(u32) -> bool| rows.iter().filter(|&&row| is(row)).count() as u32;
        for &row in &rows {
            assert_eq!(faults.fault_free_out()[row as usize], count(&|to| is_free(row, to)));
            assert_eq!(faults.fault_free_into()[row as usize], count(&|from| is_free(from, row)));
            let [out, into] = [faults.reached_from(row), faults.reaching(row)];
            for &other in &rows {
                assert_eq!(out[other as usize], is_free(row, other));
                assert_eq!(into[other as usize], is_free(other, row));
                assert_eq!(faults.first_faulty_on_path(row, other).is_none(), is_free(row, other));
            }
        }
    }
}

/// If a row's nodes fail in all levels, a path of the butterfly is fault-free exactly if the
/// bit-fixing path of the hypercube is: active rows and intermediate rows are the nodes of
/// Algorithm A (up to n = 7 its length cap excludes nothing).
#[test]
fn rows_that_fail_in_all_levels_are_the_faulty_nodes_of_algorithm_a() {
    for (n, rows) in [(5, vec![3]), (6, vec![9, 33]), (7, vec![5]), (7, vec![0, 1, 64, 127])] {
        let network = butterfly(n);
        let all = rows.iter().flat_map(|&row| (0..=n).map(move |level| network.node(row as u32, level)));
        for tolerance in [Tolerance::Thesis, Tolerance::Share(0.3)] {
            let faults = ButterflyFaults::from_nodes(network, all.clone());
            let scheme = ButterflyRouting::new(faults, ButterflyScheme::ActiveRows, tolerance);
            let a = AlgorithmA::new(faulty_nodes(n, &rows), tolerance);
            for row in 0..network.rows() {
                let node = NodeId(row.into());
                assert_eq!(scheme.is_active(row), a.is_active(node));
                let choice = scheme.choice(row, 0).expect("a choice");
                let nodes: Vec<_> = choice.into_iter().map(|row| NodeId(row.into())).collect();
                assert_eq!(nodes, a.choice(node, NodeId(0)).expect("a choice").valid);
            }
            assert_eq!(scheme.active_count(), a.active_set().expect("a set").count());
        }
    }
}

/// With a tolerance of 1/3, F faulty nodes break at most F N paths, so that at most 3F inputs and
/// 3F outputs have more than N/3 faulty paths; any two active rows have at least N/3 intermediate
/// rows.
#[test]
fn a_third_of_the_rows_is_left_between_active_rows() {
    for seed in 0..30 {
        let (count, n) = (1 + seed as u32 % 12, 7);
        let faults = random_faults(n, count, seed);
        let scheme = ButterflyRouting::new(faults, ButterflyScheme::ActiveRows, Tolerance::Share(1.0 / 3.0));
        assert!(scheme.active_count() >= 128 - 6 * count);
        let active: Vec<_> = (0..128).filter(|&row| scheme.is_active(row)).collect();
        let mut generator = Key::from_seed(seed).generator();
        for (&from, &to) in active.iter().zip(active.iter().rev()) {
            let choice = scheme.choice(from, to).expect("a choice");
            assert!(3 * choice.len() >= 128, "{seed}: {}", choice.len());
            let route = scheme.route(from, None, to, &mut generator).expect("a route");
            assert!(choice.contains(&route.via.expect("an intermediate row")));
            assert_eq!(route.length(scheme.butterfly()), 14);
            let ends = route.links(scheme.butterfly()).map(|link| scheme.butterfly().link_end(link).expect("a link"));
            assert!(!ends.into_iter().any(|node| scheme.faults().contains(node)));
        }
    }
}

/// Draws reach every fault-free intermediate row, and no other. Under a uniform draw of 16 rows
/// each is missed in 1000 draws with a probability of less than 10^-27.
#[test]
fn fault_free_rows_are_drawn_and_others_lose_the_message() {
    let faults = random_faults(4, 6, 3);
    let active: Vec<_> = (0..16).filter(|&row| faults.has_healthy_ends(row)).collect();
    let [from, to] = [active[0], active[active.len() - 1]];
    let drawn = |scheme| {
        let (scheme, generator) = (routing(faults.clone(), scheme), &mut Key::from_seed(1).generator());
        let routes: Vec<_> = (0..1000).map(|_| scheme.route(from, None, to, generator)).collect();
        let rows: BTreeSet<_> = routes.iter().flatten().filter_map(|route| route.via).collect();
        (rows.into_iter().collect::<Vec<_>>(), routes.iter().filter(|route| route.is_err()).count())
    };
    let valid = routing(faults.clone(), ButterflyScheme::FaultFree).choice(from, to).expect("a choice");
    assert!(valid.len() > 1 && valid.len() < 16, "{valid:?}");
    assert_eq!(drawn(ButterflyScheme::FaultFree), (valid.clone(), 0));
    let (rows, lost) = drawn(ButterflyScheme::AnyRow);
    assert_eq!(rows, valid);
    // The share of lost messages is 1 - |I|/16, within 5 standard deviations.
    let share = 1.0 - valid.len() as f64 / 16.0;
    assert!((lost as f64 - 1000.0 * share).abs() < 5.0 * (1000.0 * share * (1.0 - share)).sqrt());
}

fn batch(n: u8, routes: &[ButterflyRoute], flow: FlowControl, flits: u16) -> BatchRun {
    let mut run = BatchRun::on_butterfly(butterfly(n), routes, flow, flits, Key::from_seed(1)).expect("a small batch");
    run.run_until(100_000);
    run
}

/// Under complement no two messages share a link, and none waits. Under bit reversal the busiest
/// link carries 2^floor((n-1)/2) messages, one after another.
#[test]
fn messages_take_their_hops_and_wait_for_shared_links() {
    for n in [3, 6, 8] {
        let (complement, reversal) = (
            direct(n, Permutation::Named(NamedPermutation::Complement)),
            direct(n, Permutation::Named(NamedPermutation::BitReversal)),
        );
        for flits in [1, 4] {
            let hops = u32::from(n);
            let time = |flow| batch(n, &complement, flow, flits).cycle();
            assert_eq!(time(FlowControl::StoreAndForward), hops * u32::from(flits));
            assert_eq!(time(FlowControl::CutThrough), hops + u32::from(flits) - 1);
            assert_eq!(time(FlowControl::Wormhole), hops + u32::from(flits) - 1);
            let busiest = u32::from(flits) << ((n - 1) / 2);
            let run = batch(n, &reversal, FlowControl::StoreAndForward, flits);
            assert!(run.cycle() >= busiest && run.finished().iter().all(Option::is_some));
            assert!(run.cycle() <= busiest * hops);
        }
    }
}

/// The claim of Leighton, Maggs & Sitaraman in the thesis: any permutation takes a time like log N
/// by way of random rows, also among faults; without them bit reversal takes a time like the square
/// root of N.
#[test]
fn random_rows_take_a_time_like_the_logarithm() {
    for n in [6, 8, 10, 12] {
        let direct =
            batch(n, &direct(n, Permutation::Named(NamedPermutation::BitReversal)), FlowControl::StoreAndForward, 1)
                .cycle();
        assert!(direct >= 1 << ((n - 1) / 2));
        let scheme = ButterflyRouting::new(
            random_faults(n, u32::from(n) / 3, 7),
            ButterflyScheme::ActiveRows,
            Tolerance::Share(1.0 / 3.0),
        );
        let generator = &mut Key::from_seed(2).generator();
        let ends = (0..1u32 << n).map(|row| (row, row.reverse_bits() >> (32 - n)));
        let routes: Vec<_> = ends.filter_map(|(from, to)| scheme.route(from, None, to, generator).ok()).collect();
        assert!(routes.len() * 2 > 1 << n, "n = {n}: most rows are active");
        let random = batch(n, &routes, FlowControl::StoreAndForward, 1).cycle();
        assert!((2 * u32::from(n)..=4 * u32::from(n)).contains(&random), "n = {n}: {random}");
    }
}

#[test]
fn faults_are_drawn_by_the_models_of_nodes() {
    let network = butterfly(6);
    let spec = |model| FaultSpec { model, ..FaultSpec::NONE };
    let sample = |model, seed| ButterflyFaults::sample(network, &spec(model), Key::from_seed(seed));
    for count in [0, 1, 17, 446, 447, 448] {
        assert_eq!(u64::from(sample(FaultModel::Count(count), 1).count()), count);
    }
    // 200 sets of 448 nodes, within 5 standard deviations.
    let all: u32 = (0..200).map(|seed| sample(FaultModel::Nodes(0.1), seed).count()).sum();
    let (mean, deviation) = (200.0 * 44.8, (200.0f64 * 448.0 * 0.09).sqrt());
    assert!((f64::from(all) - mean).abs() < 5.0 * deviation, "{all}");
    let edited =
        FaultSpec { faulty_nodes: vec![NodeId(3)], live_nodes: vec![NodeId(9)], ..spec(FaultModel::Nodes(1.0)) };
    let faults = ButterflyFaults::sample(network, &edited, Key::from_seed(1));
    assert!(faults.count() == 447 && !faults.contains(NodeId(9)) && faults.contains(NodeId(3)));
}

/// A measured point counts the routes of its trials; under bit reversal without faults the
/// congestion of the only paths is exact.
#[test]
fn measurements_count_the_routes_of_the_trials() {
    let text = "switch=permutation&net=butterfly:6&faults=count:4&route=bit-fixing,valiant-brebner,general,algorithm-a&\
                tolerance=0.3&trials=1";
    let points = measure(text);
    let instance = ButterflyInstance::new(&experiment(text)).expect("a butterfly");
    assert_eq!((points.len(), instance.series.len(), instance.faults.count()), (4, 4, 4));
    for (point, (algorithm, trial)) in points.iter().zip(&instance.series) {
        let metric = |id| point.estimate(experiment(text).kind().metric(id).expect("a metric")).map(|found| found.mean);
        let mut channels: BTreeMap<Link, u32> = BTreeMap::new();
        let mut lost = 0;
        for number in 0..trial.relation.len() {
            match trial.route(number) {
                Ok(route) => {
                    route.links(trial.routing.butterfly()).for_each(|link| *channels.entry(link).or_default() += 1)
                }
                Err(_) => lost += 1,
            }
        }
        let most = channels.values().copied().max().map(f64::from);
        assert_eq!(metric("congestion"), most, "{}", algorithm.id);
        assert_eq!(metric("undelivered"), Some(f64::from(lost) / f64::from(trial.relation.len())));
        assert_eq!(metric("active"), Some(f64::from(trial.routing.active_count()) / 64.0));
        assert_eq!(metric("length"), Some(if *algorithm.id == *"bit-fixing" { 6.0 } else { 12.0 }));
    }
    let exact = measure("switch=permutation&net=butterfly:6&traffic=bit-reversal&route=bit-fixing&vary=n:3..8:6");
    let found: Vec<_> = exact.iter().filter_map(|point| point.estimate(&experiment(text).kind().metrics[0])).collect();
    assert_eq!(found.iter().map(|it| it.mean).collect::<Vec<_>>(), [2.0, 2.0, 4.0, 4.0, 8.0, 8.0]);
}

#[test]
fn experiments_on_butterflies_say_what_they_support() {
    let problem = |text: &str| text.parse::<Experiment>().expect_err(text).to_string();
    let cases = [
        ("switch=message&net=butterfly:4", "switch=permutation"),
        ("switch=permutation&net=butterfly:4&route=algorithm-b", "a hypercube"),
        ("switch=permutation&net=butterfly:4&route=kim-shin", "a hypercube"),
        ("switch=permutation&net=butterfly:4&faults=links:0.1", "count:F"),
        ("switch=permutation&net=butterfly:4&faults=ball:2", "count:F"),
        ("switch=permutation&net=butterfly:4&traffic=0.0-3.4", "hypercubes only"),
        ("switch=permutation&net=butterfly:17", "1 to 16"),
        ("switch=permutation&net=butterfly:4&vary=n:4,17", "16"),
        ("switch=batch&net=butterfly:15", "14"),
        ("switch=batch&net=butterfly:4&flow=cut-through&onset=3", "hypercubes only"),
        ("switch=permutation&net=butterfly:4&break=16.0", "16.0"),
    ];
    for (text, part) in cases {
        assert!(problem(text).contains(part), "{text}: {}", problem(text));
    }
    let text = "net=butterfly:5&switch=batch&faults=none&break=3.2,0.1&flow=store-and-forward&vary=n:4,5,6";
    let parsed: Experiment = text.parse().expect("an experiment");
    assert_eq!(parsed.to_string().parse(), Ok(parsed));
}
