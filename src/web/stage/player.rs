//! Player of all kinds of simulations on their canvases: playback, scrubbing, and the element under
//! the pointer.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Timeout;
use web_sys::HtmlCanvasElement;
use yew::{Callback, NodeRef};

use super::canvas;
use super::zoom::{Gestures, Pinch};
use crate::report::picture::geometry::{Point, Size};
use crate::report::picture::scene::Scene;
use crate::report::picture::viewport::Viewport;
use crate::report::watch::{Highlight, HitId, ViewState, Watch, element_at, visible_picture};
use crate::web::dom;
use crate::web::player_controls::PlayerControls;

/// Maximum computing time in a frame, in milliseconds.
const WORK_MS: f64 = 6.0;
/// Interval of notifications during playback, in milliseconds.
const NOTIFY_MS: f64 = 160.0;

/// Maximum painting time in a frame, in milliseconds; the remaining pictures are painted in the
/// next frame.
const PAINT_MS: f64 = 15.0;

/// Painting time from which a frame either simulates or begins to paint, in milliseconds.
const SLOW_MS: f64 = 20.0;

/// Interval between two steps of playback with reduced motion, in milliseconds.
const REDUCED_MOTION_STEP_MS: f64 = 500.0;

/// Time for which the focus stays on a link before its use is shown, in milliseconds: the pointer
/// crosses other links on its way to the description.
const INSPECT_MS: u32 = 250;

/// Simulation that the player shares with the components around it.
pub(crate) type SharedWatch = Rc<RefCell<dyn Watch>>;

/// Player state for the controls; it changes whenever they have something new to show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlayerState {
    /// Counter of changes in the simulated data.
    known: u32,
    time: f64,
    /// View options that the user chose.
    pub(crate) shown: ViewState,
    /// Speed that the user chose, a power of 2.
    pub(crate) speed: Option<f64>,
}

#[derive(Default)]
struct PlaybackState {
    canvases: Vec<NodeRef>,
    watch: Option<SharedWatch>,
    /// Requested time, until it has been simulated.
    requested_time: Option<f64>,
    /// True if the simulation is not finished.
    is_unfinished: bool,
    /// True if there is something to compute.
    is_busy: bool,
    /// True if something was computed since the last notification.
    has_new_data: bool,
    /// True if another message is followed since the last notification.
    follows_another: bool,
    is_hidden: bool,
    /// True if playback moves in steps, for reduced motion.
    reduced_motion: bool,
    last: Option<f64>,
    gestures: Gestures,
    /// Element that is being moved.
    moved_element: Option<HitId>,
    /// Time that painting the last pictures took.
    cost: f64,
    /// Time at which the last pictures were painted.
    painted: f64,
    /// Time of the last notification.
    notified_at: f64,
    /// Index of the panel that is painted next.
    panel: usize,
    /// Time that painting the previous panels took.
    spent: f64,
    /// True if something has changed since the first panel was painted.
    is_stale: bool,
    frame: Option<AnimationFrame>,
    /// Timer until the use of the link in focus is shown.
    inspection: Option<Timeout>,
    now: PlayerState,
}

/// Player of a simulation. Clones are handles of the same player.
#[derive(Clone)]
pub(crate) struct Player {
    inner: Rc<RefCell<PlaybackState>>,
    changed: Callback<PlayerState>,
}

impl Player {
    /// Creates an empty player that reports new states to `changed`.
    pub(crate) fn new(changed: Callback<PlayerState>) -> Self {
        let calm = dom::matches_media("(prefers-reduced-motion: reduce)");
        Self {
            inner: Rc::new(RefCell::new(PlaybackState {
                reduced_motion: calm,
                is_busy: true,
                ..PlaybackState::default()
            })),
            changed,
        }
    }

    /// Shows `watch` on these canvases, in place of the previous simulation.
    pub(crate) fn show(&self, watch: Option<SharedWatch>, canvases: Vec<NodeRef>) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let before = std::mem::replace(&mut inner.watch, watch);
            (inner.canvases, inner.is_busy, inner.now.shown.step_fraction) = (canvases, true, 0.0);
            if inner.watch.is_none() {
                // Without a simulation, nothing is painted and no frame is requested.
                *inner =
                    PlaybackState { reduced_motion: inner.reduced_motion, now: inner.now, ..PlaybackState::default() };
                inner.now.shown.playing = false;
                return;
            }
            if let Some(watch) = &inner.watch {
                let network = |watch: &SharedWatch| watch.borrow().experiment().network;
                if before.as_ref().map(network) != Some(network(watch)) {
                    inner.now.shown.viewport = Viewport::WHOLE;
                }
                let mut old = before.as_ref().filter(|old| !Rc::ptr_eq(old, watch)).map(|old| old.borrow_mut());
                // If the user has seen the end of the previous simulation, play the new one from
                // the time at which the two diverge.
                let seen = old.as_ref().is_some_and(|old| old.now() >= old.end());
                let old = old.as_deref_mut().map(|old| old as &mut dyn Watch);
                let start = watch.borrow_mut().begin(old, &mut inner.now.shown);
                let more = seen && start < watch.borrow().end();
                inner.now.shown.playing |= more && !inner.reduced_motion;
                let start = if more && inner.reduced_motion { f64::INFINITY } else { start };
                inner.requested_time = Some(inner.requested_time.filter(|_| before.is_some()).unwrap_or(start));
            }
        }
        self.repaint();
    }

    /// Changes the view options.
    pub(crate) fn set(&self, change: impl FnOnce(&mut ViewState)) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let before = inner.now.shown.focus;
            change(&mut inner.now.shown);
            if inner.now.shown.focus != before {
                let player = self.clone();
                inner.inspection = Some(Timeout::new(INSPECT_MS, move || player.inspect_focus()));
            }
        }
        self.repaint();
    }

    /// Shows the use of the link in focus.
    fn inspect_focus(&self) {
        {
            let inner = &mut *self.inner.borrow_mut();
            inner.inspection = None;
            inner.now.shown.inspect_focus();
        }
        self.repaint();
    }

    /// Returns the view options.
    pub(crate) fn view_state(&self) -> ViewState {
        self.inner.borrow().now.shown
    }

    pub(crate) fn set_focus(&self, focus: Option<(usize, HitId)>) {
        if self.view_state().focus != focus {
            self.set(|shown| shown.focus = focus);
        }
    }

    /// Removes the focus and follows no message.
    pub(crate) fn clear_selection(&self) {
        self.set(|shown| (shown.focus, shown.followed) = (None, None));
    }

    /// Highlights an element.
    pub(crate) fn highlight(&self, thing: Option<(usize, Highlight)>) {
        let (focus, pointed) = match thing {
            Some((panel, Highlight::Place(place))) => (Some((panel, place)), None),
            Some((panel, Highlight::Message(number))) => (None, Some((panel, number))),
            None => (None, None),
        };
        self.set(|shown| (shown.focus, shown.hovered_message) = (focus, pointed));
    }

    /// Moves the focus to an element, and a magnified picture so that the element is visible.
    pub(crate) fn go_to(&self, panel: usize, place: Option<HitId>) {
        if let Some(place) = place {
            let viewport = self.inner.borrow().revealing(panel, place);
            self.set(|shown| {
                shown.viewport = viewport.unwrap_or(shown.viewport);
                shown.focus = Some((panel, place));
            });
        }
    }

    /// Moves the focus right and down by `step`; without a focus, to the first element.
    pub(crate) fn move_focus(&self, panel: usize, step: (i8, i8)) {
        let next = {
            let inner = self.inner.borrow();
            let here = inner.now.shown.focus_in(panel);
            inner.size(panel).and_then(|size| inner.watch.as_ref()?.borrow().neighbor(size, here, step))
        };
        self.go_to(panel, next);
    }

    /// Returns the element at a point of a canvas, in CSS pixels.
    pub(crate) fn hit(&self, panel: usize, point: Point, touch: bool) -> Option<HitId> {
        let inner = self.inner.borrow();
        element_at(&*inner.watch.as_ref()?.borrow(), inner.size(panel)?, point, touch, &inner.now.shown)
    }

    /// Returns the size of a canvas, if it is visible.
    pub(crate) fn size(&self, panel: usize) -> Option<Size> {
        self.inner.borrow().size(panel)
    }

    /// Magnifies the pictures by a factor. The element in focus or the followed message stays where
    /// it is; without one, the middle of the picture.
    pub(crate) fn zoom(&self, factor: f64) {
        let found = {
            let inner = &*self.inner.borrow();
            // Narrow screens show only one of the pictures.
            let panel = (0..inner.canvases.len()).find(|&panel| inner.size(panel).is_some());
            let followed = || inner.watch.as_ref()?.borrow().followed(&inner.now.shown);
            let element = inner.now.shown.focus.map(|focus| focus.1).or_else(followed);
            let position =
                |panel| element.and_then(|place| inner.canvas_position(panel, place)).or_else(|| inner.middle(panel));
            panel.and_then(|panel| Some((panel, position(panel)?)))
        };
        if let Some((panel, fixed)) = found {
            self.zoom_at(panel, factor, fixed);
        }
    }

    /// Magnifies the pictures by a factor; the picture of a panel stays where it is at a point of its
    /// canvas. Returns whether the magnification has changed.
    pub(crate) fn zoom_at(&self, panel: usize, factor: f64, fixed: Point) -> bool {
        let changed = {
            let inner = &mut *self.inner.borrow_mut();
            let (Some(size), Some(watch)) = (inner.size(panel), inner.watch.as_ref()) else { return false };
            let most = watch.borrow().max_zoom(size, &inner.now.shown);
            let shown = &mut inner.now.shown;
            let before = shown.viewport;
            shown.viewport = before.zoomed(factor, most, fixed, size);
            before.zoom() != shown.viewport.zoom()
        };
        if changed {
            self.repaint();
        }
        changed
    }

    /// Shows the whole pictures.
    pub(crate) fn fit(&self) {
        self.set(|shown| shown.viewport = Viewport::WHOLE);
    }

    /// Moves a pointer that drags a picture, to rotate or to pan it (`pans`); `None` ends the drag.
    /// Returns whether anything moved.
    pub(crate) fn drag(&self, panel: usize, point: Option<Point>, pans: bool) -> bool {
        let by = self.inner.borrow_mut().gestures.drag(point);
        let Some(by) = by else { return false };
        let moved = if pans { self.pan_by(panel, by) } else { self.rotate_by(by) };
        if moved {
            self.inner.borrow_mut().gestures.record_drag(by);
        }
        moved
    }

    /// Rotates the pictures as if they were dragged by a number of pixels. Returns whether they can
    /// be rotated.
    pub(crate) fn rotate_by(&self, by: Point) -> bool {
        let rotates = self.can_rotate();
        if rotates {
            let inner = &mut *self.inner.borrow_mut();
            if let Some(watch) = &inner.watch {
                watch.borrow().rotate(by, &mut inner.now.shown);
            }
        }
        if rotates {
            self.repaint();
        }
        rotates
    }

    /// Moves magnified pictures by a number of pixels. Returns whether the pictures are magnified.
    fn pan_by(&self, panel: usize, by: Point) -> bool {
        let pans = {
            let inner = &mut *self.inner.borrow_mut();
            let size = inner.size(panel);
            let viewport = &mut inner.now.shown.viewport;
            if let Some(size) = size {
                *viewport = viewport.panned(by, size);
            }
            !viewport.is_whole()
        };
        if pans {
            self.repaint();
        }
        pans
    }

    /// Moves one of the fingers on a canvas, or removes it. Returns whether two fingers are down, so
    /// that their movement has magnified and moved the picture.
    pub(crate) fn pinch(&self, panel: usize, finger: i32, point: Option<Point>) -> bool {
        let (is_pinching, pinch) = self.inner.borrow_mut().gestures.pinch(finger, point);
        if let Some(Pinch { factor, by, middle }) = pinch {
            self.pan_by(panel, by);
            self.zoom_at(panel, factor, middle);
        }
        is_pinching
    }

    /// Removes all fingers from the canvases.
    pub(crate) fn lift_fingers(&self) {
        self.inner.borrow_mut().gestures.lift_fingers();
    }

    /// Starts to drag an element; `None` ends the drag. Returns the element that was being moved.
    pub(crate) fn move_element(&self, place: Option<HitId>) -> Option<HitId> {
        std::mem::replace(&mut self.inner.borrow_mut().moved_element, place)
    }

    /// Returns whether an element is being moved.
    pub(crate) fn is_moving_element(&self) -> bool {
        self.inner.borrow().moved_element.is_some()
    }

    /// Marks the next click as the end of a drag, so that it is ignored.
    pub(crate) fn ignore_next_click(&self) {
        self.inner.borrow_mut().gestures.ignore_next_click();
    }

    /// Starts a press of a pointer on a picture.
    pub(crate) fn start_press(&self, at: Point, is_touch: bool) {
        self.inner.borrow_mut().gestures.start_press(at, is_touch);
    }

    /// Returns whether a click at `at` is the end of a drag.
    pub(crate) fn take_dragged(&self, at: Point) -> bool {
        self.inner.borrow_mut().gestures.take_dragged(at)
    }

    /// Returns whether the pictures can be rotated.
    pub(crate) fn can_rotate(&self) -> bool {
        let inner = self.inner.borrow();
        inner.watch.as_ref().is_some_and(|watch| watch.borrow().can_rotate(&inner.now.shown))
    }

    /// Returns the current pictures, side by side.
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
        let (again, state) = {
            let inner = &mut *self.inner.borrow_mut();
            inner.frame = None;
            let was_busy = inner.is_busy;
            // All pictures show the same moment, also if painting them takes several frames.
            let is_painting = inner.panel > 0;
            let is_due = now - inner.painted > 3.0 * inner.cost;
            // The frame of a slow picture shows what earlier frames have simulated.
            let is_slow = is_due && inner.cost > SLOW_MS && inner.now.shown.playing && inner.requested_time.is_none();
            if is_painting {
                inner.simulate();
                // The pictures that are already painted show the state before.
                inner.is_stale |= was_busy;
            } else if !is_slow {
                inner.advance(now);
                inner.simulate();
                inner.settle();
            }
            let under_way = inner.is_busy || inner.now.shown.playing || inner.requested_time.is_some();
            let again = under_way && !inner.is_hidden && inner.watch.is_some();
            // Large networks take long to paint: they are painted less often, so that the page
            // stays responsive.
            let again = if !again || is_painting || is_due { inner.paint(now) | again } else { again };
            // The panels beside the pictures change with them, never before or after: once all
            // pictures are painted, and at once if another message is followed.
            let due = inner.painted == now && (!again || inner.follows_another || now - inner.notified_at > NOTIFY_MS);
            inner.has_new_data |= inner.is_busy || was_busy;
            if due {
                inner.notified_at = now;
                inner.follows_another = false;
                inner.now.known = inner.now.known.wrapping_add(u32::from(std::mem::take(&mut inner.has_new_data)));
            }
            // Without a simulation, the player has nothing to report.
            let state = inner.state().filter(|_| due);
            (again, state)
        };
        if again {
            self.ask_for_frame();
        }
        if let Some(state) = state {
            // Rendering the page can take as long as painting, so it gets a task of its own.
            let changed = self.changed.clone();
            Timeout::new(0, move || changed.emit(state)).forget();
        }
    }
}

impl PlayerControls for Player {
    fn play(&self, playing: bool) {
        {
            let inner = &mut *self.inner.borrow_mut();
            if let Some(watch) =
                inner.watch.as_ref().filter(|_| playing && !inner.is_busy && inner.requested_time.is_none())
            {
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
        self.play(!self.view_state().playing);
    }

    fn step(&self, forward: bool) {
        let time = {
            let inner = self.inner.borrow();
            let Some(watch) = inner.watch.as_ref().map(|watch| watch.borrow()) else { return };
            // Step from the requested time: keys may come faster than frames.
            let from = inner.requested_time.unwrap_or(watch.now() + inner.now.shown.step_fraction).min(watch.end());
            if forward { watch.next(from) } else { Some(watch.previous(from)) }
        };
        if let Some(time) = time {
            self.seek(time);
        }
    }

    fn seek(&self, place: f64) {
        {
            let inner = &mut *self.inner.borrow_mut();
            (inner.now.shown.playing, inner.now.shown.step_fraction, inner.requested_time) = (false, 0.0, Some(place));
        }
        self.repaint();
    }

    fn set_speed(&self, speed: f64) {
        self.inner.borrow_mut().now.speed = Some(speed);
        self.repaint();
    }

    fn set_visible(&self, visible: bool) {
        self.inner.borrow_mut().is_hidden = !visible;
        if visible {
            self.repaint();
        }
    }

    /// Schedules one redraw in the next frame.
    fn repaint(&self) {
        self.inner.borrow_mut().is_stale = true;
        self.ask_for_frame();
    }
}

/// Returns the size of a canvas, if it is visible.
fn size_of(canvas: &NodeRef) -> Option<Size> {
    let size = canvas::size(&canvas.cast::<HtmlCanvasElement>()?);
    (size.width > 1.0 && size.height > 1.0).then_some(size)
}

impl PlaybackState {
    /// Advances the playback to `now`, in milliseconds. A long gap between frames is shortened: the
    /// tab was hidden.
    fn advance(&mut self, now: f64) {
        let Some(watch) = &self.watch else { return };
        let watch = &mut *watch.borrow_mut();
        let passed = now - self.last.unwrap_or(now);
        let shown = &mut self.now.shown;
        if let Some(goal) = self.requested_time {
            watch.seek(goal);
        } else if shown.playing
            && watch.is_ready()
            && (!self.reduced_motion || self.last.is_none() || passed >= REDUCED_MOTION_STEP_MS)
        {
            let (clock, most) = (watch.clock(), if self.reduced_motion { 2.0 * REDUCED_MOTION_STEP_MS } else { 100.0 });
            let by = passed.clamp(0.0, most) / 1000.0 * libm::exp2(self.now.speed.unwrap_or(clock.initial_speed_log2));
            let on = if clock.is_discrete { libm::floor(shown.step_fraction + by) } else { by };
            shown.step_fraction = if clock.is_discrete { shown.step_fraction + by - on } else { 0.0 };
            let until = watch.now() + on;
            let stop = watch.next_stop(until);
            shown.playing = stop.is_none();
            if on > 0.0 {
                watch.seek(stop.unwrap_or(until));
            }
            self.last = Some(now);
        } else if !self.reduced_motion {
            self.last = Some(now);
        }
    }

    /// Simulates for a part of a frame.
    fn simulate(&mut self) {
        let Some(watch) = &self.watch else { return };
        let (watch, start) = (&mut *watch.borrow_mut(), dom::now());
        self.is_unfinished = true;
        while self.is_unfinished && dom::now() - start < WORK_MS {
            self.is_unfinished = watch.work();
        }
        self.is_busy = self.is_unfinished || !watch.is_ready();
    }

    /// Changes the time and the followed message to those that are simulated. All pictures show them,
    /// so it is called only before the first one is painted.
    fn settle(&mut self) {
        let Some(watch) = &self.watch else { return };
        let (watch, more) = (&mut *watch.borrow_mut(), self.is_unfinished);
        if self.requested_time.is_some_and(|goal| watch.now() >= goal || !more) {
            // The requested time has now been simulated.
            watch.seek(self.requested_time.take().unwrap_or_default());
        }
        let shown = &mut self.now.shown;
        if !more && watch.now() >= watch.end() {
            shown.playing = false;
        }
        // A fraction of a step stays when playback pauses if the pictures show it; otherwise it is
        // dropped.
        if watch.now() >= watch.end() || !shown.playing && !watch.is_shared() {
            shown.step_fraction = 0.0;
        }
        self.is_busy = more || !watch.is_ready();
        if self.requested_time.is_none() {
            self.follows_another |= watch.follow(shown);
        }
    }

    /// Paints pictures until [`PAINT_MS`] have passed. Returns whether more must be painted.
    fn paint(&mut self, now: f64) -> bool {
        let start = dom::now();
        let passed = || dom::now() - start;
        if self.panel == 0 {
            self.is_stale = false;
        }
        while self.panel < self.canvases.len() && passed() < PAINT_MS {
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
        std::mem::take(&mut self.is_stale)
    }

    fn size(&self, panel: usize) -> Option<Size> {
        size_of(self.canvases.get(panel)?)
    }

    fn middle(&self, panel: usize) -> Option<Point> {
        self.size(panel).map(|size| Point::new(size.width / 2.0, size.height / 2.0))
    }

    /// Returns the position of an element on the canvas of a panel.
    fn canvas_position(&self, panel: usize, place: HitId) -> Option<Point> {
        let (size, shown) = (self.size(panel)?, &self.now.shown);
        let at = self.watch.as_ref()?.borrow().position(shown.viewport.picture_size(size), place, shown)?;
        Some(shown.viewport.to_canvas(at, size))
    }

    /// Returns the viewport in which an element is visible.
    fn revealing(&self, panel: usize, place: HitId) -> Option<Viewport> {
        let (size, viewport) = (self.size(panel)?, self.now.shown.viewport);
        let at = self.canvas_position(panel, place)?;
        Some(viewport.revealing(viewport.to_picture(at, size), size))
    }

    fn scene(&self, panel: usize) -> Option<Scene> {
        let part = if self.reduced_motion { 0.0 } else { self.now.shown.step_fraction };
        let shown = ViewState { step_fraction: part, ..self.now.shown };
        visible_picture(&*self.watch.as_ref()?.borrow(), panel, self.size(panel)?, &shown)
    }

    /// Returns the state for notifications, without a fraction of a step.
    fn state(&self) -> Option<PlayerState> {
        let time = self.watch.as_ref()?.borrow().now();
        Some(PlayerState { time, shown: ViewState { step_fraction: 0.0, ..self.now.shown }, ..self.now })
    }
}
