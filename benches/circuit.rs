//! Benchmark of the circuit engine, in events per second of one thread:
//! `cargo bench --bench circuit`.
//!
//! A generated message and the end of a transmission count as one event each.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use faultlab::fault::{FaultSampler, FaultSpec};
use faultlab::random::Key;
use faultlab::routing;
use faultlab::switching::{CircuitConfig, CircuitMeasurement, CircuitNetwork, CircuitWindow};
use faultlab::topology::{Hypercube, NodeId};

/// Number of events in one measurement.
const BATCH: u64 = 100_000;

/// Measured cases: dimension of the hypercube, criterion, rate, and the faulty node, if any.
const CASES: &[(u8, &str, f64, Option<u64>)] = &[
    (5, "e-cube", 0.4, None),
    (5, "up", 0.3, None),
    (9, "e-cube", 0.4, None),
    (5, "2f+3f", 0.4, None),
    (5, "up", 0.3, Some(11)),
];

fn circuits(n: u8, id: &str, rate: f64, broken: Option<u64>) -> Option<CircuitNetwork> {
    let cube = Hypercube::new(n)?;
    let config = CircuitConfig::new(cube, routing::find(id).ok()?.criterion()?, rate);
    let spec = FaultSpec { faulty_nodes: broken.map(NodeId).into_iter().collect(), ..FaultSpec::NONE };
    let key = Key::from_seed(1);
    CircuitNetwork::new(config, &mut FaultSampler::new(cube, &spec.into(), [NodeId::NONE; 2], key), key).ok()
}

fn events(criterion: &mut Criterion) {
    for &(n, id, rate, broken) in CASES {
        let Some(start) = circuits(n, id, rate, broken) else { continue };
        let name = format!("n={n} {id} rate {rate}{}", if broken.is_some() { " one faulty node" } else { "" });
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(BATCH));
        let mut network = start.clone();
        group.bench_function("watched", |bencher| {
            bencher.iter(|| {
                if network.run_until(BATCH, &mut ()).is_some() {
                    network = start.clone();
                }
            });
        });
        let begin = || CircuitMeasurement::new(start.clone(), CircuitWindow { from: 0.0, until: 1e12, batches: 20 });
        let mut measurement = begin();
        group.bench_function("measured", |bencher| {
            bencher.iter(|| {
                if measurement.run_until(BATCH).is_some() {
                    measurement = begin();
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, events);
criterion_main!(benches);
