//! Playback of circuit-switched networks.

use std::rc::Rc;

use super::picture::Emphasis as LinksShown;
use super::{files, onset, picture, watch, wording};
use crate::document::Document;
use crate::files::trace;
use crate::files::trace::TraceRow;
use crate::picture::cube::{CubePicture, NetworkElement};
use crate::picture::geometry::{Point, Size};
use crate::picture::layout::{NodePositions, PositionCache};
use crate::picture::scene::Scene;
use crate::source_note;
use crate::watch::{
    Clock, HitId, LinkUse, Rows, TimeText, TimelineEvent, ViewState, Watch, WatchChart, clear_stale, describe,
};
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::switching::CircuitOutcome;
use faultlab_experiment::{CircuitWatch, CubePointConfig, Experiment, Watched};

/// Instructions for reading the pictures.
const READ: &str = "Solid: a transmitting circuit. Dashed: the reserved path of a waiting message. Bar across a link: \
                    messages wait for the link. Number on a node: messages waiting there.";

/// Instructions for reading the pictures under backtrack and retry.
const READ_RETRY: &str =
    "Solid: a transmitting circuit. Number on a node: messages of the node that will try again. They hold no link.";

/// Events between two clock checks. With faults, each event may be the first one that needs the
/// paths to its destination.
const EVENTS_PER_SLICE: u32 = 64;

/// Circuit-switched networks of all compared algorithms.
pub struct CircuitPlay {
    experiment: Experiment,
    watch: CircuitWatch,
    places: PositionCache,
}

impl CircuitPlay {
    /// Returns the networks of the experiment at time 0; `None` for networks other than hypercubes.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let watch = CircuitWatch::new(experiment, CubePointConfig::new(experiment, None)?);
        Some(Self { experiment: experiment.clone(), watch, places: PositionCache::default() })
    }

    /// Returns the watched networks.
    pub fn watch(&self) -> &CircuitWatch {
        &self.watch
    }

    fn picture<'a>(&self, places: &'a NodePositions, size: Size, shown: &ViewState) -> CubePicture<'a> {
        CubePicture { cube: self.watch.cell.cube, places, size, zoom: shown.viewport.zoom() }
    }

    /// Returns the positions of the nodes; `None` for cubes too large to draw.
    fn places(&self, size: Size) -> Option<Rc<NodePositions>> {
        let (cell, layout) = (&self.watch.cell, self.experiment.view.layout);
        self.places
            .get_or_compute(size, layout, &|aspect| NodePositions::of_cube(cell.cube, cell.ends.to, layout, aspect))
    }
}

impl Document for CircuitPlay {
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
impl Watch for CircuitPlay {
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
        watch::title(&self.watch)
    }

    fn subtitle(&self, _shown: &ViewState) -> RichText {
        let deadlocked = |network: &Watched| matches!(network.circuits().outcome(), Some(CircuitOutcome::Deadlock(_)));
        let circle = self.watch.networks().iter().any(deadlocked);
        let read = if watch::holds(&self.watch) { READ } else { READ_RETRY };
        let read =
            rich![read, if circle { " d0, d1, ...: the dimensions of the links in the cyclic wait." } else { "" }];
        rich![read, onset::note(watch::onsets(&self.watch))]
    }

    fn status(&self, index: usize) -> String {
        let network = self.watch.networks().get(index);
        network.map_or_else(String::new, |network| {
            format!("{} transmit, {} wait", watch::transmitting(network), network.circuits().backlog())
        })
    }

    fn counts(&self) -> Rows {
        watch::counts(&self.watch)
    }

    fn text_alternative(&self, shown: &ViewState) -> String {
        if shown.playing {
            return String::new();
        }
        let networks: Vec<_> = self.watch.networks().iter().map(watch::mirror).collect();
        let focus = shown.focus.and_then(|(panel, place)| {
            let (circuits, spot) = (self.watch.networks().get(panel)?.circuits(), NetworkElement::from_code(place));
            Some(format!(" In focus: {}, {}.", spot.name(circuits.cube()), wording::state(circuits, spot)))
        });
        format!("At time {:.2}. {}{}", self.watch.now(), networks.join(" "), focus.unwrap_or_default())
    }

    fn chart(&self) -> Option<WatchChart> {
        let says = "Messages waiting over time; the current numbers are listed beside the networks";
        Some(WatchChart { id: "backlog", alt_text: says, figure: watch::backlog(&self.watch) })
    }

    fn clock(&self) -> Clock {
        let (step, unit) = ("event", "transmission times");
        Clock {
            step,
            unit,
            name: "Time",
            is_discrete: false,
            initial_speed_log2: 1.0,
            speed_range_log2: ["-3", "9", "0.5"],
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
        let mut events: Vec<_> = onset::timeline_events(watch::onsets(&self.watch)).chain(ended).collect();
        events.sort_by(|one, other| one.time.total_cmp(&other.time));
        events
    }

    fn begin(&mut self, before: Option<&mut dyn Watch>, shown: &mut ViewState) -> f64 {
        clear_stale(self, shown);
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

    fn fired_rule_line(&self, shown: &ViewState) -> Option<u32> {
        let index = self.explained(shown);
        let circuits = self.watch.networks().get(index)?.circuits();
        let number = shown.chosen_in(index).or_else(|| wording::default_followed(circuits))?;
        let decisions = wording::decisions(circuits, &wording::message(circuits, number)?);
        decisions.last()?.line()
    }

    fn draw(&self, panel: usize, size: Size, shown: &ViewState) -> Option<Scene> {
        let circuits = self.watch.networks().get(panel)?.circuits();
        let series = panel as u8;
        let Some(places) = self.places(size) else { return Some(picture::draw_bars(circuits, size, series)) };
        let chosen = shown.pointed_in(panel).or(shown.chosen_in(panel));
        let alone = chosen.is_some_and(|number| wording::message(circuits, number).is_some());
        let message = match chosen.or(shown.followed.map(|chosen| chosen.1)) {
            Some(_) => chosen,
            None => wording::default_followed(circuits).filter(|_| panel == self.explained(shown)),
        };
        let focus = shown.focus_in(panel).map(NetworkElement::from_code);
        Some(picture::draw(circuits, &self.picture(&places, size, shown), LinksShown { series, message, alone, focus }))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, shown: &ViewState) -> Option<HitId> {
        let places = self.places(size)?;
        self.picture(&places, size, shown).hit(point, touch).map(NetworkElement::code)
    }

    fn position(&self, size: Size, place: HitId, shown: &ViewState) -> Option<Point> {
        let places = self.places(size)?;
        self.picture(&places, size, shown).at(NetworkElement::from_code(place).node())
    }

    fn neighbor(&self, size: Size, place: Option<HitId>, step: (i8, i8)) -> Option<HitId> {
        let places = self.places(size)?;
        let first = places.iter().next().map(|place| place.0);
        let next = |place| {
            places.toward(
                NetworkElement::from_code(place).node(),
                Point::new(step.0.into(), step.1.into()),
                size.aspect(),
            )
        };
        place.map(next).or(first).map(|node| node.0)
    }

    /// Returns the message that holds a link.
    fn message_at(&self, panel: usize, place: HitId) -> Option<u64> {
        let NetworkElement::Link(link) = NetworkElement::from_code(place) else { return None };
        self.watch.networks().get(panel)?.circuits().holder(link).map(|message| message.number())
    }

    fn link_use(&self, panel: usize, place: HitId) -> Option<LinkUse> {
        let NetworkElement::Link(link) = NetworkElement::from_code(place) else { return None };
        Some(watch::link_use(self.watch.networks().get(panel)?.circuits(), link))
    }

    fn followed_csv(&self, shown: &ViewState) -> Option<String> {
        let index = self.explained(shown);
        let network = self.watch.networks().get(index)?;
        let circuits = network.circuits();
        let number = shown.chosen_in(index).or_else(|| wording::default_followed(circuits))?;
        let row = |decision: &wording::Reservation<'_>| TraceRow {
            from: decision.link.from.to_string(),
            to: decision.link.end().to_string(),
            reason: wording::reason(decision),
            ..TraceRow::default()
        };
        let decisions = wording::decisions(circuits, &wording::message(circuits, number)?);
        let rows: Vec<_> = decisions.iter().map(row).collect();
        Some(trace::csv(&self.experiment, &network.algorithm.id, &number, &rows))
    }

    fn contains(&self, place: HitId) -> bool {
        let (cube, spot) = (self.watch.cell.cube, NetworkElement::from_code(place));
        cube.contains(spot.node()) && !matches!(spot, NetworkElement::Link(link) if link.dim >= cube.dimension())
    }
}
