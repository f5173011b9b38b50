//! Algorithms of worms and circuits on meshes and tori.

pub(crate) mod adaptive;
pub(crate) mod dimension_reversal;
pub(crate) mod fcube;
pub(crate) mod gates;
pub(crate) mod negative_first;
pub(crate) mod north_last;
pub(crate) mod odd_even;
pub(crate) mod planar_adaptive;
pub(crate) mod planes;
pub(crate) mod probe;
pub(crate) mod randomized;
mod ring;
pub(crate) mod torus;
pub(crate) mod up_down;
pub(crate) mod weak;
pub(crate) mod west_first;

use std::borrow::Cow;

use super::cost::CostRules;
use super::worm::WormRouting;
use super::{Algorithm, Method, Promises, Shared};

pub(super) use ring::ring_step;

/// Algorithm that routes worms on meshes only, with the fields of [`Algorithm`].
struct MeshAlgorithm {
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    guarantee: &'static str,
    promises: Promises,
    paper: &'static str,
    worm: &'static dyn WormRouting,
}

impl MeshAlgorithm {
    /// Returns the entry of [`ALGORITHMS`](super::ALGORITHMS). The cost is an argument because a
    /// constant function cannot move parts out of a value with a destructor.
    const fn algorithm(self, cost: CostRules) -> Algorithm {
        Algorithm {
            id: Cow::Borrowed(self.id),
            name: Cow::Borrowed(self.name),
            summary: self.summary,
            guarantee: self.guarantee,
            promises: self.promises,
            paper: self.paper,
            cost,
            method: Method::Mesh,
            dimension: None,
            worm: Some(Shared::Static(self.worm)),
        }
    }
}
