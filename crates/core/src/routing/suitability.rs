//! Suitability of algorithms: the uses and networks that each algorithm supports, and the reasons
//! for the others.

use std::fmt;

use super::{ALGORITHMS, Algorithm, Method};
use crate::topology::Network;

/// A use of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseCase {
    /// Single messages on a hypercube.
    Messages,
    /// Circuits on a hypercube, mesh or torus.
    Circuits,
    /// Counting the pairs that faults cut off in a hypercube.
    Pairs,
    /// Worms on a mesh, torus or hypercube.
    Worms,
    /// Whole permutations, counted or as batches of worms, on a hypercube or a butterfly.
    Permutations,
    /// Message sets in delivery cycles on a fat-tree.
    Deliveries,
}

/// The reason why an algorithm does not support a use or a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// The algorithm does not support this use.
    NotSupported(UseCase),
    /// The algorithm is built in and supports only the listed uses.
    OtherUse(&'static [UseCase]),
    /// Worms: the algorithm chooses for the whole network at once, but each header makes its own
    /// decisions.
    WholeNetwork,
    /// The algorithm is a bound: it takes the best criterion for each pair, which no moving message
    /// can do.
    Bound,
    /// Worms: the paths require global knowledge, but a header decides from local knowledge.
    GlobalKnowledge,
    /// Worms: the algorithm draws a dimension without regard to faults, but a header requests live
    /// channels.
    Blind,
    /// Worms: the algorithm goes around block faults, which hypercubes do not have.
    Blocks,
    /// Circuits: the user-defined rules set up no circuits, for this reason.
    NoCircuits(&'static str),
    /// Worms: the algorithm has this requirement, which the network does not meet.
    NetworkRequirement(&'static str),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSupported(UseCase::Messages) => "does not route single messages",
            Self::NotSupported(UseCase::Circuits) => "does not set up circuits",
            Self::NotSupported(UseCase::Pairs) => "has no permitted paths to search",
            Self::NotSupported(UseCase::Worms) => "does not route worms",
            Self::NotSupported(UseCase::Permutations) => "does not route permutations",
            Self::NotSupported(UseCase::Deliveries) => "does not schedule delivery cycles",
            Self::OtherUse([UseCase::Deliveries, ..]) => "is defined on fat-trees",
            Self::OtherUse([UseCase::Permutations, ..]) => "routes whole permutations and worms",
            Self::OtherUse([UseCase::Worms, ..]) => "is defined on meshes",
            Self::OtherUse([UseCase::Circuits, ..]) => "sets up circuits on meshes and tori",
            Self::OtherUse(_) => "compares whole networks",
            Self::WholeNetwork => "chooses once for the whole network, by the pairs cut off",
            Self::Bound => "is a bound, not a routing: messages that each made this choice would deadlock",
            Self::GlobalKnowledge => {
                "needs global knowledge, but a header decides from local knowledge"
            }
            Self::Blind => "draws a dimension without knowing faults, but a worm requests live channels",
            Self::Blocks => {
                return f.write_str(
                    "requires a mesh with block faults: to run a hypercube of up to five dimensions as a mesh, write net=mesh:2x2x2",
                );
            }
            Self::NoCircuits(why) => return write!(f, "does not set up circuits: {why}"),
            Self::NetworkRequirement(wants) => return write!(f, "requires {wants}"),
        })
    }
}

impl std::error::Error for Unsupported {}

impl Algorithm {
    /// Checks that the algorithm supports a use on some network.
    ///
    /// # Errors
    /// Returns the reason if the algorithm does not support the use.
    pub fn check_use(&self, what: UseCase) -> Result<(), Unsupported> {
        let is_supported = match (what, &self.method) {
            (UseCase::Permutations, method) => matches!(method, Method::Oblivious(_)),
            (UseCase::Deliveries, method) => matches!(method, Method::Delivery(_)),
            (UseCase::Worms, _) => self.worm.is_some(),
            (UseCase::Messages, method) => matches!(method, Method::Local(_) | Method::Criterion(_) | Method::Global),
            (UseCase::Circuits, _) => self.circuits().is_some() || self.probe().is_some(),
            (UseCase::Pairs, method) => {
                matches!(method, Method::Criterion(_) | Method::Better(_) | Method::Bound(_) | Method::Global)
            }
        };
        if is_supported { Ok(()) } else { Err(self.unsupported_reason(what)) }
    }

    /// Returns the reason why the algorithm does not support a use.
    fn unsupported_reason(&self, what: UseCase) -> Unsupported {
        match (what, &self.method) {
            (_, Method::Bound(_)) => Unsupported::Bound,
            (UseCase::Circuits, Method::Local(routing)) => routing
                .user_routing()
                .and_then(|user| user.check_circuits().err())
                .unwrap_or(Unsupported::NotSupported(what)),
            (UseCase::Permutations | UseCase::Deliveries, _) => Unsupported::NotSupported(what),
            (_, Method::Delivery(_)) => Unsupported::OtherUse(&[UseCase::Deliveries]),
            (_, Method::Oblivious(_)) => Unsupported::OtherUse(&[UseCase::Permutations, UseCase::Worms]),
            (_, Method::Mesh) => Unsupported::OtherUse(&[UseCase::Worms]),
            (_, Method::Probe(_)) => Unsupported::OtherUse(&[UseCase::Circuits]),
            (UseCase::Messages, Method::Better(_)) => Unsupported::OtherUse(&[UseCase::Pairs]),
            (UseCase::Worms, Method::Better(_)) => Unsupported::WholeNetwork,
            (UseCase::Worms, Method::Global) => Unsupported::GlobalKnowledge,
            (UseCase::Worms, Method::Local(_)) => Unsupported::Blind,
            _ => Unsupported::NotSupported(what),
        }
    }

    /// Checks that the algorithm supports a use on `network`. The size of the network affects only
    /// worms, its family also circuits and permutations.
    ///
    /// # Errors
    /// Returns the reason if the algorithm does not support the use.
    pub fn check_use_on(&self, what: UseCase, network: Network) -> Result<(), Unsupported> {
        self.check_use(what)?;
        let is_on_butterflies = self.oblivious().is_none_or(|scheme| scheme.butterfly.is_some());
        if what == UseCase::Permutations && network.butterfly().is_some() && !is_on_butterflies {
            return Err(Unsupported::NetworkRequirement("a hypercube"));
        }
        if what == UseCase::Circuits {
            return match network {
                Network::Mesh(_) if self.probe().is_none() => Err(Unsupported::NetworkRequirement(
                    "a hypercube: on meshes circuits are set up by e-cube and by mb-0, mb-1 and so on",
                )),
                Network::Hypercube(_) if self.circuits().is_none() => {
                    Err(Unsupported::NetworkRequirement("a mesh or a torus, such as net=mesh:2x2x2"))
                }
                _ => Ok(()),
            };
        }
        if what != UseCase::Worms {
            return Ok(());
        }
        let is_user_defined = self.worm.as_ref().is_some_and(|worm| worm.user_routing().is_some());
        if matches!(self.method, Method::Mesh) && network.cube().is_some() && !is_user_defined {
            return Err(Unsupported::Blocks);
        }
        match self.worm.as_ref().zip(network.wormhole_mesh()) {
            Some((worm, mesh)) => worm.check_network(mesh),
            None => Ok(()),
        }
    }
}

/// Returns the ids of the [`ALGORITHMS`] that support a use on `network`, in their order.
pub fn suitable(what: UseCase, network: Network) -> Vec<&'static str> {
    ALGORITHMS
        .iter()
        .filter(|algorithm| algorithm.check_use_on(what, network).is_ok())
        .map(|algorithm| &*algorithm.id)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suitable_algorithms_match_each_use_and_network() {
        let on = |text: &str, what| suitable(what, Network::parse(text).unwrap()).join(",");
        assert_eq!(on("cube:4", UseCase::Circuits), "e-cube,up,dp,restricted-up,minimal,up-dp-mix");
        assert_eq!(
            on("cube:4", UseCase::Pairs),
            "global,e-cube,up,dp,restricted-up,up-or-dp,up-or-dp-per-pair,minimal,up-dp-mix"
        );
        assert_eq!(
            on("tree:16", UseCase::Deliveries),
            "greedy,random-guess,random-interleaved,random-prime,random-prime-repeated,valiant"
        );
        assert_eq!(
            on("cube:9", UseCase::Permutations),
            "bit-fixing,valiant-brebner,general,algorithm-a,algorithm-b,kim-shin"
        );
        assert_eq!(on("butterfly:4", UseCase::Permutations), "bit-fixing,valiant-brebner,general,algorithm-a");
        assert_eq!(
            on("torus:6x6", UseCase::Worms),
            "e-cube,f-cube2,f-cube4,lh4,lh,weak-f-cube4,weak-f-cube2,f-cube2-either,f-cube1,up-down"
        );
        assert!(
            on("cube:4", UseCase::Worms).contains("backtracking")
                && !on("cube:5", UseCase::Worms).contains("backtracking")
        );
        assert!(
            !on("mesh:4x4x4", UseCase::Worms).contains("f-cube2")
                && on("mesh:4x4x4", UseCase::Worms).contains("f-cube4")
        );
    }
}
