//! Benchmark of message routing, in messages per second of one thread:
//! `cargo bench --bench message`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use faultlab::experiment::Experiment;
use faultlab::experiment::sampler;

/// Number of messages in one measurement.
const BATCH: u64 = 10_000;

/// Measured cases: the main case of the paper, its small case, and cases with expensive messages.
const CASES: &[(&str, &str)] = &[
    ("n=20 p=.5 sidetracking", "net=cube:20&faults=nodes:0.5"),
    ("n=10 p=.3 sidetracking", "net=cube:10&faults=nodes:0.3"),
    ("n=20 p=.8 sidetracking", "net=cube:20&faults=nodes:0.8"),
    ("n=64 p=.5 sidetracking", "net=cube:64&faults=nodes:0.5"),
    ("n=20 p=.5 backtracking", "net=cube:20&faults=nodes:0.5&route=backtracking"),
    ("n=20 p=.5 deterministic", "net=cube:20&faults=nodes:0.5&route=deterministic"),
    ("n=20 p=.5 Model B", "net=cube:20&faults=share:0.5"),
    ("n=10 p=.3 Model B", "net=cube:10&faults=share:0.3"),
];

/// Measured cases with global information, whose searches take longer.
const GLOBAL: &[(&str, &str)] = &[
    ("n=20 p=.5 global", "net=cube:20&faults=nodes:0.5&route=global"),
    ("n=20 p=.75 global", "net=cube:20&faults=nodes:0.75&route=global"),
    ("n=10 p=.3 global", "net=cube:10&faults=nodes:0.3&route=global"),
];

fn messages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("messages");
    for (cases, batch) in [(CASES, BATCH), (GLOBAL, BATCH / 10)] {
        group.throughput(Throughput::Elements(batch));
        for (name, text) in cases {
            let Ok(experiment) = text.parse::<Experiment>() else { continue };
            let mut sampler = sampler(&experiment, None, &experiment.routing[0]);
            let mut first = 0;
            group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
                bencher.iter(|| {
                    first += batch;
                    sampler.run(first, batch)
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, messages);
criterion_main!(benches);
