//! Matrix of the pairs that faults cut off. Rows are sources, columns destinations. A dot marks a
//! pair without a live permitted path; a line crosses the row and the column of a faulty node.

use std::ops::Range;

use super::wording::{Column, PairTable};
use crate::picture::geometry::{Point, Size};
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use crate::picture::viewport::{Viewport, Window};
use faultlab_core::topology::NodeId;
use faultlab_core::traffic::Pair;

/// Maximum number of rows drawn; in larger cubes a cell represents a square of pairs.
const MAX_ROWS: u64 = 128;

/// Space for the names of rows and columns, in pixels.
const MARGIN: Size = Size::new(30.0, 20.0);

/// Space between the matrices of a sheet, and for their titles.
const GAP: f64 = 24.0;

/// Matrix at its position.
#[derive(Clone, Copy, Debug)]
pub struct MatrixPicture<'a> {
    /// Table of pairs.
    pub table: &'a PairTable,
    /// Index of the table's column.
    pub column: usize,
    /// Upper left corner, in pixels.
    pub origin: Point,
    /// Width and height in pixels, including the names of rows and columns.
    pub side: f64,
    /// Visible part of a magnified picture.
    pub viewport: Viewport,
    /// Width and height of the magnified picture, in pixels.
    pub picture: Size,
}

impl<'a> MatrixPicture<'a> {
    /// Returns the magnified matrix that fits a canvas of this size.
    pub fn on_canvas(table: &'a PairTable, column: usize, canvas: Size, viewport: Viewport) -> Self {
        let picture = viewport.picture_size(canvas);
        Self { table, column, origin: Point::ORIGIN, side: picture.width.min(picture.height), viewport, picture }
    }

    /// Returns the whole matrix with its upper left corner at `origin`.
    pub fn whole(table: &'a PairTable, column: usize, origin: Point, side: f64) -> Self {
        Self { table, column, origin, side, viewport: Viewport::WHOLE, picture: Size::new(side, side) }
    }

    /// Returns the number of rows drawn, and of the nodes that each represents. The larger the
    /// picture, the more rows it has.
    fn rows(&self) -> (u64, u64) {
        let (nodes, zoom) = (self.table.cube.mask() + 1, self.viewport.zoom() as u64);
        let rows = nodes.min(MAX_ROWS << zoom.max(1).ilog2());
        (rows, nodes / rows)
    }

    /// Returns the space for the names of rows and columns, which grows with the picture, so that
    /// the cells stay where they are under the pointer.
    fn margin(&self) -> Size {
        Size::new(MARGIN.width * self.viewport.zoom(), MARGIN.height * self.viewport.zoom())
    }

    /// Returns the side of a cell.
    fn cell(&self) -> f64 {
        let border = 2.0 * self.viewport.zoom();
        ((self.side - self.margin().width - border) / self.rows().0 as f64).max(0.1)
    }

    /// Returns the upper left corner of the cells.
    fn corner(&self) -> Point {
        Point::new(self.origin.x + self.margin().width, self.origin.y + self.margin().height)
    }

    /// Returns the points beside a row and above a column at which their names are: at the edges of
    /// the visible part.
    fn names_at(&self) -> Point {
        let Point { x, y } = self.corner();
        let visible = if self.viewport.is_whole() { self.origin } else { self.viewport.window(self.picture).corner };
        Point::new((x - 4.0).max(visible.x + MARGIN.width - 4.0), (y - 8.0).max(visible.y + MARGIN.height - 8.0))
    }

    /// Returns the centre of the cell of a pair.
    pub fn middle(&self, from: u64, to: u64) -> Point {
        let (Point { x, y }, (_, per)) = (self.corner(), self.rows());
        Point::new(x + ((to / per) as f64 + 0.5) * self.cell(), y + ((from / per) as f64 + 0.5) * self.cell())
    }

    /// Returns the pair at a point. In a cell of several pairs, the result is the first pair that
    /// is cut off, otherwise the first pair.
    pub fn hit(&self, Point { x, y }: Point) -> Option<Pair> {
        let (Point { x: left, y: top }, (rows, per)) = (self.corner(), self.rows());
        let place = |at: f64| {
            let row = (at / self.cell()).floor();
            (0.0..rows as f64).contains(&row).then_some(row as u64 * per)
        };
        let (from, to) = (place(y - top)?, place(x - left)?);
        let mut all = (from..from + per).flat_map(|from| (to..to + per).map(move |to| pair(from, to)));
        let cut_off = &self.table.columns.get(self.column)?.cut_off;
        all.find(|&pair| cut_off.contains(pair)).or(Some(pair(from, to)))
    }

    /// Returns the shapes of the matrix.
    pub fn shapes(&self) -> Vec<Shape> {
        let Some(column) = self.table.columns.get(self.column) else { return Vec::new() };
        let mut shapes = self.frame();
        let (Point { x: left, y: top }, (rows, _), cell) = (self.corner(), self.rows(), self.cell());
        let far = rows as f64 * cell;
        let crossed = self.table.faulty.iter().flat_map(|&NodeId(node)| {
            let Point { x, y } = self.middle(node, node);
            [vec![Point::new(left, y), Point::new(left + far, y)], vec![Point::new(x, top), Point::new(x, top + far)]]
        });
        let (lines, width) = (crossed.collect(), (cell * 0.3).clamp(0.5, 3.0));
        shapes.push(Shape::Mesh { lines, role: Role::Idle, width, alpha: 0.7 });
        for (level, lines) in self.dots(column).into_iter().enumerate() {
            let width = cell * 0.82 * ((level + 1) as f64 / 4.0).sqrt();
            shapes.push(Shape::Mesh { lines, role: Role::Fault, width: width.max(1.0), alpha: 1.0 });
        }
        shapes
    }

    /// Returns the visible rows and the visible columns.
    fn visible(&self) -> [Range<u64>; 2] {
        let (rows, _) = self.rows();
        if self.viewport.is_whole() {
            return [0..rows, 0..rows];
        }
        let (Point { x, y }, cell) = (self.corner(), self.cell());
        let Window { corner, size } = self.viewport.window(self.picture);
        let range = |start: f64, length: f64| {
            let first = (start / cell).floor().max(0.0) as u64;
            let end = ((start + length) / cell).ceil().max(0.0) as u64;
            first.min(rows)..end.min(rows)
        };
        [range(corner.y - y, size.height), range(corner.x - x, size.width)]
    }

    /// Returns the visible dots of each of four sizes, the smallest first. The size grows with the
    /// share of the cell's pairs that are cut off.
    fn dots(&self, column: &Column) -> [Vec<Vec<Point>>; 4] {
        let (_, per) = self.rows();
        let [rows, columns] = self.visible();
        let across = columns.end - columns.start;
        let mut counts = vec![0u64; ((rows.end - rows.start) * across) as usize];
        for pair in column.cut_off.pairs() {
            let (row, column) = (pair.from.0 / per, pair.to.0 / per);
            if rows.contains(&row) && columns.contains(&column) {
                counts[((row - rows.start) * across + column - columns.start) as usize] += 1;
            }
        }
        let mut dots = [const { Vec::new() }; 4];
        for (place, count) in (0..).zip(counts).filter(|(_, count)| *count > 0) {
            let (row, column) = (rows.start + place / across, columns.start + place % across);
            let Point { x, y } = self.middle(row * per, column * per);
            let level = ((count * 4).div_ceil(per * per) as usize).clamp(1, 4) - 1;
            // Round caps turn the shortest line into a dot.
            dots[level].push(vec![Point::new(x - 0.01, y), Point::new(x + 0.01, y)]);
        }
        dots
    }

    /// Returns the border, a grid, the diagonal, and names for some rows and columns.
    fn frame(&self) -> Vec<Shape> {
        let (Point { x: left, y: top }, (rows, per), cell) = (self.corner(), self.rows(), self.cell());
        let far = rows as f64 * cell;
        // About eight lines are visible.
        let step = (rows / (8 << (self.viewport.zoom() as u64).max(1).ilog2())).max(1);
        let at = |row: u64| row as f64 * cell;
        let grid = (0..=rows).step_by(step as usize).flat_map(|row| {
            let line = at(row);
            [
                vec![Point::new(left + line, top), Point::new(left + line, top + far)],
                vec![Point::new(left, top + line), Point::new(left + far, top + line)],
            ]
        });
        let mut shapes = vec![
            Shape::Mesh { lines: grid.collect(), role: Role::Link, width: 0.6, alpha: 0.5 },
            Shape::Line {
                ends: [Point::new(left, top), Point::new(left + far, top + far)],
                role: Role::Link,
                width: 1.0,
                alpha: 0.6,
            },
        ];
        let mut text = |at, anchor, text| {
            shapes.push(Shape::Text { at, anchor, role: Role::Soft, size: 10.0, text });
        };
        let names = self.names_at();
        for row in (0..rows).step_by((step * 2) as usize) {
            let Point { x, y } = self.middle(row * per, row * per);
            text(Point::new(names.x, y), Anchor::End, (row * per).to_string());
            text(Point::new(x, names.y), Anchor::Middle, (row * per).to_string());
        }
        shapes
    }

    /// Returns the mark of a pair: its cell, with lines to the names of its row and its column.
    pub fn mark(&self, pair: Pair) -> Vec<Shape> {
        let (Point { x, y }, half) = (self.middle(pair.from.0, pair.to.0), (self.cell() / 2.0 + 1.5).max(3.0));
        let Point { x: left, y: top } = self.corner();
        let points = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)];
        let points = points.map(|(dx, dy)| Point::new(x + dx, y + dy)).to_vec();
        let line = |ends| Shape::Line { ends, role: Role::Ink, width: 1.0, alpha: 0.5 };
        vec![
            line([Point::new(left, y), Point::new(x - half, y)]),
            line([Point::new(x, top), Point::new(x, y - half)]),
            Shape::Stroke { points, role: Role::Ink, width: 2.0, dash: Vec::new(), alpha: 1.0 },
        ]
    }
}

/// Returns all matrices of a table, with their counts, as one picture.
pub fn sheet(table: &PairTable) -> Scene {
    const SIDE: f64 = 300.0;
    let across = table.columns.len().clamp(1, 3);
    let mut scene = Scene { size: Size::default(), shapes: Vec::new() };
    for (number, column) in table.columns.iter().enumerate() {
        let (x, y) = ((number % across) as f64, (number / across) as f64);
        let origin = Point::new(GAP / 2.0 + x * (SIDE + GAP), GAP + y * (SIDE + 2.0 * GAP));
        let counts = column.cut_off.counts();
        let text = format!("{}: {} of {} pairs cut off", column.name, counts.cut_off, counts.live);
        let at = Point::new(origin.x + MARGIN.width, origin.y - 6.0);
        scene.shapes.push(Shape::Text { at, anchor: Anchor::Start, role: Role::Ink, size: 13.0, text });
        scene.shapes.extend(MatrixPicture::whole(table, number, origin, SIDE).shapes());
        let (right, bottom) = (origin.x + SIDE + GAP / 2.0, origin.y + SIDE + GAP / 2.0);
        scene.size = Size::new(scene.size.width.max(right), scene.size.height.max(bottom));
    }
    scene
}

fn pair(from: u64, to: u64) -> Pair {
    Pair { from: NodeId(from), to: NodeId(to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of dots in the visible part of a magnified matrix.
    fn dots_in_window(table: &PairTable, canvas: Size, view: Viewport) -> usize {
        let window = view.window(view.picture_size(canvas));
        let dots = MatrixPicture::on_canvas(table, 0, canvas, view).dots(&table.columns[0]);
        dots.iter().flatten().filter(|dot| window.contains(dot[0] + Point::new(0.01, 0.0), 0.0)).count()
    }

    /// Returns the number of pairs cut off in the visible part of a matrix with a row for each node.
    fn cut_off_in_window(table: &PairTable, canvas: Size, view: Viewport) -> usize {
        let window = view.window(view.picture_size(canvas));
        let picture = MatrixPicture::on_canvas(table, 0, canvas, view);
        let is_visible = |pair: &Pair| window.contains(picture.middle(pair.from.0, pair.to.0), 0.0);
        table.columns[0].cut_off.pairs().filter(is_visible).count()
    }

    #[test]
    fn hit_finds_cells_where_drawn() {
        for text in ["switch=pairs&break=24_1,3", "switch=pairs&net=cube:9&faults=nodes:0.02"] {
            let table = PairTable::new(&text.parse().unwrap(), true).unwrap();
            let size = Size::new(300.0, 300.0);
            let magnified = Viewport::WHOLE.zoomed(4.0, 4.0, Point::new(100.0, 200.0), size);
            for view in [Viewport::WHOLE, magnified] {
                let picture = MatrixPicture::on_canvas(&table, 0, size, view);
                let (_, per) = picture.rows();
                for asked in [pair(0, 0), pair(24, 26), pair(31, 7)] {
                    let hit = picture.hit(picture.middle(asked.from.0, asked.to.0)).unwrap();
                    assert_eq!((hit.from.0 / per, hit.to.0 / per), (asked.from.0 / per, asked.to.0 / per));
                }
                assert_eq!(picture.hit(Point::new(1.0, 1.0)), None);
            }
            let picture = MatrixPicture::on_canvas(&table, 0, size, Viewport::WHOLE);
            let (_, per) = picture.rows();
            // A larger picture has a row for each node.
            assert_eq!(MatrixPicture::on_canvas(&table, 0, size, magnified).rows().1, 1);
            let drawn: usize = picture.dots(&table.columns[0]).iter().map(Vec::len).sum();
            assert!(drawn > 0 && (per > 1 || drawn as u64 == table.columns[0].cut_off.counts().cut_off));
            assert_eq!(dots_in_window(&table, size, magnified), cut_off_in_window(&table, size, magnified));
            assert!(sheet(&table).svg(crate::picture::palette::print_css, "").contains("relabelled"));
        }
    }
}
