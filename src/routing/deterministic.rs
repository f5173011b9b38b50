//! Deterministic routing: the highest wrong bit first (Gordon & Stout section 1.2.2, Table 1).

use super::cube_worm::LocalWorm;
use super::{Algorithm, Dimensions, Knowledge, LocalRouting, Method, Order, Position, Rule, Tier, Tiers};

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
    tiers: Tiers::one(Tier { dimensions: Dimensions::Wrong, rule: Rule::HighestWrong }),
};

/// Model 1: the highest wrong bit, whatever it leads to.
pub(super) const BLIND: Algorithm = Algorithm {
    id: "deterministic-blind",
    name: "deterministic, blind",
    summary: "Correct the highest wrong bit; a message sent to a faulty node is lost.",
    guarantee: "Delivers iff no node of its one path is faulty: probability (1-p)^(n-1).",
    paper: "Gordon & Stout, Table 1, Model 1",
    method: Method::Local(&UNINFORMED),
    dimension: None,
    worm: Some(&LocalWorm(&UNINFORMED)),
};

const INFORMED: Deterministic = Deterministic {
    knowledge: Knowledge::Neighbors,
    tiers: Tiers::one(Tier { dimensions: Dimensions::Wrong, rule: Rule::HighestLiveWrong }),
};

/// Model 2: the highest wrong bit that leads to a live node.
pub(super) const LOCAL: Algorithm = Algorithm {
    id: "deterministic",
    name: "deterministic, local",
    summary: "Correct the highest wrong bit that leads to a live node; stop when there is none.",
    guarantee: "Delivers unless it meets a blocked node: probability (1-p^2)(1-p^3)...(1-p^n).",
    paper: "Gordon & Stout, Table 1, Model 2",
    method: Method::Local(&INFORMED),
    dimension: None,
    worm: Some(&LocalWorm(&INFORMED)),
};
