//! Sidetracking: random routing that goes backward when it is blocked (Gordon & Stout section 3).

use std::borrow::Cow;

use super::random::ANY_LIVE_WRONG;
use super::worm::LocalWorm;
use crate::rich;
use crate::routing::{
    Algorithm, DeadlockFreedom, Dimensions, Knowledge, LocalRouting, Method, Order, Position, Promises, Rule, Shared,
    Tier, Tiers, cost,
};

/// Blocked: the message goes to a random live neighbour in the backward direction.
static SIDETRACK: Rule = Rule::hop("sidetrack", |hop| {
    let wrong = hop.dimensions(hop.wrong);
    rich!["blocked: every forward neighbour is faulty (", wrong, "); the message goes back along ", hop.link_name()]
})
.detour();

struct Sidetracking;

impl LocalRouting for Sidetracking {
    fn tiers(&self, _: Position) -> Tiers {
        Tiers::two(
            Tier { dimensions: Dimensions::Wrong, rule: &ANY_LIVE_WRONG },
            Tier { dimensions: Dimensions::Right, rule: &SIDETRACK },
        )
    }

    fn order(&self) -> Order {
        Order::Random
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Neighbors
    }
}

/// Memoryless routing: forward at random; when blocked, back to a random live neighbour.
pub(crate) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("sidetracking"),
    name: Cow::Borrowed("sidetracking"),
    summary: "Corrects a wrong bit at random among those that lead to a live node; when there is none, goes back to a live \
              neighbour at random.",
    guarantee: "None: it can fall into a closed set of nodes (tunnelling). The paper conjectures success with \
                probability tending to 1 as n grows, for any fixed p < 1.",
    promises: Promises::detours(DeadlockFreedom::No),
    paper: "Gordon & Stout, section 3",
    cost: cost::hypercube::SIDETRACKING,
    method: Method::Local(Shared::Static(&Sidetracking)),
    dimension: None,
    worm: Some(Shared::Static(&LocalWorm(&Sidetracking))),
};
