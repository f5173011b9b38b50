//! e-cube routing: required dimensions in ascending order.

use std::borrow::Cow;

use crate::routing::mesh::fcube::EcubeWorm;
use crate::routing::{Algorithm, Criterion, DeadlockFreedom, Method, Promises, Shared, cost};

/// e-cube: always the lowest required dimension.
pub(crate) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("e-cube"),
    name: Cow::Borrowed("e-cube"),
    summary: "Takes the lowest dimension in which node and destination differ.",
    guarantee: "One path for each pair: any fault on it cuts the pair off. Never deadlocks.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Chiu, Chalasani & Raghavendra, section III",
    cost: cost::mesh::ECUBE,
    method: Method::Criterion(Criterion::SEQUENTIAL),
    dimension: None,
    worm: Some(Shared::Static(&EcubeWorm)),
};
