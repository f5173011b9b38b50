//! Charts: what a sweep measured, with intervals, closed forms and published values; drawn on any plotters backend.
//!
//! Plotters would lay out axes itself, but measures every label in the page's document to do so, draws dashes of two lengths only,
//! and its layout weighs more than all that is drawn here.

use plotters::prelude::*;

use super::clip::inside;
use super::figure::{Curve, Figure, Kind, Mark};
use super::frame::{self, Frame, ROW};
use super::look::dashes;
use super::names::draw_names;
use super::pen::{ABOUT, At, LEFT, Pen, RIGHT, UNDER};
use super::scale::even;
use super::sheet::{Area, DrawError, Drawn, Style};
use super::surface::Surface;
use crate::report::picture::scene::Role;

/// Draws `figure` on the whole of `backend`.
///
/// # Errors
/// What the backend says when it cannot draw.
pub fn draw(backend: impl DrawingBackend, figure: &Figure, style: &Style<'_>) -> Result<(), DrawError> {
    let area = Surface::new(backend).into_drawing_area();
    draw_on(&area, figure, style)?;
    area.present().map_err(|error| error.to_string())
}

pub(crate) fn draw_on(area: &Area<'_>, figure: &Figure, style: &Style<'_>) -> Result<(), DrawError> {
    if let Some(grid) = figure.grid {
        return super::map::draw(area, (figure, grid), style);
    }
    let pen = Pen { area, style };
    let drawn = figure.unrolled();
    let frame = Frame::of(&drawn, pen.size());
    let chart = Chart { pen, told: figure, drawn: &drawn, frame };
    chart.draw().map_err(|error| error.to_string())
}

/// A chart on its way.
struct Chart<'a, 's> {
    pen: Pen<'a, 's>,
    /// What is shown.
    told: &'a Figure,
    /// The same along linear axes.
    drawn: &'a Figure,
    frame: Frame,
}

/// The height of numbers and other small words, and of titles.
const SMALL: f64 = 12.0;
const TITLE: f64 = 13.0;

impl Chart<'_, '_> {
    fn draw(&self) -> Drawn {
        self.pen.area.fill(&(self.pen.style.color)(Role::Paper))?;
        self.y_axis()?;
        self.x_axis()?;
        self.limits()?;
        let mut names = Vec::new();
        for (index, curve) in self.drawn.curves.iter().enumerate() {
            self.curve(curve)?;
            if let Some((x, y)) = frame::end(curve) {
                names.push((index, self.frame.at((x, y.clamp(self.drawn.y_range.0, self.drawn.y_range.1)))));
            }
        }
        self.marks()?;
        self.labels()?;
        draw_names(&self.pen, self.drawn, names)
    }

    /// Whether an x, or a y, lies in the plot.
    fn has_x(&self, x: f64) -> bool {
        (self.drawn.x_range.0..=self.drawn.x_range.1).contains(&x)
    }

    fn has_y(&self, y: f64) -> bool {
        (self.drawn.y_range.0..=self.drawn.y_range.1).contains(&y)
    }

    /// A line through points of the plot.
    fn line(&self, points: &[(f64, f64)], pattern: &[f64], color: RGBAColor, width: f64) -> Drawn {
        let line: Vec<At> = points.iter().map(|&point| self.frame.at(point)).collect();
        self.pen.line(&line, pattern, color, width)
    }

    /// The lines across the plot with their numbers, and the title of the axis.
    fn y_axis(&self) -> Drawn {
        let Frame { left, top, bottom, .. } = self.frame;
        let ((low, high), (first, last)) = (self.drawn.y_range, self.drawn.x_range);
        let ticks = match self.told.y_powers.as_slice() {
            [] => even(low, high, 6.0).into_iter().map(|y| (y, y)).collect(),
            powers => powers.iter().map(|&tick| (libm::log10(tick), tick)).collect::<Vec<_>>(),
        };
        for (y, tick) in ticks.into_iter().filter(|tick| self.has_y(tick.0)) {
            self.line(&[(first, y), (last, y)], &[], self.pen.color(Role::Link, 0.3), 1.0)?;
            let middle = self.frame.at((first, y)).1;
            self.pen.line(&[(left - 5.0, middle), (left, middle)], &[], self.pen.color(Role::Idle, 1.0), 1.0)?;
            self.pen.words(self.told.y_label(tick), (left - 9.0, middle), (SMALL, Role::Soft), LEFT)?;
        }
        self.pen.line(&[(left, top), (left, bottom - 1.0)], &[], self.pen.color(Role::Idle, 1.0), 1.0)?;
        let [_, title] = self.told.titles();
        self.pen.upward(title, (14.0, (top + bottom) / 2.0), (TITLE, Role::Ink))
    }

    /// The ticks below the plot with their numbers, those left out that would stand too close to the last one; and the title.
    fn x_axis(&self) -> Drawn {
        let Frame { left, right, bottom, .. } = self.frame;
        let (low, high) = self.drawn.x_range;
        let axis = self.pen.color(Role::Idle, 1.0);
        self.pen.line(&[(left, bottom - 1.0), (right - 1.0, bottom - 1.0)], &[], axis, 1.0)?;
        let most = if frame::is_narrow(self.pen.size().0) { 5.0 } else { 10.0 };
        let ticks: Vec<(f64, f64)> = match (self.told.powers.as_slice(), self.told.names.len()) {
            ([], 0) => even(low, high, most).into_iter().map(|x| (x, x)).collect(),
            ([], names) => (0..names).map(|name| (name as f64, name as f64)).collect(),
            (powers, _) => powers.iter().map(|&tick| (libm::log10(tick), tick)).collect(),
        };
        let mut taken = f64::NEG_INFINITY;
        for (x, tick) in ticks.into_iter().filter(|tick| self.has_x(tick.0)) {
            let at = self.frame.at((x, self.drawn.y_range.0)).0;
            let label = self.told.x_label(tick);
            let half = 4.0 + 3.6 * label.chars().count() as f64;
            let is_free = at - half >= taken;
            let end = bottom - 1.0 + if is_free { 6.0 } else { 3.0 };
            self.pen.line(&[(at, bottom - 1.0), (at, end)], &[], axis, 1.0)?;
            if is_free {
                self.pen.words(label, (at, bottom + 8.0), (SMALL, Role::Soft), UNDER)?;
                taken = at + half;
            }
        }
        let [title, _] = self.told.titles();
        self.pen.words(title, ((left + right) / 2.0, bottom + 40.0), (TITLE, Role::Ink), ABOUT)
    }

    /// Vertical lines with their words above the plot, each in its own row, on the side that has room.
    fn limits(&self) -> Drawn {
        let ((first, last), (low, high)) = (self.drawn.x_range, self.drawn.y_range);
        for (row, limit) in self.drawn.limits.iter().enumerate() {
            // What lies beyond the axis is told at its end.
            let x = limit.x.clamp(first, last);
            let color = self.pen.color(limit.role, 0.8);
            self.line(&[(x, low), (x, high)], if limit.measured { &[] } else { &[4.0, 4.0] }, color, 1.2)?;
            let (left, top) = self.frame.at((x, high));
            let at = top - ROW * (self.drawn.limits.len() - row) as f64 + 7.0;
            self.pen.line(&[(left, at), (left, top)], &[], color, 1.2)?;
            let late = x > first + (last - first) * 0.6;
            let (side, shift) = if late { (LEFT, -5.0) } else { (RIGHT, 5.0) };
            let label = if limit.x < x { format!("← {}", limit.label) } else { limit.label.clone() };
            self.pen.words(label, (left + shift, at), (SMALL, limit.role), side)?;
        }
        Ok(())
    }

    fn curve(&self, curve: &Curve) -> Drawn {
        match curve.kind {
            Kind::Band => return self.band(curve),
            Kind::Apart | Kind::Published => {}
            _ => self.path(curve)?,
        }
        let (bottom, top) = self.drawn.y_range;
        let color = self.pen.color(curve.role, 1.0);
        let intervals = curve.intervals.iter().filter(|interval| interval.1 <= top && interval.2 >= bottom);
        for &(x, low, high) in intervals.filter(|interval| self.has_x(interval.0)) {
            self.line(&[(x, low.max(bottom)), (x, high.min(top))], &[], color, 1.4)?;
            // An end that the frame cuts off has no cap: the interval goes on.
            for end in [low, high].into_iter().filter(|&end| self.has_y(end)) {
                let (left, middle) = self.frame.at((x, end));
                self.pen.line(&[(left - 4.0, middle), (left + 4.0, middle)], &[], color, 1.4)?;
            }
        }
        for &(x, y) in curve.points.iter().filter(|point| self.has_x(point.0) && self.has_y(point.1)) {
            self.pen.marker(curve, self.frame.at((x, y)))?;
        }
        Ok(())
    }

    /// The line through the points of a curve, as far as it lies in the plot.
    fn path(&self, curve: &Curve) -> Drawn {
        let (alpha, width) = curve.stroke();
        for piece in curve.pieces() {
            let finite: Vec<_> =
                piece.iter().copied().filter(|point| point.0.is_finite() && point.1.is_finite()).collect();
            for run in inside(&finite, self.drawn.x_range, self.drawn.y_range.1) {
                self.line(&run, dashes(curve.dash), self.pen.color(curve.role, alpha), width)?;
            }
        }
        Ok(())
    }

    /// A share of a whole, filled, with its upper edge as a line; a bar of its own for each name.
    fn band(&self, curve: &Curve) -> Drawn {
        let part = if self.drawn.names.is_empty() { curve.intervals.len().max(1) } else { 2 };
        for ends in curve.intervals.chunks(part) {
            let of = |end: fn(&(f64, f64, f64)) -> f64| {
                let points: Vec<_> = ends.iter().map(|ends| (ends.0, end(ends))).collect();
                inside(&points, self.drawn.x_range, self.drawn.y_range.1).concat()
            };
            let (upper, lower) = (of(|ends| ends.2), of(|ends| ends.1));
            let outline: Vec<At> = upper.iter().chain(lower.iter().rev()).map(|&point| self.frame.at(point)).collect();
            self.pen.fill(&outline, self.pen.color(curve.role, 0.45))?;
            self.line(&upper, dashes(curve.dash), self.pen.color(curve.role, 1.0), 2.0)?;
        }
        // Where it is broadest, its name stands in it, if there is room: colours alone would not tell the bands apart.
        let inner = if curve.intervals.len() > 2 && part > 2 { 1..curve.intervals.len() - 1 } else { 0..0 };
        let broad = |ends: &&(f64, f64, f64)| ((ends.2 - ends.1) * 1e6) as i64;
        let seen = curve.intervals[inner].iter().filter(|ends| self.has_x(ends.0));
        match seen.max_by_key(broad) {
            Some(&(x, low, high)) if high - low > 0.08 => {
                let at = self.frame.at((x, (low + high) / 2.0));
                self.pen.words(curve.name.clone(), at, (SMALL, Role::Ink), ABOUT)
            }
            _ => Ok(()),
        }
    }

    /// At the upper edge, upward triangles for what has no place in the chart: points without a mean, with the word that
    /// says why, and points above the edge, with their value. Each curve has its own row.
    fn marks(&self) -> Drawn {
        let ((first, last), top) = (self.drawn.x_range, self.drawn.y_range.1);
        // Words stand before their marks, where the row is empty; at the left edge there is no room.
        let room = first + (last - first) * 0.18;
        let both = self.drawn.curves.iter().zip(&self.told.curves).filter(|(curve, _)| frame::exceeds(curve, top));
        for (row, (curve, told)) in both.enumerate() {
            let points = curve.points.iter().zip(&told.points).filter(|(point, _)| point.1 > top);
            let above = points.map(|(point, told)| (point.0, self.told.y_label(round(told.1))));
            // Of equal marks in a row the first has the word.
            let is_first = |place: usize| place == 0 || curve.marks[place - 1].1 != curve.marks[place].1;
            let word = |(place, &(x, mark)): (usize, &(f64, Mark))| {
                (x, if is_first(place) { mark.word().to_owned() } else { String::new() })
            };
            for (x, word) in above.chain(curve.marks.iter().enumerate().map(word)).filter(|mark| self.has_x(mark.0)) {
                let at = (self.frame.at((x, top)).0, self.frame.edge(row));
                let triangle = [(0.0, -5.0), (5.0, 5.0), (-5.0, 5.0)].map(|(x, y)| (at.0 + x, at.1 + y));
                self.pen.fill(&triangle, self.pen.color(curve.role, 1.0))?;
                let (side, shift) = if x > room { (LEFT, -9.0) } else { (RIGHT, 9.0) };
                self.pen.words(word, (at.0 + shift, at.1), (SMALL, curve.role), side)?;
            }
        }
        Ok(())
    }

    /// Words beside points, those left out that would stand on others.
    fn labels(&self) -> Drawn {
        let mut taken: Vec<At> = Vec::new();
        for label in self.drawn.labels.iter().filter(|label| self.has_x(label.at.0) && self.has_y(label.at.1)) {
            let (x, y) = self.frame.at(label.at);
            let at = (x + 6.0, y - 9.0);
            if !taken.iter().any(|other| (other.0 - at.0).abs() < 26.0 && (other.1 - at.1).abs() < 12.0) {
                taken.push(at);
                self.pen.words(label.text.clone(), at, (SMALL, label.role), RIGHT)?;
            }
        }
        Ok(())
    }
}

/// Two digits that mean something are enough for a value beyond the chart.
fn round(value: f64) -> f64 {
    if value >= 10.0 { value.round() } else { (value * 10.0).round() / 10.0 }
}

/// The colours of printed and exported figures.
pub fn print_color(role: Role) -> RGBColor {
    let (r, g, b) = crate::report::picture::palette::print(role);
    RGBColor(r, g, b)
}
