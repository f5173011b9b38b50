//! Random routing: all minimal paths equally likely (Gordon & Stout section 1.2.2, Table 1).

use std::borrow::Cow;

use super::worm::LocalWorm;
use crate::rich;
use crate::routing::{
    Algorithm, DeadlockFreedom, Dimensions, Knowledge, LocalRouting, Method, Order, Position, Promises, Rule, Shared,
    Tier, Tiers, cost,
};

/// Corrects a wrong bit at random (Model 1).
static ANY_WRONG: Rule = Rule::hop("any-wrong", |hop| {
    rich![hop.link_name(), ", drawn from the wrong bits (", hop.dimensions(hop.wrong), ")"]
});

/// Corrects a random wrong bit among those that lead to a live node (Model 2).
pub(crate) static ANY_LIVE_WRONG: Rule = Rule::hop("any-live-wrong", |hop| {
    let taken = hop.link_name();
    match (hop.live(), hop.dead) {
        _ if hop.wrong.count_ones() == 1 => rich![taken, " is the last wrong bit"],
        (live, _) if live.count_ones() == 1 => rich![taken, " is the only wrong bit that leads to a live node"],
        (_, 0) => rich![taken, ", drawn from the wrong bits"],
        (live, _) => rich![taken, ", drawn from the wrong bits that lead to live nodes (", hop.dimensions(live), ")"],
    }
});

/// Blocked: the message marks this node as faulty for itself and goes to a random live neighbour in
/// the backward direction.
pub(crate) static MARK_AND_SIDETRACK: Rule = Rule::hop("mark-and-sidetrack", |hop| {
    let wrong = hop.dimensions(hop.wrong);
    rich![
        "blocked: no forward neighbour is left (",
        wrong,
        "); the message marks this node and goes back along ",
        hop.link_name()
    ]
})
.detour();

struct RandomRouting {
    knowledge: Knowledge,
    tiers: Tiers,
}

impl LocalRouting for RandomRouting {
    fn tiers(&self, _: Position) -> Tiers {
        self.tiers
    }

    fn order(&self) -> Order {
        Order::Random
    }

    fn knowledge(&self) -> Knowledge {
        self.knowledge
    }
}

const UNINFORMED: RandomRouting = RandomRouting {
    knowledge: Knowledge::Nothing,
    tiers: Tiers::one(Tier { dimensions: Dimensions::Wrong, rule: &ANY_WRONG }),
};

/// Model 1: any wrong bit, even if it leads to a faulty node.
pub(crate) const BLIND: Algorithm = Algorithm {
    id: Cow::Borrowed("random-blind"),
    name: Cow::Borrowed("random, blind"),
    summary: "Corrects a wrong bit at random; a message sent to a faulty node is lost.",
    guarantee: "Delivers on random faults as often as deterministic, blind routing: with probability (1-p)^(n-1).",
    promises: Promises::shortest(DeadlockFreedom::NotApplicable),
    paper: "Gordon & Stout, Table 1, Model 1",
    cost: cost::hypercube::BLIND,
    method: Method::Local(Shared::Static(&UNINFORMED)),
    dimension: None,
    worm: None,
};

const INFORMED: RandomRouting = RandomRouting {
    knowledge: Knowledge::Neighbors,
    tiers: Tiers::one(Tier { dimensions: Dimensions::Wrong, rule: &ANY_LIVE_WRONG }),
};

/// Model 2: any wrong bit that leads to a live node.
pub(crate) const LOCAL: Algorithm = Algorithm {
    id: Cow::Borrowed("random"),
    name: Cow::Borrowed("random, local"),
    summary: "Corrects a wrong bit at random among those that lead to a live node; stops when there is none.",
    guarantee: "Delivers unless it meets a blocked node: probability (1-p^2)(1-p^3)...(1-p^n).",
    promises: Promises::shortest(DeadlockFreedom::No),
    paper: "Gordon & Stout, Table 1, Model 2",
    cost: cost::hypercube::LOCAL,
    method: Method::Local(Shared::Static(&INFORMED)),
    dimension: None,
    worm: Some(Shared::Static(&LocalWorm(&INFORMED))),
};
