//! Plotters backend that draws into a scene: each of its operations appends a shape.
//!
//! Plotters counts in whole units, here in hundredths of a CSS pixel, so that no point moves to a
//! whole pixel. It lays out axes and elements. A scene has roles instead of colours, so a role
//! passes through plotters encoded as a colour.

use std::convert::Infallible;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::{
    Color, DrawingArea, DrawingAreaErrorKind, DrawingBackend, FontDesc, FontFamily, FontStyle, ShapeStyle, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind, FontTransform};

use super::axis::Axis;
use super::curve_style;
pub(crate) use super::frame::SMALL;
use crate::picture::geometry::{Point, Size, text_width};
use crate::picture::scene::{Anchor, Role, Scene, Shape};

/// Backend units in a CSS pixel.
const UNITS_PER_PIXEL: f64 = 100.0;

/// Area of a picture on which plotters draws, in backend units.
pub(crate) type Area<'a> = DrawingArea<SceneBackend<'a>, Shift>;

/// Result of drawing. None of the errors of plotters can occur: a scene takes every shape, and no
/// font is measured.
pub(crate) type DrawResult = Result<(), DrawingAreaErrorKind<Infallible>>;

type BackendResult = Result<(), DrawingErrorKind<Infallible>>;

/// Converts CSS pixels to backend units.
pub(crate) fn units(pixels: f64) -> i32 {
    (pixels * UNITS_PER_PIXEL).round() as i32
}

/// Converts a point in CSS pixels to backend units.
pub(crate) fn in_units(at: Point) -> BackendCoord {
    (units(at.x), units(at.y))
}

fn in_pixels((x, y): BackendCoord) -> Point {
    Point::new(f64::from(x) / UNITS_PER_PIXEL, f64::from(y) / UNITS_PER_PIXEL)
}

/// Returns the style of lines with an opacity and a width in CSS pixels.
pub(crate) fn stroke(role: Role, alpha: f64, width: f64) -> ShapeStyle {
    ShapeStyle { color: role.mix(alpha), filled: false, stroke_width: units(width).max(1) as u32 }
}

/// Returns the style of text on a side of its point; `size` is in CSS pixels.
pub(crate) fn text_style(size: f64, role: Role, (across, up): TextSide) -> TextStyle<'static> {
    let font = FontDesc::new(FontFamily::SansSerif, size * UNITS_PER_PIXEL, FontStyle::Normal);
    TextStyle { font, color: role.to_backend_color(), pos: Pos::new(across, up) }
}

/// Height of titles, in CSS pixels.
pub(crate) const TITLE: f64 = 13.0;

/// Side of a point on which its text is drawn.
type TextSide = (HPos, VPos);

/// Text on the right of its point.
pub(crate) const RIGHT: TextSide = (HPos::Left, VPos::Center);
/// Text on the left of its point.
pub(crate) const LEFT: TextSide = (HPos::Right, VPos::Center);
/// Text centred on its point.
pub(crate) const CENTERED: TextSide = (HPos::Center, VPos::Center);

/// Roles other than series; the index of a role is the role's colour for plotters.
const ROLES: [Role; 9] =
    [Role::Paper, Role::Ink, Role::Soft, Role::Link, Role::Idle, Role::Fault, Role::Detour, Role::Done, Role::Trap];

/// Encodes a role as a colour: red is the index of the role, green the number of a series.
impl Color for Role {
    fn to_backend_color(&self) -> BackendColor {
        let rgb = match self {
            Self::Series(number) => (u8::MAX, *number, 0),
            role => (ROLES.iter().position(|known| known == role).unwrap_or_default() as u8, 0, 0),
        };
        BackendColor { alpha: 1.0, rgb }
    }
}

fn role(color: BackendColor) -> Role {
    ROLES.get(usize::from(color.rgb.0)).copied().unwrap_or(Role::Series(color.rgb.1))
}

/// Plotters backend that appends shapes to a scene.
pub(crate) struct SceneBackend<'a> {
    scene: &'a mut Scene,
}

impl<'a> SceneBackend<'a> {
    /// Returns a backend of the size of the scene.
    pub(crate) fn new(scene: &'a mut Scene) -> Self {
        Self { scene }
    }

    fn push(&mut self, color: BackendColor, shape: impl FnOnce(Role, f64) -> Shape) {
        if color.alpha > 0.0 {
            self.scene.shapes.push(shape(role(color), color.alpha));
        }
    }

    fn line(&mut self, points: Vec<Point>, style: &impl BackendStyle, dash: &[f64]) {
        let width = f64::from(style.stroke_width()) / UNITS_PER_PIXEL;
        self.push(style.color(), |role, alpha| match (&points[..], dash) {
            (&[from, to], []) if width <= 1.0 => Shape::Line { ends: snap_to_pixels([from, to]), role, width, alpha },
            _ => Shape::Stroke { points, role, width, dash: dash.to_vec(), alpha },
        });
    }

    fn area(&mut self, points: Vec<Point>, style: &impl BackendStyle) {
        self.push(style.color(), |role, alpha| Shape::Area { points, role, alpha });
    }
}

/// Moves a thin horizontal or vertical line, such as an axis, to the middle of a row or column of
/// pixels. Between two rows or columns the line would be blurred.
fn snap_to_pixels([from, to]: [Point; 2]) -> [Point; 2] {
    let middle = |at: f64| at.round() - 0.5;
    match (from.x == to.x, from.y == to.y) {
        (true, _) => [from, to].map(|end| Point::new(middle(from.x), end.y)),
        (_, true) => [from, to].map(|end| Point::new(end.x, middle(from.y))),
        _ => [from, to],
    }
}

/// Returns the corners of a rectangle.
fn corners(from: Point, to: Point) -> Vec<Point> {
    vec![from, Point::new(to.x, from.y), to, Point::new(from.x, to.y)]
}

fn closed(mut outline: Vec<Point>) -> Vec<Point> {
    outline.extend(outline.first().copied());
    outline
}

impl DrawingBackend for SceneBackend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        let Size { width, height } = self.scene.size;
        (units(width).unsigned_abs(), units(height).unsigned_abs())
    }

    fn ensure_prepared(&mut self) -> BackendResult {
        Ok(())
    }

    fn present(&mut self) -> BackendResult {
        Ok(())
    }

    /// Draws a square whose sides are one backend unit.
    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> BackendResult {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> BackendResult {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> BackendResult {
        let outline = corners(in_pixels(from), in_pixels(to));
        if fill {
            self.area(outline, style)
        } else {
            self.line(closed(outline), style, &[])
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> BackendResult {
        self.line(path.into_iter().map(in_pixels).collect(), style, &[]);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> BackendResult {
        let center = in_pixels(center);
        let outline =
            curve_style::disc(f64::from(radius) / UNITS_PER_PIXEL).into_iter().map(|at| center + at).collect();
        if fill {
            self.area(outline, style)
        } else {
            self.line(closed(outline), style, &[])
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> BackendResult {
        self.area(corners.into_iter().map(in_pixels).collect(), style);
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, at: BackendCoord) -> BackendResult {
        let Pos { h_pos, v_pos } = style.anchor();
        let anchor = match h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        let half = (style.size() / 2.0).round() as i32;
        let down = match v_pos {
            VPos::Top => half,
            VPos::Center => 0,
            VPos::Bottom => -half,
        };
        let turn = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 90.0,
            FontTransform::Rotate180 => 180.0,
            FontTransform::Rotate270 => 270.0,
        };
        // The point is relative to the rotated text.
        let (right, down) = style.transform().transform(0, down);
        let (at, size) = (in_pixels((at.0 + right, at.1 + down)), style.size() / UNITS_PER_PIXEL);
        if !text.is_empty() {
            let text = text.to_owned();
            self.push(style.color(), |role, _| Shape::Label { at, anchor, role, size, turn, text });
        }
        Ok(())
    }

    /// Estimates the size of a text. Plotters would measure it in the page's document, which
    /// neither workers nor Node.js have.
    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok((text_width(text, style.size()).round() as u32, style.size().round() as u32))
    }
}

/// Plotters lays out an axis by the same shares with which the page finds the point under the
/// pointer. The ranges of plotters are unsuitable. Their ticks never end on an axis shorter than
/// 1e-16, and their logarithmic ticks are powers of ten only. With a type for each scale of each
/// axis, charts would be compiled four times.
impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (f64::from(to - from) * self.share(*value)).round() as i32
    }

    /// Returns no ticks: every chart sets its own by
    /// [`plotters::coord::combinators::BindKeyPoints`].
    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        Vec::new()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.value(0.0)..self.value(1.0)
    }
}

/// Line with the dashes of a scene. The dashed lines of plotters have dashes of one length, each a
/// separate line.
pub(crate) struct Dashed<Coord> {
    /// Points of the line.
    pub(crate) points: Vec<Coord>,
    /// Colour and width of the line.
    pub(crate) style: ShapeStyle,
    /// Lengths of dashes and gaps in CSS pixels; empty for a line without gaps.
    pub(crate) dash: &'static [f64],
}

impl<'a, Coord> PointCollection<'a, Coord> for &'a Dashed<Coord> {
    type Point = &'a Coord;
    type IntoIter = &'a [Coord];

    fn point_iter(self) -> &'a [Coord] {
        &self.points
    }
}

impl<'a, Coord> Drawable<SceneBackend<'a>> for Dashed<Coord> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        points: I,
        backend: &mut SceneBackend<'a>,
        _: (u32, u32),
    ) -> BackendResult {
        backend.line(points.map(in_pixels).collect(), &self.style, self.dash);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use plotters::prelude::*;

    use super::*;

    #[test]
    fn roles_survive_encoding_as_colours() {
        for known in ROLES.into_iter().chain([Role::Series(0), Role::Series(200)]) {
            assert_eq!(role(known.to_backend_color()), known);
        }
    }

    #[test]
    fn plotters_elements_become_shapes() {
        let mut scene = Scene { size: Size::new(40.0, 30.0), shapes: Vec::new() };
        let area = SceneBackend::new(&mut scene).into_drawing_area();
        let thin = stroke(Role::Idle, 1.0, 1.0);
        area.draw(&PathElement::new([Point::new(1.0, 2.0), Point::new(1.0, 9.0)].map(in_units), thin)).unwrap();
        let points = [Point::new(0.25, 0.0), Point::new(5.0, 5.0)].map(in_units).to_vec();
        area.draw(&Dashed { points, style: stroke(Role::Ink, 0.5, 2.4), dash: &[4.0, 2.0] }).unwrap();
        let triangle = [Point::ORIGIN, Point::new(1.5, 0.0), Point::new(0.0, 1.0)];
        area.draw(&Polygon::new(triangle.map(in_units), Role::Trap.mix(0.45))).unwrap();
        let upward = text_style(10.0, Role::Ink, (HPos::Center, VPos::Top))
            .transform(plotters::prelude::FontTransform::Rotate270);
        area.draw(&Text::new("title", in_units(Point::new(8.0, 15.0)), upward)).unwrap();
        area.draw(&Text::new("", (0, 0), text_style(10.0, Role::Ink, LEFT))).unwrap();
        drop(area);
        let (anchor, text) = (Anchor::Middle, "title".to_owned());
        assert_eq!(
            scene.shapes,
            [
                Shape::Line {
                    ends: [Point::new(0.5, 2.0), Point::new(0.5, 9.0)],
                    role: Role::Idle,
                    width: 1.0,
                    alpha: 1.0
                },
                Shape::Stroke {
                    points: vec![Point::new(0.25, 0.0), Point::new(5.0, 5.0)],
                    role: Role::Ink,
                    width: 2.4,
                    dash: vec![4.0, 2.0],
                    alpha: 0.5
                },
                Shape::Area {
                    points: vec![Point::new(0.0, 0.0), Point::new(1.5, 0.0), Point::new(0.0, 1.0)],
                    role: Role::Trap,
                    alpha: 0.45
                },
                // The upper edge of the rotated text is at the point, so the middle of the text is
                // half its height to the right.
                Shape::Label { at: Point::new(13.0, 15.0), anchor, role: Role::Ink, size: 10.0, turn: 270.0, text },
            ]
        );
    }
}
