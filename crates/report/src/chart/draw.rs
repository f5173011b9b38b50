//! Charts of measured curves, intervals, closed forms and published values, laid out by plotters in
//! a scene.

use std::iter::once;

use plotters::coord::combinators::WithKeyPoints;
use plotters::prelude::*;

use super::axis::Axis;
use super::backend::{
    Area, CENTERED, Dashed, DrawResult, LEFT, RIGHT, SMALL, SceneBackend, TITLE, in_units, stroke, text_style, units,
};
use super::clip::clip_to_plot;
use super::curve_names::draw_names;
use super::curve_style::dashes;
use super::figure::{Curve, CurveStyle, Figure, MissingMean, VerticalMarker};
use super::frame::{self, BELOW, PlotArea, ROW};
use super::marker::marker;
use super::scale::{even_ticks, minor_ticks, whole_ticks};
use crate::picture::geometry::{Point, Size, text_width};
use crate::picture::scene::{Role, Scene};

/// Length of a tick; the distance of a number from its axis is twice as long.
const TICK: f64 = 4.5;

/// Minimum height of a plot for each number on its y axis.
const MIN_TICK_SPACING: f64 = 18.0;
/// Maximum count of numbers on the y axis.
const MAX_Y_TICKS: f64 = 6.0;

/// Draws `figure` as a picture of size `size`, in CSS pixels.
pub fn scene(figure: &Figure, size: Size) -> Scene {
    let mut scene = Scene { size, shapes: Vec::new() };
    let area = SceneBackend::new(&mut scene).into_drawing_area();
    let drawn = match figure.grid {
        Some(grid) => super::map::draw(&area, figure, grid, size),
        None => draw(&area, figure, size),
    };
    debug_assert!(drawn.is_ok(), "{drawn:?}");
    drop(area);
    scene
}

fn draw(area: &Area<'_>, figure: &Figure, size: Size) -> DrawResult {
    let frame = PlotArea::new(figure, size);
    // A picture without space for a plot would be unreadable.
    if frame.left >= frame.right || frame.top >= frame.bottom {
        return Ok(());
    }
    let ticks = [x_ticks(figure, &frame, size.width), y_ticks(figure, &frame)];
    let readable = visible_ticks(figure, &frame, &ticks[0]);
    let [x, y] = ticks;
    let mut plot = ChartBuilder::on(area)
        .margin_left(units(frame::LEFT.0))
        .margin_top(units(frame.top))
        .margin_right(units(size.width) - units(frame.right))
        .margin_bottom(units(BELOW.0))
        .y_label_area_size(units(frame::LEFT.1))
        .x_label_area_size(units(BELOW.1))
        .build_cartesian_2d(frame.x.with_key_points(x), frame.y.with_key_points(y))?;
    let ([x_title, y_title], title_size) = fit_titles(figure.titles(), &frame, size);
    plot.configure_mesh()
        .disable_x_mesh()
        .bold_line_style(stroke(Role::Link, 0.3, 1.0))
        .axis_style(stroke(Role::Idle, 1.0, 1.0))
        .set_all_tick_mark_size(units(TICK))
        .label_style(text_style(SMALL, Role::Soft, CENTERED))
        .axis_desc_style(text_style(title_size, Role::Ink, CENTERED))
        .x_label_formatter(&|x| if readable.contains(x) { figure.x_label(*x) } else { String::new() })
        .y_label_formatter(&|y| figure.y_label(*y))
        .x_desc(x_title)
        .y_desc(y_title)
        .draw()?;
    let mut chart = Chart { area, figure, frame, plot };
    chart.minor_ticks()?;
    chart.limits(size)?;
    let mut names = Vec::new();
    for (index, curve) in figure.curves.iter().enumerate() {
        chart.curve(curve)?;
        if let Some((x, y)) = frame::last_finite_point(curve) {
            names.push((index, frame.to_pixel((x, frame.y.nearest(y)))));
        }
    }
    chart.marks()?;
    chart.labels()?;
    draw_names(area, figure, names, size)
}

/// Minimum height of titles, in CSS pixels.
const MIN_TITLE: f64 = 11.0;

/// Returns the titles of the axes, which are centred beside the plot, and the height of their text
/// with which both fit the picture. A title that is too long even in small text ends with an
/// ellipsis.
fn fit_titles(titles: [String; 2], frame: &PlotArea, size: Size) -> ([String; 2], f64) {
    let room = |middle: f64, length: f64| 2.0 * (middle.min(length - middle) - 2.0);
    let rooms =
        [room((frame.left + frame.right) / 2.0, size.width), room((frame.top + frame.bottom) / 2.0, size.height)];
    let fits = |height: &f64| titles.iter().zip(rooms).all(|(title, room)| text_width(title, *height) <= room);
    let height = [TITLE, 12.0].into_iter().find(fits).unwrap_or(MIN_TITLE);
    let [x, y] = titles;
    ([shorten(x, rooms[0], height), shorten(y, rooms[1], height)], height)
}

/// Returns a text of `height` with as many characters as fit `room`.
fn shorten(mut text: String, room: f64, height: f64) -> String {
    if text_width(&text, height) <= room {
        return text;
    }
    while !text.is_empty() && text_width(&text, height) + text_width("…", height) > room {
        text.pop();
    }
    text.truncate(text.trim_end_matches([' ', ',']).len());
    text + "…"
}

/// Returns the ticks of the x axis: logarithmic ticks, one tick for each name, or evenly spaced
/// ticks.
fn x_ticks(figure: &Figure, frame: &PlotArea, width: f64) -> Vec<f64> {
    let (low, high) = figure.x_range;
    let most = if frame::is_narrow(width) { 5.0 } else { 10.0 };
    let mut ticks = match (figure.powers.as_slice(), figure.names.len()) {
        ([], 0) if has_whole_x(figure) => whole_ticks(low, high, most),
        ([], 0) => even_ticks(low, high, most),
        ([], names) => (0..names).map(|name| name as f64).collect(),
        (powers, _) => powers.to_vec(),
    };
    ticks.retain(|&tick| frame.x.contains(tick));
    ticks
}

/// Returns whether the measured points have whole numbers on the x axis, such as numbers of faults or
/// of hops. Fractions have no meaning there.
fn has_whole_x(figure: &Figure) -> bool {
    let is_measured = |curve: &&Curve| !matches!(curve.kind, CurveStyle::ClosedForm | CurveStyle::Published);
    let points = figure
        .curves
        .iter()
        .filter(is_measured)
        .flat_map(|curve| curve.points.iter().map(|point| point.0).chain(curve.marks.iter().map(|mark| mark.0)));
    let mut points = points.peekable();
    points.peek().is_some() && points.all(|x| x.fract() == 0.0)
}

/// Returns the ticks of the y axis: logarithmic or evenly spaced ticks.
fn y_ticks(figure: &Figure, frame: &PlotArea) -> Vec<f64> {
    let (low, high) = figure.y_range;
    let mut ticks = match figure.y_powers.as_slice() {
        [] => even_ticks(low, high, ((frame.bottom - frame.top) / MIN_TICK_SPACING).clamp(1.0, MAX_Y_TICKS)),
        powers => powers.to_vec(),
    };
    ticks.retain(|&tick| frame.y.contains(tick));
    ticks
}

/// Returns the ticks of the x axis whose labels fit; plotters would let labels overlap.
fn visible_ticks(figure: &Figure, frame: &PlotArea, ticks: &[f64]) -> Vec<f64> {
    let mut taken = f64::NEG_INFINITY;
    let has_room = |tick: &f64| {
        let at = frame.to_pixel((*tick, figure.y_range.0)).x;
        let half = 4.0 + 3.6 * figure.x_label(*tick).chars().count() as f64;
        let is_free = at - half >= taken;
        if is_free {
            taken = at + half;
        }
        is_free
    };
    ticks.iter().copied().filter(has_room).collect()
}

/// Chart whose axes are drawn.
struct Chart<'a, 's> {
    /// Whole picture, in backend units.
    area: &'a Area<'s>,
    figure: &'a Figure,
    frame: PlotArea,
    /// Plot, in the coordinates of the figure.
    plot: ChartContext<'a, SceneBackend<'s>, Cartesian2d<WithKeyPoints<Axis>, WithKeyPoints<Axis>>>,
}

impl Chart<'_, '_> {
    /// Draws the part of a line that lies in the plot.
    fn line(&mut self, points: &[(f64, f64)], style: ShapeStyle, dash: &'static [f64]) -> DrawResult {
        let parts = clip_to_plot(&self.frame, points).into_iter();
        self.plot.draw_series(parts.map(|points| Dashed { points, style, dash })).map(drop)
    }

    /// Draws short ticks without numbers between those of logarithmic axes.
    fn minor_ticks(&self) -> DrawResult {
        let (figure, frame) = (self.figure, self.frame);
        let style = stroke(Role::Idle, 1.0, 1.0);
        let tick = |from: Point, to: Point| self.area.draw(&PathElement::new([from, to].map(in_units), style));
        for x in minor_ticks(figure.x_range, &figure.powers) {
            let left = frame.to_pixel((x, figure.y_range.0)).x;
            tick(Point::new(left, frame.bottom), Point::new(left, frame.bottom + TICK / 2.0))?;
        }
        for y in minor_ticks(figure.y_range, &figure.y_powers) {
            let top = frame.to_pixel((figure.x_range.0, y)).y;
            tick(Point::new(frame.left, top), Point::new(frame.left - TICK / 2.0, top))?;
        }
        Ok(())
    }

    /// Draws vertical lines with their labels above the plot, each in its own row.
    fn limits(&mut self, size: Size) -> DrawResult {
        let (figure, frame) = (self.figure, self.frame);
        let (low, high) = figure.y_range;
        let style = |limit: &VerticalMarker| stroke(limit.role, 0.8, 1.2);
        for limit in &figure.limits {
            let x = frame.x.nearest(limit.x);
            self.line(&[(x, low), (x, high)], style(limit), if limit.measured { &[] } else { &[4.0, 4.0] })?;
        }
        let labels = frame.limit_labels(figure, size);
        for (row, label) in labels.iter().enumerate() {
            let limit = &figure.limits[label.index];
            let at = frame.top - ROW * (labels.len() - row) as f64 + 7.0;
            // The line ends below a label that has no space beside it.
            let end = if label.covers(label.x) { at + SMALL / 2.0 } else { at };
            let line = [end, frame.top].map(|y| in_units(Point::new(label.x, y)));
            self.area.draw(&PathElement::new(line, style(limit)))?;
            let side = if label.is_left { LEFT } else { RIGHT };
            let at = in_units(Point::new(label.at, at));
            self.area.draw(&Text::new(label.text.clone(), at, text_style(SMALL, limit.role, side)))?;
        }
        Ok(())
    }

    fn curve(&mut self, curve: &Curve) -> DrawResult {
        match curve.kind {
            CurveStyle::Band => return self.band(curve),
            CurveStyle::Apart | CurveStyle::Published => {}
            _ => {
                let (alpha, width) = curve.stroke();
                for piece in curve.pieces() {
                    self.line(piece, stroke(curve.role, alpha, width), dashes(curve.dash))?;
                }
            }
        }
        self.intervals(curve)?;
        let mut seen = curve.points.iter().filter(|point| self.frame.contains(**point));
        seen.try_for_each(|&point| self.plot.plotting_area().draw(&marker(curve, point)))
    }

    /// Draws the intervals with their caps. The error bars of plotters would also draw a circle at
    /// the mean, and caps where the edge of the plot cuts an interval.
    fn intervals(&mut self, curve: &Curve) -> DrawResult {
        let style = stroke(curve.role, 1.0, 1.4);
        for &(x, low, high) in &curve.intervals {
            self.line(&[(x, low), (x, high)], style, &[])?;
            let ends = [(x, low), (x, high)].into_iter().filter(|end| self.frame.contains(*end));
            let sides = [-4.0, 4.0].map(|x| in_units(Point::new(x, 0.0)));
            let cap = |end| EmptyElement::at(end) + PathElement::new(sides, style);
            self.plot.draw_series(ends.map(cap))?;
        }
        Ok(())
    }

    /// Draws a share of a whole as a filled band whose upper edge is a line. On an axis with names,
    /// each name has its own bar. The area series of plotters has a straight lower edge.
    fn band(&mut self, curve: &Curve) -> DrawResult {
        let part = if self.figure.names.is_empty() { curve.intervals.len().max(1) } else { 2 };
        for ends in curve.intervals.chunks(part) {
            let edge =
                |end: fn(&(f64, f64, f64)) -> f64| ends.iter().map(|ends| (ends.0, end(ends))).collect::<Vec<_>>();
            let (upper, lower) = (edge(|ends| ends.2), edge(|ends| ends.1));
            let mut outline = clip_to_plot(&self.frame, &upper).concat();
            outline.extend(clip_to_plot(&self.frame, &lower).concat().into_iter().rev());
            self.plot.draw_series(once(Polygon::new(outline, curve.role.mix(0.45))))?;
            self.line(&upper, stroke(curve.role, 1.0, 2.0), dashes(curve.dash))?;
        }
        // Draw the name in the broadest part of the band, if there is space: colours alone would
        // not distinguish the bands.
        let inner = if curve.intervals.len() > 2 && part > 2 { 1..curve.intervals.len() - 1 } else { 0..0 };
        let broad = |ends: &&(f64, f64, f64)| ((ends.2 - ends.1) * 1e6) as i64;
        let seen = curve.intervals[inner].iter().filter(|ends| self.frame.x.contains(ends.0));
        match seen.max_by_key(broad) {
            Some(&(x, low, high)) if high - low > 0.08 => {
                let name =
                    Text::new(curve.name.clone(), (x, (low + high) / 2.0), text_style(SMALL, Role::Ink, CENTERED));
                self.plot.draw_series(once(name)).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Draws triangles at the upper edge: for points without a mean, with the reason, and for
    /// points above the edge, with their value. Each curve has its own row.
    fn marks(&self) -> DrawResult {
        let (figure, frame) = (self.figure, self.frame);
        let top = figure.y_range.1;
        for (row, curve) in figure.curves.iter().filter(|curve| frame::has_points_above(curve, top)).enumerate() {
            let points = curve.points.iter().filter(|point| point.1 > top);
            let above = points.map(|point| (point.0, figure.y_label(round(point.1))));
            // Of consecutive equal marks in a row, only the first has a label.
            let is_first = |place: usize| place == 0 || curve.marks[place - 1].1 != curve.marks[place].1;
            let word = |(place, &(x, mark)): (usize, &(f64, MissingMean))| {
                (x, if is_first(place) { mark.word().to_owned() } else { String::new() })
            };
            for (x, word) in
                above.chain(curve.marks.iter().enumerate().map(word)).filter(|mark| frame.x.contains(mark.0))
            {
                let at = in_units(Point::new(frame.to_pixel((x, top)).x, frame.upper_mark_y(row)));
                // Labels are left of their marks, where the row is empty, except near the left
                // edge.
                let (side, shift) = if frame.x.share(x) > 0.18 { (LEFT, -9.0) } else { (RIGHT, 9.0) };
                let triangle = [(0.0, -5.0), (5.0, 5.0), (-5.0, 5.0)].map(|(x, y)| in_units(Point::new(x, y)));
                let mark = EmptyElement::at(at)
                    + Polygon::new(triangle, curve.role.to_rgba())
                    + Text::new(word, in_units(Point::new(shift, 0.0)), text_style(SMALL, curve.role, side));
                self.area.draw(&mark)?;
            }
        }
        Ok(())
    }

    /// Writes labels beside points, except labels that would overlap others.
    fn labels(&self) -> DrawResult {
        let mut taken: Vec<Point> = Vec::new();
        for label in self.figure.labels.iter().filter(|label| self.frame.contains(label.at)) {
            let at = self.frame.to_pixel(label.at) + Point::new(6.0, -9.0);
            if !taken.iter().any(|other| (other.x - at.x).abs() < 26.0 && (other.y - at.y).abs() < 12.0) {
                taken.push(at);
                self.area.draw(&Text::new(label.text.clone(), in_units(at), text_style(SMALL, label.role, RIGHT)))?;
            }
        }
        Ok(())
    }
}

/// Rounds a value beyond the chart to three significant digits, or to a whole number.
fn round(value: f64) -> f64 {
    let decimals = (2.0 - libm::floor(libm::log10(value.abs().max(1e-9)))).max(0.0);
    let unit = libm::pow(10.0, decimals);
    libm::round(value * unit) / unit
}
