//! Names of built-in port sets, with the networks on which each is defined.

use super::tree::{Atom, Family, NetworkKind};
use crate::topology::Network;

/// The networks on which a word is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Availability {
    /// All networks.
    Everywhere,
    /// Meshes and tori.
    Meshes,
    /// Meshes and tori of two dimensions: `mesh 2`, `torus 2`.
    Planes,
    /// Hypercubes.
    Cubes,
}

impl Availability {
    /// Returns whether the word is defined on `on`.
    pub(super) fn has(self, on: NetworkKind) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Meshes => on.family != Family::Cube,
            Self::Planes => on.family != Family::Cube && on.dimensions == Some(2),
            Self::Cubes => on.family == Family::Cube,
        }
    }

    /// Returns the name for error messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "all networks",
            Self::Meshes => "mesh and torus",
            Self::Planes => "mesh 2 and torus 2",
            Self::Cubes => "cube",
        }
    }
}

/// The built-in sets: name, set, description and networks. Self-explanatory names have no
/// description.
pub(super) static SETS: &[(&str, Atom, &str, Availability)] = &[
    ("minimal", Atom::Minimal, "on shortest paths", Availability::Everywhere),
    ("all", Atom::All, "all ports or dimensions", Availability::Everywhere),
    ("live", Atom::Live, "over a live link to a live node", Availability::Everywhere),
    ("faulty", Atom::Faulty, "to a faulty or disabled node or link, not to a border", Availability::Everywhere),
    ("back", Atom::Back, "to the previous node", Availability::Everywhere),
    ("ahead", Atom::Ahead, "straight on", Availability::Meshes),
    ("positive", Atom::Positive, "along which coordinates grow", Availability::Meshes),
    ("negative", Atom::Negative, "along which coordinates shrink", Availability::Meshes),
    ("wrapping", Atom::Wrapping, "whose path crosses the wraparound link", Availability::Meshes),
    ("disabled", Atom::Disabled, "to a live node deactivated to make a fault region convex", Availability::Meshes),
    ("ringed", Atom::Ringed, "to a node on a fault ring", Availability::Planes),
    ("single", Atom::Single, "that a single fault blocks", Availability::Planes),
    ("West", Atom::Compass(0), "", Availability::Planes),
    ("East", Atom::Compass(1), "", Availability::Planes),
    ("North", Atom::Compass(2), "", Availability::Planes),
    ("South", Atom::Compass(3), "", Availability::Planes),
    ("wrong", Atom::Wrong, "dimensions in which node and destination differ", Availability::Cubes),
    ("right", Atom::Right, "dimensions in which node and destination agree", Availability::Cubes),
    ("up", Atom::Up, "whose address bit is 0", Availability::Cubes),
    ("down", Atom::Down, "whose address bit is 1", Availability::Cubes),
];

/// Returns the names and descriptions of the built-in sets on `network`; self-explanatory names
/// have an empty description.
pub fn words_on(network: Network) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mesh = network.mesh().filter(|mesh| !mesh.is_cube());
    let is_torus = mesh.is_some_and(|mesh| mesh.is_torus());
    // Only `wrapping` is specific to tori; the filter below handles it.
    let family = if mesh.is_some() { Family::Mesh } else { Family::Cube };
    let on = NetworkKind { family, dimensions: mesh.map(|mesh| mesh.dimensions()) };
    let here = SETS.iter().filter(move |(_, atom, _, place)| place.has(on) && (is_torus || *atom != Atom::Wrapping));
    here.map(|&(word, _, meaning, _)| (word, meaning))
}

/// The reserved words of the language.
static RESERVED: &[&str] = &[
    "routing",
    "escape",
    "on",
    "mesh",
    "torus",
    "cube",
    "classes",
    "states",
    "start",
    "define",
    "in",
    "when",
    "otherwise",
    "always",
    "take",
    "before",
    "also",
    "class",
    "then",
    "nothing",
    "ring",
    "clockwise",
    "counter-clockwise",
    "either",
    "way",
    "of",
    "lowest",
    "highest",
    "and",
    "or",
    "not",
    "some",
    "no",
    "every",
    "is",
    "at",
    "source",
    "around",
    "destination",
    "column",
    "row",
    "coordinate",
    "even",
    "odd",
    "away",
    "dimension",
];

/// Returns whether `word` is reserved.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Returns the set called `word`: a built-in one of [`SETS`], or a port such as `0+`.
pub(super) fn atom(word: &str) -> Option<Atom> {
    let known = SETS.iter().find(|(name, ..)| *name == word).map(|&(_, atom, ..)| atom);
    let signed = || match word.as_bytes() {
        [dim @ b'0'..=b'4', sign @ (b'+' | b'-')] => Some(Atom::Signed(2 * (dim - b'0') + u8::from(*sign == b'+'))),
        _ => None,
    };
    known.or_else(signed)
}

/// Returns the networks on which `atom` is defined.
pub(super) fn availability(atom: Atom) -> Availability {
    match atom {
        Atom::Signed(_) | Atom::Away(_) => Availability::Meshes,
        Atom::Dimension(_) => Availability::Cubes,
        _ => SETS.iter().find(|(_, other, ..)| *other == atom).map_or(Availability::Everywhere, |&(.., place)| place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Hypercube, Mesh};

    #[test]
    fn set_names_are_documented_and_depend_on_the_network() {
        let manual = include_str!("../../../../../docs/rules.md");
        assert!(SETS.iter().all(|(word, ..)| manual.contains(&format!("`{word}`"))));
        let words = |network| words_on(network).map(|(word, _)| word).collect::<Vec<_>>();
        let mesh = |radices: &[u16]| Mesh::from_radices(radices).unwrap();
        let plane = words(Network::Mesh(mesh(&[4, 4])));
        assert_eq!(
            words(Network::Hypercube(Hypercube::new(4).unwrap())),
            ["minimal", "all", "live", "faulty", "back", "wrong", "right", "up", "down"]
        );
        assert!(plane.contains(&"East") && !plane.contains(&"wrapping"));
        assert!(words(Network::Mesh(mesh(&[4, 4]).to_torus())).contains(&"wrapping"));
        assert!(!words(Network::Mesh(mesh(&[4, 4, 4]))).contains(&"East"));
    }
}
