//! Picture of one message on a fat-tree: the part of the path that the message reached in the
//! watched cycle.

use super::painter::DeliveryPainter;
use crate::delivery::channel_loads::without_wire;
use crate::picture::geometry::Point;
use crate::picture::scene::{Role, Shape};
use faultlab_core::switching::delivery::CycleResult;
use faultlab_core::topology::fat_tree::TreeChannel;

/// Draws the followed message.
pub(crate) fn draw(painter: &mut DeliveryPainter<'_>) {
    let Some(message) = painter.shown.followed else { return };
    let (run, picture) = (painter.run, painter.picture);
    let Some(&[from, to]) = run.messages().ends().get(message as usize) else { return };
    let path: Vec<_> = picture.channels.path(from, to, run.concentrators().wire_bits(message)).collect();
    let quiet = crate::delivery::channel_loads::has_ended_earlier(painter.watch, painter.index);
    let fate = if quiet { CycleResult::NotSent } else { run.fate(message) };
    let arrived = run.arrived().get(message as usize).is_some_and(|&cycle| cycle > 0);
    // The number of hops made, without the one at which the message was lost.
    let made = match fate {
        CycleResult::Arrived => path.len(),
        CycleResult::Lost(channel) => path.iter().position(|&other| other == channel).unwrap_or(0),
        CycleResult::NotSent => 0,
    };
    let points = |channels: &[TreeChannel]| -> Vec<Point> {
        channels.iter().flat_map(|&channel| hop(painter, channel)).collect()
    };
    let mut way = vec![picture.leaf(from)];
    way.extend(points(&path[..made]));
    let mut rest = vec![way.last().copied().unwrap_or_default()];
    rest.extend(points(&path[made..]));
    if to < picture.channels.processors() {
        if made == path.len() { &mut way } else { &mut rest }.push(picture.leaf(to));
    }
    let cut_off = painter.watch.series.get(painter.index).is_some_and(|watched| watched.is_cut_off(message));
    let role = match (arrived, cut_off) {
        (true, _) => Role::Done,
        (false, true) => Role::Fault,
        (false, false) => Role::Ink,
    };
    painter.line(rest.clone(), Role::Paper, 4.0, &[], 0.7);
    painter.line(rest, role, 1.8, &[4.0, 3.0], 0.9);
    if way.len() > 1 {
        painter.line(way.clone(), Role::Paper, 5.0, &[], 0.8);
        painter.line(way, role, 2.6, &[], 1.0);
    }
    for (end, fill) in [(from, Role::Ink), (to, if arrived { Role::Done } else { Role::Paper })] {
        if end < picture.channels.processors() {
            let (at, stroke) = (picture.leaf(end), Some((role, 1.8)));
            painter.shapes.push(Shape::Disc { at, radius: 4.0, fill, stroke });
        }
    }
    if let CycleResult::Lost(channel) = fate {
        lost(painter, channel);
    }
}

/// Returns the line of a channel in the direction of the message; empty in a collapsed subtree.
fn hop(painter: &DeliveryPainter<'_>, channel: TreeChannel) -> Vec<Point> {
    let picture = painter.picture;
    let Some(place) = without_wire(&picture.channels, channel).filter(|place| place.height >= picture.floor()) else {
        return Vec::new();
    };
    let mut line = picture.band(place);
    if place.down {
        line.reverse();
    }
    line
}

/// Marks the position at which the message was lost.
fn lost(painter: &mut DeliveryPainter<'_>, channel: TreeChannel) {
    let picture = painter.picture;
    let Some(place) = without_wire(&picture.channels, channel) else { return };
    let at = match place.height >= picture.floor() {
        true => picture.mark_point(place),
        false => picture.at(picture.floor(), picture.channels.node_above(picture.floor() - place.height, place.node)),
    };
    painter.shapes.push(Shape::Cross { at, radius: 6.0, role: Role::Fault });
}
