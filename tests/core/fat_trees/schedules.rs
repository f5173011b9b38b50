//! Tests of RANDOM, RANDOM' and the modified RANDOM' against their pseudo-code.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::{DeliveryTrial, Experiment, PointConfig};
use faultlab::random::Key;
use faultlab::routing::fat_tree::{
    CycleRule, CycleScheduler as _, Interleaved, Pending, Random, RandomPrime, ScheduleConstants,
};

use crate::common::assert_share;

/// Returns, for each cycle, the probability with which RANDOM sends, and whether the cycle ends a
/// call of TRY-GUESS (Figs. 2 and 3).
fn pseudo_code(k1: f64, k2: f64, r: f64, lg_n: f64, cycles: usize) -> Vec<(f64, bool)> {
    let mut all = vec![(1.0, true)];
    let try_guess = |guess: f64, all: &mut Vec<(f64, bool)>| {
        let mut lambda = guess;
        while lambda > 1.0 {
            let times = libm::ceil((k1 * lambda).max(k2 * lg_n)).max(1.0) as usize;
            all.extend(std::iter::repeat_n(((1.0 / (r * lambda)).min(1.0), false), times));
            lambda /= 2.0;
        }
        all.push((1.0, true));
    };
    let mut guess = 2.0;
    while k1 * guess < k2 * lg_n && all.len() < cycles {
        try_guess(guess, &mut all);
        guess *= guess;
    }
    // Line 8 has no lower bound. At n = 2 it gives 0, which doubling would leave at 0.
    guess = k2 / k1 * lg_n * libm::log2(lg_n);
    if lg_n == 1.0 {
        guess = 1.0;
    }
    while all.len() < cycles {
        try_guess(guess, &mut all);
        guess *= 2.0;
    }
    all
}

#[test]
fn random_follows_pseudo_code() {
    for (k1, k2, r, processors) in [
        (1.0, 1.0, 2.0, 64),
        (0.5, 3.0, 24.2, 1024),
        (2.0, 1.0, 0.1, 4),
        (1.0, 7.5, 1.0, 2),
        (0.1, 0.01, 1.5, 1 << 20),
        (1.0, 0.05, 1.0, 16),
        (500.0, 0.001, 2.0, 64),
        (8.0, 1.0, 2.0, 2),
        (4.0, 1.0, 2.0, 128),
        (0.25, 1.0, 2.0, 16),
    ] {
        let expected = pseudo_code(k1, k2, r, f64::from(u32::ilog2(processors)), 3000);
        let constants = ScheduleConstants::new(k1, k2, r).unwrap();
        let mut random = Random::new(constants, processors);
        let mut pending = Pending::new(10, (0..10).collect());
        let mut generator = Key::from_seed(1).generator();
        for (place, &(probability, ends)) in expected.iter().enumerate().take(3000) {
            let mut sent = Vec::new();
            let rule = random.next(&mut pending, &mut generator, &mut sent);
            let found = match rule {
                CycleRule::All | CycleRule::Rest { .. } => (1.0, true),
                CycleRule::Subset { probability, .. } => (probability, false),
                CycleRule::Single | CycleRule::Drawn { .. } | CycleRule::Detour { .. } => unreachable!("{rule}"),
            };
            assert_eq!(found, (probability, ends), "cycle {place}: {rule}");
            assert!(probability < 1.0 || sent.len() == 10);
            // If the last message arrives now, the call continues to its end.
            let rest = expected[place..].iter().position(|cycle| cycle.1).map_or(0, |rest| rest as u64);
            assert_eq!(random.idle_rest(), if ends { 0 } else { rest }, "cycle {place}");
        }
    }
}

/// Fig. 2 has no lower bound on the guess of line 8. With k1 = 10 and k2 = 1 on 16 processors the
/// guess is 4 lg 4/10 = 0.8. All messages are sent once for it, followed by TRY-GUESS(1.6) with 16
/// subsets.
#[test]
fn a_guess_below_one_sends_all_once() {
    let mut random = Random::new(ScheduleConstants::new(10.0, 1.0, 1.0).unwrap(), 16);
    let mut pending = Pending::new(10, (0..10).collect());
    let mut generator = Key::from_seed(1).generator();
    let mut rules = (0..20).map(|_| random.next(&mut pending, &mut generator, &mut Vec::new()));
    assert_eq!(rules.next(), Some(CycleRule::All));
    assert_eq!(rules.next(), Some(CycleRule::Rest { guess: 0.8 }));
    for cycle in 1..=16 {
        let subset = CycleRule::Subset { guess: 1.6, lambda: 1.6, probability: 0.625, cycle, of: 16 };
        assert_eq!(rules.next(), Some(subset));
    }
    assert_eq!(rules.next(), Some(CycleRule::Rest { guess: 1.6 }));
}

#[test]
fn subset_sizes_match_probability() {
    let mut random = Random::new(ScheduleConstants::new(1.0, 2000.0, 2.0).unwrap(), 2);
    let mut pending = Pending::new(100, (0..100).collect());
    let mut generator = Key::from_seed(3).generator();
    let mut each = [0u64; 100];
    random.next(&mut pending, &mut generator, &mut Vec::new());
    for _ in 0..2000 {
        let mut sent = Vec::new();
        let rule = random.next(&mut pending, &mut generator, &mut sent);
        assert!(matches!(rule, CycleRule::Subset { guess: 2.0, probability: 0.25, .. }), "{rule}");
        assert!(sent.is_sorted_by(|a, b| a < b));
        sent.iter().for_each(|&message| each[message as usize] += 1);
    }
    assert_share(each.iter().sum(), 200_000, 0.25);
    each.iter().for_each(|&count| assert!((count as f64 - 500.0).abs() < 5.0 * 19.4, "{count}"));
}

/// A pass of RANDOM' sends every message once, in a uniformly random cycle; z doubles. The modified
/// RANDOM' has ceil(lg|M| + lg n) passes; lg 200 is 7.64.
#[test]
fn random_prime_draws_one_cycle_per_message() {
    for (mut prime, passes) in [(RandomPrime::new(), 1), (RandomPrime::repeated(64), 14), (RandomPrime::repeated(2), 9)]
    {
        let mut pending = Pending::new(300, (0..300).filter(|message| message % 3 != 1).collect());
        assert_eq!(pending.count(), 200);
        let mut generator = Key::from_seed(5).generator();
        let mut first_half = 0;
        for z in (0..6).map(|power| 1u64 << power) {
            for pass in 1..=passes {
                let mut all = Vec::new();
                for cycle in 1..=z {
                    let mut sent = Vec::new();
                    let rule = prime.next(&mut pending, &mut generator, &mut sent);
                    assert_eq!(rule, CycleRule::Drawn { cycle, z, pass, of: passes });
                    assert!(sent.is_sorted_by(|a, b| a < b));
                    assert_eq!(prime.idle_rest(), z - cycle + (passes - pass) * z);
                    first_half += if z == 32 && cycle <= 16 { sent.len() as u64 } else { 0 };
                    all.extend(sent);
                }
                all.sort_unstable();
                assert_eq!(all, pending.list());
            }
        }
        assert_share(first_half, 200 * passes, 0.5);
    }
}

/// There are ceil(lg|M| + lg n) passes: lg 200 is 7.64, and lg 200 + lg 8 is 10.64.
#[test]
fn arrived_messages_are_not_sent_again() {
    let mut prime = RandomPrime::repeated(8);
    let mut pending = Pending::new(200, (0..200).collect());
    let mut generator = Key::from_seed(5).generator();
    let mut sent = Vec::new();
    let rule = prime.next(&mut pending, &mut generator, &mut sent);
    assert_eq!(rule, CycleRule::Drawn { cycle: 1, z: 1, pass: 1, of: 11 });
    (0..150).for_each(|message| pending.arrive(message, 1));
    assert_eq!(pending.count(), 50);
    sent.clear();
    prime.next(&mut pending, &mut generator, &mut sent);
    assert!(sent.iter().copied().eq(150..200));
}

#[test]
fn cycle_rules_have_texts() {
    let subset = CycleRule::Subset { guess: 4.0, lambda: 2.0, probability: 0.25, cycle: 3, of: 12 };
    assert_eq!(
        subset.to_string(),
        "guess 4.0000, now 2.0000: each message is sent with probability 0.2500, cycle 3 of 12"
    );
    assert_eq!(
        CycleRule::Drawn { cycle: 2, z: 8, pass: 1, of: 1 }.to_string(),
        "messages that drew cycle 2 of 8 are sent"
    );
}

/// Interleaved RANDOM: odd cycles are those of RANDOM with the same draws, even cycles send one
/// message each, in turns.
#[test]
fn interleaved_random_sends_single_messages_in_even_cycles() {
    let constants = ScheduleConstants::new(1.0, 1.0, 2.0).unwrap();
    let (mut random, mut both) = (Random::new(constants, 64), Interleaved::new(constants, 64));
    let [mut first, mut second] = [(); 2].map(|()| Pending::new(5, (0..5).collect()));
    let [mut draws, mut same] = [(); 2].map(|()| Key::from_seed(1).generator());
    for cycle in 0..40u32 {
        let [mut sent, mut expected] = [Vec::new(), Vec::new()];
        let rule = random.next(&mut first, &mut draws, &mut expected);
        assert_eq!(both.next(&mut second, &mut same, &mut sent), rule);
        assert_eq!(sent, expected);
        // The rest of the odd cycles, each after an even one.
        assert_eq!(both.idle_rest(), 2 * random.idle_rest());
        sent.clear();
        assert_eq!(both.next(&mut second, &mut same, &mut sent), CycleRule::Single);
        assert_eq!(sent, [cycle % 5]);
        assert_eq!(both.idle_rest(), (2 * random.idle_rest()).saturating_sub(1));
    }
}

/// With constants that leave RANDOM almost no messages per cycle, the single messages deliver all
/// within 2|M| cycles; messages without live wires do not stop the others.
#[test]
fn interleaved_random_always_ends() {
    for (text, all) in [
        ("net=tree:16&traffic=random*4", true),
        ("net=tree:32&traffic=cross&survive=drop-all", true),
        ("net=tree:16&traffic=random*3&survive=drop-fixed", true),
        ("net=tree:16&traffic=random*3&faults=wires:0.3&undeliverable=sent", false),
    ] {
        for seed in 1..=20 {
            let text = format!("switch=delivery&{text}&k1=1000&k2=1000&r=1000000&route=random-interleaved&seed={seed}");
            let experiment: Experiment = text.parse().unwrap();
            let trial = DeliveryTrial::new(&PointConfig::new(&experiment, None), 0).unwrap();
            let messages = trial.messages.len();
            let mut run = trial.start(&experiment.routing[0]).unwrap();
            run.run_until(u64::from(2 * messages));
            assert!(!all || run.outcome().is_some(), "{text}: {} cycles for {messages} messages", run.cycle());
            let delivers = |&message: &u32| trial.is_deliverable(trial.messages.ends()[message as usize], None);
            assert!((0..messages).filter(delivers).all(|message| run.is_delivered(message)), "{text}");
        }
    }
}
