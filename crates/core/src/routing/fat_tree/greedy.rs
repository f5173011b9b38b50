//! GREEDY: sends all undelivered messages in every cycle (Greenberg & Leiserson section 5, Fig. 5).

use std::borrow::Cow;

use super::{CycleAlgorithm, CycleProof, CycleRule, CycleScheduler, PAPER, Pending};
use crate::random::Generator;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, cost};

/// Entry of GREEDY in the list of algorithms.
pub(in crate::routing) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("greedy"),
    name: Cow::Borrowed("GREEDY"),
    summary: "Sends all undelivered messages in every cycle.",
    guarantee: "Ends if over-subscribed channels still pass some messages. On some message sets it needs Omega(lambda \
                lg n) cycles (Theorem 9); no good upper bound is known.",
    promises: Promises::shortest(DeadlockFreedom::NotApplicable),
    paper: PAPER,
    cost: cost::fat_tree::CYCLES,
    method: Method::Delivery(CycleAlgorithm {
        uses_constants: false,
        is_random: false,
        proof: CycleProof::Theorem9,
        start: |_, _| Box::new(Greedy),
    }),
    dimension: None,
    worm: None,
};

/// The GREEDY scheduler.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl CycleScheduler for Greedy {
    fn next(&mut self, pending: &mut Pending, _: &mut Generator, sent: &mut Vec<u32>) -> CycleRule {
        sent.extend_from_slice(pending.list());
        CycleRule::All
    }

    fn sends_all(&self) -> bool {
        true
    }
}
