//! A whole permutation on its canvases: hops or cycles that run, stand and are scrubbed; what is under the pointer.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::HtmlCanvasElement;
use yew::{Callback, NodeRef};

use super::player::Player;
use super::{canvas, dom};
use crate::experiment::RelationWatch;
use crate::report::relation_batch::made;
use crate::report::relation_told;
use crate::report::scene::Scene;
use crate::report::squares::SquaresPicture;
use crate::report::squares_scene::{self, BatchShown, RouteShown, SquaresShown};
use crate::topology::NodeId;

/// What the controls around the stage need to know; changes whenever they have something new to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RelationTick {
    /// The hop or cycle.
    pub(super) time: u32,
    /// Whether time runs.
    pub(super) playing: bool,
    /// The panel and its node in focus.
    pub(super) focus: Option<(usize, NodeId)>,
    /// The panel that a person has asked to explain.
    pub(super) asked: usize,
    /// Hops or cycles per second, as a power of 2.
    pub(super) speed: f64,
    /// Whether congestion is shown.
    pub(super) heat: bool,
}

impl Default for RelationTick {
    fn default() -> Self {
        Self { time: 0, playing: false, focus: None, asked: 0, speed: 1.5, heat: true }
    }
}

struct Inner {
    canvases: Vec<NodeRef>,
    watch: Option<Rc<RefCell<RelationWatch>>>,
    /// The part of a hop or cycle that has passed.
    part: f64,
    visible: bool,
    last: Option<f64>,
    frame: Option<AnimationFrame>,
    now: RelationTick,
}

/// The stage. Clones are handles of the same one.
#[derive(Clone)]
pub(super) struct RelationStage {
    inner: Rc<RefCell<Inner>>,
    changed: Callback<RelationTick>,
}

impl RelationStage {
    pub(super) fn new(changed: Callback<RelationTick>) -> Self {
        let inner = Inner {
            canvases: Vec::new(),
            watch: None,
            part: 0.0,
            visible: true,
            last: None,
            frame: None,
            now: RelationTick::default(),
        };
        Self { inner: Rc::new(RefCell::new(inner)), changed }
    }

    /// Shows `watch` on these canvases, at the time that is shown now.
    pub(super) fn show(&self, watch: Option<Rc<RefCell<RelationWatch>>>, canvases: Vec<NodeRef>) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let first = inner.watch.is_none();
            (inner.watch, inner.canvases) = (watch, canvases);
            let panels = inner.canvases.len();
            if let Some(watch) = &inner.watch {
                let watch = &mut *watch.borrow_mut();
                let cube = watch.instance.cell.cube;
                // One sees at once where the message goes; worms are watched from the start.
                let time = if first && !watch.is_batch() { u32::MAX } else { inner.now.time };
                watch.seek(time);
                inner.now.time = watch.now();
                inner.now.focus.take_if(|(panel, node)| *panel >= panels || !cube.contains(*node));
            }
            inner.now.asked = if inner.now.asked < panels { inner.now.asked } else { 0 };
        }
        self.repaint();
    }

    /// Changes what is shown.
    pub(super) fn set(&self, change: impl FnOnce(&mut RelationTick)) {
        change(&mut self.inner.borrow_mut().now);
        self.repaint();
    }

    pub(super) fn set_focus(&self, focus: Option<(usize, NodeId)>) {
        if self.focus() != focus {
            self.set(|now| now.focus = focus);
        }
    }

    pub(super) fn focus(&self) -> Option<(usize, NodeId)> {
        self.inner.borrow().now.focus
    }

    /// The node at a point of a canvas, in CSS pixels.
    pub(super) fn hit(&self, panel: usize, point: (f64, f64), touch: bool) -> Option<NodeId> {
        self.inner.borrow().picture(panel)?.hit(point, touch)
    }

    /// Moves the focus by columns and rows of the picture; from nowhere, to node 0.
    pub(super) fn move_focus(&self, panel: usize, step: (i8, i8)) {
        let next = {
            let inner = self.inner.borrow();
            let here = inner.now.focus.filter(|focus| focus.0 == panel).map(|focus| focus.1);
            inner.picture(panel).map(|picture| here.map_or(NodeId(0), |node| picture.toward(node, step)))
        };
        self.set_focus(next.map(|node| (panel, node)));
    }

    /// The pictures as they are now, beside each other.
    pub(super) fn scene(&self) -> Option<Scene> {
        let inner = self.inner.borrow();
        let watch = inner.watch.as_ref()?.borrow();
        let series = watch.instance.series.iter().enumerate();
        Some(Scene::row(
            series.filter_map(|(i, series)| Some((series.algorithm.name.to_owned(), inner.scene(i)?))).collect(),
        ))
    }

    fn on_frame(&self, now: f64) {
        let (again, news) = {
            let inner = &mut *self.inner.borrow_mut();
            inner.frame = None;
            inner.advance(now);
            for panel in 0..inner.canvases.len() {
                let canvas = inner.canvases[panel].cast::<HtmlCanvasElement>();
                if let (Some(canvas), Some(scene)) = (canvas, inner.scene(panel)) {
                    canvas::paint(&canvas, &scene, dom::pixel_ratio());
                }
            }
            (inner.now.playing && inner.visible, inner.watch.is_some().then_some(inner.now))
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

impl Player for RelationStage {
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
    fn advance(&mut self, now: f64) {
        if self.now.playing {
            let seconds = (now - self.last.unwrap_or(now)).clamp(0.0, 100.0) / 1000.0;
            self.part += seconds * libm::exp2(self.now.speed);
            let whole = self.part as u32;
            self.part -= f64::from(whole);
            self.seek(self.now.time.saturating_add(whole));
            let end = self.watch.as_ref().map_or(0, |watch| watch.borrow().end());
            self.now.playing = self.now.time < end;
        }
        self.last = Some(now);
    }

    fn picture(&self, panel: usize) -> Option<SquaresPicture> {
        let size = canvas::size(&self.canvases.get(panel)?.cast::<HtmlCanvasElement>()?);
        let cube = self.watch.as_ref()?.borrow().instance.cell.cube;
        (size.0 > 1.0 && size.1 > 1.0).then_some(SquaresPicture { cube, size })
    }

    fn scene(&self, panel: usize) -> Option<Scene> {
        let picture = self.picture(panel)?;
        let watch = self.watch.as_ref()?.borrow();
        let series = watch.instance.series.get(panel)?;
        let watched = watch.watched.get(panel)?.as_ref();
        let batch = watched.and_then(|watched| watched.batch.as_ref());
        let followed = watched.and_then(|watched| watched.followed.as_ref());
        let route = followed.and_then(|followed| Some((followed.number, followed.route.as_ref().ok()?)));
        let route = route.map(|(number, route)| {
            let sent = batch.and_then(|batch| Some((batch.now(), batch.numbers.place(number)?)));
            let hops = sent.map_or(watch.now(), |(batch, place)| made(batch, place, route));
            RouteShown { route, hops: f64::from(hops) }
        });
        let number = followed.map(|followed| followed.number);
        let batch = batch.map(|batch| BatchShown { batch: batch.now(), numbers: &batch.numbers, followed: number });
        let heat = watched.filter(|_| self.now.heat && batch.is_none()).map(|watched| &watched.paths);
        let focus = self.now.focus.filter(|focus| focus.0 == panel).map(|focus| focus.1);
        let said = focus.map(|node| (node, relation_told::spot(&watch, panel, node)));
        let focus = said.as_ref().map(|(node, said)| (*node, said.as_str()));
        let shown = SquaresShown { series: panel as u8, route, heat, classes: heat.is_some(), batch, focus };
        Some(squares_scene::draw(&watch.instance, series, &picture, &shown))
    }
}
