//! Routing with global information, the upper bound of all local algorithms.

use std::borrow::Cow;

use crate::rich;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, Rule, cost};

/// The next node of a shortest live path, from global information.
pub static SHORTEST_LIVE_PATH: Rule =
    Rule::hop("shortest-live-path", |hop| rich![hop.link_name(), ", on a shortest live path"]);

/// A shortest path in the live network.
pub(crate) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("global"),
    name: Cow::Borrowed("global information"),
    summary: "Follows a shortest path in the live network, which every node knows.",
    guarantee: "Delivers iff source and destination are connected within the path limit: an upper bound for every algorithm.",
    promises: Promises::detours(DeadlockFreedom::NotApplicable),
    paper: "Gordon & Stout, section 1 (global information)",
    cost: cost::hypercube::GLOBAL,
    method: Method::Global,
    dimension: None,
    worm: None,
};
