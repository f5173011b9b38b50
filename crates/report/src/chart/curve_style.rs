//! Looks that distinguish curves without their colour: dashes and the shape of their markers.

use crate::picture::geometry::Point;
use crate::picture::scene::DASHES;

/// Number of colours. Further curves repeat the colours with other dashes and with hollow markers.
const COLORS: usize = DASHES.len();

/// Returns the dashes of curve number `number`. Curves of one colour have different dashes.
pub fn dashes(number: usize) -> &'static [f64] {
    DASHES[(number + number / COLORS * 3) % COLORS]
}

/// Returns whether the markers of curve number `number` are hollow.
pub fn is_hollow(number: usize) -> bool {
    number / COLORS % 2 == 1
}

/// Returns the outline of the marker of curve number `number`: disc, square, triangle, diamond, in
/// turn.
pub fn marker(number: usize, size: f64) -> Vec<Point> {
    let s = size;
    match number % 4 {
        0 => disc(s),
        1 => vec![Point::new(-s, -s), Point::new(s, -s), Point::new(s, s), Point::new(-s, s)],
        2 => vec![Point::new(0.0, -s - 1.0), Point::new(s + 1.0, s), Point::new(-s - 1.0, s)],
        _ => vec![
            Point::new(0.0, -s - 2.0),
            Point::new(s + 2.0, 0.0),
            Point::new(0.0, s + 2.0),
            Point::new(-s - 2.0, 0.0),
        ],
    }
}

/// Returns a twelve-sided disc: cos and sin of multiples of 30 degrees.
pub fn disc(size: f64) -> Vec<Point> {
    let (half, wide) = (size * 0.5, size * 0.866);
    let quarter = [Point::new(size, 0.0), Point::new(wide, half), Point::new(half, wide)];
    let turned = |turns: usize| quarter.map(|at| (0..turns).fold(at, |at, _| at.turned_right()));
    (0..4).flat_map(turned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_curves_have_distinct_looks() {
        let look = |number: usize| (number % COLORS, dashes(number), marker(number, 4.0), is_hollow(number));
        for number in 0..28 {
            assert!((0..number).all(|other| look(other) != look(number)), "{number}");
        }
        assert!((0..7).all(|number| dashes(number) != dashes(number + 7)));
    }
}
