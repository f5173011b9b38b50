//! Placement of labels, so that they cover neither nodes nor each other.

use super::geometry::{Point, Size, text_width};
use super::scene::Anchor;
use super::viewport::Window;

/// Covered square pixels that do not count: the results of rounding.
const TOLERANCE: f64 = 0.01;

/// Height of a line of text, as a multiple of its font size.
const LINE: f64 = 1.05;

/// Rectangle with sides parallel to those of the picture, by two opposite corners.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    low: Point,
    high: Point,
}

impl Area {
    fn around(at: Point, half: Size) -> Self {
        let half = Point::new(half.width, half.height);
        Self { low: at - half, high: at + half }
    }

    /// Returns the area of a text of one line, whose anchor is in the middle of its height.
    fn of_text(at: Point, anchor: Anchor, size: f64, text: &str) -> Self {
        let width = text_width(text, size);
        let left = match anchor {
            Anchor::Start => at.x,
            Anchor::Middle => at.x - width / 2.0,
            Anchor::End => at.x - width,
        };
        let half = size * LINE / 2.0;
        Self { low: Point::new(left, at.y - half), high: Point::new(left + width, at.y + half) }
    }

    /// Returns the number of square pixels that both areas cover.
    fn overlap(self, other: Self) -> f64 {
        let width = self.high.x.min(other.high.x) - self.low.x.max(other.low.x);
        let height = self.high.y.min(other.high.y) - self.low.y.max(other.low.y);
        width.max(0.0) * height.max(0.0)
    }

    fn size(self) -> f64 {
        (self.high.x - self.low.x) * (self.high.y - self.low.y)
    }
}

/// Areas of a picture that labels must not cover. Memory: one rectangle for each of them.
#[derive(Clone, Debug)]
pub(crate) struct LabelPlacer {
    picture: Area,
    taken: Vec<Area>,
}

impl LabelPlacer {
    /// Returns a placer for the visible part of a picture, in which nothing is taken yet.
    pub(crate) fn new(visible: Window) -> Self {
        Self { picture: Area { low: visible.corner, high: visible.end() }, taken: Vec::new() }
    }

    /// Takes a square around a point: a node of half the side `reach`, in pixels.
    pub(crate) fn take(&mut self, at: Point, reach: f64) {
        self.taken.push(Area::around(at, Size::new(reach, reach)));
    }

    /// Returns the first position at which a text covers nothing that is taken, and takes it; `None`
    /// if there is none.
    pub(crate) fn place(&mut self, positions: &[(Point, Anchor)], size: f64, text: &str) -> Option<(Point, Anchor)> {
        let area = |&(at, anchor): &(Point, Anchor)| Area::of_text(at, anchor, size, text);
        let free = positions.iter().find(|position| self.covered(area(position)) <= TOLERANCE)?;
        self.taken.push(area(free));
        Some(*free)
    }

    /// Returns the position at which a text covers least of what is taken, and takes it; of equal
    /// ones the first. `None` without a position.
    pub(crate) fn place_best(
        &mut self,
        positions: &[(Point, Anchor)],
        size: f64,
        text: &str,
    ) -> Option<(Point, Anchor)> {
        let area = |&(at, anchor): &(Point, Anchor)| Area::of_text(at, anchor, size, text);
        let covered = positions.iter().map(|position| (self.covered(area(position)), position));
        let (_, best) = covered.min_by(|a, b| a.0.total_cmp(&b.0))?;
        self.taken.push(area(best));
        Some(*best)
    }

    /// Returns the first positions at which two centred lines cover nothing that is taken, and takes
    /// them; `None` if there are none.
    pub(crate) fn place_lines(&mut self, pairs: &[[Point; 2]], size: f64, lines: [&str; 2]) -> Option<[Point; 2]> {
        let areas = |pair: &[Point; 2]| [0, 1].map(|line| Area::of_text(pair[line], Anchor::Middle, size, lines[line]));
        let is_free = |pair: &&[Point; 2]| areas(pair).into_iter().all(|area| self.covered(area) <= TOLERANCE);
        let free = *pairs.iter().find(is_free)?;
        self.taken.extend(areas(&free));
        Some(free)
    }

    /// Takes a disc that covers nothing taken, at the first position where that is possible.
    pub(crate) fn place_disc(&mut self, positions: &[Point], radius: f64) -> Option<Point> {
        let area = |at: &Point| Area::around(*at, Size::new(radius, radius));
        let free = *positions.iter().find(|at| self.covered(area(at)) <= TOLERANCE)?;
        self.taken.push(area(&free));
        Some(free)
    }

    /// Returns the number of square pixels of an area that are taken or outside of the picture.
    fn covered(&self, area: Area) -> f64 {
        let outside = area.size() - area.overlap(self.picture);
        outside + self.taken.iter().map(|taken| taken.overlap(area)).sum::<f64>()
    }
}

/// Returns the positions of a label beside a node of the radius `reach`, for a text of one line of
/// the font size `size`: below, above, to the right, to the left, then at the four corners.
pub(crate) fn beside(at: Point, reach: f64, size: f64) -> [(Point, Anchor); 8] {
    let (far, high, near) = (reach + 4.0, reach + size * LINE / 2.0 + 2.0, reach * 0.9 + 1.0);
    let place = |x: f64, y: f64, anchor| (at + Point::new(x, y), anchor);
    let corner = near + size * LINE / 2.0;
    [
        place(0.0, high, Anchor::Middle),
        place(0.0, -high, Anchor::Middle),
        place(far, 0.0, Anchor::Start),
        place(-far, 0.0, Anchor::End),
        place(near, corner, Anchor::Start),
        place(near, -corner, Anchor::Start),
        place(-near, corner, Anchor::End),
        place(-near, -corner, Anchor::End),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cover_neither_nodes_nor_each_other_nor_leave_the_picture() {
        let mut placer = LabelPlacer::new(Window::whole(Size::new(100.0, 60.0)));
        let node = Point::new(50.0, 30.0);
        placer.take(node, 5.0);
        let mut placed = Vec::new();
        while let Some((at, anchor)) = placer.place(&beside(node, 5.0, 10.0), 10.0, "from") {
            placed.push(Area::of_text(at, anchor, 10.0, "from"));
            assert!(placed.len() <= 8);
        }
        assert!(placed.len() >= 4, "{placed:?}");
        for (number, area) in placed.iter().enumerate() {
            assert!(area.low.x >= 0.0 && area.low.y >= 0.0 && area.high.x <= 100.0 && area.high.y <= 60.0);
            assert!(area.overlap(Area::around(node, Size::new(5.0, 5.0))) < TOLERANCE);
            assert!(placed[..number].iter().all(|other| other.overlap(*area) < TOLERANCE));
        }
        assert!(placer.place_best(&beside(node, 5.0, 10.0), 10.0, "from").is_some(), "the least bad position");
    }

    #[test]
    fn no_label_is_placed_without_space() {
        let mut placer = LabelPlacer::new(Window::whole(Size::new(30.0, 14.0)));
        placer.take(Point::new(15.0, 7.0), 5.0);
        assert_eq!(placer.place(&beside(Point::new(15.0, 7.0), 5.0, 10.0), 10.0, "destination"), None);
        assert_eq!(placer.place_disc(&[Point::new(15.0, 7.0)], 3.0), None);
    }
}
