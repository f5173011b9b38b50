//! Sheet of pictures and charts: an SVG document in the page's light colours, which become dark if
//! the reader prefers a dark scheme.

use std::fmt::Write as _;

use crate::chart::draw;
use crate::chart::figure::Figure;
use crate::picture::geometry::{Point, Size};
use crate::picture::palette::{light_css, screen};
use crate::picture::scene::{Role, Scene, escape};

/// Position and size of a part of the sheet, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SheetArea {
    pub(super) at: Point,
    pub(super) size: Size,
}

impl SheetArea {
    /// Returns the rest of the area below the first `height` pixels.
    pub(super) fn below(self, height: f64) -> Self {
        let Size { width, height: all } = self.size;
        Self { at: self.at + Point::new(0.0, height), size: Size::new(width, (all - height).max(1.0)) }
    }
}

/// Sheet under construction.
pub(super) struct Sheet {
    size: Size,
    parts: String,
}

impl Sheet {
    pub(super) fn new(size: Size) -> Self {
        Self { size, parts: String::new() }
    }

    /// Returns the area of the whole sheet.
    pub(super) fn area(&self) -> SheetArea {
        SheetArea { at: Point::ORIGIN, size: self.size }
    }

    /// Adds a picture, which is scaled to fit if it has another size than the area.
    pub(super) fn picture(&mut self, scene: &Scene, place: SheetArea) {
        self.draw_part(scene, place, " class=\"n\"");
    }

    /// Draws a chart in an area.
    pub(super) fn chart(&mut self, figure: &Figure, place: SheetArea) {
        self.draw_part(&draw::scene(figure, place.size), place, "");
    }

    fn draw_part(&mut self, scene: &Scene, SheetArea { at, size }: SheetArea, class: &str) {
        let Size { width: wide, height: high } = scene.size;
        let _ = write!(
            self.parts,
            "<svg{class} x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" viewBox=\"0 0 {wide:.1} {high:.1}\">{}</svg>",
            at.x,
            at.y,
            size.width,
            size.height,
            scene.shapes_svg(light_css)
        );
    }

    /// Returns the document: `words` is its title, `notes` states its source.
    pub(super) fn into_svg(self, words: &str, notes: &str) -> String {
        let Size { width: wide, height: high } = self.size;
        let paper = light_css(Role::Paper);
        let parts = format!("<rect width=\"100%\" height=\"100%\" fill=\"{paper}\"/>\n{}", self.parts);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
             font-family=\"system-ui, sans-serif\"><title>{}</title><desc>{}</desc><style>{}</style>\n{parts}</svg>\n",
            escape(words),
            escape(notes),
            styles(&parts)
        )
    }
}

/// Returns the style sheet: other colours in the dark scheme. In pictures of networks, whose class
/// is `n`, texts have a halo that keeps them legible over links, and lines have round ends, as on
/// the screen.
pub(super) fn styles(drawn: &str) -> String {
    let mut styles = String::from(
        ".n :not([stroke-dasharray]){stroke-linecap:round}.n text{paint-order:stroke;stroke:var(--p,#fbfaf6);stroke-width:4px}\
         @media(prefers-color-scheme:dark){:root{--p:#14171b}",
    );
    for (_, [light, dark]) in screen() {
        if drawn.contains(&light) {
            // Writing into a text cannot fail.
            let _ = write!(styles, "[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}");
        }
    }
    styles.push('}');
    styles
}
