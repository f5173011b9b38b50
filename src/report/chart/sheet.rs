//! What charts and maps are drawn on, and how they look.

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingAreaErrorKind, FontDesc, FontFamily, FontStyle, RGBColor};

use super::surface::{Failed, Surface};
use crate::report::picture::scene::Role;

/// Colours and sizes of a chart.
pub struct Style<'a> {
    /// The colour of a role.
    pub color: &'a dyn Fn(Role) -> RGBColor,
    /// Device pixels per CSS pixel: fonts, strokes and margins grow with it.
    pub scale: f64,
    /// By how much larger text has to be asked for than it shall be: SVG documents count it differently.
    pub text: f64,
}

impl Style<'_> {
    /// So many CSS pixels on the backend.
    pub(crate) fn px(&self, size: f64) -> i32 {
        (size * self.scale).round() as i32
    }

    /// The same as the width of a line, which is never 0.
    pub(crate) fn stroke(&self, width: f64) -> u32 {
        self.px(width).max(1) as u32
    }

    /// The font, so many CSS pixels high.
    pub(crate) fn font(&self, size: f64) -> FontDesc<'static> {
        FontDesc::new(FONT, (size * self.scale * self.text).round(), FontStyle::Normal)
    }
}

/// Plotters writes text into SVG documents this much smaller than asked for.
pub(crate) const SVG_TEXT: f64 = 1.24;

/// What went wrong while drawing, in words.
pub type DrawError = String;

/// Named as what it is: plotters would fold the case of a mere text, with Unicode's tables.
pub(crate) const FONT: FontFamily<'static> = FontFamily::Name("system-ui, sans-serif");

/// What charts are drawn on.
pub(crate) type Area<'a> = DrawingArea<Surface<'a>, Shift>;

/// How it ends: all backends say it in the same way.
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<Failed>>;
