//! The UP and DP criteria: required links that lead up (down) in any order, the other required
//! links in ascending order (Chiu, Chalasani & Raghavendra section III).

use std::borrow::Cow;

use super::worm::CriterionWorm;
use crate::routing::{Algorithm, Criterion, DeadlockFreedom, Method, Promises, Shared, cost};

const UP_CRITERION: Criterion = Criterion { up: u64::MAX, ..Criterion::SEQUENTIAL };
const DP_CRITERION: Criterion = Criterion { down: u64::MAX, ..Criterion::SEQUENTIAL };
const RESTRICTED: Criterion = Criterion { restricted: u64::MAX, ..UP_CRITERION };

/// UP for some messages, DP for the others.
pub(super) const MIX: Criterion = Criterion { up: u64::MAX, mixed: true, ..Criterion::SEQUENTIAL };

/// Up-preference.
pub(crate) const UP: Algorithm = Algorithm {
    id: Cow::Borrowed("up"),
    name: Cow::Borrowed("UP"),
    summary: "Takes the lowest required dimension, or any required one that leads up (from 0 to 1).",
    guarantee: "Shortest paths, never deadlocks (Theorem 1); a fault cuts off only the pairs of Theorems 2, 3 and 5.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Chiu, Chalasani & Raghavendra, section III",
    cost: cost::hypercube::CRITERION,
    method: Method::Criterion(UP_CRITERION),
    dimension: None,
    worm: Some(Shared::Static(&CriterionWorm(UP_CRITERION))),
};

/// Down-preference.
pub(crate) const DP: Algorithm = Algorithm {
    id: Cow::Borrowed("dp"),
    name: Cow::Borrowed("DP"),
    summary: "Takes the lowest required dimension, or any required one that leads down (from 1 to 0).",
    guarantee: "As UP, with the directions exchanged (Corollary 1).",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Chiu, Chalasani & Raghavendra, section III",
    cost: cost::hypercube::CRITERION,
    method: Method::Criterion(DP_CRITERION),
    dimension: None,
    worm: Some(Shared::Static(&CriterionWorm(DP_CRITERION))),
};

/// UP with at most one non-sequential link for each message.
pub(crate) const RESTRICTED_UP: Algorithm = Algorithm {
    id: Cow::Borrowed("restricted-up"),
    name: Cow::Borrowed("restricted UP"),
    summary: "As UP, but a message may leave the ascending order only once.",
    guarantee: "Shortest paths, never deadlocks.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Chiu, Chalasani & Raghavendra, section V.A",
    cost: cost::hypercube::MARKED_CRITERION,
    method: Method::Criterion(RESTRICTED),
    dimension: None,
    worm: Some(Shared::Static(&CriterionWorm(RESTRICTED))),
};

/// The better of UP and DP for the present faults.
pub(crate) const UP_OR_DP: Algorithm = Algorithm {
    id: Cow::Borrowed("up-or-dp"),
    name: Cow::Borrowed("UP or DP"),
    summary: "The whole network uses UP or DP, whichever cuts fewer pairs off.",
    guarantee: "Never deadlocks, since no two messages follow different criteria.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Chiu, Chalasani & Raghavendra, section IV (steps 2 and 3 of the relabelling procedure)",
    cost: cost::hypercube::EITHER_CRITERION,
    method: Method::Better([UP_CRITERION, DP_CRITERION]),
    dimension: None,
    worm: None,
};

/// The better of UP and DP for each pair.
pub(crate) const UP_OR_DP_PER_PAIR: Algorithm = Algorithm {
    id: Cow::Borrowed("up-or-dp-per-pair"),
    name: Cow::Borrowed("UP or DP, per pair"),
    summary: "A bound, not a routing: for each pair, UP or DP if either still has a path.",
    guarantee: "No choice between UP and DP cuts fewer pairs off. A choice for each message is the UP/DP mix: circuits deadlock.",
    promises: Promises::shortest(DeadlockFreedom::NotApplicable),
    paper: "a bound for steps 2 and 3 of the relabelling procedure of Chiu, Chalasani & Raghavendra, section IV",
    cost: cost::hypercube::MARKED_CRITERION,
    method: Method::Bound(MIX),
    dimension: None,
    worm: None,
};
