//! Tests of percentiles of latencies against sorted latencies.

use super::*;
use crate::common::measure as measure_text;

/// Buckets of the histogram are at most 1/32 wider than their lower end, and have at least one
/// cycle.
#[test]
fn percentiles_are_those_of_the_sorted_latencies() {
    let config = WormholeConfig { load: 0.5, length: 8.into(), ..config("e-cube") };
    let start = network(config, &intact(6, 6), 4);
    let (mut worms, mut log) = (start.clone(), Log::default());
    (0..8_000).for_each(|_| worms.step(&mut log));
    let mut latencies: Vec<_> = log.delivered.iter().map(|message| message.latency() as f64).collect();
    latencies.sort_by(f64::total_cmp);
    let window = WormWindow { warm_up: WormWarmUp::Fixed(0), batches: 1, batch: 8_000 };
    let run = WormMeasurement::new(start, window).run_until(u64::MAX).expect("a complete run");
    assert_eq!(run.delivered as usize, latencies.len());
    for q in [0.5, 0.9, 0.95, 0.99, 0.999] {
        let sorted = latencies[(q * latencies.len() as f64) as usize];
        let found = run.latency_quantile(q).expect("messages");
        assert!((found - sorted).abs() <= 1.0 + sorted / 32.0, "{q}: {found}, not {sorted}");
    }
}

/// Percentiles ascend, and each is a metric of worms and of circuits.
#[test]
fn percentiles_of_experiments_ascend() {
    let worms = "v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube&load=0.5&length=4&within=0.1";
    let circuits = "v=2&net=cube:4&switch=circuit&route=e-cube&rate=0.3&within=0.1";
    for (text, name) in [(worms, "latency"), (circuits, "setup")] {
        let point = measure_text(text).remove(0);
        let percentiles = ["median", "90", "95", "99", "99.9"].map(|percentile| {
            let metric = point.config.setting.kind().metric(&format!("{name}-{percentile}")).expect("a metric");
            point.estimate(metric).expect("an estimate").mean
        });
        assert!(percentiles.is_sorted() && percentiles[0] < percentiles[4], "{name}: {percentiles:?}");
        let plotted = format!("{text}&plot={name}-99.9");
        assert!(plotted.parse::<faultlab::experiment::Experiment>().is_ok(), "{plotted}");
    }
}
