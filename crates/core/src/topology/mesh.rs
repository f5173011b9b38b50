//! Meshes and tori of up to five dimensions: nodes on a grid, each linked with its neighbours in every dimension.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Hypercube, Link, NodeId};

/// One of the directions in which links leave a node: twice the dimension, plus one where its coordinate grows.
///
/// Row links are dimension 0, column links dimension 1 (Boppana & Chalasani section III.A); columns count from the West,
/// rows from the North.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// The names, in the order of their numbers.
    const NAMES: [&str; 24] = [
        "West", "East", "North", "South", "2-", "2+", "3-", "3+", "4-", "4+", "5-", "5+", "6-", "6+", "7-", "7+", "8-",
        "8+", "9-", "9+", "10-", "10+", "11-", "11+",
    ];

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
    pub const fn bit(self) -> Ports {
        1 << self.0
    }

    /// Its name: a direction in the plane of dimensions 1 and 0, else the dimension and whether the coordinate grows.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

/// A set of ports, one bit each.
pub type Ports = u32;

/// The ports of a set, ascending.
#[inline]
pub fn ports_of(mut ports: Ports) -> impl Iterator<Item = Port> {
    std::iter::from_fn(move || {
        let port = (ports != 0).then(|| Port(ports.trailing_zeros() as u8))?;
        ports &= ports - 1;
        Some(port)
    })
}

/// A mesh, or with wraparound links a torus: of one to five dimensions, or the hypercube as the (2, n)-mesh.
///
/// A node's coordinates are (a_{n-1}, ..., a_1, a_0), its number the one that they spell, a_0 the least significant: in two
/// dimensions row * columns + column, the node (a1, a0) of the paper being in row a1 and column a0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mesh {
    /// For each dimension, the number of coordinates; 1 above the last.
    radices: [u16; Self::CUBE_DIMENSIONS as usize],
    dimensions: u8,
    wraps: bool,
    /// Whether it stands for a hypercube: its nodes and links are named as there.
    cube: bool,
}

impl Mesh {
    /// The most dimensions.
    pub const MAX_DIMENSIONS: u8 = 5;
    /// The most dimensions of a hypercube.
    pub const CUBE_DIMENSIONS: u8 = 12;
    /// The most coordinates of a dimension.
    pub const MAX_RADIX: u16 = 1024;
    /// The most nodes.
    pub const MAX_NODES: u32 = 1 << 20;
    /// The most nodes of one that is drawn node by node.
    pub const MAX_DRAWN: u32 = 4096;

    /// The mesh of so many rows and columns; `None` outside of the limits, as [`Mesh::of`].
    pub const fn new(rows: u16, columns: u16) -> Option<Self> {
        let mut radices = [1; Self::CUBE_DIMENSIONS as usize];
        (radices[0], radices[1]) = (columns, rows);
        let inside = 1 <= rows && rows <= Self::MAX_RADIX && 1 <= columns && columns <= Self::MAX_RADIX;
        let several = rows > 1 || columns > 1;
        if inside && several { Some(Self { radices, dimensions: 2, wraps: false, cube: false }) } else { None }
    }

    /// The mesh of these radices, the highest dimension first; `None` unless it has 1 to [`Mesh::MAX_DIMENSIONS`] dimensions,
    /// each of 1 to [`Mesh::MAX_RADIX`] coordinates, and 2 to [`Mesh::MAX_NODES`] nodes.
    pub fn of(radices: &[u16]) -> Option<Self> {
        let dimensions = u8::try_from(radices.len()).ok().filter(|n| (1..=Self::MAX_DIMENSIONS).contains(n))?;
        let mut mesh = Self { radices: [1; Self::CUBE_DIMENSIONS as usize], dimensions, wraps: false, cube: false };
        let mut nodes = 1u64;
        for (place, &radix) in mesh.radices.iter_mut().zip(radices.iter().rev()) {
            *place = Some(radix).filter(|radix| (1..=Self::MAX_RADIX).contains(radix))?;
            nodes *= u64::from(radix);
        }
        (2..=u64::from(Self::MAX_NODES)).contains(&nodes).then_some(mesh)
    }

    /// The same with wraparound links in every dimension of three coordinates or more: of two, they would double the links
    /// that there are.
    pub fn wrapped(self) -> Self {
        Self { wraps: true, ..self }
    }

    /// The hypercube of 1 to [`Mesh::CUBE_DIMENSIONS`] dimensions as the (2, n)-mesh; a node's number is its address.
    pub fn of_cube(dimensions: u8) -> Option<Self> {
        let mut mesh = Self { radices: [1; Self::CUBE_DIMENSIONS as usize], dimensions, wraps: false, cube: true };
        let within = (1..=Self::CUBE_DIMENSIONS).contains(&dimensions);
        mesh.radices.iter_mut().take(usize::from(dimensions)).for_each(|radix| *radix = 2);
        within.then_some(mesh)
    }

    /// The same number of dimensions of `radix` coordinates each; `None` outside of the limits.
    pub fn with_radix(self, radix: u16) -> Option<Self> {
        let mesh = Self::of(&vec![radix; usize::from(self.dimensions)])?;
        Some(Self { wraps: self.wraps, ..mesh })
    }

    /// The node with the coordinates of `node` of another mesh; those of dimensions that only one of them has are 0. `None` if
    /// there is none.
    pub fn like(self, other: Self, node: NodeId) -> Option<NodeId> {
        let mut found = NodeId(0);
        for dim in 0..self.dimensions.max(other.dimensions) {
            let at = if dim < other.dimensions { other.coordinate(node, dim) } else { 0 };
            match dim < self.dimensions {
                true if at < self.radix(dim) => found = self.moved(found, dim, at),
                false if at == 0 => {}
                _ => return None,
            }
        }
        Some(found)
    }

    /// The number of dimensions, n.
    #[inline]
    pub const fn dimensions(self) -> u8 {
        self.dimensions
    }

    /// The number of coordinates of dimension `dim`; 1 above the last.
    #[inline]
    pub const fn radix(self, dim: u8) -> u16 {
        self.radices[dim as usize]
    }

    /// Whether dimension `dim` has wraparound links.
    #[inline]
    pub const fn wraps(self, dim: u8) -> bool {
        self.wraps && self.radix(dim) > 2
    }

    /// Whether it is a torus, as its text says; see [`Mesh::wraps`] for what its dimensions have.
    pub const fn is_torus(self) -> bool {
        self.wraps
    }

    /// Whether it stands for a hypercube, see [`Mesh::of_cube`]: not the mesh of the same shape.
    #[inline]
    pub const fn is_cube(self) -> bool {
        self.cube
    }

    /// The hypercube that it stands for.
    pub fn cube(self) -> Option<Hypercube> {
        Hypercube::new(self.dimensions).filter(|_| self.cube)
    }

    /// Whether it has two dimensions: rows and columns.
    #[inline]
    pub const fn is_plane(self) -> bool {
        self.dimensions == 2
    }

    /// The number of rows, k1.
    #[inline]
    pub const fn rows(self) -> u16 {
        self.radices[1]
    }

    /// The number of columns, k0.
    #[inline]
    pub const fn columns(self) -> u16 {
        self.radices[0]
    }

    /// The number of nodes.
    #[inline]
    pub const fn nodes(self) -> u32 {
        self.stride(self.dimensions)
    }

    /// How far apart the numbers of two nodes are that are neighbours in dimension `dim`.
    #[inline]
    pub const fn stride(self, dim: u8) -> u32 {
        let (mut stride, mut below) = (1, 0);
        while below < dim {
            stride *= self.radices[below as usize] as u32;
            below += 1;
        }
        stride
    }

    /// Every node, ascending.
    pub fn all(self) -> impl Iterator<Item = NodeId> {
        (0..u64::from(self.nodes())).map(NodeId)
    }

    /// The number of ports of a node, a mesh's border included, where some lead nowhere: two for each dimension.
    #[inline]
    pub const fn port_count(self) -> u32 {
        2 * self.dimensions as u32
    }

    /// The ports, ascending.
    #[inline]
    pub fn ports(self) -> impl Iterator<Item = Port> + Clone {
        (0..2 * self.dimensions).map(Port)
    }

    /// The number of links, each of two channels, one in each direction.
    pub fn links(self) -> u32 {
        (0..self.dimensions).map(|dim| self.links_along(dim)).sum()
    }

    /// The number of links along dimension `dim`.
    pub const fn links_along(self, dim: u8) -> u32 {
        let radix = self.radix(dim) as u32;
        self.nodes() / radix * (radix - !self.wraps(dim) as u32)
    }

    /// The number of one-way channels that a table by [`Mesh::channel`] has room for; those out of the mesh included.
    pub const fn channels(self) -> u32 {
        self.nodes() * self.port_count()
    }

    /// The number of the channel out of `node` by `port`: node * ports + port.
    #[inline]
    pub const fn channel(self, node: NodeId, port: Port) -> u32 {
        node.0 as u32 * self.port_count() + port.0 as u32
    }

    /// The node and port of a channel, the inverse of [`Mesh::channel`].
    #[inline]
    pub const fn channel_ends(self, channel: u32) -> (NodeId, Port) {
        (NodeId((channel / self.port_count()) as u64), Port((channel % self.port_count()) as u8))
    }

    /// Whether `node` is one of its nodes.
    pub const fn contains(self, node: NodeId) -> bool {
        node.0 < self.nodes() as u64
    }

    /// The node in `row` and `column`; of more dimensions, among those whose other coordinates are 0. `None` if there is none.
    pub const fn node(self, row: i32, column: i32) -> Option<NodeId> {
        let inside = 0 <= row && row < self.rows() as i32 && 0 <= column && column < self.columns() as i32;
        if inside { Some(NodeId(row as u64 * self.columns() as u64 + column as u64)) } else { None }
    }

    /// Row and column of `node`: its coordinates in dimensions 1 and 0.
    #[inline]
    pub const fn place(self, node: NodeId) -> (i32, i32) {
        let (node, columns) = (node.0 as u32, self.radices[0] as u32);
        let row = node / columns;
        let row = if self.dimensions == 2 { row } else { row % self.radices[1] as u32 };
        (row as i32, (node % columns) as i32)
    }

    /// The coordinate of `node` in dimension `dim`.
    #[inline]
    pub const fn coordinate(self, node: NodeId, dim: u8) -> u16 {
        let node = node.0 as u32;
        // Divisions cost, and the plane is what is simulated most.
        match dim {
            0 => (node % self.radices[0] as u32) as u16,
            1 if self.dimensions == 2 => (node / self.radices[0] as u32) as u16,
            _ => (node / self.stride(dim) % self.radix(dim) as u32) as u16,
        }
    }

    /// `node` with another coordinate in dimension `dim`, which has to be below its radix.
    #[inline]
    pub const fn moved(self, node: NodeId, dim: u8, coordinate: u16) -> NodeId {
        let stride = self.stride(dim) as u64;
        NodeId(node.0 - self.coordinate(node, dim) as u64 * stride + coordinate as u64 * stride)
    }

    /// The neighbour of `node` at `port`; `None` at a mesh's border.
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

    /// The hops from coordinate `a` to `b` in dimension `dim`, and the way or ways of that length: shrinking, growing.
    #[inline]
    pub const fn offset(self, dim: u8, a: u16, b: u16) -> (u16, [bool; 2]) {
        let direct = a.abs_diff(b);
        if !self.wraps(dim) {
            return (direct, [b < a, b > a]);
        }
        // Growing takes `up` hops, shrinking the rest of the circle.
        let radix = self.radix(dim);
        let up = if b >= a { direct } else { radix - direct };
        let down = if up == 0 { 0 } else { radix - up };
        (if up < down { up } else { down }, [down != 0 && down <= up, up != 0 && up <= down])
    }

    /// The number of hops of a minimal path.
    pub fn distance(self, a: NodeId, b: NodeId) -> u32 {
        let hops = |dim| self.offset(dim, self.coordinate(a, dim), self.coordinate(b, dim)).0;
        (0..self.dimensions).map(|dim| u32::from(hops(dim))).sum()
    }

    /// The largest distance of two nodes.
    pub fn diameter(self) -> u32 {
        let most = |dim| if self.wraps(dim) { self.radix(dim) / 2 } else { self.radix(dim) - 1 };
        (0..self.dimensions).map(|dim| u32::from(most(dim))).sum()
    }

    /// The mean distance of two nodes that are drawn independently of each other, of a radix k in each dimension: (k^2 - 1) / 3k; with wrap-around links k / 4 of an
    /// even one, and (k^2 - 1) / 4k of an odd one. In hops.
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

    /// The ports that take a message from `here` nearer to `there`. Half way round a torus both ways do.
    #[inline]
    pub const fn minimal_ports(self, here: NodeId, there: NodeId) -> Ports {
        if self.dimensions == 2 && !self.wraps {
            let ((r, c), (s, d)) = (self.place(here), self.place(there));
            return ((d < c) as Ports) | ((d > c) as Ports) << 1 | ((s < r) as Ports) << 2 | ((s > r) as Ports) << 3;
        }
        self.minimal_ports_of_many(here, there)
    }

    /// The same in any number of dimensions, out of line: the plane is what is simulated most.
    #[inline(never)]
    const fn minimal_ports_of_many(self, here: NodeId, there: NodeId) -> Ports {
        let (mut a, mut b) = (here.0 as u32, there.0 as u32);
        let (mut ports, mut dim) = (0, 0);
        while dim < self.dimensions {
            let radix = self.radix(dim) as u32;
            let (_, [down, up]) = self.offset(dim, (a % radix) as u16, (b % radix) as u16);
            ports |= (down as Ports | (up as Ports) << 1) << (2 * dim);
            (a, b, dim) = (a / radix, b / radix, dim + 1);
        }
        ports
    }

    /// The name of `port` here: of a hypercube the dimension and whether the bit becomes 1, else [`Port::name`].
    pub fn port_name(self, port: Port) -> &'static str {
        let planar = ["0-", "0+", "1-", "1+"].get(usize::from(port.0)).filter(|_| self.cube);
        planar.copied().unwrap_or(port.name())
    }

    /// The node as its coordinates, the highest dimension first: `ROW.COLUMN`; of a hypercube, its number.
    pub fn label(self, node: NodeId) -> String {
        if self.cube {
            return node.to_string();
        }
        let parts: Vec<_> = (0..self.dimensions).rev().map(|dim| self.coordinate(node, dim).to_string()).collect();
        parts.join(".")
    }

    /// Reads a node: its coordinates from 0, the highest dimension first, such as `ROW.COLUMN`; of a hypercube as
    /// [`Hypercube::parse_node`]. `None` if it is no node of this mesh.
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

    /// The link at `port` of `node`, by the end from which it leads to the higher coordinate, or around a torus to 0; `None`
    /// at a mesh's border.
    pub const fn link(self, node: NodeId, port: Port) -> Option<Link> {
        match self.neighbor(node, port) {
            Some(other) => Some(Link { from: if port.grows() { node } else { other }, dim: port.dim() }),
            None => None,
        }
    }

    /// The end of `link` that is not `from`; `None` if there is no such link.
    pub fn link_end(self, link: Link) -> Option<NodeId> {
        let inside = self.contains(link.from) && link.dim < self.dimensions;
        inside.then(|| self.neighbor(link.from, Port::along(link.dim, true))).flatten()
    }

    /// Every link, ascending.
    pub fn all_links(self) -> impl Iterator<Item = Link> {
        let links = self.all().flat_map(move |from| (0..self.dimensions).map(move |dim| Link { from, dim }));
        links.filter(move |&link| self.link_end(link).is_some())
    }

    /// The link as its two ends with a hyphen, the lower one first or, around a torus, the last one first.
    pub fn link_label(self, link: Link) -> String {
        let to = self.link_end(link).map(|to| self.label(to)).unwrap_or_default();
        format!("{}-{to}", self.label(link.from))
    }

    /// Reads a link, its two ends in either order: `3.4-4.4`. `None` if there is no such link.
    pub fn parse_link(self, text: &str) -> Option<Link> {
        let (a, b) = text.split_once('-')?;
        let (a, b) = (self.parse_node(a)?, self.parse_node(b)?);
        let port = self.ports().find(|&port| self.neighbor(a, port) == Some(b))?;
        self.link(a, port)
    }

    /// Reads a mesh from its radices, the highest dimension first: `ROWSxCOLUMNS`, `4x4x4`. `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let radices: Option<Vec<_>> = text.split('x').map(coordinate).collect();
        Self::of(&radices?)
    }
}

/// A small number in plain digits.
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
