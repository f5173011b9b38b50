//! RANDOM: p-subsets for guesses of the load factor (Greenberg & Leiserson, section 3 and Figs. 2
//! and 3).

use std::borrow::Cow;

use rand::Rng as _;

use super::{CycleAlgorithm, CycleProof, CycleRule, CycleScheduler, PAPER, Pending, ScheduleConstants};
use crate::random::Generator;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, cost};

/// Entry of RANDOM in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("random-guess"),
    name: Cow::Borrowed("RANDOM"),
    summary: "Guesses the load factor, squaring and later doubling its guess, and sends random subsets small enough for it.",
    guarantee: "With constants as in the proof, O(lambda + lg n lg lg n) cycles with probability 1 - O(1/n) on any message \
                set (Theorem 8).",
    promises: Promises::shortest(DeadlockFreedom::NotApplicable),
    paper: PAPER,
    cost: cost::fat_tree::CYCLES,
    method: Method::Delivery(CycleAlgorithm {
        uses_constants: true,
        is_random: true,
        proof: CycleProof::Theorem8,
        start: |constants, processors| Box::new(Random::new(*constants, processors)),
    }),
    dimension: None,
    worm: None,
};

/// The RANDOM scheduler, at a position in its pseudo-code.
#[derive(Clone, Debug)]
pub struct Random {
    constants: ScheduleConstants,
    lg_n: f64,
    started: bool,
    /// The next guess.
    next: f64,
    /// `true` once guesses double.
    doubles: bool,
    current: Option<TryGuess>,
}

/// The state of a call of TRY-GUESS.
#[derive(Clone, Copy, Debug)]
struct TryGuess {
    guess: f64,
    lambda: f64,
    /// The number of p-subsets that have been sent with this lambda.
    done: u64,
}

impl Random {
    /// Creates RANDOM for a number of processors, a power of two.
    pub fn new(constants: ScheduleConstants, processors: u32) -> Self {
        let lg_n = f64::from(processors.max(1).ilog2());
        Self { constants, lg_n, started: false, next: 2.0, doubles: false, current: None }
    }

    /// Returns the guess for the next call of TRY-GUESS.
    fn guess(&mut self) -> f64 {
        if !self.doubles && self.constants.k1 * self.next < self.constants.k2 * self.lg_n {
            let guess = self.next;
            self.next = guess * guess;
            return guess;
        }
        if !self.doubles {
            self.doubles = true;
            self.next = self.constants.first_doubled(self.lg_n);
        }
        let guess = self.next;
        self.next = 2.0 * guess;
        guess
    }

    /// Returns the number of p-subsets with this lambda: max(k1 lambda, k2 lg n), rounded up.
    fn repeats(&self, lambda: f64) -> u64 {
        self.constants.subsets(lambda, self.lg_n)
    }
}

impl CycleScheduler for Random {
    fn next(&mut self, pending: &mut Pending, generator: &mut Generator, sent: &mut Vec<u32>) -> CycleRule {
        if !std::mem::replace(&mut self.started, true) {
            sent.extend_from_slice(pending.list());
            return CycleRule::All;
        }
        let TryGuess { guess, lambda, done } = match self.current {
            Some(current) => current,
            None => {
                let guess = self.guess();
                TryGuess { guess, lambda: guess, done: 0 }
            }
        };
        if lambda <= 1.0 {
            self.current = None;
            sent.extend_from_slice(pending.list());
            return CycleRule::Rest { guess };
        }
        let (cycle, of) = (done + 1, self.repeats(lambda));
        let probability = (1.0 / (self.constants.r * lambda)).min(1.0);
        subset(pending.list(), probability, generator, sent);
        self.current = Some(if cycle < of {
            TryGuess { guess, lambda, done: cycle }
        } else {
            TryGuess { guess, lambda: lambda / 2.0, done: 0 }
        });
        CycleRule::Subset { guess, lambda, probability, cycle, of }
    }

    fn idle_rest(&self) -> u64 {
        let Some(TryGuess { mut lambda, done, .. }) = self.current else { return 0 };
        let mut rest = 1;
        while lambda > 1.0 {
            rest = self.repeats(lambda).saturating_add(rest);
            lambda /= 2.0;
        }
        rest.saturating_sub(done)
    }
}

/// Adds each message to `sent` with `probability`, exact to 2^-64.
fn subset(pending: &[u32], probability: f64, generator: &mut Generator, sent: &mut Vec<u32>) {
    if probability >= 1.0 {
        sent.extend_from_slice(pending);
        return;
    }
    let threshold = (probability * (1u128 << 64) as f64) as u64;
    sent.extend(pending.iter().filter(|_| generator.next_u64() < threshold));
}
