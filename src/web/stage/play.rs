//! What is watched on its canvases, whatever its kind: time that runs, stands and is scrubbed; what is under the pointer.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::HtmlCanvasElement;
use yew::{Callback, NodeRef};

use super::canvas;
use crate::report::picture::geometry::{Point, Size};
use crate::report::picture::scene::Scene;
use crate::report::watch::{Place, Shown, Thing, Watch};
use crate::web::dom;
use crate::web::player::Player;

/// How long a frame computes at most, and how often those around are told while time runs, in milliseconds.
const WORK: f64 = 6.0;
const NEWS: f64 = 160.0;

/// How long pictures are painted in a frame, in milliseconds: what is not painted then is in the next one.
const PAINT: f64 = 15.0;

/// How long time stands between jerks for those who do not like motion, in milliseconds.
const JERK: f64 = 500.0;

/// The largest magnification.
const NEAREST: f64 = 8.0;

/// What is watched, shared with the components around.
pub(crate) type Played = Rc<RefCell<dyn Watch>>;

/// What the controls around the stage need to know; changes whenever they have something new to show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tick {
    /// Counts what has become known.
    known: u32,
    time: f64,
    /// What a person has chosen to see.
    pub(crate) shown: Shown,
    /// The speed that a person has chosen, a power of 2.
    pub(crate) speed: Option<f64>,
}

#[derive(Default)]
struct Inner {
    canvases: Vec<NodeRef>,
    watch: Option<Played>,
    /// Where time is to go as soon as it is known.
    goal: Option<f64>,
    /// Whether there is something to compute, and whether something was computed since those around were told.
    busy: bool,
    learned: bool,
    hidden: bool,
    /// Whether time goes in jerks, for those who do not like motion.
    calm: bool,
    last: Option<f64>,
    /// Where a pointer that drags a picture was last, and how far it has come: a click at the end of that means nothing.
    drag: Option<Point>,
    dragged: f64,
    /// What is being moved, from one place to another.
    held: Option<Place>,
    /// How long the last pictures took, when they were painted, and when those around were told.
    cost: f64,
    painted: f64,
    told: f64,
    /// The panel that is painted next, how long those before it took, and whether something has changed since the first.
    panel: usize,
    spent: f64,
    stale: bool,
    frame: Option<AnimationFrame>,
    now: Tick,
}

/// The stage. Clones are handles of the same one.
#[derive(Clone)]
pub(crate) struct Stage {
    inner: Rc<RefCell<Inner>>,
    changed: Callback<Tick>,
}

impl Stage {
    /// An empty stage that tells `changed` what is new.
    pub(crate) fn new(changed: Callback<Tick>) -> Self {
        let calm = dom::media("(prefers-reduced-motion: reduce)");
        Self { inner: Rc::new(RefCell::new(Inner { calm, busy: true, ..Inner::default() })), changed }
    }

    /// Shows `watch` on these canvases, in place of what was shown.
    pub(crate) fn show(&self, watch: Option<Played>, canvases: Vec<NodeRef>) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let before = std::mem::replace(&mut inner.watch, watch);
            (inner.canvases, inner.busy, inner.now.shown.part) = (canvases, true, 0.0);
            if inner.watch.is_none() {
                // Nobody looks: whatever was to be painted is not, and nothing asks for another frame.
                *inner = Inner { calm: inner.calm, now: inner.now, ..Inner::default() };
                inner.now.shown.playing = false;
                return;
            }
            if let Some(watch) = &inner.watch {
                let old = before.as_ref().map(|before| before.borrow());
                let start = watch.borrow_mut().begin(old.as_deref(), &mut inner.now.shown);
                // Who has seen how it ends sees how it ends now, from where the two part.
                let seen = old.is_some_and(|old| old.now() >= old.end());
                let more = seen && start < watch.borrow().end();
                inner.now.shown.playing |= more && !inner.calm;
                let start = if more && inner.calm { f64::INFINITY } else { start };
                inner.goal = Some(inner.goal.filter(|_| before.is_some()).unwrap_or(start));
            }
        }
        self.repaint();
    }

    /// Changes what is shown.
    pub(crate) fn set(&self, change: impl FnOnce(&mut Shown)) {
        change(&mut self.inner.borrow_mut().now.shown);
        self.repaint();
    }

    /// What is shown.
    pub(crate) fn shown(&self) -> Shown {
        self.inner.borrow().now.shown
    }

    pub(crate) fn set_focus(&self, focus: Option<(usize, Place)>) {
        if self.shown().focus != focus {
            self.set(|shown| shown.focus = focus);
        }
    }

    /// Lights up what words mean.
    pub(crate) fn aim(&self, thing: Option<(usize, Thing)>) {
        let (focus, pointed) = match thing {
            Some((panel, Thing::Place(place))) => (Some((panel, place)), None),
            Some((panel, Thing::Message(number))) => (None, Some((panel, number))),
            None => (None, None),
        };
        self.set(|shown| (shown.focus, shown.pointed) = (focus, pointed));
    }

    /// Moves the focus to a place, and magnified pictures with it.
    pub(crate) fn go_to(&self, panel: usize, place: Option<Place>) {
        if let Some(place) = place {
            self.set(|shown| {
                shown.look_at(Some(place));
                shown.focus = Some((panel, place));
            });
        }
    }

    /// Moves the focus to the right and down; from nowhere, to where one begins.
    pub(crate) fn move_focus(&self, panel: usize, step: (i8, i8)) {
        let next = {
            let inner = self.inner.borrow();
            let here = inner.now.shown.focus_in(panel);
            inner.size(panel).and_then(|size| inner.watch.as_ref()?.borrow().toward(size, here, step))
        };
        self.go_to(panel, next);
    }

    /// What is at a point of a canvas, in CSS pixels.
    pub(crate) fn hit(&self, panel: usize, point: Point, touch: bool) -> Option<Place> {
        let inner = self.inner.borrow();
        inner.watch.as_ref()?.borrow().hit(inner.size(panel)?, point, touch, &inner.now.shown)
    }

    /// The size of a canvas, if it can be seen.
    pub(crate) fn size(&self, panel: usize) -> Option<Size> {
        self.inner.borrow().size(panel)
    }

    /// Magnifies the pictures, around what is in focus, else around the message that is followed.
    pub(crate) fn zoom(&self, factor: f64) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let followed = || inner.watch.as_ref()?.borrow().followed(&inner.now.shown);
            let middle = inner.now.shown.focus.map(|focus| focus.1).or_else(followed);
            let shown = &mut inner.now.shown;
            if shown.zoom == 1.0 {
                shown.look_at(middle);
            }
            shown.zoom = (shown.zoom * factor).clamp(1.0, NEAREST);
        }
        self.repaint();
    }

    /// Drags along with the pointer; `None` lets go. Whether there is anything to drag.
    pub(crate) fn drag(&self, panel: usize, point: Option<Point>) -> bool {
        let before = {
            let inner = &mut *self.inner.borrow_mut();
            if point.is_none() {
                inner.dragged = 0.0;
            }
            std::mem::replace(&mut inner.drag, point)
        };
        let (Some(a), Some(b)) = (before, point) else { return false };
        let by = b - a;
        let moved = a != b && self.drag_by(panel, by);
        if moved {
            self.inner.borrow_mut().dragged += by.x.abs() + by.y.abs();
        }
        moved
    }

    /// Drags by so many pixels; whether there is anything to drag.
    pub(crate) fn drag_by(&self, panel: usize, by: Point) -> bool {
        let moved = {
            let inner = &mut *self.inner.borrow_mut();
            let shown = &mut inner.now.shown;
            let size = inner.canvases.get(panel).and_then(size_of);
            size.zip(inner.watch.as_ref()).is_some_and(|(size, watch)| watch.borrow().drag(size, by, shown))
        };
        if moved {
            self.repaint();
        }
        moved
    }

    /// Takes up what is at a place, to be moved; `None` lets go of it. What was held.
    pub(crate) fn hold(&self, place: Option<Place>) -> Option<Place> {
        std::mem::replace(&mut self.inner.borrow_mut().held, place)
    }

    /// Has the click that follows mean nothing, for it is the end of a drag.
    pub(crate) fn has_dragged(&self) {
        self.inner.borrow_mut().dragged = f64::INFINITY;
    }

    /// Whether a click is the end of a drag.
    pub(crate) fn was_dragged(&self) -> bool {
        std::mem::take(&mut self.inner.borrow_mut().dragged) > 5.0
    }

    /// Whether the pictures can be turned.
    pub(crate) fn turns(&self) -> bool {
        let inner = self.inner.borrow();
        inner.watch.as_ref().is_some_and(|watch| watch.borrow().turns(&inner.now.shown))
    }

    /// The pictures as they are now, beside each other.
    pub(crate) fn scene(&self) -> Option<Scene> {
        let inner = self.inner.borrow();
        let watch = inner.watch.as_ref()?.borrow();
        if watch.is_shared() {
            return inner.scene(0);
        }
        let names = watch.names();
        let all = names.iter().enumerate();
        Some(Scene::row(all.filter_map(|(i, name)| Some((name.clone(), inner.scene(i)?))).collect()))
    }

    fn ask_for_frame(&self) {
        if self.inner.borrow().frame.is_none() {
            let stage = self.clone();
            let frame = request_animation_frame(move |now| stage.on_frame(now));
            self.inner.borrow_mut().frame = Some(frame);
        }
    }

    fn on_frame(&self, now: f64) {
        let (again, news) = {
            let inner = &mut *self.inner.borrow_mut();
            inner.frame = None;
            let was_busy = inner.busy;
            inner.advance(now);
            inner.work();
            let under_way = inner.busy || inner.now.shown.playing || inner.goal.is_some();
            let again = under_way && !inner.hidden && inner.watch.is_some();
            // Large networks take long to paint: they are painted less often, so that the page stays quick.
            let again = if !again || inner.panel > 0 || now - inner.painted > 3.0 * inner.cost {
                inner.paint(now) | again
            } else {
                again
            };
            let due = !again || now - inner.told > NEWS;
            inner.learned |= inner.busy || was_busy;
            if due {
                inner.told = now;
                inner.now.known = inner.now.known.wrapping_add(u32::from(std::mem::take(&mut inner.learned)));
            }
            // Whoever has shown nothing is gone.
            let news = inner.news().filter(|_| due);
            (again, news)
        };
        if again {
            self.ask_for_frame();
        }
        if let Some(news) = news {
            self.changed.emit(news);
        }
    }
}

impl Player for Stage {
    fn play(&self, playing: bool) {
        {
            let inner = &mut *self.inner.borrow_mut();
            if let Some(watch) = inner.watch.as_ref().filter(|_| playing && !inner.busy && inner.goal.is_none()) {
                let watch = &mut *watch.borrow_mut();
                if watch.now() >= watch.end() {
                    watch.seek(0.0);
                }
            }
            (inner.now.shown.playing, inner.last) = (playing, None);
        }
        self.repaint();
    }

    fn toggle_play(&self) {
        self.play(!self.shown().playing);
    }

    fn step(&self, forward: bool) {
        let time = {
            let inner = self.inner.borrow();
            let Some(watch) = inner.watch.as_ref().map(|watch| watch.borrow()) else { return };
            // From where time is on its way to: keys may come faster than frames.
            let from = inner.goal.unwrap_or(watch.now() + inner.now.shown.part).min(watch.end());
            if forward { watch.next(from) } else { Some(watch.previous(from)) }
        };
        if let Some(time) = time {
            self.seek(time);
        }
    }

    fn seek(&self, place: f64) {
        {
            let inner = &mut *self.inner.borrow_mut();
            (inner.now.shown.playing, inner.now.shown.part, inner.goal) = (false, 0.0, Some(place));
        }
        self.repaint();
    }

    fn set_speed(&self, speed: f64) {
        self.inner.borrow_mut().now.speed = Some(speed);
        self.repaint();
    }

    fn set_visible(&self, visible: bool) {
        self.inner.borrow_mut().hidden = !visible;
        if visible {
            self.repaint();
        }
    }

    /// Draws soon: once, however often it is asked before the next frame.
    fn repaint(&self) {
        self.inner.borrow_mut().stale = true;
        self.ask_for_frame();
    }
}

/// The size of a canvas, if it can be seen.
fn size_of(canvas: &NodeRef) -> Option<Size> {
    let size = canvas::size(&canvas.cast::<HtmlCanvasElement>()?);
    (size.width > 1.0 && size.height > 1.0).then_some(size)
}

impl Inner {
    /// Lets time run until `now`, in milliseconds. A long pause between frames does not count: the tab was hidden.
    fn advance(&mut self, now: f64) {
        let Some(watch) = &self.watch else { return };
        let watch = &mut *watch.borrow_mut();
        let passed = now - self.last.unwrap_or(now);
        let shown = &mut self.now.shown;
        if let Some(goal) = self.goal {
            watch.seek(goal);
        } else if shown.playing && watch.is_there() && (!self.calm || self.last.is_none() || passed >= JERK) {
            let (clock, most) = (watch.clock(), if self.calm { 2.0 * JERK } else { 100.0 });
            let by = passed.clamp(0.0, most) / 1000.0 * libm::exp2(self.now.speed.unwrap_or(clock.speed));
            let on = if clock.whole { libm::floor(shown.part + by) } else { by };
            shown.part = if clock.whole { shown.part + by - on } else { 0.0 };
            let until = watch.now() + on;
            let stop = watch.stop(until);
            shown.playing = stop.is_none();
            if on > 0.0 {
                watch.seek(stop.unwrap_or(until));
            }
            self.last = Some(now);
        } else if !self.calm {
            self.last = Some(now);
        }
    }

    /// Computes for a part of a frame.
    fn work(&mut self) {
        let Some(watch) = &self.watch else { return };
        let (watch, start) = (&mut *watch.borrow_mut(), dom::now());
        let mut more = true;
        while more && dom::now() - start < WORK {
            more = watch.work();
        }
        if self.goal.is_some_and(|goal| watch.now() >= goal || !more) {
            // What was still unknown is known now.
            watch.seek(self.goal.take().unwrap_or_default());
        }
        let shown = &mut self.now.shown;
        if !more && watch.now() >= watch.end() {
            shown.playing = false;
        }
        // What is drawn between two steps stays when time stands; what is not, passes.
        if watch.now() >= watch.end() || !shown.playing && !watch.is_shared() {
            shown.part = 0.0;
        }
        self.busy = more || !watch.is_there();
        if self.goal.is_none() {
            watch.follow(shown);
        }
    }

    /// Paints the pictures, or as many as there is time for. Whether there is more to be painted.
    fn paint(&mut self, now: f64) -> bool {
        let start = dom::now();
        let passed = || dom::now() - start;
        if self.panel == 0 {
            self.stale = false;
        }
        while self.panel < self.canvases.len() && passed() < PAINT {
            let canvas = self.canvases[self.panel].cast::<HtmlCanvasElement>();
            if let (Some(canvas), Some(scene)) = (canvas, self.scene(self.panel)) {
                canvas::paint(&canvas, &scene, dom::pixel_ratio());
            }
            self.panel += 1;
        }
        self.spent += passed();
        if self.panel < self.canvases.len() {
            return true;
        }
        (self.cost, self.painted) = (std::mem::take(&mut self.spent), now);
        self.panel = 0;
        std::mem::take(&mut self.stale)
    }

    fn size(&self, panel: usize) -> Option<Size> {
        size_of(self.canvases.get(panel)?)
    }

    fn scene(&self, panel: usize) -> Option<Scene> {
        let part = if self.calm { 0.0 } else { self.now.shown.part };
        self.watch.as_ref()?.borrow().draw(panel, self.size(panel)?, &Shown { part, ..self.now.shown })
    }

    /// What those around are told, who care for whole steps.
    fn news(&self) -> Option<Tick> {
        let time = self.watch.as_ref()?.borrow().now();
        Some(Tick { time, shown: Shown { part: 0.0, ..self.now.shown }, ..self.now })
    }
}
