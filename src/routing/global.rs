//! Global information: what no local algorithm can beat.

use super::{Algorithm, Method};

/// A shortest path in the live network.
pub(super) const ALGORITHM: Algorithm = Algorithm {
    id: "global",
    name: "global information",
    summary: "Follow a shortest path in the live network, known from everywhere.",
    guarantee: "Delivers iff source and destination are connected within the path limit: the ceiling of every algorithm.",
    paper: "Gordon & Stout, section 1 (global information)",
    method: Method::Global,
    dimension: None,
    worm: None,
};
