//! Shortest paths without a criterion, and with one of two for each message: the counter-examples that deadlock.

use super::cube_worm::CriterionWorm;
use super::{Algorithm, Criterion, Method};

const ANY: Criterion = Criterion { up: u64::MAX, down: u64::MAX, ..Criterion::SEQUENTIAL };
const MIX: Criterion = Criterion { up: u64::MAX, mixed: true, ..Criterion::SEQUENTIAL };

/// Any required dimension at any time.
pub(super) const ALGORITHM: Algorithm = Algorithm {
    id: "minimal",
    name: "any minimal path",
    summary: "Take any required dimension, the lowest one if it can be had.",
    guarantee: "Every shortest path is permitted; circuits deadlock.",
    paper: "the counter-example to Chiu, Chalasani & Raghavendra, Theorem 1",
    method: Method::Criterion(&ANY),
    dimension: None,
    worm: Some(&CriterionWorm(&ANY)),
};

/// UP for one half of the messages, DP for the other.
pub(super) const UP_DP_MIX: Algorithm = Algorithm {
    id: "up-dp-mix",
    name: "UP/DP mix",
    summary: "Each message draws whether it follows UP or DP.",
    guarantee: "Shortest paths; circuits deadlock, though neither UP nor DP alone does.",
    paper: "the counter-example to mixing the criteria of Chiu, Chalasani & Raghavendra, section III",
    method: Method::Criterion(&MIX),
    dimension: None,
    worm: Some(&CriterionWorm(&MIX)),
};
