//! Binary n-cube: 2^n nodes, linked if their addresses differ in one bit.

use super::NodeId;

/// A hypercube of 1 to 64 dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hypercube {
    dimension: u8,
}

impl Hypercube {
    /// Largest dimension: the address of a node is one 64-bit word.
    pub const MAX_DIMENSION: u8 = 64;

    /// Returns the cube of `dimension` dimensions; `None` outside 1 to 64.
    pub const fn new(dimension: u8) -> Option<Self> {
        if 1 <= dimension && dimension <= Self::MAX_DIMENSION { Some(Self { dimension }) } else { None }
    }

    /// Returns the number of dimensions, n, which is also the degree of every node.
    #[inline]
    pub fn dimension(self) -> u8 {
        self.dimension
    }

    /// Returns a word with the n address bits set.
    #[inline]
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.dimension)
    }

    /// Returns whether `node` is an address of this cube.
    pub fn contains(self, node: NodeId) -> bool {
        node.0 & !self.mask() == 0
    }

    /// Returns the number of nodes other than a source and a destination: 2^n - 2.
    pub fn others(self) -> u64 {
        self.mask() - 1
    }

    /// Returns the number of nodes; `None` for n = 64, because 2^64 exceeds a `u64`.
    pub fn nodes(self) -> Option<u64> {
        self.mask().checked_add(1)
    }

    /// Returns the number of one-way links, n 2^n; `None` if the number exceeds a `u64`.
    pub fn links(self) -> Option<u64> {
        self.nodes()?.checked_mul(u64::from(self.dimension))
    }

    /// Returns the node across dimension `dim` (0 to n-1) from `node`.
    #[inline]
    pub fn neighbor(self, node: NodeId, dim: u8) -> NodeId {
        NodeId(node.0 ^ 1u64.wrapping_shl(u32::from(dim)))
    }

    /// Returns the n neighbours of `node`, by ascending dimension.
    pub fn neighbors(self, node: NodeId) -> impl Iterator<Item = NodeId> {
        (0..self.dimension).map(move |dim| self.neighbor(node, dim))
    }

    /// Returns the node at distance n from `node`.
    pub fn antipode(self, node: NodeId) -> NodeId {
        NodeId(node.0 ^ self.mask())
    }

    /// Returns the number of hops of a minimal path.
    pub fn distance(self, a: NodeId, b: NodeId) -> u32 {
        (a.0 ^ b.0).count_ones()
    }

    /// Formats the address of `node` as n binary digits, the highest dimension first.
    pub fn label(self, node: NodeId) -> String {
        format!("{:0width$b}", node.0, width = usize::from(self.dimension))
    }

    /// Parses a node: a decimal number, or binary after `0b`, or hexadecimal after `0x`. Returns
    /// `None` if the text is not a node of this cube.
    pub fn parse_node(self, text: &str) -> Option<NodeId> {
        let (digits, radix) = match text.get(..2) {
            Some("0b") => (&text[2..], 2),
            Some("0x") => (&text[2..], 16),
            _ => (text, 10),
        };
        let plain = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let node = NodeId(u64::from_str_radix(digits, radix).ok().filter(|_| plain)?);
        self.contains(node).then_some(node)
    }
}

/// Returns the dimensions whose bits are set in `mask`, ascending.
pub fn set_dimensions(mask: u64) -> impl Iterator<Item = u8> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let dim = (rest != 0).then(|| rest.trailing_zeros() as u8)?;
        rest &= rest - 1;
        Some(dim)
    })
}
