//! Tests of the warm-up of worm measurements.

use faultlab::switching::{WormEnd, WormMeasurement, WormRun, WormWarmUp, WormWindow, WormholeConfig};

use super::{config, intact, mean, network};
use crate::common::sample;

const MOST: u64 = 6_000;
const ASKED: WormWarmUp = WormWarmUp::Steady { least: 640, most: MOST };

/// Measures a 33 x 33 mesh and returns the run and the cycles of its warm-up.
fn measure(load: f64, warm_up: WormWarmUp, seed: u64) -> (WormRun, u64) {
    let worms = network(WormholeConfig { load, ..config("e-cube") }, &intact(33, 33), seed);
    let mut measurement = WormMeasurement::new(worms, WormWindow { warm_up, batches: 4, batch: 250 });
    let run = measurement.run_until(u64::MAX).expect("an end");
    assert_eq!(run.end, WormEnd::Complete);
    let warm = measurement.worms().cycle() - run.cycles;
    (run, warm)
}

#[test]
fn a_quiet_network_is_soon_steady_and_counts_as_after_a_long_warm_up() {
    let of = |warm_up| (0..24).map(move |seed| measure(0.1, warm_up, seed)).collect::<Vec<_>>();
    let (asked, fixed) = (of(ASKED), of(WormWarmUp::Fixed(MOST)));
    assert!(asked.iter().filter(|(_, warm)| *warm == 640).count() >= 12, "as a rule the first time that is asked");
    assert!(fixed.iter().all(|(run, warm)| *warm == MOST && run.cycles == 1_000));
    let values: [fn(&WormRun) -> f64; 2] = [WormRun::utilization, |run| run.mean_latency().unwrap_or_default()];
    for value in values {
        let [(here, error), (there, other)] =
            [&asked, &fixed].map(|runs| mean(&runs.iter().map(|(run, _)| value(run)).collect::<Vec<_>>()));
        assert!(
            (here - there).abs() < 4.0 * (error * error + other * other).sqrt(),
            "{here} +- {error}, {there} +- {other}"
        );
    }
}

#[test]
fn a_network_with_a_channel_that_is_never_free_warms_up_to_the_end() {
    for load in [1.0, 3.0] {
        let (run, warm) = measure(load, ASKED, 1);
        assert_eq!((warm, run.cycles), (MOST, MOST));
    }
}

/// A point whose automatic warm-up takes 100 (6 + 4) cycles.
const SMALL: &str = "switch=wormhole&net=mesh:4x4&route=e-cube&length=4&load=0.5";

/// Returns the long runs of a point.
fn long_runs(text: &str) -> Vec<WormRun> {
    let tally = sample(text, 5);
    tally.worms().expect("worms").0.iter().skip(2).map(|(_, worms)| worms.run.clone()).collect()
}

#[test]
fn automatic_warm_up_equals_explicit_value() {
    assert_eq!(long_runs(&format!("{SMALL}&warmup=1000")), long_runs(SMALL));
    assert_eq!(long_runs(&format!("{SMALL}&warmup=auto")), long_runs(SMALL));
}

#[test]
fn without_a_warm_up_the_network_is_empty_when_it_begins_to_count() {
    let is_empty = |run: &WormRun| run.generated == run.delivered + run.discarded + run.in_flight;
    assert!(long_runs(&format!("{SMALL}&warmup=0")).iter().all(is_empty));
    assert!(!long_runs(&format!("{SMALL}&warmup=100")).iter().all(is_empty));
}

#[test]
fn at_least_as_many_cycles_count_as_were_left_out() {
    // The run has six parts of equal length.
    assert!(long_runs(&format!("{SMALL}&warmup=50000")).iter().all(|run| run.cycles == 49_998));
}
