//! Meshes with worms on their canvases: cycles that run, stand and are scrubbed; zoom; what is under the pointer.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::HtmlCanvasElement;
use yew::{Callback, NodeRef};

use super::player::Player;
use super::{canvas, dom};
use crate::experiment::WormWatch;
use crate::report::cube::Spot;
use crate::report::mesh::{MeshPicture, MeshView};
use crate::report::mesh_faults::FaultsShown;
use crate::report::mesh_worms::{self, MeshShown};
use crate::report::scene::Scene;
use crate::report::worm_words;
use crate::switching::{HeldChannel, Worms};
use crate::topology::{Link, Mesh, NodeId, Port};

/// How long a frame computes at most, and how often those around are told while time runs, in milliseconds.
const WORK: f64 = 6.0;
const NEWS: f64 = 160.0;

/// Lives of nodes through cycles between two looks at the clock.
const BUDGET: u32 = 8192;

/// The cycle that is shown first: an empty mesh tells nothing.
const OPENING: u64 = 250;

/// How far a solid turns for each pixel that the mouse drags it, in radians.
const TURN: f64 = 0.009;

/// The largest magnification.
const NEAREST: f64 = 8.0;

/// What the controls around the stage need to know; changes whenever they have something new to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WormTick {
    /// Counts changes.
    pub(super) number: u32,
    /// Whether time runs.
    pub(super) playing: bool,
    /// The network and its node or link in focus.
    pub(super) focus: Option<(usize, Spot)>,
    /// The network and its message that a person has chosen.
    pub(super) chosen: Option<(usize, u64)>,
    /// The message that is followed where none is chosen.
    pub(super) followed: Option<(usize, u64)>,
    /// The network that a person has asked to explain.
    pub(super) asked: usize,
    /// Cycles per second, as a power of 2.
    pub(super) speed: f64,
    /// Whether the use of channels is shown instead of worms.
    pub(super) heat: bool,
    /// Whether nodes say where they stand on rings.
    pub(super) positions: bool,
    /// The rounds of closure that are shown; all of them if there are fewer.
    pub(super) rounds: usize,
    /// How many times larger than the whole mesh fits.
    pub(super) zoom: f64,
    /// How a mesh of more than two dimensions is seen.
    pub(super) view: MeshView,
}

impl Default for WormTick {
    fn default() -> Self {
        Self {
            number: 0,
            playing: false,
            focus: None,
            chosen: None,
            followed: None,
            asked: 0,
            speed: 4.0,
            heat: false,
            positions: false,
            rounds: usize::MAX,
            zoom: 1.0,
            view: MeshView::default(),
        }
    }
}

impl WormTick {
    /// The network that is explained: that of the chosen message, else the one asked for.
    pub(super) fn explained(&self) -> usize {
        self.chosen.map_or(self.asked, |chosen| chosen.0)
    }

    /// The message that is followed in this network.
    pub(super) fn message(&self, panel: usize) -> Option<u64> {
        self.chosen.or(self.followed).filter(|chosen| chosen.0 == panel).map(|chosen| chosen.1)
    }
}

struct Inner {
    canvases: Vec<NodeRef>,
    watch: Option<Rc<RefCell<WormWatch>>>,
    /// Where time is to go as soon as it is known.
    goal: Option<u64>,
    /// The part of a cycle that has passed.
    part: f64,
    visible: bool,
    /// Whether time goes in jerks, for those who do not like motion.
    calm: bool,
    last: Option<f64>,
    /// What is in the middle of a zoomed picture, in steps; the node that was, so that a turn does not lose it.
    center: (f64, f64),
    looked_at: Option<NodeId>,
    /// Where a mouse that drags the picture was last.
    drag: Option<(f64, f64)>,
    /// How far it has been dragged, in pixels: a click at the end of that means nothing.
    dragged: f64,
    /// How long the last picture took, and when it was painted.
    cost: f64,
    painted: f64,
    spoken: f64,
    frame: Option<AnimationFrame>,
    now: WormTick,
}

/// The stage. Clones are handles of the same one.
#[derive(Clone)]
pub(super) struct WormStage {
    inner: Rc<RefCell<Inner>>,
    changed: Callback<WormTick>,
}

impl WormStage {
    pub(super) fn new(changed: Callback<WormTick>) -> Self {
        let inner = Inner {
            canvases: Vec::new(),
            watch: None,
            goal: Some(OPENING),
            part: 0.0,
            visible: true,
            calm: dom::media("(prefers-reduced-motion: reduce)"),
            last: None,
            center: (0.0, 0.0),
            looked_at: None,
            drag: None,
            dragged: 0.0,
            cost: 0.0,
            painted: 0.0,
            spoken: 0.0,
            frame: None,
            now: WormTick::default(),
        };
        Self { inner: Rc::new(RefCell::new(inner)), changed }
    }

    /// Shows `watch` on these canvases, at the cycle that is shown now: an edit forks there.
    pub(super) fn show(&self, watch: Option<Rc<RefCell<WormWatch>>>, canvases: Vec<NodeRef>) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let before = inner.watch.as_ref().map(|before| before.borrow().now());
            inner.goal = inner.goal.or(before).filter(|&cycle| cycle > 0);
            let mesh = watch.as_ref().map(|watch| watch.borrow().faults.mesh());
            let panels = canvases.len();
            // Planes of a hypercube are squares of four nodes: as a body it is easier to see.
            let old = inner.watch.as_ref().map(|before| before.borrow().faults.mesh().is_cube());
            if let Some(cube) = mesh.map(Mesh::is_cube).filter(|&cube| Some(cube) != old) {
                inner.now.view = if cube { MeshView::SOLID } else { MeshView::Slices };
            }
            inner.now.focus.take_if(|(panel, spot)| {
                *panel >= panels
                    || mesh.is_none_or(|mesh| match *spot {
                        Spot::Node(node) => !mesh.contains(node),
                        Spot::Link(link) => mesh.link_end(link).is_none(),
                    })
            });
            inner.now.chosen.take_if(|(panel, _)| *panel >= panels);
            (inner.now.followed, inner.now.rounds) = (None, usize::MAX);
            if inner.now.asked >= panels {
                inner.now.asked = 0;
            }
            (inner.watch, inner.canvases) = (watch, canvases);
        }
        self.repaint();
    }

    /// Changes what is shown.
    pub(super) fn set(&self, change: impl FnOnce(&mut WormTick)) {
        change(&mut self.inner.borrow_mut().now);
        self.repaint();
    }

    fn watch(&self) -> Option<Rc<RefCell<WormWatch>>> {
        self.inner.borrow().watch.clone()
    }

    pub(super) fn set_focus(&self, focus: Option<(usize, Spot)>) {
        if self.inner.borrow().now.focus != focus {
            self.set(|now| now.focus = focus);
        }
    }

    pub(super) fn focus(&self) -> Option<(usize, Spot)> {
        self.inner.borrow().now.focus
    }

    /// Magnifies the pictures, around what is in focus, else around the message that is followed.
    pub(super) fn zoom(&self, factor: f64) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let node = match inner.now.focus {
                Some((_, Spot::Node(node))) => Some(node),
                Some((_, Spot::Link(link))) => Some(link.from),
                None => inner.followed_at(),
            };
            if inner.now.zoom == 1.0 {
                inner.look_at(node);
            }
            inner.now.zoom = (inner.now.zoom * factor).clamp(1.0, NEAREST);
        }
        self.repaint();
    }

    /// Drags along with the mouse: turns a solid, moves a zoomed picture; `None` lets go. Whether there is anything to drag.
    pub(super) fn drag(&self, panel: usize, point: Option<(f64, f64)>) -> bool {
        let (before, step) = {
            let inner = &mut *self.inner.borrow_mut();
            if point.is_none() {
                inner.dragged = 0.0;
            }
            let step = inner.picture(panel).map(|picture| picture.step());
            (std::mem::replace(&mut inner.drag, point), step)
        };
        let (Some(a), Some(b), Some(step)) = (before, point, step) else { return false };
        let (right, down) = (b.0 - a.0, b.1 - a.1);
        if a == b {
            return false;
        }
        if self.turns() {
            self.inner.borrow_mut().dragged += right.abs() + down.abs();
            self.turn((right * TURN, down * TURN));
            return true;
        }
        {
            let inner = &mut *self.inner.borrow_mut();
            if inner.now.zoom <= 1.0 {
                return false;
            }
            inner.dragged += right.abs() + down.abs();
            inner.center.0 -= right / step;
            inner.center.1 -= down / step;
        }
        self.repaint();
        true
    }

    /// Whether a click is the end of a drag.
    pub(super) fn was_dragged(&self) -> bool {
        std::mem::take(&mut self.inner.borrow_mut().dragged) > 5.0
    }

    /// Whether what is shown can be turned.
    pub(super) fn turns(&self) -> bool {
        let deep = self.watch().is_some_and(|watch| watch.borrow().faults.mesh().dimensions() > 2);
        deep && self.inner.borrow().now.view != MeshView::Slices
    }

    /// Turns and tilts a solid by these angles.
    pub(super) fn turn(&self, by: (f64, f64)) {
        {
            let inner = &mut *self.inner.borrow_mut();
            inner.now.view = inner.now.view.turned(by);
            inner.look_at(inner.looked_at);
        }
        self.repaint();
    }

    /// Shows the mesh in slices, or as a solid.
    pub(super) fn see(&self, view: MeshView) {
        {
            let inner = &mut *self.inner.borrow_mut();
            inner.now.view = view;
            inner.look_at(inner.looked_at);
        }
        self.repaint();
    }

    /// What is at a point of a canvas, in CSS pixels.
    pub(super) fn hit(&self, panel: usize, point: (f64, f64), touch: bool) -> Option<Spot> {
        self.inner.borrow().picture(panel)?.hit(point, touch)
    }

    /// The message that holds the lane at a point or, if nobody does, another one of its channel.
    pub(super) fn message_at(&self, panel: usize, point: (f64, f64)) -> Option<u64> {
        let inner = self.inner.borrow();
        let (node, port, share) = inner.picture(panel)?.channel_at(point)?;
        let watch = inner.watch.as_ref()?.borrow();
        let worms = watch.networks().get(panel)?.worms();
        let lane = (share * f64::from(worms.terms().virtual_channels)) as u8;
        let channel = worms.mesh().channel(node, port);
        let held = HeldChannel { channel, virtual_channel: lane };
        worms.holder(held).map(|message| message.number()).or_else(|| holder(worms, channel))
    }

    /// A message that holds a lane of a link, in either direction.
    pub(super) fn message_on(&self, panel: usize, link: Link) -> Option<u64> {
        let watch = self.watch()?;
        let watch = watch.borrow();
        let worms = watch.networks().get(panel)?.worms();
        let (mesh, port) = (worms.mesh(), Port::along(link.dim, true));
        let back = || Some(mesh.channel(mesh.link_end(link)?, port.opposite()));
        holder(worms, mesh.channel(link.from, port)).or_else(|| holder(worms, back()?))
    }

    /// Moves the focus to the neighbour in a direction; from nowhere, to the message that is followed or node 0.
    pub(super) fn move_focus(&self, panel: usize, port: Port) {
        let next = {
            let inner = &mut *self.inner.borrow_mut();
            let Some(mesh) = inner.watch.as_ref().map(|watch| watch.borrow().faults.mesh()) else { return };
            let here = inner.now.focus.filter(|focus| focus.0 == panel).map(|(_, spot)| match spot {
                Spot::Node(node) => node,
                Spot::Link(link) => link.from,
            });
            if port.dim() >= mesh.dimensions() {
                return;
            }
            let next = here.map_or(NodeId(0), |node| mesh.neighbor(node, port).unwrap_or(node));
            inner.look_at(Some(next));
            next
        };
        self.set_focus(Some((panel, Spot::Node(next))));
    }

    /// Moves the focus on in dimension `dim`, from the last coordinate to the first.
    pub(super) fn move_along(&self, panel: usize, dim: u8) {
        let Some(mesh) = self.watch().map(|watch| watch.borrow().faults.mesh()) else { return };
        let here = self.focus().filter(|focus| focus.0 == panel).map_or(NodeId(0), |(_, spot)| match spot {
            Spot::Node(node) => node,
            Spot::Link(link) => link.from,
        });
        if dim < mesh.dimensions() {
            let next = mesh.moved(here, dim, (mesh.coordinate(here, dim) + 1) % mesh.radix(dim));
            self.inner.borrow_mut().look_at(Some(next));
            self.set_focus(Some((panel, Spot::Node(next))));
        }
    }

    /// From the node in focus to its first link, from there to the next, from the last back to the node.
    pub(super) fn next_link(&self) {
        let (Some((panel, spot)), Some(watch)) = (self.focus(), self.watch()) else { return };
        let mesh = watch.borrow().faults.mesh();
        let (from, first) = match spot {
            Spot::Node(node) => (node, 0),
            Spot::Link(link) => (link.from, link.dim + 1),
        };
        let mut links = (first..mesh.dimensions()).map(|dim| Link { from, dim });
        let next = links.find(|&link| mesh.link_end(link).is_some()).map_or(Spot::Node(from), Spot::Link);
        self.set_focus(Some((panel, next)));
    }

    /// The pictures as they are now, beside each other.
    pub(super) fn scene(&self) -> Option<Scene> {
        let inner = self.inner.borrow();
        let watch = inner.watch.as_ref()?.borrow();
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
            inner.follow();
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

/// A message that holds a lane of a channel.
fn holder(worms: &Worms, channel: u32) -> Option<u64> {
    let lanes = 0..worms.terms().virtual_channels;
    let mut held = lanes.filter_map(|virtual_channel| worms.holder(HeldChannel { channel, virtual_channel }));
    held.next().map(|message| message.number())
}

impl Player for WormStage {
    fn play(&self, playing: bool) {
        if let Some(watch) = self.watch().filter(|_| playing) {
            let watch = &mut *watch.borrow_mut();
            if watch.now() >= watch.end() && watch.now() > OPENING {
                watch.seek(0);
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

    /// Goes to a cycle and stands there.
    fn seek(&self, cycle: f64) {
        {
            let inner = &mut *self.inner.borrow_mut();
            (inner.now.playing, inner.goal) = (false, Some(cycle as u64));
        }
        self.repaint();
    }

    /// One cycle on or back, and stands there.
    fn step(&self, forward: bool) {
        let Some(watch) = self.watch() else { return };
        // From where time is on its way to: keys may come faster than frames.
        let goal = self.inner.borrow().goal;
        let now = goal.unwrap_or(watch.borrow().now()).min(watch.borrow().end());
        self.seek((if forward { now + 1 } else { now.saturating_sub(1) }) as f64);
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
    fn picture(&self, panel: usize) -> Option<MeshPicture> {
        let size = canvas::size(&self.canvases.get(panel)?.cast::<HtmlCanvasElement>()?);
        let mesh = self.watch.as_ref()?.borrow().faults.mesh();
        let is_seen = size.0 > 1.0 && size.1 > 1.0;
        is_seen.then(|| MeshPicture::new(mesh, size, self.now.view, self.now.zoom, self.center))
    }

    /// Has this node in the middle of a zoomed picture.
    fn look_at(&mut self, node: Option<NodeId>) {
        if let Some((node, picture)) = node.zip(self.picture(0)) {
            (self.center, self.looked_at) = (picture.unit(node), Some(node));
        }
    }

    /// Where the message is that is followed.
    fn followed_at(&self) -> Option<NodeId> {
        let watch = self.watch.as_ref()?.borrow();
        let (panel, number) = self.now.chosen.or(self.now.followed)?;
        Some(watch.networks().get(panel)?.journey(number)?.here(watch.faults.mesh()))
    }

    /// Finds a message to follow when the last one is no longer to be seen.
    fn follow(&mut self) {
        let Some(watch) = self.watch.as_ref().filter(|_| self.goal.is_none()) else { return };
        let (watch, panel) = (watch.borrow(), self.now.explained());
        let Some(network) = watch.networks().get(panel) else { return };
        let stays = |number: u64| {
            let journey = network.journey(number);
            journey.is_some_and(|it| it.ended.is_none() || !self.now.playing) && network.worms().outcome().is_none()
        };
        if !self.now.followed.is_some_and(|(place, number)| place == panel && stays(number)) {
            self.now.followed = network.worth_following().map(|number| (panel, number));
        }
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
            self.part += passed.clamp(0.0, limit) / 1000.0 * libm::exp2(self.now.speed);
            let cycles = self.part as u64;
            self.part -= cycles as f64;
            let until = watch.now() + cycles;
            // A deadlock is not to be missed.
            let stop = watch.deadlock_until(until);
            self.now.playing = stop.is_none();
            watch.seek(stop.unwrap_or(until));
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

    fn scene(&self, panel: usize) -> Option<Scene> {
        let picture = self.picture(panel)?;
        let watch = self.watch.as_ref()?.borrow();
        let network = watch.networks().get(panel)?;
        let focus = self.now.focus.filter(|focus| focus.0 == panel).map(|focus| focus.1);
        let name = focus.map(|spot| worm_words::spot(network.worms(), spot)).unwrap_or_default();
        let heat = self.now.heat.then(|| network.uses());
        let shown = MeshShown {
            series: panel as u8,
            faults: FaultsShown { links: &watch.given.links, rounds: self.now.rounds, positions: self.now.positions },
            heat: heat.as_deref(),
            journey: self.now.message(panel).and_then(|number| network.journey(number)),
            alone: self.now.chosen.is_some_and(|chosen| chosen.0 == panel),
            focus: focus.map(|spot| (spot, name.as_str())),
        };
        Some(mesh_worms::draw(network.worms(), &picture, shown))
    }
}
