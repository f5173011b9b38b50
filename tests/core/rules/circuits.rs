//! Tests of circuits under rules: rules for published criteria give the same events, and unsuitable
//! rules are rejected.

use faultlab::experiment::{CircuitWatch, CubePointConfig, Experiment, Sweep};
use faultlab::random::Key;
use faultlab::report::circuit::wording;
use faultlab::routing;
use faultlab::routing::rules::EXAMPLES;
use faultlab::routing::{Algorithm, CircuitRouting, Unsupported, UseCase};
use faultlab::switching::{CircuitConfig, CircuitEvent, CircuitNetwork, CircuitOutcome, LinkSelection, WaitPolicy};
use faultlab::topology::NodeId;
use proptest::prelude::*;
use proptest::sample::select;

use super::{first_routing, shipped};
use crate::common::{experiment, run};

/// Restricted UP (Chiu, Chalasani & Raghavendra, section V.A), whose messages record that they left
/// the order.
const RESTRICTED: &str = "routing my-restricted on cube states fresh used \
    in fresh always take lowest wrong also take wrong and up then used in used always take lowest wrong";

/// Runs a network and returns its first events, each with the positions of all messages after it.
fn log(routing: CircuitRouting, experiment: &Experiment, seed: u64) -> Vec<(CircuitEvent, Vec<NodeId>)> {
    let cell = CubePointConfig::new(experiment, None).expect("a cube");
    let setting = experiment.setting.circuit().expect("circuits");
    let config = CircuitConfig {
        avail: setting.avail,
        wait: setting.wait,
        ..CircuitConfig::new(cell.cube, routing, setting.rate)
    };
    let mut faults = cell.fault_pattern(seed);
    let mut circuits = CircuitNetwork::new(config, &mut faults, Key::from_seed(seed)).expect("a network");
    let mut step = || {
        let event = circuits.step(&mut ());
        (event, circuits.messages().map(|message| message.path_end()).collect())
    };
    (0..400).map(|_| step()).collect()
}

fn circuits_of(algorithm: &Algorithm) -> CircuitRouting {
    algorithm.circuits().expect("of circuits")
}

proptest! {
    #[test]
    fn rule_circuits_equal_criterion_circuits(
        n in 2u8..=6,
        rate in 0.05..1.5,
        (avail, wait) in (select(&LinkSelection::ALL), select(&WaitPolicy::ALL)),
        faults in select(&["none", "nodes:0.1", "count:2", "links:0.1", "link-count:3"]),
        seed in 0u64..1_000_000,
    ) {
        let text = format!("net=cube:{n}&switch=circuit&rate={rate}&avail={}&wait={}&faults={faults}", avail.id(), wait.id());
        let experiment = experiment(&text);
        let own = [shipped("up", "my-up"), shipped("dp", "my-dp"), shipped("e-cube", "my-e-cube"), first_routing(RESTRICTED)];
        for (own, built_in) in own.iter().zip(["up", "dp", "e-cube", "restricted-up"]) {
            let log = |algorithm: &Algorithm| log(circuits_of(algorithm), &experiment, seed);
            prop_assert!(log(own) == log(&routing::find(built_in).expect("built in")), "{text}: {built_in}");
        }
    }
}

#[test]
fn rule_measurements_equal_criterion_measurements() {
    for text in ["net=cube:4&switch=circuit&rate=0.3", "net=cube:4&switch=circuit&rate=0.2&faults=count:2"] {
        let up = EXAMPLES.iter().find(|example| example.name == "up").expect("UP").text;
        let tallies = |experiment: &Experiment| {
            let mut sweep = Sweep::new(experiment);
            run(&mut sweep);
            sweep.points().iter().map(|point| format!("{:?}", point.tally)).collect::<Vec<_>>()
        };
        let text = format!("{text}&trials=20000");
        let own = Experiment::with_rules(&text, up).expect("rules");
        assert_eq!(tallies(&own), tallies(&experiment(&format!("{text}&route=up"))));
    }
}

#[test]
fn reservations_show_the_rules_text() {
    let rules = "routing my-order on cube always take lowest wrong \"from below\"";
    let one = Experiment::with_rules("net=cube:3&switch=circuit&rate=1", rules).expect("rules");
    let mut watch = CircuitWatch::new(&one, CubePointConfig::new(&one, None).expect("a cube"));
    while watch.work(10_000) {}
    watch.seek(20.0);
    while !watch.is_at_target() {
        watch.work(1000);
    }
    let circuits = watch.networks()[0].circuits();
    let reasons: Vec<_> = circuits
        .messages()
        .flat_map(|message| wording::decisions(circuits, &message).iter().map(wording::reason).collect::<Vec<_>>())
        .collect();
    assert!(!reasons.is_empty() && reasons.iter().all(|why| why == "from below"), "{reasons:?}");
}

#[test]
fn unrestricted_order_deadlocks() {
    let rules = "routing my-any on cube always take wrong";
    let one = Experiment::with_rules("net=cube:3&switch=circuit&rate=2&avail=random", rules).expect("rules");
    let mut watch = CircuitWatch::new(&one, CubePointConfig::new(&one, None).expect("a cube"));
    while watch.work(100_000) {}
    assert!(watch.networks()[0].circuits().config().routing.user_routing().is_some());
    let fate = watch.networks()[0].known_outcome();
    assert!(matches!(fate, Some(CircuitOutcome::Deadlock(_))), "{fate:?}");
}

#[test]
fn rejects_rules_unsuitable_for_circuits() {
    let why = |rules: &str| first_routing(rules).check_use(UseCase::Circuits).expect_err("none").to_string();
    assert_eq!(
        why("routing my-a on cube when some wrong is live take wrong otherwise take right"),
        "does not set up circuits: its rules may lead away from the destination"
    );
    assert_eq!(
        why("routing my-a on cube define off = right always take off"),
        "does not set up circuits: its rules may lead away from the destination"
    );
    assert_eq!(
        why("routing my-a on cube when some back is wrong take wrong otherwise take lowest wrong"),
        "does not set up circuits: its rules use `back`"
    );
    assert_eq!(
        why("routing my-a on cube states a b c d e always take wrong"),
        "does not set up circuits: its rules have more than four states"
    );
    assert_eq!(
        first_routing("routing my-a on mesh always take minimal").check_use(UseCase::Circuits),
        Err(Unsupported::OtherUse(&[UseCase::Worms]))
    );
}
