//! Playback of circuit-switched meshes.

use super::picture::{Emphasis, channels};
use super::{files, picture, wording};
use crate::chart::over_time::over_time;
use crate::circuit::onset;
use crate::circuit::watch::{ended_title, mean_setup};
use crate::document::Document;
use crate::files::trace;
use crate::files::trace::TraceRow;
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, Size};
use crate::picture::mesh::{MeshPicture, max_shown_nodes};
use crate::picture::projection::MeshView;
use crate::picture::scene::Scene;
use crate::picture::viewport::Viewport;
use crate::source_note;
use crate::watch::{
    Clock, HitId, LinkUse, MAX_ZOOM, Rows, TimeText, TimelineEvent, ViewState, Watch, WatchChart, clear_stale, describe,
};
use faultlab_core::fault::BlockFaults;
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::switching::{CircuitOutcome, ProbeNetwork, ProbeState};
use faultlab_core::topology::{Link, Mesh, NodeId, Port};
use faultlab_experiment::{CircuitCounts, Experiment, MeshCircuitWatch, WatchedProbes};

/// Instructions for reading the pictures.
const READ: &str = "Solid: a circuit. Dashed: the path of a probe that searches or waits; the arrow is the probe. Number \
                    on a node: messages that wait there, for a link or for their next attempt.";

/// Events between two clock checks.
const EVENTS_PER_SLICE: u32 = 256;

/// Distance of neighbours at the maximum magnification of a large mesh, in pixels.
const CLOSEST: f64 = 90.0;

/// Rotation of a body for each pixel that it is dragged, in radians.
const TURN: f64 = 0.009;

/// Circuit-switched meshes of all compared algorithms.
pub struct MeshCircuitPlay {
    experiment: Experiment,
    watch: MeshCircuitWatch,
}

impl MeshCircuitPlay {
    /// Returns the networks of the experiment at time 0.
    ///
    /// Returns `None` on other networks, for meshes too large to draw, and if faults cannot be sampled.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        experiment.mesh().filter(|&mesh| mesh.nodes() <= max_shown_nodes(mesh))?;
        let watch = MeshCircuitWatch::new(experiment)?;
        Some(Self { experiment: experiment.clone(), watch })
    }

    /// Returns the watched networks.
    pub fn watch(&self) -> &MeshCircuitWatch {
        &self.watch
    }

    /// Returns the times at which faults arrive, ascending.
    fn onsets(&self) -> &[f64] {
        self.circuits(0).map_or(&[], ProbeNetwork::onsets)
    }

    fn mesh(&self) -> Mesh {
        self.watch.faults.mesh()
    }

    fn circuits(&self, index: usize) -> Option<&ProbeNetwork> {
        self.watch.networks().get(index).map(WatchedProbes::circuits)
    }

    fn picture(&self, size: Size, shown: &ViewState) -> MeshPicture {
        MeshPicture::new(self.mesh(), size, shown.view, shown.viewport)
    }

    /// Returns the next element in the cycle from a node through its links and back to the node.
    pub fn next_link(&self, place: HitId) -> HitId {
        let (from, first) = match NetworkElement::from_code(place) {
            NetworkElement::Node(node) => (node, 0),
            NetworkElement::Link(link) => (link.from, link.dim + 1),
        };
        let mut links = (first..self.mesh().dimensions()).map(|dim| Link { from, dim });
        let next = links.find(|&link| self.mesh().link_end(link).is_some());
        next.map_or(NetworkElement::Node(from), NetworkElement::Link).code()
    }

    /// Returns the number of the message that is followed in a network.
    pub fn message(&self, index: usize, shown: &ViewState) -> Option<u64> {
        shown.chosen_in(index).or_else(|| wording::default_followed(self.circuits(index)?))
    }
}

/// Returns the faulty links, ascending.
fn faulty_links(faults: &BlockFaults) -> Vec<Link> {
    let is_faulty = |link: &Link| faults.faulty_ports(link.from) & Port::along(link.dim, true).bit() != 0;
    faults.mesh().iter_links().filter(is_faulty).collect()
}

/// Returns the number of messages that transmit or are acknowledged.
fn connected(circuits: &ProbeNetwork) -> usize {
    let is_connected = |state| matches!(state, ProbeState::Transmitting | ProbeState::Acknowledging);
    circuits.messages().filter(|message| is_connected(message.state())).count()
}

/// Returns a network in one sentence.
fn mirror(network: &WatchedProbes) -> String {
    let circuits = network.circuits();
    format!(
        "{}: {} circuits are complete, {} messages wait, {} are in the network. {}",
        network.algorithm.name,
        connected(circuits),
        circuits.backlog(),
        circuits.in_network(),
        wording::ending(circuits.mesh(), circuits.outcome())
    )
}

impl Document for MeshCircuitPlay {
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
impl Watch for MeshCircuitPlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn notes(&self) -> String {
        format!("{}; time {}", source_note(&self.experiment), self.watch.now())
    }

    fn set_view(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.watch.networks().iter().map(|network| network.algorithm.name.to_string()).collect()
    }

    /// Explains the first network that has ended, unless the user has chosen another.
    fn explained(&self, shown: &ViewState) -> usize {
        let ended = || self.watch.networks().iter().position(|network| network.circuits().outcome().is_some());
        shown.followed.map(|chosen| chosen.0).or(shown.explained).or_else(ended).unwrap_or(0)
    }

    fn title(&self, _shown: &ViewState) -> String {
        let networks = self.watch.networks();
        let outcomes = networks.iter().map(|network| (&*network.algorithm.name, network.circuits().outcome()));
        match ended_title(outcomes) {
            Some(title) => title,
            None if self.watch.now() == 0.0 => "Probes are about to reserve paths, link by link".into(),
            None => "Probes reserve paths link by link, and go back where they cannot go on".into(),
        }
    }

    fn subtitle(&self, _shown: &ViewState) -> RichText {
        rich![READ, onset::note(self.onsets())]
    }

    fn status(&self, index: usize) -> String {
        let circuits = self.circuits(index);
        circuits.map_or_else(String::new, |circuits| {
            format!("{} circuits, {} wait", connected(circuits), circuits.backlog())
        })
    }

    fn counts(&self) -> Rows {
        let row = |name, value: fn(&WatchedProbes) -> String| (name, self.watch.networks().iter().map(value).collect());
        let mut rows = vec![
            row("Generated", |network| (network.counts().generated + network.counts().refused).to_string()),
            row("Refused", |network| network.counts().refused.to_string()),
            row("Complete circuits", |network| connected(network.circuits()).to_string()),
            row("Waiting", |network| network.circuits().backlog().to_string()),
            row("Circuits set up", |network| network.counts().completed.to_string()),
            row("Mean setup time", |network| mean_setup(&network.counts(), network.circuits().outcome())),
            row("Attempts per circuit", |network| match network.counts() {
                CircuitCounts { completed: 0, .. } => "–".to_owned(),
                CircuitCounts { completed, attempts, .. } => format!("{:.3}", attempts as f64 / completed as f64),
            }),
        ];
        let found: Vec<_> = self.watch.networks().iter().map(|network| network.circuits().transition()).collect();
        rows.extend(onset::rows(&found));
        rows
    }

    fn text_alternative(&self, shown: &ViewState) -> String {
        if shown.playing {
            return String::new();
        }
        let networks: Vec<_> = self.watch.networks().iter().map(mirror).collect();
        let focus = shown.focus.and_then(|(panel, place)| {
            let name = wording::describe_element(self.circuits(panel)?, NetworkElement::from_code(place));
            Some(format!(" In focus: {name}."))
        });
        format!("At time {:.2}. {}{}", self.watch.now(), networks.join(" "), focus.unwrap_or_default())
    }

    fn chart(&self) -> Option<WatchChart> {
        let networks = self.watch.networks().iter();
        let histories: Vec<_> = networks.map(|it| (&*it.algorithm.name, it.timeline.history())).collect();
        let axes = ["time, in mean transmission times", "messages waiting"];
        let figure = over_time(&histories, self.watch.now(), self.watch.end(), axes);
        let alt_text = "Messages waiting over time; the current numbers are listed beside the networks";
        Some(WatchChart { id: "backlog", alt_text, figure })
    }

    fn clock(&self) -> Clock {
        Clock {
            step: "event",
            unit: "transmission times",
            name: "Time",
            is_discrete: false,
            initial_speed_log2: 0.0,
            speed_range_log2: ["-6", "9", "0.5"],
        }
    }

    fn now(&self) -> f64 {
        self.watch.now()
    }

    fn time_text(&self) -> TimeText {
        TimeText { now: format!("time {:.2}", self.watch.now()), end: Some(format!("{:.2}", self.watch.end())) }
    }

    fn end(&self) -> f64 {
        self.watch.end()
    }

    fn next(&self, _time: f64) -> Option<f64> {
        self.watch.next_event()
    }

    fn previous(&self, _time: f64) -> f64 {
        self.watch.previous_event()
    }

    fn events(&self) -> Vec<TimelineEvent> {
        let names = self.watch.networks().len();
        let ended = self.watch.networks().iter().filter_map(|network| {
            let (what, time) = match network.known_outcome()? {
                CircuitOutcome::Deadlock(_) => ("deadlock", network.timeline.end()?),
                CircuitOutcome::Unstable { since, .. } => ("jam begins", *since),
                CircuitOutcome::Idle { .. } => ("all arrived", network.timeline.end()?),
            };
            Some(TimelineEvent::for_algorithm(names, &network.algorithm.name, what, time))
        });
        let mut events: Vec<_> = onset::timeline_events(self.onsets()).chain(ended).collect();
        events.sort_by(|one, other| one.time.total_cmp(&other.time));
        events
    }

    fn begin(&mut self, before: Option<&mut dyn Watch>, shown: &mut ViewState) -> f64 {
        clear_stale(self, shown);
        if before.is_none() {
            shown.view = MeshView::Slices;
        }
        before.map_or(0.0, |before| before.now())
    }

    fn seek(&mut self, time: f64) {
        self.watch.seek(time);
    }

    fn work(&mut self) -> bool {
        self.watch.work(EVENTS_PER_SLICE)
    }

    fn is_ready(&self) -> bool {
        self.watch.is_at_target()
    }

    fn draw(&self, panel: usize, size: Size, shown: &ViewState) -> Option<Scene> {
        let circuits = self.circuits(panel)?;
        let chosen = shown.pointed_in(panel).or(shown.chosen_in(panel));
        let focus = shown.focus_in(panel).map(NetworkElement::from_code);
        let emphasis = Emphasis {
            series: panel as u8,
            faulty_links: &faulty_links(&circuits.config().faults),
            message: chosen.or_else(|| wording::default_followed(circuits).filter(|_| panel == self.explained(shown))),
            alone: chosen.is_some_and(|number| circuits.message(number).is_some()),
            focus: focus.map(|spot| (spot, wording::describe_element(circuits, spot))),
        };
        Some(picture::draw(circuits, &self.picture(size, shown), emphasis))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, shown: &ViewState) -> Option<HitId> {
        self.picture(size, shown).hit(point, touch).map(NetworkElement::code)
    }

    fn position(&self, size: Size, place: HitId, shown: &ViewState) -> Option<Point> {
        let node = NetworkElement::from_code(place).node();
        self.mesh().contains(node).then(|| self.picture(size, shown).at(node))
    }

    fn max_zoom(&self, canvas: Size, shown: &ViewState) -> f64 {
        let whole = self.picture(canvas, &ViewState { viewport: Viewport::WHOLE, ..*shown });
        (CLOSEST / whole.step().max(1e-3)).max(MAX_ZOOM)
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

    /// Returns a message that holds a link, in either direction.
    fn message_at(&self, panel: usize, place: HitId) -> Option<u64> {
        let NetworkElement::Link(link) = NetworkElement::from_code(place) else { return None };
        let circuits = self.circuits(panel)?;
        let held = channels(self.mesh(), link).into_iter().find_map(|(node, port)| circuits.holder(node, port));
        held.map(|held| held.number)
    }

    fn link_use(&self, panel: usize, place: HitId) -> Option<LinkUse> {
        let NetworkElement::Link(link) = NetworkElement::from_code(place) else { return None };
        let circuits = self.circuits(panel)?;
        let both = channels(self.mesh(), link).into_iter();
        let uses = both.map(|(node, port)| wording::channel_use(circuits, node, port)).collect();
        let name = format!("Link {}", faultlab_core::routing::wording::link(self.mesh(), link));
        Some(LinkUse { name, uses, figure: None })
    }

    fn followed_csv(&self, shown: &ViewState) -> Option<String> {
        let index = self.explained(shown);
        let network = self.watch.networks().get(index)?;
        let (circuits, number) = (network.circuits(), self.message(index, shown)?);
        let message = circuits.message(number)?;
        let mesh = self.mesh();
        let row = |(node, port): (NodeId, Port)| TraceRow {
            from: mesh.format_node(node),
            to: mesh.neighbor(node, port).map_or_else(String::new, |next| mesh.format_node(next)),
            reason: wording::reason(circuits, node, port, message.to()),
            ..TraceRow::default()
        };
        let rows: Vec<_> = message.path().map(row).collect();
        Some(trace::csv(&self.experiment, &network.algorithm.id, &number, &rows))
    }

    fn can_rotate(&self, shown: &ViewState) -> bool {
        self.mesh().dimensions() > 2 && shown.view != MeshView::Slices
    }

    fn rotate(&self, by: Point, shown: &mut ViewState) {
        shown.view = shown.view.turned(by * TURN);
    }
}
