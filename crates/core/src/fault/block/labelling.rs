//! The nodes that routing which knows no fault chains gives up (Chien & Kim 1992; Boppana & Chalasani sections I and II.A).

use super::{Region, RegionKind};
use crate::topology::Mesh;

/// For each dimension, the lowest and the highest coordinate of what is left.
type Inner = Vec<(i32, i32)>;

/// For every node, whether it is given up so that no fault region touches the border of what is left: whole rows and columns of
/// the border ("to handle a node fault in the top row of a 2D mesh, all other nodes in that row must be labeled faulty").
/// What is left is a box. The papers do not say which side to give up where there is a choice: here, for one region after
/// the other, what leaves most nodes. Empty if none is; of a torus, which has no border, and of one dimension, where
/// nothing goes around faults, none is. Cost: the square of the regions.
pub(super) fn given_up(mesh: Mesh, regions: &[Region]) -> Vec<bool> {
    if mesh.is_torus() || mesh.dimensions() == 1 {
        return Vec::new();
    }
    let whole: Inner = (0..mesh.dimensions()).map(|dim| (0, i32::from(mesh.radix(dim)) - 1)).collect();
    let mut inner = whole.clone();
    while let Some(region) = regions.iter().find(|region| touches(mesh, region, &inner)) {
        inner = without(region, &inner);
    }
    if inner == whole {
        return Vec::new();
    }
    let inside =
        |(dim, &(low, high)): (u8, &(i32, i32)), node| (low..=high).contains(&i32::from(mesh.coordinate(node, dim)));
    mesh.all().map(|node| !(0..).zip(&inner).all(|bounds| inside(bounds, node))).collect()
}

/// The dimension along which the links of `region` run, if it is one of links.
fn along(region: &Region) -> Option<u8> {
    match region.kind {
        RegionKind::Nodes => None,
        RegionKind::Links { dim, .. } => Some(dim),
    }
}

/// Whether `region` has a part in `inner` and its ring sticks out there, in a plane in which messages meet it: a dimension and the
/// next one.
fn touches(mesh: Mesh, region: &Region, inner: &Inner) -> bool {
    let bounds = || (0..).zip(inner.iter().zip(&region.extent));
    let is_inside = bounds().all(|(dim, (&(low, high), &(first, last)))| {
        let last_low = if along(region) == Some(dim) { first + 1 } else { first };
        last_low <= high && if along(region) == Some(dim) { first >= low } else { last >= low }
    });
    let meets = match region.kind {
        RegionKind::Nodes => true,
        RegionKind::Links { dim, beside } => beside == (dim + 1) % mesh.dimensions(),
    };
    let sticks_out = bounds()
        .any(|(dim, (&(low, high), &(first, last)))| along(region) != Some(dim) && (first <= low || last >= high));
    is_inside && meets && sticks_out
}

/// The largest part of `inner` on one side of `region`.
fn without(region: &Region, inner: &Inner) -> Inner {
    let cut = |dim: usize, above: bool| {
        let mut rest = inner.clone();
        let (first, last) = region.extent[dim];
        // Of links it is enough to give up one end.
        let is_along = along(region).map(usize::from) == Some(dim);
        let (below_it, above_it) = if is_along { (first, first + 1) } else { (first - 1, last + 1) };
        if above {
            rest[dim].0 = above_it
        } else {
            rest[dim].1 = below_it
        }
        rest
    };
    let size = |inner: &Inner| inner.iter().map(|&(low, high)| i64::from((high - low + 1).max(0))).product::<i64>();
    // Across links first: the papers give up the row of a faulty row link in it.
    let is_along = |&dim: &usize| along(region).map(usize::from) == Some(dim);
    let across = (0..inner.len()).filter(|dim| !is_along(dim));
    let sides = across.chain((0..inner.len()).filter(is_along)).flat_map(|dim| [(dim, true), (dim, false)]);
    let mut best: Option<Inner> = None;
    for other in sides.map(|(dim, above)| cut(dim, above)) {
        if best.as_ref().is_none_or(|best| size(&other) > size(best)) {
            best = Some(other);
        }
    }
    best.unwrap_or_default()
}
