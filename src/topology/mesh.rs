//! The two-dimensional mesh: nodes on a grid, each linked with its neighbours in its row and its column.

use std::fmt;

use super::{Link, NodeId};

/// One of the directions in which links leave a node: twice the dimension, plus one where its coordinate grows.
///
/// Row links are dimension 0, column links dimension 1 (Boppana & Chalasani section III.A); columns count from the West,
/// rows from the North.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port(pub u8);

impl Port {
    /// To the next lower column.
    pub const WEST: Self = Self(0);
    /// To the next higher column.
    pub const EAST: Self = Self(1);
    /// To the next lower row.
    pub const NORTH: Self = Self(2);
    /// To the next higher row.
    pub const SOUTH: Self = Self(3);
    /// The ports of a two-dimensional mesh.
    pub const ALL: [Self; 4] = [Self::WEST, Self::EAST, Self::NORTH, Self::SOUTH];

    /// The port along `dim`, where the coordinate grows or shrinks.
    #[inline]
    pub const fn along(dim: u8, grows: bool) -> Self {
        Self(2 * dim + grows as u8)
    }

    /// The dimension it runs along.
    #[inline]
    pub const fn dim(self) -> u8 {
        self.0 >> 1
    }

    /// Whether the coordinate grows.
    #[inline]
    pub const fn grows(self) -> bool {
        self.0 & 1 == 1
    }

    /// The port back.
    #[inline]
    pub const fn opposite(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// Its bit in a mask of ports.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self.0
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WEST => "West",
            Self::EAST => "East",
            Self::NORTH => "North",
            _ => "South",
        }
    }
}

/// A mesh of 1 to 64 rows and columns, of at least two nodes. Node number row * columns + column; the node (a1, a0) of
/// the paper is in row a1 and column a0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mesh {
    rows: u16,
    columns: u16,
}

impl Mesh {
    /// The most rows and the most columns.
    pub const MAX_RADIX: u16 = 64;

    /// The number of ports of a node, the mesh's border included, where some lead nowhere.
    pub const PORTS: u32 = 4;

    /// The mesh of so many rows and columns; `None` outside 1 to 64 or for a single node.
    pub const fn new(rows: u16, columns: u16) -> Option<Self> {
        let fits = 1 <= rows && rows <= Self::MAX_RADIX && 1 <= columns && columns <= Self::MAX_RADIX;
        if fits && rows * columns > 1 { Some(Self { rows, columns }) } else { None }
    }

    /// The number of rows, k1.
    #[inline]
    pub const fn rows(self) -> u16 {
        self.rows
    }

    /// The number of columns, k0.
    #[inline]
    pub const fn columns(self) -> u16 {
        self.columns
    }

    /// The number of nodes.
    #[inline]
    pub const fn nodes(self) -> u32 {
        self.rows as u32 * self.columns as u32
    }

    /// Every node, ascending.
    pub fn all(self) -> impl Iterator<Item = NodeId> {
        (0..u64::from(self.nodes())).map(NodeId)
    }

    /// The number of links, each of two channels, one in each direction.
    pub const fn links(self) -> u32 {
        let (rows, columns) = (self.rows as u32, self.columns as u32);
        rows * (columns - 1) + columns * (rows - 1)
    }

    /// The number of one-way channels that a table by [`Mesh::channel`] has room for; those out of the mesh included.
    pub const fn channels(self) -> u32 {
        self.nodes() * Self::PORTS
    }

    /// The number of the channel out of `node` by `port`: node * 4 + port.
    #[inline]
    pub const fn channel(self, node: NodeId, port: Port) -> u32 {
        node.0 as u32 * Self::PORTS + port.0 as u32
    }

    /// The node and port of a channel, the inverse of [`Mesh::channel`].
    #[inline]
    pub const fn channel_ends(self, channel: u32) -> (NodeId, Port) {
        (NodeId((channel / Self::PORTS) as u64), Port((channel % Self::PORTS) as u8))
    }

    /// Whether `node` is one of its nodes.
    pub const fn contains(self, node: NodeId) -> bool {
        node.0 < self.nodes() as u64
    }

    /// The node in `row` and `column`; `None` if there is none.
    pub const fn node(self, row: i32, column: i32) -> Option<NodeId> {
        let inside = 0 <= row && row < self.rows as i32 && 0 <= column && column < self.columns as i32;
        if inside { Some(NodeId(row as u64 * self.columns as u64 + column as u64)) } else { None }
    }

    /// Row and column of `node`.
    #[inline]
    pub const fn place(self, node: NodeId) -> (i32, i32) {
        let (node, columns) = (node.0 as u32, self.columns as u32);
        ((node / columns) as i32, (node % columns) as i32)
    }

    /// The neighbour of `node` at `port`; `None` at the mesh's border.
    #[inline]
    pub const fn neighbor(self, node: NodeId, port: Port) -> Option<NodeId> {
        let (row, column) = self.place(node);
        match port {
            Port::WEST => self.node(row, column - 1),
            Port::EAST => self.node(row, column + 1),
            Port::NORTH => self.node(row - 1, column),
            _ => self.node(row + 1, column),
        }
    }

    /// The number of hops of a minimal path.
    pub const fn distance(self, a: NodeId, b: NodeId) -> u32 {
        let ((r, c), (s, d)) = (self.place(a), self.place(b));
        r.abs_diff(s) + c.abs_diff(d)
    }

    /// The ports that take a message from `here` nearer to `there`, as a mask.
    #[inline]
    pub const fn minimal_ports(self, here: NodeId, there: NodeId) -> u8 {
        let ((r, c), (s, d)) = (self.place(here), self.place(there));
        ((d < c) as u8) | ((d > c) as u8) << 1 | ((s < r) as u8) << 2 | ((s > r) as u8) << 3
    }

    /// The node as `ROW.COLUMN`.
    pub fn label(self, node: NodeId) -> String {
        let (row, column) = self.place(node);
        format!("{row}.{column}")
    }

    /// Reads a node: `ROW.COLUMN`, both from 0. `None` if it is no node of this mesh.
    pub fn parse_node(self, text: &str) -> Option<NodeId> {
        let (row, column) = text.split_once('.')?;
        self.node(coordinate(row)?, coordinate(column)?)
    }

    /// The link at `port` of `node`, by its end with the lower coordinate; `None` at the mesh's border.
    pub const fn link(self, node: NodeId, port: Port) -> Option<Link> {
        match self.neighbor(node, port) {
            Some(other) => Some(Link { from: if port.grows() { node } else { other }, dim: port.dim() }),
            None => None,
        }
    }

    /// The end of `link` with the higher coordinate; `None` if the mesh has no such link.
    pub fn link_end(self, link: Link) -> Option<NodeId> {
        let inside = self.contains(link.from) && link.dim < 2;
        inside.then(|| self.neighbor(link.from, Port::along(link.dim, true))).flatten()
    }

    /// Every link, ascending.
    pub fn all_links(self) -> impl Iterator<Item = Link> {
        let links = self.all().flat_map(|from| (0..2).map(move |dim| Link { from, dim }));
        links.filter(move |&link| self.link_end(link).is_some())
    }

    /// The link as `ROW.COLUMN-ROW.COLUMN`, the lower end first.
    pub fn link_label(self, link: Link) -> String {
        let to = self.link_end(link).map(|to| self.label(to)).unwrap_or_default();
        format!("{}-{to}", self.label(link.from))
    }

    /// Reads a link, its two ends in either order: `3.4-4.4`. `None` if the mesh has no such link.
    pub fn parse_link(self, text: &str) -> Option<Link> {
        let (a, b) = text.split_once('-')?;
        let (a, b) = (self.parse_node(a)?, self.parse_node(b)?);
        let port = Port::ALL.into_iter().find(|&port| self.neighbor(a, port) == Some(b))?;
        self.link(a, port)
    }

    /// Reads a mesh from its size, `ROWSxCOLUMNS`. `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (rows, columns) = text.split_once('x')?;
        Self::new(coordinate(rows)? as u16, coordinate(columns)? as u16)
    }
}

/// A small number in plain digits.
fn coordinate(text: &str) -> Option<i32> {
    let plain = !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}
