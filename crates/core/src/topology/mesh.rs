//! Meshes and tori of up to five dimensions: nodes on a grid, each linked with its neighbours in
//! every dimension.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Hypercube, Link, NodeId};

/// A port: a direction in which a link leaves a node. Its number is twice the dimension, plus one
/// if the coordinate grows.
///
/// Row links belong to dimension 0 and column links to dimension 1 (Boppana & Chalasani section
/// III.A). Columns count from the West, rows from the North.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Port(pub u8);

impl Port {
    /// Port to the next lower column.
    pub const WEST: Self = Self(0);
    /// Port to the next higher column.
    pub const EAST: Self = Self(1);
    /// Port to the next lower row.
    pub const NORTH: Self = Self(2);
    /// Port to the next higher row.
    pub const SOUTH: Self = Self(3);
    /// Port names, by number.
    const NAMES: [&str; 24] = [
        "West", "East", "North", "South", "2-", "2+", "3-", "3+", "4-", "4+", "5-", "5+", "6-", "6+", "7-", "7+", "8-",
        "8+", "9-", "9+", "10-", "10+", "11-", "11+",
    ];

    /// Returns the port along `dim` on which the coordinate grows or shrinks.
    #[inline]
    pub const fn along(dim: u8, grows: bool) -> Self {
        Self(2 * dim + grows as u8)
    }

    /// Returns the dimension of the port.
    #[inline]
    pub const fn dim(self) -> u8 {
        self.0 >> 1
    }

    /// Returns whether the coordinate grows along the port.
    #[inline]
    pub const fn grows(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the port in the opposite direction.
    #[inline]
    pub const fn opposite(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// Returns the bit of the port in a mask of ports.
    #[inline]
    pub const fn bit(self) -> PortMask {
        1 << self.0
    }

    /// Returns the name of the port: a compass direction in dimensions 0 and 1, otherwise the
    /// dimension and whether the coordinate grows.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

/// A set of ports: bit p is set if the set contains port p.
pub type PortMask = u32;

/// Returns the ports of a set, ascending.
#[inline]
pub fn iter_ports(mut ports: PortMask) -> impl Iterator<Item = Port> {
    std::iter::from_fn(move || {
        let port = (ports != 0).then(|| Port(ports.trailing_zeros() as u8))?;
        ports &= ports - 1;
        Some(port)
    })
}

/// A mesh, or a torus if it has wraparound links, of one to five dimensions, or a hypercube as the
/// (2, n)-mesh.
///
/// The coordinates of a node are (a_{n-1}, ..., a_1, a_0). The number of a node has the coordinates
/// as digits, a_0 the least significant. In two dimensions, the number is row * columns + column:
/// the node (a1, a0) of the paper is in row a1 and column a0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mesh {
    /// Number of coordinates by dimension; 1 above the last dimension.
    radices: [u16; Self::CUBE_DIMENSIONS as usize],
    dimensions: u8,
    wraps: bool,
    /// True for a hypercube, whose nodes and ports have other names.
    cube: bool,
}

impl Mesh {
    /// Maximum number of dimensions of a mesh.
    pub const MAX_DIMENSIONS: u8 = 5;
    /// Maximum number of dimensions of a hypercube.
    pub const CUBE_DIMENSIONS: u8 = 12;
    /// Maximum number of coordinates in a dimension.
    pub const MAX_RADIX: u16 = 1024;
    /// Maximum number of nodes.
    pub const MAX_NODES: u32 = 1 << 20;
    /// Maximum number of nodes of a mesh whose picture shows each node.
    pub const MAX_PICTURE_NODES: u32 = 4096;

    /// Returns the mesh of `rows` x `columns` nodes; `None` outside the limits of
    /// [`Mesh::from_radices`].
    pub const fn new(rows: u16, columns: u16) -> Option<Self> {
        let mut radices = [1; Self::CUBE_DIMENSIONS as usize];
        (radices[0], radices[1]) = (columns, rows);
        let inside = 1 <= rows && rows <= Self::MAX_RADIX && 1 <= columns && columns <= Self::MAX_RADIX;
        let several = rows > 1 || columns > 1;
        if inside && several { Some(Self { radices, dimensions: 2, wraps: false, cube: false }) } else { None }
    }

    /// Returns the mesh with the given `radices`, the highest dimension first.
    ///
    /// Returns `None` unless the mesh has 1 to [`Mesh::MAX_DIMENSIONS`] dimensions, each of 1 to
    /// [`Mesh::MAX_RADIX`] coordinates, and 2 to [`Mesh::MAX_NODES`] nodes.
    pub fn from_radices(radices: &[u16]) -> Option<Self> {
        let dimensions = u8::try_from(radices.len()).ok().filter(|n| (1..=Self::MAX_DIMENSIONS).contains(n))?;
        let mut mesh = Self { radices: [1; Self::CUBE_DIMENSIONS as usize], dimensions, wraps: false, cube: false };
        let mut nodes = 1u64;
        for (place, &radix) in mesh.radices.iter_mut().zip(radices.iter().rev()) {
            *place = Some(radix).filter(|radix| (1..=Self::MAX_RADIX).contains(radix))?;
            nodes *= u64::from(radix);
        }
        (2..=u64::from(Self::MAX_NODES)).contains(&nodes).then_some(mesh)
    }

    /// Returns the torus of the same shape, with wraparound links in every dimension of three or
    /// more coordinates.
    ///
    /// With two coordinates, wraparound links would duplicate existing links.
    pub fn to_torus(self) -> Self {
        Self { wraps: true, ..self }
    }

    /// Returns the hypercube of 1 to [`Mesh::CUBE_DIMENSIONS`] dimensions as the (2, n)-mesh. The
    /// number of a node is its address.
    pub fn from_cube(dimensions: u8) -> Option<Self> {
        let mut mesh = Self { radices: [1; Self::CUBE_DIMENSIONS as usize], dimensions, wraps: false, cube: true };
        let within = (1..=Self::CUBE_DIMENSIONS).contains(&dimensions);
        mesh.radices.iter_mut().take(usize::from(dimensions)).for_each(|radix| *radix = 2);
        within.then_some(mesh)
    }

    /// Returns the mesh with the same number of dimensions, each of `radix` coordinates; `None`
    /// outside the limits.
    pub fn with_radix(self, radix: u16) -> Option<Self> {
        let mesh = Self::from_radices(&vec![radix; usize::from(self.dimensions)])?;
        Some(Self { wraps: self.wraps, ..mesh })
    }

    /// Returns the node of this mesh with the coordinates of `node` of the mesh `other`.
    ///
    /// Coordinates of dimensions that only one of the meshes has are 0. Returns `None` if there is
    /// no such node.
    pub fn map_node_from(self, other: Self, node: NodeId) -> Option<NodeId> {
        let mut found = NodeId(0);
        for dim in 0..self.dimensions.max(other.dimensions) {
            let at = if dim < other.dimensions { other.coordinate(node, dim) } else { 0 };
            match dim < self.dimensions {
                true if at < self.radix(dim) => found = self.with_coordinate(found, dim, at),
                false if at == 0 => {}
                _ => return None,
            }
        }
        Some(found)
    }

    /// Returns the number of dimensions, n.
    #[inline]
    pub const fn dimensions(self) -> u8 {
        self.dimensions
    }

    /// Returns the number of coordinates of dimension `dim`; 1 above the last dimension.
    #[inline]
    pub const fn radix(self, dim: u8) -> u16 {
        self.radices[dim as usize]
    }

    /// Returns whether dimension `dim` has wraparound links.
    #[inline]
    pub const fn wraps(self, dim: u8) -> bool {
        self.wraps && self.radix(dim) > 2
    }

    /// Returns whether the mesh is declared as a torus; [`Mesh::wraps`] returns whether a given
    /// dimension has wraparound links.
    pub const fn is_torus(self) -> bool {
        self.wraps
    }

    /// Returns whether the mesh represents a hypercube, see [`Mesh::from_cube`]. An ordinary mesh
    /// of the same shape does not represent a hypercube.
    #[inline]
    pub const fn is_cube(self) -> bool {
        self.cube
    }

    /// Returns the hypercube that the mesh represents, if any.
    pub fn cube(self) -> Option<Hypercube> {
        Hypercube::new(self.dimensions).filter(|_| self.cube)
    }

    /// Returns whether the mesh has two dimensions: rows and columns.
    #[inline]
    pub const fn is_plane(self) -> bool {
        self.dimensions == 2
    }

    /// Returns the number of rows, k1.
    #[inline]
    pub const fn rows(self) -> u16 {
        self.radices[1]
    }

    /// Returns the number of columns, k0.
    #[inline]
    pub const fn columns(self) -> u16 {
        self.radices[0]
    }

    /// Returns the number of nodes.
    #[inline]
    pub const fn nodes(self) -> u32 {
        self.stride(self.dimensions)
    }

    /// Returns the difference of the numbers of two neighbours in dimension `dim`.
    #[inline]
    pub const fn stride(self, dim: u8) -> u32 {
        let (mut stride, mut below) = (1, 0);
        while below < dim {
            stride *= self.radices[below as usize] as u32;
            below += 1;
        }
        stride
    }

    /// Returns all nodes, ascending.
    pub fn iter_nodes(self) -> impl Iterator<Item = NodeId> {
        (0..u64::from(self.nodes())).map(NodeId)
    }

    /// Returns the number of ports of a node, two for each dimension. At the border of a mesh, some
    /// ports have no link.
    #[inline]
    pub const fn port_count(self) -> u32 {
        2 * self.dimensions as u32
    }

    /// Returns the ports of a node, ascending.
    #[inline]
    pub fn ports(self) -> impl Iterator<Item = Port> + Clone {
        (0..2 * self.dimensions).map(Port)
    }

    /// Returns the number of links. Each link is two channels, one in each direction.
    pub fn links(self) -> u32 {
        (0..self.dimensions).map(|dim| self.links_along(dim)).sum()
    }

    /// Returns the number of links along dimension `dim`.
    pub const fn links_along(self, dim: u8) -> u32 {
        let radix = self.radix(dim) as u32;
        self.nodes() / radix * (radix - !self.wraps(dim) as u32)
    }

    /// Returns the size of a table of one-way channels that is indexed by [`Mesh::channel`]. The
    /// table also has entries for channels that would lead out of the mesh.
    pub const fn channel_table_size(self) -> u32 {
        self.nodes() * self.port_count()
    }

    /// Returns the number of the channel out of `node` by `port`: node * ports + port.
    #[inline]
    pub const fn channel(self, node: NodeId, port: Port) -> u32 {
        node.0 as u32 * self.port_count() + port.0 as u32
    }

    /// Returns the node and port of a channel, the inverse of [`Mesh::channel`].
    #[inline]
    pub const fn channel_ends(self, channel: u32) -> (NodeId, Port) {
        (NodeId((channel / self.port_count()) as u64), Port((channel % self.port_count()) as u8))
    }

    /// Returns whether `node` is in the mesh.
    pub const fn contains(self, node: NodeId) -> bool {
        node.0 < self.nodes() as u64
    }

    /// Returns the node in `row` and `column`; `None` outside the mesh. In more than two
    /// dimensions, the other coordinates are 0.
    pub const fn node(self, row: i32, column: i32) -> Option<NodeId> {
        let inside = 0 <= row && row < self.rows() as i32 && 0 <= column && column < self.columns() as i32;
        if inside { Some(NodeId(row as u64 * self.columns() as u64 + column as u64)) } else { None }
    }

    /// Returns the row and column of `node`: its coordinates in dimensions 1 and 0.
    #[inline]
    pub const fn row_and_column(self, node: NodeId) -> (i32, i32) {
        let (node, columns) = (node.0 as u32, self.radices[0] as u32);
        let row = node / columns;
        let row = if self.dimensions == 2 { row } else { row % self.radices[1] as u32 };
        (row as i32, (node % columns) as i32)
    }

    /// Returns the coordinate of `node` in dimension `dim`.
    #[inline]
    pub const fn coordinate(self, node: NodeId, dim: u8) -> u16 {
        let node = node.0 as u32;
        // Fast paths that avoid divisions: most simulations use two dimensions.
        match dim {
            0 => (node % self.radices[0] as u32) as u16,
            1 if self.dimensions == 2 => (node / self.radices[0] as u32) as u16,
            _ => (node / self.stride(dim) % self.radix(dim) as u32) as u16,
        }
    }

    /// Returns `node` with another coordinate in dimension `dim`, which must be below the radix.
    #[inline]
    pub const fn with_coordinate(self, node: NodeId, dim: u8, coordinate: u16) -> NodeId {
        let stride = self.stride(dim) as u64;
        NodeId(node.0 - self.coordinate(node, dim) as u64 * stride + coordinate as u64 * stride)
    }

    /// Returns the neighbour of `node` at `port`; `None` at the border of a mesh.
    #[inline]
    pub const fn neighbor(self, node: NodeId, port: Port) -> Option<NodeId> {
        let (dim, stride) = (port.dim(), self.stride(port.dim()) as u64);
        let (at, last) = (self.coordinate(node, dim), self.radix(dim) - 1);
        let around = last as u64 * stride;
        match (port.grows(), at == if port.grows() { last } else { 0 }) {
            (true, false) => Some(NodeId(node.0 + stride)),
            (false, false) => Some(NodeId(node.0 - stride)),
            (true, true) if self.wraps(dim) => Some(NodeId(node.0 - around)),
            (false, true) if self.wraps(dim) => Some(NodeId(node.0 + around)),
            _ => None,
        }
    }

    /// Returns the minimal number of hops from coordinate `a` to `b` in dimension `dim`, and
    /// whether shrinking and growing coordinates achieve this minimum.
    #[inline]
    pub const fn offset(self, dim: u8, a: u16, b: u16) -> (u16, [bool; 2]) {
        let direct = a.abs_diff(b);
        if !self.wraps(dim) {
            return (direct, [b < a, b > a]);
        }
        // A growing coordinate takes `up` hops, a shrinking one `radix - up` hops.
        let radix = self.radix(dim);
        let up = if b >= a { direct } else { radix - direct };
        let down = if up == 0 { 0 } else { radix - up };
        (if up < down { up } else { down }, [down != 0 && down <= up, up != 0 && up <= down])
    }

    /// Returns the number of hops of a minimal path.
    pub fn distance(self, a: NodeId, b: NodeId) -> u32 {
        let hops = |dim| self.offset(dim, self.coordinate(a, dim), self.coordinate(b, dim)).0;
        (0..self.dimensions).map(|dim| u32::from(hops(dim))).sum()
    }

    /// Returns the largest distance of two nodes.
    pub fn diameter(self) -> u32 {
        let most = |dim| if self.wraps(dim) { self.radix(dim) / 2 } else { self.radix(dim) - 1 };
        (0..self.dimensions).map(|dim| u32::from(most(dim))).sum()
    }

    /// Returns the mean distance in hops of two nodes that are chosen independently.
    ///
    /// A dimension of radix k contributes (k^2 - 1) / 3k. With wraparound links, it contributes k /
    /// 4 if k is even and (k^2 - 1) / 4k if k is odd.
    pub fn mean_distance(self) -> f64 {
        let mean = |dim| {
            let radix = f64::from(self.radix(dim));
            match self.wraps(dim) {
                false => (radix * radix - 1.0) / (3.0 * radix),
                true => (radix * radix - radix % 2.0) / (4.0 * radix),
            }
        };
        (0..self.dimensions).map(mean).sum()
    }

    /// Returns the ports that bring a message from `here` nearer to `there`. In a ring of a torus,
    /// both ports of a dimension are minimal at half the circumference.
    #[inline]
    pub const fn minimal_ports(self, here: NodeId, there: NodeId) -> PortMask {
        if self.dimensions == 2 && !self.wraps {
            let ((r, c), (s, d)) = (self.row_and_column(here), self.row_and_column(there));
            return ((d < c) as PortMask)
                | ((d > c) as PortMask) << 1
                | ((s < r) as PortMask) << 2
                | ((s > r) as PortMask) << 3;
        }
        self.minimal_ports_general(here, there)
    }

    /// Returns the minimal ports in any number of dimensions; out of line to keep the
    /// two-dimensional case fast.
    #[inline(never)]
    const fn minimal_ports_general(self, here: NodeId, there: NodeId) -> PortMask {
        let (mut a, mut b) = (here.0 as u32, there.0 as u32);
        let (mut ports, mut dim) = (0, 0);
        while dim < self.dimensions {
            let radix = self.radix(dim) as u32;
            let (_, [down, up]) = self.offset(dim, (a % radix) as u16, (b % radix) as u16);
            ports |= (down as PortMask | (up as PortMask) << 1) << (2 * dim);
            (a, b, dim) = (a / radix, b / radix, dim + 1);
        }
        ports
    }

    /// Returns the name of `port` in this mesh: in a hypercube, the dimension and whether the bit
    /// becomes 1, otherwise [`Port::name`].
    pub fn port_name(self, port: Port) -> &'static str {
        let planar = ["0-", "0+", "1-", "1+"].get(usize::from(port.0)).filter(|_| self.cube);
        planar.copied().unwrap_or(port.name())
    }

    /// Formats a node as its coordinates, the highest dimension first: `ROW.COLUMN`. A node of a
    /// hypercube is formatted as its number.
    pub fn format_node(self, node: NodeId) -> String {
        if self.cube {
            return node.to_string();
        }
        let parts: Vec<_> = (0..self.dimensions).rev().map(|dim| self.coordinate(node, dim).to_string()).collect();
        parts.join(".")
    }

    /// Parses a node: its coordinates from 0, the highest dimension first, such as `ROW.COLUMN`.
    ///
    /// In a hypercube, the syntax is that of [`Hypercube::parse_node`]. Returns `None` if the text
    /// is not a node of this mesh.
    pub fn parse_node(self, text: &str) -> Option<NodeId> {
        if let Some(cube) = self.cube() {
            return cube.parse_node(text);
        }
        let parts: Vec<_> = text.split('.').collect();
        if parts.len() != usize::from(self.dimensions) {
            return None;
        }
        let places = (0..self.dimensions).rev().zip(parts);
        let mut node = 0;
        for (dim, part) in places {
            let coordinate = coordinate(part).filter(|&at| at < self.radix(dim))?;
            node += u64::from(coordinate) * u64::from(self.stride(dim));
        }
        Some(NodeId(node))
    }

    /// Returns the link at `port` of `node`; `None` at the border of a mesh.
    ///
    /// The link is named by the end from which it leads to the higher coordinate, or around a torus
    /// to 0.
    pub const fn link(self, node: NodeId, port: Port) -> Option<Link> {
        match self.neighbor(node, port) {
            Some(other) => Some(Link { from: if port.grows() { node } else { other }, dim: port.dim() }),
            None => None,
        }
    }

    /// Returns the end of `link` that is not `from`; `None` if there is no such link.
    pub fn link_end(self, link: Link) -> Option<NodeId> {
        let inside = self.contains(link.from) && link.dim < self.dimensions;
        inside.then(|| self.neighbor(link.from, Port::along(link.dim, true))).flatten()
    }

    /// Returns all links, ascending.
    pub fn iter_links(self) -> impl Iterator<Item = Link> {
        let links = self.iter_nodes().flat_map(move |from| (0..self.dimensions).map(move |dim| Link { from, dim }));
        links.filter(move |&link| self.link_end(link).is_some())
    }

    /// Formats a link as its two ends with a hyphen. The lower end comes first, except for a
    /// wraparound link.
    pub fn format_link(self, link: Link) -> String {
        let to = self.link_end(link).map(|to| self.format_node(to)).unwrap_or_default();
        format!("{}-{to}", self.format_node(link.from))
    }

    /// Parses a link from its two ends, in either order, such as `3.4-4.4`. Returns `None` if there
    /// is no such link.
    pub fn parse_link(self, text: &str) -> Option<Link> {
        let (a, b) = text.split_once('-')?;
        let (a, b) = (self.parse_node(a)?, self.parse_node(b)?);
        let port = self.ports().find(|&port| self.neighbor(a, port) == Some(b))?;
        self.link(a, port)
    }

    /// Parses a mesh from its radices, the highest dimension first: `ROWSxCOLUMNS`, `4x4x4`.
    /// Returns `None` if the text is not a mesh.
    pub fn parse(text: &str) -> Option<Self> {
        let radices: Option<Vec<_>> = text.split('x').map(coordinate).collect();
        Self::from_radices(&radices?)
    }
}

/// Parses a decimal number of at most four digits.
fn coordinate(text: &str) -> Option<u16> {
    let plain = !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let radices: Vec<_> = (0..self.dimensions).rev().map(|dim| self.radix(dim).to_string()).collect();
        f.write_str(&radices.join("x"))
    }
}
