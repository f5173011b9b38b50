//! Words for what rules speak of: nodes, links, regions, dimensions, types of messages, counts.

use super::{WormHeader, WormStatus, WormType};
use crate::fault::block::{Region, RegionKind};
use crate::topology::{Hypercube, Link, Mesh, NodeId, Port, dimensions_of};

/// A node's name: its binary digits up to n = 10, its number in hexadecimal beyond.
pub fn node(cube: Hypercube, node: NodeId) -> String {
    if cube.dimension() <= 10 { cube.label(node) } else { format!("0x{:x}", node.0) }
}

/// A few dimensions, named: "dimensions 1, 3 and 4".
pub fn dimensions(mask: u64) -> String {
    let dims: Vec<_> = dimensions_of(mask).map(|dim| dim.to_string()).collect();
    match dims.as_slice() {
        [] => "no dimension".into(),
        [one] => format!("dimension {one}"),
        [most @ .., last] => format!("dimensions {} and {last}", most.join(", ")),
    }
}

/// "1 hop", "2 hops".
pub fn count(n: u32, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// A node of a mesh as the paper writes it: (row,column), or all its coordinates, the highest dimension first; of a hypercube its
/// address.
pub fn mesh_node(mesh: Mesh, id: NodeId) -> String {
    if let Some(cube) = mesh.cube() {
        return node(cube, id);
    }
    let mut text = mesh.label(id).replace('.', ",");
    text.insert(0, '(');
    text.push(')');
    text
}

/// A link of a mesh by its ends.
pub fn link(mesh: Mesh, link: Link) -> String {
    let mut text = mesh_node(mesh, link.from);
    if let Some(end) = mesh.link_end(link) {
        text.push('–');
        text.push_str(&mesh_node(mesh, end));
    }
    text
}

/// A region: "the fault at (1,2)", "the faulty link (3,4)–(4,4)", "the block (1,1)–(2,3)".
pub fn region(mesh: Mesh, region: &Region) -> String {
    let node = |node| mesh_node(mesh, node);
    match (region.kind, region.nodes.as_slice(), region.links.as_slice()) {
        (RegionKind::Nodes, [one], _) => format!("the fault at {}", node(*one)),
        (RegionKind::Nodes, [first, .., last], _) => format!("the block {}–{}", node(*first), node(*last)),
        (_, _, [one]) => format!("the faulty link {}", link(mesh, *one)),
        (_, _, [first, .., last]) => format!("the faulty links {} to {}", link(mesh, *first), link(mesh, *last)),
        _ => String::new(),
    }
}

/// A direction as a dimension and a sign: "1+" is up in dimension 1.
pub fn direction(port: Port) -> String {
    format!("{}{}", port.dim(), if port.grows() { '+' } else { '-' })
}

/// The type of a message on `mesh`: "row message WE", "column message NS", beyond two dimensions "message of type 2-"; of an
/// affected one, "affected, type 0+".
pub fn kind(mesh: Mesh, header: &WormHeader) -> String {
    let (what, name) = match (header.status, header.kind) {
        (WormStatus::Affected, kind) => ("affected, type ", kind.affected_name()),
        (_, kind) if mesh.dimensions() > 2 => ("message of type ", kind.affected_name()),
        (_, WormType::WE | WormType::EW) => ("row message ", header.kind.name()),
        (_, kind) => ("column message ", kind.name()),
    };
    [what, name].concat()
}
