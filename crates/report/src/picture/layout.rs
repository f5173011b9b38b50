//! Positions of the nodes of a hypercube in a picture.

use std::cell::RefCell;
use std::rc::Rc;

use super::geometry::{Point, Size};

use faultlab_core::topology::{Hypercube, NodeId, set_dimensions};
use faultlab_experiment::{Instance, Layout};

/// Largest dimension of a cube that is drawn whole.
pub const MAX_WHOLE_DIMENSION: u8 = 10;

/// Maximum number of nodes drawn of a larger cube.
const MAX_DRAWN_NODES: usize = 4000;

/// Positions of nodes in the unit square, by ascending node address.
#[derive(Clone, Debug, Default)]
pub struct NodePositions {
    places: Vec<(NodeId, Point)>,
    /// Minimum distance between two positions to allow for, as a share of the width.
    pub spacing: f64,
    /// True if every node of the cube has a position.
    pub whole: bool,
    /// Number of steps of a grid, across and down.
    steps: Size,
    /// True if hops that skip positions are bent, so that they do not run through the nodes
    /// between.
    bent: bool,
}

impl NodePositions {
    /// Returns the positions of the nodes that `instance` shows. Up to n = [`MAX_WHOLE_DIMENSION`]
    /// all nodes are shown. In larger cubes, the nodes that the messages visited or examined are
    /// shown in layers.
    pub fn new(instance: &Instance, layout: Layout, aspect: f64) -> Self {
        let (cube, to) = (instance.cell.cube, instance.cell.ends.to);
        Self::of_cube(cube, to, layout, aspect).unwrap_or_else(|| layers(&visible_nodes(instance), to, false, aspect))
    }

    /// Returns the positions of all nodes of `cube`, with layers counted from `to`; `None` above n
    /// = [`MAX_WHOLE_DIMENSION`].
    pub fn of_cube(cube: Hypercube, to: NodeId, layout: Layout, aspect: f64) -> Option<Self> {
        let nodes: Vec<_> =
            (0..=cube.mask()).take_while(|_| cube.dimension() <= MAX_WHOLE_DIMENSION).map(NodeId).collect();
        (!nodes.is_empty()).then(|| match layout {
            Layout::Layers => layers(&nodes, to, true, aspect),
            Layout::Cube => fit(&nodes, projection(cube), aspect),
            Layout::Grid => Self { bent: true, ..fit(&nodes, gray_grid(cube), aspect) },
        })
    }

    /// Returns the position of `node`, if it is drawn.
    pub fn get(&self, node: NodeId) -> Option<Point> {
        self.places.binary_search_by_key(&node, |place| place.0).ok().map(|index| self.places[index].1)
    }

    /// Returns whether a hop between two nodes is drawn bent.
    pub fn bends(&self, from: NodeId, to: NodeId) -> bool {
        let (Some(a), Some(b), true) = (self.get(from), self.get(to), self.bent) else { return false };
        // Distances are compared in steps of the grid, with half a step of tolerance.
        (a.x - b.x).abs() * self.steps.width > 1.5 || (a.y - b.y).abs() * self.steps.height > 1.5
    }

    /// Iterates over all drawn nodes and their positions.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, Point)> {
        self.places.iter().copied()
    }

    /// Returns the nearest node in the direction `(dx, dy)` from `node`, with heights scaled as in
    /// [`NodePositions::nearest`]; `node` itself if there is none.
    pub fn toward(&self, node: NodeId, Point { x: dx, y: dy }: Point, aspect: f64) -> NodeId {
        let Some(here) = self.get(node) else { return node };
        let cost = |place: Point| {
            let Point { x: ax, y } = place - here;
            let ay = y * aspect;
            let along = ax * dx + ay * dy;
            let across = (ax * dy - ay * dx).abs();
            if along > 1e-9 && across <= 2.0 * along { along + 2.0 * across } else { f64::INFINITY }
        };
        let others = self.iter().filter(|other| other.0 != node).map(|(other, place)| (other, cost(place)));
        let best = others.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|best| best.1.is_finite());
        best.map_or(node, |best| best.0)
    }

    /// Returns the node nearest to `(x, y)` within `reach`, all in the unit square; heights are
    /// scaled by `aspect`.
    pub fn nearest(&self, point: Point, reach: f64, aspect: f64) -> Option<NodeId> {
        let distance = |place: Point| {
            let Point { x, y } = place - point;
            x * x + y * y * aspect * aspect
        };
        let near = self.iter().map(|(node, place)| (node, distance(place)));
        near.filter(|&(_, d)| d <= reach * reach).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(node, _)| node)
    }
}

/// Cache of the positions for pictures of one size and layout.
#[derive(Debug, Default)]
pub(crate) struct PositionCache(RefCell<Option<(LayoutKey, Option<Rc<NodePositions>>)>>);

/// Bits of a size, and a layout.
type LayoutKey = (u64, u64, Layout);

impl PositionCache {
    /// Returns the positions for pictures of one size and layout. `find` computes them from the
    /// height over the width.
    pub(crate) fn get_or_compute(
        &self,
        size: Size,
        layout: Layout,
        find: &dyn Fn(f64) -> Option<NodePositions>,
    ) -> Option<Rc<NodePositions>> {
        let key = (size.width.to_bits(), size.height.to_bits(), layout);
        let mut known = self.0.borrow_mut();
        if known.as_ref().is_none_or(|known| known.0 != key) {
            *known = Some((key, find(size.aspect()).map(Rc::new)));
        }
        known.as_ref().and_then(|known| known.1.clone())
    }
}

/// Returns the nodes that the messages visited, and the neighbours that they examined: neighbours
/// in forward directions, or in every direction where a message made a detour.
fn visible_nodes(instance: &Instance) -> Vec<NodeId> {
    let (cube, ends) = (instance.cell.cube, instance.cell.ends);
    let mut nodes = vec![ends.from, ends.to];
    'all: for trace in &instance.traces {
        for hop in &trace.hops {
            let wrong = hop.from.0 ^ ends.to.0;
            let looked_at = if hop.rule.is_detour() { cube.mask() } else { wrong };
            nodes.push(hop.to);
            nodes.extend(set_dimensions(looked_at).map(|dim| cube.neighbor(hop.from, dim)));
            if nodes.len() > MAX_DRAWN_NODES {
                break 'all;
            }
        }
    }
    nodes.sort();
    nodes.dedup();
    nodes
}

/// Returns layers from the left (far from the destination) to the right (the destination), each
/// ordered by the address relative to the destination.
fn layers(nodes: &[NodeId], to: NodeId, whole: bool, aspect: f64) -> NodePositions {
    let layer = |node: &NodeId| (node.0 ^ to.0).count_ones() as usize;
    let farthest = nodes.iter().map(layer).max().unwrap_or(1).max(1);
    let mut columns = vec![Vec::new(); farthest + 1];
    for node in nodes {
        // The key is computed once per node: on targets without a bit-reversal instruction it is
        // long, and sorting would inline it many times.
        columns[layer(node)].push(((node.0 ^ to.0).reverse_bits(), *node));
    }
    let tallest = columns.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let mut places = Vec::with_capacity(nodes.len());
    for (distance, column) in columns.iter_mut().enumerate() {
        column.sort();
        let x = (farthest - distance) as f64 / farthest as f64;
        let step = 1.0 / tallest.max(column.len()) as f64 * if column.len() * 3 < tallest { 2.0 } else { 1.0 };
        let top = 0.5 - step * (column.len() as f64 - 1.0) / 2.0;
        places.extend((0u32..).zip(column).map(|(i, (_, node))| (*node, Point::new(x, top + step * f64::from(i)))));
    }
    places.sort_by_key(|place| place.0);
    NodePositions {
        places,
        spacing: (aspect / tallest as f64).min(1.0 / farthest as f64),
        whole,
        steps: Size::new(1.0, 1.0),
        bent: false,
    }
}

/// Returns the projection of nested cubes: each group of three dimensions is drawn as a small cube
/// whose corners are the next group's cubes. The cubes are slightly rotated, so that no link runs
/// through another node.
fn projection(cube: Hypercube) -> impl Fn(NodeId) -> Point {
    const AXES: [[Point; 3]; 4] = [
        [Point::new(1.0, 0.0), Point::new(0.0, -1.0), Point::new(0.42, -0.36)],
        [Point::new(2.35, 0.22), Point::new(-0.2, -2.35), Point::new(1.0, -0.84)],
        [Point::new(5.6, -0.5), Point::new(0.5, -5.6), Point::new(2.3, -2.0)],
        [Point::new(13.0, 0.0), Point::new(0.0, -13.0), Point::new(5.0, -4.6)],
    ];
    let n = cube.dimension();
    move |node| {
        let place =
            |dim: u8| if dim < n { AXES[usize::from(dim / 3) % 4][usize::from(dim % 3)] } else { Point::ORIGIN };
        set_dimensions(node.0).map(place).fold(Point::ORIGIN, |at, step| at + step)
    }
}

/// Returns a grid in which horizontal and vertical neighbours differ in one bit. Columns follow the
/// Gray code of the low half of the address, rows the Gray code of the high half.
fn gray_grid(cube: Hypercube) -> impl Fn(NodeId) -> Point {
    let low_bits = cube.dimension().div_ceil(2);
    let rank = |code: u64| (0..6).fold(code, |rank, step| rank ^ (rank >> (1 << step))) as f64;
    move |node| Point::new(rank(node.0 & ((1 << low_bits) - 1)), rank(node.0 >> low_bits))
}

/// Moves and scales positions into the unit square.
fn fit(nodes: &[NodeId], place: impl Fn(NodeId) -> Point, aspect: f64) -> NodePositions {
    let raw: Vec<_> = nodes.iter().map(|&node| (node, place(node))).collect();
    let range = |of: fn(&Point) -> f64| {
        let values = raw.iter().map(|(_, place)| of(place));
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        (low, if high > low { high - low } else { 1.0 }, high > low)
    };
    let ((left, width, wide), (top, height, high)) = (range(|place| place.x), range(|place| place.y));
    let unit = |Point { x, y }: Point| {
        Point::new(if wide { (x - left) / width } else { 0.5 }, if high { (y - top) / height } else { 0.5 })
    };
    let spacing = (0.55 / width).min(0.55 * aspect / height);
    let places = raw.into_iter().map(|(node, place)| (node, unit(place))).collect();
    NodePositions { places, spacing, whole: true, steps: Size::new(width, height), bent: false }
}
