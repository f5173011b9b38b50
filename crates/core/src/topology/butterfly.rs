//! Butterflies: rows of switches in levels, each level correcting one bit of the row.

use super::{Hypercube, Link, NodeId};

/// A butterfly of n levels of links: N = 2^n rows, and n + 1 levels of nodes.
///
/// Node (row, level) has the number level * N + row. From level l on, a straight link leads to the
/// same row of level l + 1, and a cross link to the row that differs in bit l. A row's processor is
/// attached to the input, its node of level 0, and to the output, its node of level n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Butterfly {
    /// Hypercube whose addresses are the rows.
    rows: Hypercube,
}

impl Butterfly {
    /// Largest number of levels of links: 1,114,112 nodes.
    pub const MAX_LEVELS: u8 = 16;

    /// Link of a node to the same row of the next level, as [`Link::dim`].
    pub const STRAIGHT: u8 = 0;

    /// Link of a node to another row of the next level, as [`Link::dim`].
    pub const CROSS: u8 = 1;

    /// Returns the butterfly of `levels` levels of links; `None` outside 1 to
    /// [`Butterfly::MAX_LEVELS`].
    pub const fn new(levels: u8) -> Option<Self> {
        match Hypercube::new(levels) {
            Some(rows) if levels <= Self::MAX_LEVELS => Some(Self { rows }),
            _ => None,
        }
    }

    /// Returns the number of levels of links, n.
    pub fn levels(self) -> u8 {
        self.rows.dimension()
    }

    /// Returns the number of rows, N = 2^n.
    pub fn rows(self) -> u32 {
        1 << self.levels()
    }

    /// Returns the number of nodes, (n + 1) 2^n.
    pub fn nodes(self) -> u32 {
        (u32::from(self.levels()) + 1) << self.levels()
    }

    /// Returns the number of links, n 2^(n+1). Messages cross a link from the lower level to the
    /// higher.
    pub fn links(self) -> u32 {
        u32::from(self.levels()) << (self.levels() + 1)
    }

    /// Returns the hypercube whose addresses are the rows.
    pub fn row_cube(self) -> Hypercube {
        self.rows
    }

    /// Returns the node of `row`, which exists, in `level`, at most n.
    pub fn node(self, row: u32, level: u8) -> NodeId {
        NodeId(u64::from(level) << self.levels() | u64::from(row))
    }

    /// Returns the row of `node`.
    pub fn row(self, node: NodeId) -> u32 {
        node.0 as u32 & (self.rows() - 1)
    }

    /// Returns the level of `node`.
    pub fn level(self, node: NodeId) -> u8 {
        (node.0 >> self.levels()) as u8
    }

    /// Returns whether `node` is a node of this butterfly.
    pub fn contains(self, node: NodeId) -> bool {
        node.0 < u64::from(self.nodes())
    }

    /// Returns the node that `link` enters; `None` if there is no such link.
    pub fn link_end(self, link: Link) -> Option<NodeId> {
        let level = self.level(link.from);
        let exists = self.contains(link.from) && level < self.levels() && link.dim <= Self::CROSS;
        exists.then(|| self.node(self.row(link.from) ^ u32::from(link.dim) << level, level + 1))
    }

    /// Returns the links of the only path from the input of row `from` to the output of row `to`:
    /// at level l it crosses if the rows differ in bit l.
    pub fn path(self, from: u32, to: u32) -> impl Iterator<Item = Link> {
        (0..self.levels()).map(move |level| {
            let corrected = (1u32 << level) - 1;
            let row = to & corrected | from & !corrected;
            Link { from: self.node(row, level), dim: ((from ^ to) >> level & 1) as u8 }
        })
    }

    /// Returns the number of links of a shortest path, in any direction.
    ///
    /// The path visits every level of links of which the rows differ in the bit.
    pub fn distance(self, a: NodeId, b: NodeId) -> u32 {
        let differing = self.row(a) ^ self.row(b);
        let (low, high) = (self.level(a).min(self.level(b)).into(), self.level(a).max(self.level(b)).into());
        if differing == 0 {
            return high - low;
        }
        let (first, end) = (differing.trailing_zeros(), u32::BITS - differing.leading_zeros());
        high - low + 2 * u32::saturating_sub(low, first) + 2 * end.saturating_sub(high)
    }

    /// Formats `node` as `ROW.LEVEL`.
    pub fn format_node(self, node: NodeId) -> String {
        format!("{}.{}", self.row(node), self.level(node))
    }

    /// Parses a node `ROW.LEVEL`, such as `5.2`. Returns `None` if the text is not a node.
    pub fn parse_node(self, text: &str) -> Option<NodeId> {
        let (row, level) = text.split_once('.')?;
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let row = row.parse().ok().filter(|&number| plain(row) && number < self.rows())?;
        let level = level.parse().ok().filter(|&number| plain(level) && number <= self.levels())?;
        Some(self.node(row, level))
    }
}
