//! Picture of a cycle of the channel dependency graph on the network.

use super::cube::{CubePicture, LinkStyle, NodeStyle, Stroke};
use super::geometry::Size;
use super::layout::NodePositions;
use super::scene::{Anchor, Role, Scene, Shape};
use faultlab_core::topology::{Link, Network, NodeId};
use faultlab_experiment::{CubePointConfig, Layout};

/// Network on which a cycle is drawn.
pub(crate) struct CycleNetwork<'a> {
    /// Point of the experiment.
    pub(crate) cell: &'a CubePointConfig,
    /// Faulty nodes, ascending.
    pub(crate) faulty_nodes: &'a [NodeId],
    /// Faulty links, ascending.
    pub(crate) faulty_links: &'a [Link],
}

/// Returns the picture of a cycle of links, numbered in order. A message that holds one link waits
/// for the next one.
pub(crate) fn scene(ground: &CycleNetwork<'_>, cycle: &[Link], layout: Layout, size: Size) -> Scene {
    let (cube, to) = (ground.cell.cube, ground.cell.ends.to);
    let places = NodePositions::of_cube(cube, to, layout, size.aspect()).filter(|_| !cycle.is_empty());
    let Some(places) = places else { return Scene { size, shapes: Vec::new() } };
    let picture = CubePicture { cube, places: &places, size, zoom: 1.0 };
    let faulty = |node: NodeId| ground.faulty_nodes.binary_search(&node).is_ok();
    let link = |link: Link| {
        if cycle.contains(&link) {
            LinkStyle::Used(Stroke::solid(Role::Series(0)))
        } else if faulty(link.from) || faulty(link.end()) {
            LinkStyle::Absent
        } else if ground.faulty_links.binary_search(&link).is_ok() {
            LinkStyle::Faulty
        } else {
            LinkStyle::Free
        }
    };
    let node = |node: NodeId| {
        let label = || crate::wording::node_of(Network::Hypercube(cube), node).to_string();
        if faulty(node) { NodeStyle::FAULTY } else { NodeStyle { label: label(), ..NodeStyle::IDLE } }
    };
    let mut scene = picture.draw(link, node);
    for (place, &link) in cycle.iter().enumerate() {
        let Some(line) = picture.line(link) else { continue };
        let (Some(&a), Some(&b)) = (line.get((line.len() - 1) / 2), line.get(line.len() / 2)) else { continue };
        // The number is nearer to the start, away from the arrow and the middle, where other links
        // cross.
        let at = a + (b - a) * 0.35;
        let stroke = Some((Role::Series(0), 1.5));
        scene.shapes.push(Shape::Disc { at, radius: 8.0, fill: Role::Paper, stroke });
        let text = (place + 1).to_string();
        scene.shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size: 11.0, text });
    }
    scene
}
