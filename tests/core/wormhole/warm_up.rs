//! When a run begins to count.

use faultlab::switching::{WormEnd, WormMeasurement, WormRun, WormTerms, WormWarmUp, WormWindow};

use super::{intact, mean, network, terms};

const MOST: u64 = 6_000;
const ASKED: WormWarmUp = WormWarmUp::Steady { least: 640, most: MOST };

/// A run on a 33 x 33 mesh, and the cycles of its warm-up.
fn measure(load: f64, warm_up: WormWarmUp, seed: u64) -> (WormRun, u64) {
    let worms = network(WormTerms { load, ..terms("e-cube") }, &intact(33, 33), seed);
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
