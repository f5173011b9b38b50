//! Layout of the nodes of a mesh: on a grid, in slices side by side, or as a body that can be
//! rotated.

use crate::picture::geometry::{Point, Size};
use crate::picture::projection::{DEPTHS, MeshView};
use faultlab_core::topology::{Mesh, NodeId};

/// Strength of the perspective: by how much nearer nodes are larger.
const PERSPECTIVE: f64 = 0.18;

/// Space for wraparound links around a panel, in steps.
const AROUND: f64 = 0.3;
/// Space between panels, in steps.
const BESIDE: f64 = 0.6;
/// Space for the captions below panels, in steps.
const BELOW: f64 = 0.85;

/// Position of a node in steps, the distance of neighbours in a panel, and its depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Place {
    pub(crate) at: Point,
    pub(crate) depth: u8,
}

/// Layout of all nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MeshLayout {
    /// Positions by node; empty if the layout is a plane or not drawn.
    pub(crate) places: Vec<Place>,
    /// Position of node 0 of a plane, whose positions are computed: a layout is made for every
    /// picture and for every movement of the pointer.
    plane: Option<Point>,
    /// Width and height, including half a step around the outer nodes.
    pub(crate) extent: Size,
    /// Centre of the caption below each panel, and its text.
    pub(crate) captions: Vec<(Point, String)>,
}

impl MeshLayout {
    /// Returns whether a mesh of more than two dimensions has more nodes than can be drawn.
    pub(crate) fn is_too_large(mesh: Mesh) -> bool {
        mesh.nodes() > Mesh::MAX_PICTURE_NODES && mesh.dimensions() > 2
    }

    /// Returns the layout; empty if there are more nodes than can be drawn.
    pub(crate) fn new(mesh: Mesh, view: MeshView) -> Self {
        match view {
            _ if Self::is_too_large(mesh) => Self { extent: Size::new(1.0, 1.0), ..Self::default() },
            MeshView::Projected { yaw, pitch } if mesh.dimensions() > 2 => solid(mesh, yaw, pitch),
            _ => slices(mesh),
        }
    }

    /// Returns the position of a node.
    pub(crate) fn place(&self, mesh: Mesh, node: NodeId) -> Place {
        match self.plane {
            Some(first) => {
                let (column, row) = (mesh.coordinate(node, 0), mesh.coordinate(node, 1));
                Place { at: first + Point::new(f64::from(column), f64::from(row)), depth: DEPTHS }
            }
            None => self.places.get(node.0 as usize).copied().unwrap_or_default(),
        }
    }
}

/// Returns the width and height of the picture of a mesh, relative to each other.
pub fn ratio(mesh: Mesh, view: MeshView) -> Size {
    MeshLayout::new(mesh, view).extent
}

/// Iterates over the coordinates of a node, the lowest dimension first.
fn coordinates(mesh: Mesh, node: NodeId) -> impl Iterator<Item = (u8, u16)> {
    let mut rest = node.0 as u32;
    (0..mesh.dimensions()).map(move |dim| {
        let radix = u32::from(mesh.radix(dim));
        let at = (rest % radix) as u16;
        rest /= radix;
        (dim, at)
    })
}

fn slices(mesh: Mesh) -> MeshLayout {
    let n = mesh.dimensions();
    let around = |dim| if mesh.wraps(dim) { AROUND } else { 0.0 };
    let mut extent = Size::new(f64::from(mesh.radix(0)) + 2.0 * around(0), f64::from(mesh.radix(1)) + 2.0 * around(1));
    let panel = extent;
    // For each dimension: the distances between panels, and the number of panels in a line.
    let mut apart = [(0.0, 0.0, 1u16); Mesh::CUBE_DIMENSIONS as usize];
    (apart[0], apart[1]) = ((1.0, 0.0, u16::MAX), (0.0, 1.0, 1));
    for dim in 2..n {
        let radix = mesh.radix(dim);
        let beside = match (dim % 2, dim + 1 == n) {
            (1, _) => 1,
            // No panels follow below the last ones, so they use the space.
            (_, true) if radix > 2 => (1..radix).find(|side| side * side >= radix).unwrap_or(radix),
            _ => radix,
        };
        let (right, down) = (extent.width + BESIDE * f64::from(dim / 2), extent.height + BELOW);
        apart[usize::from(dim)] = (right, down, beside);
        let more = |count: u16, pitch: f64| f64::from(count - 1) * pitch;
        extent.width += more(beside.min(radix), right);
        extent.height += more(radix.div_ceil(beside), down);
    }
    let at = |node| {
        let start = Point::new(around(0), around(1));
        coordinates(mesh, node).fold(start, |at, (dim, a)| {
            let (right, down, beside) = apart[usize::from(dim)];
            let (line, place) = (a / beside, a % beside);
            let place = if dim == 1 { (0, a) } else { (place, line) };
            Point::new(at.x + right * f64::from(place.0), at.y + down * f64::from(place.1))
        })
    };
    if n <= 2 {
        return MeshLayout { plane: Some(at(NodeId(0))), extent, ..MeshLayout::default() };
    }
    let places = mesh.iter_nodes().map(|node| Place { at: at(node), depth: DEPTHS }).collect();
    let mut captions = Vec::new();
    if n > 2 {
        extent.height += BELOW;
        let of_panel = u64::from(mesh.stride(2));
        for first in (0..u64::from(mesh.nodes())).step_by(of_panel as usize).map(NodeId) {
            let Point { x, y } = at(first);
            let left = x - around(0) + (panel.width - 1.0) / 2.0;
            let below = Point::new(left, y - around(1) + panel.height - 0.5 + BELOW / 2.0);
            captions.push((below, caption(mesh, first)));
        }
    }
    MeshLayout { places, extent, captions, plane: None }
}

/// Returns the caption of a panel: `a3 = 0, a2 = 1`.
fn caption(mesh: Mesh, node: NodeId) -> String {
    let part = |dim| format!("a{dim} = {}", mesh.coordinate(node, dim));
    (2..mesh.dimensions()).rev().map(part).collect::<Vec<_>>().join(", ")
}

/// Returns the directions of the dimensions in space: right, down, away. From the fourth on they
/// continue along the same axes, beyond the existing extent and slightly offset, so that no link
/// runs through other nodes.
fn directions(mesh: Mesh) -> Vec<[f64; 3]> {
    let mut spans = [0.0; 3];
    let mut all = Vec::new();
    for dim in 0..mesh.dimensions() {
        let (axis, level) = (usize::from(dim % 3), f64::from(dim / 3));
        let length = if dim < 3 { 1.0 } else { spans[axis] + 1.5 };
        let mut direction = [0.0; 3];
        direction[axis] = length;
        direction[(axis + 1) % 3] = 0.24 * level;
        direction[(axis + 2) % 3] = -0.17 * level;
        spans[axis] += f64::from(mesh.radix(dim) - 1) * length;
        all.push(direction);
    }
    all
}

fn solid(mesh: Mesh, yaw: f64, pitch: f64) -> MeshLayout {
    let directions = directions(mesh);
    let middle = |dim: u8| f64::from(mesh.radix(dim) - 1) / 2.0;
    let mut reach = [0.0; 3];
    for (dim, direction) in (0..).zip(&directions) {
        let far = middle(dim) + if mesh.wraps(dim) { 0.5 } else { 0.0 };
        (0..3).for_each(|axis| reach[axis] += far * direction[axis].abs());
    }
    let radius = reach.iter().map(|far| far * far).sum::<f64>().sqrt();
    // The side is independent of the rotation, so that the size stays constant.
    let side = 2.0 * radius * 1.02 + 0.5;
    let ((sin, cos), (down, level)) = (libm::sincos(yaw), libm::sincos(pitch));
    let place = |node| {
        let mut at = [0.0; 3];
        for (dim, a) in coordinates(mesh, node) {
            let far = f64::from(a) - middle(dim);
            (0..3).for_each(|axis| at[axis] += far * directions[usize::from(dim)][axis]);
        }
        let [x, y, z] = at;
        let (x, z) = (x * cos + z * sin, z * cos - x * sin);
        let (y, z) = (y * level - z * down, y * down + z * level);
        let away = z / radius;
        let near = 1.0 / (1.0 + PERSPECTIVE * away);
        let depth = ((1.0 - away) / 2.0 * f64::from(DEPTHS)).clamp(0.0, f64::from(DEPTHS) - 0.5) as u8;
        Place { at: Point::new(x * near + side / 2.0 - 0.5, y * near + side / 2.0 - 0.5), depth }
    };
    let places = mesh.iter_nodes().map(place).collect();
    MeshLayout { places, extent: Size::new(side, side), ..MeshLayout::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meshes() -> Vec<Mesh> {
        let of = |radices: &[u16]| Mesh::from_radices(radices).unwrap();
        let tori = [of(&[8, 8]).to_torus(), of(&[4, 3, 5]).to_torus()];
        let cubes = [4, 7].map(|n| Mesh::from_cube(n).unwrap());
        let plain = [of(&[7]), of(&[4, 6]), of(&[4, 4, 4]), of(&[3, 3, 3, 3]), of(&[2, 3, 2, 3, 2]), of(&[9, 2, 2])];
        plain.into_iter().chain(tori).chain(cubes).collect()
    }

    fn distance(a: Point, b: Point) -> f64 {
        libm::hypot(a.x - b.x, a.y - b.y)
    }

    #[test]
    fn slices_place_nodes_apart_and_neighbours_one_step_away() {
        for mesh in meshes() {
            let layout = MeshLayout::new(mesh, MeshView::Slices);
            for a in mesh.iter_nodes() {
                let position = |node| layout.place(mesh, node).at;
                let at = position(a);
                assert!(
                    (0.0..layout.extent.width).contains(&at.x) && (0.0..layout.extent.height).contains(&at.y),
                    "{mesh}"
                );
                for b in mesh.iter_nodes().filter(|b| b.0 > a.0) {
                    let apart = distance(at, position(b));
                    let beside = (2..mesh.dimensions()).all(|dim| mesh.coordinate(a, dim) == mesh.coordinate(b, dim));
                    assert!(apart > 0.999, "{mesh}: {a} {b}");
                    assert!(beside || apart > 1.5, "{mesh}: {a} {b} are in two panels");
                }
                for dim in 0..mesh.dimensions().min(2) {
                    let next = faultlab_core::topology::Port::along(dim, true);
                    let up = mesh.neighbor(a, next).filter(|b| b.0 > a.0);
                    assert!(up.is_none_or(|b| (distance(at, position(b)) - 1.0).abs() < 1e-9));
                }
            }
            let panels = if mesh.dimensions() > 2 { (mesh.nodes() / mesh.stride(2)) as usize } else { 0 };
            assert_eq!(layout.captions.len(), panels);
        }
        let said = MeshLayout::new(Mesh::from_radices(&[2, 3, 2, 2]).unwrap(), MeshView::Slices).captions;
        assert_eq!(said[4].1, "a3 = 1, a2 = 1");
    }

    #[test]
    fn rotated_solids_fit_their_frame_and_nodes_stay_apart() {
        for mesh in meshes().into_iter().filter(|mesh| mesh.dimensions() > 2) {
            for yaw in 0..12 {
                for pitch in -3..=3 {
                    let view = MeshView::Projected { yaw: f64::from(yaw) * 0.55, pitch: f64::from(pitch) * 0.52 };
                    let layout = MeshLayout::new(mesh, view);
                    for place in &layout.places {
                        let inside = |x: f64| -0.25 <= x && x <= layout.extent.width - 0.75;
                        assert!(inside(place.at.x) && inside(place.at.y), "{mesh}, {view:?}: {place:?}");
                    }
                }
            }
            let layout = MeshLayout::new(mesh, MeshView::SOLID);
            let places = || layout.places.iter().map(|place| place.at);
            let pairs = places().enumerate().flat_map(|(i, a)| places().skip(i + 1).map(move |b| distance(a, b)));
            let closest = pairs.fold(f64::INFINITY, f64::min);
            assert!(closest > 0.04, "{mesh}: two nodes {closest} apart");
        }
    }

    #[test]
    fn rotation_bounds_distances_and_half_a_turn_swaps_depths() {
        let mesh = Mesh::from_radices(&[4, 4, 4]).unwrap();
        let (near, far) = (NodeId(0), NodeId(63));
        let mut lengths = Vec::new();
        for turn in 0..40 {
            let layout = MeshLayout::new(mesh, MeshView::SOLID.turned(Point::new(f64::from(turn) * 0.3, 0.0)));
            let at = |node: NodeId| layout.places[node.0 as usize].at;
            lengths.push(distance(at(near), at(far)));
            // Links are never longer than in space, up to the perspective.
            let link = distance(at(NodeId(21)), at(NodeId(22)));
            assert!(link < 1.25, "{link}");
        }
        let [least, most] = [f64::min, f64::max].map(|of| lengths.iter().copied().reduce(of).unwrap());
        assert!(least > 0.9 && most < 5.4 && most > least + 1.0, "{least} {most}");
        let depth = |view| MeshLayout::new(mesh, view).places.iter().map(|place| place.depth).collect::<Vec<_>>();
        let front = depth(MeshView::Projected { yaw: 0.0, pitch: 0.0 });
        let back = depth(MeshView::Projected { yaw: std::f64::consts::PI, pitch: 0.0 });
        assert!(front[0] == 4 - front[63] && front[0] > back[0] && front[63] < back[63]);
    }

    #[test]
    fn positions_of_planes_are_computed() {
        for mesh in [Mesh::new(90, 70).unwrap(), Mesh::new(90, 70).unwrap().to_torus()] {
            let (layout, start) = (MeshLayout::new(mesh, MeshView::Slices), if mesh.wraps(0) { AROUND } else { 0.0 });
            assert!(layout.places.is_empty());
            let at = layout.place(mesh, NodeId(2 * 70 + 3)).at;
            assert_eq!(at, Point::new(start + 3.0, start + 2.0), "{mesh}");
        }
    }

    #[test]
    fn meshes_too_large_to_draw_have_no_positions() {
        let mesh = Mesh::from_radices(&[64, 64, 64]).unwrap();
        assert!(MeshLayout::new(mesh, MeshView::SOLID).places.is_empty());
    }
}
