//! The UP and DP criteria: required links that lead up (down) in any order, the others from the lowest dimension on
//! (Chiu, Chalasani & Raghavendra section III).

use super::cube_worm::CriterionWorm;
use super::{Algorithm, Criterion, Method};

const UP_CRITERION: Criterion = Criterion { up: u64::MAX, ..Criterion::SEQUENTIAL };
const DP_CRITERION: Criterion = Criterion { down: u64::MAX, ..Criterion::SEQUENTIAL };
const RESTRICTED: Criterion = Criterion { restricted: u64::MAX, ..UP_CRITERION };

/// Up-preference.
pub(super) const UP: Algorithm = Algorithm {
    id: "up",
    name: "UP",
    summary: "Take the lowest required dimension, or any required one that leads up (from 0 to 1).",
    guarantee: "Shortest paths, never deadlocks (Theorem 1); a fault cuts off only the pairs of Theorems 2, 3 and 5.",
    paper: "Chiu, Chalasani & Raghavendra, section III",
    method: Method::Criterion(&UP_CRITERION),
    dimension: None,
    worm: Some(&CriterionWorm(&UP_CRITERION)),
};

/// Down-preference.
pub(super) const DP: Algorithm = Algorithm {
    id: "dp",
    name: "DP",
    summary: "Take the lowest required dimension, or any required one that leads down (from 1 to 0).",
    guarantee: "As UP, with the directions exchanged (Corollary 1).",
    paper: "Chiu, Chalasani & Raghavendra, section III",
    method: Method::Criterion(&DP_CRITERION),
    dimension: None,
    worm: Some(&CriterionWorm(&DP_CRITERION)),
};

/// UP with at most one non-sequential link for each message.
pub(super) const RESTRICTED_UP: Algorithm = Algorithm {
    id: "restricted-up",
    name: "restricted UP",
    summary: "As UP, but a message may leave the ascending order only once.",
    guarantee: "Shortest paths, never deadlocks.",
    paper: "Chiu, Chalasani & Raghavendra, section V.A",
    method: Method::Criterion(&RESTRICTED),
    dimension: None,
    worm: Some(&CriterionWorm(&RESTRICTED)),
};

/// The better of the two for the faults at hand.
pub(super) const UP_OR_DP: Algorithm = Algorithm {
    id: "up-or-dp",
    name: "UP or DP",
    summary: "The whole network uses UP, or the whole network uses DP: whichever cuts fewer pairs off.",
    guarantee: "Never deadlocks, since no two messages follow different criteria.",
    paper: "Chiu, Chalasani & Raghavendra, section IV (step 2 and 3 of the relabelling procedure)",
    method: Method::Better(&[UP_CRITERION, DP_CRITERION]),
    dimension: None,
    worm: None,
};
