//! Playback of single messages, all in one picture.

use std::any::Any;
use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;

use super::picture::MessageFrame;
use super::{files, picture, watch};
use crate::document::Document;
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, Size};
use crate::picture::layout::{NodePositions, PositionCache};
use crate::picture::scene::Scene;
use crate::watch::{Clock, HitId, Rows, TimeText, TimelineEvent, ViewState, Watch, clear_stale, describe};
use faultlab_core::rich_text::RichText;
use faultlab_core::topology::Hypercube;
use faultlab_experiment::{CubePointConfig, Experiment, Instance, Trace};

/// Returns the number of hops that the first messages of both instances have in common.
fn common_prefix_len(before: &Instance, after: &Instance) -> usize {
    let (Some(a), Some(b)) = (before.traces.first(), after.traces.first()) else { return 0 };
    if before.cell.ends != after.cell.ends || before.cell.cube != after.cell.cube {
        return 0;
    }
    a.hops.iter().zip(&b.hops).take_while(|(a, b)| a == b).count()
}

/// Messages of all compared algorithms at one hop.
pub struct MessagePlay {
    experiment: Experiment,
    /// `RefCell`, because a query may sample the status of a node.
    instance: RefCell<Instance>,
    hop: usize,
    places: PositionCache,
}

impl MessagePlay {
    /// Returns trial number `experiment.view.sample` of the experiment, before the first hop;
    /// `None` for networks other than hypercubes.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let instance = Instance::new(experiment, CubePointConfig::new(experiment, None)?);
        let any = !instance.traces.is_empty();
        let (experiment, instance) = (experiment.clone(), RefCell::new(instance));
        any.then(|| Self { experiment, instance, hop: 0, places: PositionCache::default() })
    }

    /// Returns the messages and the faults among which they move.
    pub fn instance(&self) -> RefMut<'_, Instance> {
        self.instance.borrow_mut()
    }

    /// Returns the message of algorithm number `index`, or of the last algorithm if there are
    /// fewer.
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

    fn frame(&self, size: Size, shown: &ViewState) -> MessageFrame {
        MessageFrame {
            size,
            zoom: shown.viewport.zoom(),
            time: self.now() + shown.step_fraction,
            focus: shown.focus_in(0).map(NetworkElement::from_code),
        }
    }

    fn places(&self, size: Size) -> Option<Rc<NodePositions>> {
        let layout = self.experiment.view.layout;
        self.places.get_or_compute(size, layout, &|aspect| Some(NodePositions::new(&self.instance(), layout, aspect)))
    }
}

impl Document for MessagePlay {
    /// Returns the final state as text, independent of the current time.
    fn text(&self) -> String {
        let hop = self.length();
        let instance = RefCell::new(self.instance.borrow().clone());
        let ended = Self { experiment: self.experiment.clone(), instance, hop, places: PositionCache::default() };
        describe(&ended)
    }

    fn csv(&self) -> String {
        files::csv(&self.experiment, &mut self.instance())
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &mut self.instance())
    }
}

/// Hit ids are the codes of nodes and links, see [`NetworkElement::code`].
impl Watch for MessagePlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn set_view(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.instance().traces.iter().map(|trace| trace.algorithm.name.to_string()).collect()
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn title(&self, shown: &ViewState) -> String {
        let index = self.explained(shown);
        let instance = self.instance();
        if self.hop >= self.length_of(&instance) && instance.traces.len() > 1 {
            return watch::title_of_all(&instance);
        }
        let trace = instance.traces.get(index).or(instance.traces.last());
        trace.map(|trace| watch::title(&instance, trace, self.hop)).unwrap_or_default()
    }

    fn subtitle(&self, shown: &ViewState) -> RichText {
        let trace = self.trace(self.explained(shown));
        trace.map(|trace| watch::subtitle(&self.instance(), &trace, self.hop)).unwrap_or_default()
    }

    fn status(&self, index: usize) -> String {
        self.trace(index).map(|trace| watch::status(&trace, self.hop)).unwrap_or_default()
    }

    fn counts(&self) -> Rows {
        watch::counts(&self.instance(), self.hop)
    }

    fn text_alternative(&self, shown: &ViewState) -> String {
        let Some(trace) = self.trace(self.explained(shown)) else { return String::new() };
        // The position is given only while time is paused: reading out every hop would be useless.
        watch::mirror(
            &mut self.instance(),
            &trace,
            self.hop,
            !shown.playing,
            shown.focus_in(0).map(NetworkElement::from_code),
        )
    }

    fn clock(&self) -> Clock {
        Clock {
            step: "hop",
            unit: "hops",
            name: "Hop",
            is_discrete: true,
            initial_speed_log2: 1.25,
            speed_range_log2: ["-1", "6", "0.25"],
        }
    }

    fn now(&self) -> f64 {
        self.hop as f64
    }

    fn time_text(&self) -> TimeText {
        TimeText { now: format!("hop {}", self.hop), end: Some(self.length().to_string()) }
    }

    fn end(&self) -> f64 {
        self.length() as f64
    }

    fn events(&self) -> Vec<TimelineEvent> {
        let instance = self.instance();
        let events = instance.traces.iter().flat_map(|trace| watch::events(&instance, trace));
        let mut events: Vec<_> = events.collect();
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        events
    }

    /// Keeps the hops that the path shown so far has in common with the new path: after an edit,
    /// playback continues from there.
    fn begin(&mut self, before: Option<&mut dyn Watch>, shown: &mut ViewState) -> f64 {
        clear_stale(self, shown);
        let before: Option<&dyn Any> = before.map(|before| &*before as _);
        let before = before.and_then(|before| before.downcast_ref::<Self>());
        before.map_or(0.0, |before| before.hop.min(common_prefix_len(&before.instance(), &self.instance())) as f64)
    }

    fn seek(&mut self, time: f64) {
        self.hop = (time as usize).min(self.length());
    }

    fn fired_rule_line(&self, shown: &ViewState) -> Option<u32> {
        let trace = self.trace(self.explained(shown))?;
        let hop = trace.hops.get((self.hop).checked_sub(1)?)?;
        trace.algorithm.local()?.user_routing()?.line(hop.rule.user_rule()?)
    }

    fn draw(&self, _panel: usize, size: Size, shown: &ViewState) -> Option<Scene> {
        let places = self.places(size)?;
        Some(picture::draw(&mut self.instance(), &places, self.frame(size, shown)))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, shown: &ViewState) -> Option<HitId> {
        let places = self.places(size)?;
        let cell = &self.instance().cell;
        picture::hit(&self.frame(size, shown), &places, cell.cube, cell.ends.to, point, touch).map(NetworkElement::code)
    }

    fn position(&self, size: Size, place: HitId, shown: &ViewState) -> Option<Point> {
        let place = self.places(size)?.get(NetworkElement::from_code(place).node())?;
        Some(self.frame(size, shown).to_pixels(place))
    }

    fn neighbor(&self, size: Size, place: Option<HitId>, step: (i8, i8)) -> Option<HitId> {
        let places = self.places(size)?;
        let here =
            place.map(|place| NetworkElement::from_code(place).node()).filter(|&node| places.get(node).is_some());
        let next = here.map(|node| places.toward(node, Point::new(step.0.into(), step.1.into()), size.aspect()));
        Some(next.unwrap_or(self.instance().cell.ends.from).0)
    }

    fn followed_csv(&self, shown: &ViewState) -> Option<String> {
        let trace = self.trace(self.explained(shown))?;
        Some(files::trace_csv(&self.experiment, &mut self.instance(), &trace))
    }

    fn contains(&self, place: HitId) -> bool {
        // Uses only the experiment: the instance may be borrowed during this call.
        let (cube, spot) = (self.experiment.network.cube(), NetworkElement::from_code(place));
        let has = |cube: Hypercube| {
            cube.contains(spot.node()) && !matches!(spot, NetworkElement::Link(link) if link.dim >= cube.dimension())
        };
        cube.is_some_and(has)
    }
}
