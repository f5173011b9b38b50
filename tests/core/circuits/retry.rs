//! Tests of backtrack and retry: queueing theory, what a waiting message holds, and routings that
//! deadlock under reserve and hold.

use faultlab::switching::{
    CircuitConfig, CircuitError, CircuitEvent, CircuitOutcome, LinkSelection, LinkState, SetupPolicy,
};
use faultlab::topology::Link;

use super::state_tracker::{StateObserver, assert_state};
use super::{ManualFaults, assert_mean, config, measure, network};
use crate::common;

fn retry(n: u8, id: &str, rate: f64, backoff: f64) -> CircuitConfig {
    CircuitConfig { setup: SetupPolicy::Retry { backoff }, ..config(n, id, rate) }
}

/// In one dimension each link is an M/M/1 queue with retrials. Its mean wait is r (1 + b) / (1 - r)
/// for rate r and mean time b before a retry, and the link is busy for a share r of the time
/// (G. I. Falin and J. G. C. Templeton, Retrial Queues, 1997, section 1.2).
#[test]
fn one_dimension_is_an_m_m_1_retrial_queue() {
    for (rate, backoff) in [(0.3, 2.0), (0.5, 0.25), (0.6, 1.0)] {
        let runs: Vec<_> = (0..20).map(|seed| measure(retry(1, "up", rate, backoff), seed, 10_000.0)).collect();
        let setups: Vec<_> = runs.iter().map(|run| run.mean_setup().unwrap()).collect();
        assert_mean(&setups, rate * (1.0 + backoff) / (1.0 - rate), "setup time");
        let free: Vec<_> = runs.iter().map(|run| run.histogram.zero as f64 / run.completed as f64).collect();
        assert_mean(&free, 1.0 - rate, "messages whose first attempt succeeds");
    }
}

/// In one dimension under reserve and hold, each link is an M/M/1 queue: a message finds it free with
/// probability 1 - r, and otherwise waits an exponential time of rate 1 - r (Kleinrock, Queueing
/// Systems, volume 1, section 5.12). The only distance is one hop, which is more than half of the
/// dimensions.
#[test]
fn long_waits_in_one_dimension_are_those_of_an_m_m_1_queue() {
    for rate in [0.5, 0.6, 0.7] {
        let runs: Vec<_> = (0..30).map(|seed| measure(config(1, "e-cube", rate), seed, 40_000.0)).collect();
        let starved: Vec<_> =
            runs.iter().map(|run| run.histogram.count_from(10.0) as f64 / run.completed as f64).collect();
        assert_mean(&starved, rate * libm::exp(-10.0 * (1.0 - rate)), "starved messages");
        for run in &runs {
            let far = run.far.setup / run.far.count as f64;
            assert!((far - run.mean_setup().unwrap()).abs() < 1e-9 && run.far.count == run.completed, "{rate}");
        }
    }
}

/// The slowest quarter of the sources waits at least as long as all of them, in each run and in the
/// metric over all runs.
#[test]
fn slowest_sources_wait_at_least_as_long_as_all() {
    for (n, id) in [(3, "e-cube"), (4, "up")] {
        for setup in [SetupPolicy::Hold, SetupPolicy::Retry { backoff: 0.5 }] {
            let run = measure(CircuitConfig { setup, ..config(n, id, 0.3) }, 7, 2_000.0);
            let slowest = run.slowest_sources.setup / run.slowest_sources.count as f64;
            assert!(slowest >= run.mean_setup().unwrap(), "{n} {id} {setup}");
        }
    }
    let points = common::measure("switch=circuit&net=cube:3&route=e-cube&rate=0.4&trials=200000&within=0.05");
    let kind = points[0].config.setting.kind();
    let mean = |metric| points[0].estimate(kind.metric(metric).unwrap()).unwrap().mean;
    assert!(mean("setup-slowest") >= mean("setup"), "{} {}", mean("setup-slowest"), mean("setup"));
    // Two of three dimensions are more than half: paths of one hop do not count.
    assert!(mean("setup-far") > mean("setup"), "{} {}", mean("setup-far"), mean("setup"));
}

/// Every wait is a sum of exponential times of mean b, one for each failed attempt (Wald). A link is
/// reserved only while a message transmits, and half of the N nodes differ from the source in a
/// dimension.
#[test]
fn waits_and_utilization_follow_from_attempts_and_rate() {
    for (n, id, rate, backoff) in [(3, "e-cube", 0.4, 0.5), (4, "minimal", 0.5, 1.0), (5, "up", 0.3, 2.0)] {
        let runs: Vec<_> = (0..10).map(|seed| measure(retry(n, id, rate, backoff), seed, 1_500.0)).collect();
        let waits =
            |run: &faultlab::switching::CircuitRun| run.setup / (backoff * (run.attempts - run.completed) as f64);
        assert_mean(&runs.iter().map(waits).collect::<Vec<_>>(), 1.0, "time before a retry");
        let nodes = f64::from(1u32 << n);
        let busy: Vec<_> = runs.iter().flat_map(|run| run.dimensions.iter().flatten().copied()).collect();
        assert_mean(&busy, rate * nodes / (2.0 * (nodes - 1.0)), "utilization");
    }
}

/// The routings deadlock under reserve and hold at this rate (`outcomes::unrestricted_routings_deadlock`).
/// Under backtrack and retry, a message that waits holds no link, so they do not.
#[test]
fn nothing_is_held_while_waiting_and_nothing_deadlocks() {
    let broken = ManualFaults { nodes: [5].into(), links: [(0, 1), (9, 2)].into() };
    for (seed, id) in ["minimal", "up-dp-mix", "e-cube", "2e+2f"].into_iter().enumerate() {
        for (avail, faults) in
            LinkSelection::ALL.into_iter().zip([&ManualFaults::default(), &broken].into_iter().cycle())
        {
            let config = CircuitConfig { avail, ..retry(4, id, 0.6, 0.3) };
            let mut circuits = network(config, faults, seed as u64);
            circuits.set_detection(true);
            let (mut state, mut failed) = (StateObserver::default(), 0);
            for _ in 0..3_000 {
                let event = circuits.step(&mut state);
                let CircuitEvent::Retried { number, complete: false } = event else { continue };
                // Right after the attempt, the links that it met are still reserved, each by a
                // message that transmits.
                let message = circuits.message(number).unwrap();
                let blocked = message.blocked_attempt().unwrap();
                assert!(message.attempts() > 1 && blocked.next > circuits.time() && message.path().next().is_none());
                for dim in (0..4u8).filter(|dim| blocked.dims >> dim & 1 == 1) {
                    let link = Link { from: blocked.node, dim };
                    assert!(matches!(circuits.link_state(link), LinkState::Transmitting(_)), "{id} {avail}: {link}");
                }
                failed += 1;
                if failed % 50 == 0 {
                    assert_state(&state, &circuits);
                }
            }
            assert_state(&state, &circuits);
            assert_eq!((circuits.find_deadlock(), circuits.outcome()), (None, None));
            assert!(state.gone > 500 && failed > 100, "{id} {avail}: {} {failed}", state.gone);
        }
    }
}

/// At the rate 2 each link would be reserved for 8/7 of the time.
#[test]
fn runs_past_saturation_end_as_unstable() {
    let mut circuits =
        network(CircuitConfig { cap: Some(300), ..retry(3, "e-cube", 2.0, 0.5) }, &ManualFaults::default(), 1);
    let outcome = circuits.run_until(200_000, &mut ()).cloned();
    assert!(matches!(outcome, Some(CircuitOutcome::Unstable { backlog: 301.., .. })), "{outcome:?}");
}

#[test]
fn policies_have_texts_and_bounds() {
    for (text, policy) in [("hold", SetupPolicy::Hold), ("retry:0.25", SetupPolicy::Retry { backoff: 0.25 })] {
        assert_eq!((SetupPolicy::parse(text), policy.to_string()), (Some(policy), text.to_owned()));
    }
    assert_eq!(SetupPolicy::parse("retry"), SetupPolicy::parse("retry:1"));
    for text in ["", "retry:", "retry:0", "retry:-1", "retry:NaN", "retry:1001", "hold:1", "Hold"] {
        assert_eq!(SetupPolicy::parse(text), None, "{text}");
    }
    let wrong = faultlab::switching::CircuitNetwork::new(
        retry(3, "up", 0.1, 0.0),
        &mut ManualFaults::default(),
        faultlab::random::Key::from_seed(1),
    );
    assert_eq!(wrong.err(), Some(CircuitError::Backoff(0.0)));
}
