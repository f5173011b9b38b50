//! Markers of measured points.

use plotters::prelude::*;

use super::backend::{SceneBackend, in_units, stroke};
use super::curve_style;
use super::figure::{Curve, CurveStyle};
use crate::picture::scene::Role;

/// Returns the marker of a curve at a point: a ring for published values, nothing for curves
/// without markers.
pub(crate) fn marker<'s, Coord: Clone + 'static>(curve: &Curve, at: Coord) -> DynElement<'s, SceneBackend<'s>, Coord> {
    let (outline, fill, width) = match curve.kind {
        CurveStyle::Distribution | CurveStyle::ClosedForm | CurveStyle::Band => (Vec::new(), None, 0.0),
        CurveStyle::Published => (curve_style::disc(7.0), None, 1.4),
        CurveStyle::Kept => (curve_style::marker(curve.dash, 4.0), Some(Role::Paper), 1.2),
        _ if curve.is_hollow() => (curve_style::marker(curve.dash, 4.0), Some(Role::Paper), 1.6),
        _ => (curve_style::marker(curve.dash, 4.0), Some(curve.role), 0.0),
    };
    let outline: Vec<_> = outline.into_iter().map(in_units).collect();
    let edge: Vec<_> = outline.iter().chain(outline.first()).copied().collect();
    let fill = fill.map_or(TRANSPARENT, |role| role.to_rgba());
    let edge_alpha = if width > 0.0 { 1.0 } else { 0.0 };
    let shape = EmptyElement::at(at)
        + Polygon::new(outline, fill)
        + PathElement::new(edge, stroke(curve.role, edge_alpha, width));
    shape.into_dyn()
}
