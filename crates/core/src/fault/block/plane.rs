//! Two-dimensional submeshes in which messages go around faults (Boppana & Chalasani section VI).

use crate::topology::{Mesh, NodeId, Port};

/// A family of planes: the submeshes along two dimensions, one for each choice of the other
/// coordinates.
///
/// In each plane, one dimension counts columns from the West and the other one rows from the North.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaneFamily {
    /// Dimension of the columns.
    pub column: u8,
    /// Dimension of the rows.
    pub row: u8,
}

impl PlaneFamily {
    /// Plane of dimensions 0 and 1: all of a two-dimensional mesh.
    pub const FLAT: Self = Self { column: 0, row: 1 };

    /// Returns the plane of two different dimensions. The lower one counts columns.
    pub const fn from_dimensions(a: u8, b: u8) -> Self {
        if a < b { Self { column: a, row: b } } else { Self { column: b, row: a } }
    }

    /// Returns the planes of all pairs of dimensions of `mesh`.
    pub fn all(mesh: Mesh) -> impl Iterator<Item = Self> {
        let dimensions = mesh.dimensions();
        (0..dimensions).flat_map(move |column| (column + 1..dimensions).map(move |row| Self { column, row }))
    }

    /// Returns the dimension of the plane that is not `dim`.
    #[inline]
    pub const fn other_dimension(self, dim: u8) -> u8 {
        if dim == self.column { self.row } else { self.column }
    }

    /// Returns the row and column of `node`.
    #[inline]
    pub const fn position(self, mesh: Mesh, node: NodeId) -> (i32, i32) {
        if self.column == 0 && self.row == 1 {
            return mesh.row_and_column(node);
        }
        (mesh.coordinate(node, self.row) as i32, mesh.coordinate(node, self.column) as i32)
    }

    /// Returns the node in `row` and `column` of the plane through `base`, modulo the radix on a
    /// torus; `None` outside of a mesh.
    pub fn node(self, mesh: Mesh, base: NodeId, row: i32, column: i32) -> Option<NodeId> {
        let inside = |dim: u8, at: i32| {
            let radix = i32::from(mesh.radix(dim));
            let at = if mesh.wraps(dim) { at.rem_euclid(radix) } else { at };
            (0..radix).contains(&at).then_some(at as u16)
        };
        Some(mesh.with_coordinate(
            mesh.with_coordinate(base, self.row, inside(self.row, row)?),
            self.column,
            inside(self.column, column)?,
        ))
    }

    /// Maps the port `flat`, West, East, North or South of the plane, to the port of the mesh.
    #[inline]
    pub const fn port(self, flat: Port) -> Port {
        Port::along(if flat.dim() == 0 { self.column } else { self.row }, flat.grows())
    }

    /// Returns whether `port` stays in the plane.
    #[inline]
    pub const fn contains_port(self, port: Port) -> bool {
        port.dim() == self.column || port.dim() == self.row
    }
}
