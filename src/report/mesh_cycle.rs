//! A cycle of the channel dependency graph of worms, drawn on its mesh.

use super::mesh::{MeshPicture, Point};
use super::mesh_check::MeshChecks;
use super::mesh_faults::{FaultPainter, FaultsShown};
use super::scene::{Anchor, Role, Scene, Shape};

/// The dashes of classes 0 to 3 and up: a class is told by its dash, and by its lane.
const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.5, 2.5], &[8.0, 2.5, 2.0, 2.5]];

/// The cycle of algorithm number `number`: its channels, numbered in order, each wanted by who holds the one before. Empty
/// if there is none.
pub fn scene(checks: &MeshChecks, number: usize, size: (f64, f64)) -> Scene {
    let check = checks.algorithms.get(number);
    let cycle = check.and_then(|check| check.graph.as_ref()).map(|graph| graph.cycle.as_slice()).unwrap_or_default();
    let (Some(check), false) = (check, cycle.is_empty()) else { return Scene { size, shapes: Vec::new() } };
    let faults = &*checks.faults;
    let picture = MeshPicture::whole(faults.mesh(), size);
    let links: Vec<_> = faults.regions().iter().flat_map(|region| region.links.iter().copied()).collect();
    let shown = FaultsShown { links: &links, rounds: faults.rounds().len(), positions: false };
    let painter = FaultPainter { picture: &picture, faults, shown };
    let mut shapes = Vec::new();
    painter.under(false, &mut shapes);
    let radius = (picture.step() * 0.16).clamp(5.0, 8.0);
    let mut numbers = Vec::new();
    for (place, channel) in cycle.iter().enumerate() {
        let aside = picture.aside(channel.class, check.classes);
        let [from, to] = picture.channel(channel.from, channel.port, aside, 2.5);
        let dash = DASHES[usize::from(channel.class).min(DASHES.len() - 1)].to_vec();
        let role = Role::Series(channel.class);
        shapes.push(Shape::Stroke { points: vec![from, to], role, width: 2.5, dash, alpha: 1.0 });
        shapes.push(Shape::Stroke { points: head(from, to), role, width: 2.5, dash: Vec::new(), alpha: 1.0 });
        // Beside the channel, on its outer side, so that its line and arrow are seen.
        let [a, b] = picture.channel(channel.from, channel.port, aside + radius + 3.0, 0.0);
        numbers.push((((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0), role, (place + 1).to_string()));
    }
    painter.over(&mut shapes);
    for (at, role, text) in numbers {
        shapes.push(Shape::Disc { at, radius, fill: Role::Paper, stroke: Some((role, 1.5)) });
        shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size: radius * 1.35, text });
    }
    picture.numbers(&mut shapes);
    Scene { size, shapes }
}

/// An arrow's head at the end of a line along a row or a column.
fn head(from: Point, to: Point) -> Vec<Point> {
    const LENGTH: f64 = 5.0;
    let (dx, dy) = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
    // One of them is 0, up to rounding.
    let (ux, uy) = if (to.0 - from.0).abs() > (to.1 - from.1).abs() { (dx, 0.0) } else { (0.0, dy) };
    let barb = |side: f64| (to.0 - LENGTH * ux - side * LENGTH * uy, to.1 - LENGTH * uy + side * LENGTH * ux);
    vec![barb(0.7), to, barb(-0.7)]
}
