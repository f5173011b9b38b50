//! Tests of delivery-cycle experiments: computed constants, several schedules, messages out of the
//! root.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::{DeliveryTrial, Experiment, PointConfig, PointResult};
use faultlab::switching::delivery::DeliveryOutcome;
use faultlab::theory::fat_tree::congestion_parameter;

use super::tree;
use crate::common::{experiment, measure};

fn mean(points: &[PointResult], text: &str, metric: &str) -> f64 {
    let metric = experiment(text).kind().metric(metric).expect("a metric");
    points[0].estimate(metric).expect("a measurement").mean
}

/// With a computed r, the standard tree of 64 processors uses its congestion parameter 24.218, and
/// the second network 4e H with H = 3.
#[test]
fn a_computed_r_is_the_congestion_parameter() {
    for (text, r) in [
        (
            "switch=delivery&net=tree:64&faults=none&route=random-guess&trials=40",
            congestion_parameter(tree(64, "standard")),
        ),
        (
            "switch=delivery&net=tree:64&faults=none&capacity=volume&route=random-guess&trials=40",
            congestion_parameter(tree(64, "volume")),
        ),
        ("switch=delivery&net=tree2:64&faults=none&route=random-guess&trials=40", 12.0 * std::f64::consts::E),
    ] {
        let [computed, given] = [format!("{text}&r=computed"), format!("{text}&r={r}")];
        assert!(experiment(&computed).to_string().contains("r=computed"));
        let cycles = |text: &str| mean(&measure(text), text, "cycles");
        assert!((cycles(&computed) / cycles(&given) - 1.0).abs() < 0.02, "{text}");
        assert!(cycles(&computed) > 2.0 * cycles(text), "far more careful than r = 1");
    }
    let accepted = |text: &str| {
        let experiment = experiment(text);
        (experiment.kind().key("r").expect("a key").accepted)(&experiment)
    };
    assert!(accepted("switch=delivery&net=tree:64&faults=none").ends_with(", here 24.218"));
    assert!(accepted("switch=delivery&net=tree:64&faults=none&capacity=volume").ends_with(", here 32.638"));
    for text in ["computed:2", "Computed", "0", "many"] {
        assert!(format!("switch=delivery&net=tree:64&r={text}").parse::<Experiment>().is_err(), "{text}");
    }
}

/// The shortest of several off-line schedules counts. Each schedule is packed by first fit from
/// another run.
#[test]
fn reports_the_shortest_schedule() {
    let text = "switch=delivery&net=tree:64&faults=none&traffic=random*4&route=random-guess";
    let once = experiment(text);
    let trial = DeliveryTrial::new(&PointConfig::new(&once, None), 0).expect("a trial");
    let algorithm = &once.routing[0];
    let cycles: Vec<u32> = (0..12)
        .map(|time| {
            let mut run = trial.start_repetition(algorithm, time).expect("a fat-tree");
            run.run_until(100_000);
            let schedule = trial.schedule(&run).expect("it has ended");
            assert_eq!(schedule.verify(&trial.channels, &trial.messages), Ok(()));
            assert!(schedule.cycles() >= trial.load_factor.cycles());
            schedule.cycles()
        })
        .collect();
    let [least, most] = [cycles.iter().min(), cycles.iter().max()].map(|it| f64::from(*it.expect("twelve")));
    assert!(least < most, "other runs, other schedules: {cycles:?}");
    let offline = |schedules: u32| {
        let text = format!("{text}&schedules={schedules}&trials=1");
        let points = measure(&text);
        (mean(&points, &text, "offline"), mean(&points, &text, "cycles"))
    };
    assert_eq!(offline(12).0, least);
    assert_eq!(offline(1).0, f64::from(cycles[0]));
    assert_eq!(offline(12).1, offline(1).1, "the first run is the one that counts otherwise");
    for schedules in ["0", "1001", "-1", "few"] {
        assert!(format!("{text}&schedules={schedules}").parse::<Experiment>().is_err(), "{schedules}");
    }
}

/// Section 5: for messages out of the root, GREEDY is optimal if capacities double or are all
/// equal. In the last case processor 0 sends two messages, so its channel has a load of 2.
#[test]
fn messages_may_leave_by_the_root() {
    for (traffic, capacity, cycles) in [
        ("out", "doubling", 1),
        ("out*3", "doubling", 3),
        ("out", "skinny", 16),
        ("0-out,0-out,5-out,9-3", "doubling", 2),
    ] {
        let text =
            format!("switch=delivery&net=tree:16&faults=none&route=greedy&traffic={traffic}&capacity={capacity}");
        let experiment = experiment(&text);
        assert!(experiment.to_string().contains(&format!("traffic={traffic}")));
        let trial = DeliveryTrial::new(&PointConfig::new(&experiment, None), 0).expect("a trial");
        assert!(trial.messages.has_external_messages());
        let mut run = trial.start(&experiment.routing[0]).expect("a fat-tree");
        assert_eq!(run.run_until(1000), Some(DeliveryOutcome::Delivered { undeliverable: 0 }));
        assert_eq!((run.counts().completion, trial.load_factor.cycles()), (cycles, cycles as u32), "{text}");
    }
    for traffic in ["out", "0-out"] {
        let second = format!("switch=delivery&net=tree2:16&faults=none&traffic={traffic}").parse::<Experiment>();
        let problem = second.expect_err("no way out").to_string();
        assert!(problem.contains("the second network has no external channel"), "{problem}");
    }
    for traffic in ["out-1", "0-outside", "16-out", "out*", "one-to-all:16"] {
        let text = format!("switch=delivery&net=tree:16&faults=none&traffic={traffic}");
        assert!(text.parse::<Experiment>().is_err(), "{traffic}");
    }
}
