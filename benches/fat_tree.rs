//! Benchmark of message sets on large fat-trees: `cargo bench --bench fat_tree`.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use faultlab::random::Key;
use faultlab::routing::ALGORITHMS;
use faultlab::routing::fat_tree::ScheduleConstants;
use faultlab::switching::delivery::{DeliveryConfig, DeliveryRun, SurvivorPolicy};
use faultlab::theory::fat_tree::LoadFactor;
use faultlab::topology::fat_tree::{FatTree, Profile};
use faultlab::traffic::{MessagePattern, MessageSet, Permutation};

/// Benchmarks the delivery of a random permutation, from the first cycle to the last.
fn permutations(criterion: &mut Criterion) {
    for levels in [12, 16, 20] {
        let n = 1 << levels;
        let pattern = MessagePattern::Permutation(Permutation::Random, 1);
        let Ok(tree) = FatTree::new(n, &Profile::Standard) else { continue };
        let Ok(messages) = MessageSet::new(n, pattern, Key::from_seed(1)) else { continue };
        let Ok(constants) = ScheduleConstants::new(1.0, 1.0, 1.0) else { continue };
        let mut group = criterion.benchmark_group(format!("n=2^{levels}"));
        group.sample_size(10);
        group.bench_function("load factor", |bencher| {
            bencher.iter(|| LoadFactor::new(&tree.channels(), black_box(messages.ends())));
        });
        for algorithm in ALGORITHMS {
            let Some(delivery) = algorithm.delivery() else { continue };
            // Only GREEDY runs on the largest tree, where a run takes long.
            if levels == 20 && algorithm.id != "greedy" {
                continue;
            }
            for policy in [SurvivorPolicy::Random, SurvivorPolicy::Left] {
                let start = || {
                    let network = DeliveryConfig::new(tree.channels(), policy);
                    let scheduler = (delivery.start)(&constants, tree.processors());
                    DeliveryRun::new(network, messages.clone(), scheduler, Key::from_seed(2)).ok()
                };
                group.bench_function(format!("{}, survivors {policy}", algorithm.name), |bencher| {
                    bencher.iter_batched(start, |run| Some(run?.run_until(u64::MAX)), BatchSize::PerIteration);
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, permutations);
criterion_main!(benches);
