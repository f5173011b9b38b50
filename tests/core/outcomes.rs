//! Tests of how points end: measured saturation, stability, impossible points, single messages.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::{Estimate, PointResult, Status};

use crate::common::{experiment, measure, sample};

fn point(text: &str) -> PointResult {
    measure(text).swap_remove(0)
}

fn estimate(point: &PointResult, metric: &str) -> Option<Estimate> {
    point.estimate(point.config.setting.kind().metric(metric).expect("such a metric"))
}

/// A cube of one dimension is two single-server queues: the mean wait is r / (1 - r) for any r
/// below 1.
#[test]
fn a_queue_that_is_busy_99_percent_of_the_time_is_not_unstable() {
    let point = point("net=cube:1&switch=circuit&route=e-cube&rate=0.99&trials=6000000");
    assert!(matches!(point.status, Status::Converged | Status::OutOfBudget), "{:?}", point.status);
    let setup = estimate(&point, "setup").expect("a mean");
    assert!(setup.low < 99.0 && 99.0 < setup.high, "{setup:?}");
    // No saturation occurred: the estimate is a lower bound, with the simulated time.
    let (collapse, watched) =
        (estimate(&point, "collapse").expect("a bound"), estimate(&point, "watched").expect("a time"));
    assert!(collapse.mean.is_infinite() && collapse.n == 0);
    // exp(-3.689) is 2.5%.
    assert!((watched.mean / collapse.low - 3.6889).abs() < 1e-3, "{watched:?} {collapse:?}");
    assert!(point.reason().contains("no jam in"), "{}", point.reason());
}

/// Beyond r = 1 a server is never idle once a queue has formed: the throughput is one transmission
/// per unit of time.
#[test]
fn an_overloaded_network_has_a_throughput_and_no_mean() {
    let point = point("net=cube:1&switch=circuit&route=e-cube&rate=1.5");
    assert_eq!((point.status, estimate(&point, "setup").is_none()), (Status::Unstable, true));
    let throughput = estimate(&point, "throughput").expect("a throughput");
    assert!(throughput.low < 1.0 && 1.0 < throughput.high && throughput.half_width() < 0.1, "{throughput:?}");
    let collapse = estimate(&point, "collapse").expect("a time");
    assert!(
        collapse.n == 12 && collapse.low < collapse.mean && collapse.mean < collapse.high && collapse.high.is_finite()
    );
}

/// The time to collapse does not depend on the backlog limit: it is the end of the last stable
/// period.
#[test]
fn up_collapses_at_the_same_time_whatever_the_cap() {
    use faultlab::fault::{FaultSampler, FaultSpec};
    use faultlab::random::Key;
    use faultlab::routing;
    use faultlab::switching::{CircuitConfig, CircuitNetwork, CircuitOutcome};
    use faultlab::topology::{Hypercube, NodeId};

    let cube = Hypercube::new(4).expect("a cube");
    let criterion = routing::find("up").expect("UP").criterion().expect("a criterion");
    for seed in 0..4 {
        let since = [600, 1200, 4800].map(|cap| {
            let key = Key::from_seed(seed);
            let config = CircuitConfig { cap: Some(cap), ..CircuitConfig::new(cube, criterion, 0.6) };
            let mut faults = FaultSampler::new(cube, &FaultSpec::NONE.into(), [NodeId::NONE; 2], key);
            let mut circuits = CircuitNetwork::new(config, &mut faults, key).expect("a network");
            match circuits.run_until(10_000_000, &mut ()) {
                Some(&CircuitOutcome::Unstable { since, backlog, .. }) if backlog > cap => since,
                other => panic!("seed {seed}, cap {cap}: {other:?}"),
            }
        });
        assert!(since.iter().all(|time| *time == since[0]), "{since:?}");
    }
}

#[test]
fn impossible_points_have_reasons() {
    for (text, why) in [
        ("net=mesh:4x4&switch=wormhole&faults=nodes:1&route=e-cube", "no destination"),
        ("net=mesh:2x2&switch=wormhole&break=0.0,0.1,1.0&route=f-cube4", "no destination"),
        ("net=cube:3&switch=circuit&break=0,1,2,3,4,5,6&route=up", "no destination"),
        ("net=cube:3&switch=pairs&faults=nodes:1&route=up", "no destination"),
        ("net=cube:4&switch=permutation&faults=count:14&route=algorithm-a", "no node is active"),
        ("net=cube:4&switch=permutation&break=0,3,5,6,9,10,12,15&route=kim-shin", "does not apply"),
    ] {
        let point = point(text);
        assert_eq!(point.status, Status::Impossible, "{text}");
        assert!(point.reason().contains(why), "{text}: {}", point.reason());
        assert!(experiment(text).check_feasible().is_err_and(|why| why.to_string() == point.reason()), "{text}");
    }
    for text in ["net=cube:3&switch=circuit&route=up", "net=cube:5&switch=permutation&faults=count:8&route=kim-shin"] {
        assert_eq!(experiment(text).check_feasible(), Ok(()), "{text}");
    }
}

/// Without contention, the latency is the number of hops and of flits besides the header.
#[test]
fn a_listed_worm_takes_its_hops_and_its_length() {
    for (to, hops) in [("3.3", 6.0), ("0.7", 7.0), ("7.7", 14.0)] {
        let text = format!("net=mesh:8x8&switch=wormhole&traffic=0.0-{to}&route=e-cube&within=0.2");
        let point = point(&text);
        let [finish, latency] = ["finish", "latency"].map(|metric| estimate(&point, metric).expect("a time").mean);
        assert_eq!((point.status, finish, latency), (Status::Converged, hops + 19.0, hops + 19.0), "{to}");
    }
}

/// The load refers to the narrowest middle cut, so a mesh and its transpose give equal results.
#[test]
fn mesh_and_transpose_give_equal_results() {
    let of_mesh = |mesh| point(&format!("net=mesh:{mesh}&switch=wormhole&route=e-cube&load=0.3&length=8&within=0.05"));
    let [tall, wide] = ["12x3", "3x12"].map(of_mesh);
    for metric in ["utilization", "throughput"] {
        let [tall, wide] = [&tall, &wide].map(|point| estimate(point, metric).expect("a measurement"));
        assert!(tall.low < wide.high && wide.low < tall.high, "{metric}: {tall:?} {wide:?}");
    }
}

/// All n neighbours of the source are faulty with probability p^n. Messages that return to the
/// source later do not affect this count.
#[test]
fn outcome_counts_sum_to_trials() {
    for route in ["sidetracking", "backtracking", "random", "random-blind", "global"] {
        let tally = sample(&format!("net=cube:3&faults=nodes:0.6&route={route}&mpl=3"), 20_000);
        let messages = tally.messages().expect("messages");
        assert_eq!(messages.outcomes_by_name().iter().map(|(_, count)| count).sum::<u64>(), 20_000, "{route}");
        let blocked = messages.outcomes_by_name()[1].1 as f64 / 20_000.0;
        let exact = match route {
            "random-blind" | "global" => 0.0,
            _ => 0.6f64 * 0.6 * 0.6,
        };
        assert!((blocked - exact).abs() <= 4.0 * (exact * (1.0 - exact) / 20_000.0).sqrt(), "{route}: {blocked}");
    }
}

/// Without `faults` no kind has faults.
#[test]
fn default_faults_are_none() {
    for kind in faultlab::experiment::KINDS {
        let given = experiment(&format!("switch={}", kind.id));
        assert!(given.faults.is_empty(), "{}", kind.id);
    }
    let broken = experiment("net=cube:6&switch=permutation&break=5");
    assert_eq!((broken.faults.faulty_nodes.len(), broken.faults_are_fixed()), (1, true));
}

/// Under `drop-all`, GREEDY repeats the same messages forever and RANDOM delivers them (preset
/// `fat-tree-stuck`). The reason of an unfinished point states whether runs are stuck or only long,
/// and the number of runs in the means.
#[test]
fn unfinished_runs_have_reasons() {
    let [greedy, random] = &measure("net=tree:16&switch=delivery&survive=drop-all")[..] else {
        panic!("two algorithms")
    };
    assert_eq!(greedy.status, Status::Unfinished);
    assert!(greedy.reason().starts_with("no run finishes; in "), "{}", greedy.reason());
    assert!(greedy.reason().ends_with("runs messages are stuck forever"), "{}", greedy.reason());
    assert!(!random.reason().contains("stuck"), "{}", random.reason());
    let some = point("net=tree:8&switch=delivery&survive=drop-all&traffic=random&route=greedy&trials=200");
    let tally = some.tally.deliveries().expect("delivery cycles");
    assert!(tally.stuck > 0 && tally.cycles.trials > 0, "{tally:?}");
    let text = format!(
        "in {} of {} runs messages are stuck forever; cycles are means over the other {} runs",
        tally.stuck,
        tally.stuck + tally.cycles.trials,
        tally.cycles.trials
    );
    assert!(some.reason().contains(&text), "{}", some.reason());
}
