//! What charts and maps are drawn on, and how they look.

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingAreaErrorKind, FontFamily, RGBColor};

use super::surface::{Failed, Surface};
use crate::report::picture::scene::Role;

/// Colours and sizes of a chart.
pub struct Style<'a> {
    /// The colour of a role.
    pub color: &'a dyn Fn(Role) -> RGBColor,
    /// Device pixels per CSS pixel: fonts, strokes and margins grow with it.
    pub scale: f64,
}

/// What went wrong while drawing, in words.
pub type DrawError = String;

/// Named as what it is: plotters would fold the case of a mere text, with Unicode's tables.
pub(crate) const FONT: FontFamily<'static> = FontFamily::Name("system-ui, sans-serif");

/// What charts are drawn on.
pub(crate) type Area<'a> = DrawingArea<Surface<'a>, Shift>;

/// How it ends: all backends say it in the same way.
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<Failed>>;
