//! Picture of the faults of a mesh: faults, nodes added by closure, rings and chains with their
//! positions, nodes cut off.

use super::{ChannelSegment, MeshPicture};
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::Point;
use crate::picture::layers::{Layers, LineBatches};
use crate::picture::scene::{Anchor, Role, Shape};
use faultlab_core::fault::BlockFaults;
use faultlab_core::fault::block::{PlaneFamily, Region, Ring, positions};
use faultlab_core::topology::{Link, NodeId, Port};

/// View options of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultViewOptions<'a> {
    /// Faulty links before closure, ascending.
    pub links: &'a [Link],
    /// Number of rounds of closure shown.
    pub rounds: usize,
    /// True if nodes show their positions on rings.
    pub positions: bool,
}

/// Half the side of a node below which live nodes are not drawn, in pixels.
const COARSE: f64 = 2.5;

/// Returns whether one of some rounds of closure, each ascending, has a node.
fn contains<'a>(mut rounds: impl Iterator<Item = &'a Vec<NodeId>>, node: NodeId) -> bool {
    rounds.any(|round| round.binary_search(&node).is_ok())
}

/// The hatching of a square from -1 to 1.
const HATCH: [[Point; 2]; 3] = [
    [Point::new(-1.0, 0.0), Point::new(0.0, -1.0)],
    [Point::new(-1.0, 1.0), Point::new(1.0, -1.0)],
    [Point::new(0.0, 1.0), Point::new(1.0, 0.0)],
];

/// Painter of the faults of a mesh, below and above the worms.
pub(crate) struct FaultPainter<'a> {
    pub(crate) picture: &'a MeshPicture,
    pub(crate) faults: &'a BlockFaults,
    /// Faults whose rings messages follow: the same, or rectangles around regions of other shapes.
    pub(crate) ringed: &'a BlockFaults,
    pub(crate) shown: FaultViewOptions<'a>,
    /// Element in focus; with more than two dimensions only the rings of its region are drawn.
    pub(crate) focus: Option<NetworkElement>,
}

impl FaultPainter<'_> {
    /// Returns whether closure makes `node` faulty in a later round.
    fn is_yet_to_fail(&self, node: NodeId) -> bool {
        self.faults.is_faulty(node) && contains(self.faults.rounds().iter().skip(self.shown.rounds), node)
    }

    /// Returns whether closure has made `node` faulty.
    fn is_made_faulty(&self, node: NodeId) -> bool {
        self.faults.is_faulty(node) && contains(self.faults.rounds().iter().take(self.shown.rounds), node)
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.shown.rounds >= self.faults.rounds().len()
    }

    /// Iterates over the regions of a plane whose rings can be visible.
    pub(crate) fn visible_regions(&self) -> impl Iterator<Item = &Region> {
        let mesh = self.picture.mesh;
        let visible = [0, 1].map(|dim| self.picture.visible_range(dim));
        let sees = move |dim: u8, low: i32, high: i32| {
            let visible = &visible[usize::from(dim)];
            // A ring across the border of a torus continues at the opposite border.
            let wraps = mesh.wraps(dim) && (low < 0 || high >= i32::from(mesh.radix(dim)));
            wraps || low < i32::from(visible.end) && high >= i32::from(visible.start)
        };
        self.ringed.regions().iter().filter(move |region| {
            let Ring { top, left, bottom, right } = region.ring(PlaneFamily::FLAT);
            sees(0, left, right) && sees(1, top, bottom)
        })
    }

    /// Draws the layer below the messages: rings, channels, faulty links. `lanes` selects wide
    /// channels.
    pub(crate) fn draw_below(&self, lanes: bool, shapes: &mut Layers) {
        if self.is_complete() && self.picture.is_plane() {
            self.rings(shapes);
        } else if self.is_complete() {
            self.rings_in_focus(shapes);
        }
        let mut lines = LineBatches::default();
        let (mut cut, mut coarse) = (Vec::new(), Vec::new());
        for link in self.picture.visible_links() {
            let Some(end) = self.picture.mesh.link_end(link) else { continue };
            let port = Port::along(link.dim, true);
            let channels = [(link.from, port), (end, port.opposite())];
            let live = [link.from, end].map(|node| !self.faults.is_faulty(node) || self.is_yet_to_fail(node));
            // Links that break later are still open.
            let is_open = channels.iter().all(|&(node, port)| self.faults.is_open(node, port));
            let given = self.shown.links.binary_search(&link).is_ok() && !is_open;
            if live == [true; 2] && !given && self.is_coarse() && !lanes && self.is_inner(link) {
                coarse.push(link);
            } else if live == [true; 2] && !given {
                for run in channels.into_iter().flat_map(|(node, port)| self.picture.segments(node, port)) {
                    // A wide channel is a background for its virtual channels, a narrow one a line.
                    let (width, alpha) = if lanes { (self.picture.band() - 1.0, 0.3) } else { (1.0, 0.9) };
                    let line = run.line(self.picture.middle(), width);
                    lines.add_at(run.depth, Role::Link, if lanes { width * run.scale } else { width }, alpha, &line);
                }
            } else if live == [true; 2] {
                cut.push(link);
            } else if live != [false; 2] {
                self.dead_end(link, shapes);
            } else if !self.picture.is_plane() {
                // A wide line shows that the faulty nodes belong to one region.
                self.segments(link).for_each(|run| {
                    lines.add_at(run.depth, Role::Fault, self.picture.half() * run.scale, 0.3, &[run.from, run.to]);
                });
            }
        }
        self.coarse_channels(coarse, &mut lines);
        lines.finish_in(shapes);
        cut.iter().for_each(|&link| self.cut(link, shapes));
    }

    /// Returns whether nodes are so small that only the special ones are drawn, and the channels of
    /// successive links are one line.
    fn is_coarse(&self) -> bool {
        self.picture.is_plane() && self.picture.half() < COARSE
    }

    /// Returns whether a link leads to the next node of the grid, not around it.
    fn is_inner(&self, link: Link) -> bool {
        let mesh = self.picture.mesh;
        mesh.link_end(link) == Some(NodeId(link.from.0 + u64::from(mesh.stride(link.dim))))
    }

    /// Draws the channels of inner links; those of successive links of a row or a column are one line
    /// in each direction.
    fn coarse_channels(&self, mut links: Vec<Link>, lines: &mut LineBatches) {
        let mesh = self.picture.mesh;
        // Successive links of a column follow each other in this order too.
        links.sort_by_key(|link| {
            let (row, column) = mesh.row_and_column(link.from);
            if link.dim == 0 { (0, row, column) } else { (1, column, row) }
        });
        let follows = |a: &Link, b: &Link| a.dim == b.dim && mesh.link_end(*a) == Some(b.from);
        for run in links.chunk_by(follows) {
            let ends = run.first().zip(run.last().and_then(|last| mesh.link_end(*last)));
            let Some((from, to)) = ends.map(|(first, to)| (self.picture.at(first.from), self.picture.at(to))) else {
                continue;
            };
            let half = self.picture.half();
            for (from, to) in [(from, to), (to, from)] {
                let whole = ChannelSegment::whole(from, to, half);
                lines.add(Role::Link, 1.0, 0.9, &whole.line(self.picture.middle(), 1.0));
            }
        }
    }

    fn segments(&self, link: Link) -> impl Iterator<Item = ChannelSegment> {
        self.picture.segments(link.from, Port::along(link.dim, true))
    }

    /// Draws a link that is unusable because one of its nodes is faulty.
    fn dead_end(&self, link: Link, shapes: &mut Layers) {
        for run in self.segments(link) {
            let (points, dash) = (run.line(0.0, 0.0).to_vec(), vec![1.5, 3.5]);
            shapes.push_at(run.depth, Shape::Stroke { points, role: Role::Fault, width: 1.2, dash, alpha: 0.55 });
        }
    }

    /// Draws a faulty link: interrupted, with a cross in the gap.
    fn cut(&self, link: Link, shapes: &mut Layers) {
        for run in self.segments(link) {
            let [a, b] = run.line(0.0, 0.0);
            let (dash, points) = (vec![3.0, 2.5], vec![a, b]);
            shapes.push_at(run.depth, Shape::Stroke { points, role: Role::Fault, width: 1.6, dash, alpha: 1.0 });
            let radius = (self.picture.half() * 0.62 * run.scale).clamp(1.8, 8.0);
            shapes.push_at(run.depth, Shape::Cross { at: a.middle(b), radius, role: Role::Fault });
        }
    }

    /// Draws the rings of the regions in focus, or around the element in focus, in every plane,
    /// link by link.
    fn rings_in_focus(&self, shapes: &mut Layers) {
        let mesh = self.picture.mesh;
        let ends = |link: Link| [Some(link.from), mesh.link_end(link)];
        let meant = |region: &&Region| match self.focus {
            None => false,
            Some(NetworkElement::Link(link)) if region.links.contains(&link) => true,
            Some(NetworkElement::Node(node)) if region.nodes.contains(&node) => true,
            Some(NetworkElement::Link(link)) => self.ringed.ring_links(region).contains(&link),
            Some(NetworkElement::Node(node)) => {
                self.ringed.ring_links(region).into_iter().flat_map(ends).any(|end| end == Some(node))
            }
        };
        let mut bands = LineBatches::default();
        for link in self.ringed.regions().iter().filter(meant).flat_map(|region| self.ringed.ring_links(region)) {
            for run in self.segments(link) {
                let width = (self.picture.half() * 1.6 * run.scale).max(2.0);
                bands.add_at(run.depth, Role::Trap, width, 0.3, &[run.from, run.to]);
            }
        }
        bands.finish_in(shapes);
    }

    /// Draws bands along rings, dashed along chains; shared links of overlapping rings lie between
    /// bars.
    fn rings(&self, shapes: &mut Layers) {
        let step = self.picture.step();
        let mut band = |points: Vec<Point>, dash: Vec<f64>| {
            shapes.push(Shape::Stroke { points, role: Role::Trap, width: step * 0.62, dash, alpha: 0.15 });
        };
        for region in self.visible_regions() {
            if self.ringed.is_chain(region) {
                // Chains are drawn link by link: one that leaves the mesh twice has two pieces.
                for link in self.ringed.ring_links(region) {
                    let ends = [Some(link.from), self.picture.mesh.link_end(link)];
                    let points = ends.into_iter().flatten().map(|node| self.picture.at(node)).collect();
                    band(points, vec![step * 0.15, step * 0.1]);
                }
            } else {
                let nodes = self.ringed.ring_nodes(region, PlaneFamily::FLAT, NodeId(0));
                let mut points: Vec<_> = nodes.into_iter().map(|node| self.picture.at(node)).collect();
                // A ring that would meet itself around the torus has no nodes.
                if points.len() > 2 {
                    // The line continues past its start, so that the first corner looks like the
                    // others.
                    points.extend_from_within(..2);
                    band(points, Vec::new());
                }
            }
        }
        let mut bars = LineBatches::default();
        for link in self.ringed.links_shared_by(self.visible_regions()) {
            let Some(Point { x, y }) = self.segments(link).next().map(|run| run.from.middle(run.to)) else { continue };
            let (far, wide) = (step * 0.16, step * 0.27);
            for side in [-1.0, 1.0] {
                let (along, across) = (side * far, wide);
                let bar = if link.dim == 0 {
                    [Point::new(x + along, y - across), Point::new(x + along, y + across)]
                } else {
                    [Point::new(x - across, y + along), Point::new(x + across, y + along)]
                };
                bars.add(Role::Trap, (step * 0.04).clamp(1.0, 2.0), 0.85, &bar);
            }
        }
        bars.finish_in(shapes);
    }

    /// Draws the layer above the messages: nodes, crossed out, hatched, greyed or with their
    /// positions.
    pub(crate) fn draw_above(&self, shapes: &mut Layers) {
        let mut lines = LineBatches::default();
        let width = if self.picture.half() < 4.0 { 0.8 } else { 1.4 };
        for node in self.picture.visible_nodes() {
            let (middle, half, depth) = (self.picture.at(node), self.picture.half_of(node), self.picture.depth(node));
            if self.picture.is_solid() {
                // A node hides the elements behind it.
                shapes.push_at(depth, Shape::Disc { at: middle, radius: half, fill: Role::Paper, stroke: None });
            }
            let at = |corner: Point| middle + corner * half;
            let outline: Vec<_> = if self.picture.is_solid() {
                let turned = |step| libm::sincos(f64::from(step) * std::f64::consts::FRAC_PI_6);
                (0..=12).map(turned).map(|(sin, cos)| at(Point::new(sin, cos))).collect()
            } else {
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)]
                    .map(|(x, y)| at(Point::new(x, y)))
                    .to_vec()
            };
            if self.is_made_faulty(node) {
                lines.add_at(depth, Role::Fault, width, 1.0, &outline);
                HATCH.iter().for_each(|hatch| lines.add_at(depth, Role::Fault, width, 1.0, &hatch.map(at)));
            } else if self.is_yet_to_fail(node) {
                lines.add_at(depth, Role::Detour, width, 1.0, &outline);
            } else if self.faults.is_faulty(node) {
                shapes.push_at(depth, Shape::Cross { at: middle, radius: half, role: Role::Fault });
            } else if self.faults.is_member(node) && self.is_coarse() {
                // The lines of the channels show where the node is.
            } else if self.faults.is_member(node) {
                lines.add_at(depth, Role::Idle, width, 1.0, &outline);
            } else {
                lines.add_at(depth, Role::Idle, width, 0.35, &outline);
                lines.add_at(depth, Role::Idle, width, 0.35, &HATCH[1].map(at));
            }
        }
        lines.finish_in(shapes);
        if self.shown.positions && self.is_complete() && self.picture.is_plane() && self.picture.half() >= 6.0 {
            self.labels(shapes);
        }
    }

    fn labels(&self, shapes: &mut Layers) {
        let ring_nodes = |region| self.ringed.ring_nodes(region, PlaneFamily::FLAT, NodeId(0));
        let mut nodes: Vec<_> = self.visible_regions().flat_map(ring_nodes).collect();
        nodes.sort();
        nodes.dedup();
        for node in nodes.into_iter().filter(|&node| !self.ringed.is_faulty(node)) {
            let at = self.picture.at(node);
            let labels: Vec<_> = positions(self.ringed, node).into_iter().map(|position| position.label()).collect();
            let text = labels.join(" ");
            let size = (self.picture.half() * 3.0 / text.len().max(1) as f64).min(self.picture.half()).min(12.0);
            if !text.is_empty() {
                shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size: size.max(6.0), text });
            }
        }
    }
}
