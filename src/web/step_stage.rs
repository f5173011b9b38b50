//! What is watched step by step, on several canvases: hops or cycles that run, stand and are scrubbed; what is under the
//! pointer.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::HtmlCanvasElement;
use yew::{Callback, NodeRef};

use super::player::Player;
use super::{canvas, dom};
use crate::report::scene::Scene;

/// How long a frame computes at most, and how often those around are told of what becomes known, in milliseconds.
const WORK: f64 = 6.0;
const NEWS: f64 = 200.0;

/// A place in a picture, such as a node, by a number of its own.
pub(super) type Spot = u64;

/// Compared algorithms that go step by step, each in its panel.
pub(super) trait Steps {
    /// The algorithms' names, a panel each.
    fn names(&self) -> Vec<&'static str>;

    /// The steps that have passed.
    fn now(&self) -> u32;

    /// The step that is shown first.
    fn opening(&self) -> u32 {
        0
    }

    /// When nothing moves any more, as far as is known.
    fn end(&self) -> u32;

    /// Looks ahead a little for what is not known yet; whether there is more to come.
    fn work(&mut self) -> bool {
        false
    }

    /// Goes to a step, at most the end.
    fn seek(&mut self, step: u32);

    /// The picture of a panel.
    fn draw(&self, panel: usize, size: (f64, f64), shown: &StepTick) -> Option<Scene>;

    /// What is at a point of a picture.
    fn hit(&self, size: (f64, f64), point: (f64, f64), touch: bool) -> Option<Spot>;

    /// The place next to one, to the right and down by so many; where one begins, for `None`.
    fn toward(&self, size: (f64, f64), spot: Option<Spot>, step: (i8, i8)) -> Spot;

    /// Whether there is such a place.
    fn has(&self, spot: Spot) -> bool;
}

/// What is watched, shared with the components around.
pub(super) type Watched = Rc<RefCell<dyn Steps>>;

/// What the controls around the stage need to know; changes whenever they have something new to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StepTick {
    /// Counts what has become known.
    pub(super) known: u32,
    /// The hop or cycle.
    pub(super) time: u32,
    /// Whether time runs.
    pub(super) playing: bool,
    /// The panel and its place in focus.
    pub(super) focus: Option<(usize, Spot)>,
    /// The panel that a person has asked to explain.
    pub(super) asked: usize,
    /// Hops or cycles per second, as a power of 2.
    pub(super) speed: f64,
    /// Whether congestion is shown.
    pub(super) heat: bool,
    /// The message that is followed, where the experiment does not say it.
    pub(super) message: u32,
    /// The step of what was built beforehand that is shown instead.
    pub(super) built: Option<usize>,
}

impl Default for StepTick {
    fn default() -> Self {
        Self {
            known: 0,
            time: 0,
            playing: false,
            focus: None,
            asked: 0,
            speed: 1.5,
            heat: true,
            message: 0,
            built: None,
        }
    }
}

struct Inner {
    canvases: Vec<NodeRef>,
    watch: Option<Watched>,
    /// The part of a hop or cycle that has passed.
    part: f64,
    visible: bool,
    last: Option<f64>,
    frame: Option<AnimationFrame>,
    /// Whether something is still looked for, and when those around were told of it.
    busy: bool,
    told: f64,
    now: StepTick,
}

/// The stage. Clones are handles of the same one.
#[derive(Clone)]
pub(super) struct StepStage {
    inner: Rc<RefCell<Inner>>,
    changed: Callback<StepTick>,
}

impl StepStage {
    pub(super) fn new(changed: Callback<StepTick>) -> Self {
        let inner = Inner {
            canvases: Vec::new(),
            watch: None,
            part: 0.0,
            visible: true,
            last: None,
            frame: None,
            busy: false,
            told: 0.0,
            now: StepTick::default(),
        };
        Self { inner: Rc::new(RefCell::new(inner)), changed }
    }

    /// Shows `watch` on these canvases, at the time that is shown now.
    pub(super) fn show(&self, watch: Option<Watched>, canvases: Vec<NodeRef>) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let first = inner.watch.is_none();
            (inner.watch, inner.canvases) = (watch, canvases);
            let panels = inner.canvases.len();
            if let Some(watch) = &inner.watch {
                let watch = &mut *watch.borrow_mut();
                watch.seek(if first { watch.opening() } else { inner.now.time });
                inner.now.time = watch.now();
                inner.now.focus.take_if(|(panel, spot)| *panel >= panels || !watch.has(*spot));
            }
            inner.now.asked = if inner.now.asked < panels { inner.now.asked } else { 0 };
        }
        self.repaint();
    }

    /// Changes what is shown.
    pub(super) fn set(&self, change: impl FnOnce(&mut StepTick)) {
        change(&mut self.inner.borrow_mut().now);
        self.repaint();
    }

    pub(super) fn set_focus(&self, focus: Option<(usize, Spot)>) {
        if self.focus() != focus {
            self.set(|now| now.focus = focus);
        }
    }

    pub(super) fn focus(&self) -> Option<(usize, Spot)> {
        self.inner.borrow().now.focus
    }

    /// What is at a point of a canvas, in CSS pixels.
    pub(super) fn hit(&self, panel: usize, point: (f64, f64), touch: bool) -> Option<Spot> {
        let inner = self.inner.borrow();
        inner.watch.as_ref()?.borrow().hit(inner.size(panel)?, point, touch)
    }

    /// Moves the focus by columns and rows of the picture; from nowhere, to where one begins.
    pub(super) fn move_focus(&self, panel: usize, step: (i8, i8)) {
        let next = {
            let inner = self.inner.borrow();
            let here = inner.now.focus.filter(|focus| focus.0 == panel).map(|focus| focus.1);
            let watch = inner.watch.as_ref().zip(inner.size(panel));
            watch.map(|(watch, size)| (panel, watch.borrow().toward(size, here, step)))
        };
        self.set_focus(next);
    }

    /// The pictures as they are now, beside each other.
    pub(super) fn scene(&self) -> Option<Scene> {
        let inner = self.inner.borrow();
        let names = inner.watch.as_ref()?.borrow().names();
        let all = names.iter().enumerate();
        Some(Scene::row(all.filter_map(|(i, name)| Some(((*name).to_owned(), inner.scene(i)?))).collect()))
    }

    fn on_frame(&self, now: f64) {
        let (again, news) = {
            let inner = &mut *self.inner.borrow_mut();
            inner.frame = None;
            let busy = inner.work(now);
            inner.advance(now, busy);
            for panel in 0..inner.canvases.len() {
                let canvas = inner.canvases[panel].cast::<HtmlCanvasElement>();
                if let (Some(canvas), Some(scene)) = (canvas, inner.scene(panel)) {
                    canvas::paint(&canvas, &scene, dom::pixel_ratio());
                }
            }
            ((inner.now.playing || busy) && inner.visible, inner.watch.is_some().then_some(inner.now))
        };
        if again {
            self.repaint();
        }
        // Whoever has shown nothing is gone.
        if let Some(news) = news {
            self.changed.emit(news);
        }
    }

    fn go(&self, time: u32) {
        {
            let inner = &mut *self.inner.borrow_mut();
            inner.now.playing = false;
            inner.seek(time);
        }
        self.repaint();
    }
}

impl Player for StepStage {
    fn play(&self, playing: bool) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let over = inner.watch.as_ref().is_some_and(|watch| watch.borrow().now() >= watch.borrow().end());
            if playing && over {
                inner.seek(0);
            }
            (inner.now.playing, inner.last, inner.part) = (playing, None, 0.0);
        }
        self.repaint();
    }

    fn toggle_play(&self) {
        let playing = self.inner.borrow().now.playing;
        self.play(!playing);
    }

    fn step(&self, forward: bool) {
        let now = self.inner.borrow().now.time;
        self.go(if forward { now.saturating_add(1) } else { now.saturating_sub(1) });
    }

    fn seek(&self, place: f64) {
        self.go(place as u32);
    }

    fn set_speed(&self, speed: f64) {
        self.set(|now| now.speed = speed);
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
    fn seek(&mut self, time: u32) {
        if let Some(watch) = &self.watch {
            let watch = &mut *watch.borrow_mut();
            watch.seek(time);
            self.now.time = watch.now();
        }
    }

    /// Lets time run until `now`, in milliseconds. A long pause between frames does not count: the tab was hidden.
    fn advance(&mut self, now: f64, busy: bool) {
        if self.now.playing {
            let seconds = (now - self.last.unwrap_or(now)).clamp(0.0, 100.0) / 1000.0;
            self.part += seconds * libm::exp2(self.now.speed);
            let whole = self.part as u32;
            self.part -= f64::from(whole);
            self.seek(self.now.time.saturating_add(whole));
            let end = self.watch.as_ref().map_or(0, |watch| watch.borrow().end());
            self.now.playing = self.now.time < end || busy;
        }
        self.last = Some(now);
    }

    /// Looks ahead for a part of a frame; whether there is more to come.
    fn work(&mut self, now: f64) -> bool {
        let Some(watch) = &self.watch else { return false };
        let (watch, start) = (&mut *watch.borrow_mut(), dom::now());
        let mut busy = watch.work();
        while busy && dom::now() - start < WORK {
            busy = watch.work();
        }
        if busy != self.busy || (busy && now - self.told > NEWS) {
            (self.busy, self.told) = (busy, now);
            self.now.known = self.now.known.wrapping_add(1);
        }
        busy
    }

    fn size(&self, panel: usize) -> Option<(f64, f64)> {
        let size = canvas::size(&self.canvases.get(panel)?.cast::<HtmlCanvasElement>()?);
        (size.0 > 1.0 && size.1 > 1.0).then_some(size)
    }

    fn scene(&self, panel: usize) -> Option<Scene> {
        self.watch.as_ref()?.borrow().draw(panel, self.size(panel)?, &self.now)
    }
}
