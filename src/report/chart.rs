//! Charts: what a sweep measured, with intervals, closed forms and published values; drawn on any plotters backend.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::{Curve, Figure, Kind};
use super::scene::{DASHES, Role};

/// Colours and sizes of a chart.
pub struct Style<'a> {
    /// The colour of a role.
    pub color: &'a dyn Fn(Role) -> RGBColor,
    /// Device pixels per CSS pixel: fonts, strokes and margins grow with it.
    pub scale: f64,
}

/// What went wrong while drawing, in words.
pub type DrawError = String;

/// The widths below which names of curves stand above the plot instead of beside it.
const NARROW: f64 = 560.0;

/// Draws `figure` on the whole of `area`.
///
/// # Errors
/// What the backend says when it cannot draw.
pub fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    figure: &Figure,
    style: &Style<'_>,
) -> Result<(), DrawError> {
    let fail = |error: DrawingAreaErrorKind<DB::ErrorType>| error.to_string();
    let px = |size: f64| (size * style.scale).round() as i32;
    let (width, _) = area.dim_in_pixel();
    let narrow = f64::from(width) < NARROW * style.scale;
    let color = |role| (style.color)(role);
    area.fill(&color(Role::Paper)).map_err(fail)?;
    let text = |size: f64, role| ("system-ui, sans-serif", px(size)).into_font().color(&color(role));
    let mut chart = ChartBuilder::on(area)
        .margin_top(if narrow { px(14.0 + 18.0 * figure.curves.len() as f64) } else { px(14.0) })
        .margin_right(if narrow { px(14.0) } else { px(190.0) })
        .margin_bottom(px(8.0))
        .margin_left(px(8.0))
        .x_label_area_size(px(50.0))
        .y_label_area_size(px(64.0))
        .build_cartesian_2d(figure.x_range.0..figure.x_range.1, figure.y_range.0..figure.y_range.1)
        .map_err(fail)?;
    let x_format = |x: &f64| figure.x_label(*x);
    let y_format = |y: &f64| figure.y_label(*y);
    let x_count = figure.categories().unwrap_or(if narrow { 5 } else { 10 });
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(color(Role::Link).mix(0.55).stroke_width(px(1.0).max(1) as u32))
        .axis_style(color(Role::Idle).stroke_width(px(1.0).max(1) as u32))
        .x_labels(x_count)
        .y_labels(6)
        .x_label_formatter(&x_format)
        .y_label_formatter(&y_format)
        .label_style(text(12.0, Role::Soft))
        .axis_desc_style(text(13.0, Role::Ink))
        .x_desc(&figure.x_axis)
        .y_desc(&figure.y_axis)
        .draw()
        .map_err(fail)?;
    let mut names = Vec::new();
    for (index, curve) in figure.curves.iter().enumerate() {
        draw_curve(&mut chart, figure, curve, style).map_err(fail)?;
        if let Some(&(x, y)) = curve.points.iter().rev().find(|point| point.1.is_finite()) {
            names.push((index, chart.backend_coord(&(x, y.clamp(figure.y_range.0, figure.y_range.1)))));
        }
    }
    for &(x, y) in &figure.published {
        let ring = EmptyElement::at((x, y))
            + Circle::new((0, 0), px(7.0), color(Role::Ink).stroke_width(px(1.2).max(1) as u32));
        chart.draw_series(std::iter::once(ring)).map_err(fail)?;
    }
    draw_names(area, figure, style, narrow, names).map_err(fail)
}

type Chart<'a, DB> =
    ChartContext<'a, DB, Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>>;

fn draw_curve<DB: DrawingBackend>(
    chart: &mut Chart<'_, DB>,
    figure: &Figure,
    curve: &Curve,
    style: &Style<'_>,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let px = |size: f64| (size * style.scale).round().max(1.0) as u32;
    let color = (style.color)(curve.role);
    let points = curve.points.iter().copied().filter(|point| point.1.is_finite());
    if curve.kind != Kind::Apart {
        let thin = curve.kind == Kind::ClosedForm;
        let width = if thin { px(1.2) } else { px(2.4) };
        let line = color.mix(if thin { 0.75 } else { 1.0 }).stroke_width(width);
        match DASHES[curve.dash % DASHES.len()] {
            [] => chart.draw_series(LineSeries::new(points.clone(), line))?,
            [dash, gap, ..] => chart.draw_series(DashedLineSeries::new(points.clone(), px(*dash), px(*gap), line))?,
            [_] => chart.draw_series(LineSeries::new(points.clone(), line))?,
        };
    }
    let cap = px(4.0) as i32;
    let thin = color.stroke_width(px(1.4));
    for &(x, low, high) in &curve.intervals {
        let (low, high) = (low.max(figure.y_range.0), high.min(figure.y_range.1));
        chart.draw_series(std::iter::once(PathElement::new(vec![(x, low), (x, high)], thin)))?;
        for end in [low, high] {
            let bar = EmptyElement::at((x, end)) + PathElement::new(vec![(-cap, 0), (cap, 0)], thin);
            chart.draw_series(std::iter::once(bar))?;
        }
    }
    if matches!(curve.kind, Kind::Measured | Kind::Apart) {
        let size = px(4.0) as i32;
        let corners = marker(curve.dash, size);
        chart.draw_series(points.map(|at| EmptyElement::at(at) + Polygon::new(corners.clone(), color.filled())))?;
    }
    Ok(())
}

/// The outline of the marker of the series of this number: disc, square, triangle, diamond, then again.
fn marker(number: usize, size: i32) -> Vec<(i32, i32)> {
    match number % 4 {
        0 => {
            // A twelve-sided disc: cos and sin of multiples of 30 degrees.
            let (half, wide) = (f64::from(size) * 0.5, f64::from(size) * 0.866);
            let (s, h, w) = (f64::from(size), half, wide);
            [
                (s, 0.0),
                (w, h),
                (h, w),
                (0.0, s),
                (-h, w),
                (-w, h),
                (-s, 0.0),
                (-w, -h),
                (-h, -w),
                (0.0, -s),
                (h, -w),
                (w, -h),
            ]
            .map(|(x, y)| (x.round() as i32, y.round() as i32))
            .to_vec()
        }
        1 => vec![(-size, -size), (size, -size), (size, size), (-size, size)],
        2 => vec![(0, -size - 1), (size + 1, size), (-size - 1, size)],
        _ => vec![(0, -size - 2), (size + 2, 0), (0, size + 2), (-size - 2, 0)],
    }
}

/// The curves' names: beside their ends, moved apart where they would overlap; on narrow charts above the plot.
fn draw_names<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    figure: &Figure,
    style: &Style<'_>,
    narrow: bool,
    mut names: Vec<(usize, (i32, i32))>,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let px = |size: f64| (size * style.scale).round() as i32;
    let (width, height) = area.dim_in_pixel();
    let apart = px(16.0);
    names.sort_by_key(|&(index, (_, y))| (y, index));
    let mut lowest = i32::MIN / 2;
    for (_, (_, y)) in &mut names {
        *y = (*y).max(lowest + apart);
        lowest = *y;
    }
    // What was pushed below the plot moves up again, from the last to the first.
    let mut highest = height as i32 - px(54.0);
    for (_, (_, y)) in names.iter_mut().rev() {
        *y = (*y).min(highest);
        highest = *y - apart;
    }
    for (rank, &(index, (_, y))) in names.iter().enumerate() {
        let curve = &figure.curves[index];
        let color = (style.color)(curve.role);
        let at = if narrow { (px(70.0), px(14.0 + 18.0 * rank as f64)) } else { (width as i32 - px(158.0), y) };
        let font =
            ("system-ui, sans-serif", px(12.5)).into_font().color(&color).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(curve.name.clone(), at, font))?;
        let stroke = color.stroke_width(px(2.0).max(1) as u32);
        let (start, end) = (at.0 - px(26.0), at.0 - px(6.0));
        let dashes = DASHES[curve.dash % DASHES.len()];
        let mut x = start;
        while x < end {
            let dash = dashes.first().map_or(end - start, |dash| px(*dash));
            area.draw(&PathElement::new(vec![(x, at.1), ((x + dash).min(end), at.1)], stroke))?;
            x += dash + dashes.get(1).map_or(1, |gap| px(*gap));
        }
        if matches!(curve.kind, Kind::Measured | Kind::Apart) {
            let middle = ((start + end) / 2, at.1);
            let corners = marker(curve.dash, px(4.0));
            area.draw(&(EmptyElement::at(middle) + Polygon::new(corners, color.filled())))?;
        }
    }
    Ok(())
}

/// The chart as a self-contained SVG document of `size` pixels, light, with `notes` as its description.
///
/// # Errors
/// What the backend says when it cannot draw.
pub fn svg(figure: &Figure, size: (u32, u32), notes: &str) -> Result<String, DrawError> {
    let mut document = String::new();
    {
        let area = SVGBackend::with_string(&mut document, size).into_drawing_area();
        draw(&area, figure, &Style { color: &print_color, scale: 1.0 })?;
        area.present().map_err(|error| error.to_string())?;
    }
    let description = format!("<desc>{}</desc>", super::scene::escape(notes));
    Ok(match document.find('>').filter(|_| document.starts_with("<svg")) {
        Some(end) => format!("{}{description}{}", &document[..=end], &document[end + 1..]),
        None => document,
    })
}

/// The colours of printed and exported figures.
pub fn print_color(role: Role) -> RGBColor {
    let (r, g, b) = super::palette::print(role);
    RGBColor(r, g, b)
}
