//! Tests of backtrack and retry: queueing theory, what a waiting message holds, and routings that
//! deadlock under reserve and hold.

use faultlab::switching::{
    CircuitConfig, CircuitError, CircuitEvent, CircuitOutcome, LinkSelection, LinkState, SetupPolicy,
};
use faultlab::topology::Link;

use super::state_tracker::{StateObserver, assert_state};
use super::{ManualFaults, assert_mean, config, measure, network};

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
