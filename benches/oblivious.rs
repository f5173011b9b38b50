//! Benchmark of oblivious routing on large hypercubes: `cargo bench --bench oblivious`.

use criterion::{Criterion, criterion_group, criterion_main};
use faultlab::fault::{ActiveSet, FaultyNodes, Tolerance};
use faultlab::random::Key;
use faultlab::routing::ALGORITHMS;
use faultlab::switching::StaticCongestion;
use faultlab::topology::{Hypercube, NodeId};
use faultlab::traffic::{HRelation, Permutation};

/// Returns fault sets in which each node is faulty with probability 1 in 100,000.
fn faults(n: u8) -> Option<FaultyNodes> {
    let (cube, key) = (Hypercube::new(n)?, Key::from_seed(1));
    let threshold = (1u64 << 53) / 100_000;
    FaultyNodes::from_nodes(cube, (0..=cube.mask()).map(NodeId).filter(|node| key.hash_u53(node.0) < threshold))
}

fn large_cubes(criterion: &mut Criterion) {
    for n in [14, 20] {
        let Some(faulty) = faults(n) else { continue };
        let mut group = criterion.benchmark_group(format!("n={n}"));
        group.sample_size(10);
        group.bench_function("both sweeps", |bencher| {
            bencher.iter(|| ActiveSet::algorithm_a(faulty.clone(), Tolerance::Thesis));
        });
        for algorithm in ALGORITHMS {
            let Some(oblivious) = algorithm.oblivious() else { continue };
            let Ok(routing) = (oblivious.build)(faulty.clone(), Tolerance::Thesis) else { continue };
            let active: Vec<_> =
                (0..=routing.cube().mask()).map(NodeId).filter(|&node| routing.is_active(node)).collect();
            group.bench_function(format!("{}: a permutation", algorithm.id), |bencher| {
                bencher.iter(|| {
                    let active = active.iter().copied();
                    let relation =
                        HRelation::new(routing.cube(), Permutation::Random, 1, active, Key::from_seed(1)).ok()?;
                    Some(StaticCongestion::from_relation(&*routing, &relation, Key::from_seed(2))?.max_congestion())
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, large_cubes);
criterion_main!(benches);
