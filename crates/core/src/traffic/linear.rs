//! Linear-complement permutations of addresses (Chiu, Chalasani & Raghavendra, reference 2).

use std::fmt;

use crate::ParseError;
use crate::topology::NodeId;

/// An affine bijection of the addresses of n bits: `M x + v` over the integers modulo 2.
///
/// Transpose, bit reversal and complement are special cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearMap {
    /// Number of address bits.
    bits: u8,
    /// Rows of the matrix, the one of bit 0 first. Bit j of row i is the entry in column j.
    rows: [u32; LinearMap::MAX_BITS],
    /// The vector.
    offset: u32,
}

impl LinearMap {
    /// Largest number of address bits.
    pub const MAX_BITS: usize = 24;

    /// Prefix of the texts of traffic.
    const PREFIX: &'static str = "linear:";

    /// Parses a text such as `linear:4.2.1+7`: the bit reversal of three bits, then the complement.
    /// Returns `None` if the text does not begin with `linear:`.
    ///
    /// # Errors
    /// If a row or the vector is no hexadecimal number of at most n bits, for n rows, if there are
    /// more than [`LinearMap::MAX_BITS`] rows, or if the matrix has no inverse.
    pub fn parse(text: &str) -> Option<Result<Self, ParseError>> {
        text.strip_prefix(Self::PREFIX).map(Self::read)
    }

    /// Returns the map with the given images of all addresses of `bits` bits, which must be an affine
    /// bijection. Returns `None` above [`LinearMap::MAX_BITS`] bits. Cost: `bits` images.
    pub fn from_images(bits: u8, image: impl Fn(NodeId) -> NodeId) -> Option<Self> {
        let mut map = Self { bits, rows: [0; Self::MAX_BITS], offset: image(NodeId(0)).0 as u32 };
        for column in 0..bits {
            let flipped = image(NodeId(1 << column)).0 as u32 ^ map.offset;
            for (bit, row) in map.rows.iter_mut().enumerate() {
                *row |= (flipped >> bit & 1) << column;
            }
        }
        (usize::from(bits) <= Self::MAX_BITS).then_some(map)
    }

    /// Reads the rows and the vector.
    fn read(text: &str) -> Result<Self, ParseError> {
        let (matrix, vector) = text.split_once('+').unwrap_or((text, "0"));
        let bits = matrix.split('.').count();
        if bits > Self::MAX_BITS {
            return Err(format!("a matrix has at most {} rows, not {bits}", Self::MAX_BITS).into());
        }
        let word = |word: &str| {
            let read = u32::from_str_radix(word, 16).ok().filter(|read| !word.starts_with('+') && read >> bits == 0);
            read.ok_or_else(|| {
                ParseError::from(format!(
                    "\"{word}\" is not a hexadecimal number of at most {bits} bits, the number of rows, such as {:x}",
                    (1u32 << bits) - 1
                ))
            })
        };
        let mut map = Self { bits: bits as u8, rows: [0; Self::MAX_BITS], offset: word(vector)? };
        for (row, text) in map.rows.iter_mut().zip(matrix.split('.')) {
            *row = word(text)?;
        }
        if map.rank() < bits {
            return Err("the matrix has no inverse, so that several sources would have one destination: its rows are \
                        linearly dependent modulo 2"
                .into());
        }
        Ok(map)
    }

    /// Returns the number of address bits of the networks on which the permutation is defined.
    pub fn bits(self) -> u8 {
        self.bits
    }

    /// Returns the image of `node`, whose address has [`LinearMap::bits`] bits. Cost: a step for
    /// each bit.
    pub fn image(self, node: NodeId) -> NodeId {
        let parity = |row: &u32| u64::from((u64::from(*row) & node.0).count_ones() & 1);
        let rows = self.rows.iter().take(usize::from(self.bits)).enumerate();
        NodeId(rows.fold(u64::from(self.offset), |image, (bit, row)| image ^ parity(row) << bit))
    }

    /// Returns the mean number of bits in which a node and its image differ.
    ///
    /// Bit i differs if row i, less its entry in column i, plus bit i of the vector, is odd: for
    /// half of the nodes, unless that row is 0.
    pub fn mean_distance(self) -> f64 {
        let differs = |(bit, row): (usize, &u32)| match row ^ 1 << bit {
            0 => f64::from(self.offset >> bit & 1),
            _ => 0.5,
        };
        self.rows.iter().take(usize::from(self.bits)).enumerate().map(differs).sum()
    }

    /// Returns the rank of the matrix, by elimination.
    fn rank(self) -> usize {
        let mut rows = self.rows;
        let mut rank = 0;
        for bit in 0..self.bits {
            let Some(pivot) = (rank..rows.len()).find(|&row| rows[row] >> bit & 1 == 1) else { continue };
            rows.swap(rank, pivot);
            for row in rank + 1..rows.len() {
                if rows[row] >> bit & 1 == 1 {
                    rows[row] ^= rows[rank];
                }
            }
            rank += 1;
        }
        rank
    }
}

impl fmt::Display for LinearMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::PREFIX)?;
        for (number, row) in self.rows.iter().take(usize::from(self.bits)).enumerate() {
            write!(f, "{}{row:x}", if number > 0 { "." } else { "" })?;
        }
        if self.offset == 0 { Ok(()) } else { write!(f, "+{:x}", self.offset) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;
    use crate::topology::Hypercube;
    use crate::traffic::{AddressPermutations as _, NamedPermutation, Pattern};

    fn map(text: &str) -> LinearMap {
        LinearMap::parse(text).unwrap().unwrap()
    }

    /// Returns the text of the map whose row i is `row(i)`.
    fn text(n: u8, row: impl Fn(u8) -> u32, vector: u32) -> String {
        let rows: Vec<_> = (0..n).map(|bit| format!("{:x}", row(bit))).collect();
        format!("linear:{}+{vector:x}", rows.join("."))
    }

    #[test]
    fn named_permutations_are_special_cases() {
        for n in 1..=9u8 {
            let cube = Hypercube::new(n).unwrap();
            let reversal = map(&text(n, |bit| 1 << (n - 1 - bit), 0));
            let complement = map(&text(n, |bit| 1 << bit, (1 << n) - 1));
            let transpose = map(&text(n, |bit| 1 << ((bit + n - n / 2) % n), 0));
            assert_eq!(LinearMap::from_images(n, |node| transpose.image(node)), Some(transpose));
            assert_eq!(LinearMap::from_images(n, |node| cube.antipode(node)), Some(complement));
            for node in (0..=cube.mask()).map(NodeId) {
                assert_eq!(Some(reversal.image(node)), NamedPermutation::BitReversal.image(cube, node));
                assert_eq!(complement.image(node), cube.antipode(node));
                assert_eq!(Some(transpose.image(node)), cube.transposed(node));
            }
        }
    }

    /// A matrix is accepted if and only if its map is a bijection: (8 - 1)(8 - 2)(8 - 4) of the 512
    /// matrices of 3 x 3 are.
    #[test]
    fn accepted_matrices_are_the_bijections() {
        let mut accepted = 0;
        for word in 0..1u32 << 9 {
            let read = LinearMap::parse(&text(3, |bit| word >> (3 * bit) & 7, 5)).unwrap();
            let image = |node: u32| {
                (0..3).fold(5, |image, bit| image ^ ((word >> (3 * bit) & 7 & node).count_ones() & 1) << bit)
            };
            let mut images: Vec<_> = (0..8).map(image).collect();
            if let Ok(map) = &read {
                assert!((0..8).all(|node| map.image(NodeId(node.into())).0 == u64::from(image(node))));
                let distance = (0..8).map(|node: u32| f64::from((node ^ image(node)).count_ones())).sum::<f64>();
                assert_eq!(map.mean_distance(), distance / 8.0);
                assert_eq!(LinearMap::parse(&map.to_string()), Some(Ok(*map)));
                accepted += 1;
            }
            images.sort_unstable();
            images.dedup();
            assert_eq!(read.is_ok(), images.len() == 8, "{word:o}");
        }
        assert_eq!(accepted, (8 - 1) * (8 - 2) * (8 - 4));
    }

    #[test]
    fn random_large_maps_are_bijections() {
        let key = Key::from_seed(3);
        // Triangular matrices with ones on the diagonal have an inverse.
        let large = map(&text(12, |bit| (key.word_at(bit.into()) as u32 & ((1 << bit) - 1)) | 1 << bit, 0xabc));
        let images: std::collections::BTreeSet<_> = (0..1 << 12).map(|node| large.image(NodeId(node)).0).collect();
        assert_eq!((images.len(), images.last()), (1 << 12, Some(&0xfff)));
        let (four, three) = (Hypercube::new(4).unwrap(), Hypercube::new(3).unwrap());
        let pattern = Pattern::parse("linear:1.2.4").unwrap().unwrap();
        assert!(pattern.is_defined_on(three) && !pattern.is_defined_on(four));
    }

    #[test]
    fn errors_name_the_defect() {
        for (text, says) in [
            ("linear:1.2.4.8+10", "\"10\" is not a hexadecimal number of at most 4 bits"),
            ("linear:1.x.4", "\"x\" is not"),
            ("linear:1.2.8", "\"8\" is not a hexadecimal number of at most 3 bits"),
            ("linear:", "\"\" is not"),
            ("linear:1.2.3", "no inverse"),
            ("linear:0", "no inverse"),
        ] {
            let error = LinearMap::parse(text).unwrap().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        let long = ["1"; 25].join(".");
        assert!(LinearMap::parse(&format!("linear:{long}")).unwrap().is_err());
        assert_eq!(LinearMap::parse("transpose"), None);
    }
}
