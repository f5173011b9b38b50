//! Randomized backtracking: sidetracking that never re-enters a node where it was blocked (Gordon &
//! Stout section 3).

use std::borrow::Cow;

use super::random::{ANY_LIVE_WRONG, MARK_AND_SIDETRACK};
use super::worm::BacktrackingWorm;
use crate::routing::{
    Algorithm, DeadlockFreedom, Dimensions, Knowledge, LocalRouting, Method, Order, Position, Promises, Shared, Tier,
    Tiers, cost,
};

struct Backtracking;

impl LocalRouting for Backtracking {
    fn tiers(&self, _: Position) -> Tiers {
        Tiers::two(
            Tier { dimensions: Dimensions::Wrong, rule: &ANY_LIVE_WRONG },
            Tier { dimensions: Dimensions::Right, rule: &MARK_AND_SIDETRACK },
        )
    }

    fn order(&self) -> Order {
        Order::Random
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Neighbors
    }

    fn marks_blocked_nodes(&self) -> bool {
        true
    }
}

/// Sidetracking with marks: a node where the message was blocked counts as faulty for the message
/// from then on.
pub(crate) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("backtracking"),
    name: Cow::Borrowed("backtracking"),
    summary: "As sidetracking, but a node where the message was blocked counts as faulty for this message from then on.",
    guarantee: "It cannot tunnel. On the 4-cube it finds a path whenever there is one; from the 5-cube on it can mark \
                a node that it needs, against the paper's claim.",
    promises: Promises::detours(DeadlockFreedom::No),
    paper: "Gordon & Stout, section 3",
    cost: cost::hypercube::BACKTRACKING,
    method: Method::Local(Shared::Static(&Backtracking)),
    dimension: None,
    worm: Some(Shared::Static(&BacktrackingWorm)),
};
