//! Picture of a mesh whose nodes are too close together to be drawn one by one: how many virtual
//! channels messages hold in each area, and the share of faulty nodes.

use super::mesh::MeshPicture;
use super::worms::MeshViewOptions;
use crate::picture::geometry::Point;
use crate::picture::layers::Layers;
use crate::picture::scene::{Role, Shape};
use faultlab_core::switching::WormholeNetwork;
use faultlab_core::topology::NodeId;

/// Minimum side of an area, in pixels.
const SIDE: f64 = 4.0;

/// Number of distinguished densities.
const LEVELS: f64 = 8.0;

/// Areas of the visible part of a picture, a grid of squares.
struct Areas {
    /// Centre of the first area.
    first: Point,
    side: f64,
    columns: usize,
    rows: usize,
}

impl Areas {
    fn new(picture: &MeshPicture) -> Self {
        let window = picture.window();
        // An area covers whole nodes, so that equal densities look equal.
        let side = picture.step() * (SIDE / picture.step()).ceil();
        let origin = picture.at(NodeId(0)) - Point::new(picture.step(), picture.step()) * 0.5;
        let start = |origin: f64, corner: f64| origin + ((corner - origin) / side).floor() * side + side / 2.0;
        let first = Point::new(start(origin.x, window.corner.x), start(origin.y, window.corner.y));
        let count = |length: f64| (length / side).ceil() as usize + 2;
        Self { first, side, columns: count(window.size.width), rows: count(window.size.height) }
    }

    /// Returns the number of the area with a point, if it is visible.
    fn index(&self, at: Point) -> Option<usize> {
        let off = (at - self.first) * (1.0 / self.side);
        let (column, row) = (libm::round(off.x), libm::round(off.y));
        let is_inside = (0.0..self.columns as f64).contains(&column) && (0.0..self.rows as f64).contains(&row);
        is_inside.then(|| row as usize * self.columns + column as usize)
    }

    /// Draws values between 0 and 1 as the strength of a colour; their roots make few messages
    /// visible too.
    fn draw(&self, values: &[f64], role: Role, shapes: &mut Layers) {
        let level = |value: f64| (value.clamp(0.0, 1.0).sqrt() * LEVELS).ceil() as u32;
        let mut areas = vec![Vec::new(); LEVELS as usize + 1];
        for (row, values) in values.chunks(self.columns).enumerate() {
            let y = self.first.y + row as f64 * self.side;
            let x = |column: usize| self.first.x + (column as f64 - 0.5) * self.side;
            let mut start = 0;
            for same in values.chunk_by(|a, b| level(*a) == level(*b)) {
                let end = start + same.len();
                let (low, high) = (y - self.side / 2.0, y + self.side / 2.0);
                let corners = [(x(start), low), (x(end), low), (x(end), high), (x(start), high)];
                areas[level(same[0]) as usize].push(corners.map(|(x, y)| Point::new(x, y)).to_vec());
                start = end;
            }
        }
        for (level, areas) in (0u8..).zip(areas).skip(1) {
            let alpha = 0.1 + 0.9 * f64::from(level) / LEVELS;
            for points in areas {
                shapes.push(Shape::Area { points, role, alpha });
            }
        }
    }
}

/// Draws the density of held virtual channels, or of the use of channels, and of faulty nodes.
pub(crate) fn draw(worms: &WormholeNetwork, picture: &MeshPicture, shown: &MeshViewOptions<'_>, shapes: &mut Layers) {
    let (mesh, areas) = (picture.mesh, Areas::new(picture));
    let nodes_per_area = (areas.side / picture.step()) * (areas.side / picture.step());
    let mut used = vec![0.0; areas.columns * areas.rows];
    let mut faulty = used.clone();
    let channels = nodes_per_area * f64::from(mesh.port_count());
    let add = |values: &mut [f64], node: NodeId, value: f64| {
        if let Some(sum) = areas.index(picture.at(node)).and_then(|area| values.get_mut(area)) {
            *sum += value;
        }
    };
    match shown.heat {
        Some(heat) => {
            for (channel, &share) in (0..).zip(heat).filter(|(_, share)| **share > 0.0) {
                add(&mut used, mesh.channel_ends(channel).0, share / channels);
            }
        }
        None => {
            let all = channels * f64::from(worms.config().virtual_channels);
            for hold in worms.messages().flat_map(|message| message.holds().to_vec()) {
                add(&mut used, mesh.channel_ends(hold.channel).0, 1.0 / all);
            }
        }
    }
    for region in worms.faults().regions() {
        region.nodes.iter().for_each(|&node| add(&mut faulty, node, 1.0 / nodes_per_area));
    }
    frame(picture, shapes);
    areas.draw(&used, Role::Series(shown.series), shapes);
    areas.draw(&faulty, Role::Fault, shapes);
}

/// Draws the border of the mesh.
fn frame(picture: &MeshPicture, shapes: &mut Layers) {
    let half = Point::new(picture.step(), picture.step()) * 0.5;
    let last = NodeId(u64::from(picture.mesh.nodes()) - 1);
    let (low, high) = (picture.at(NodeId(0)) - half, picture.at(last) + half);
    let points = vec![low, Point::new(high.x, low.y), high, Point::new(low.x, high.y), low];
    shapes.push(Shape::Stroke { points, role: Role::Link, width: 1.0, dash: Vec::new(), alpha: 1.0 });
}
