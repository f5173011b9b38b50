//! Validation of block faults in any number of dimensions, as defined by Boppana & Chalasani
//! section VI.

use super::{BlockFaults, PlaneFamily};
use crate::topology::{Link, Mesh, NodeId, Port};

/// A box of nodes B_xy, from its base-node x to its apex-node y, whose interior is faulty. Base and
/// apex may be virtual: one position outside of the mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultyBlock {
    /// Coordinates of base and apex, by dimension.
    pub sides: Vec<(i32, i32)>,
    /// Faulty nodes of the interior; empty for a block of links.
    pub nodes: Vec<NodeId>,
    /// Faulty links between live nodes of the interior.
    pub links: Vec<Link>,
}

/// Reason why faults are not a valid block fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidBlocks {
    /// A live node in the interior of a block (condition 1).
    LiveNode(NodeId),
    /// A live link in the interior of a block (condition 1).
    LiveLink(Link),
    /// A faulty node on the boundary of a block (condition 2).
    NodeOnBoundary(NodeId),
    /// A faulty link on the boundary of a block (condition 2).
    LinkOnBoundary(Link),
    /// A plane that is disconnected, or that has a faulty row or column (condition 3).
    Plane(PlaneFamily),
}

impl InvalidBlocks {
    /// Describes the violation as text.
    pub fn describe(self, mesh: Mesh) -> String {
        let (node, link) = (|node| mesh.format_node(node), |link| mesh.format_link(link));
        match self {
            Self::LiveNode(it) => format!("node {} is live in the interior of a block (condition 1)", node(it)),
            Self::LiveLink(it) => format!("link {} is live in the interior of a block (condition 1)", link(it)),
            Self::NodeOnBoundary(it) => format!("node {} is faulty on the boundary of a block (condition 2)", node(it)),
            Self::LinkOnBoundary(it) => format!("link {} is faulty on the boundary of a block (condition 2)", link(it)),
            Self::Plane(it) => format!("a plane of dimensions {} and {} is cut (condition 3)", it.column, it.row),
        }
    }
}

/// Divides the faulty `nodes` and `links` of a `mesh` without wraparound into faulty blocks, if
/// they are a valid block fault. Closure is not applied.
///
/// A link is on the boundary of a block if it lies in one of its faces. The definition as printed
/// includes every link between boundary nodes, and no single faulty link would then be a block.
///
/// # Errors
/// Returns the first violated condition, with the node, link or plane that violates it. Cost: the
/// number of nodes, for every plane.
pub fn faulty_blocks(mesh: Mesh, nodes: &[NodeId], links: &[Link]) -> Result<Vec<FaultyBlock>, InvalidBlocks> {
    let faults = BlockFaults::unclosed(mesh, nodes, links);
    let mut blocks = node_blocks(&faults);
    blocks.extend(link_blocks(&faults));
    for block in &blocks {
        check_block(&faults, block)?;
    }
    match PlaneFamily::all(mesh).find(|&plane| !faults.are_planes_connected(&[plane])) {
        Some(plane) => Err(InvalidBlocks::Plane(plane)),
        None => Ok(blocks),
    }
}

/// Divides `all`, which is ascending, into connected groups. `beside` returns the neighbours of an
/// element.
fn connected_groups<T: Ord + Copy>(all: Vec<T>, beside: impl Fn(T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut seen = vec![false; all.len()];
    let mut groups = Vec::new();
    for start in 0..all.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let (mut group, mut next) = (vec![all[start]], 0);
        while next < group.len() {
            for other in beside(group[next]) {
                if let Ok(index) = all.binary_search(&other)
                    && !std::mem::replace(&mut seen[index], true)
                {
                    group.push(other);
                }
            }
            next += 1;
        }
        group.sort();
        groups.push(group);
    }
    groups
}

/// Returns the lowest and highest coordinates of `nodes` in dimension `dim`.
fn extent(mesh: Mesh, nodes: impl Iterator<Item = NodeId> + Clone, dim: u8) -> (i32, i32) {
    let coordinates = nodes.map(|node| i32::from(mesh.coordinate(node, dim)));
    (coordinates.clone().min().unwrap_or(0), coordinates.max().unwrap_or(0))
}

fn node_blocks(faults: &BlockFaults) -> Vec<FaultyBlock> {
    let mesh = faults.mesh();
    let all = mesh.iter_nodes().filter(|&node| faults.is_faulty(node)).collect();
    let beside = |node| mesh.ports().filter_map(|port| mesh.neighbor(node, port)).collect();
    let block = |nodes: Vec<NodeId>| {
        let side = |dim| extent(mesh, nodes.iter().copied(), dim);
        let sides = (0..mesh.dimensions()).map(side).map(|(low, high)| (low - 1, high + 1)).collect();
        FaultyBlock { sides, nodes, links: Vec::new() }
    };
    connected_groups(all, beside).into_iter().map(block).collect()
}

fn link_blocks(faults: &BlockFaults) -> Vec<FaultyBlock> {
    let mesh = faults.mesh();
    let live = |node| !faults.is_faulty(node);
    let is_faulty = |link: &Link| {
        let down = faults.faulty_ports(link.from) & Port::along(link.dim, true).bit() != 0;
        down && live(link.from) && mesh.link_end(*link).is_some_and(live)
    };
    let all = mesh.iter_links().filter(is_faulty).collect();
    let beside = |link: Link| {
        let sideways = mesh.ports().filter(|port| port.dim() != link.dim);
        sideways.filter_map(|port| Some(Link { from: mesh.neighbor(link.from, port)?, ..link })).collect()
    };
    let block = |links: Vec<Link>| {
        let side = |dim: u8| {
            let (low, high) = extent(mesh, links.iter().map(|link| link.from), dim);
            if dim == links[0].dim { (low, high + 1) } else { (low - 1, high + 1) }
        };
        let sides = (0..mesh.dimensions()).map(side).collect();
        FaultyBlock { sides, nodes: Vec::new(), links }
    };
    connected_groups(all, beside).into_iter().map(block).collect()
}

/// Checks conditions 1 and 2 for one block.
fn check_block(faults: &BlockFaults, block: &FaultyBlock) -> Result<(), InvalidBlocks> {
    let mesh = faults.mesh();
    // Coordinates are doubled so that the midpoint of a link has integer coordinates.
    let middle = |node: NodeId, along: Option<u8>, dim: u8| {
        2 * i32::from(mesh.coordinate(node, dim)) + i32::from(along == Some(dim))
    };
    let has = |node, along| {
        (0..mesh.dimensions()).zip(&block.sides).all(|(dim, &(low, high))| {
            let at = middle(node, along, dim);
            2 * low <= at && at <= 2 * high
        })
    };
    let inside = |node, along| {
        (0..mesh.dimensions()).zip(&block.sides).all(|(dim, &(low, high))| {
            let at = middle(node, along, dim);
            2 * low < at && at < 2 * high
        })
    };
    for node in mesh.iter_nodes().filter(|&node| has(node, None)) {
        match (inside(node, None), faults.is_faulty(node)) {
            (true, false) => return Err(InvalidBlocks::LiveNode(node)),
            (false, true) => return Err(InvalidBlocks::NodeOnBoundary(node)),
            _ => {}
        }
        let links = (0..mesh.dimensions()).map(|dim| Link { from: node, dim });
        for link in links.filter(|&link| mesh.link_end(link).is_some() && has(node, Some(link.dim))) {
            let down = faults.faulty_ports(node) & Port::along(link.dim, true).bit() != 0;
            match (inside(node, Some(link.dim)), down) {
                (true, false) => return Err(InvalidBlocks::LiveLink(link)),
                (false, true) => return Err(InvalidBlocks::LinkOnBoundary(link)),
                _ => {}
            }
        }
    }
    Ok(())
}
