//! Pictures of networks and charts: shapes with roles instead of colours, for two renderers
//! (canvas, SVG).

use serde::{Deserialize, Serialize};

use super::geometry::{Point, Size};

/// Meaning of a shape, from which the renderer derives its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// Background.
    Paper,
    /// Text and strong outlines.
    Ink,
    /// Secondary text.
    Soft,
    /// Unused links.
    Link,
    /// Unused nodes.
    Idle,
    /// Faulty nodes.
    Fault,
    /// Hops taken while blocked.
    Detour,
    /// Destination.
    Done,
    /// Closed set that a message cannot leave.
    Trap,
    /// Message of the compared algorithm with the given number.
    Series(u8),
}

/// Alignment of a text to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Anchor {
    /// Left end at the point.
    Start,
    /// Middle at the point.
    Middle,
    /// Right end at the point.
    End,
}

/// Shape, in pixels from the top left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// Straight line.
    Line {
        /// Ends of the line.
        ends: [Point; 2],
        /// Role of the shape, which decides its colour.
        role: Role,
        /// Width of the line.
        width: f64,
        /// Opacity of the shape, from 0 to 1.
        alpha: f64,
    },
    /// Line through several points, such as a message's hop.
    Stroke {
        /// Points of the line.
        points: Vec<Point>,
        /// Role of the shape, which decides its colour.
        role: Role,
        /// Width of the line.
        width: f64,
        /// Dashes and gaps; empty for a solid line.
        dash: Vec<f64>,
        /// Opacity of the shape, from 0 to 1.
        alpha: f64,
    },
    /// Lines of one look, painted at once.
    Mesh {
        /// Points of each line.
        lines: Vec<Vec<Point>>,
        /// Role of the lines.
        role: Role,
        /// Width of the lines.
        width: f64,
        /// Opacity of the lines, from 0 to 1.
        alpha: f64,
    },
    /// Disc, filled and outlined.
    Disc {
        /// Centre of the disc.
        at: Point,
        /// Radius of the disc.
        radius: f64,
        /// Role of the inside.
        fill: Role,
        /// Role and width of the outline.
        stroke: Option<(Role, f64)>,
    },
    /// Square with a cross: a faulty node, recognisable without its colour.
    Cross {
        /// Centre of the square.
        at: Point,
        /// Half the side of the square.
        radius: f64,
        /// Role of the shape, which decides its colour.
        role: Role,
    },
    /// Filled polygon.
    Area {
        /// Corners of the polygon.
        points: Vec<Point>,
        /// Role of the shape, which decides its colour.
        role: Role,
        /// Opacity of the shape, from 0 to 1.
        alpha: f64,
    },
    /// Grid of equal squares of one colour, each with its own opacity.
    Cells {
        /// Left upper corner of the grid.
        corner: Point,
        /// Side of a square.
        side: f64,
        /// Number of squares in a row.
        columns: u32,
        /// Opacity of each square, row by row, from 0 to 255.
        opacities: Vec<u8>,
        /// Role of the squares, which decides their colour.
        role: Role,
    },
    /// Text with a halo that keeps it legible over links.
    Text {
        /// The anchor of the text, at the middle of its height, in CSS pixels.
        at: Point,
        /// Part of the text that is at the point.
        anchor: Anchor,
        /// Role of the text, which decides its colour.
        role: Role,
        /// Font size in CSS pixels.
        size: f64,
        /// Characters of the text.
        text: String,
    },
    /// Text without a halo, on an empty background or on a colour, which may be rotated.
    Label {
        /// The anchor of the text, at the middle of its height, in CSS pixels.
        at: Point,
        /// Part of the text that is at the point.
        anchor: Anchor,
        /// Role of the text, which decides its colour.
        role: Role,
        /// Font size in CSS pixels.
        size: f64,
        /// Rotation of the text about `at`, clockwise, in degrees.
        turn: f64,
        /// Characters of the text.
        text: String,
    },
}

/// Picture: its size and its shapes, later ones on top.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Width and height in pixels.
    pub size: Size,
    /// Shapes, later ones on top.
    pub shapes: Vec<Shape>,
}

/// Dashes of the compared algorithms, by number: distinguishable without colour.
pub const DASHES: [&[f64]; 7] =
    [&[], &[9.0, 5.0], &[2.0, 4.0], &[12.0, 4.0, 2.0, 4.0], &[5.0, 3.0], &[1.0, 3.0], &[16.0, 4.0]];

impl Shape {
    /// Returns the shape moved right and down.
    pub fn moved(mut self, by: Point) -> Self {
        let shift = |at: &mut Point| *at = *at + by;
        match &mut self {
            Self::Line { ends, .. } => ends.iter_mut().for_each(shift),
            Self::Stroke { points, .. } | Self::Area { points, .. } => points.iter_mut().for_each(shift),
            Self::Mesh { lines, .. } => lines.iter_mut().flatten().for_each(shift),
            Self::Disc { at, .. } | Self::Cross { at, .. } | Self::Text { at, .. } | Self::Label { at, .. } => {
                shift(at)
            }
            Self::Cells { corner, .. } => shift(corner),
        }
        self
    }
}

impl Scene {
    /// Returns pictures side by side, each under its title.
    pub fn row(scenes: Vec<(String, Self)>) -> Self {
        const TITLE: f64 = 26.0;
        let mut row = Self::default();
        for (text, scene) in scenes {
            let left = row.size.width;
            let at = Point::new(left + scene.size.width / 2.0, TITLE / 2.0);
            row.shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size: 14.0, text });
            row.size = Size::new(left + scene.size.width, row.size.height.max(scene.size.height + TITLE));
            row.add_at(scene, Point::new(left, TITLE));
        }
        row
    }

    /// Puts another picture on top, with its upper left corner at a point.
    pub fn add_at(&mut self, scene: Self, corner: Point) {
        self.shapes.extend(scene.shapes.into_iter().map(|shape| shape.moved(corner)));
    }

    /// Returns the picture as a self-contained SVG document, with `color` for each role and `notes`
    /// as its description.
    pub fn svg(&self, color: fn(Role) -> String, notes: &str) -> String {
        let size = [self.size.width, self.size.height].map(|side| side.to_string());
        self.svg_of_size(size, color, Some(Role::Paper), notes)
    }

    /// Returns the SVG document with a width and a height that may have units, on a `ground` or
    /// transparent.
    pub(crate) fn svg_of_size(
        &self,
        [wide, high]: [String; 2],
        color: fn(Role) -> String,
        ground: Option<Role>,
        notes: &str,
    ) -> String {
        let Size { width, height } = self.size;
        let fill = |role| format!("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", color(role));
        let ground = ground.map_or(String::new(), fill);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"system-ui, sans-serif\"><desc>{}</desc>\
             {ground}{}</svg>\n",
            escape(notes),
            self.shapes_svg(color)
        )
    }

    /// Returns the SVG elements of the shapes, a line each.
    pub(crate) fn shapes_svg(&self, color: fn(Role) -> String) -> String {
        self.shapes.iter().map(|shape| shape_svg(shape, color) + "\n").collect()
    }
}

fn shape_svg(shape: &Shape, color: fn(Role) -> String) -> String {
    match shape {
        Shape::Line { ends: [from, to], role, width, alpha } => format!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{}\" stroke-width=\"{width}\"{}/>",
            from.x,
            from.y,
            to.x,
            to.y,
            color(*role),
            opacity(*alpha)
        ),
        Shape::Stroke { points, role, width, dash, alpha } => {
            let dash: Vec<_> = dash.iter().map(|length| format!("{length:.1}")).collect();
            let dash =
                if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", dash.join(" ")) };
            format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width:.1}\"{dash}{}/>",
                points_svg(points),
                color(*role),
                opacity(*alpha)
            )
        }
        Shape::Mesh { lines, role, width, alpha } => {
            let mut path = String::new();
            for (number, Point { x, y }) in lines.iter().flat_map(|line| line.iter().enumerate()) {
                path.push_str(&format!("{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' }));
            }
            format!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width:.1}\" stroke-linecap=\"round\"{}/>",
                color(*role),
                opacity(*alpha)
            )
        }
        Shape::Disc { at: Point { x, y }, radius, fill, stroke } => {
            let (stroke, width) = stroke.map_or(("none".to_owned(), 0.0), |(role, width)| (color(role), width));
            format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{}\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>",
                color(*fill)
            )
        }
        Shape::Cross { at: Point { x, y }, radius: r, role } => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{:.1}\" fill=\"{}\"/>\
             <path d=\"M{:.1} {:.1}l{r:.1} {r:.1}m0 -{r:.1}l-{r:.1} {r:.1}\" stroke=\"{}\" stroke-width=\"{:.1}\"/>",
            x - r,
            y - r,
            2.0 * r,
            2.0 * r,
            r / 3.0,
            color(*role),
            x - r / 2.0,
            y - r / 2.0,
            color(Role::Paper),
            r / 4.0
        ),
        Shape::Area { points, role, alpha } => {
            format!("<polygon points=\"{}\" fill=\"{}\"{}/>", points_svg(points), color(*role), opacity(*alpha))
        }
        Shape::Cells { corner, side, columns, opacities, role } => {
            cells_svg(*corner, *side, *columns as usize, opacities, &color(*role))
        }
        Shape::Text { at, anchor, role, size, text } => text_svg(text, *at, *anchor, *size, &color(*role), ""),
        Shape::Label { at, anchor, role, size, turn, text } => {
            let turned = format!(" transform=\"rotate({turn} {:.1} {:.1})\"", at.x, at.y);
            let turned = if *turn == 0.0 { "" } else { &turned };
            text_svg(text, *at, *anchor, *size, &color(*role), turned)
        }
    }
}

/// Returns the SVG element of a grid of squares: a path for each opacity, in which equal neighbours
/// of a row are one rectangle.
fn cells_svg(corner: Point, side: f64, columns: usize, opacities: &[u8], color: &str) -> String {
    let mut paths = std::collections::BTreeMap::<u8, String>::new();
    for (row, cells) in opacities.chunks(columns.max(1)).enumerate() {
        let mut start = 0;
        for same in cells.chunk_by(|a, b| a == b) {
            let (x, y) = (corner.x + start as f64 * side, corner.y + row as f64 * side);
            let width = same.len() as f64 * side;
            start += same.len();
            if same[0] > 0 {
                let path = paths.entry(same[0]).or_default();
                path.push_str(&format!("M{x:.1} {y:.1}h{width:.1}v{side:.1}h-{width:.1}z"));
            }
        }
    }
    let path = |(level, path): (u8, String)| {
        format!("<path d=\"{path}\" fill=\"{color}\"{}/>", opacity(f64::from(level) / 255.0))
    };
    format!("<g shape-rendering=\"crispEdges\">{}</g>", paths.into_iter().map(path).collect::<String>())
}

/// Returns the SVG element of a text whose vertical middle is at a point; `more` are further
/// attributes.
fn text_svg(text: &str, Point { x, y }: Point, anchor: Anchor, size: f64, color: &str, more: &str) -> String {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    format!(
        "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{color}\"{more}>{}</text>",
        y + size * 0.35,
        escape(text)
    )
}

fn points_svg(points: &[Point]) -> String {
    let points: Vec<_> = points.iter().map(|Point { x, y }| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}

/// Returns the opacity attribute; empty for an opaque shape.
fn opacity(alpha: f64) -> String {
    if alpha < 1.0 { format!(" opacity=\"{alpha:.2}\"") } else { String::new() }
}

/// Escapes a text for SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
