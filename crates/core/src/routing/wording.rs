//! Wording of the parts of rules: nodes, links, regions, dimensions, message types, counts.

use super::{WormHeader, WormStatus, WormType};
use crate::fault::block::{Region, RegionKind};
use crate::rich;
use crate::rich_text::{Entity, RichText};
use crate::topology::{Hypercube, Link, Mesh, NodeId, Port, set_dimensions};

/// Returns the name of a hypercube's node: its binary digits up to n = 10, its number in
/// hexadecimal above.
pub fn node(cube: Hypercube, node: NodeId) -> RichText {
    let name = if cube.dimension() <= 10 { cube.label(node) } else { format!("0x{:x}", node.0) };
    RichText::reference(Entity::Node(node), name)
}

/// Returns the name of a message: "message 7".
pub fn message(number: u64) -> RichText {
    RichText::reference(Entity::Message(number), format!("message {number}"))
}

/// Returns the name of a hypercube's link as seen from the node that it leads out of: "dimension
/// 3".
pub fn dimension(link: Link) -> RichText {
    RichText::reference(Entity::Link(link), format!("dimension {}", link.dim))
}

/// Returns the names of selected links out of a hypercube's node: "dimensions 1, 3 and 4".
pub fn dimensions(from: NodeId, mask: u64) -> RichText {
    let links: Vec<_> = set_dimensions(mask).map(|dim| Link { from, dim }).collect();
    let number = |link: &Link| RichText::reference(Entity::Link(*link), link.dim.to_string());
    match links.as_slice() {
        [] => "no dimension".into(),
        [one] => dimension(*one),
        [most @ .., last] => {
            rich!["dimensions ", RichText::join(most.iter().map(number), ", "), " and ", number(last)]
        }
    }
}

/// Returns the name of a hypercube's channel by its ends: "0101 → 0111".
pub fn channel(cube: Hypercube, link: Link) -> RichText {
    RichText::reference(Entity::Link(link), format!("{} → {}", node(cube, link.from), node(cube, link.end())))
}

/// Returns a number with its noun: "1 hop", "2 hops".
pub fn count(n: u32, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Returns the name of a mesh's node as the paper writes it: (row,column), or all its coordinates,
/// the highest dimension first. For a hypercube, the name is the node's address.
pub fn mesh_node(mesh: Mesh, id: NodeId) -> RichText {
    if let Some(cube) = mesh.cube() {
        return node(cube, id);
    }
    RichText::reference(Entity::Node(id), format!("({})", mesh.format_node(id).replace('.', ",")))
}

/// Returns the name of a mesh's link by its ends: "(1,2)–(1,3)".
pub fn link(mesh: Mesh, link: Link) -> RichText {
    let from = mesh_node(mesh, link.from);
    let end = mesh.link_end(link).map(|end| format!("–{}", mesh_node(mesh, end)));
    RichText::reference(Entity::Link(link), format!("{from}{}", end.unwrap_or_default()))
}

/// Returns the name of the link at `port` of a mesh's node: a direction, or "dimension 3, up" on a
/// hypercube.
pub fn port(mesh: Mesh, from: NodeId, port: Port) -> RichText {
    let name = match mesh.is_cube() {
        true => format!("dimension {}, {}", port.dim(), if port.grows() { "up" } else { "down" }),
        false => port.name().to_owned(),
    };
    match mesh.neighbor(from, port) {
        Some(to) => {
            // Links of a hypercube are one-way. Links of a mesh are named from the end with the
            // lower coordinate.
            let from = if port.grows() || mesh.is_cube() { from } else { to };
            RichText::reference(Entity::Link(Link { from, dim: port.dim() }), name)
        }
        None => name.into(),
    }
}

/// Returns the name of a fault region: "the fault at (1,2)", "the faulty link (3,4)–(4,4)", "the
/// block (1,1)–(2,3)".
pub fn region(mesh: Mesh, region: &Region) -> RichText {
    let node = |node: &NodeId| mesh_node(mesh, *node);
    match (region.kind, region.nodes.as_slice(), region.links.as_slice()) {
        (RegionKind::Nodes, [one], _) => rich!["the fault at ", node(one)],
        (RegionKind::Nodes, [first, .., last], _) => rich!["the block ", node(first), "–", node(last)],
        (_, _, [one]) => rich!["the faulty link ", link(mesh, *one)],
        (_, _, [first, .., last]) => {
            rich!["the faulty links ", link(mesh, *first), " to ", link(mesh, *last)]
        }
        _ => RichText::default(),
    }
}

/// Returns a direction as a dimension and a sign: "1+" is up in dimension 1.
pub fn direction(port: Port) -> String {
    format!("{}{}", port.dim(), if port.grows() { '+' } else { '-' })
}

/// Returns the type of a message on `mesh`: "row message WE", "column message NS", beyond two
/// dimensions "message of type 2-". For an affected message, the text is "affected, type 0+".
pub fn kind(mesh: Mesh, header: &WormHeader) -> String {
    let (what, name) = match (header.status, header.message_type) {
        (WormStatus::Affected, kind) => ("affected, type ", kind.affected_name()),
        (_, kind) if mesh.dimensions() > 2 => ("message of type ", kind.affected_name()),
        (_, WormType::WE | WormType::EW) => ("row message ", header.message_type.name()),
        (_, kind) => ("column message ", kind.name()),
    };
    [what, name].concat()
}
