//! Suitability of algorithms: the uses and networks that each supports, and the reason if not.

use std::fmt;

use super::{ALGORITHMS, Algorithm, Method};
use crate::topology::Network;

/// A use of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Single messages on a hypercube.
    Messages,
    /// Circuits on a hypercube.
    Circuits,
    /// Counting the pairs that faults cut off in a hypercube.
    Pairs,
    /// Worms on a mesh, torus or hypercube.
    Worms,
    /// Whole permutations, counted or as batches of worms, on a hypercube.
    Permutations,
    /// Message sets in delivery cycles on a fat-tree.
    Deliveries,
}

/// The reason why an algorithm does not support a use or a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// The algorithm does not support this use.
    NotSupported(Use),
    /// A built-in algorithm is made for these uses instead.
    OtherUse(&'static [Use]),
    /// Worms: the algorithm chooses for the whole network at once, but each header decides for
    /// itself.
    WholeNetwork,
    /// The algorithm is a bound: it takes the best criterion for each pair, which no moving message
    /// can do.
    Bound,
    /// Worms: the paths require global knowledge, but a header decides from local knowledge.
    KnownFromEverywhere,
    /// Worms: the algorithm draws a dimension blindly, but a header requests live channels.
    Blind,
    /// Worms: the algorithm goes around block faults, which hypercubes do not have.
    Blocks,
    /// Circuits: user-defined rules set up none, for this reason.
    NoCircuits(&'static str),
    /// Worms: the algorithm has this requirement, which the network does not meet.
    NetworkRequirement(&'static str),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSupported(Use::Messages) => "sends no single messages",
            Self::NotSupported(Use::Circuits) => "sets up no circuits",
            Self::NotSupported(Use::Pairs) => "has no permitted paths to look for",
            Self::NotSupported(Use::Worms) => "sends no worms",
            Self::NotSupported(Use::Permutations) => "routes no permutations",
            Self::NotSupported(Use::Deliveries) => "chooses no delivery cycles",
            Self::OtherUse([Use::Deliveries, ..]) => "is defined on fat-trees",
            Self::OtherUse([Use::Permutations, ..]) => "routes whole permutations and worms",
            Self::OtherUse([Use::Worms, ..]) => "is defined on meshes",
            Self::OtherUse(_) => "compares whole networks",
            Self::WholeNetwork => "chooses for the whole network at once, by the pairs cut off",
            Self::Bound => "is a bound, no routing: messages that chose so, one by one, would deadlock",
            Self::KnownFromEverywhere => {
                "follows paths that are known from everywhere, and a header decides where it is"
            }
            Self::Blind => "draws a dimension blindly, and a worm asks for live channels",
            Self::Blocks => {
                return f.write_str(
                    "wants a mesh with block faults: for a hypercube of up to five dimensions as one, write net=mesh:2x2x2",
                );
            }
            Self::NoCircuits(why) => return write!(f, "sets up no circuits: {why}"),
            Self::NetworkRequirement(wants) => return write!(f, "wants {wants}"),
        })
    }
}

impl std::error::Error for Misfit {}

impl Algorithm {
    /// Checks that the algorithm supports a use on some network.
    ///
    /// # Errors
    /// Returns the reason if it does not.
    pub fn can(&self, what: Use) -> Result<(), Misfit> {
        let does = match (what, &self.method) {
            (Use::Permutations, method) => matches!(method, Method::Oblivious(_)),
            (Use::Deliveries, method) => matches!(method, Method::Delivery(_)),
            (Use::Worms, _) => self.worm.is_some(),
            (Use::Messages, method) => matches!(method, Method::Local(_) | Method::Criterion(_) | Method::Global),
            (Use::Circuits, _) => self.circuits().is_some(),
            (Use::Pairs, method) => {
                matches!(method, Method::Criterion(_) | Method::Better(_) | Method::Bound(_))
            }
        };
        if does { Ok(()) } else { Err(self.lacks(what)) }
    }

    /// Returns the reason why the algorithm does not support a use.
    fn lacks(&self, what: Use) -> Misfit {
        match (what, &self.method) {
            (_, Method::Bound(_)) => Misfit::Bound,
            (Use::Circuits, Method::Local(routing)) => routing
                .user_routing()
                .and_then(|user| user.check_circuits().err())
                .unwrap_or(Misfit::NotSupported(what)),
            (Use::Permutations | Use::Deliveries, _) => Misfit::NotSupported(what),
            (_, Method::Delivery(_)) => Misfit::OtherUse(&[Use::Deliveries]),
            (_, Method::Oblivious(_)) => Misfit::OtherUse(&[Use::Permutations, Use::Worms]),
            (_, Method::Mesh) => Misfit::OtherUse(&[Use::Worms]),
            (Use::Messages, Method::Better(_)) => Misfit::OtherUse(&[Use::Pairs]),
            (Use::Worms, Method::Better(_)) => Misfit::WholeNetwork,
            (Use::Worms, Method::Global) => Misfit::KnownFromEverywhere,
            (Use::Worms, Method::Local(_)) => Misfit::Blind,
            _ => Misfit::NotSupported(what),
        }
    }

    /// Checks that the algorithm supports a use on `network`, whose size matters only to worms.
    ///
    /// # Errors
    /// Returns the reason if it does not.
    pub fn fits(&self, what: Use, network: Network) -> Result<(), Misfit> {
        self.can(what)?;
        if what != Use::Worms {
            return Ok(());
        }
        let is_user_defined = self.worm.as_ref().is_some_and(|worm| worm.user_routing().is_some());
        if matches!(self.method, Method::Mesh) && network.cube().is_some() && !is_user_defined {
            return Err(Misfit::Blocks);
        }
        match self.worm.as_ref().zip(network.wormhole_mesh()) {
            Some((worm, mesh)) => worm.check_network(mesh),
            None => Ok(()),
        }
    }
}

/// Returns the ids of the [`ALGORITHMS`] that support a use on `network`, in their order.
pub fn suitable(what: Use, network: Network) -> Vec<&'static str> {
    ALGORITHMS
        .iter()
        .filter(|algorithm| algorithm.fits(what, network).is_ok())
        .map(|algorithm| &*algorithm.id)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_possible_follows_from_what_algorithms_are() {
        let on = |text: &str, what| suitable(what, Network::parse(text).unwrap()).join(",");
        assert_eq!(on("cube:4", Use::Circuits), "e-cube,up,dp,restricted-up,minimal,up-dp-mix");
        assert_eq!(on("cube:4", Use::Pairs), "e-cube,up,dp,restricted-up,up-or-dp,up-or-dp-per-pair,minimal,up-dp-mix");
        assert_eq!(on("tree:16", Use::Deliveries), "greedy,random-guess,random-prime,random-prime-repeated,valiant");
        assert_eq!(
            on("cube:9", Use::Permutations),
            "bit-fixing,valiant-brebner,general,algorithm-a,algorithm-b,kim-shin"
        );
        assert_eq!(on("torus:6x6", Use::Worms), "e-cube,f-cube2,f-cube4,f-cube2-either,f-cube1");
        assert!(
            on("cube:4", Use::Worms).contains("backtracking") && !on("cube:5", Use::Worms).contains("backtracking")
        );
        assert!(!on("mesh:4x4x4", Use::Worms).contains("f-cube2") && on("mesh:4x4x4", Use::Worms).contains("f-cube4"));
    }
}
