//! Charts: what a sweep measured, with intervals, closed forms and published values; drawn on any plotters backend.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::{Curve, Figure, Kind, Mark};
use super::sheet::{Area, DrawError, Drawn, FONT, Style};
use super::surface::{Failed, Surface};
use crate::report::picture::scene::{DASHES, Role};
use crate::sort;

/// The widths below which names of curves stand above the plot instead of beside it.
const NARROW: f64 = 560.0;

/// Draws `figure` on the whole of `backend`.
///
/// # Errors
/// What the backend says when it cannot draw.
pub fn draw(backend: impl DrawingBackend, figure: &Figure, style: &Style<'_>) -> Result<(), DrawError> {
    let area = Surface::new(backend).into_drawing_area();
    draw_on(&area, figure, style)?;
    area.present().map_err(|error| error.to_string())
}

fn draw_on(area: &Area<'_>, figure: &Figure, style: &Style<'_>) -> Result<(), DrawError> {
    if let Some(grid) = figure.grid {
        return super::map::draw(area, (figure, grid), style);
    }
    let figure = &figure.unrolled();
    let fail = |error: DrawingAreaErrorKind<Failed>| error.to_string();
    let px = |size: f64| (size * style.scale).round() as i32;
    let (width, _) = area.dim_in_pixel();
    let narrow = f64::from(width) < NARROW * style.scale;
    let color = |role| (style.color)(role);
    area.fill(&color(Role::Paper)).map_err(fail)?;
    let text = |size: f64, role| (FONT, px(size)).into_font().color(&color(role));
    let named = if narrow { 18.0 * figure.curves.len() as f64 } else { 0.0 };
    let above = 14.0 + named + ROW * figure.limits.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .margin_top(px(above))
        .margin_right(if narrow { px(14.0) } else { px(190.0) })
        .margin_bottom(px(8.0))
        .margin_left(px(8.0))
        .x_label_area_size(px(50.0))
        .y_label_area_size(px(64.0))
        .build_cartesian_2d(figure.x_range.0..figure.x_range.1, figure.y_range.0..figure.y_range.1)
        .map_err(fail)?;
    let x_format = |x: &f64| figure.x_label(*x);
    let y_format = |y: &f64| figure.y_label(*y);
    let x_count = match figure.powers.as_slice() {
        [] => figure.categories().unwrap_or(if narrow { 5 } else { 10 }),
        _ => 0,
    };
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
    draw_powers(&chart, area, figure, style).map_err(fail)?;
    draw_limits(&mut chart, area, figure, style).map_err(fail)?;
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
    draw_marks(&chart, area, figure, style).map_err(fail)?;
    draw_labels(&chart, area, figure, style).map_err(fail)?;
    draw_names(area, figure, style, narrow, names).map_err(fail)
}

type Chart<'a, 'b> = ChartContext<
    'a,
    Surface<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

/// The ticks of a logarithmic axis with their numbers, those left out that would stand too close to the last one.
fn draw_powers(chart: &Chart<'_, '_>, area: &Area<'_>, figure: &Figure, style: &Style<'_>) -> Drawn {
    let px = |size: f64| (size * style.scale).round() as i32;
    let (axis, soft) = ((style.color)(Role::Idle), (style.color)(Role::Soft));
    let mut taken = i32::MIN / 2;
    for &tick in &figure.powers {
        let (left, bottom) = chart.backend_coord(&(libm::log10(tick), figure.y_range.0));
        let label = figure.x_label(tick);
        let half = px(4.0 + 3.6 * label.len() as f64);
        let length = px(if left - half < taken { 3.0 } else { 6.0 });
        let stroke = axis.stroke_width(px(1.0).max(1) as u32);
        area.draw(&PathElement::new(vec![(left, bottom), (left, bottom + length)], stroke))?;
        if left - half >= taken {
            let font = (FONT, px(12.0)).into_font().color(&soft).pos(Pos::new(HPos::Center, VPos::Top));
            area.draw(&Text::new(label, (left, bottom + px(9.0)), font))?;
            taken = left + half;
        }
    }
    Ok(())
}

/// The height of a row of words.
const ROW: f64 = 15.0;

/// Vertical lines with their words above the plot, each in its own row, on the side that has room.
fn draw_limits(chart: &mut Chart<'_, '_>, area: &Area<'_>, figure: &Figure, style: &Style<'_>) -> Drawn {
    let px = |size: f64| (size * style.scale).round() as i32;
    let (low, high) = figure.y_range;
    for (row, limit) in figure.limits.iter().enumerate() {
        // What lies beyond the axis is told at its end.
        let x = limit.x.clamp(figure.x_range.0, figure.x_range.1);
        let color = (style.color)(limit.role);
        let line = color.mix(0.8).stroke_width(px(1.2).max(1) as u32);
        let ends = [(x, low), (x, high)];
        if limit.measured {
            chart.draw_series(LineSeries::new(ends, line))?;
        } else {
            chart.draw_series(DashedLineSeries::new(ends, px(4.0).max(1) as u32, px(4.0).max(1) as u32, line))?;
        }
        let (left, top) = chart.backend_coord(&(x, high));
        let at = top - px(ROW * (figure.limits.len() - row) as f64 - 7.0);
        area.draw(&PathElement::new(vec![(left, at), (left, top)], line))?;
        let late = x > figure.x_range.0 + (figure.x_range.1 - figure.x_range.0) * 0.6;
        let (side, shift) = if late { (HPos::Right, -px(5.0)) } else { (HPos::Left, px(5.0)) };
        let font = (FONT, px(11.5)).into_font().color(&color).pos(Pos::new(side, VPos::Center));
        let label = if limit.x < x { format!("← {}", limit.label) } else { limit.label.clone() };
        area.draw(&Text::new(label, (left + shift, at), font))?;
    }
    Ok(())
}

fn draw_curve(chart: &mut Chart<'_, '_>, figure: &Figure, curve: &Curve, style: &Style<'_>) -> Drawn {
    let px = |size: f64| (size * style.scale).round().max(1.0) as u32;
    let color = (style.color)(curve.role);
    if curve.kind == Kind::Band {
        return draw_band(chart, figure, curve, style);
    }
    let points = curve.points.iter().copied().filter(|point| point.1.is_finite());
    if curve.kind != Kind::Apart {
        let thin = curve.kind == Kind::ClosedForm;
        let width = if thin { px(1.2) } else { px(2.4) };
        let line = color.mix(if thin { 0.75 } else { 1.0 }).stroke_width(width);
        for piece in curve.pieces() {
            let finite = piece.iter().copied().filter(|point| point.1.is_finite());
            for run in below(&finite.collect::<Vec<_>>(), figure.y_range.1) {
                match DASHES[curve.dash % DASHES.len()] {
                    [dash, gap, ..] => chart.draw_series(DashedLineSeries::new(run, px(*dash), px(*gap), line))?,
                    [] | [_] => chart.draw_series(LineSeries::new(run, line))?,
                };
            }
        }
    }
    let cap = px(4.0) as i32;
    let thin = color.stroke_width(px(1.4));
    for &(x, low, high) in &curve.intervals {
        if low > figure.y_range.1 {
            continue;
        }
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
        let points = points.filter(|point| point.1 <= figure.y_range.1);
        chart.draw_series(points.map(|at| EmptyElement::at(at) + Polygon::new(corners.clone(), color.filled())))?;
    }
    Ok(())
}

/// A share of a whole, filled, with its upper edge as a line; a bar of its own for each name.
fn draw_band(chart: &mut Chart<'_, '_>, figure: &Figure, curve: &Curve, style: &Style<'_>) -> Drawn {
    let color = (style.color)(curve.role);
    let part = if figure.names.is_empty() { curve.intervals.len().max(1) } else { 2 };
    for ends in curve.intervals.chunks(part) {
        let upper: Vec<_> = ends.iter().map(|&(x, _, high)| (x, high)).collect();
        let lower = ends.iter().rev().map(|&(x, low, _)| (x, low));
        let outline: Vec<_> = upper.iter().copied().chain(lower).collect();
        chart.draw_series(std::iter::once(Polygon::new(outline, color.mix(0.45).filled())))?;
        let (edge, px) = (color.stroke_width(2), |size: f64| (size * style.scale).round().max(1.0) as u32);
        match DASHES[curve.dash % DASHES.len()] {
            [dash, gap, ..] => chart.draw_series(DashedLineSeries::new(upper, px(*dash), px(*gap), edge))?,
            [] | [_] => chart.draw_series(LineSeries::new(upper, edge))?,
        };
    }
    // Where it is broadest, its name stands in it, if there is room: colours alone would not tell the bands apart.
    let inner = if curve.intervals.len() > 2 && part > 2 { 1..curve.intervals.len() - 1 } else { 0..0 };
    let broad = |ends: &&(f64, f64, f64)| ((ends.2 - ends.1) * 1e6) as i64;
    if let Some(&(x, low, high)) = curve.intervals[inner].iter().max_by_key(broad)
        && high - low > 0.08
    {
        let font = (FONT, (12.0 * style.scale).round() as i32).into_font().color(&(style.color)(Role::Ink));
        let text = Text::new(curve.name.clone(), (0, 0), font.pos(Pos::new(HPos::Center, VPos::Center)));
        chart.draw_series(std::iter::once(EmptyElement::at((x, (low + high) / 2.0)) + text))?;
    }
    Ok(())
}

/// The parts of a line that lie at or below `top`, cut where it crosses.
fn below(line: &[(f64, f64)], top: f64) -> Vec<Vec<(f64, f64)>> {
    let mut parts = vec![Vec::new()];
    let mut before: Option<(f64, f64)> = None;
    for &(x, y) in line {
        if let Some((x0, y0)) = before.filter(|before| (before.1 > top) != (y > top)) {
            let crossing = (x0 + (x - x0) * (top - y0) / (y - y0), top);
            match parts.last_mut() {
                Some(part) if y > top => part.push(crossing),
                _ => parts.push(vec![crossing]),
            }
        }
        if let Some(part) = parts.last_mut().filter(|_| y <= top) {
            part.push((x, y));
        }
        before = Some((x, y));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// At the upper edge, upward triangles for what has no place in the chart: points without a mean, with the word that
/// says why, and points above the edge, with their value. Each curve has its own row.
fn draw_marks(chart: &Chart<'_, '_>, area: &Area<'_>, figure: &Figure, style: &Style<'_>) -> Drawn {
    let px = |size: f64| (size * style.scale).round() as i32;
    let top = figure.y_range.1;
    // Words stand before their marks, where the row is empty; at the left edge there is no room.
    let room = figure.x_range.0 + (figure.x_range.1 - figure.x_range.0) * 0.18;
    let marked = |curve: &Curve| !curve.marks.is_empty() || curve.points.iter().any(|point| point.1 > top);
    for (row, curve) in figure.curves.iter().filter(|curve| marked(curve)).enumerate() {
        let color = (style.color)(curve.role);
        let above = curve.points.iter().filter(|point| point.1 > top).map(|&(x, y)| (x, figure.y_label(round(y))));
        // Of equal marks in a row the first has the word.
        let is_first = |place: usize| place == 0 || curve.marks[place - 1].1 != curve.marks[place].1;
        let word = |(place, &(x, mark)): (usize, &(f64, Mark))| {
            (x, if is_first(place) { mark.word().to_owned() } else { String::new() })
        };
        for (x, word) in above.chain(curve.marks.iter().enumerate().map(word)) {
            let (left, edge) = chart.backend_coord(&(x, top));
            let at = (left, edge + px(7.0 + 15.0 * row as f64));
            let size = px(5.0);
            let triangle = vec![(0, -size), (size, size), (-size, size)];
            area.draw(&(EmptyElement::at(at) + Polygon::new(triangle, color.filled())))?;
            let (side, shift) = if x > room { (HPos::Right, -px(9.0)) } else { (HPos::Left, px(9.0)) };
            let font = (FONT, px(11.5)).into_font().color(&color).pos(Pos::new(side, VPos::Center));
            area.draw(&Text::new(word, (at.0 + shift, at.1), font))?;
        }
    }
    Ok(())
}

/// Words beside points, those left out that would stand on others.
fn draw_labels(chart: &Chart<'_, '_>, area: &Area<'_>, figure: &Figure, style: &Style<'_>) -> Drawn {
    let px = |size: f64| (size * style.scale).round() as i32;
    let mut taken: Vec<(i32, i32)> = Vec::new();
    for label in &figure.labels {
        let (x, y) = chart.backend_coord(&label.at);
        let at = (x + px(6.0), y - px(9.0));
        if taken.iter().any(|other| (other.0 - at.0).abs() < px(26.0) && (other.1 - at.1).abs() < px(12.0)) {
            continue;
        }
        taken.push(at);
        let color = (style.color)(label.role);
        let font = (FONT, px(11.5)).into_font().color(&color).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(label.text.clone(), at, font))?;
    }
    Ok(())
}

/// Two digits that mean something are enough for a value beyond the chart.
fn round(value: f64) -> f64 {
    if value >= 10.0 { value.round() } else { (value * 10.0).round() / 10.0 }
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
fn draw_names(
    area: &Area<'_>,
    figure: &Figure,
    style: &Style<'_>,
    narrow: bool,
    mut names: Vec<(usize, (i32, i32))>,
) -> Drawn {
    let px = |size: f64| (size * style.scale).round() as i32;
    let (width, height) = area.dim_in_pixel();
    let apart = px(16.0);
    sort::by_key(&mut names, |&(index, (_, y))| (y, index));
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
        let font = (FONT, px(12.5)).into_font().color(&color).pos(Pos::new(HPos::Left, VPos::Center));
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
    draw(SVGBackend::with_string(&mut document, size), figure, &Style { color: &print_color, scale: 1.0 })?;
    let description = format!("<desc>{}</desc>", crate::report::picture::scene::escape(notes));
    Ok(match document.find('>').filter(|_| document.starts_with("<svg")) {
        Some(end) => format!("{}{description}{}", &document[..=end], &document[end + 1..]),
        None => document,
    })
}

/// The colours of printed and exported figures.
pub fn print_color(role: Role) -> RGBColor {
    let (r, g, b) = crate::report::picture::palette::print(role);
    RGBColor(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Sweep, run};
    use crate::report::measured;

    #[test]
    fn a_line_is_cut_at_the_edge() {
        let line = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (3.0, 1.0)];
        assert_eq!(below(&line, 2.0), [vec![(0.0, 1.0), (0.5, 2.0)], vec![(2.75, 2.0), (3.0, 1.0)]]);
        assert_eq!(below(&line[1..3], 2.0), Vec::<Vec<(f64, f64)>>::new());
        assert_eq!(below(&line[..1], 2.0), [vec![(0.0, 1.0)]]);
    }

    #[test]
    fn what_jams_is_said_in_the_chart() {
        let text = "net=cube:2&switch=circuit&route=e-cube,minimal&vary=rate:0.2,3&within=0.5&trials=1000";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let svg = svg(&measured::figure::of(&sweep, sweep.experiment().plot()), (700, 400), "").unwrap();
        assert!(svg.contains("unstable") && svg.contains("deadlock"));
    }
}
