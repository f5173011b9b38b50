//! A cycle of the channel dependency graph, drawn on the network.

use super::cube::{CubePicture, LinkLook, NodeLook, Stroke};
use super::geometry::Size;
use super::layout::Places;
use super::scene::{Anchor, Role, Scene, Shape};
use faultlab_core::topology::{Link, NodeId};
use faultlab_experiment::{CubeCell, Layout};

/// What a cycle is drawn on.
pub(crate) struct Ground<'a> {
    /// The point.
    pub(crate) cell: &'a CubeCell,
    /// The faulty nodes, ascending.
    pub(crate) faulty_nodes: &'a [NodeId],
    /// The faulty links, ascending.
    pub(crate) faulty_links: &'a [Link],
}

/// A cycle by its links, numbered in order, each with the link that the next message holds at its end.
pub(crate) fn scene(ground: &Ground<'_>, cycle: &[Link], layout: Layout, size: Size) -> Scene {
    let (cube, to) = (ground.cell.cube, ground.cell.ends.to);
    let places = Places::of_cube(cube, to, layout, size.aspect()).filter(|_| !cycle.is_empty());
    let Some(places) = places else { return Scene { size, shapes: Vec::new() } };
    let picture = CubePicture { cube, places: &places, size };
    let faulty = |node: NodeId| ground.faulty_nodes.binary_search(&node).is_ok();
    let link = |link: Link| {
        if cycle.contains(&link) {
            LinkLook::Used(Stroke::solid(Role::Series(0)))
        } else if faulty(link.from) || faulty(link.to()) {
            LinkLook::Absent
        } else if ground.faulty_links.binary_search(&link).is_ok() {
            LinkLook::Faulty
        } else {
            LinkLook::Free
        }
    };
    let node = |node: NodeId| {
        if faulty(node) { NodeLook::FAULTY } else { NodeLook { label: node.to_string(), ..NodeLook::IDLE } }
    };
    let mut scene = picture.draw(link, node);
    for (place, &link) in cycle.iter().enumerate() {
        let Some(line) = picture.line(link) else { continue };
        let (Some(&a), Some(&b)) = (line.get((line.len() - 1) / 2), line.get(line.len() / 2)) else { continue };
        // Nearer to where it comes from, off the arrow and the middle, where others cross.
        let at = a + (b - a) * 0.35;
        let stroke = Some((Role::Series(0), 1.5));
        scene.shapes.push(Shape::Disc { at, radius: 8.0, fill: Role::Paper, stroke });
        let text = (place + 1).to_string();
        scene.shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size: 11.0, text });
    }
    scene
}
