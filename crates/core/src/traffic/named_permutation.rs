//! Permutations of node addresses with standard names.

use super::AddressPermutations;
use crate::names;
use crate::topology::NodeId;

/// Permutation of the nodes of a network by their addresses: every node sends to one other node.
///
/// The definitions are those of Dally & Towles, *Principles and Practices of Interconnection
/// Networks*, section 3.2. With b address bits, the permutations of bits need 2^b nodes. The two
/// transpositions need a square mesh or a hypercube, and the permutations of coordinates a mesh
/// or torus with more than two nodes in some dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedPermutation {
    /// The opposite node: every address bit is inverted; in a mesh, every coordinate is replaced
    /// by its distance from the highest one.
    Complement,
    /// Row and column of a square mesh are exchanged. In a hypercube, the address is rotated by
    /// floor(n/2) bits, which exchanges its halves for even n.
    Transpose,
    /// The opposite of the transposed node: a reflection in the other diagonal.
    AntiTranspose,
    /// Bit i of the destination is bit b - 1 - i of the source.
    BitReversal,
    /// The bits are rotated by one position to the left: bit i of the destination is bit i - 1 of
    /// the source.
    Shuffle,
    /// The bits are rotated by one position to the right, the inverse of the shuffle.
    BitRotation,
    /// The highest and the lowest bit are exchanged.
    Butterfly,
    /// Every coordinate x becomes x + ceil(k/2) - 1, modulo the k nodes in its dimension.
    Tornado,
    /// Every coordinate x becomes x + 1, modulo the nodes in its dimension.
    Neighbor,
}

names!(NamedPermutation {
    Complement: "complement",
    Transpose: "transpose",
    AntiTranspose: "anti-transpose",
    BitReversal: "bit-reversal",
    Shuffle: "shuffle",
    BitRotation: "rotation",
    Butterfly: "butterfly",
    Tornado: "tornado",
    Neighbor: "neighbor",
});

/// Names that other simulators (BookSim, Garnet, Noxim) and the literature use, in lower case
/// without separators, and the names here.
const ALIASES: [(&str, NamedPermutation); 14] = [
    ("bitcomp", NamedPermutation::Complement),
    ("bitcomplement", NamedPermutation::Complement),
    ("transpose1", NamedPermutation::AntiTranspose),
    ("transpose2", NamedPermutation::Transpose),
    ("matrixtranspose", NamedPermutation::Transpose),
    ("antitranspose", NamedPermutation::AntiTranspose),
    ("bitrev", NamedPermutation::BitReversal),
    ("bitreverse", NamedPermutation::BitReversal),
    ("bitreversal", NamedPermutation::BitReversal),
    ("perfectshuffle", NamedPermutation::Shuffle),
    ("bitshuffle", NamedPermutation::Shuffle),
    ("bitrotation", NamedPermutation::BitRotation),
    ("nearestneighbor", NamedPermutation::Neighbor),
    ("neighbour", NamedPermutation::Neighbor),
];

impl NamedPermutation {
    /// The permutations that are defined on every hypercube, in display order.
    pub const ON_HYPERCUBES: [Self; 7] = [
        Self::Transpose,
        Self::BitReversal,
        Self::Complement,
        Self::AntiTranspose,
        Self::Shuffle,
        Self::BitRotation,
        Self::Butterfly,
    ];

    /// Parses a name or an alias from another simulator, such as `bit_reverse`.
    pub fn parse_alias(text: &str) -> Option<Self> {
        let plain: String = text.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ')).collect();
        let alias = |plain: &str| ALIASES.iter().find(|(alias, _)| *alias == plain).map(|(_, one)| *one);
        Self::parse(text).or_else(|| Self::parse(&plain)).or_else(|| alias(&plain.to_ascii_lowercase()))
    }

    /// Returns the display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::BitReversal => "bit reversal",
            Self::AntiTranspose => "transpose, other diagonal",
            Self::BitRotation => "bit rotation",
            other => other.id(),
        }
    }

    /// Returns what a network needs for the permutation, as the end of a sentence.
    pub fn requirement(self) -> &'static str {
        match self {
            Self::Complement => "needs nothing",
            Self::Transpose | Self::AntiTranspose => "needs a square mesh or torus, or a hypercube",
            Self::BitReversal | Self::Shuffle | Self::BitRotation | Self::Butterfly => {
                "needs a number of nodes that is a power of two"
            }
            Self::Tornado | Self::Neighbor => "needs a mesh or torus with more than 2 nodes in some dimension",
        }
    }

    /// Returns the destination of `source`, or `None` if the permutation is not defined on
    /// `network`. Cost: proportional to the number of dimensions.
    pub fn image(self, network: impl AddressPermutations, source: NodeId) -> Option<NodeId> {
        match self {
            Self::Complement => Some(network.opposite(source)),
            Self::Transpose => network.transposed(source),
            Self::AntiTranspose => network.transposed(source).map(|node| network.opposite(node)),
            Self::Tornado => network.shifted(source, |radix| radix.div_ceil(2) - 1),
            Self::Neighbor => network.shifted(source, |_| 1),
            Self::BitReversal | Self::Shuffle | Self::BitRotation | Self::Butterfly => {
                let bits = u32::from(network.address_bits()?).max(1);
                Some(NodeId(self.permute_bits(source.0 & (u64::MAX >> (64 - bits)), bits)))
            }
        }
    }

    /// Permutes the lowest `bits` bits of an address, which are at least 1; the others must be 0.
    fn permute_bits(self, address: u64, bits: u32) -> u64 {
        let (last, mask) = (bits - 1, u64::MAX >> (64 - bits));
        match self {
            Self::BitReversal => address.reverse_bits() >> (64 - bits),
            Self::Shuffle => (address << 1 | address >> last) & mask,
            Self::BitRotation => address >> 1 | (address & 1) << last,
            Self::Butterfly => {
                let differ = (address ^ address >> last) & 1;
                address ^ differ ^ differ << last
            }
            _ => address,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::topology::{Hypercube, Mesh};

    fn cube_image(permutation: NamedPermutation, n: u8, node: u64) -> u64 {
        permutation.image(Hypercube::new(n).unwrap(), NodeId(node)).unwrap().0
    }

    fn mesh(radices: &[u16]) -> Mesh {
        Mesh::from_radices(radices).unwrap()
    }

    #[test]
    fn images_match_the_definitions_in_bits() {
        assert_eq!(cube_image(NamedPermutation::Shuffle, 5, 0b10011), 0b00111);
        assert_eq!(cube_image(NamedPermutation::BitRotation, 5, 0b00111), 0b10011);
        assert_eq!(cube_image(NamedPermutation::Butterfly, 5, 0b00111), 0b10110);
        assert_eq!(cube_image(NamedPermutation::Butterfly, 5, 0b10111), 0b10111);
        assert_eq!(cube_image(NamedPermutation::AntiTranspose, 4, 0b0111), 0b0010);
        assert!(NamedPermutation::Tornado.image(Hypercube::new(4).unwrap(), NodeId(3)).is_none());
        for n in 1..=9 {
            for permutation in NamedPermutation::ON_HYPERCUBES {
                let images: BTreeSet<_> = (0..1 << n).map(|node| cube_image(permutation, n, node)).collect();
                assert_eq!(images.len(), 1 << n, "{permutation} on the {n}-cube");
            }
        }
    }

    #[test]
    fn images_match_the_definitions_in_coordinates() {
        let image = |permutation: NamedPermutation, mesh: Mesh, node: &str| {
            permutation.image(mesh, mesh.parse_node(node).unwrap()).map(|node| mesh.format_node(node))
        };
        let square = Mesh::new(8, 8).unwrap();
        let is = |node: &str| Some(node.to_owned());
        assert_eq!(image(NamedPermutation::Tornado, square, "1.6"), is("4.1"));
        assert_eq!(image(NamedPermutation::Tornado, Mesh::new(5, 5).unwrap(), "1.4"), is("3.1"));
        assert_eq!(image(NamedPermutation::Neighbor, square, "7.3"), is("0.4"));
        assert_eq!(image(NamedPermutation::AntiTranspose, square, "1.2"), is("5.6"));
        assert_eq!(image(NamedPermutation::Shuffle, square, "4.1"), is("0.3"));
        assert_eq!(image(NamedPermutation::Shuffle, Mesh::new(5, 5).unwrap(), "0.1"), None);
        assert_eq!(image(NamedPermutation::AntiTranspose, Mesh::new(4, 8).unwrap(), "0.1"), None);
    }

    #[test]
    fn images_on_meshes_are_bijections() {
        for network in [mesh(&[4, 4]), mesh(&[8, 4]), mesh(&[5, 5]), mesh(&[3, 4, 2]), mesh(&[2, 2]).to_torus()] {
            for permutation in NamedPermutation::ALL {
                let images: Option<BTreeSet<_>> =
                    network.iter_nodes().map(|node| permutation.image(network, node)).collect();
                assert!(images.is_none_or(|all| all.len() == network.nodes() as usize), "{permutation} on {network}");
            }
        }
    }

    #[test]
    fn names_of_other_simulators_are_read() {
        for (text, id) in [
            ("bitcomp", "complement"),
            ("bit_complement", "complement"),
            ("bit-complement", "complement"),
            ("bitrev", "bit-reversal"),
            ("bit-reverse", "bit-reversal"),
            ("bit_rotation", "rotation"),
            ("BIT_REVERSAL", "bit-reversal"),
            ("TRANSPOSE1", "anti-transpose"),
            ("neighbour", "neighbor"),
        ] {
            assert_eq!(NamedPermutation::parse_alias(text).map(NamedPermutation::id), Some(id), "{text}");
        }
        assert_eq!(NamedPermutation::parse_alias("uniform"), None);
    }
}
