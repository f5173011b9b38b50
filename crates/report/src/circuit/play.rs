//! Networks of circuits, as a stage plays them.

use std::rc::Rc;

use super::picture::Shown as LinksShown;
use super::{files, picture, watch, words};
use crate::document::Document;
use crate::notes;
use crate::picture::cube::{CubePicture, Spot};
use crate::picture::geometry::{Point, Size};
use crate::picture::layout::{KnownPlaces, Places};
use crate::picture::scene::Scene;
use crate::watch::{Chart, Clock, Event, Place, Rows, Shown, Watch, mend, told};
use faultlab_core::switching::CircuitOutcome;
use faultlab_experiment::{CircuitWatch, CubeCell, Experiment, Watched};

/// How the pictures are read.
const READ: &str = "Solid: a circuit that transmits. Dashed: a path that is held and waits; a bar across a link: messages wait \
                    for it. On a node: how many wait there.";

/// Events between two looks at the clock: among faults, each may be the first that asks for ways to its destination.
const EVENTS: u32 = 64;

/// The networks of circuits of all compared algorithms.
pub struct CircuitPlay {
    experiment: Experiment,
    watch: CircuitWatch,
    places: KnownPlaces,
}

impl CircuitPlay {
    /// The experiment as it stands, at time 0. `None` on other networks than hypercubes.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let watch = CircuitWatch::new(experiment, CubeCell::new(experiment, None)?);
        Some(Self { experiment: experiment.clone(), watch, places: KnownPlaces::default() })
    }

    /// The networks.
    pub fn watch(&self) -> &CircuitWatch {
        &self.watch
    }

    /// The places of the nodes; `None` in cubes too large to be drawn.
    fn places(&self, size: Size) -> Option<Rc<Places>> {
        let (cell, layout) = (&self.watch.cell, self.experiment.view.layout);
        self.places.of(size, layout, &|aspect| Places::of_cube(cell.cube, cell.ends.to, layout, aspect))
    }
}

impl Document for CircuitPlay {
    fn text(&self) -> String {
        told(self)
    }

    fn csv(&self) -> String {
        files::csv(&self.experiment, &self.watch)
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &self.watch)
    }
}

/// Places are nodes and links, see [`Spot::code`].
impl Watch for CircuitPlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn notes(&self) -> String {
        format!("{}; time {}", notes(&self.experiment), self.watch.now())
    }

    fn look(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.watch.networks().iter().map(|network| network.algorithm.name.to_string()).collect()
    }

    /// If nobody asks, the first network that has come to an end.
    fn explained(&self, shown: &Shown) -> usize {
        let ended = || self.watch.networks().iter().position(|network| network.circuits().outcome().is_some());
        shown.chosen.map(|chosen| chosen.0).or(shown.asked).or_else(ended).unwrap_or(0)
    }

    fn title(&self, _shown: &Shown) -> String {
        watch::title(&self.watch)
    }

    fn subtitle(&self, _shown: &Shown) -> String {
        let deadlocked = |network: &Watched| matches!(network.circuits().outcome(), Some(CircuitOutcome::Deadlock(_)));
        let circle = self.watch.networks().iter().any(deadlocked);
        [READ, if circle { " d0, d1, ...: the dimension of a link of the circle." } else { "" }].concat()
    }

    fn short(&self, index: usize) -> String {
        let network = self.watch.networks().get(index);
        network.map_or_else(String::new, |network| {
            format!("{} transmit, {} wait", watch::transmitting(network), network.circuits().backlog())
        })
    }

    fn counts(&self) -> Rows {
        watch::counts(&self.watch)
    }

    fn mirror(&self, shown: &Shown) -> String {
        if shown.playing {
            return String::new();
        }
        let networks: Vec<_> = self.watch.networks().iter().map(watch::mirror).collect();
        let focus = shown.focus.and_then(|(panel, place)| {
            let (circuits, spot) = (self.watch.networks().get(panel)?.circuits(), Spot::of(place));
            Some(format!(" In focus: {}, {}.", spot.name(circuits.cube()), words::state(circuits, spot)))
        });
        format!("At time {:.2}. {}{}", self.watch.now(), networks.join(" "), focus.unwrap_or_default())
    }

    fn chart(&self) -> Option<Chart> {
        let says = "Messages waiting over time; the numbers of now are listed beside the networks";
        Some(Chart { id: "backlog", says, figure: watch::backlog(&self.watch) })
    }

    fn clock(&self) -> Clock {
        let (step, unit) = ("event", "transmission times");
        Clock { step, unit, name: "Time", whole: false, speed: 1.0, speeds: ["-3", "9", "0.5"] }
    }

    fn now(&self) -> f64 {
        self.watch.now()
    }

    fn said(&self) -> String {
        format!("time {:.2} of {:.2}", self.watch.now(), self.watch.end())
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

    fn events(&self) -> Vec<Event> {
        let names = self.watch.networks().len();
        let ended = self.watch.networks().iter().filter_map(|network| {
            let (what, time) = match network.end()? {
                CircuitOutcome::Deadlock(_) => ("deadlock", network.tape.end()?),
                CircuitOutcome::Unstable { since, .. } => ("jam begins", *since),
                CircuitOutcome::Silent { .. } => ("all arrived", network.tape.end()?),
            };
            Some(Event::under(names, &network.algorithm.name, what, time))
        });
        ended.collect()
    }

    fn begin(&mut self, before: Option<&dyn Watch>, shown: &mut Shown) -> f64 {
        mend(self, shown);
        before.map_or(0.0, Watch::now)
    }

    fn seek(&mut self, time: f64) {
        self.watch.seek(time);
    }

    fn work(&mut self) -> bool {
        self.watch.work(EVENTS)
    }

    fn is_there(&self) -> bool {
        self.watch.is_there()
    }

    fn fired(&self, shown: &Shown) -> Option<u32> {
        let index = self.explained(shown);
        let circuits = self.watch.networks().get(index)?.circuits();
        let number = shown.chosen_in(index).or_else(|| words::worth_following(circuits))?;
        let decisions = words::decisions(circuits, &words::message(circuits, number)?);
        decisions.last()?.line()
    }

    fn draw(&self, panel: usize, size: Size, shown: &Shown) -> Option<Scene> {
        let circuits = self.watch.networks().get(panel)?.circuits();
        let series = panel as u8;
        let Some(places) = self.places(size) else { return Some(picture::draw_bars(circuits, size, series)) };
        let chosen = shown.pointed_in(panel).or(shown.chosen_in(panel));
        let alone = chosen.is_some_and(|number| words::message(circuits, number).is_some());
        let message = match chosen.or(shown.chosen.map(|chosen| chosen.1)) {
            Some(_) => chosen,
            None => words::worth_following(circuits).filter(|_| panel == self.explained(shown)),
        };
        let focus = shown.focus_in(panel).map(Spot::of);
        let picture = CubePicture { cube: circuits.cube(), places: &places, size };
        Some(picture::draw(circuits, &picture, LinksShown { series, message, alone, focus }))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, _shown: &Shown) -> Option<Place> {
        let places = self.places(size)?;
        CubePicture { cube: self.watch.cell.cube, places: &places, size }.hit(point, touch).map(Spot::code)
    }

    fn toward(&self, size: Size, place: Option<Place>, step: (i8, i8)) -> Option<Place> {
        let places = self.places(size)?;
        let first = places.iter().next().map(|place| place.0);
        let next =
            |place| places.toward(Spot::of(place).node(), Point::new(step.0.into(), step.1.into()), size.aspect());
        place.map(next).or(first).map(|node| node.0)
    }

    /// The message that holds a link.
    fn message_at(&self, panel: usize, place: Place) -> Option<u64> {
        let Spot::Link(link) = Spot::of(place) else { return None };
        self.watch.networks().get(panel)?.circuits().holder(link).map(|message| message.number())
    }

    fn has(&self, place: Place) -> bool {
        let (cube, spot) = (self.watch.cell.cube, Spot::of(place));
        cube.contains(spot.node()) && !matches!(spot, Spot::Link(link) if link.dim >= cube.dimension())
    }
}
