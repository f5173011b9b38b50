//! e-cube routing: required dimensions in ascending order.

use super::fcube::EcubeWorm;
use super::{Algorithm, Criterion, Method};

/// The lowest required dimension, always.
pub(super) const ALGORITHM: Algorithm = Algorithm {
    id: "e-cube",
    name: "e-cube",
    summary: "Take the lowest dimension in which node and destination differ.",
    guarantee: "One path for each pair, so that any fault on it cuts the pair off; never deadlocks.",
    paper: "Chiu, Chalasani & Raghavendra, section III",
    method: Method::Criterion(&Criterion::SEQUENTIAL),
    dimension: None,
    worm: Some(&EcubeWorm),
};
