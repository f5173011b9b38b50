//! Conversion of a picture into a small SVG document: shapes of one style form one path, text is
//! left out, and colours follow the colour scheme.

use std::fmt::Write as _;

use faultlab::report::picture::geometry::{Point, Size};

use faultlab::report::picture::scene::{Role, Scene, Shape};

/// Style sheet of the page, which defines the colours.
const STYLES: &str = include_str!("../../styles/main.css");

/// Returns the name that the style sheet gives to the colour of a role.
fn name(role: Role) -> &'static str {
    const SERIES: [&str; 7] = ["series-0", "series-1", "series-2", "series-3", "series-4", "series-5", "series-6"];
    match role {
        Role::Paper => "panel",
        Role::Ink => "ink",
        Role::Soft => "soft",
        Role::Link => "free",
        Role::Idle => "idle",
        Role::Fault => "fault",
        Role::Detour => "detour",
        Role::Done => "done",
        Role::Trap => "trap",
        Role::Series(number) => SERIES[usize::from(number) % SERIES.len()],
    }
}

/// Returns the colour called `name` for the light (`"l"`) or the dark side. The style sheet writes
/// `--ink: var(--l, #1c2128) var(--d, #e9e6df)`.
fn color(name: &str, side: &str) -> Option<&'static str> {
    let (_, rest) = STYLES.split_once(&format!("--{name}: var(--l,"))?;
    let (both, _) = rest.split_once(';')?;
    let of_side = if side == "l" { both } else { both.split_once("var(--d,")?.1 };
    Some(of_side.split_once(')')?.0.trim())
}

/// Width of a picture in units of the path. Integer coordinates are short, and smaller steps are
/// invisible in a thumbnail.
const WIDTH: f64 = 960.0;

/// Shapes of one style, joined into one path.
struct StyledPath {
    style: String,
    role: Role,
    path: String,
    /// End of the path.
    at: Option<(i64, i64)>,
}

/// Drawing in layers. Only shapes within one layer are joined by style, so the drawing order of
/// layers is kept.
#[derive(Default)]
struct SvgBuilder {
    /// Path units per pixel.
    unit: f64,
    inks: Vec<StyledPath>,
    /// Index in `inks` at which the current layer begins.
    layer: usize,
    /// True if the current layer consists of nodes.
    nodes: bool,
}

/// Returns the picture as an SVG document.
pub(crate) fn thumbnail(scene: &Scene) -> String {
    let mut sheet = SvgBuilder { unit: WIDTH / scene.size.width, ..SvgBuilder::default() };
    scene.shapes.iter().for_each(|shape| sheet.add(shape));
    let mut used = vec![name(Role::Paper)];
    used.extend(sheet.inks.iter().map(|ink| name(ink.role)));
    used.sort_unstable();
    used.dedup();
    let rules = |side| {
        let rule = |name: &&str| format!(".{name}{{stroke:{}}}", color(name, side).unwrap_or("gray"));
        used.iter().map(rule).collect::<String>()
    };
    let Size { width, height } = scene.size;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" fill=\"none\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"><style>{2}@media(prefers-color-scheme:dark){{{3}}}</style>\
         <path class=\"panel\" stroke-width=\"{1}\" d=\"M0 {4}H{0}\"/>",
        sheet.steps(width),
        sheet.steps(height),
        rules("l"),
        rules("d"),
        sheet.steps(height / 2.0)
    );
    for ink in &sheet.inks {
        let _ = write!(svg, "<path class=\"{}\"{} d=\"{}\"/>", name(ink.role), ink.style, ink.path);
    }
    svg.push_str("</svg>\n");
    svg
}

impl SvgBuilder {
    fn add(&mut self, shape: &Shape) {
        let nodes = matches!(shape, Shape::Disc { .. } | Shape::Cross { .. });
        if nodes != self.nodes && !matches!(shape, Shape::Text { .. }) {
            (self.nodes, self.layer) = (nodes, self.inks.len());
        }
        match shape {
            Shape::Line { ends, role, width, alpha } => self.line(ends, *role, *width, &[], *alpha),
            Shape::Stroke { points, role, width, dash, alpha } => self.line(points, *role, *width, dash, *alpha),
            Shape::Mesh { lines, role, width, alpha } => {
                lines.iter().for_each(|line| self.line(line, *role, *width, &[], *alpha));
            }
            Shape::Disc { at, radius, fill, stroke } => self.disc(*at, *radius, *fill, *stroke),
            Shape::Cross { at, radius, role } => self.cross(*at, *radius, *role),
            // Text is left out; pictures of networks of this size have no areas.
            Shape::Text { .. } | Shape::Label { .. } | Shape::Area { .. } | Shape::Cells { .. } => {}
        }
    }

    fn line(&mut self, points: &[Point], role: Role, width: f64, dash: &[f64], alpha: f64) {
        let mut look = format!(" stroke-width=\"{}\"", self.steps(width).max(1));
        if !dash.is_empty() {
            let dash: Vec<_> = dash.iter().map(|length| self.steps(length * DASH).to_string()).collect();
            let _ = write!(look, " stroke-dasharray=\"{}\" stroke-linecap=\"butt\"", dash.join(" "));
        }
        if alpha < 1.0 {
            let _ = write!(look, " opacity=\".{}\"", (alpha * 10.0).clamp(1.0, 9.0) as u8);
        }
        self.path(look, role, points);
    }

    /// Converts pixels to path units.
    fn steps(&self, pixels: f64) -> i64 {
        (pixels * self.unit).round() as i64
    }

    /// Draws a disc as a line of length zero with round ends.
    fn disc(&mut self, at: Point, radius: f64, fill: Role, stroke: Option<(Role, f64)>) {
        let mut dot = |role, radius: f64| {
            let look = format!(" stroke-width=\"{}\"", self.steps(2.0 * radius));
            self.path(look, role, &[at, at]);
        };
        match stroke {
            Some((role, width)) => {
                dot(role, radius + width / 2.0);
                dot(fill, radius - width / 2.0);
            }
            None => dot(fill, radius),
        }
    }

    /// Draws a square as a line as long as it is wide. In small squares the cross would be
    /// invisible and is left out.
    fn cross(&mut self, at: Point, radius: f64, role: Role) {
        let look = format!(" stroke-width=\"{}\" stroke-linecap=\"butt\"", self.steps(2.0 * radius));
        self.path(look, role, &[Point::new(at.x - radius, at.y), Point::new(at.x + radius, at.y)]);
        if radius > SMALL {
            let (far, near) = (radius / 2.0, -radius / 2.0);
            for ends in [[(near, near), (far, far)], [(near, far), (far, near)]] {
                self.line(&ends.map(|(right, down)| at + Point::new(right, down)), Role::Paper, radius / 4.0, &[], 1.0);
            }
        }
    }

    /// Adds a line to the path of its style.
    fn path(&mut self, look: String, role: Role, points: &[Point]) {
        let known = self.inks[self.layer..].iter().position(|ink| ink.role == role && ink.style == look);
        let place = known.map_or(self.inks.len(), |place| self.layer + place);
        if known.is_none() {
            self.inks.push(StyledPath { style: look, role, path: String::new(), at: None });
        }
        let points: Vec<_> = points.iter().map(|&Point { x, y }| (self.steps(x), self.steps(y))).collect();
        self.inks[place].draw(&points);
    }
}

/// Length of dashes, as a share of their length in a large picture.
const DASH: f64 = 0.7;

/// Half the side of the largest squares without a cross.
const SMALL: f64 = 2.5;

impl StyledPath {
    fn draw(&mut self, points: &[(i64, i64)]) {
        for (number, &next) in points.iter().enumerate() {
            match self.at {
                // Many lines begin where the previous one ends.
                Some(at) if number == 0 && at == next => {}
                Some((x, y)) => {
                    let letter = if number == 0 { 'm' } else { 'l' };
                    let (right, down) = (next.0 - x, next.1 - y);
                    let blank = if down < 0 { "" } else { " " };
                    let _ = write!(self.path, "{letter}{right}{blank}{down}");
                }
                None => {
                    let _ = write!(self.path, "M{} {}", next.0, next.1);
                }
            }
            self.at = Some(next);
        }
    }
}
