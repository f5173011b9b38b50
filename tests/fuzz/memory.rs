//! Tests that compare memory estimates with measured memory use.

use faultlab::experiment::{Experiment, Sweep, Tally, Task};

use crate::{is_thorough, with_peak_bytes};

/// Experiments at the limits of every kind, with the number of steps to run. Experiments with
/// growing backlogs run until the backlog is full.
const EXPERIMENTS: &[(&str, u64)] = &[
    ("net=cube:20&faults=nodes:0.5", 10_000),
    ("net=cube:64&faults=nodes:0.5", 10_000),
    ("net=cube:64&faults=count:1000000", 10_000),
    ("net=cube:20&faults=count:500000", 10_000),
    ("net=cube:20&faults=links:0.3", 10_000),
    ("net=cube:20&faults=link-count:4096", 10_000),
    ("net=cube:20&faults=nodes:0.5&route=global", 100_000),
    ("net=cube:20&faults=nodes:0.89&route=global", 100_000),
    ("net=cube:20&faults=subcube:500000", 10_000),
    ("net=cube:20&faults=greedy-a:50", 10_000),
    ("net=cube:20&faults=busiest:50", 10_000),
    ("net=cube:16&faults=funnel:50", 10_000),
    ("net=cube:16&faults=ball:50", 10_000),
    ("net=cube:4&sets=all&faults=nodes:0.5&route=sidetracking", 100_000_000),
    ("net=cube:5&sets=all&faults=nodes:0.5&route=random", 100_000_000),
    ("net=cube:12&switch=circuit&rate=0.1", 1_000_000),
    ("net=cube:12&switch=circuit&rate=10", 4_000_000),
    ("net=cube:8&switch=circuit&rate=10", 4_000_000),
    ("net=cube:12&switch=circuit&rate=0.4&route=up&faults=links:0.1", 1_000_000),
    ("net=cube:12&switch=pairs&faults=links:0.1&route=minimal", 10_000_000),
    ("net=cube:12&switch=pairs&faults=links:0.1&route=up-or-dp", 10_000_000),
    ("net=cube:14&switch=permutation&h=1", 100),
    ("net=cube:14&switch=permutation&h=64", 100),
    ("net=cube:18&switch=permutation&h=1", 100),
    ("net=cube:18&switch=permutation&h=16&route=algorithm-a", 100),
    ("net=cube:18&switch=permutation&h=16&route=algorithm-b&faults=nodes:0.0001", 100),
    ("net=cube:16&switch=permutation&h=4&route=kim-shin&faults=count:2", 100),
    ("net=cube:14&switch=batch&h=64&route=algorithm-b", 100),
    ("net=cube:14&switch=batch&h=1&route=bit-fixing", 100),
    ("net=cube:10&switch=batch&h=8&route=valiant-brebner", 100),
    ("net=tree:1048576", 10_000),
    ("net=tree:65536", 10_000),
    ("net=tree:65536&capacity=doubling&faults=wires:0.1", 10_000),
    ("net=tree:65536&traffic=random*16", 10_000),
    ("net=tree:65536&route=valiant", 10_000),
    ("net=tree:65536&route=random-guess", 10_000),
    ("net=tree2:65536", 10_000),
    ("net=tree2:65536&faults=wires:0.1", 10_000),
    ("net=tree:65536&traffic=mesh:z-order", 10_000),
    ("net=tree:65536&traffic=cube", 10_000),
    ("net=tree:65536&traffic=bad:50", 10_000),
    ("net=mesh:16x16&load=0.9&route=f-cube2", 4_000_000),
    ("net=mesh:64x64&load=0.9&route=f-cube2", 10_000_000),
    ("net=mesh:64x64&load=4&route=f-cube2&faults=isolated:0.05", 40_000_000),
    ("net=mesh:256x256&load=0.9&route=e-cube", 10_000_000),
    ("net=mesh:256x256&load=0.9&route=e-cube&vc=32", 10_000_000),
    ("net=mesh:16x16x16x16&load=0.9&route=e-cube&vc=2", 10_000_000),
    ("net=cube:10&switch=wormhole&load=0.9", 10_000_000),
    ("net=cube:10&switch=wormhole&load=4&inject=64", 40_000_000),
    ("net=mesh:16x16&load=4&policy=queue&inject=64", 40_000_000),
    ("net=torus:64x64&load=0.9&route=f-cube4&faults=nodes:0.02", 10_000_000),
    ("net=mesh:8x8x8x8&load=0.5&route=lh4&vc=12&faults=nodes:0.01", 1_000_000),
    ("net=cube:5&switch=circuit&rate=10&faults=nodes:0.1", 60_000_000),
    ("net=mesh:16x16&load=1&length=256", 60_000_000),
    ("net=mesh:8x8&load=4&length=1&vc=32&buffer=16", 60_000_000),
    ("net=mesh:4x4&load=4&length=1&vc=32&buffer=16", 60_000_000),
    ("net=mesh:1x1024&load=4&length=3&buffer=4", 60_000_000),
    ("net=tree:4096&traffic=random*1000", 1_000),
    ("net=tree2:4096&traffic=random*100&faults=wires:0.1&route=valiant", 1_000),
    ("net=mesh:16x16&load=0.5", 10_000_000),
    ("net=mesh:64x64&load=0.5&route=west-first", 20_000_000),
    ("net=torus:32x32&load=0.5&route=e-cube", 20_000_000),
    ("net=mesh:4x4x4x4&load=0.5&route=e-cube", 20_000_000),
    ("net=mesh:16x16&load=0.5&length=1&policy=queue", 10_000_000),
    ("net=mesh:16x16&load=0.5&length=256&policy=queue", 10_000_000),
    ("net=mesh:2x2&load=0.5&length=256&policy=queue", 10_000_000),
    ("net=mesh:2x2&load=4&length=2&policy=queue", 10_000_000),
    ("net=mesh:64x64&load=0.2&route=e-cube", 20_000_000),
    ("net=mesh:64x64&load=0.2&route=e-cube&length=256&buffer=1", 20_000_000),
    ("net=mesh:128x128&load=0.4&route=f-cube2&faults=isolated:0.02", 20_000_000),
    ("net=torus:128x128&load=0.4&route=e-cube&length=1", 20_000_000),
    ("net=mesh:16x16x16&load=0.3&route=e-cube&traffic=hot:0.0.0:0.1", 20_000_000),
    ("net=mesh:64x64&load=0.25&route=e-cube&traffic=hot:0.0:0.5&inject=64", 40_000_000),
];

/// Measures the peak memory of the first `steps` steps of `text`, in bytes.
fn measure_peak_bytes(text: &str, steps: u64) -> u64 {
    let experiment: Experiment = text.parse().expect("a valid experiment");
    let run = || {
        let mut sampler = Sweep::sampler(&experiment, 0).expect("a sampler");
        sampler.advance(Task { slot: 0, first: 0, count: 2 }, &mut Tally::default(), &mut { steps })
    };
    with_peak_bytes(run).1
}

/// A thorough run measures all experiments, other runs every eighth. Every run also measures the
/// random texts of `runs`.
#[test]
fn memory_use_is_within_estimate() {
    for &(text, steps) in EXPERIMENTS.iter().step_by(if is_thorough() { 1 } else { 8 }) {
        let estimated = text.parse::<Experiment>().expect("a valid experiment").memory();
        let taken = measure_peak_bytes(text, steps);
        assert!((estimated.least..=estimated.most).contains(&taken), "{text}: {taken} bytes, estimated {estimated:?}");
    }
}

/// For deterministic memory use, the upper estimate is within a factor of four of the measurement.
#[test]
fn large_network_estimates_are_within_factor_four() {
    for (text, steps) in [
        ("net=mesh:1024x1024&load=0.1&route=e-cube", 10_000_000),
        ("net=cube:18&switch=permutation", 1),
        ("net=mesh:32x32&load=0.5", 10_000_000),
    ] {
        let estimated = text.parse::<Experiment>().expect("a valid experiment").memory();
        let taken = measure_peak_bytes(text, steps);
        assert!(
            estimated.most < 4 * taken && taken < 4 * estimated.least,
            "{text}: {taken} bytes, estimated {estimated:?}"
        );
    }
}
