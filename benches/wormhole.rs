//! Benchmark of the flit engine, in flit hops per second of one thread:
//! `cargo bench --bench wormhole`.
//!
//! A flit hop is the move of a flit across one channel. Every network is warm when timing starts.

use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use faultlab::fault::BlockFaults;
use faultlab::fault::block::sample_isolated;
use faultlab::random::Key;
use faultlab::routing;
use faultlab::switching::{WormMeasurement, WormWarmUp, WormWindow, WormholeConfig, WormholeNetwork};
use faultlab::topology::Mesh;

/// Number of cycles in one measurement.
const CYCLES: u64 = 1_000;

/// Measured cases: radix of the mesh, algorithm, load, faulty nodes, faulty links.
const CASES: &[(u16, &str, f64, u32, u32)] = &[
    (16, "e-cube", 0.72, 0, 0),
    (16, "e-cube", 0.3, 0, 0),
    (16, "f-cube2", 0.72, 8, 16),
    (16, "lh2", 0.72, 8, 16),
    (16, "lh2", 0.72, 0, 0),
    (64, "e-cube", 0.72, 0, 0),
];

fn worms(radix: u16, id: &str, load: f64, nodes: u32, links: u32) -> Option<WormholeNetwork> {
    let (mesh, key) = (Mesh::new(radix, radix)?, Key::from_seed(1));
    let (nodes, links) = sample_isolated(mesh, nodes, links, &mut key.named("faults").generator())?;
    let config = WormholeConfig { load, ..WormholeConfig::new(routing::find(id).ok()?.worm.clone()?) };
    let mut worms = WormholeNetwork::new(config, Arc::new(BlockFaults::new(mesh, &nodes, &links)), key).ok()?;
    for _ in 0..5_000 {
        worms.step(&mut ());
    }
    Some(worms)
}

fn flit_hops(criterion: &mut Criterion) {
    for &(radix, id, load, nodes, links) in CASES {
        let Some(worms) = worms(radix, id, load, nodes, links) else { continue };
        let mut measurement =
            WormMeasurement::new(worms, WormWindow { warm_up: WormWarmUp::Fixed(0), batches: 1, batch: u64::MAX });
        // Batches vary little, so the mean number of flit hops over 20 batches represents each
        // batch.
        let before = measurement.worms().flit_hops();
        measurement.run_until(20 * CYCLES);
        let hops = (measurement.worms().flit_hops() - before) / 20;
        let faults = if nodes + links > 0 { format!(" {nodes} nodes {links} links faulty") } else { String::new() };
        let mut group = criterion.benchmark_group(format!("{radix}x{radix} {id} load {load}{faults}"));
        group.throughput(Throughput::Elements(hops));
        group.bench_function("measured", |bencher| bencher.iter(|| measurement.run_until(CYCLES)));
        group.finish();
    }
}

criterion_group!(benches, flit_hops);
criterion_main!(benches);
