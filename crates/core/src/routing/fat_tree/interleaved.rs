//! RANDOM interleaved with a strategy that delivers a message in every cycle (Greenberg &
//! Leiserson, end of section 4).

use std::borrow::Cow;

use super::{CycleAlgorithm, CycleProof, CycleRule, CycleScheduler, PAPER, Pending, Random, ScheduleConstants};
use crate::random::Generator;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, cost};

/// Entry of interleaved RANDOM in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("random-interleaved"),
    name: Cow::Borrowed("interleaved RANDOM"),
    summary: "RANDOM in odd cycles; every even cycle sends a single message, which no other can block.",
    guarantee: "Delivers all messages within 2|M| cycles; with constants as in the proof, expected O(lambda + lg n lg lg n) cycles \
                (Theorem 8, end of section 4).",
    promises: Promises::shortest(DeadlockFreedom::NotApplicable),
    paper: PAPER,
    cost: cost::fat_tree::CYCLES,
    method: Method::Delivery(CycleAlgorithm {
        uses_constants: true,
        is_random: true,
        proof: CycleProof::Section4,
        start: |constants, processors| Box::new(Interleaved::new(*constants, processors)),
    }),
    dimension: None,
    worm: None,
};

/// The scheduler of interleaved RANDOM. Odd cycles are those of RANDOM, which does not see the even
/// ones except by their arrivals.
#[derive(Clone, Debug)]
pub struct Interleaved {
    random: Random,
    /// `true` if the next cycle sends a single message.
    is_even: bool,
    /// The message of the last even cycle.
    last: Option<u32>,
}

impl Interleaved {
    /// Creates the scheduler for a number of processors, a power of two.
    pub fn new(constants: ScheduleConstants, processors: u32) -> Self {
        Self { random: Random::new(constants, processors), is_even: false, last: None }
    }

    /// Returns the next message to send alone: the messages take turns, so that one without a live
    /// path does not stop the others.
    fn next_alone(&mut self, pending: &mut Pending) -> Option<u32> {
        let list = pending.list();
        let later = self.last.map_or(0, |last| list.partition_point(|&message| message <= last));
        self.last = list.get(later).or(list.first()).copied();
        self.last
    }
}

impl CycleScheduler for Interleaved {
    fn next(&mut self, pending: &mut Pending, generator: &mut Generator, sent: &mut Vec<u32>) -> CycleRule {
        self.is_even = !self.is_even;
        if !self.is_even {
            sent.extend(self.next_alone(pending));
            return CycleRule::Single;
        }
        self.random.next(pending, generator, sent)
    }

    fn idle_rest(&self) -> u64 {
        // Every odd cycle of the rest has an even one before it, except the first if it comes next.
        let rest = self.random.idle_rest();
        rest.saturating_mul(2).saturating_sub(u64::from(rest > 0 && !self.is_even))
    }
}
