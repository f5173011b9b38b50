//! Layout of the squares of maps.

use super::chart_point::ChartPoint;
use super::figure::{Figure, Grid};
use crate::picture::geometry::{Point, Size};

/// Space above a map for its name and the column numbers.
pub(crate) const TOP: f64 = 44.0;
/// Space left of a map for the row numbers.
const LEFT: f64 = 26.0;

/// Space below a map for the scale of its colours.
const BELOW: f64 = 46.0;

/// Position of one map, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MapPosition {
    /// Left edge of the squares.
    pub(crate) left: f64,
    /// Upper edge of the squares.
    pub(crate) top: f64,
    /// Side of a square, at least 1.
    pub(crate) side: f64,
}

impl MapPosition {
    /// Returns the upper left corner of the square of node number `x`.
    pub(crate) fn corner(&self, grid: Grid, x: f64) -> Point {
        let columns = f64::from(grid.columns);
        Point::new(self.left + x % columns * self.side, self.top + (x / columns).floor() * self.side)
    }

    /// Returns the lower edge of the map with its scale.
    #[cfg(feature = "charts")]
    pub(crate) fn bottom(&self, grid: Grid) -> f64 {
        self.top + self.side * f64::from(grid.rows) + BELOW
    }
}

/// Returns the positions of `count` maps in an area of the given size; empty if there is no space.
pub(crate) fn places(count: usize, grid: Grid, Size { width, height }: Size) -> Vec<MapPosition> {
    // The number of maps side by side maximises the squares.
    let side = |across: usize| {
        let wide = width / across as f64 - (LEFT + 8.0);
        let high = height / count.div_ceil(across) as f64 - (TOP + BELOW);
        (wide / f64::from(grid.columns)).min(high / f64::from(grid.rows)).floor()
    };
    let across = (1..=count).max_by(|&a, &b| side(a).total_cmp(&side(b))).unwrap_or(1);
    let side = side(across);
    let place = |number: usize| MapPosition {
        left: width / across as f64 * (number % across) as f64 + LEFT,
        top: height / count.div_ceil(across) as f64 * (number / across) as f64 + TOP,
        side,
    };
    if side < 1.0 { Vec::new() } else { (0..count).map(place).collect() }
}

/// Returns the centres of the squares that have a value.
pub(crate) fn spots(figure: &Figure, grid: Grid, size: Size) -> Vec<ChartPoint> {
    let places = places(figure.curves.len(), grid, size);
    let squares = figure.curves.iter().zip(places).enumerate().flat_map(|(curve, (values, place))| {
        values.points.iter().map(move |&(x, y)| {
            let Point { x: left, y: top } = place.corner(grid, x);
            ChartPoint {
                curve,
                value: (x, Some(y)),
                pixel: Point::new(left + place.side / 2.0, top + place.side / 2.0),
            }
        })
    });
    squares.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_fill_the_available_space() {
        let grid = Grid { rows: 4, columns: 4 };
        let [one] = places(1, grid, Size::new(434.0, 490.0))[..] else { panic!("one map") };
        assert_eq!(one, MapPosition { left: 26.0, top: 44.0, side: 100.0 });
        assert_eq!(one.corner(grid, 5.0), Point::new(126.0, 144.0));
        assert!(places(2, grid, Size::new(30.0, 90.0)).is_empty());
    }
}
