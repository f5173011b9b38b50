//! Tests of arrival processes and of the units of the load: queues with known waits, and a second
//! simulator of a single queue.

use faultlab::experiment::{Estimate, Experiment, PointResult};
use faultlab::random::{Generator, Key, below};
use faultlab::topology::Network;

use crate::common::measure;

/// Length of the messages, in flits.
const LENGTH: f64 = 16.0;

/// Measures complement traffic on the 4-cube under e-cube. No two paths share a channel, so that
/// every source is a queue with a service time of 16 cycles, busy for a share `rho` of the time.
fn queues(rho: f64, arrivals: &str, more: &str) -> PointResult {
    let text = format!(
        "v=2&net=cube:4&switch=wormhole&route=e-cube&traffic=complement&length=16&policy=queue&inject=1&flit-rate={rho}\
         &arrivals={arrivals}{more}"
    );
    measure(&text).remove(0)
}

fn estimate(point: &PointResult, metric: &str) -> Estimate {
    point.estimate(point.config.setting.kind().metric(metric).expect("a metric")).expect("an estimate")
}

/// Returns the mean wait in the queue of a source: the latency without hops and flits.
fn wait(point: &PointResult) -> (f64, f64) {
    let found = estimate(point, "latency");
    (found.mean - 4.0 - (LENGTH - 1.0), found.half_width())
}

/// In a Geo/D/1 queue messages wait (S - 1) rho / (2 (1 - rho)) cycles on average, in slotted M/D/1
/// with several arrivals in a slot S rho / (2 (1 - rho)), and at fixed intervals not at all.
#[test]
fn waits_are_those_of_the_arrival_process() {
    for rho in [0.3, 0.7] {
        let scale = rho / (2.0 * (1.0 - rho));
        for (arrivals, wanted) in [("bernoulli", (LENGTH - 1.0) * scale), ("poisson", LENGTH * scale)] {
            let (found, half) = wait(&queues(rho, arrivals, "&within=0.01"));
            assert!((found - wanted).abs() <= 1.5 * half, "{arrivals} {rho}: {found} +- {half}, not {wanted}");
            assert!(half < 0.05 * wanted + 0.2, "{arrivals} {rho}: {half}");
        }
        let (found, _) = wait(&queues(rho, "periodic", ""));
        assert!(found.abs() < 1e-9, "periodic {rho}: {found}");
    }
}

/// Returns the mean wait in a queue with a service time of 16 cycles whose arrivals come in bursts.
///
/// The unfinished work falls by one cycle per cycle; a message waits for the work that it meets.
fn wait_under_bursts(rho: f64, [on, off]: [u32; 2], cycles: u64, generator: &mut Generator) -> f64 {
    let chance =
        |generator: &mut Generator, share: f64| f64::from(below(generator, 1 << 30)) < share * (1u64 << 30) as f64;
    let peak = rho / LENGTH * f64::from(on + off) / f64::from(on);
    let (mut is_on, mut work, mut waits, mut messages) = (true, 0u64, 0u64, 0u64);
    for cycle in 0..cycles {
        if is_on && chance(generator, peak) {
            if cycle > cycles / 10 {
                waits += work;
                messages += 1;
            }
            work += LENGTH as u64;
        }
        work = work.saturating_sub(1);
        let change = if is_on { on } else { off };
        if chance(generator, 1.0 / f64::from(change)) {
            is_on = !is_on;
        }
    }
    waits as f64 / messages as f64
}

/// Bursts that offer 1.2 times the capacity of a source make messages wait several times longer
/// than single arrivals do, as long as in a queue simulated by itself.
#[test]
fn bursts_wait_as_long_as_in_a_queue_simulated_by_itself() {
    let generator = &mut Key::from_seed(3).generator();
    let waits: Vec<_> = (0..12).map(|_| wait_under_bursts(0.6, [200, 200], 400_000, generator)).collect();
    let (wanted, error) = super::mean(&waits);
    let (found, half) = wait(&queues(0.6, "bursts:200:200", "&within=0.05"));
    assert!((found - wanted).abs() <= half + 3.0 * error, "{found} +- {half}, not {wanted} +- {error}");
    assert!(wanted > 4.0 * LENGTH * 0.6 / 0.8 && error < 0.1 * wanted, "{wanted} +- {error}");
}

/// Every process delivers the offered load.
#[test]
fn throughput_at_low_load_is_the_offered_load() {
    for arrivals in ["bernoulli", "poisson", "periodic", "bursts:20:60"] {
        let text = format!(
            "v=2&net=mesh:6x6&switch=wormhole&faults=none&route=e-cube&length=8&policy=queue&flit-rate=0.1&arrivals={arrivals}\
             &within=0.02"
        );
        let found = estimate(&measure(&text).remove(0), "throughput");
        assert!(
            (found.mean - 0.1).abs() <= 1.5 * found.half_width() && found.half_width() < 0.003,
            "{arrivals}: {found:?}"
        );
    }
}

/// The capacity of the bisection by hand: 4 (N - 1) / (k N) flits per node and cycle in a mesh of
/// k x k nodes, k even, twice that in a torus, and 2 (N - 1) / N in a hypercube.
#[test]
fn a_rate_in_flits_and_its_share_of_capacity_are_one_load() {
    for (net, capacity) in
        [("mesh:4x4", 4.0 * 15.0 / 64.0), ("torus:8x8", 8.0 * 63.0 / 512.0), ("cube:4", 2.0 * 15.0 / 16.0)]
    {
        let common = format!("v=2&net={net}&switch=wormhole&faults=none&route=e-cube&length=4&within=0.2");
        let experiment: Experiment = format!("{common}&load=0.5").parse().expect("an experiment");
        let mesh = Network::wormhole_mesh(experiment.network).expect("a mesh");
        let setting = experiment.setting.worm().expect("worms");
        assert_eq!(setting.flit_rate_on(mesh), 0.5 * capacity, "{net}");
        let [share, rate] = [format!("{common}&load=0.5"), format!("{common}&flit-rate={}", 0.5 * capacity)]
            .map(|text| estimate(&measure(&text).remove(0), "latency"));
        assert_eq!(share, rate, "{net}");
    }
}

#[test]
fn loads_out_of_range_and_impossible_bursts_are_refused() {
    let mesh = "v=2&net=mesh:8x8&switch=wormhole&";
    for (keys, says) in [
        ("flit-rate=2.5", "more than 4 times the load that saturates the bisection"),
        ("flit-rate=13", "outside 0 to 12"),
        ("load=0.3&flit-rate=0.1", "both give the offered load"),
        ("load=0.12flits", "use flit-rate=0.12"),
        ("arrivals=bursts:1:100&load=0.9&length=8", "at most 1 is generated; use a load of at most 0.161"),
        ("arrivals=bursts:1:100&vary=load:0.1,0.9&length=8", "at most 1 is generated"),
        ("arrivals=bursts:0.5:100", "not a number of cycles from 1 to 10000"),
        ("arrivals=pareto", "not an arrival process"),
    ] {
        let error = format!("{mesh}{keys}").parse::<Experiment>().expect_err(keys).to_string();
        assert!(error.contains(says), "{keys}: {error}");
    }
    let kept = |keys: &str| format!("{mesh}{keys}").parse::<Experiment>().expect(keys).to_string();
    assert_eq!(kept("arrivals=on-off:50:150"), format!("{mesh}arrivals=bursts:50:150"));
    assert_eq!(kept("arrivals=bernoulli&flit-rate=none"), mesh.trim_end_matches('&'));
    assert_eq!(kept("flit-rate=0.12"), format!("{mesh}flit-rate=0.12"));
}
