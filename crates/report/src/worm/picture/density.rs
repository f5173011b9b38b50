//! Picture of a mesh whose nodes are too close together to be drawn one by one: the virtual channels
//! that messages hold in each cell of a grid, or the use of its channels, its faulty nodes and its
//! fault rings. The number of cells depends on the size of the picture only.

use std::ops::Range;

use super::worms::MeshViewOptions;
use crate::picture::geometry::Point;
use crate::picture::layers::Layers;
use crate::picture::mesh::MeshPicture;
use crate::picture::mesh::faults::FaultPainter;
use crate::picture::scene::{Role, Shape};
use crate::picture::viewport::Window;
use faultlab_core::fault::BlockFaults;
use faultlab_core::fault::block::PlaneFamily;
use faultlab_core::switching::WormholeNetwork;
use faultlab_core::topology::NodeId;

/// Minimum side of a cell, in pixels.
const SIDE: f64 = 4.0;

/// Number of distinguished densities.
const LEVELS: f64 = 8.0;

/// Maximum number of nodes along the side of a cell that shows fault rings; in larger cells they
/// would hide the faults.
const MAX_RING_NODES: u32 = 2;

/// Grid of the cells of the visible part of a picture. On a plane a cell covers whole nodes, so that
/// equal densities look equal.
struct Grid<'a> {
    picture: &'a MeshPicture,
    /// Number of nodes along the side of a cell.
    nodes: u32,
    /// Columns and rows of visible cells.
    columns: Range<u32>,
    rows: Range<u32>,
    /// Left upper corner of the first visible cell.
    corner: Point,
}

impl<'a> Grid<'a> {
    fn new(picture: &'a MeshPicture) -> Self {
        let nodes = (SIDE / picture.step()).ceil().max(1.0) as u32;
        if picture.is_plane() {
            let cells = |dim| {
                let Range { start, end } = picture.visible_range(dim);
                u32::from(start) / nodes..u32::from(end).div_ceil(nodes)
            };
            let (columns, rows) = (cells(0), cells(1));
            let first = Point::new(f64::from(columns.start), f64::from(rows.start)) * f64::from(nodes);
            let corner = picture.at(NodeId(0)) + (first - Point::new(0.5, 0.5)) * picture.step();
            return Self { picture, nodes, columns, rows, corner };
        }
        let Window { corner, size } = picture.window();
        let cells = |length: f64| 0..(length / (f64::from(nodes) * picture.step())).ceil() as u32;
        Self { picture, nodes, columns: cells(size.width), rows: cells(size.height), corner }
    }

    /// Returns the side of a cell, in pixels.
    fn side(&self) -> f64 {
        f64::from(self.nodes) * self.picture.step()
    }

    /// Returns the nodes along one dimension, of `most`, that a cell of a plane covers.
    fn nodes_of(&self, cell: u32, most: u16) -> Range<u32> {
        cell * self.nodes..((cell + 1) * self.nodes).min(most.into())
    }

    /// Returns the number of the cell of a node, if it is visible.
    fn index(&self, node: NodeId) -> Option<usize> {
        let at = (self.picture.at(node) - self.corner) * (1.0 / self.side());
        let is_visible =
            (0.0..self.columns.len() as f64).contains(&at.x) && (0.0..self.rows.len() as f64).contains(&at.y);
        is_visible.then(|| at.y as usize * self.columns.len() + at.x as usize)
    }

    /// Returns the number of nodes that a visible cell of a plane covers.
    fn nodes_in(&self, cell: usize) -> f64 {
        let (row, column) = ((cell / self.columns.len()) as u32, (cell % self.columns.len()) as u32);
        let mesh = self.picture.mesh;
        let rows = self.nodes_of(self.rows.start + row, mesh.rows());
        let columns = self.nodes_of(self.columns.start + column, mesh.columns());
        (rows.len() * columns.len()).max(1) as f64
    }

    /// Returns the mean of a number over the nodes of each cell, as a share of its maximum `most`.
    /// `sum` adds the numbers of successive nodes.
    fn means(&self, sum: impl Fn(Range<u32>) -> u64, most: f64) -> Vec<f64> {
        let mesh = self.picture.mesh;
        if !self.picture.is_plane() {
            return self.means_by_position(sum, most);
        }
        let cell = |row: u32, column: u32| {
            let (rows, columns) = (self.nodes_of(row, mesh.rows()), self.nodes_of(column, mesh.columns()));
            let nodes = (rows.len() * columns.len()).max(1) as f64;
            let of_row = |row: u32| {
                let first = row * u32::from(mesh.columns());
                sum(first + columns.start..first + columns.end)
            };
            rows.map(of_row).sum::<u64>() as f64 / (nodes * most)
        };
        self.rows
            .clone()
            .flat_map(|row| self.columns.clone().map(move |column| (row, column)))
            .map(|(row, column)| cell(row, column))
            .collect()
    }

    /// Returns the means of a mesh that is not a plane, which has few nodes.
    fn means_by_position(&self, sum: impl Fn(Range<u32>) -> u64, most: f64) -> Vec<f64> {
        let mut cells = vec![(0u64, 0u32); self.rows.len() * self.columns.len()];
        for node in 0..self.picture.mesh.nodes() {
            if let Some(cell) = self.index(NodeId(node.into())).and_then(|cell| cells.get_mut(cell)) {
                *cell = (cell.0 + sum(node..node + 1), cell.1 + 1);
            }
        }
        cells.into_iter().map(|(sum, nodes)| sum as f64 / (f64::from(nodes.max(1)) * most)).collect()
    }

    /// Draws shares between 0 and 1 as the strength of a colour, up to `most`; their roots make small
    /// shares visible too.
    fn draw(&self, shares: &[f64], (role, most): (Role, f64), shapes: &mut Layers) {
        let opacity = |share: &f64| {
            let level = (share.clamp(0.0, 1.0).sqrt() * LEVELS).ceil() / LEVELS;
            if level > 0.0 { (255.0 * most * (0.1 + 0.9 * level)) as u8 } else { 0 }
        };
        let (corner, side, columns) = (self.corner, self.side(), self.columns.len() as u32);
        let opacities: Vec<u8> = shares.iter().map(opacity).collect();
        if opacities.iter().any(|&opacity| opacity > 0) {
            shapes.push(Shape::Cells { corner, side, columns, opacities, role });
        }
    }
}

/// Draws the density of held virtual channels, or of the use of channels, of faulty nodes and of
/// fault rings.
pub(crate) fn draw(
    worms: &WormholeNetwork,
    painter: &FaultPainter<'_>,
    shown: &MeshViewOptions<'_>,
    shapes: &mut Layers,
) {
    let ports = painter.picture.mesh.port_count();
    let of_channel = if shown.heat { worms.cycle().max(1) } else { worms.config().virtual_channels.into() };
    let most = of_channel as f64 * f64::from(ports);
    // The numbers of channels ascend along the nodes of a row, so the tables are read in their
    // order.
    let used = |grid: &Grid<'_>| match shown.heat {
        true => grid.means(|nodes| worms.carried_in(channels(nodes, ports)), most),
        false => grid.means(|nodes| worms.held_in(channels(nodes, ports)), most),
    };
    draw_with(painter, shapes, |grid, shapes| {
        grid.draw(&used(grid), (Role::Series(shown.series), 1.0), shapes);
    });
}

/// Returns the channels that leave some nodes.
fn channels(nodes: Range<u32>, ports: u32) -> Range<u32> {
    nodes.start * ports..nodes.end * ports
}

/// Draws the density of faulty nodes and of fault rings.
pub(crate) fn draw_faults(painter: &FaultPainter<'_>, shapes: &mut Layers) {
    draw_with(painter, shapes, |_, _| {});
}

/// Draws the density of faulty nodes and of fault rings, with `messages` between them.
fn draw_with(painter: &FaultPainter<'_>, shapes: &mut Layers, messages: impl FnOnce(&Grid<'_>, &mut Layers)) {
    let picture = painter.picture;
    let grid = Grid::new(picture);
    if !picture.is_solid() {
        frame(picture, shapes);
    }
    if grid.nodes <= MAX_RING_NODES && painter.is_complete() && picture.is_plane() {
        grid.draw(&rings(painter, &grid), (Role::Trap, 0.4), shapes);
    }
    messages(&grid, shapes);
    grid.draw(&faulty_shares(painter.faults, &grid), (Role::Fault, 1.0), shapes);
}

/// Returns the share of faulty nodes of each cell. On a plane the regions contain all faulty nodes,
/// which are few; only faults without closure have no regions.
fn faulty_shares(faults: &BlockFaults, grid: &Grid<'_>) -> Vec<f64> {
    if !grid.picture.is_plane() || faults.regions().is_empty() {
        let faulty = |nodes: Range<u32>| nodes.filter(|&node| faults.is_faulty(NodeId(node.into()))).count() as u64;
        return grid.means(faulty, 1.0);
    }
    let mut shares = vec![0.0; grid.rows.len() * grid.columns.len()];
    for &node in faults.regions().iter().flat_map(|region| &region.nodes) {
        if let Some(cell) = grid.index(node) {
            shares[cell] += 1.0 / grid.nodes_in(cell);
        }
    }
    shares
}

/// Returns the share of the nodes of each cell that lie on fault rings.
fn rings(painter: &FaultPainter<'_>, grid: &Grid<'_>) -> Vec<f64> {
    let mut shares = vec![0.0; grid.rows.len() * grid.columns.len()];
    for region in painter.visible_regions() {
        for node in painter.ringed.ring_nodes(region, PlaneFamily::FLAT, NodeId(0)) {
            if let Some(share) = grid.index(node).and_then(|cell| shares.get_mut(cell)) {
                *share += 1.0 / f64::from(grid.nodes * grid.nodes);
            }
        }
    }
    shares
}

/// Draws the border of the mesh.
fn frame(picture: &MeshPicture, shapes: &mut Layers) {
    let half = Point::new(picture.step(), picture.step()) * 0.5;
    let last = NodeId(u64::from(picture.mesh.nodes()) - 1);
    let (low, high) = (picture.at(NodeId(0)) - half, picture.at(last) + half);
    let points = vec![low, Point::new(high.x, low.y), high, Point::new(low.x, high.y), low];
    shapes.push(Shape::Stroke { points, role: Role::Link, width: 1.0, dash: Vec::new(), alpha: 1.0 });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::geometry::Size;
    use crate::picture::projection::MeshView;
    use crate::picture::viewport::Viewport;
    use faultlab_core::topology::Mesh;

    #[test]
    fn cells_are_means_over_the_nodes_that_they_cover() {
        let canvas = Size::new(60.0, 60.0);
        let whole = MeshPicture::whole(Mesh::new(64, 64).unwrap(), canvas);
        let grid = Grid::new(&whole);
        let cells = grid.rows.len() * grid.columns.len();
        assert!(grid.nodes > 4 && cells < 200, "{} {cells}", grid.nodes);
        let means = grid.means(|nodes| nodes.map(u64::from).sum(), 1.0);
        assert_eq!(means.len(), cells);
        // The first cell covers the nodes of the first rows and columns.
        let n = f64::from(grid.nodes);
        assert!((means[0] - (n - 1.0) / 2.0 * 65.0).abs() < 1e-9, "{}", means[0]);
        // The number of cells does not grow with the network.
        let large = MeshPicture::whole(Mesh::new(1024, 1024).unwrap(), canvas);
        assert!(Grid::new(&large).columns.len() <= 60 / SIDE as usize + 1);
        // A magnified picture has the cells of its visible part only.
        let view = Viewport::WHOLE.zoomed(8.0, 8.0, Point::new(30.0, 30.0), canvas);
        let part = MeshPicture::new(large.mesh, view.picture_size(canvas), MeshView::Slices, view);
        let grid = Grid::new(&part);
        assert!(grid.rows.start > 0 && grid.rows.len() <= 20, "{:?}", grid.rows);
        assert_eq!(grid.index(NodeId(0)), None);
    }

    #[test]
    fn faults_of_regions_are_the_faulty_nodes_of_each_cell() {
        let (mesh, canvas) = (Mesh::new(50, 70).unwrap(), Size::new(90.0, 60.0));
        let nodes = [0, 1, 70, 71, 999, 1500, 1501, 3499].map(NodeId);
        let faults = BlockFaults::new(mesh, &nodes, &[]);
        let view = Viewport::WHOLE.zoomed(2.0, 2.0, Point::new(60.0, 40.0), canvas);
        for view in [Viewport::WHOLE, view] {
            let picture = MeshPicture::new(mesh, view.picture_size(canvas), MeshView::Slices, view);
            let grid = Grid::new(&picture);
            let faulty = |nodes: Range<u32>| nodes.filter(|&node| faults.is_faulty(NodeId(node.into()))).count() as u64;
            let (shares, means) = (faulty_shares(&faults, &grid), grid.means(faulty, 1.0));
            assert!(means.iter().any(|&mean| mean > 0.0));
            assert!(shares.len() == means.len() && shares.iter().zip(&means).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}
