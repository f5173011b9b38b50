//! Meshes with worms, as a stage plays them.

use std::any::Any;

use super::files;
use super::picture::faults::FaultsShown;
use super::picture::mesh::MeshPicture;
use super::picture::worms;
use super::picture::worms::MeshShown;
use super::{watch, words};
use crate::document::Document;
use crate::picture::cube::Spot;
use crate::picture::geometry::{Point, Size};
use crate::picture::scene::Scene;
use crate::picture::space::MeshView;
use crate::watch::{Chart, Clock, Event, Place, Rows, Shown, Watch, mend, told};
use faultlab_core::switching::{HeldChannel, Worms};
use faultlab_core::topology::{Link, Mesh, NodeId, Port};
use faultlab_experiment::{Experiment, WatchedWorms, WormWatch};

/// How the pictures are read.
const READ: &str = "Worms hold virtual channels, flit by flit; each link is two one-way channels. Amber, with a square head: on \
                    its way around faults. Bars on nodes: messages still leaving. ";

/// Lives of nodes through cycles between two looks at the clock.
const LIVES: u32 = 8192;

/// The cycle that is shown first: an empty mesh tells nothing.
const OPENING: f64 = 250.0;

/// How far a solid turns for each pixel that it is dragged, in radians.
const TURN: f64 = 0.009;

/// The meshes of all compared algorithms.
pub struct WormPlay {
    experiment: Experiment,
    watch: WormWatch,
    /// The message that is followed where none is chosen.
    followed: Option<(usize, u64)>,
}

impl WormPlay {
    /// The experiment as it stands, at cycle 0. `None` in meshes too large to be drawn, if no such faults are found, or if they
    /// leave nobody to send to.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let is_drawn = experiment.mesh().is_none_or(|mesh| mesh.nodes() <= Mesh::MAX_DRAWN);
        let watch = is_drawn.then(|| WormWatch::new(experiment))??;
        Some(Self { experiment: experiment.clone(), watch, followed: None })
    }

    /// The networks.
    pub fn watch(&self) -> &WormWatch {
        &self.watch
    }

    fn mesh(&self) -> Mesh {
        self.watch.faults.mesh()
    }

    fn network(&self, index: usize) -> Option<&WatchedWorms> {
        self.watch.networks().get(index)
    }

    /// The message that is followed in the network of this number.
    pub fn message(&self, index: usize, shown: &Shown) -> Option<u64> {
        shown.chosen.or(self.followed).filter(|chosen| chosen.0 == index).map(|chosen| chosen.1)
    }

    /// The message that holds the lane at a point or, if nobody does, another one of its channel.
    pub fn message_under(&self, index: usize, size: Size, point: Point, shown: &Shown) -> Option<u64> {
        let (node, port, share) = self.picture(size, shown).channel_at(point)?;
        let worms = self.network(index)?.worms();
        let lane = (share * f64::from(worms.terms().virtual_channels)) as u8;
        let channel = worms.mesh().channel(node, port);
        let held = HeldChannel { channel, virtual_channel: lane };
        worms.holder(held).map(|message| message.number()).or_else(|| holder(worms, channel))
    }

    /// From a node to its first link, from there to the next, from the last back to the node.
    pub fn next_link(&self, place: Place) -> Place {
        let (from, first) = match Spot::of(place) {
            Spot::Node(node) => (node, 0),
            Spot::Link(link) => (link.from, link.dim + 1),
        };
        let mut links = (first..self.mesh().dimensions()).map(|dim| Link { from, dim });
        links.find(|&link| self.mesh().link_end(link).is_some()).map_or(Spot::Node(from), Spot::Link).code()
    }

    /// The place next to one in dimension `dim`, from the last coordinate the first; `None` if there is no such dimension.
    pub fn along(&self, place: Option<Place>, dim: u8) -> Option<Place> {
        let (mesh, here) = (self.mesh(), Spot::of(place.unwrap_or(0)).node());
        let next = || mesh.moved(here, dim, (mesh.coordinate(here, dim) + 1) % mesh.radix(dim));
        (dim < mesh.dimensions()).then(|| Spot::Node(next()).code())
    }

    fn picture(&self, size: Size, shown: &Shown) -> MeshPicture {
        let picture = |center| MeshPicture::new(self.mesh(), size, shown.view, shown.zoom, center);
        let middle = shown.middle.map(|place| Spot::of(place).node()).filter(|&node| self.mesh().contains(node));
        let whole = picture(Point::ORIGIN);
        let middle = middle.map_or(Point::ORIGIN, |node| whole.unit(node));
        if shown.zoom > 1.0 { picture(middle + shown.moved) } else { whole }
    }
}

/// A message that holds a lane of a channel.
fn holder(worms: &Worms, channel: u32) -> Option<u64> {
    let lanes = 0..worms.terms().virtual_channels;
    let mut held = lanes.filter_map(|virtual_channel| worms.holder(HeldChannel { channel, virtual_channel }));
    held.next().map(|message| message.number())
}

impl Document for WormPlay {
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
impl Watch for WormPlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn look(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.watch.networks().iter().map(|network| network.algorithm.name.to_string()).collect()
    }

    fn title(&self, _shown: &Shown) -> String {
        watch::title(&self.watch)
    }

    fn subtitle(&self, shown: &Shown) -> String {
        let mut text = if shown.heat { watch::heat(&self.watch) } else { READ.into() };
        let more = [
            watch::view(self.mesh(), shown.view),
            watch::faults(&self.watch.faults),
            watch::unproved(&self.watch),
            watch::own(&self.watch),
        ];
        more.into_iter().flatten().for_each(|more| text.push_str(&more));
        text
    }

    fn short(&self, index: usize) -> String {
        self.network(index).map_or_else(String::new, |network| format!("{} in the network", network.journeys().len()))
    }

    fn counts(&self) -> Rows {
        watch::counts(&self.watch)
    }

    fn mirror(&self, shown: &Shown) -> String {
        if shown.playing {
            return String::new();
        }
        let mut said = format!("At cycle {}.", self.watch.now());
        for network in self.watch.networks() {
            said.push(' ');
            said.push_str(&watch::mirror(network));
        }
        if let Some((network, place)) = shown.focus.and_then(|(index, place)| Some((self.network(index)?, place))) {
            said.push_str(" In focus: ");
            said.push_str(&words::spot(network.worms(), Spot::of(place)));
            said.push('.');
        }
        said
    }

    fn chart(&self) -> Option<Chart> {
        let says = "Messages in the network over time; the numbers of now are listed beside the networks";
        Some(Chart { id: "backlog", says, figure: watch::history(&self.watch) })
    }

    fn clock(&self) -> Clock {
        Clock { step: "cycle", unit: "cycles", name: "Time", whole: true, speed: 4.0, speeds: ["0", "12", "0.5"] }
    }

    fn now(&self) -> f64 {
        self.watch.now() as f64
    }

    fn said(&self) -> String {
        let now = self.watch.now();
        if watch::ends(&self.watch) { format!("cycle {now} of {}", self.watch.end()) } else { format!("cycle {now}") }
    }

    fn reach(&self) -> f64 {
        watch::reach(&self.watch)
    }

    fn end(&self) -> f64 {
        self.watch.end() as f64
    }

    fn events(&self) -> Vec<Event> {
        let names = self.watch.networks().len();
        let ended = self.watch.networks().iter().filter_map(|network| {
            Some(Event::under(names, &network.algorithm.name, "deadlock", network.tape.end()? as f64))
        });
        ended.collect()
    }

    /// A deadlock is not to be missed.
    fn stop(&self, time: f64) -> Option<f64> {
        self.watch.deadlock_until(time as u64).map(|cycle| cycle as f64)
    }

    fn begin(&mut self, before: Option<&dyn Watch>, shown: &mut Shown) -> f64 {
        mend(self, shown);
        shown.built = None;
        let before: Option<&dyn Any> = before.map(|before| before as _);
        let before = before.and_then(|before| before.downcast_ref::<Self>());
        // Planes of a hypercube are squares of four nodes: as a body it is easier to see.
        let is_cube = self.mesh().is_cube();
        if before.is_none_or(|before| before.mesh().is_cube() != is_cube) {
            shown.view = if is_cube { MeshView::SOLID } else { MeshView::Slices };
        }
        before.map_or(OPENING, Watch::now)
    }

    fn seek(&mut self, time: f64) {
        self.watch.seek(time as u64);
    }

    fn work(&mut self) -> bool {
        self.watch.work(LIVES)
    }

    fn is_there(&self) -> bool {
        self.watch.is_there()
    }

    /// Finds a message to follow when the last one is no longer to be seen.
    fn follow(&mut self, shown: &Shown) {
        let index = self.explained(shown);
        let Some(network) = self.network(index) else { return };
        let stays = |number: u64| {
            let journey = network.journey(number);
            journey.is_some_and(|it| it.ended.is_none() || !shown.playing) && network.worms().outcome().is_none()
        };
        if !self.followed.is_some_and(|(place, number)| place == index && stays(number)) {
            self.followed = network.worth_following().map(|number| (index, number));
        }
    }

    fn followed(&self, shown: &Shown) -> Option<Place> {
        let (index, number) = shown.chosen.or(self.followed)?;
        Some(Spot::Node(self.network(index)?.journey(number)?.here(self.mesh())).code())
    }

    fn fired(&self, shown: &Shown) -> Option<u32> {
        let index = self.explained(shown);
        let network = self.network(index)?;
        let hop = network.journey(self.message(index, shown)?)?.hops.last()?;
        network.routing().own()?.line(hop.choice.rule.own()?)
    }

    fn draw(&self, panel: usize, size: Size, shown: &Shown) -> Option<Scene> {
        let network = self.network(panel)?;
        let focus = shown.focus_in(panel).map(Spot::of);
        let name = focus.map(|spot| words::spot(network.worms(), spot)).unwrap_or_default();
        let pointed = shown.pointed_in(panel).and_then(|number| network.journey(number));
        let heat = shown.heat.then(|| network.uses());
        let rounds = shown.built.unwrap_or(usize::MAX);
        let drawn = MeshShown {
            series: panel as u8,
            faults: FaultsShown { links: &self.watch.given.links, rounds, positions: shown.positions },
            heat: heat.as_deref(),
            journey: pointed.or_else(|| network.journey(self.message(panel, shown)?)),
            alone: pointed.is_some() || shown.chosen_in(panel).is_some(),
            focus: focus.map(|spot| (spot, name.as_str())),
        };
        Some(worms::draw(network.worms(), &self.picture(size, shown), drawn))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, shown: &Shown) -> Option<Place> {
        self.picture(size, shown).hit(point, touch).map(Spot::code)
    }

    fn toward(&self, _size: Size, place: Option<Place>, step: (i8, i8)) -> Option<Place> {
        let port = match step {
            (-1, _) => Port::WEST,
            (1, _) => Port::EAST,
            (_, -1) => Port::NORTH,
            _ => Port::SOUTH,
        };
        let here = place.map(|place| Spot::of(place).node());
        let next = here.map_or(NodeId(0), |node| self.mesh().neighbor(node, port).unwrap_or(node));
        (port.dim() < self.mesh().dimensions()).then(|| Spot::Node(next).code())
    }

    fn has(&self, place: Place) -> bool {
        match Spot::of(place) {
            Spot::Node(node) => self.mesh().contains(node),
            Spot::Link(link) => self.mesh().link_end(link).is_some(),
        }
    }

    /// That which leads up.
    fn way(&self, link: Link) -> Link {
        if self.mesh().is_cube() && !link.is_up() { link.reverse() } else { link }
    }

    /// A message that holds a lane of a link, in either direction.
    fn message_at(&self, panel: usize, place: Place) -> Option<u64> {
        let Spot::Link(link) = Spot::of(place) else { return None };
        let worms = self.network(panel)?.worms();
        let (mesh, port) = (worms.mesh(), Port::along(link.dim, true));
        let back = || Some(mesh.channel(mesh.link_end(link)?, port.opposite()));
        holder(worms, mesh.channel(link.from, port)).or_else(|| holder(worms, back()?))
    }

    fn turns(&self, shown: &Shown) -> bool {
        self.mesh().dimensions() > 2 && shown.view != MeshView::Slices
    }

    fn drag(&self, size: Size, by: Point, shown: &mut Shown) -> bool {
        if self.turns(shown) {
            shown.view = shown.view.turned(by * TURN);
            return true;
        }
        let step = self.picture(size, shown).step();
        if shown.zoom > 1.0 {
            shown.moved = shown.moved - Point::new(by.x / step, by.y / step);
        }
        shown.zoom > 1.0
    }
}
