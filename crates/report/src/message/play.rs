//! Playback of single messages, all in one picture.

use std::any::Any;
use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;

use super::picture::Frame;
use super::{files, picture, watch};
use crate::document::Document;
use crate::picture::cube::Spot;
use crate::picture::geometry::{Point, Size};
use crate::picture::layout::{KnownPlaces, Places};
use crate::picture::scene::Scene;
use crate::watch::{Clock, Event, Place, Rows, Shown, Watch, mend, told};
use faultlab_core::rich_text::RichText;
use faultlab_core::topology::Hypercube;
use faultlab_experiment::{CubeCell, Experiment, Instance, Trace};

/// Returns the number of hops that the first messages of both instances have in common.
fn common_hops(before: &Instance, after: &Instance) -> usize {
    let (Some(a), Some(b)) = (before.traces.first(), after.traces.first()) else { return 0 };
    if before.cell.ends != after.cell.ends || before.cell.cube != after.cell.cube {
        return 0;
    }
    a.hops.iter().zip(&b.hops).take_while(|(a, b)| a == b).count()
}

/// Messages of all compared algorithms at one hop.
pub struct MessagePlay {
    experiment: Experiment,
    /// In a cell because the status of a node may be sampled on first use.
    instance: RefCell<Instance>,
    hop: usize,
    places: KnownPlaces,
}

impl MessagePlay {
    /// Returns trial number `experiment.view.sample` of the experiment, before the first hop;
    /// `None` for networks other than hypercubes.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let instance = Instance::new(experiment, CubeCell::new(experiment, None)?);
        let any = !instance.traces.is_empty();
        let (experiment, instance) = (experiment.clone(), RefCell::new(instance));
        any.then(|| Self { experiment, instance, hop: 0, places: KnownPlaces::default() })
    }

    /// Returns the messages and the faults among which they move.
    pub fn instance(&self) -> RefMut<'_, Instance> {
        self.instance.borrow_mut()
    }

    /// Returns the message of algorithm number `index`, or of the last one if there are fewer.
    pub fn trace(&self, index: usize) -> Option<Arc<Trace>> {
        let instance = self.instance();
        instance.traces.get(index).or(instance.traces.last()).cloned()
    }

    /// Returns the number of hops of the longest path.
    fn length(&self) -> usize {
        self.length_of(&self.instance())
    }

    fn length_of(&self, instance: &Instance) -> usize {
        instance.traces.iter().map(|trace| trace.hops.len()).max().unwrap_or(0)
    }

    fn places(&self, size: Size) -> Option<Rc<Places>> {
        let layout = self.experiment.view.layout;
        self.places.of(size, layout, &|aspect| Some(Places::new(&self.instance(), layout, aspect)))
    }
}

impl Document for MessagePlay {
    /// Returns the final state as text, independent of the current time.
    fn text(&self) -> String {
        let hop = self.length();
        let instance = RefCell::new(self.instance.borrow().clone());
        let ended = Self { experiment: self.experiment.clone(), instance, hop, places: KnownPlaces::default() };
        told(&ended)
    }

    fn csv(&self) -> String {
        files::csv(&self.experiment, &mut self.instance())
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &mut self.instance())
    }
}

/// Place codes are nodes and links, see [`Spot::code`].
impl Watch for MessagePlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn look(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.instance().traces.iter().map(|trace| trace.algorithm.name.to_string()).collect()
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn title(&self, shown: &Shown) -> String {
        let index = self.explained(shown);
        let instance = self.instance();
        if self.hop >= self.length_of(&instance) && instance.traces.len() > 1 {
            return watch::title_of_all(&instance);
        }
        let trace = instance.traces.get(index).or(instance.traces.last());
        trace.map(|trace| watch::title(&instance, trace, self.hop)).unwrap_or_default()
    }

    fn subtitle(&self, shown: &Shown) -> RichText {
        let trace = self.trace(self.explained(shown));
        trace.map(|trace| watch::subtitle(&self.instance(), &trace, self.hop)).unwrap_or_default()
    }

    fn short(&self, index: usize) -> String {
        self.trace(index).map(|trace| watch::short(&trace, self.hop)).unwrap_or_default()
    }

    fn counts(&self) -> Rows {
        watch::counts(&self.instance(), self.hop)
    }

    fn mirror(&self, shown: &Shown) -> String {
        let Some(trace) = self.trace(self.explained(shown)) else { return String::new() };
        // The position is given only while time is paused: reading out every hop would be useless.
        watch::mirror(&mut self.instance(), &trace, self.hop, !shown.playing, shown.focus_in(0).map(Spot::of))
    }

    fn clock(&self) -> Clock {
        Clock { step: "hop", unit: "hops", name: "Hop", whole: true, speed: 1.25, speeds: ["-1", "6", "0.25"] }
    }

    fn now(&self) -> f64 {
        self.hop as f64
    }

    fn said(&self) -> String {
        format!("hop {} of {}", self.hop, self.length())
    }

    fn end(&self) -> f64 {
        self.length() as f64
    }

    fn events(&self) -> Vec<Event> {
        let instance = self.instance();
        let names = instance.traces.len();
        let events = instance.traces.iter().flat_map(|trace| watch::events(trace, names));
        let mut events: Vec<_> = events.collect();
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        events
    }

    /// Keeps the common start of the path shown so far: an edit in the past branches off there.
    fn begin(&mut self, before: Option<&dyn Watch>, shown: &mut Shown) -> f64 {
        mend(self, shown);
        let before: Option<&dyn Any> = before.map(|before| before as _);
        let before = before.and_then(|before| before.downcast_ref::<Self>());
        before.map_or(0.0, |before| before.hop.min(common_hops(&before.instance(), &self.instance())) as f64)
    }

    fn seek(&mut self, time: f64) {
        self.hop = (time as usize).min(self.length());
    }

    fn fired(&self, shown: &Shown) -> Option<u32> {
        let trace = self.trace(self.explained(shown))?;
        let hop = trace.hops.get((self.hop).checked_sub(1)?)?;
        trace.algorithm.local()?.own()?.line(hop.rule.own()?)
    }

    fn draw(&self, _panel: usize, size: Size, shown: &Shown) -> Option<Scene> {
        let places = self.places(size)?;
        let frame = Frame { size, time: self.now() + shown.part, focus: shown.focus_in(0).map(Spot::of) };
        Some(picture::draw(&mut self.instance(), &places, frame))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, _shown: &Shown) -> Option<Place> {
        let places = self.places(size)?;
        let cell = &self.instance().cell;
        picture::hit(size, &places, cell.cube, cell.ends.to, point, touch).map(Spot::code)
    }

    fn toward(&self, size: Size, place: Option<Place>, step: (i8, i8)) -> Option<Place> {
        let places = self.places(size)?;
        let here = place.map(|place| Spot::of(place).node()).filter(|&node| places.get(node).is_some());
        let next = here.map(|node| places.toward(node, Point::new(step.0.into(), step.1.into()), size.aspect()));
        Some(next.unwrap_or(self.instance().cell.ends.from).0)
    }

    fn has(&self, place: Place) -> bool {
        // Called while the instance may be borrowed.
        let (cube, spot) = (self.experiment.network.cube(), Spot::of(place));
        let has = |cube: Hypercube| {
            cube.contains(spot.node()) && !matches!(spot, Spot::Link(link) if link.dim >= cube.dimension())
        };
        cube.is_some_and(has)
    }
}
