//! Playback of meshes with worms.

use std::any::Any;

use super::channels;
use super::files;
use super::link_use::link_use;
use super::picture::worms;
use super::picture::worms::{HEAT_BAR, MeshViewOptions, heat_bar};
use super::watch::FaultFacts;
use super::{watch, wording};
use crate::document::Document;
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, Size};
use crate::picture::mesh::faults::FaultViewOptions;
use crate::picture::mesh::{MeshPicture, max_shown_nodes};
use crate::picture::projection::MeshView;
use crate::picture::scene::Scene;
use crate::picture::viewport::Viewport;
use crate::watch::{
    Clock, HitId, LinkUse, MAX_ZOOM, Rows, TimeText, TimelineEvent, ViewState, Watch, WatchChart, clear_stale, describe,
};
use faultlab_core::rich_text::RichText;
use faultlab_core::switching::{HeldChannel, WormholeNetwork};
use faultlab_core::topology::{Link, Mesh, NodeId, Port};
use faultlab_experiment::{Experiment, WatchedWorms, WormWatch, common_past};

/// Instructions for reading the pictures.
const READ: &str = "Worms hold virtual channels, flit by flit; each link is two one-way channels. A square \
                    head: a worm on its way around faults. Bars on nodes: messages still leaving. ";

/// Product of nodes and cycles simulated between two clock checks.
const NODE_CYCLES_PER_SLICE: u32 = 8192;

/// Cycle that is shown first, because an empty mesh is uninformative.
const INITIAL_CYCLE: f64 = 250.0;

/// Distance of neighbours at the maximum magnification of a large mesh, in pixels.
const CLOSEST: f64 = 90.0;

/// Rotation of a body for each pixel that it is dragged, in radians.
const TURN: f64 = 0.009;

/// Meshes of all compared algorithms.
pub struct WormPlay {
    experiment: Experiment,
    watch: WormWatch,
    /// Message that is followed where none is chosen.
    followed: Option<(usize, u64)>,
    /// Faulty links before closure, ascending.
    faulty_links: Vec<Link>,
    /// Facts about the faults, which do not change while time runs.
    facts: FaultFacts,
}

impl WormPlay {
    /// Returns the networks of the experiment at cycle 0, of a mesh too large to simulate only its
    /// faults.
    ///
    /// Returns `None` for meshes too large to draw, if faults cannot be sampled, or if the faults
    /// leave no pair of nodes to communicate.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let is_drawn = experiment.mesh().is_none_or(|mesh| mesh.nodes() <= max_shown_nodes(mesh));
        let watch = is_drawn.then(|| WormWatch::new(experiment))??;
        let mut faulty_links = watch.sampled_faults.links.clone();
        faulty_links.sort();
        let facts = FaultFacts::new(&watch);
        Some(Self { experiment: experiment.clone(), watch, followed: None, faulty_links, facts })
    }

    /// Returns the watched networks.
    pub fn watch(&self) -> &WormWatch {
        &self.watch
    }

    fn mesh(&self) -> Mesh {
        self.watch.faults.mesh()
    }

    /// Returns whether messages are simulated; otherwise only the faults are shown.
    fn is_simulated(&self) -> bool {
        !self.watch.networks().is_empty()
    }

    fn network(&self, index: usize) -> Option<&WatchedWorms> {
        self.watch.networks().get(index)
    }

    /// Returns the heat map as CSV: the utilization of every live channel so far.
    pub fn heat_csv(&self) -> String {
        channels::watched_csv(&self.experiment, &self.watch)
    }

    /// Returns the heat map as JSON, a line for each algorithm.
    pub fn heat_json(&self) -> String {
        channels::watched_json(&self.experiment, &self.watch)
    }

    /// Returns the message that is followed in network number `index`.
    pub fn message(&self, index: usize, shown: &ViewState) -> Option<u64> {
        shown.followed.or(self.followed).filter(|chosen| chosen.0 == index).map(|chosen| chosen.1)
    }

    /// Returns the message that holds the virtual channel at a point or, if it is free, another
    /// message on its channel.
    pub fn message_under(&self, index: usize, size: Size, point: Point, shown: &ViewState) -> Option<u64> {
        let (node, port, share) = self.picture(size, shown).channel_at(point)?;
        let worms = self.network(index)?.worms();
        let lane = (share * f64::from(worms.config().virtual_channels)) as u8;
        let channel = worms.mesh().channel(node, port);
        let held = HeldChannel { channel, virtual_channel: lane };
        worms.holder(held).map(|message| message.number()).or_else(|| holder(worms, channel))
    }

    /// Returns the next element in the cycle from a node through its links and back to the node.
    pub fn next_link(&self, place: HitId) -> HitId {
        let (from, first) = match NetworkElement::from_code(place) {
            NetworkElement::Node(node) => (node, 0),
            NetworkElement::Link(link) => (link.from, link.dim + 1),
        };
        let mut links = (first..self.mesh().dimensions()).map(|dim| Link { from, dim });
        links
            .find(|&link| self.mesh().link_end(link).is_some())
            .map_or(NetworkElement::Node(from), NetworkElement::Link)
            .code()
    }

    /// Returns the next element in dimension `dim`, which wraps from the last coordinate to the
    /// first; `None` if there is no such dimension.
    pub fn along(&self, place: Option<HitId>, dim: u8) -> Option<HitId> {
        let (mesh, here) = (self.mesh(), NetworkElement::from_code(place.unwrap_or(0)).node());
        let next = || mesh.with_coordinate(here, dim, (mesh.coordinate(here, dim) + 1) % mesh.radix(dim));
        (dim < mesh.dimensions()).then(|| NetworkElement::Node(next()).code())
    }

    fn picture(&self, size: Size, shown: &ViewState) -> MeshPicture {
        // The colour bar of the heat map is below the network. The space grows with the
        // magnification, as the margins do, so that the picture stays where it is under the pointer.
        let bar =
            if shown.heat && self.is_simulated() { (HEAT_BAR * shown.viewport.zoom()).min(size.height) } else { 0.0 };
        let above = Size::new(size.width, size.height - bar);
        MeshPicture::new(self.mesh(), above, shown.view, shown.viewport).with_window(shown.viewport.window(size))
    }
}

/// Returns a message that holds a virtual channel of a channel.
fn holder(worms: &WormholeNetwork, channel: u32) -> Option<u64> {
    let lanes = 0..worms.config().virtual_channels;
    let mut held = lanes.filter_map(|virtual_channel| worms.holder(HeldChannel { channel, virtual_channel }));
    held.next().map(|message| message.number())
}

impl Document for WormPlay {
    fn text(&self) -> String {
        describe(self)
    }

    fn csv(&self) -> String {
        files::csv(&self.experiment, &self.watch)
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &self.watch)
    }
}

/// Hit ids are the codes of nodes and links, see [`NetworkElement::code`].
impl Watch for WormPlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn set_view(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        if !self.is_simulated() {
            return vec!["every algorithm".into()];
        }
        self.watch.networks().iter().map(|network| network.algorithm.name.to_string()).collect()
    }

    fn title(&self, _shown: &ViewState) -> String {
        watch::title(&self.watch, &self.facts)
    }

    fn subtitle(&self, shown: &ViewState) -> RichText {
        let mut text = match shown.heat {
            _ if !self.is_simulated() => watch::not_simulated(&self.watch),
            true => watch::heat(&self.watch),
            false => READ.into(),
        };
        text.extend(watch::view(self.mesh(), shown.view));
        text.push_str(&self.facts.notes);
        text.into()
    }

    fn status(&self, index: usize) -> String {
        self.network(index).map_or_else(String::new, |network| format!("{} in the network", network.journeys().len()))
    }

    fn counts(&self) -> Rows {
        if self.is_simulated() { watch::counts(&self.watch) } else { Rows::new() }
    }

    fn text_alternative(&self, shown: &ViewState) -> String {
        if shown.playing {
            return String::new();
        }
        if !self.is_simulated() {
            return watch::not_simulated(&self.watch);
        }
        let mut said = format!("At cycle {}.", self.watch.now());
        for network in self.watch.networks() {
            said.push(' ');
            said.push_str(&watch::mirror(network));
        }
        if let Some((network, place)) = shown.focus.and_then(|(index, place)| Some((self.network(index)?, place))) {
            said.push_str(" In focus: ");
            said.push_str(&wording::describe_element(network.worms(), NetworkElement::from_code(place)));
            said.push('.');
        }
        said
    }

    fn chart(&self) -> Option<WatchChart> {
        self.is_simulated().then_some(())?;
        let says = "Messages in the network over time; the current numbers are listed beside the networks";
        Some(WatchChart { id: "backlog", alt_text: says, figure: watch::history(&self.watch) })
    }

    fn clock(&self) -> Clock {
        Clock {
            step: "cycle",
            unit: "cycles",
            name: "Time",
            is_discrete: true,
            initial_speed_log2: 4.0,
            speed_range_log2: ["0", "12", "0.5"],
        }
    }

    fn now(&self) -> f64 {
        self.watch.now() as f64
    }

    fn time_text(&self) -> TimeText {
        let end = watch::all_end(&self.watch).then(|| self.watch.end().to_string());
        TimeText { now: format!("cycle {}", self.watch.now()), end }
    }

    fn slider_end(&self) -> f64 {
        watch::reach(&self.watch)
    }

    fn end(&self) -> f64 {
        self.watch.end() as f64
    }

    fn events(&self) -> Vec<TimelineEvent> {
        let names = self.watch.networks().len();
        let onsets = self.watch.networks().first().map_or(&[][..], |network| network.worms().onsets());
        let onsets =
            onsets.iter().map(|&cycle| TimelineEvent { time: cycle as f64, description: "faults arrive".into() });
        let ended = self.watch.networks().iter().filter_map(|network| {
            Some(TimelineEvent::for_algorithm(
                names,
                &network.algorithm.name,
                "deadlock",
                network.timeline.end()? as f64,
            ))
        });
        let mut events: Vec<_> = onsets.chain(ended).collect();
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        events
    }

    /// Returns the cycle of a deadlock, at which playback stops.
    fn next_stop(&self, time: f64) -> Option<f64> {
        self.watch.deadlock_until(time as u64).map(|cycle| cycle as f64)
    }

    fn begin(&mut self, before: Option<&mut dyn Watch>, shown: &mut ViewState) -> f64 {
        clear_stale(self, shown);
        shown.construction_step = None;
        let before: Option<&mut dyn Any> = before.map(|before| before as _);
        let before = before.and_then(|before| before.downcast_mut::<Self>());
        // Planes of a hypercube are squares of four nodes, so a body shows the hypercube better.
        let is_cube = self.mesh().is_cube();
        if before.as_ref().is_none_or(|before| before.mesh().is_cube() != is_cube) {
            shown.view = if is_cube { MeshView::SOLID } else { MeshView::Slices };
        }
        let Some(before) = before else { return INITIAL_CYCLE };
        let now = before.now();
        // A click that breaks an element during playback continues the run that was watched.
        if let Some(cycle) = common_past(&before.experiment, &self.experiment) {
            self.watch.resume_from(&mut before.watch, cycle);
        }
        now
    }

    fn seek(&mut self, time: f64) {
        self.watch.seek(time as u64);
    }

    fn work(&mut self) -> bool {
        self.watch.work(NODE_CYCLES_PER_SLICE)
    }

    fn is_ready(&self) -> bool {
        self.watch.is_at_target()
    }

    /// Selects another message to follow when the last one is no longer visible.
    fn follow(&mut self, shown: &ViewState) -> bool {
        let index = self.explained(shown);
        let Some(network) = self.network(index) else { return false };
        let stays = |number: u64| {
            let journey = network.journey(number);
            journey.is_some_and(|it| it.ended.is_none() || !shown.playing) && network.worms().outcome().is_none()
        };
        if self.followed.is_some_and(|(place, number)| place == index && stays(number)) {
            return false;
        }
        let next = network.default_followed().map(|number| (index, number));
        std::mem::replace(&mut self.followed, next) != next
    }

    fn followed(&self, shown: &ViewState) -> Option<HitId> {
        let (index, number) = shown.followed.or(self.followed)?;
        Some(NetworkElement::Node(self.network(index)?.journey(number)?.header_node(self.mesh())).code())
    }

    fn fired_rule_line(&self, shown: &ViewState) -> Option<u32> {
        let index = self.explained(shown);
        let network = self.network(index)?;
        let hop = network.journey(self.message(index, shown)?)?.hops.last()?;
        network.routing().user_routing()?.line(hop.choice.rule.user_rule()?)
    }

    fn draw(&self, panel: usize, size: Size, shown: &ViewState) -> Option<Scene> {
        let rounds = shown.construction_step.unwrap_or(usize::MAX);
        let faults = FaultViewOptions { links: &self.faulty_links, rounds, positions: shown.positions };
        if !self.is_simulated() {
            return Some(worms::draw_faults(&self.watch.faults, &self.picture(size, shown), faults));
        }
        let network = self.network(panel)?;
        let focus = shown.focus_in(panel).map(NetworkElement::from_code);
        let name = focus.map(|spot| wording::describe_element(network.worms(), spot)).unwrap_or_default();
        let pointed = shown.pointed_in(panel).and_then(|number| network.journey(number));
        let drawn = MeshViewOptions {
            series: panel as u8,
            faults,
            heat: shown.heat,
            journey: pointed.or_else(|| network.journey(self.message(panel, shown)?)),
            alone: pointed.is_some() || shown.chosen_in(panel).is_some(),
            focus: focus.map(|spot| (spot, name.as_str())),
        };
        let mut scene = worms::draw(network.worms(), &self.picture(size, shown), drawn);
        if shown.heat {
            // The colour bar stays at the lower edge of the visible part.
            let window = shown.viewport.window(size);
            scene.size = size;
            scene.shapes.extend(heat_bar(panel as u8, window.size).into_iter().map(|shape| shape.moved(window.corner)));
        }
        Some(scene)
    }

    fn hit(&self, size: Size, point: Point, touch: bool, shown: &ViewState) -> Option<HitId> {
        self.picture(size, shown).hit(point, touch).map(NetworkElement::code)
    }

    fn neighbor(&self, _size: Size, place: Option<HitId>, step: (i8, i8)) -> Option<HitId> {
        let port = match step {
            (-1, _) => Port::WEST,
            (1, _) => Port::EAST,
            (_, -1) => Port::NORTH,
            _ => Port::SOUTH,
        };
        let here = place.map(|place| NetworkElement::from_code(place).node());
        let next = here.map_or(NodeId(0), |node| self.mesh().neighbor(node, port).unwrap_or(node));
        (port.dim() < self.mesh().dimensions()).then(|| NetworkElement::Node(next).code())
    }

    fn contains(&self, place: HitId) -> bool {
        match NetworkElement::from_code(place) {
            NetworkElement::Node(node) => self.mesh().contains(node),
            NetworkElement::Link(link) => self.mesh().link_end(link).is_some(),
        }
    }

    /// Returns the ascending link.
    fn canonical_link(&self, link: Link) -> Link {
        if self.mesh().is_cube() && !link.is_up() { link.reverse() } else { link }
    }

    /// Returns a message that holds a virtual channel of a link, in either direction.
    fn message_at(&self, panel: usize, place: HitId) -> Option<u64> {
        let NetworkElement::Link(link) = NetworkElement::from_code(place) else { return None };
        let worms = self.network(panel)?.worms();
        let (mesh, port) = (worms.mesh(), Port::along(link.dim, true));
        let back = || Some(mesh.channel(mesh.link_end(link)?, port.opposite()));
        holder(worms, mesh.channel(link.from, port)).or_else(|| holder(worms, back()?))
    }

    fn link_use(&self, panel: usize, place: HitId) -> Option<LinkUse> {
        let NetworkElement::Link(link) = NetworkElement::from_code(place) else { return None };
        // The chart covers the whole simulated time, in parts as long as the distance of snapshots.
        link_use(self.network(panel)?, link, self.now(), self.end())
    }

    fn followed_csv(&self, shown: &ViewState) -> Option<String> {
        let index = self.explained(shown);
        let network = self.network(index)?;
        Some(files::trace_csv(&self.experiment, network, network.journey(self.message(index, shown)?)?))
    }

    fn can_rotate(&self, shown: &ViewState) -> bool {
        self.mesh().dimensions() > 2 && shown.view != MeshView::Slices
    }

    fn rotate(&self, by: Point, shown: &mut ViewState) {
        shown.view = shown.view.turned(by * TURN);
    }

    fn position(&self, size: Size, place: HitId, shown: &ViewState) -> Option<Point> {
        let node = NetworkElement::from_code(place).node();
        self.mesh().contains(node).then(|| self.picture(size, shown).at(node))
    }

    /// Returns the magnification at which the nodes of a large mesh are far enough apart to show
    /// their virtual channels.
    fn max_zoom(&self, canvas: Size, shown: &ViewState) -> f64 {
        let whole = self.picture(canvas, &ViewState { viewport: Viewport::WHOLE, ..*shown });
        (CLOSEST / whole.step().max(1e-3)).max(MAX_ZOOM)
    }
}
