//! Randomized backtracking: sidetracking that never again enters a node where it was blocked (Gordon & Stout
//! section 3).

use super::cube_worm::BacktrackingWorm;
use super::{Algorithm, Dimensions, Knowledge, LocalRouting, Method, Order, Position, Rule, Tier, Tiers};

struct Backtracking;

impl LocalRouting for Backtracking {
    fn tiers(&self, _: Position) -> Tiers {
        Tiers::two(
            Tier { dimensions: Dimensions::Wrong, rule: Rule::AnyLiveWrong },
            Tier { dimensions: Dimensions::Right, rule: Rule::MarkAndSidetrack },
        )
    }

    fn order(&self) -> Order {
        Order::Random
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Neighbors
    }

    fn marks_blocked(&self) -> bool {
        true
    }
}

/// As sidetracking, but a node where the message was blocked is faulty for it from then on.
pub(super) const ALGORITHM: Algorithm = Algorithm {
    id: "backtracking",
    name: "backtracking",
    summary: "As sidetracking, but a node where the message was blocked counts as faulty for this message from then on.",
    guarantee: "It cannot tunnel. On the 4-cube it finds a path whenever there is one; from the 5-cube on it can mark \
                a node that it needs, against the paper's claim.",
    paper: "Gordon & Stout, section 3",
    method: Method::Local(&Backtracking),
    dimension: None,
    worm: Some(&BacktrackingWorm),
};
