//! Networks of circuits on their canvases: time that runs, stands and is scrubbed; what is under the pointer.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::HtmlCanvasElement;
use yew::{Callback, NodeRef};

use super::player::Player;
use super::{canvas, dom};
use crate::experiment::{CircuitWatch, Layout};
use crate::report::circuits::{self, Shown};
use crate::report::cube::{CubePicture, Spot};
use crate::report::layout::Places;
use crate::report::scene::Scene;
use crate::topology::Link;

/// How long a frame computes at most, and how often those around are told while time runs, in milliseconds.
const WORK: f64 = 6.0;
const NEWS: f64 = 160.0;

/// Events between two looks at the clock.
const BUDGET: u32 = 1000;

/// What the controls around the stage need to know; changes whenever they have something new to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tick {
    /// Counts changes.
    pub(super) number: u32,
    /// Whether time runs.
    pub(super) playing: bool,
    /// The network and its node or link in focus.
    pub(super) focus: Option<(usize, Spot)>,
    /// The network and its message that a person has chosen.
    pub(super) chosen: Option<(usize, u64)>,
    /// The network that a person has asked to explain.
    pub(super) asked: Option<usize>,
    /// Mean transmission times per second, as a power of 2.
    pub(super) speed: f64,
}

impl Default for Tick {
    fn default() -> Self {
        Self { number: 0, playing: false, focus: None, chosen: None, asked: None, speed: 1.0 }
    }
}

impl Tick {
    /// The network that is explained: of the chosen message, or asked for, else the first that has come to an end.
    pub(super) fn explained(&self, watch: &CircuitWatch) -> usize {
        let ended = || watch.networks().iter().position(|network| network.circuits().outcome().is_some());
        self.chosen.map(|chosen| chosen.0).or(self.asked).or_else(ended).unwrap_or(0)
    }
}

struct Inner {
    canvases: Vec<NodeRef>,
    watch: Option<Rc<RefCell<CircuitWatch>>>,
    layout: Layout,
    places: Option<((u64, u64), Rc<Places>)>,
    /// Where time is to go as soon as it is known.
    goal: Option<f64>,
    visible: bool,
    /// Whether time goes in jerks, for those who do not like motion.
    calm: bool,
    last: Option<f64>,
    /// How long the last picture took, and when it was painted.
    cost: f64,
    painted: f64,
    spoken: f64,
    frame: Option<AnimationFrame>,
    now: Tick,
}

/// The stage. Clones are handles of the same one.
#[derive(Clone)]
pub(super) struct CircuitStage {
    inner: Rc<RefCell<Inner>>,
    changed: Callback<Tick>,
}

impl CircuitStage {
    pub(super) fn new(changed: Callback<Tick>) -> Self {
        let inner = Inner {
            canvases: Vec::new(),
            watch: None,
            layout: Layout::default(),
            places: None,
            goal: None,
            visible: true,
            calm: dom::media("(prefers-reduced-motion: reduce)"),
            last: None,
            cost: 0.0,
            painted: 0.0,
            spoken: 0.0,
            frame: None,
            now: Tick::default(),
        };
        Self { inner: Rc::new(RefCell::new(inner)), changed }
    }

    /// Shows `watch` on these canvases, at the time that is shown now: an edit forks there.
    pub(super) fn show(&self, watch: Option<Rc<RefCell<CircuitWatch>>>, canvases: Vec<NodeRef>, layout: Layout) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let same = inner.watch.as_ref().zip(watch.as_ref()).is_some_and(|(a, b)| Rc::ptr_eq(a, b));
            if !same {
                let time = inner.watch.as_ref().map_or(0.0, |before| before.borrow().now());
                inner.goal = Some(inner.goal.unwrap_or(time)).filter(|&time| time > 0.0);
                let cube = watch.as_ref().map(|watch| watch.borrow().cell.cube);
                let panels = canvases.len();
                inner.now.focus.take_if(|(panel, spot)| {
                    let Link { from, dim } = match *spot {
                        Spot::Node(from) => Link { from, dim: 0 },
                        Spot::Link(link) => link,
                    };
                    *panel >= panels || cube.is_none_or(|cube| !cube.contains(from) || dim >= cube.dimension())
                });
                inner.now.chosen.take_if(|(panel, _)| *panel >= panels);
                inner.now.asked.take_if(|panel| *panel >= panels);
                inner.watch = watch;
            }
            (inner.canvases, inner.layout, inner.places) = (canvases, layout, None);
        }
        self.repaint();
    }

    fn watch(&self) -> Option<Rc<RefCell<CircuitWatch>>> {
        self.inner.borrow().watch.clone()
    }

    pub(super) fn set_focus(&self, focus: Option<(usize, Spot)>) {
        if self.inner.borrow().now.focus != focus {
            self.inner.borrow_mut().now.focus = focus;
            self.repaint();
        }
    }

    pub(super) fn focus(&self) -> Option<(usize, Spot)> {
        self.inner.borrow().now.focus
    }

    /// Follows a message.
    pub(super) fn choose(&self, chosen: Option<(usize, u64)>) {
        self.inner.borrow_mut().now.chosen = chosen;
        self.repaint();
    }

    /// Explains a network.
    pub(super) fn ask(&self, panel: usize) {
        {
            let now = &mut self.inner.borrow_mut().now;
            (now.asked, now.chosen) = (Some(panel), None);
        }
        self.repaint();
    }

    /// What is at a point of a canvas, in CSS pixels.
    pub(super) fn hit(&self, panel: usize, point: (f64, f64), touch: bool) -> Option<Spot> {
        let inner = &mut *self.inner.borrow_mut();
        let size = inner.size(panel)?;
        let places = inner.places(size)?;
        let cube = inner.watch.as_ref()?.borrow().cell.cube;
        CubePicture { cube, places: &places, size }.hit(point, touch)
    }

    /// Moves the focus to the nearest node in a direction; from nowhere, to node 0.
    pub(super) fn move_focus(&self, panel: usize, direction: (f64, f64)) {
        let next = {
            let inner = &mut *self.inner.borrow_mut();
            let Some((size, places)) = inner.size(panel).and_then(|size| Some((size, inner.places(size)?))) else {
                return;
            };
            let here = inner.now.focus.filter(|focus| focus.0 == panel).map(|(_, spot)| match spot {
                Spot::Node(node) => node,
                Spot::Link(link) => link.from,
            });
            let first = places.iter().next().map(|place| place.0);
            here.map(|node| places.toward(node, direction, size.1 / size.0.max(1.0))).or(first)
        };
        self.set_focus(next.map(|node| (panel, Spot::Node(node))));
    }

    /// From the node in focus to its first link, from there to the next, from the last back to the node.
    pub(super) fn next_link(&self) {
        let (Some((panel, spot)), Some(watch)) = (self.focus(), self.watch()) else { return };
        let dims = watch.borrow().cell.cube.dimension();
        let next = match spot {
            Spot::Node(from) => Spot::Link(Link { from, dim: 0 }),
            Spot::Link(Link { from, dim }) if dim + 1 < dims => Spot::Link(Link { from, dim: dim + 1 }),
            Spot::Link(link) => Spot::Node(link.from),
        };
        self.set_focus(Some((panel, next)));
    }

    /// The pictures as they are now, beside each other.
    pub(super) fn scene(&self) -> Option<Scene> {
        let inner = &mut *self.inner.borrow_mut();
        let watch = Rc::clone(inner.watch.as_ref()?);
        let watch = watch.borrow();
        let networks = watch.networks().iter().enumerate();
        Some(Scene::row(
            networks.filter_map(|(i, network)| Some((network.algorithm.name.to_owned(), inner.scene(i)?))).collect(),
        ))
    }

    fn on_frame(&self, now: f64) {
        let (again, news) = {
            let inner = &mut *self.inner.borrow_mut();
            inner.frame = None;
            inner.advance(now);
            let busy = inner.work();
            let again = inner.visible && (busy || inner.now.playing || inner.goal.is_some());
            // Large networks take long to paint: they are painted less often, so that the page stays quick.
            if !again || now - inner.painted > 3.0 * inner.cost {
                inner.paint(now);
            }
            let due = !again || now - inner.spoken > NEWS;
            if due {
                inner.spoken = now;
                inner.now.number = inner.now.number.wrapping_add(1);
            }
            (again, due.then_some(inner.now))
        };
        if again {
            self.repaint();
        }
        // Whoever has shown nothing is gone.
        if let Some(news) = news.filter(|_| self.inner.borrow().watch.is_some()) {
            self.changed.emit(news);
        }
    }
}

impl Player for CircuitStage {
    fn play(&self, playing: bool) {
        if let Some(watch) = self.watch().filter(|_| playing) {
            let at_end = watch.borrow().now() >= watch.borrow().end() && watch.borrow().next_event().is_none();
            if at_end && watch.borrow().now() > 0.0 {
                watch.borrow_mut().seek(0.0);
            }
        }
        {
            let inner = &mut *self.inner.borrow_mut();
            (inner.now.playing, inner.last) = (playing, None);
        }
        self.repaint();
    }

    fn toggle_play(&self) {
        let playing = self.inner.borrow().now.playing;
        self.play(!playing);
    }

    /// Goes to a time and stands there; infinity is the end.
    fn seek(&self, time: f64) {
        {
            let inner = &mut *self.inner.borrow_mut();
            (inner.now.playing, inner.goal) = (false, Some(time));
        }
        self.repaint();
    }

    /// To the next or the last event, and stands there.
    fn step(&self, forward: bool) {
        let Some(watch) = self.watch() else { return };
        let time = if forward { watch.borrow().next_event() } else { Some(watch.borrow().previous_event()) };
        if let Some(time) = time {
            self.seek(time);
        }
    }

    /// Sets the speed: a power of 2, in mean transmission times per second.
    fn set_speed(&self, speed: f64) {
        self.inner.borrow_mut().now.speed = speed;
        self.repaint();
    }

    fn set_visible(&self, visible: bool) {
        self.inner.borrow_mut().visible = visible;
        if visible {
            self.repaint();
        }
    }

    /// Draws soon: once, however often it is asked before the next frame.
    fn repaint(&self) {
        if self.inner.borrow().frame.is_none() {
            let stage = self.clone();
            let frame = request_animation_frame(move |now| stage.on_frame(now));
            self.inner.borrow_mut().frame = Some(frame);
        }
    }
}

impl Inner {
    fn size(&self, panel: usize) -> Option<(f64, f64)> {
        let size = canvas::size(&self.canvases.get(panel)?.cast::<HtmlCanvasElement>()?);
        Some(size).filter(|size| size.0 > 1.0 && size.1 > 1.0)
    }

    /// Lets time run until `now`, in milliseconds. A long pause between frames does not count: the tab was hidden.
    fn advance(&mut self, now: f64) {
        let Some(watch) = self.watch.clone() else { return };
        let watch = &mut *watch.borrow_mut();
        let passed = now - self.last.unwrap_or(now);
        if let Some(goal) = self.goal {
            watch.seek(goal);
        } else if self.now.playing && watch.is_there() && (!self.calm || self.last.is_none() || passed >= 500.0) {
            let limit = if self.calm { 1000.0 } else { 100.0 };
            let time = watch.now() + passed.clamp(0.0, limit) / 1000.0 * libm::exp2(self.now.speed);
            watch.seek(time);
            self.last = Some(now);
        } else if !self.calm {
            self.last = Some(now);
        }
    }

    /// Computes for a part of a frame; whether there is more to do.
    fn work(&mut self) -> bool {
        let Some(watch) = self.watch.clone() else { return false };
        let watch = &mut *watch.borrow_mut();
        let start = dom::now();
        let mut busy = true;
        while busy && dom::now() - start < WORK {
            busy = watch.work(BUDGET);
        }
        if self.goal.is_some_and(|goal| watch.now() >= goal || !busy) {
            // What was still unknown is known now.
            watch.seek(self.goal.take().unwrap_or_default());
        }
        if !busy && watch.now() >= watch.end() {
            self.now.playing = false;
        }
        busy || !watch.is_there()
    }

    fn paint(&mut self, now: f64) {
        let start = dom::now();
        for panel in 0..self.canvases.len() {
            let canvas = self.canvases[panel].cast::<HtmlCanvasElement>();
            if let (Some(canvas), Some(scene)) = (canvas, self.scene(panel)) {
                canvas::paint(&canvas, &scene, dom::pixel_ratio());
            }
        }
        (self.cost, self.painted) = (dom::now() - start, now);
    }

    /// The places of the nodes; `None` in cubes too large to be drawn.
    fn places(&mut self, size: (f64, f64)) -> Option<Rc<Places>> {
        let key = (size.0.to_bits(), size.1.to_bits());
        if let Some((known, places)) = &self.places
            && *known == key
        {
            return Some(Rc::clone(places));
        }
        let cell = self.watch.as_ref()?.borrow().cell.clone();
        let places = Rc::new(Places::of_cube(cell.cube, cell.ends.to, self.layout, size.1 / size.0.max(1.0))?);
        self.places = Some((key, Rc::clone(&places)));
        Some(places)
    }

    fn scene(&mut self, panel: usize) -> Option<Scene> {
        let size = self.size(panel)?;
        let places = self.places(size);
        let watch = self.watch.as_ref()?.borrow();
        let circuits = watch.networks().get(panel)?.circuits();
        let series = panel as u8;
        let Some(places) = places else { return Some(circuits::draw_bars(circuits, size, series)) };
        let here = |chosen: &(usize, u64)| chosen.0 == panel;
        let alone =
            self.now.chosen.filter(here).is_some_and(|(_, number)| circuits::message(circuits, number).is_some());
        let message = match self.now.chosen {
            Some(chosen) => Some(chosen).filter(here).map(|chosen| chosen.1),
            None => circuits::worth_following(circuits).filter(|_| panel == self.now.explained(&watch)),
        };
        let focus = self.now.focus.filter(|focus| focus.0 == panel).map(|focus| focus.1);
        let picture = CubePicture { cube: circuits.cube(), places: &places, size };
        Some(circuits::draw(circuits, &picture, Shown { series, message, alone, focus }))
    }
}
