//! Deterministic routing: the highest wrong bit first (Gordon & Stout section 1.2.2, Table 1).

use std::borrow::Cow;

use super::worm::LocalWorm;
use crate::rich;
use crate::rich_text::RichText;
use crate::routing::{
    Algorithm, CubeHop, DeadlockFreedom, Dimensions, Knowledge, LocalRouting, Method, Order, Position, Promises, Rule,
    Shared, Tier, Tiers, cost,
};

/// Corrects the highest wrong bit (Model 1).
static HIGHEST_WRONG: Rule = Rule::hop("highest-wrong", highest);

/// Corrects the highest wrong bit that leads to a live node (Model 2).
static HIGHEST_LIVE_WRONG: Rule = Rule::hop("highest-live-wrong", |hop| match hop.passed_over() {
    0 => highest(hop),
    over => {
        rich![hop.link_name(), " is the highest wrong bit that leads to a live node: not ", hop.dimensions(over)]
    }
});

fn highest(hop: &CubeHop) -> RichText {
    rich![hop.link_name(), " is the highest wrong bit"]
}

struct Deterministic {
    knowledge: Knowledge,
    tiers: Tiers,
}

impl LocalRouting for Deterministic {
    fn tiers(&self, _: Position) -> Tiers {
        self.tiers
    }

    fn order(&self) -> Order {
        Order::Highest
    }

    fn knowledge(&self) -> Knowledge {
        self.knowledge
    }
}

const UNINFORMED: Deterministic = Deterministic {
    knowledge: Knowledge::Nothing,
    tiers: Tiers::one(Tier { dimensions: Dimensions::Wrong, rule: &HIGHEST_WRONG }),
};

/// Model 1: the highest wrong bit, even if it leads to a faulty node.
pub(crate) const BLIND: Algorithm = Algorithm {
    id: Cow::Borrowed("deterministic-blind"),
    name: Cow::Borrowed("deterministic, blind"),
    summary: "Corrects the highest wrong bit; a message sent to a faulty node is lost.",
    guarantee: "Delivers iff no node of its only path is faulty: probability (1-p)^(n-1).",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Gordon & Stout, Table 1, Model 1",
    cost: cost::hypercube::BLIND,
    method: Method::Local(Shared::Static(&UNINFORMED)),
    dimension: None,
    worm: Some(Shared::Static(&LocalWorm(&UNINFORMED))),
};

const INFORMED: Deterministic = Deterministic {
    knowledge: Knowledge::Neighbors,
    tiers: Tiers::one(Tier { dimensions: Dimensions::Wrong, rule: &HIGHEST_LIVE_WRONG }),
};

/// Model 2: the highest wrong bit that leads to a live node.
pub(crate) const LOCAL: Algorithm = Algorithm {
    id: Cow::Borrowed("deterministic"),
    name: Cow::Borrowed("deterministic, local"),
    summary: "Corrects the highest wrong bit that leads to a live node; stops when there is none.",
    guarantee: "Delivers unless it meets a blocked node: probability (1-p^2)(1-p^3)...(1-p^n).",
    promises: Promises::shortest(DeadlockFreedom::WhereProved),
    paper: "Gordon & Stout, Table 1, Model 2",
    cost: cost::hypercube::LOCAL,
    method: Method::Local(Shared::Static(&INFORMED)),
    dimension: None,
    worm: Some(Shared::Static(&LocalWorm(&INFORMED))),
};
