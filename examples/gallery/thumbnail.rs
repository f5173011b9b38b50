//! A picture as a small SVG document: shapes alike are one path, words are left out, colours follow light and dark.

use std::fmt::Write as _;

use faultlab::report::picture::scene::{Role, Scene, Shape};

/// The colours of roles, as the style sheet of the page has them, on light paper and on dark.
const COLORS: [(Role, &str, &str, &str); 16] = [
    (Role::Paper, "p", "#fff", "#1d2127"),
    (Role::Ink, "i", "#1c2128", "#e9e6df"),
    (Role::Soft, "s", "#59616c", "#a6adb7"),
    (Role::Link, "l", "#cbc5b5", "#434b56"),
    (Role::Idle, "n", "#8b949e", "#75808b"),
    (Role::Fault, "f", "#c2410c", "#ff7a45"),
    (Role::Detour, "d", "#a26300", "#f0b24a"),
    (Role::Done, "o", "#0a7a5a", "#3fc79a"),
    (Role::Trap, "t", "#a3266e", "#f08cc8"),
    (Role::Series(0), "a", "#0969a8", "#5cb8f0"),
    (Role::Series(1), "b", "#9b4d86", "#d592c2"),
    (Role::Series(2), "c", "#5c6470", "#b3bac4"),
    (Role::Series(3), "e", "#0a7a5a", "#3fc79a"),
    (Role::Series(4), "g", "#8a5a00", "#e0b060"),
    (Role::Series(5), "h", "#2b3a82", "#93a5ff"),
    (Role::Series(6), "j", "#b03a0b", "#ff9a70"),
];

/// Shapes that look alike, as one path.
struct Ink {
    look: String,
    role: Role,
    path: String,
    /// The end of the path.
    at: Option<(i64, i64)>,
}

/// What is drawn, in layers: between texts and changes of what is drawn, the order within shapes alike is kept.
#[derive(Default)]
struct Sheet {
    inks: Vec<Ink>,
    /// Where the layer begins in which shapes may join shapes alike.
    layer: usize,
    /// Whether the layer is of nodes.
    nodes: bool,
}

/// The picture as an SVG document.
pub(crate) fn thumbnail(scene: &Scene) -> String {
    let mut sheet = Sheet::default();
    scene.shapes.iter().for_each(|shape| sheet.add(shape));
    let used = |role: Role| role == Role::Paper || sheet.inks.iter().any(|ink| ink.role == role);
    let used: Vec<_> = COLORS.iter().filter(|(role, ..)| used(*role)).collect();
    let rules = |dark: bool| -> String {
        used.iter()
            .map(|(_, class, light, night)| format!(".{class}{{stroke:{}}}", if dark { night } else { light }))
            .collect()
    };
    let (width, height) = scene.size;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" fill=\"none\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"><style>{2}@media(prefers-color-scheme:dark){{{3}}}</style>\
         <path class=\"p\" stroke-width=\"{1}\" d=\"M0 {4}H{0}\"/>",
        steps(width),
        steps(height),
        rules(false),
        rules(true),
        steps(height / 2.0)
    );
    for ink in &sheet.inks {
        let _ = write!(svg, "<path class=\"{}\"{} d=\"{}\"/>", class(ink.role), ink.look, ink.path);
    }
    svg.push_str("</svg>\n");
    svg
}

fn class(role: Role) -> &'static str {
    let role = if let Role::Series(number) = role { Role::Series(number % 7) } else { role };
    COLORS.iter().find(|(other, ..)| *other == role).map_or("i", |(_, class, ..)| class)
}

impl Sheet {
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
            Shape::Text { .. } => {}
        }
    }

    fn line(&mut self, points: &[(f64, f64)], role: Role, width: f64, dash: &[f64], alpha: f64) {
        let mut look = format!(" stroke-width=\"{}\"", steps(width).max(1));
        if !dash.is_empty() {
            let dash: Vec<_> = dash.iter().map(|length| steps(length * DASH).to_string()).collect();
            let _ = write!(look, " stroke-dasharray=\"{}\" stroke-linecap=\"butt\"", dash.join(" "));
        }
        if alpha < 1.0 {
            let _ = write!(look, " opacity=\".{}\"", (alpha * 10.0).clamp(1.0, 9.0) as u8);
        }
        self.path(look, role, points);
    }

    /// A disc is a line without length, with round ends.
    fn disc(&mut self, at: (f64, f64), radius: f64, fill: Role, stroke: Option<(Role, f64)>) {
        let mut dot = |role, radius: f64| {
            self.path(format!(" stroke-width=\"{}\"", steps(2.0 * radius)), role, &[at, at]);
        };
        match stroke {
            Some((role, width)) => {
                dot(role, radius + width / 2.0);
                dot(fill, radius - width / 2.0);
            }
            None => dot(fill, radius),
        }
    }

    /// A square is a line as long as it is wide; the cross in a small one could not be seen.
    fn cross(&mut self, (x, y): (f64, f64), radius: f64, role: Role) {
        let look = format!(" stroke-width=\"{}\" stroke-linecap=\"butt\"", steps(2.0 * radius));
        self.path(look, role, &[(x - radius, y), (x + radius, y)]);
        if radius > SMALL {
            let (far, near) = (radius / 2.0, -radius / 2.0);
            for ends in [[(near, near), (far, far)], [(near, far), (far, near)]] {
                self.line(&ends.map(|(right, down)| (x + right, y + down)), Role::Paper, radius / 4.0, &[], 1.0);
            }
        }
    }

    /// Adds a line to the path of its look.
    fn path(&mut self, look: String, role: Role, points: &[(f64, f64)]) {
        let known = self.inks[self.layer..].iter().position(|ink| ink.role == role && ink.look == look);
        let place = known.map_or(self.inks.len(), |place| self.layer + place);
        if known.is_none() {
            self.inks.push(Ink { look, role, path: String::new(), at: None });
        }
        self.inks[place].draw(points);
    }
}

/// Steps of the pen for each pixel: whole ones are short to write, and less than one cannot be told on a small picture.
const STEPS: f64 = 3.0;

/// The length of dashes, as a share of that in a large picture.
const DASH: f64 = 0.7;

/// Half the side of squares without a cross.
const SMALL: f64 = 2.5;

fn steps(pixels: f64) -> i64 {
    (pixels * STEPS).round() as i64
}

impl Ink {
    fn draw(&mut self, points: &[(f64, f64)]) {
        for (number, &(x, y)) in points.iter().enumerate() {
            let next = (steps(x), steps(y));
            match self.at {
                // Many lines go on where the one before ends.
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
