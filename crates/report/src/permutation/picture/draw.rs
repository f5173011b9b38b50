//! Picture of one oblivious scheme with faults, on the square of subcubes: active nodes, one
//! message's route, the congestion, a batch of worms.

use super::painter::{NodeKind, PermutationPainter, SubcubeViewOptions, arrow};
use super::subcube_layout::{MAX_CHANNELS, SquaresPicture, corner_name};
use super::{congestion, legend, worms};
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, Size, text_width};
use crate::picture::layers::LineBatches;
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use crate::wording;
use faultlab_core::topology::{Link, NodeId};
use faultlab_experiment::{PermutationInstance, PermutationSeries};

/// Draws one scheme of `instance`.
pub fn draw(
    instance: &PermutationInstance,
    series: &PermutationSeries,
    picture: &SquaresPicture,
    shown: &SubcubeViewOptions<'_>,
) -> Scene {
    let trial = series.trial.as_ref().ok();
    let mut painter = PermutationPainter { instance, series, trial, picture, shown, shapes: Vec::new() };
    painter.frames();
    let said = if picture.is_small() { Vec::new() } else { congestion::arrows(&mut painter) };
    if picture.is_drawn() {
        if let Some(paths) = shown.heat {
            congestion::channels(&mut painter, paths);
        }
        painter.faulty_links();
        painter.nodes();
        if let (Some(batch), Some(trial)) = (shown.batch, trial) {
            worms::draw(&mut painter, trial, batch);
        }
        if let Some(route) = shown.route {
            painter.route(route);
        }
    }
    painter.titles(said);
    if let Some(route) = shown.route.filter(|_| picture.is_drawn()) {
        painter.labels(route);
    }
    painter.focus();
    legend::draw(&mut painter);
    Scene { size: picture.size, shapes: painter.shapes }
}

impl PermutationPainter<'_> {
    /// Draws the frames of the subcubes; without space for nodes, their counts.
    fn frames(&mut self) {
        for corner in 0..4u64.min(self.picture.cube.mask() + 1) {
            let frame = self.picture.frame(corner);
            let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
            let (left, top) = (frame.left, frame.top);
            let points = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
            let points = points.map(|(x, y)| Point::new(x, y)).to_vec();
            self.line(points, Role::Link, 1.0, &[], 1.0);
            if !self.picture.is_drawn() {
                self.counts(
                    corner,
                    Point::new(left + frame.width / 2.0, top + (frame.height + self.picture.head()) / 2.0),
                );
            }
        }
    }

    fn counts(&mut self, corner: u64, at: Point) {
        let all = self.nodes_of_cube().filter(|node| node.0 & 3 == corner);
        let (mut total, mut active, mut faulty) = (0u32, 0u32, 0u32);
        for node in all {
            total += 1;
            match NodeKind::from_node(self.instance, self.series, node) {
                NodeKind::Active => active += 1,
                NodeKind::Faulty => faulty += 1,
                _ => {}
            }
        }
        let share = f64::from(active) / f64::from(total.max(1)) * 100.0;
        self.text(
            Point::new(at.x, at.y - 8.0),
            Anchor::Middle,
            Role::Ink,
            13.0,
            format!("{active} of {total} active ({share:.0}%)"),
        );
        self.text(Point::new(at.x, at.y + 10.0), Anchor::Middle, Role::Fault, 12.0, format!("{faulty} faulty"));
    }

    /// Writes the names of the subcubes, and the labels of the channels.
    fn titles(&mut self, said: Vec<congestion::PlacedLabel>) {
        for corner in 0..4u64.min(self.picture.cube.mask() + 1) {
            let frame = self.picture.frame(corner);
            let at = Point::new(frame.left + 8.0, frame.top + self.picture.name_line());
            if !self.picture.is_small() {
                self.text_with_background(at, Anchor::Start, Role::Ink, 13.0, corner_name(corner));
            }
        }
        for said in said.into_iter().filter(|said| !said.text.is_empty()) {
            self.text_with_background(said.at, said.anchor, Role::Ink, 11.0, said.text);
        }
    }

    /// Draws the faulty links: a dashed line with a cross, in cubes whose channels are drawn.
    fn faulty_links(&mut self) {
        if self.picture.cube.dimension() > MAX_CHANNELS {
            return;
        }
        let radius = (self.picture.radius() * 0.6).clamp(2.0, 5.0);
        for link in self.instance.faulty.links() {
            let points = self.picture.line(link);
            let middle = points.get(points.len() / 2).copied();
            self.line(arrow(&points, radius), Role::Fault, 1.0, &[], 1.0);
            self.line(points, Role::Fault, 1.0, &[3.0, 3.0], 1.0);
            self.shapes.extend(middle.map(|at| Shape::Cross { at, radius, role: Role::Fault }));
        }
    }

    /// Draws the nodes; their shapes distinguish their kinds.
    fn nodes(&mut self) {
        let radius = self.picture.radius();
        let mut lines = LineBatches::default();
        for node in self.nodes_of_cube() {
            let Some(at) = self.picture.at(node) else { continue };
            match NodeKind::from_node(self.instance, self.series, node) {
                // The congestion dot represents a node; an inactive node is struck through.
                NodeKind::Active if congestion::is_dot(self, node) => {}
                NodeKind::Inactive if congestion::is_dot(self, node) => {
                    let r = radius.max(1.5);
                    let ends = [Point::new(at.x - r, at.y + r), Point::new(at.x + r, at.y - r)];
                    lines.add(Role::Paper, (radius * 0.3).clamp(0.8, 2.2), 1.0, &ends);
                }
                kind => self.node(kind, at, radius, &mut lines),
            }
        }
        lines.finish(&mut self.shapes);
        self.names();
    }

    /// Writes the names of the nodes below them, if there is space, over the lines to the
    /// neighbours.
    fn names(&mut self) {
        let (Size { width: right, height: down }, cube, radius) =
            (self.picture.steps(), self.picture.cube, self.picture.radius());
        let size = 10.0;
        if cube.dimension() > MAX_CHANNELS
            || down < 2.0 * radius + 12.0
            || right < text_width(&wording::node(cube, NodeId(0)).to_string(), size) + 14.0
        {
            return;
        }
        for node in self.nodes_of_cube() {
            if let Some(Point { x, y }) = self.picture.at(node) {
                let at = Point::new(x, y + radius + 7.0);
                self.text_with_background(at, Anchor::Middle, Role::Soft, size, wording::node(cube, node).to_string());
            }
        }
    }

    fn focus(&mut self) {
        let Some((spot, state)) = self.shown.focus else { return };
        let node = match spot {
            NetworkElement::Node(node) => node,
            NetworkElement::Link(link) => return self.link_in_focus(link),
        };
        let Some(Point { x, y }) = self.picture.at(node) else { return };
        let radius = self.picture.radius() + 3.0;
        for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let (near, far) = (radius * 0.8, radius * 0.8 + 6.0);
            let ends = [near, far].map(|reach| Point::new(x + sx * reach, y + sy * reach));
            self.shapes.push(Shape::Line { ends, role: Role::Ink, width: 2.0, alpha: 1.0 });
        }
        let anchor = if x < self.picture.size.width / 2.0 { Anchor::Start } else { Anchor::End };
        let name = wording::node(self.picture.cube, node).to_string();
        let text = if state.is_empty() { name } else { [&name, ", ", state].concat() };
        self.text_with_background(Point::new(x, y - radius - 12.0), anchor, Role::Ink, 12.0, text);
    }

    fn link_in_focus(&mut self, link: Link) {
        let width = (self.picture.radius() * 0.6).max(2.0);
        let points = self.picture.line(link);
        self.line(arrow(&points, width + 2.0), Role::Ink, width, &[], 1.0);
        self.line(points, Role::Ink, width, &[], 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permutation::picture::painter::{BatchAtCycle, FollowedRoute};
    use faultlab_experiment::{BatchIndex, Experiment};

    fn instance(text: &str) -> PermutationInstance {
        PermutationInstance::new(&text.parse::<Experiment>().expect("an experiment")).expect("a cube")
    }

    fn has_text(scene: &Scene, what: &str) -> bool {
        scene.shapes.iter().any(|shape| matches!(shape, Shape::Text { text, .. } if text == what))
    }

    #[test]
    fn nodes_routes_and_congestion_are_drawn() {
        let instance = instance("net=cube:6&faults=nodes:0&break=5&route=algorithm-b&switch=permutation&tolerance=0.3");
        let (series, trial) = (&instance.series[0], instance.series[0].trial.as_ref().unwrap());
        let picture = SquaresPicture::of_width(instance.cell.cube, 1000.0);
        let bare = draw(&instance, series, &picture, &SubcubeViewOptions::default());
        let crosses = |scene: &Scene| scene.shapes.iter().filter(|it| matches!(it, Shape::Cross { .. })).count();
        // The faulty node, and its entry in the legend.
        assert_eq!(crosses(&bare), 2);
        assert!(
            has_text(&bare, "C00")
                && has_text(&bare, "rank 4")
                && has_text(&bare, "not used")
                && has_text(&bare, "000101")
        );

        let (paths, route) = (trial.paths().unwrap(), trial.route(0).unwrap());
        let shown = FollowedRoute { route: &route, hops: 2.5 };
        let shown = SubcubeViewOptions {
            route: Some(shown),
            heat: Some(&paths),
            classes: true,
            ..SubcubeViewOptions::default()
        };
        let scene = draw(&instance, series, &picture, &shown);
        assert!(has_text(&scene, "from") && has_text(&scene, "via") && has_text(&scene, "3") && !has_text(&scene, "4"));
        let class = paths.by_class(|link| edge_class(link.from.0 & 3, link.dim))[&5];
        assert!(has_text(&scene, &format!("rank 5: mean {:.2}, max {} (without faults 4)", class.mean(), class.max)));
        let narrow = SquaresPicture::of_width(instance.cell.cube, 360.0);
        assert!(has_text(&draw(&instance, series, &narrow, &shown), "phases"));
        // A small picture names only the ends of the route.
        let small = SquaresPicture { size: Size::new(308.0, 162.0), ..narrow };
        let scene = draw(&instance, series, &small, &shown);
        assert!(has_text(&scene, "from") && !has_text(&scene, "phases") && !has_text(&scene, "C00"));
    }

    fn edge_class(corner: u64, dim: u8) -> Option<u8> {
        (corner == 0 && dim == 1).then_some(5)
    }

    #[test]
    fn deadlocked_batch_shows_its_cyclic_wait() {
        let text = "net=cube:2&faults=nodes:0&route=valiant-brebner&switch=batch&length=2&traffic=0-3-2,3-0-1";
        let instance = instance(text);
        let (series, trial) = (&instance.series[0], instance.series[0].trial.as_ref().unwrap());
        let (numbers, mut batch) =
            (BatchIndex::from_trial(trial), trial.batch(instance.cell.setting.batch().unwrap()).unwrap());
        batch.run_until(100);
        let shown = BatchAtCycle { batch: &batch, numbers: &numbers, followed: Some(0) };
        let picture = SquaresPicture::of_width(instance.cell.cube, 500.0);
        let scene = draw(
            &instance,
            series,
            &picture,
            &SubcubeViewOptions { batch: Some(shown), ..SubcubeViewOptions::default() },
        );
        let of =
            |role| scene.shapes.iter().filter(|it| matches!(it, Shape::Stroke { role: r, .. } if *r == role)).count();
        // Two channels held by each message, and two arrows.
        assert!(of(Role::Trap) == 6 && has_text(&scene, "0") && has_text(&scene, "1"), "{}", of(Role::Trap));
    }

    #[test]
    fn large_cubes_and_inapplicable_schemes_are_drawn() {
        let large = instance("net=cube:13&faults=nodes:0&break=5&route=algorithm-b&switch=permutation");
        let picture = SquaresPicture::of_width(large.cell.cube, 700.0);
        let scene = draw(&large, &large.series[0], &picture, &SubcubeViewOptions::default());
        assert!(has_text(&scene, "1 faulty") && scene.shapes.len() < 100);
        let none = instance("net=cube:2&faults=nodes:0&route=algorithm-b&switch=permutation");
        let picture = SquaresPicture::of_width(none.cell.cube, 300.0);
        assert!(has_text(&draw(&none, &none.series[0], &picture, &SubcubeViewOptions::default()), "active"));
    }
}
