//! Picture of a mesh with its worms: held virtual channels, flits, and the path and next choices of
//! one message.

use super::density;
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, Size};
use crate::picture::labels::LabelPlacer;
use crate::picture::layers::{Layers, LineBatches};
use crate::picture::mesh::faults::{FaultPainter, FaultViewOptions};
use crate::picture::mesh::{ChannelSegment, MeshPicture};
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::{VcRequest, WormStatus};
use faultlab_core::switching::{WormDeadlock, WormMessageView, WormState, WormholeNetwork};
use faultlab_core::topology::{Link, NodeId, Port};
use faultlab_experiment::{MessageHistory, WatchedHop};

/// Opacities of worms, which make worms in neighbouring virtual channels look different.
const ALPHAS: [f64; 3] = [1.0, 0.55, 0.78];

/// Minimum distance between neighbours at which hops are numbered, in pixels.
const NUMBERED: f64 = 42.0;

/// Minimum distance between neighbours at which the ends of a journey are named, in pixels.
const NAMED: f64 = 30.0;

/// Number of widths and shades in which a heat map shows the use of channels.
const HEAT_STEPS: f64 = 8.0;

/// Height of the strip below a heat map that has its colour bar, in pixels.
pub(crate) const HEAT_BAR: f64 = 24.0;
/// Width of one shade of the colour bar, and maximum height of a shade, in pixels.
const HEAT_SHADE: (f64, f64) = (16.0, 10.0);

/// Returns the opacity of a channel of a heat map at one of the levels, up to 1.
fn heat_alpha(level: f64) -> f64 {
    0.3 + 0.7 * level
}

/// Draws the colour bar of a heat map into the lower [`HEAT_BAR`] pixels of a picture of this size:
/// the widths and shades from 0 to 100% of the cycles.
pub(crate) fn heat_bar(series: u8, size: Size) -> Vec<Shape> {
    let (top, middle) = (size.height - HEAT_BAR, size.height - HEAT_BAR / 2.0);
    let area = |[left, right]: [f64; 2], [top, bottom]: [f64; 2], role, alpha| {
        let points = [(left, top), (right, top), (right, bottom), (left, bottom)];
        Shape::Area { points: points.map(|(x, y)| Point::new(x, y)).to_vec(), role, alpha }
    };
    let label = |x: f64, anchor, text: &str| Shape::Label {
        at: Point::new(x, middle),
        anchor,
        role: Role::Soft,
        size: 12.0,
        turn: 0.0,
        text: text.into(),
    };
    let (left, width) = (44.0, HEAT_STEPS * HEAT_SHADE.0);
    // A magnified network reaches into the strip.
    let mut shapes = vec![area([0.0, size.width], [top, size.height], Role::Paper, 1.0)];
    shapes.push(label(left - 5.0, Anchor::End, "0%"));
    for step in 0..HEAT_STEPS as u32 {
        let level = f64::from(step + 1) / HEAT_STEPS;
        let (x, half) = (left + f64::from(step) * HEAT_SHADE.0, HEAT_SHADE.1 * level / 2.0);
        shapes.push(area(
            [x, x + HEAT_SHADE.0],
            [middle - half, middle + half],
            Role::Series(series),
            heat_alpha(level),
        ));
    }
    let text = if size.width > left + width + 190.0 { "100% of the cycles in use" } else { "100%" };
    shapes.push(label(left + width + 5.0, Anchor::Start, text));
    shapes
}

/// Emphasis in the picture of a network.
#[derive(Clone, Copy, Debug)]
pub struct MeshViewOptions<'a> {
    /// Number of the series, which selects its colour.
    pub series: u8,
    /// View options of the faults.
    pub faults: FaultViewOptions<'a>,
    /// True if the share of the cycles in which a flit crossed each channel is shown instead of worms.
    pub heat: bool,
    /// Journey of the followed message.
    pub journey: Option<&'a MessageHistory>,
    /// True if everything except the followed message is faded.
    pub alone: bool,
    /// Element in focus, and its name.
    pub focus: Option<(NetworkElement, &'a str)>,
}

/// Draws the current state of a network.
pub fn draw(worms: &WormholeNetwork, picture: &MeshPicture, shown: MeshViewOptions<'_>) -> Scene {
    if picture.is_too_large() {
        return picture.not_drawn_scene();
    }
    let count = worms.config().virtual_channels;
    let lanes = picture.vc_width(count);
    let painter = WormPainter { worms, picture, shown, count };
    let focus = shown.focus.map(|(spot, _)| spot);
    let ringed = worms.config().routing.routed_faults(worms.faults());
    let faults = FaultPainter { picture, faults: worms.faults(), ringed, shown: shown.faults, focus };
    let mut shapes = Layers::default();
    let is_dense = !picture.is_drawn();
    if is_dense {
        density::draw(worms, &faults, &shown, &mut shapes);
    } else {
        faults.draw_below(lanes.is_some() && !shown.heat, &mut shapes);
        match lanes {
            _ if shown.heat => painter.heat(&mut shapes),
            Some(lane) => painter.lanes(lane, &mut shapes),
            None => painter.draw_vc_shares(&mut shapes),
        }
    }
    if let Some(deadlock) = worms.outcome() {
        painter.deadlock(deadlock, &mut shapes);
    }
    if !is_dense {
        faults.draw_above(&mut shapes);
        painter.waiting_at_sources(&mut shapes);
    }
    // A deadlock takes precedence, unless the user has chosen a message.
    match (worms.outcome().filter(|_| !shown.alone), shown.journey) {
        (Some(deadlock), _) => painter.waiting_numbers(deadlock, &mut shapes),
        (None, Some(journey)) => painter.journey(journey, &mut shapes),
        (None, None) => {}
    }
    picture.numbers(&mut shapes);
    if let Some((spot, text)) = shown.focus {
        picture.focus(spot, text.to_owned(), &mut shapes);
    }
    Scene { size: picture.size, shapes: shapes.into_shapes() }
}

/// Draws a mesh with its faults, without messages.
pub fn draw_faults(faults: &BlockFaults, picture: &MeshPicture, shown: FaultViewOptions<'_>) -> Scene {
    let painter = FaultPainter { picture, faults, ringed: faults, shown, focus: None };
    let mut shapes = Layers::default();
    if picture.is_drawn() {
        painter.draw_below(false, &mut shapes);
        painter.draw_above(&mut shapes);
    } else {
        density::draw_faults(&painter, &mut shapes);
    }
    picture.numbers(&mut shapes);
    Scene { size: picture.size, shapes: shapes.into_shapes() }
}

struct WormPainter<'a> {
    worms: &'a WormholeNetwork,
    picture: &'a MeshPicture,
    shown: MeshViewOptions<'a>,
    /// Number of virtual channels of a channel.
    count: u8,
}

impl WormPainter<'_> {
    fn role(&self, message: &WormMessageView<'_>) -> Role {
        if message.header().status == WormStatus::Normal { Role::Series(self.shown.series) } else { Role::Detour }
    }

    /// Returns whether worms are faded because a message or a deadlock is emphasised.
    fn stands_back(&self) -> bool {
        self.shown.alone || self.worms.outcome().is_some()
    }

    /// Returns the opacity of a message.
    fn alpha(&self, message: &WormMessageView<'_>) -> f64 {
        if self.shown.journey.is_some_and(|journey| journey.number == message.number()) {
            return 1.0;
        }
        let alone = if self.stands_back() { 0.35 } else { 1.0 };
        alone * ALPHAS[(message.number() % ALPHAS.len() as u64) as usize]
    }

    fn segments(&self, channel: u32) -> impl Iterator<Item = ChannelSegment> {
        let (node, port) = self.picture.mesh.channel_ends(channel);
        self.picture.segments(node, port)
    }

    /// Returns the channels that can be visible.
    fn visible_channels(&self) -> Vec<u32> {
        let mesh = self.picture.mesh;
        let of = |link: Link| {
            let (up, end) = (Port::along(link.dim, true), mesh.link_end(link));
            let ends = [Some((link.from, up)), end.map(|end| (end, up.opposite()))];
            ends.into_iter().flatten().map(move |(node, port)| mesh.channel(node, port))
        };
        self.picture.visible_links().into_iter().flat_map(of).collect()
    }

    /// Draws every held virtual channel as a thin line, the flits in its buffer at its end, and the
    /// mark of the header.
    fn lanes(&self, lane: f64, shapes: &mut Layers) {
        let (mut held, mut flits, mut heads) = <(LineBatches, LineBatches, LineBatches)>::default();
        for channel in self.visible_channels() {
            for (hold, message) in self.worms.holds_of(channel) {
                let (role, alpha) = (self.role(&message), self.alpha(&message));
                let aside = self.picture.aside(hold.virtual_channel, self.count);
                let mut last = None;
                for run in self.segments(channel) {
                    let width = (lane * 0.3 * run.scale).max(0.7);
                    held.add_at(run.depth, role, width, alpha * 0.6, &run.line(aside, 1.0));
                    last = Some(run);
                }
                let Some(run) = last else { continue };
                for place in 0..hold.flits {
                    let slot = self.flit_position(run.line(aside, 1.0), place);
                    flits.add_at(run.depth, role, (lane * 0.85 * run.scale).max(1.4), alpha, &slot);
                }
                if message.is_foremost(hold) {
                    self.head(&message, &run, aside, lane * run.scale, &mut heads);
                }
            }
        }
        for batches in [held, flits, heads] {
            batches.finish_in(shapes);
        }
    }

    /// Returns the position of a flit in a buffer, counted from its front, on the second half of a
    /// channel's line.
    fn flit_position(&self, [start, end]: [Point; 2], place: u16) -> [Point; 2] {
        let room = 0.55 / f64::from(self.worms.config().buffer.max(1));
        let at = |share: f64| end + (start - end) * share;
        let first = room * f64::from(place);
        [at(first + room * 0.12), at(first + room * 0.7)]
    }

    /// Adds the mark of a header: an arrow, or a square for a message that goes around faults.
    fn head(
        &self,
        message: &WormMessageView<'_>,
        run: &ChannelSegment,
        aside: f64,
        lane: f64,
        heads: &mut LineBatches,
    ) {
        let ((direction, _), [_, tip]) = (run.along(), run.line(aside, 1.0));
        let reach = (lane * 0.7).clamp(1.8, 4.5);
        let at = |along: f64, across: f64| tip + (direction * along + direction.turned_right() * across) * reach;
        let (role, alpha, width) = (self.role(message), self.alpha(message), (lane * 0.35).clamp(1.0, 2.0));
        if message.header().status == WormStatus::Normal {
            heads.add_at(run.depth, role, width, alpha, &[at(-1.0, 1.0), at(0.6, 0.0), at(-1.0, -1.0)]);
        } else {
            heads.add_at(
                run.depth,
                role,
                width,
                alpha,
                &[at(-1.0, 1.0), at(1.0, 1.0), at(1.0, -1.0), at(-1.0, -1.0), at(-1.0, 1.0)],
            );
        }
    }

    /// Draws the share of held virtual channels where they are too narrow to be separate; the share
    /// held by messages that go around faults lies beside the rest.
    fn draw_vc_shares(&self, shapes: &mut Layers) {
        let (start, band) = (self.picture.aside(0, u8::MAX), self.picture.band());
        let mut lines = LineBatches::default();
        let alpha = if self.stands_back() { 0.4 } else { 1.0 };
        for channel in self.visible_channels() {
            let mut counts = [0u8; 2];
            for (_, message) in self.worms.holds_of(channel) {
                counts[usize::from(message.header().status != WormStatus::Normal)] += 1;
            }
            let mut aside = start;
            for (count, role) in counts.into_iter().zip([Role::Series(self.shown.series), Role::Detour]) {
                let width = band * f64::from(count) / f64::from(self.count.max(1));
                if count > 0 {
                    for run in self.segments(channel) {
                        let line = run.line(aside + width / 2.0, width);
                        lines.add_at(run.depth, role, (width * run.scale).max(0.8), alpha, &line);
                    }
                    aside += width.max(0.8);
                }
            }
        }
        lines.finish_in(shapes);
    }

    /// Draws the use of every channel as its width and colour, in eight steps.
    fn heat(&self, shapes: &mut Layers) {
        let (mut lines, band) = (LineBatches::default(), self.picture.band());
        let cycles = self.worms.cycle().max(1) as f64;
        for channel in self.visible_channels() {
            let share = self.worms.carried_by(channel) as f64 / cycles;
            let level = (share.clamp(0.0, 1.0) * HEAT_STEPS).ceil() / HEAT_STEPS;
            if level > 0.0 {
                let (role, width) = (Role::Series(self.shown.series), (band * level).max(0.8));
                for run in self.segments(channel) {
                    let line = run.line(self.picture.middle(), width);
                    lines.add_at(run.depth, role, width * run.scale, heat_alpha(level), &line);
                }
            }
        }
        lines.finish_in(shapes);
    }

    /// Draws a short bar on a node for every message that has not left the node.
    fn waiting_at_sources(&self, shapes: &mut Layers) {
        let half = self.picture.half();
        if half < 3.0 || self.shown.heat || self.shown.faults.positions && half >= 6.0 {
            return;
        }
        let mut bars = LineBatches::default();
        for node in self.picture.visible_nodes() {
            let (middle, half, depth) = (self.picture.at(node), self.picture.half_of(node), self.picture.depth(node));
            for number in 0..self.worms.leaving(node).min(3) {
                let far = middle.y + half * (0.5 - 0.5 * f64::from(number));
                let line = [Point::new(middle.x - half * 0.5, far), Point::new(middle.x + half * 0.5, far)];
                bars.add_at(depth, Role::Series(self.shown.series), (half * 0.22).max(1.0), 0.8, &line);
            }
        }
        bars.finish_in(shapes);
    }

    /// Returns the messages of a cyclic wait.
    fn waiting(&self, deadlock: &WormDeadlock) -> Vec<WormMessageView<'_>> {
        let mut numbers: Vec<_> = deadlock.cycle.iter().map(|wait| wait.number).collect();
        numbers.sort_unstable();
        self.worms.messages().filter(|message| numbers.binary_search(&message.number()).is_ok()).collect()
    }

    /// Draws the cyclic wait of messages: the virtual channels that each message holds, solid, and
    /// the virtual channels it waits for, dashed.
    fn deadlock(&self, deadlock: &WormDeadlock, shapes: &mut Layers) {
        let width = (self.picture.band() * 0.34).clamp(1.6, 5.0);
        let lines = |channel, lane| self.segments(channel).map(move |run| run.line(self.aside(lane), width).to_vec());
        for hold in self.waiting(deadlock).iter().flat_map(WormMessageView::holds) {
            for points in lines(hold.channel, hold.virtual_channel) {
                shapes.push(Shape::Stroke { points, role: Role::Trap, width, dash: Vec::new(), alpha: 1.0 });
            }
        }
        // Requested channels are held too, so they are drawn above the held channels.
        for (lane, _) in deadlock.cycle.iter().flat_map(|wait| &wait.wants) {
            for points in lines(lane.channel, lane.virtual_channel) {
                let dash = vec![width * 1.5, width * 1.5];
                shapes.push(Shape::Stroke { points, role: Role::Paper, width: width * 0.55, dash, alpha: 1.0 });
            }
        }
    }

    /// Writes the numbers of the messages in the cyclic wait, at their nodes.
    fn waiting_numbers(&self, deadlock: &WormDeadlock, shapes: &mut Layers) {
        for message in self.waiting(deadlock) {
            let (at, text) = (self.picture.at(message.header_node()), message.number().to_string());
            let radius = (self.picture.half() * 0.95).max(5.0 + 2.6 * text.len() as f64);
            shapes.push(Shape::Disc { at, radius, fill: Role::Paper, stroke: Some((Role::Trap, 2.0)) });
            shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size: 11.0, text });
        }
    }

    /// Returns the offset of a virtual channel: in the middle of its channel where virtual channels
    /// are too narrow.
    fn aside(&self, lane: u8) -> f64 {
        match self.picture.vc_width(self.count) {
            Some(_) => self.picture.aside(lane, self.count),
            None => self.picture.middle(),
        }
    }

    /// Draws the path of the followed message, numbered, its next choices, dashed, and its ends.
    fn journey(&self, journey: &MessageHistory, shapes: &mut Layers) {
        let step = self.picture.step();
        let width = (step * 0.06).clamp(2.2, 4.5);
        let lines = |hop: &WatchedHop| {
            let runs = self.picture.segments(hop.from, hop.choice.port);
            runs.map(move |run| run.line(self.picture.middle(), width)).collect::<Vec<_>>()
        };
        // Draws one line with a margin, which separates the path from the lines that it crosses,
        // then the hops as broader lines.
        for points in self.path_lines(journey, width) {
            for (role, width) in [(Role::Paper, width + 3.0), (Role::Ink, width * 0.5)] {
                shapes.push(Shape::Stroke { points: points.clone(), role, width, dash: Vec::new(), alpha: 1.0 });
            }
        }
        for hop in &journey.hops {
            let role = if hop.choice.rule.is_detour() { Role::Detour } else { Role::Ink };
            for points in lines(hop) {
                shapes.push(Shape::Stroke { points: points.to_vec(), role, width, dash: Vec::new(), alpha: 1.0 });
            }
        }
        if let Some((here, WormState::Waiting(choices))) =
            self.worms.message(journey.number).map(|message| (message.header_node(), message.state()))
        {
            choices.iter().for_each(|choice| self.next(here, choice, width, shapes));
        }
        let mut placer = LabelPlacer::new(self.picture.window());
        for node in self.picture.visible_nodes() {
            placer.take(self.picture.at(node), self.picture.half_of(node) * 0.9);
        }
        if step >= NUMBERED {
            self.hop_numbers(journey, &mut placer, shapes);
        }
        for (node, what, role) in [(journey.from, "from", Role::Ink), (journey.to, "to", Role::Done)] {
            let (middle, half) = (self.picture.at(node), self.picture.half_of(node));
            let radius = half + 1.5;
            let points = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
            let points = points.map(|(x, y)| middle + Point::new(x, y) * radius).to_vec();
            shapes.push(Shape::Stroke { points, role, width: 2.5, dash: Vec::new(), alpha: 1.0 });
            let positions = if step >= NAMED { self.name_positions(journey, node) } else { Vec::new() };
            if let Some((at, anchor)) = placer.place(&positions, 12.0, what) {
                shapes.push(Shape::Text { at, anchor, role: Role::Ink, size: 12.0, text: what.to_owned() });
            }
        }
    }

    /// Returns the positions for the name of an end of the journey, the best first: below the node,
    /// above it or beside it. Positions that cover a hop of the journey or the line to a faulty
    /// neighbour come last, those that cover the number of a row or a column before them.
    fn name_positions(&self, journey: &MessageHistory, node: NodeId) -> Vec<(Point, Anchor)> {
        let mesh = self.picture.mesh;
        let (middle, half) = (self.picture.at(node), self.picture.half_of(node));
        let sides = [
            (Port::SOUTH, Point::new(0.0, half + 9.0), Anchor::Middle),
            (Port::NORTH, Point::new(0.0, -half - 9.0), Anchor::Middle),
            (Port::EAST, Point::new(half + 5.0, 0.0), Anchor::Start),
            (Port::WEST, Point::new(-half - 5.0, 0.0), Anchor::End),
        ];
        let covers_line = |port: Port| {
            let next = mesh.neighbor(node, port);
            let is_faulty = next.is_some_and(|next| self.worms.faults().is_faulty(next));
            let is_hop = |hop: &WatchedHop| {
                hop.from == node && hop.choice.port == port
                    || Some(hop.from) == next && hop.choice.port == port.opposite()
            };
            is_faulty || self.picture.is_plane() && journey.hops.iter().any(is_hop)
        };
        let mut ranked = sides.map(|(port, by, anchor)| {
            let at = middle + by;
            let rank = if covers_line(port) { 2 } else { u8::from(self.picture.may_cover_number(at)) };
            (rank, (at, anchor))
        });
        ranked.sort_by_key(|side| side.0);
        ranked.map(|side| side.1).to_vec()
    }

    /// Draws a channel that the message may take next.
    fn next(&self, here: NodeId, choice: &VcRequest, width: f64, shapes: &mut Layers) {
        let role = if choice.rule.is_detour() { Role::Detour } else { Role::Ink };
        for run in self.picture.segments(here, choice.port) {
            let (points, dash) = (run.line(self.picture.middle(), width).to_vec(), vec![width * 1.5, width * 1.3]);
            shapes.push(Shape::Stroke { points, role, width, dash, alpha: 1.0 });
        }
    }

    /// Returns the lines of a journey, interrupted where a link continues elsewhere.
    fn path_lines(&self, journey: &MessageHistory, width: f64) -> Vec<Vec<Point>> {
        let mut strands = vec![Vec::new()];
        for hop in &journey.hops {
            for (place, run) in self.picture.segments(hop.from, hop.choice.port).enumerate() {
                if place > 0 {
                    strands.push(Vec::new());
                }
                if let Some(strand) = strands.last_mut() {
                    strand.extend(run.line(self.picture.middle(), width));
                }
            }
        }
        strands
    }

    /// Draws the numbers of the hops that cover neither nodes nor each other.
    fn hop_numbers(&self, journey: &MessageHistory, placer: &mut LabelPlacer, shapes: &mut Layers) {
        const RADIUS: f64 = 7.0;
        for (number, hop) in (1..).zip(&journey.hops) {
            let Some(run) = self.picture.last_segment(hop.from, hop.choice.port) else { continue };
            let [a, b] = run.line(self.picture.middle(), 0.0);
            let positions = [0.5, 0.35, 0.65].map(|share| a + (b - a) * share);
            let Some(at) = placer.place_disc(&positions, RADIUS) else { continue };
            let role = if hop.choice.rule.is_detour() { Role::Detour } else { Role::Ink };
            shapes.push(Shape::Disc { at, radius: RADIUS, fill: Role::Paper, stroke: Some((role, 1.5)) });
            let text = u32::to_string(&number);
            shapes.push(Shape::Text { at, anchor: Anchor::Middle, role: Role::Ink, size: 9.5, text });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::geometry::Size;
    use faultlab_experiment::WormWatch;

    fn mesh_shown<'a>(links: &'a [Link], journey: Option<&'a MessageHistory>, heat: bool) -> MeshViewOptions<'a> {
        let faults = FaultViewOptions { links, rounds: usize::MAX, positions: true };
        MeshViewOptions { series: 0, faults, heat, journey, alone: false, focus: None }
    }

    fn lines(scene: &Scene, role: Role) -> usize {
        let count = |shape: &Shape| match shape {
            Shape::Mesh { lines, role: found, .. } if *found == role => lines.len(),
            _ => 0,
        };
        scene.shapes.iter().map(count).sum()
    }

    #[test]
    fn worms_shares_heat_and_one_journey_are_drawn() {
        let text = "net=mesh:6x6&faults=none&break=1.2,2.3,3.4-4.4&route=f-cube4&switch=wormhole";
        let mut watch = WormWatch::new(&text.parse().unwrap()).unwrap();
        while watch.work(1 << 20) {}
        watch.seek(400);
        while !watch.is_at_target() {
            watch.work(1 << 12);
        }
        let (mesh, network, links) = (watch.faults.mesh(), &watch.networks()[0], watch.sampled_faults.links.as_slice());
        let held: usize = network.worms().messages().map(|message| message.holds().len()).sum();
        let large = MeshPicture::whole(mesh, Size::new(800.0, 800.0));
        let scene = draw(network.worms(), &large, mesh_shown(links, None, false));
        // One line for every held virtual channel, and one for every flit in it.
        assert!(lines(&scene, Role::Series(0)) + lines(&scene, Role::Detour) > held);
        assert!(lines(&scene, Role::Fault) > 4 && lines(&scene, Role::Idle) > 20);
        let crosses = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Cross { .. }));
        assert_eq!(crosses.count(), 3);

        let small = MeshPicture::whole(mesh, Size::new(200.0, 200.0));
        let shares = draw(network.worms(), &small, mesh_shown(links, None, false));
        let drawn = lines(&shares, Role::Series(0)) + lines(&shares, Role::Detour);
        assert!(drawn > 20 && drawn <= 2 * mesh.channel_table_size() as usize);

        // Nodes two pixels apart are drawn as a density.
        let tiny = MeshPicture::whole(mesh, Size::new(34.0, 34.0));
        let density = draw(network.worms(), &tiny, mesh_shown(links, None, false));
        let has =
            |wanted| density.shapes.iter().any(|shape| matches!(shape, Shape::Cells { role, .. } if *role == wanted));
        assert!(!tiny.is_drawn() && has(Role::Series(0)) && has(Role::Fault));

        let uses = network.channel_utilization();
        let heat = draw(network.worms(), &large, mesh_shown(links, None, true));
        let used = uses.iter().filter(|&&share| share > 0.0).count();
        assert_eq!((lines(&heat, Role::Series(0)), lines(&heat, Role::Detour)), (used, 0));

        let followed = network.journey(network.default_followed().unwrap()).unwrap();
        let scene = draw(network.worms(), &large, mesh_shown(links, Some(followed), false));
        let said =
            |what: &str| scene.shapes.iter().any(|shape| matches!(shape, Shape::Text { text, .. } if text == what));
        assert!(said("from") && said("to") && said(&followed.hops.len().to_string()) && said("NW"));
    }

    /// Returns the lines of the fault rings, without the links that close them.
    fn rings(scene: &Scene) -> Vec<&[Point]> {
        fn ring(shape: &Shape) -> Option<&[Point]> {
            match shape {
                Shape::Stroke { points, role: Role::Trap, alpha: 0.15, .. } => Some(points),
                _ => None,
            }
        }
        scene.shapes.iter().filter_map(ring).collect()
    }

    #[test]
    fn routings_with_notches_have_the_ring_of_the_rectangle() {
        // Three faulty nodes in a row and one above their middle: the rectangle has 3 x 2 nodes.
        let text = "v=2&net=mesh:8x8&faults=none&break=3.4,4.3,4.4,5.4&regions=solid&route=f-cube4,f-cube4-notches&switch=wormhole";
        let watch = WormWatch::new(&text.parse().unwrap()).unwrap();
        let picture = MeshPicture::whole(watch.faults.mesh(), Size::new(800.0, 800.0));
        let corners = |network: usize| {
            let scene = draw(watch.networks()[network].worms(), &picture, mesh_shown(&[], None, false));
            let [ring] = *rings(&scene) else { panic!("one ring") };
            let turns = |at: &[Point]| (at[1].x - at[0].x).abs() > 1.0 && (at[2].x - at[1].x).abs() < 1.0;
            let turns_back = |at: &[Point]| (at[1].y - at[0].y).abs() > 1.0 && (at[2].y - at[1].y).abs() < 1.0;
            (ring.len() - 2, ring.windows(3).filter(|at| turns(at) || turns_back(at)).count())
        };
        assert_eq!(corners(1), (2 * (3 + 2) + 4, 4));
        assert!(corners(0).1 >= 8, "the outline turns into both notches");
    }
}
