//! Lines, outlines and words on what charts are drawn on: all that they are made of.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::dash::dashed;
use super::figure::{Curve, Kind};
use super::look;
use super::sheet::{Area, Drawn, Style};
use crate::report::picture::scene::Role;

/// A point in CSS pixels.
pub(crate) type At = (f64, f64);

/// Where words stand beside their point.
pub(crate) type Side = (HPos, VPos);

/// On the right of their point, on its left, in the middle below it, and about it.
pub(crate) const RIGHT: Side = (HPos::Left, VPos::Center);
pub(crate) const LEFT: Side = (HPos::Right, VPos::Center);
pub(crate) const UNDER: Side = (HPos::Center, VPos::Top);
pub(crate) const ABOUT: Side = (HPos::Center, VPos::Center);

/// Draws on an area, in CSS pixels.
pub(crate) struct Pen<'a, 's> {
    /// What is drawn on.
    pub(crate) area: &'a Area<'s>,
    /// How it looks.
    pub(crate) style: &'a Style<'a>,
}

impl Pen<'_, '_> {
    fn on(&self, at: At) -> (i32, i32) {
        (self.style.px(at.0), self.style.px(at.1))
    }

    /// The width and height of the area.
    pub(crate) fn size(&self) -> (f64, f64) {
        let (width, height) = self.area.dim_in_pixel();
        (f64::from(width) / self.style.scale, f64::from(height) / self.style.scale)
    }

    /// The colour of a role, so opaque.
    pub(crate) fn color(&self, role: Role, alpha: f64) -> RGBAColor {
        (self.style.color)(role).mix(alpha)
    }

    /// A line of this width, with dashes if there is a pattern.
    pub(crate) fn line(&self, line: &[At], pattern: &[f64], color: RGBAColor, width: f64) -> Drawn {
        let stroke = color.stroke_width(self.style.stroke(width));
        for dash in dashed(line, pattern) {
            self.area.draw(&PathElement::new(dash.into_iter().map(|at| self.on(at)).collect::<Vec<_>>(), stroke))?;
        }
        Ok(())
    }

    /// An outline, filled.
    pub(crate) fn fill(&self, outline: &[At], color: RGBAColor) -> Drawn {
        self.area.draw(&Polygon::new(outline.iter().map(|&at| self.on(at)).collect::<Vec<_>>(), color.filled()))
    }

    /// Words, so many pixels high.
    pub(crate) fn words(&self, text: String, at: At, (size, role): (f64, Role), (across, up): Side) -> Drawn {
        let font = self.style.font(size).color(&(self.style.color)(role)).pos(Pos::new(across, up));
        self.area.draw(&Text::new(text, self.on(at), font))
    }

    /// Words that go upward, their middle here.
    pub(crate) fn upward(&self, text: String, at: At, (size, role): (f64, Role)) -> Drawn {
        let font = self.style.font(size).transform(FontTransform::Rotate270).color(&(self.style.color)(role));
        self.area.draw(&Text::new(text, self.on(at), font.pos(Pos::new(HPos::Center, VPos::Center))))
    }

    /// The marker of a curve; a ring of what is published; nothing for mere lines.
    pub(crate) fn marker(&self, curve: &Curve, (x, y): At) -> Drawn {
        let color = self.color(curve.role, 1.0);
        let around = |shape: Vec<At>| shape.into_iter().map(|at| (x + at.0, y + at.1)).collect::<Vec<_>>();
        let closed = |mut outline: Vec<At>| {
            outline.extend(outline.first().copied());
            outline
        };
        match curve.kind {
            Kind::Measured | Kind::Apart | Kind::Kept => {
                let outline = around(look::marker(curve.dash, 4.0));
                if !curve.is_hollow() {
                    return self.fill(&outline, color);
                }
                self.fill(&outline, self.color(Role::Paper, 1.0))?;
                self.line(&closed(outline), &[], color, if curve.kind == Kind::Kept { 1.2 } else { 1.6 })
            }
            Kind::Published => self.line(&closed(around(look::disc(7.0))), &[], color, 1.4),
            Kind::Distribution | Kind::ClosedForm | Kind::Band => Ok(()),
        }
    }
}
