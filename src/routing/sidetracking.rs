//! Sidetracking: random routing that steps aside when it is blocked (Gordon & Stout section 3).

use super::cube_worm::LocalWorm;
use super::{Algorithm, Dimensions, Knowledge, LocalRouting, Method, Order, Position, Rule, Tier, Tiers};

struct Sidetracking;

impl LocalRouting for Sidetracking {
    fn tiers(&self, _: Position) -> Tiers {
        Tiers::two(
            Tier { dimensions: Dimensions::Wrong, rule: Rule::AnyLiveWrong },
            Tier { dimensions: Dimensions::Right, rule: Rule::Sidetrack },
        )
    }

    fn order(&self) -> Order {
        Order::Random
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Neighbors
    }
}

/// Forward at random; when blocked, back to a live neighbour at random. It remembers nothing.
pub(super) const ALGORITHM: Algorithm = Algorithm {
    id: "sidetracking",
    name: "sidetracking",
    summary: "Correct a wrong bit at random among those that lead to a live node; when there is none, step back to a live \
              neighbour at random.",
    guarantee: "None: it can fall into a closed set of nodes (tunnelling). The paper conjectures success with \
                probability tending to 1 as n grows, for any fixed p < 1.",
    paper: "Gordon & Stout, section 3",
    method: Method::Local(&Sidetracking),
    dimension: None,
    worm: Some(&LocalWorm(&Sidetracking)),
};
