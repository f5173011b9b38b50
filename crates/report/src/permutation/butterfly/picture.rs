//! Picture of a butterfly: its levels as columns, its rows as rows.

use crate::permutation::picture::congestion::{alpha, level};
use crate::permutation::picture::painter::{NodeKind, arrow, draw_node, part};
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, Size, text_width};
use crate::picture::layers::LineBatches;
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use faultlab_core::routing::oblivious::{ButterflyRoute, ButterflyRouting};
use faultlab_core::switching::{BatchOutcome, ButterflyCongestion};
use faultlab_core::topology::{Butterfly, Link, NodeId};
use faultlab_experiment::permutation::ButterflyBatch;

/// Space on the left and on the right, for the names of rows and ends.
const SIDE: f64 = 52.0;
/// Space above, for the numbers of the levels, and below.
const ABOVE: f64 = 26.0;
/// Distance of rows from which they are named.
const NAMED: f64 = 12.0;
/// Number of colours of messages.
const COLORS: u32 = 7;

/// Positions of the nodes in a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ButterflyPicture {
    pub(crate) butterfly: Butterfly,
    /// Size of the picture in pixels.
    pub(crate) size: Size,
}

/// Route of the followed message, with its progress.
#[derive(Clone, Copy)]
pub(crate) struct FollowedRow {
    pub(crate) route: ButterflyRoute,
    /// Number of hops made.
    pub(crate) hops: u32,
}

/// View options.
#[derive(Clone, Default)]
pub(crate) struct ButterflyView<'a> {
    /// Number of the series, which selects its colour.
    pub(crate) series: u8,
    /// Counts of all routes, shown as congestion.
    pub(crate) heat: Option<&'a ButterflyCongestion>,
    /// Route of the followed message.
    pub(crate) route: Option<FollowedRow>,
    /// Batch at a cycle, with the place of the followed message in it.
    pub(crate) batch: Option<(&'a ButterflyBatch, Option<u32>)>,
    /// Element in focus, and its description.
    pub(crate) focus: Option<(NetworkElement, String)>,
}

impl ButterflyPicture {
    /// Returns the distances of columns and of rows.
    fn steps(&self) -> Size {
        let (columns, rows) = (f64::from(self.butterfly.levels()), f64::from(self.butterfly.rows()));
        Size::new((self.size.width - 2.0 * SIDE).max(1.0) / columns, (self.size.height - 2.0 * ABOVE).max(1.0) / rows)
    }

    /// Returns the radius of a node.
    pub(crate) fn radius(&self) -> f64 {
        let Size { width, height } = self.steps();
        (width.min(height) * 0.3).clamp(0.8, 7.0)
    }

    /// Returns the position of a node; `None` if there is no such node.
    pub(crate) fn at(&self, node: NodeId) -> Option<Point> {
        let Size { width, height } = self.steps();
        let (row, level) = (f64::from(self.butterfly.row(node)), f64::from(self.butterfly.level(node)));
        self.butterfly.contains(node).then(|| Point::new(SIDE + width * level, ABOVE + height * (row + 0.5)))
    }

    /// Returns the ends of a link; none if there is no such link.
    fn line(&self, link: Link) -> Vec<Point> {
        let ends = self.butterfly.link_end(link).and_then(|end| Some(vec![self.at(link.from)?, self.at(end)?]));
        ends.unwrap_or_default()
    }

    /// Returns the node at a point.
    pub(crate) fn hit(&self, point: Point, touch: bool) -> Option<NodeId> {
        let Size { width, height } = self.steps();
        let level = libm::round((point.x - SIDE) / width);
        let row = libm::floor((point.y - ABOVE) / height);
        let is_inside = (0.0..=f64::from(self.butterfly.levels())).contains(&level)
            && (0.0..f64::from(self.butterfly.rows())).contains(&row);
        let node = is_inside.then(|| self.butterfly.node(row as u32, level as u8))?;
        let reach = self.radius() + if touch { 14.0 } else { 5.0 };
        self.at(node).filter(|&at| (at - point).length() <= reach).map(|_| node)
    }

    /// Returns the neighbour of a node in a direction, right and down; the node itself at the
    /// border.
    pub(crate) fn toward(&self, node: NodeId, (right, down): (i8, i8)) -> NodeId {
        let row = self.butterfly.row(node).saturating_add_signed(down.into()).min(self.butterfly.rows() - 1);
        let level = self.butterfly.level(node).saturating_add_signed(right).min(self.butterfly.levels());
        self.butterfly.node(row, level)
    }

    fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..u64::from(self.butterfly.nodes())).map(NodeId)
    }

    fn links(&self) -> impl Iterator<Item = Link> + use<> {
        let inner = u64::from(self.butterfly.rows()) * u64::from(self.butterfly.levels());
        (0..inner).flat_map(|node| [0, 1].map(|dim| Link { from: NodeId(node), dim }))
    }
}

/// Draws the state of a scheme: links with their congestion or their messages, the followed
/// message, and the nodes. Rows that do not take part are hatched at both ends.
pub(crate) fn draw(picture: &ButterflyPicture, routing: &ButterflyRouting, shown: &ButterflyView<'_>) -> Scene {
    let mut shapes = Vec::new();
    links(picture, shown, &mut shapes);
    if let Some((batch, followed)) = shown.batch {
        messages(picture, batch, followed, &mut shapes);
    } else if let Some(followed) = &shown.route {
        route(picture, followed, &mut shapes);
    }
    nodes(picture, routing, &mut shapes);
    names(picture, shown, &mut shapes);
    focus(picture, shown, &mut shapes);
    Scene { size: picture.size, shapes }
}

fn line_width(picture: &ButterflyPicture) -> f64 {
    (picture.radius() * 0.5).clamp(0.8, 3.0)
}

/// Draws all links: thin, or with the number of messages that cross them.
fn links(picture: &ButterflyPicture, shown: &ButterflyView<'_>, shapes: &mut Vec<Shape>) {
    let mut lines = LineBatches::default();
    let width = (line_width(picture) * 0.4).clamp(0.4, 1.0);
    for link in picture.links() {
        lines.add(Role::Link, width, 1.0, &picture.line(link));
    }
    if let Some(paths) = shown.heat {
        let max = paths.max_congestion();
        for (link, count) in paths.links().filter(|&(_, count)| count > 0) {
            let level = level(count, max);
            lines.add(Role::Series(shown.series), line_width(picture) * 1.6 * level, alpha(level), &picture.line(link));
        }
    }
    lines.finish(shapes);
}

/// Draws the route of the followed message as far as it has moved: solid to the intermediate row,
/// dashed from there on.
fn route(picture: &ButterflyPicture, followed: &FollowedRow, shapes: &mut Vec<Shape>) {
    let (butterfly, width) = (picture.butterfly, line_width(picture) * 1.3 + 0.8);
    let levels = usize::from(butterfly.levels());
    for (place, link) in followed.route.links(butterfly).enumerate().take(followed.hops as usize) {
        let dash = if place < levels { Vec::new() } else { vec![7.0, 3.0] };
        let points = picture.line(link);
        let wings = arrow(&points, width + 2.0);
        shapes.push(Shape::Stroke { points, role: Role::Ink, width, dash, alpha: 1.0 });
        shapes.push(Shape::Stroke { points: wings, role: Role::Ink, width, dash: Vec::new(), alpha: 1.0 });
    }
}

/// Draws the links that messages hold, each message in its colour, and the links for which headers
/// wait; the followed message and a cyclic wait above the others.
fn messages(picture: &ButterflyPicture, batch: &ButterflyBatch, followed: Option<u32>, shapes: &mut Vec<Shape>) {
    let (now, butterfly, width) = (batch.now(), picture.butterfly, line_width(picture));
    let cycle = match now.outcome() {
        Some(BatchOutcome::Deadlock(cycle)) => cycle.as_slice(),
        _ => &[],
    };
    let mut lines = LineBatches::default();
    let dimmed = if followed.is_some() || !cycle.is_empty() { 0.5 } else { 0.9 };
    for (place, (_, route)) in (0u32..).zip(&batch.routes) {
        for link in now.held_channels(place) {
            lines.add(Role::Series((place % COLORS) as u8), width, dimmed, &picture.line(link));
        }
        let is_waiting = now.finished().get(place as usize).is_some_and(Option::is_none) && !now.is_entering(place);
        let next = route.links(butterfly).nth(now.hops_made(place) as usize).filter(|_| is_waiting);
        if let Some(link) = next {
            let mut points = picture.line(link);
            part(&mut points, 0.3);
            lines.add(Role::Ink, (width * 0.6).max(0.7), 0.8, &points);
        }
    }
    lines.finish(shapes);
    let mut stroke = |link: Link, role, width: f64, dash: Vec<f64>| {
        let points = picture.line(link);
        shapes.push(Shape::Stroke { points, role, width, dash, alpha: 1.0 });
    };
    if let Some((place, (_, route))) = followed.and_then(|place| Some((place, batch.routes.get(place as usize)?))) {
        for link in now.held_channels(place) {
            stroke(link, Role::Ink, width * 1.4 + 0.8, Vec::new());
        }
        let is_moving = now.finished().get(place as usize).is_some_and(Option::is_none);
        if let Some(link) = route.links(butterfly).nth(now.hops_made(place) as usize).filter(|_| is_moving) {
            stroke(link, Role::Ink, width, vec![4.0, 3.0]);
        }
    }
    for wait in cycle {
        for link in now.held_channels(wait.message) {
            stroke(link, Role::Trap, width * 1.6, Vec::new());
        }
        stroke(wait.wants, Role::Paper, width * 0.5, vec![3.0, 3.0]);
    }
}

/// Draws the nodes: faulty ones crossed out, the ends of rows that do not take part hatched, and a
/// message that has arrived as a dot in the output of its row.
fn nodes(picture: &ButterflyPicture, routing: &ButterflyRouting, shapes: &mut Vec<Shape>) {
    let (butterfly, radius) = (picture.butterfly, picture.radius());
    let mut lines = LineBatches::default();
    let is_end = |node| [0, butterfly.levels()].contains(&butterfly.level(node));
    for node in picture.nodes() {
        let Some(at) = picture.at(node) else { continue };
        let kind = match routing.faults().contains(node) {
            true => NodeKind::Faulty,
            false if is_end(node) && !routing.is_active(butterfly.row(node)) => NodeKind::Inactive,
            false => NodeKind::Active,
        };
        draw_node(kind, at, radius, &mut lines, shapes);
    }
    lines.finish(shapes);
}

/// Writes the numbers of levels and rows, and the ends of the followed message.
fn names(picture: &ButterflyPicture, shown: &ButterflyView<'_>, shapes: &mut Vec<Shape>) {
    let (butterfly, Size { width, height }) = (picture.butterfly, picture.steps());
    let mut text = |at, anchor, role, text: String| {
        shapes.push(Shape::Text { at, anchor, role, size: 11.0, text });
    };
    if width >= text_width("level 0", 11.0) + 8.0 {
        for level in 0..=butterfly.levels() {
            let at = Point::new(SIDE + width * f64::from(level), ABOVE / 2.0);
            text(at, Anchor::Middle, Role::Soft, format!("level {level}"));
        }
    }
    let followed = match (&shown.route, shown.batch) {
        (_, Some((batch, place))) => place.and_then(|place| batch.routes.get(place as usize)).map(|it| it.1),
        (route, None) => route.map(|followed| followed.route),
    };
    let ends = followed.map(|route| {
        let via = route.via.map(|row| (butterfly.node(row, butterfly.levels()), "via"));
        [Some((butterfly.node(route.from, 0), "from")), via, Some((butterfly.node(route.to, butterfly.levels()), "to"))]
    });
    let gap = picture.radius() + 5.0;
    let is_left = |node| butterfly.level(node) == 0;
    let ends: Vec<_> = ends.into_iter().flatten().flatten().collect();
    for &(node, what) in &ends {
        let Some(at) = picture.at(node) else { continue };
        let anchor = if is_left(node) { Anchor::End } else { Anchor::Start };
        let side = if is_left(node) { -gap } else { gap };
        // The intermediate row may also be that of the destination.
        let what = if what == "to" && ends.contains(&(node, "via")) { "via, to" } else { what };
        if what != "via" || !ends.contains(&(node, "to")) {
            text(Point::new(at.x + side, at.y), anchor, Role::Ink, what.into());
        }
    }
    if height >= NAMED {
        for row in 0..butterfly.rows() {
            let node = butterfly.node(row, 0);
            if let Some(at) = picture.at(node).filter(|_| !ends.iter().any(|&(end, _)| end == node)) {
                text(Point::new(at.x - gap, at.y), Anchor::End, Role::Soft, row.to_string());
            }
        }
    }
}

fn focus(picture: &ButterflyPicture, shown: &ButterflyView<'_>, shapes: &mut Vec<Shape>) {
    let Some((spot, said)) = &shown.focus else { return };
    let Some(at) = picture.at(spot.node()) else { return };
    let radius = picture.radius() + 3.0;
    match spot {
        NetworkElement::Node(_) => {
            shapes.push(Shape::Disc { at, radius, fill: Role::Paper, stroke: Some((Role::Ink, 2.0)) });
        }
        NetworkElement::Link(link) => {
            let (points, width) = (picture.line(*link), line_width(picture) + 1.0);
            shapes.push(Shape::Stroke { points, role: Role::Ink, width, dash: Vec::new(), alpha: 1.0 });
        }
    }
    let anchor = if at.x < picture.size.width / 2.0 { Anchor::Start } else { Anchor::End };
    let at = Point::new(at.x, (at.y - radius - 10.0).max(8.0));
    shapes.push(Shape::Text { at, anchor, role: Role::Ink, size: 12.0, text: said.clone() });
}
