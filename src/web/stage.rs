//! The network on its canvas: time that runs, stands and is scrubbed; what is under the pointer.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::HtmlCanvasElement;
use yew::Callback;

use super::player::Player;
use super::{canvas, dom};
use crate::experiment::{Instance, Layout};
use crate::report::layout::Places;
use crate::report::network::{self, Frame};
use crate::report::scene::Scene;
use crate::topology::NodeId;

/// What the controls around the stage need to know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    /// Whole hops made.
    pub(super) hop: usize,
    /// Whether time runs.
    pub(super) playing: bool,
    /// The node in focus.
    pub(super) focus: Option<NodeId>,
    /// Hops per second, as a power of 2.
    pub(super) speed: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { hop: 0, playing: false, focus: None, speed: 1.25 }
    }
}

struct Inner {
    canvas: Option<HtmlCanvasElement>,
    instance: Option<Rc<RefCell<Instance>>>,
    layout: Layout,
    places: Option<((u64, u64), Rc<Places>)>,
    time: f64,
    playing: bool,
    /// Whether the canvas can be seen; time stands while it cannot.
    visible: bool,
    /// Hops per second, as a power of 2.
    speed: f64,
    last: Option<f64>,
    focus: Option<NodeId>,
    frame: Option<AnimationFrame>,
    told: Clock,
}

/// The stage. Clones are handles of the same one.
#[derive(Clone)]
pub(super) struct Stage {
    inner: Rc<RefCell<Inner>>,
    changed: Callback<Clock>,
}

impl Stage {
    /// An empty stage that tells `changed` about whole hops, not frames.
    pub(super) fn new(changed: Callback<Clock>) -> Self {
        let inner = Inner {
            canvas: None,
            instance: None,
            layout: Layout::default(),
            places: None,
            time: 0.0,
            playing: false,
            visible: true,
            speed: Clock::default().speed,
            last: None,
            focus: None,
            frame: None,
            told: Clock::default(),
        };
        Self { inner: Rc::new(RefCell::new(inner)), changed }
    }

    pub(super) fn attach(&self, canvas: Option<HtmlCanvasElement>) {
        self.inner.borrow_mut().canvas = canvas;
        self.repaint();
    }

    /// Shows `instance`. Of the path shown so far, what is the same stays made: an edit in the past forks there.
    pub(super) fn show(&self, instance: Rc<RefCell<Instance>>, layout: Layout) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let same = inner.instance.as_ref().map_or(0, |before| common_hops(&before.borrow(), &instance.borrow()));
            let same_instance = inner.instance.as_ref().is_some_and(|before| Rc::ptr_eq(before, &instance));
            if !same_instance {
                inner.time = inner.time.min(same as f64);
                inner.instance = Some(instance);
            }
            inner.layout = layout;
            inner.places = None;
            let cube = inner.instance.as_ref().map(|instance| instance.borrow().cell.cube);
            inner.focus.take_if(|node| cube.is_some_and(|cube| !cube.contains(*node)));
        }
        self.repaint();
    }

    pub(super) fn set_focus(&self, focus: Option<NodeId>) {
        if self.inner.borrow().focus != focus {
            self.inner.borrow_mut().focus = focus;
            self.repaint();
        }
    }

    pub(super) fn focus(&self) -> Option<NodeId> {
        self.inner.borrow().focus
    }

    /// The node at a point of the canvas, in CSS pixels.
    pub(super) fn node_at(&self, point: (f64, f64), touch: bool) -> Option<NodeId> {
        let inner = &mut *self.inner.borrow_mut();
        let size = canvas::size(inner.canvas.as_ref()?);
        let places = inner.places(size)?;
        let reach = (network::node_radius(size, &places) + if touch { 14.0 } else { 5.0 }) / size.0.max(1.0);
        places.nearest(network::from_pixels(size, point), reach, size.1 / size.0.max(1.0))
    }

    /// Moves the focus to the nearest node in a direction; from nowhere, to the source.
    pub(super) fn move_focus(&self, (dx, dy): (f64, f64)) {
        let next = {
            let inner = &mut *self.inner.borrow_mut();
            let Some(size) = inner.canvas.as_ref().map(canvas::size) else { return };
            let Some(places) = inner.places(size) else { return };
            let source = inner.instance.as_ref().map(|instance| instance.borrow().cell.ends.from);
            let here = inner.focus.filter(|&node| places.get(node).is_some());
            here.map(|node| places.toward(node, (dx, dy), size.1 / size.0.max(1.0))).or(source)
        };
        self.set_focus(next);
    }

    /// The picture as it is now.
    pub(super) fn scene(&self) -> Option<Scene> {
        let inner = &mut *self.inner.borrow_mut();
        let size = canvas::size(inner.canvas.as_ref()?);
        inner.scene(size)
    }

    fn on_frame(&self, now: f64) {
        let again = {
            let inner = &mut *self.inner.borrow_mut();
            inner.frame = None;
            inner.advance(now);
            if let Some(canvas) = inner.canvas.clone() {
                let size = canvas::size(&canvas);
                if size.0 > 1.0
                    && size.1 > 1.0
                    && let Some(scene) = inner.scene(size)
                {
                    canvas::paint(&canvas, &scene, dom::pixel_ratio());
                }
            }
            inner.playing && inner.visible
        };
        if again {
            self.repaint();
        } else {
            self.tell();
        }
    }

    fn tell(&self) {
        let clock = {
            let inner = &mut *self.inner.borrow_mut();
            let clock =
                Clock { hop: inner.time as usize, playing: inner.playing, focus: inner.focus, speed: inner.speed };
            if clock == inner.told {
                return;
            }
            inner.told = clock;
            clock
        };
        self.changed.emit(clock);
    }
}

impl Player for Stage {
    fn play(&self, playing: bool) {
        {
            let inner = &mut *self.inner.borrow_mut();
            if playing && inner.time >= inner.length() as f64 {
                inner.time = 0.0;
            }
            inner.playing = playing;
            inner.last = None;
        }
        self.repaint();
    }

    fn toggle_play(&self) {
        let playing = self.inner.borrow().playing;
        self.play(!playing);
    }

    /// Goes to a whole hop and stands there.
    fn seek(&self, hop: f64) {
        {
            let inner = &mut *self.inner.borrow_mut();
            inner.playing = false;
            inner.time = hop.floor().min(inner.length() as f64);
        }
        self.repaint();
    }

    /// One hop forward or back, and stands there.
    fn step(&self, forward: bool) {
        let time = self.inner.borrow().time;
        self.seek(if forward { time.floor() + 1.0 } else { (time.ceil() - 1.0).max(0.0) });
    }

    fn set_speed(&self, speed: f64) {
        self.inner.borrow_mut().speed = speed;
        self.tell();
    }

    fn set_visible(&self, visible: bool) {
        self.inner.borrow_mut().visible = visible;
        if visible {
            self.repaint();
        }
    }

    /// Draws soon: once, however often it is asked before the next frame.
    fn repaint(&self) {
        let waiting = self.inner.borrow().frame.is_some();
        if !waiting {
            let stage = self.clone();
            let frame = request_animation_frame(move |now| stage.on_frame(now));
            self.inner.borrow_mut().frame = Some(frame);
        }
        self.tell();
    }
}

impl Inner {
    fn length(&self) -> usize {
        let traces = self
            .instance
            .as_ref()
            .map(|instance| instance.borrow().traces.iter().map(|trace| trace.hops.len()).max().unwrap_or(0));
        traces.unwrap_or(0)
    }

    /// Lets time run until `now`, in milliseconds. A long pause between frames does not count: the tab was hidden.
    fn advance(&mut self, now: f64) {
        if self.playing {
            let seconds = (now - self.last.unwrap_or(now)).clamp(0.0, 100.0) / 1000.0;
            let end = self.length() as f64;
            self.time = (self.time + seconds * libm::exp2(self.speed)).min(end);
            self.playing = self.time < end;
        }
        self.last = Some(now);
    }

    fn places(&mut self, size: (f64, f64)) -> Option<Rc<Places>> {
        let key = (size.0.to_bits(), size.1.to_bits());
        if let Some((known, places)) = &self.places
            && *known == key
        {
            return Some(Rc::clone(places));
        }
        let aspect = size.1 / size.0.max(1.0);
        let places = Rc::new(Places::new(&self.instance.as_ref()?.borrow(), self.layout, aspect));
        self.places = Some((key, Rc::clone(&places)));
        Some(places)
    }

    fn scene(&mut self, size: (f64, f64)) -> Option<Scene> {
        let places = self.places(size)?;
        let frame = Frame { size, time: self.time, focus: self.focus };
        Some(network::draw(&mut self.instance.as_ref()?.borrow_mut(), &places, frame))
    }
}

/// The number of hops that the first messages of both instances have in common.
fn common_hops(before: &Instance, after: &Instance) -> usize {
    let (Some(a), Some(b)) = (before.traces.first(), after.traces.first()) else { return 0 };
    if before.cell.ends != after.cell.ends || before.cell.cube != after.cell.cube {
        return 0;
    }
    a.hops.iter().zip(&b.hops).take_while(|(a, b)| a == b).count()
}
