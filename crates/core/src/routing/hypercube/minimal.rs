//! Shortest paths without a criterion, or with a random criterion for each message: counterexamples
//! that deadlock.

use std::borrow::Cow;

use super::preference::MIX;
use super::worm::CriterionWorm;
use crate::routing::{Algorithm, Criterion, DeadlockFreedom, Method, Promises, Shared, cost};

const ANY: Criterion = Criterion { up: u64::MAX, down: u64::MAX, ..Criterion::SEQUENTIAL };

/// Any required dimension at any time.
pub(crate) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("minimal"),
    name: Cow::Borrowed("any minimal path"),
    summary: "Takes any required dimension, the lowest one if it is available.",
    guarantee: "Every shortest path is permitted; circuits deadlock.",
    promises: Promises::shortest(DeadlockFreedom::No).counter_example(),
    paper: "the counter-example to Chiu, Chalasani & Raghavendra, Theorem 1",
    cost: cost::hypercube::CRITERION,
    method: Method::Criterion(ANY),
    dimension: None,
    worm: Some(Shared::Static(&CriterionWorm(ANY))),
};

/// UP for half of the messages, DP for the other half.
pub(crate) const UP_DP_MIX: Algorithm = Algorithm {
    id: Cow::Borrowed("up-dp-mix"),
    name: Cow::Borrowed("UP/DP mix"),
    summary: "Each message draws whether it follows UP or DP. If its source knows all faults, as with circuits, it \
              draws among the criteria that still lead to the destination.",
    guarantee: "Shortest paths; circuits deadlock, though neither UP nor DP alone does.",
    promises: Promises::shortest(DeadlockFreedom::No).counter_example(),
    paper: "the counter-example to mixing the criteria of Chiu, Chalasani & Raghavendra, section III",
    cost: cost::hypercube::MARKED_CRITERION,
    method: Method::Criterion(MIX),
    dimension: None,
    worm: Some(Shared::Static(&CriterionWorm(MIX))),
};
