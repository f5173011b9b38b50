//! Random routing: all minimal paths equally likely (Gordon & Stout section 1.2.2, Table 1).

use super::cube_worm::LocalWorm;
use super::{Algorithm, Dimensions, Knowledge, LocalRouting, Method, Order, Position, Rule, Tier, Tiers};

struct Random {
    knowledge: Knowledge,
    tiers: Tiers,
}

impl LocalRouting for Random {
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

/// Model 1: any wrong bit, whatever it leads to.
pub(super) const BLIND: Algorithm = Algorithm {
    id: "random-blind",
    name: "random, blind",
    summary: "Correct a wrong bit at random; a message sent to a faulty node is lost.",
    guarantee: "On random faults as likely to deliver as the deterministic one: probability (1-p)^(n-1).",
    paper: "Gordon & Stout, Table 1, Model 1",
    method: Method::Local(&Random {
        knowledge: Knowledge::Nothing,
        tiers: Tiers::one(Tier { dimensions: Dimensions::Wrong, rule: Rule::AnyWrong }),
    }),
    dimension: None,
    worm: None,
};

const INFORMED: Random = Random {
    knowledge: Knowledge::Neighbors,
    tiers: Tiers::one(Tier { dimensions: Dimensions::Wrong, rule: Rule::AnyLiveWrong }),
};

/// Model 2: any wrong bit that leads to a live node.
pub(super) const LOCAL: Algorithm = Algorithm {
    id: "random",
    name: "random, local",
    summary: "Correct a wrong bit at random among those that lead to a live node; stop when there is none.",
    guarantee: "Delivers unless it meets a blocked node: probability (1-p^2)(1-p^3)...(1-p^n).",
    paper: "Gordon & Stout, Table 1, Model 2",
    method: Method::Local(&INFORMED),
    dimension: None,
    worm: Some(&LocalWorm(&INFORMED)),
};
