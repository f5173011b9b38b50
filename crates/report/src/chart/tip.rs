//! Place of the description of a point in a chart.

use crate::picture::geometry::{Point, Size};

/// Distance of a description from its point, and the part of its height beyond the point if it is
/// above or below, in pixels; the style sheet contains the same values.
const TIP_GAP: (f64, f64) = (14.0, 16.0);

/// Returns whether a description of this size is left of its point, above it, or below it. It covers
/// as few points of the curves as possible and stays inside the chart.
pub fn tip_side(at: Point, chart: Size, tip: Size, curves: &[Point]) -> [bool; 3] {
    let is_right_half = at.x > chart.width * 0.55;
    let sides = [is_right_half, !is_right_half].into_iter();
    let all = sides.flat_map(|left| [[left, false, false], [left, true, false], [left, false, true]]);
    let cost = |&side: &[bool; 3]| {
        let Point { x, y } = tip_corner(at, tip, side);
        let outside = |start: f64, length: f64, end: f64| (-start).max(0.0) + (start + length - end).max(0.0);
        let outside = 4.0 * outside(x, tip.width, chart.width) + outside(y, tip.height, chart.height);
        covered(Point::new(x, y), tip, curves) as f64 + outside
    };
    all.min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or([is_right_half, false, false])
}

/// Returns the upper left corner of a description at one of the sides of its point, as [`tip_side`]
/// returns them.
pub fn tip_corner(at: Point, tip: Size, [is_left, is_above, is_below]: [bool; 3]) -> Point {
    let x = if is_left { at.x - TIP_GAP.0 - tip.width } else { at.x + TIP_GAP.0 };
    let y = match (is_above, is_below) {
        (true, _) => at.y + TIP_GAP.1 - tip.height,
        (_, true) => at.y - TIP_GAP.1,
        _ => at.y - tip.height / 2.0,
    };
    Point::new(x, y)
}

/// Returns the number of points of the curves that a description with this upper left corner covers.
pub fn covered(corner: Point, tip: Size, curves: &[Point]) -> usize {
    curves.iter().filter(|point| is_inside(corner, tip, **point)).count()
}

/// Returns whether a rectangle with this upper left corner contains a point.
pub fn is_inside(corner: Point, size: Size, point: Point) -> bool {
    (corner.x..corner.x + size.width).contains(&point.x) && (corner.y..corner.y + size.height).contains(&point.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn description_of_the_last_point_of_a_rising_curve_is_above_the_curve() {
        let (chart, tip) = (Size::new(600.0, 500.0), Size::new(250.0, 200.0));
        let curve: Vec<_> =
            (0..=50u32).map(|part| Point::new(f64::from(part) * 10.0, 450.0 - f64::from(part) * 5.0)).collect();
        assert_eq!(tip_side(Point::new(500.0, 200.0), chart, tip, &curve), [true, true, false]);
        assert_eq!(tip_side(Point::new(100.0, 250.0), chart, tip, &[]), [false, false, false]);
    }
}
