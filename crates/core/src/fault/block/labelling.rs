//! Deactivation of nodes for routing without fault chains (Chien & Kim 1992; Boppana & Chalasani
//! sections I and II.A).

use super::{Region, RegionKind};
use crate::topology::Mesh;

/// Lowest and highest coordinates of the remaining box, by dimension.
type RemainingBox = Vec<(i32, i32)>;

/// Returns a flag by node that is true for deactivated nodes. No fault region touches the border of
/// the box of the remaining nodes.
///
/// Whole rows and columns of the border are labelled faulty ("to handle a node fault in the top row
/// of a 2D mesh, all other nodes in that row must be labeled faulty"). The papers do not specify
/// which side to label if there are several. Faultlab labels, for each region in turn, the side
/// that leaves the most nodes.
///
/// The result is empty if no node is deactivated: always on tori, which have no border, and in one
/// dimension, where messages cannot go around faults. Cost: the square of the number of regions.
pub(super) fn deactivated_nodes(mesh: Mesh, regions: &[Region]) -> Vec<bool> {
    if mesh.is_torus() || mesh.dimensions() == 1 {
        return Vec::new();
    }
    let whole: RemainingBox = (0..mesh.dimensions()).map(|dim| (0, i32::from(mesh.radix(dim)) - 1)).collect();
    let mut inner = whole.clone();
    while let Some(region) = regions.iter().find(|region| touches(mesh, region, &inner)) {
        inner = largest_rest(region, &inner);
    }
    if inner == whole {
        return Vec::new();
    }
    let inside =
        |(dim, &(low, high)): (u8, &(i32, i32)), node| (low..=high).contains(&i32::from(mesh.coordinate(node, dim)));
    mesh.iter_nodes().map(|node| !(0..).zip(&inner).all(|bounds| inside(bounds, node))).collect()
}

/// Returns the dimension along which the links of `region` run; `None` for a region of nodes.
fn link_dimension(region: &Region) -> Option<u8> {
    match region.kind {
        RegionKind::Nodes => None,
        RegionKind::Links { dim, .. } => Some(dim),
    }
}

/// Returns whether `region` has a part in `inner` and a ring that extends beyond `inner`, in a
/// plane of a dimension and the next one in which messages meet the region.
fn touches(mesh: Mesh, region: &Region, inner: &RemainingBox) -> bool {
    let bounds = || (0..).zip(inner.iter().zip(&region.extent));
    let is_inside = bounds().all(|(dim, (&(low, high), &(first, last)))| {
        let last_low = if link_dimension(region) == Some(dim) { first + 1 } else { first };
        last_low <= high && if link_dimension(region) == Some(dim) { first >= low } else { last >= low }
    });
    let meets = match region.kind {
        RegionKind::Nodes => true,
        RegionKind::Links { dim, beside } => beside == (dim + 1) % mesh.dimensions(),
    };
    let sticks_out = bounds().any(|(dim, (&(low, high), &(first, last)))| {
        link_dimension(region) != Some(dim) && (first <= low || last >= high)
    });
    is_inside && meets && sticks_out
}

/// Returns the largest part of `inner` on one side of `region`.
fn largest_rest(region: &Region, inner: &RemainingBox) -> RemainingBox {
    let cut = |dim: usize, above: bool| {
        let mut rest = inner.clone();
        let (first, last) = region.extent[dim];
        // For links, it suffices to deactivate one end.
        let is_along = link_dimension(region).map(usize::from) == Some(dim);
        let (below_it, above_it) = if is_along { (first, first + 1) } else { (first - 1, last + 1) };
        if above {
            rest[dim].0 = above_it
        } else {
            rest[dim].1 = below_it
        }
        rest
    };
    let size =
        |inner: &RemainingBox| inner.iter().map(|&(low, high)| i64::from((high - low + 1).max(0))).product::<i64>();
    // Cuts across links come first, because the papers deactivate the row of a faulty row link.
    let is_along = |&dim: &usize| link_dimension(region).map(usize::from) == Some(dim);
    let across = (0..inner.len()).filter(|dim| !is_along(dim));
    let sides = across.chain((0..inner.len()).filter(is_along)).flat_map(|dim| [(dim, true), (dim, false)]);
    let mut best: Option<RemainingBox> = None;
    for other in sides.map(|(dim, above)| cut(dim, above)) {
        if best.as_ref().is_none_or(|best| size(&other) > size(best)) {
            best = Some(other);
        }
    }
    best.unwrap_or_default()
}
