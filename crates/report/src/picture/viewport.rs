//! Visible part of a magnified picture: zooming at a point, panning, and the crop of a scene.
//!
//! Every kind draws its picture in the size of the magnified picture: positions grow with the
//! magnification, widths of lines and sizes of texts do not.

use super::geometry::{Point, Size, text_width};
use super::scene::{Anchor, Scene, Shape};

/// Rectangle of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Left upper corner.
    pub corner: Point,
    /// Width and height.
    pub size: Size,
}

impl Window {
    /// Returns the window that shows a whole picture.
    pub fn whole(size: Size) -> Self {
        Self { corner: Point::ORIGIN, size }
    }

    /// Returns the right lower corner.
    pub fn end(self) -> Point {
        Point::new(self.corner.x + self.size.width, self.corner.y + self.size.height)
    }

    /// Returns whether a point lies in the window, or at most `reach` pixels outside.
    pub fn contains(self, at: Point, reach: f64) -> bool {
        self.overlaps(at, at, reach)
    }

    /// Returns whether the rectangle between two corners has a part that is at most `reach` pixels
    /// outside the window.
    fn overlaps(self, low: Point, high: Point, reach: f64) -> bool {
        let end = self.end();
        high.x >= self.corner.x - reach
            && low.x <= end.x + reach
            && high.y >= self.corner.y - reach
            && low.y <= end.y + reach
    }

    /// Returns whether a line may have a visible part.
    fn sees(self, points: &[Point], reach: f64) -> bool {
        let bounds = |pick: fn(f64, f64) -> f64| {
            points.iter().copied().reduce(|a, b| Point::new(pick(a.x, b.x), pick(a.y, b.y)))
        };
        bounds(f64::min).zip(bounds(f64::max)).is_some_and(|(low, high)| self.overlaps(low, high, reach))
    }
}

/// Magnified part of a picture that is visible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    zoom: f64,
    /// Centre of the visible part, as shares of the picture's width and height.
    center: Point,
}

impl Viewport {
    /// Viewport of a picture that is visible as a whole.
    pub const WHOLE: Self = Self { zoom: 1.0, center: Point::new(0.5, 0.5) };

    /// Returns the magnification, at least 1. At 1 the whole picture fits its canvas.
    pub fn zoom(self) -> f64 {
        self.zoom
    }

    /// Returns whether the whole picture is visible.
    pub fn is_whole(self) -> bool {
        self.zoom == 1.0
    }

    /// Returns the size of the magnified picture, from the size of its canvas.
    pub fn picture_size(self, canvas: Size) -> Size {
        Size::new(canvas.width * self.zoom, canvas.height * self.zoom)
    }

    /// Returns the visible part of the magnified picture of size `picture`.
    pub fn window(self, picture: Size) -> Window {
        let size = Size::new(picture.width / self.zoom, picture.height / self.zoom);
        let start = |center: f64, all: f64, part: f64| center * all - part / 2.0;
        let corner = Point::new(
            start(self.center.x, picture.width, size.width),
            start(self.center.y, picture.height, size.height),
        );
        Window { corner, size }
    }

    /// Converts a point of the canvas to a point of the magnified picture.
    pub fn to_picture(self, point: Point, canvas: Size) -> Point {
        point + self.window(self.picture_size(canvas)).corner
    }

    /// Converts a point of the magnified picture to a point of the canvas.
    pub fn to_canvas(self, point: Point, canvas: Size) -> Point {
        point - self.window(self.picture_size(canvas)).corner
    }

    /// Returns the viewport magnified by a further `factor`, up to `most`. The picture stays where
    /// it is at the point `fixed` of the canvas.
    pub fn zoomed(self, factor: f64, most: f64, fixed: Point, canvas: Size) -> Self {
        let zoom = (self.zoom * factor).clamp(1.0, most.max(1.0));
        let (from, picture) = (self.to_picture(fixed, canvas), self.picture_size(canvas));
        let center = |from: f64, before: f64, fixed: f64, side: f64| {
            from / before.max(1.0) + (side / 2.0 - fixed) / (side * zoom).max(1.0)
        };
        let center = Point::new(
            center(from.x, picture.width, fixed.x, canvas.width),
            center(from.y, picture.height, fixed.y, canvas.height),
        );
        Self { zoom, center }.within()
    }

    /// Returns the viewport after the picture was dragged by a distance in pixels.
    pub fn panned(self, by: Point, canvas: Size) -> Self {
        let picture = self.picture_size(canvas);
        let by = Point::new(by.x / picture.width.max(1.0), by.y / picture.height.max(1.0));
        Self { center: self.center - by, ..self }.within()
    }

    /// Returns the viewport moved just far enough that a point of the magnified picture is well
    /// inside.
    pub fn revealing(self, point: Point, canvas: Size) -> Self {
        const MARGIN: f64 = 0.15;
        let at = self.to_canvas(point, canvas);
        let by = |at: f64, side: f64| at.clamp(MARGIN * side, (1.0 - MARGIN) * side) - at;
        self.panned(Point::new(by(at.x, canvas.width), by(at.y, canvas.height)), canvas)
    }

    /// Moves the centre so that no space beyond the picture is visible.
    fn within(self) -> Self {
        let half = 0.5 / self.zoom;
        let inside = |at: f64| at.clamp(half, 1.0 - half);
        Self { center: Point::new(inside(self.center.x), inside(self.center.y)), ..self }
    }

    /// Returns the visible part of a magnified picture, without the shapes outside.
    pub fn crop(self, scene: Scene) -> Scene {
        if self.is_whole() {
            return scene;
        }
        let window = self.window(scene.size);
        let away = Point::ORIGIN - window.corner;
        let shapes = scene.shapes.into_iter().filter_map(|shape| visible(shape, window)).map(|shape| shape.moved(away));
        Scene { size: window.size, shapes: shapes.map(|shape| with_whole_text(shape, window.size)).collect() }
    }
}

/// Returns the shape; a text whose point is visible is moved just far enough to be visible whole.
fn with_whole_text(mut shape: Shape, canvas: Size) -> Shape {
    if let Shape::Text { at, anchor, size, text, .. } = &mut shape
        && Window::whole(canvas).contains(*at, 0.0)
    {
        let width = text_width(text, *size);
        let before = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (least, most) = (before, canvas.width - width + before);
        at.x = at.x.min(most).max(least);
        at.y = at.y.min(canvas.height - *size * 0.6).max(*size * 0.6);
    }
    shape
}

/// Returns the shape, or its visible lines; `None` if nothing of it is visible.
fn visible(mut shape: Shape, window: Window) -> Option<Shape> {
    let text_reach = |text: &str, size: f64, anchor: Anchor| {
        let width = text_width(text, size);
        size + if anchor == Anchor::Middle { width / 2.0 } else { width }
    };
    let is_visible = match &mut shape {
        Shape::Line { ends, width, .. } => window.sees(ends, *width),
        Shape::Stroke { points, width, .. } => window.sees(points, *width),
        Shape::Area { points, .. } => window.sees(points, 1.0),
        Shape::Mesh { lines, width, .. } => {
            lines.retain(|line| window.sees(line, *width));
            !lines.is_empty()
        }
        Shape::Cells { corner, side, columns, opacities, .. } => {
            let rows = opacities.len() as f64 / f64::from(*columns).max(1.0);
            window.overlaps(*corner, *corner + Point::new(f64::from(*columns), rows) * *side, 0.0)
        }
        Shape::Disc { at, radius, stroke, .. } => {
            window.contains(*at, *radius + stroke.map_or(0.0, |(_, width)| width))
        }
        Shape::Cross { at, radius, .. } => window.contains(*at, *radius),
        Shape::Text { at, anchor, size, text, .. } | Shape::Label { at, anchor, size, text, .. } => {
            window.contains(*at, text_reach(text, *size, *anchor))
        }
    };
    is_visible.then_some(shape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scene::Role;

    const CANVAS: Size = Size::new(600.0, 400.0);

    fn near(a: Point, b: Point) -> bool {
        (a - b).length() < 1e-6
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let (pointer, mut view) = (Point::new(150.0, 300.0), Viewport::WHOLE);
        let share = |view: Viewport| view.to_picture(pointer, CANVAS) * (1.0 / view.zoom());
        let before = share(view);
        for factor in [1.2, 2.0, 3.0, 0.5] {
            view = view.zoomed(factor, 100.0, pointer, CANVAS);
            assert!(near(share(view), before), "{view:?}");
        }
        assert_eq!(view.zoomed(1e9, 100.0, pointer, CANVAS).zoom(), 100.0);
        assert_eq!(view.zoomed(1e-9, 100.0, pointer, CANVAS), Viewport::WHOLE);
    }

    #[test]
    fn panning_stops_at_the_edges_and_reveals_points() {
        let view = Viewport::WHOLE.zoomed(4.0, 8.0, Point::new(300.0, 200.0), CANVAS);
        assert_eq!(Viewport::WHOLE.panned(Point::new(50.0, 0.0), CANVAS), Viewport::WHOLE);
        let moved = view.panned(Point::new(50.0, -20.0), CANVAS);
        let (before, after) = [view, moved].map(|view| view.to_canvas(Point::new(1000.0, 700.0), CANVAS)).into();
        assert!(near(after, before + Point::new(50.0, -20.0)));
        let corner = view.panned(Point::new(1e6, 1e6), CANVAS);
        assert_eq!(corner.window(corner.picture_size(CANVAS)).corner, Point::ORIGIN);
        let target = Point::new(2000.0, 1500.0);
        let at = view.revealing(target, CANVAS).to_canvas(target, CANVAS);
        assert!(Window::whole(CANVAS).contains(at, 0.0) && near(at, Point::new(510.0, 340.0)), "{at:?}");
        assert_eq!(view.revealing(Point::new(1200.0, 800.0), CANVAS), view);
    }

    #[test]
    fn crop_keeps_visible_shapes_and_moves_them() {
        let view = Viewport::WHOLE.zoomed(2.0, 8.0, Point::ORIGIN, CANVAS);
        let disc = |x, y| Shape::Disc { at: Point::new(x, y), radius: 5.0, fill: Role::Ink, stroke: None };
        let line = |y| vec![Point::new(-10.0, y), Point::new(900.0, y)];
        let mesh = |lines| Shape::Mesh { lines, role: Role::Link, width: 1.0, alpha: 1.0 };
        let size = view.picture_size(CANVAS);
        let scene =
            Scene { size, shapes: vec![disc(604.0, 10.0), disc(606.0, 10.0), mesh(vec![line(50.0), line(900.0)])] };
        let cropped = view.crop(scene);
        assert_eq!((cropped.size, cropped.shapes), (CANVAS, vec![disc(604.0, 10.0), mesh(vec![line(50.0)])]));
    }
}
