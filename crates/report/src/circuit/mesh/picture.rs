//! Pictures of circuit-switched meshes: reserved paths and circuits on the links.

use super::wording::waiting_node;
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::Point;
use crate::picture::layers::{Layers, LineBatches};
use crate::picture::mesh::MeshPicture;
use crate::picture::mesh::faults::{FaultPainter, FaultViewOptions};
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use faultlab_core::switching::{CircuitOutcome, ProbeMessageView, ProbeNetwork, ProbeState};
use faultlab_core::topology::{Link, Mesh, NodeId, Port};

/// Dashes of the path of a probe.
const SEARCHING: &[f64] = &[4.0, 3.0];

/// Half the side of a node from which it shows its number of waiting messages, in pixels.
const NUMBERED: f64 = 5.0;

/// Emphasis in the picture of a network.
#[derive(Clone, Debug)]
pub(crate) struct Emphasis<'a> {
    /// Number of the series, which selects its colour.
    pub(crate) series: u8,
    /// Faulty links, ascending.
    pub(crate) faulty_links: &'a [Link],
    /// Number of the followed message.
    pub(crate) message: Option<u64>,
    /// True if everything except the followed message is faded.
    pub(crate) alone: bool,
    /// Element in focus, and its name.
    pub(crate) focus: Option<(NetworkElement, String)>,
}

/// Draws the state of a network: circuits solid, paths of probes dashed, the number of waiting messages
/// on the nodes.
pub(crate) fn draw(circuits: &ProbeNetwork, picture: &MeshPicture, shown: Emphasis<'_>) -> Scene {
    if !picture.is_drawn() {
        return picture.not_drawn_scene();
    }
    let faults = &*circuits.config().faults;
    let options = FaultViewOptions { links: shown.faulty_links, rounds: usize::MAX, positions: false };
    let focus = shown.focus.as_ref().map(|(spot, _)| *spot);
    let painter = FaultPainter { picture, faults, ringed: faults, shown: options, focus };
    let mut shapes = Layers::default();
    painter.draw_below(false, &mut shapes);
    let cycle: Vec<_> = match circuits.outcome() {
        Some(CircuitOutcome::Deadlock(deadlock)) => deadlock.cycle.iter().map(|(_, link)| *link).collect(),
        _ => Vec::new(),
    };
    for message in circuits.messages() {
        path(picture, &message, &shown, &cycle, &mut shapes);
    }
    painter.draw_above(&mut shapes);
    waiting_counts(circuits, picture, &mut shapes);
    if let Some(message) = shown.message.and_then(|number| circuits.message(number)) {
        ends(picture, &message, &mut shapes);
    }
    picture.numbers(&mut shapes);
    if let Some((spot, text)) = shown.focus {
        picture.focus(spot, text, &mut shapes);
    }
    Scene { size: picture.size, shapes: shapes.into_shapes() }
}

/// Draws the links that a message holds, and an arrow at the end of a path that is not complete.
fn path(
    picture: &MeshPicture,
    message: &ProbeMessageView<'_>,
    shown: &Emphasis<'_>,
    cycle: &[Link],
    shapes: &mut Layers,
) {
    let is_complete = matches!(message.state(), ProbeState::Transmitting | ProbeState::Acknowledging);
    let is_followed = shown.message == Some(message.number());
    let role = match is_complete {
        true => Role::Series(shown.series),
        false => Role::Detour,
    };
    let alpha = if shown.alone && !is_followed { 0.35 } else { 1.0 };
    let width = (picture.band() * 0.3).clamp(1.2, 4.0);
    let mut heads = LineBatches::default();
    let links: Vec<_> = message.path().collect();
    for (place, &(node, port)) in links.iter().enumerate() {
        let link = Link { from: node, dim: port.0 };
        let role = match (cycle.contains(&link), is_followed) {
            (true, _) => Role::Trap,
            (false, true) => Role::Ink,
            (false, false) => role,
        };
        for run in picture.segments(node, port) {
            let dash = if is_complete { Vec::new() } else { SEARCHING.to_vec() };
            let points = run.line(picture.middle(), width).to_vec();
            shapes.push_at(run.depth, Shape::Stroke { points, role, width: width * run.scale, dash, alpha });
        }
        let is_last = place + 1 == links.len();
        if let Some(run) = picture.last_segment(node, port).filter(|_| is_last && !is_complete) {
            let ((direction, _), [_, tip]) = (run.along(), run.line(picture.middle(), width));
            let reach = (width * 1.6).clamp(2.5, 6.0);
            let back = direction * -reach;
            let side = direction.turned_right() * reach;
            heads.add_at(run.depth, role, width, alpha, &[tip + back + side, tip, tip + back + side * -1.0]);
        }
    }
    heads.finish_in(shapes);
}

/// Writes the number of waiting messages on each node that has some.
fn waiting_counts(circuits: &ProbeNetwork, picture: &MeshPicture, shapes: &mut Layers) {
    let mut counts = vec![0u32; circuits.mesh().nodes() as usize];
    for message in circuits.messages().filter(ProbeMessageView::waits) {
        counts[waiting_node(&message).0 as usize] += 1;
    }
    if picture.half() < NUMBERED {
        return;
    }
    for node in picture.visible_nodes() {
        let (count, depth) = (counts[node.0 as usize], picture.depth(node));
        if count > 0 {
            let size = (picture.half_of(node) * 1.2).clamp(8.0, 14.0);
            let (at, text) = (picture.at(node), count.to_string());
            shapes.push_at(depth, Shape::Text { at, anchor: Anchor::Middle, role: Role::Detour, size, text });
        }
    }
}

/// Marks the source and the destination of the followed message.
fn ends(picture: &MeshPicture, message: &ProbeMessageView<'_>, shapes: &mut Layers) {
    let mut mark = |node: NodeId, role, width| {
        let (at, half) = (picture.at(node), picture.half_of(node) + 2.5);
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)];
        let points = corners.map(|(x, y)| at + Point::new(x, y)).to_vec();
        shapes.push(Shape::Stroke { points, role, width, dash: Vec::new(), alpha: 1.0 });
    };
    mark(message.from(), Role::Ink, 2.0);
    mark(message.to(), Role::Done, 2.0);
}

/// Returns the two channels of a link; empty if there is no such link.
pub(crate) fn channels(mesh: Mesh, link: Link) -> Vec<(NodeId, Port)> {
    let up = Port::along(link.dim, true);
    let end = mesh.link_end(link);
    end.map_or_else(Vec::new, |end| vec![(link.from, up), (end, up.opposite())])
}
