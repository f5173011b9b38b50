//! Depth sorting of the shapes of a mesh: the farthest first, shapes outside of space last.

use super::geometry::Point;
use super::projection::{DEPTHS, shade};
use super::scene::{Role, Shape};

/// Shapes by depth; within one depth, later ones on top.
#[derive(Default)]
pub(crate) struct Layers([Vec<Shape>; DEPTHS as usize + 1]);

impl Layers {
    /// Adds a shape on top of all depths.
    pub(crate) fn push(&mut self, shape: Shape) {
        self.push_at(DEPTHS, shape);
    }

    pub(crate) fn push_at(&mut self, depth: u8, shape: Shape) {
        self.0[usize::from(depth.min(DEPTHS))].push(shape);
    }

    pub(crate) fn into_shapes(self) -> Vec<Shape> {
        self.0.into_iter().flatten().collect()
    }
}

/// Lines grouped by their look, so that each group is painted at once.
#[derive(Default)]
pub(crate) struct LineBatches {
    batches: Vec<Batch>,
}

struct Batch {
    depth: u8,
    role: Role,
    width: f64,
    alpha: f64,
    lines: Vec<Vec<Point>>,
}

impl LineBatches {
    /// Adds a line on top of all depths.
    pub(crate) fn add(&mut self, role: Role, width: f64, alpha: f64, line: &[Point]) {
        self.add_at(DEPTHS, role, width, alpha, line);
    }

    /// Adds a line at a depth: the farther, the paler.
    pub(crate) fn add_at(&mut self, depth: u8, role: Role, width: f64, alpha: f64, line: &[Point]) {
        let alike = |batch: &&mut Batch| {
            batch.role == role && batch.depth == depth && batch.width == width && batch.alpha == alpha
        };
        match self.batches.iter_mut().find(alike) {
            Some(batch) => batch.lines.push(line.to_vec()),
            None => self.batches.push(Batch { depth, role, width, alpha, lines: vec![line.to_vec()] }),
        }
    }

    pub(crate) fn finish(self, shapes: &mut Vec<Shape>) {
        shapes.extend(self.shapes().map(|(_, shape)| shape));
    }

    /// Adds the groups to `layers` at their depths.
    pub(crate) fn finish_in(self, layers: &mut Layers) {
        self.shapes().for_each(|(depth, shape)| layers.push_at(depth, shape));
    }

    fn shapes(self) -> impl Iterator<Item = (u8, Shape)> {
        let shape = |Batch { depth, role, width, alpha, lines }| {
            (depth, Shape::Mesh { lines, role, width, alpha: alpha * shade(depth) })
        };
        self.batches.into_iter().map(shape)
    }
}
