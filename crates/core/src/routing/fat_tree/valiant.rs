//! Valiant's detour: GREEDY to random intermediate processors, then to the destinations (Greenberg
//! & Leiserson section 1).

use std::borrow::Cow;

use super::{CycleAlgorithm, CycleProof, CycleRule, CycleScheduler, PAPER, Pending};
use crate::random::Generator;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, cost};

/// Entry of Valiant's detour in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("valiant"),
    name: Cow::Borrowed("Valiant's detour"),
    summary: "Sends every message to a random intermediate processor and, when all have arrived, on to its \
              destination. Each cycle sends all remaining messages of its phase.",
    guarantee: "None on fat-trees. Even of local messages, half cross the root in each phase: the mean number of \
                cycles is at least half the number of messages per wire below the root (section 1).",
    promises: Promises::detours(DeadlockFreedom::NotApplicable),
    paper: PAPER,
    cost: cost::fat_tree::DETOUR,
    method: Method::Delivery(CycleAlgorithm {
        uses_constants: false,
        is_random: true,
        proof: CycleProof::Section1,
        start: |_, _| Box::new(Valiant { second_phase: false }),
    }),
    dimension: None,
    worm: None,
};

/// The scheduler of Valiant's detour, in one of its two phases.
#[derive(Clone, Copy, Debug)]
struct Valiant {
    /// `true` once all messages are at their intermediate processors.
    second_phase: bool,
}

impl CycleScheduler for Valiant {
    fn next(&mut self, pending: &mut Pending, _: &mut Generator, sent: &mut Vec<u32>) -> CycleRule {
        sent.extend_from_slice(pending.list());
        CycleRule::Detour { second_phase: self.second_phase }
    }

    fn sends_all(&self) -> bool {
        true
    }

    fn detours(&self) -> bool {
        true
    }

    fn start_second_phase(&mut self) {
        self.second_phase = true;
    }
}
