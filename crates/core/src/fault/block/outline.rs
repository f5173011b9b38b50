//! Outlines of fault regions that are not rectangles (Boppana & Chalasani section VII; solid faults of
//! Chalasani & Boppana 1997).
//!
//! A message goes around such a region as one walks along a wall: it keeps the region on one side. The
//! next hop depends on the node, the orientation and the direction in which the message faces, since a
//! narrow gap of the region has the outline on both sides.

use std::sync::Arc;

use super::{BlockFaults, GateTrees, Orientation, PlaneFamily, Region, RegionId};
use crate::topology::{Mesh, NodeId, Port};

/// Extension of faults to regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegionForm {
    /// Block closure: regions are rectangles or boxes.
    #[default]
    Blocks,
    /// Gaps of a region in a row or column become faulty: regions such as L, T and + remain.
    Solid,
    /// Regions of any shape: only a node with a faulty link beside another fault becomes faulty.
    Any,
}

impl RegionForm {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Blocks, Self::Solid, Self::Any];

    /// Returns the name in experiment texts.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Solid => "solid",
            Self::Any => "any",
        }
    }

    /// Parses a name; `None` if there is no such form.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.id() == text)
    }

    /// Returns whether regions can have this form on `mesh`: rectangles on any mesh, other shapes on
    /// planes without wraparound links.
    pub fn fits(self, mesh: Mesh) -> bool {
        self == Self::Blocks || mesh.is_plane() && !mesh.is_torus() && !mesh.is_cube()
    }
}

/// Reference direction of a message that looks for its next hop around a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// The region is behind this port: the message enters the ring.
    Region(Port),
    /// The message arrived by this port along the ring.
    Ahead(Port),
}

/// Returns the port on the left of a message that faces `port` in the plane.
const fn left(port: Port) -> Port {
    match port.dim() {
        0 => Port::along(1, !port.grows()),
        _ => Port::along(0, port.grows()),
    }
}

/// Returns the ports at which a message looks for its next hop, in order: first the one towards the
/// region.
fn candidates(orientation: Orientation, facing: Facing) -> [Port; 4] {
    // Clockwise, the region is on the right.
    let away = |port: Port| match orientation {
        Orientation::Clockwise => left(port),
        Orientation::CounterClockwise => left(port).opposite(),
    };
    let first = match facing {
        Facing::Region(port) => port,
        Facing::Ahead(port) => away(port).opposite(),
    };
    [first, away(first), first.opposite(), away(first).opposite()]
}

/// Returns the position beside (row, column) in the direction of `port`.
fn beside((row, column): (i32, i32), port: Port) -> (i32, i32) {
    let step = if port.grows() { 1 } else { -1 };
    if port.dim() == 0 { (row, column + step) } else { (row + step, column) }
}

impl Region {
    /// Returns whether the faulty node at (row, column) belongs to the region, in two dimensions.
    fn has_position(&self, mesh: Mesh, (row, column): (i32, i32)) -> bool {
        mesh.node(row, column).is_some_and(|node| self.nodes.binary_search(&node).is_ok())
    }

    /// Returns the next hop from (row, column) along the outline, even if it leads out of the mesh.
    fn outline_step(&self, mesh: Mesh, at: (i32, i32), orientation: Orientation, facing: Facing) -> Option<Port> {
        let ports = candidates(orientation, facing);
        ports.into_iter().find(|&port| !self.has_position(mesh, beside(at, port)))
    }

    /// Returns the positions of the outline of a region that is not a box, clockwise from the node north
    /// of its first node, each with the port to the next position; also those outside of the mesh. Cost:
    /// the length of the outline.
    pub(super) fn outline(&self, mesh: Mesh) -> Vec<((i32, i32), Port)> {
        let Some(&first) = self.nodes.first() else { return Vec::new() };
        let start = (beside(mesh.row_and_column(first), Port::NORTH), Port::EAST);
        let (mut at, mut steps) = (start, Vec::new());
        while let Some(port) = self.outline_step(mesh, at.0, Orientation::Clockwise, Facing::Ahead(at.1)) {
            steps.push((at.0, port));
            at = (beside(at.0, port), port);
            // Every position has at most four directions, and with the positions outside of the mesh there
            // are at most nine times as many as nodes.
            if at == start || steps.len() > 4 * mesh.nodes() as usize * 9 {
                break;
            }
        }
        steps
    }
}

impl BlockFaults {
    /// Applies the closure of `form` to the faulty `nodes` and `links` of `mesh`; block closure if the
    /// form does not [fit](RegionForm::fits) the mesh. Cost: as [`BlockFaults::new`].
    pub fn with_form(mesh: Mesh, nodes: &[NodeId], links: &[crate::topology::Link], form: RegionForm) -> Self {
        let form = if form.fits(mesh) { form } else { RegionForm::Blocks };
        let closed = super::closure::close(mesh, nodes, links, form);
        let (regions, blocked) = super::region::find_regions(mesh, &closed);
        let mut faults = Self { form, ..Self::from_parts(mesh, closed, regions, blocked) };
        if form != RegionForm::Blocks {
            let blocks = Self::new(mesh, nodes, links);
            faults.gates = Some(Arc::new(GateTrees::new(&faults, blocks)));
        }
        faults
    }

    /// Returns the form of the regions.
    pub fn form(&self) -> RegionForm {
        self.form
    }

    /// Returns whether all regions are boxes or runs of links, as after block closure.
    #[inline]
    pub fn are_boxes(&self) -> bool {
        self.form == RegionForm::Blocks || self.regions.iter().all(Region::is_box)
    }

    /// Returns the hop from `node` along the ring or outline of `region`, in the direction given by
    /// `facing`, even if it leads out of the mesh. Rings of boxes do not depend on `facing`.
    #[inline]
    pub fn ring_port_facing(
        &self,
        region: RegionId,
        plane: PlaneFamily,
        node: NodeId,
        orientation: Orientation,
        facing: Facing,
    ) -> Option<Port> {
        let around = self.region(region)?;
        if around.is_box() {
            return self.ring_port(region, plane, node, orientation);
        }
        around.outline_step(self.mesh, self.mesh.row_and_column(node), orientation, facing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(form: RegionForm, positions: &[(i32, i32)]) -> (Mesh, BlockFaults) {
        let mesh = Mesh::new(9, 9).expect("a mesh");
        let nodes: Vec<_> = positions.iter().map(|&(row, column)| mesh.node(row, column).expect("a node")).collect();
        (mesh, BlockFaults::with_form(mesh, &nodes, &[], form))
    }

    /// The outline of a region is the set of live nodes that touch it, also at a corner.
    #[test]
    fn outlines_visit_all_nodes_that_touch_the_region() {
        let shapes: [&[(i32, i32)]; 4] = [
            &[(3, 3), (4, 3), (4, 4)],
            &[(3, 3), (3, 4), (3, 5), (4, 4), (5, 4)],
            &[(3, 4), (4, 3), (4, 4), (4, 5), (5, 4)],
            &[(3, 3), (4, 3), (5, 3), (5, 4), (5, 5), (4, 5), (3, 5)],
        ];
        for shape in shapes {
            let (mesh, faults) = region(RegionForm::Any, shape);
            assert_eq!((faults.regions().len(), faults.regions()[0].nodes.len()), (1, shape.len()));
            let mut visited: Vec<_> = faults.regions()[0].outline(mesh).into_iter().map(|(at, _)| at).collect();
            visited.sort();
            visited.dedup();
            let touches = |at: &(i32, i32)| {
                !shape.contains(at) && shape.iter().any(|it| (it.0 - at.0).abs().max((it.1 - at.1).abs()) == 1)
            };
            let around: Vec<_> =
                (0..9).flat_map(|row| (0..9).map(move |column| (row, column))).filter(touches).collect();
            assert_eq!(visited, around, "{shape:?}");
        }
    }

    #[test]
    fn solid_closure_fills_gaps_in_rows_and_columns_only() {
        let added = |form, shape: &[_]| region(form, shape).1.rounds().concat().len();
        let (l, u): (&[_], &[_]) = (&[(3, 3), (4, 3), (4, 4)], &[(3, 3), (4, 3), (4, 4), (4, 5), (3, 5)]);
        assert_eq!([RegionForm::Blocks, RegionForm::Solid, RegionForm::Any].map(|form| added(form, l)), [1, 0, 0]);
        assert_eq!([RegionForm::Blocks, RegionForm::Solid, RegionForm::Any].map(|form| added(form, u)), [1, 1, 0]);
    }
}
