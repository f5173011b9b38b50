//! Tests of fault patterns: they follow the model's distribution exactly, and the algorithms and
//! limits of a trial share its faults.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::sampler;
use faultlab::experiment::{PointConfig, message};
use faultlab::fault::{Faults as _, SampleError};
use faultlab::routing::ALGORITHMS;
use faultlab::switching::Outcome;
use faultlab::theory::{blind_counted, local_bernoulli, local_counted};
use faultlab::topology::{Mesh, NodeId};

use crate::common::{assert_share, experiment, instance, point_config, sample};

const TRIALS: u64 = 200_000;

/// Model B samples sets as lists below 11 dimensions, and as the beginning of a permutation from 11
/// on.
#[test]
fn model_b_is_what_the_closed_forms_say() {
    for (n, f) in [(3, 2), (4, 9), (7, 60), (10, 700), (11, 1500), (12, 1300), (20, 600_000)] {
        let others = (1u64 << n) - 2;
        for route in ["sidetracking", "deterministic"] {
            let tally = sample(&format!("net=cube:{n}&faults=count:{f}&route={route}&mpl=2&seed=31"), 50_000);
            assert_share(
                tally.messages().unwrap().lengths.first().copied().unwrap_or(0),
                tally.trials,
                local_counted(others, n, f),
            );
        }
        let tally = sample(&format!("net=cube:{n}&faults=count:{f}&route=random-blind&seed=32"), 50_000);
        assert_share(tally.messages().unwrap().delivered(), tally.trials, blind_counted(others, n, f));
    }
    // The largest cube has counts beyond 2^63.
    let tally = sample("net=cube:64&faults=share:0.6&route=random&seed=33", 50_000);
    assert_share(tally.messages().unwrap().delivered(), tally.trials, local_bernoulli(64, 0.6));
}

#[test]
fn model_b_has_exactly_f_faults_in_any_query_order() {
    for (n, f) in [(1, 0), (2, 1), (3, 6), (6, 0), (6, 20), (10, 511), (10, 800), (11, 0), (11, 2046), (13, 3000)] {
        let cell = point_config(&format!("net=cube:{n}&from=1&to=0&faults=count:{f}"));
        for trial in 0..20 {
            let mut upwards = cell.fault_pattern(trial);
            let up: Vec<_> = (0..=cell.cube.mask()).map(|node| upwards.is_faulty(NodeId(node))).collect();
            let mut downwards = cell.fault_pattern(trial);
            let mut down: Vec<_> = (0..=cell.cube.mask()).rev().map(|node| downwards.is_faulty(NodeId(node))).collect();
            down.reverse();
            assert_eq!(up, down);
            assert!(!up[0] && !up[1]);
            assert_eq!(up.iter().filter(|faulty| **faulty).count() as u64, f);
        }
    }
}

/// Every set is equally likely: all 20 sets of 3 of the 6 other nodes of the 3-cube. In larger
/// cubes the test checks the frequencies of faulty nodes and of nearby pairs.
#[test]
fn model_b_is_uniform_over_sets() {
    let small = point_config("net=cube:3&faults=count:3");
    let mut counts = [0u64; 128];
    for trial in 0..TRIALS {
        let mut faults = small.fault_pattern(trial);
        counts[(1..7).filter(|&node| faults.is_faulty(NodeId(node))).map(|node| 1 << node).sum::<usize>()] += 1;
    }
    assert_eq!(counts.iter().filter(|count| **count > 0).count(), 20);
    counts.iter().filter(|count| **count > 0).for_each(|&count| assert_share(count, TRIALS, 0.05));

    for n in [10, 11, 14, 31, 64] {
        let cell = point_config(&format!("net=cube:{n}&faults=share:0.3"));
        let others = cell.cube.others() as f64;
        let f = (0.3 * others).floor();
        let nodes = [1, 2, 3, cell.cube.mask() / 2, cell.cube.mask() - 1];
        let (mut singles, mut pairs) = ([0; 5], [0; 5]);
        for trial in 0..50_000 {
            let mut faults = cell.fault_pattern(trial);
            let faulty = nodes.map(|node| faults.is_faulty(NodeId(node)));
            for i in 0..5 {
                singles[i] += u64::from(faulty[i]);
                pairs[i] += u64::from(faulty[i] && faulty[(i + 1) % 5]);
            }
        }
        singles.iter().for_each(|&hits| assert_share(hits, 50_000, f / others));
        pairs.iter().for_each(|&hits| assert_share(hits, 50_000, f / others * (f - 1.0) / (others - 1.0)));
    }
}

/// In every single trial, a longer limit never loses a message, and no algorithm delivers without a
/// live path.
#[test]
fn trials_share_faults_across_limits_and_algorithms() {
    let all = ALGORITHMS
        .iter()
        .filter(|algorithm| algorithm.check_use(message::KIND.use_case).is_ok())
        .map(|algorithm| &*algorithm.id)
        .collect::<Vec<_>>()
        .join(",");
    for faults in ["nodes:0.55", "share:0.55", "count:80&break=9,12&mend=1,2"] {
        let at = |mpl| experiment(&format!("net=cube:8&faults={faults}&route={all}&mpl={mpl}&seed=51"));
        let samplers = |mpl: u32| {
            let experiment = at(mpl);
            experiment.routing.iter().map(|algorithm| sampler(&experiment, None, algorithm)).collect::<Vec<_>>()
        };
        let mut by_limit = [1, 2, 3, 5, 10].map(samplers);
        for trial in 0..500 {
            let arrived = by_limit.each_mut().map(|samplers| {
                samplers
                    .iter_mut()
                    .map(|sampler| sampler.run(trial, 1).messages().unwrap().delivered())
                    .collect::<Vec<_>>()
            });
            for pair in arrived.windows(2) {
                assert!(pair[0].iter().zip(&pair[1]).all(|(shorter, longer)| shorter <= longer));
            }
            let place = at(1).routing.iter().position(|algorithm| algorithm.id == "global").unwrap();
            for arrived in arrived {
                let global = &arrived[place];
                assert!(arrived.iter().all(|one| one <= global), "{faults}, trial {trial}: {arrived:?}");
            }
        }
    }
}

/// The watched trial is the measured one, and all its messages meet the faults that the picture
/// shows.
#[test]
fn watched_messages_are_the_measured_ones() {
    let all = ALGORITHMS
        .iter()
        .filter(|algorithm| algorithm.check_use(message::KIND.use_case).is_ok())
        .map(|algorithm| &*algorithm.id)
        .collect::<Vec<_>>()
        .join(",");
    for (n, faults) in [(5, "nodes:0.4"), (6, "share:0.5"), (12, "share:0.6"), (7, "count:70&break=3&mend=4,5")] {
        for trial in 0..50 {
            let text = format!("net=cube:{n}&faults={faults}&route={all}&sample={trial}");
            let (experiment, mut instance) = (experiment(&text), instance(&text));
            for trace in instance.traces.clone() {
                let tally = sampler(&experiment, None, &trace.algorithm).run(trial, 1);
                assert_eq!(tally.messages().unwrap().count(trace.outcome), 1, "{} {experiment}", trace.algorithm.id);
                if trace.outcome == Outcome::Delivered {
                    assert_eq!(tally.messages().unwrap().histogram(n).next(), Some((trace.hops.len() as u32, 1)));
                }
                for (i, hop) in trace.hops.iter().enumerate() {
                    let lost = trace.outcome == Outcome::Lost && i + 1 == trace.hops.len();
                    assert_eq!(instance.is_faulty(hop.to), lost);
                }
            }
        }
    }
}

/// On meshes, sampled sets have exactly the requested size, are uniform, and are isolated if
/// requested.
#[test]
fn faults_of_meshes_are_those_of_the_model() {
    let drawn = |text: &str, trial| {
        let experiment = experiment(&format!("switch=wormhole&net=mesh:{text}"));
        PointConfig::new(&experiment, None).sampled_faults(trial)
    };
    let mut counts = [0u64; 24];
    for trial in 0..12_000 {
        let faults = drawn("4x4&faults=link-count:2&seed=3", trial).unwrap();
        assert_eq!((faults.nodes.len(), faults.links.len()), (0, 2));
        let mesh = Mesh::new(4, 4).unwrap();
        faults.links.iter().for_each(|&link| counts[mesh.iter_links().position(|other| other == link).unwrap()] += 1);
    }
    counts.iter().for_each(|&count| assert_share(count, 12_000, 2.0 / 24.0));
    let nodes: u64 = (0..2000).map(|trial| drawn("8x8&faults=nodes:0.1", trial).unwrap().nodes.len() as u64).sum();
    assert_share(nodes, 2000 * 64, 0.1);
    let links: u64 = (0..2000).map(|trial| drawn("8x8&faults=links:0.1", trial).unwrap().links.len() as u64).sum();
    assert_share(links, 2000 * 112, 0.1);
    for (text, sizes) in [
        ("16x16&faults=isolated:0.05", (4, 8)),
        ("16x16&faults=isolated:8+16", (8, 16)),
        ("9x7&faults=share:0.2", (12, 0)),
        ("9x7&faults=count:61", (61, 0)),
    ] {
        for trial in 0..20 {
            let faults = drawn(text, trial).unwrap();
            assert_eq!((faults.nodes.len(), faults.links.len()), sizes, "{text}");
            assert!(!text.contains("isolated") || faults.to_block_faults(Mesh::new(16, 16).unwrap()).are_isolated());
        }
    }
    // The mesh has enough links for the rings, but no room for three isolated faults.
    assert_eq!(drawn("5x5&faults=isolated:3+0", 0), Err(SampleError::NoIsolatedSet));
    let edited = drawn("8x8&faults=nodes:1&mend=3.3,0.1&break=3.3-3.4", 0).unwrap();
    assert_eq!((edited.nodes.len(), edited.links.len()), (62, 1));
}
