//! Delivery cycles, as a stage plays them.

use std::borrow::Cow;

use super::picture::draw;
use super::picture::painter::TreeShown;
use super::picture::tree::{TreePicture, TreeSpot};
use super::{files, watch};
use crate::document::Document;
use crate::picture::geometry::{Point, Size};
use crate::picture::scene::Scene;
use crate::watch::{Chart, Clock, Event, Place, Rows, Shown, Thing, Watch, mend};
use crate::words::named::Named;
use faultlab_core::switching::delivery::{DeliveryOutcome, Fate};
use faultlab_core::topology::fat_tree::{ChannelPlace, TreeChannel};
use faultlab_experiment::{DeliveryWatch, Experiment};

/// The messages sent between two looks at the clock, a few milliseconds' worth.
const SENDS: u64 = 1 << 13;

/// Marks the place of a channel; without it, a place is a processor.
const CHANNEL: u64 = 1 << 40;
/// Marks a channel that leads down.
const DOWN: u64 = 1 << 39;

/// The number of a place.
fn code(spot: TreeSpot) -> Place {
    match spot {
        TreeSpot::Processor(number) => number.into(),
        TreeSpot::Channel(place) => {
            CHANNEL | if place.down { DOWN } else { 0 } | u64::from(place.height) << 32 | u64::from(place.node)
        }
    }
}

/// The place of a number.
fn place(code: Place) -> TreeSpot {
    let node = code as u32;
    match code & CHANNEL {
        0 => TreeSpot::Processor(node),
        _ => {
            let height = (code >> 32) as u8 & 0x7f;
            TreeSpot::Channel(ChannelPlace { height, node, wire: 0, down: code & DOWN != 0 })
        }
    }
}

/// The trees of all compared algorithms.
pub struct DeliveryPlay {
    experiment: Experiment,
    watch: DeliveryWatch,
}

impl DeliveryPlay {
    /// The experiment as it stands, before the first cycle, its ends still to be found. `None` on other networks.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        Some(Self { experiment: experiment.clone(), watch: DeliveryWatch::begun(experiment)? })
    }

    /// What is watched.
    pub fn watch(&self) -> &DeliveryWatch {
        &self.watch
    }

    /// A place under the algorithm of this number in words.
    pub fn spot(&self, index: usize, code: Place) -> String {
        let mut said = watch::spot(&self.watch, index, place(code));
        if let TreeSpot::Channel(place) = place(code)
            && let Some(by_hand) = self.by_hand(place)
        {
            said.push_str(&by_hand);
        }
        said
    }

    /// The channel of a place.
    pub fn channel_at(&self, code: Place) -> Option<ChannelPlace> {
        match place(code) {
            TreeSpot::Channel(place) => Some(place),
            TreeSpot::Processor(_) => None,
        }
    }

    /// What of a channel is broken and mended by hand, named as in texts; `None` if nothing is.
    fn by_hand(&self, channel: ChannelPlace) -> Option<String> {
        let (faults, leaves) = (&self.experiment.faults, self.experiment.network.leaves()?);
        let here = |other: ChannelPlace| ChannelPlace { wire: 0, ..other } == channel;
        let name = |channel| leaves.channel_text(channel);
        let broken = faults.broken_wires.iter().filter(|dead| here(dead.channel)).map(|dead| match dead.count {
            1 => format!("{} broken", name(dead.channel)),
            count => format!("{}*{count} broken", name(dead.channel)),
        });
        let mended = faults.mended_channels.iter().filter(|&&other| here(other));
        let all: Vec<_> = broken.chain(mended.map(|&other| format!("{} mended", name(other)))).collect();
        (!all.is_empty()).then(|| format!(" By hand: {}.", all.join(", ")))
    }

    /// Writes all cycles down, as on the command line: a watch of its own goes to the end for them.
    fn written(&self, write: fn(&Experiment, &DeliveryWatch, &[Vec<files::CycleRow>]) -> String) -> String {
        let Some(mut watch) = DeliveryWatch::new(&self.experiment) else { return String::new() };
        let rows = files::cycles(&mut watch);
        write(&self.experiment, &watch, &rows)
    }

    fn picture(&self, size: Size) -> TreePicture {
        TreePicture { channels: self.watch.trial.channels, size }
    }
}

impl Document for DeliveryPlay {
    fn text(&self) -> String {
        self.written(|experiment, watch, rows| files::told(experiment, watch, rows, None))
    }

    fn csv(&self) -> String {
        self.written(files::cycles_csv)
    }

    fn json(&self) -> String {
        self.written(files::json)
    }
}

/// Places are processors and channels.
impl Watch for DeliveryPlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn look(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.watch.series.iter().map(|series| series.algorithm.name.to_string()).collect()
    }

    fn title(&self, _shown: &Shown) -> String {
        watch::title(&self.watch)
    }

    fn subtitle(&self, shown: &Shown) -> String {
        watch::subtitle(&self.watch, self.explained(shown))
    }

    fn short(&self, index: usize) -> String {
        watch::short(&self.watch, index)
    }

    fn counts(&self) -> Rows {
        watch::counts(&self.watch)
    }

    fn mirror(&self, shown: &Shown) -> String {
        if shown.playing {
            return String::new();
        }
        let mut said = watch::mirror(&self.watch, self.explained(shown));
        if let Some((index, place)) = shown.focus {
            said.push_str(" In focus: ");
            said.push_str(&self.spot(index, place));
        }
        said
    }

    fn chart(&self) -> Option<Chart> {
        let says = "Messages that have arrived, over the delivery cycles";
        Some(Chart { id: "arrived", says, figure: watch::arrivals(&self.watch) })
    }

    fn clock(&self) -> Clock {
        Clock { step: "cycle", unit: "cycles", name: "Cycle", whole: true, speed: 1.5, speeds: ["-1", "6", "0.25"] }
    }

    fn now(&self) -> f64 {
        self.watch.now().into()
    }

    fn said(&self) -> String {
        format!("cycle {} of {}", self.watch.now(), self.watch.end())
    }

    fn end(&self) -> f64 {
        self.watch.end().into()
    }

    fn events(&self) -> Vec<Event> {
        let names = self.watch.series.len();
        let ended = self.watch.series.iter().filter_map(|series| {
            let what: Cow<'static, str> = match series.outcome? {
                DeliveryOutcome::Delivered { .. } => {
                    watch::arrived_of_all(series).map_or("all arrived".into(), Cow::Owned)
                }
                DeliveryOutcome::Stuck { .. } => "stuck".into(),
                DeliveryOutcome::OutOfCycles { .. } => "given up".into(),
            };
            Some(Event::under(names, &series.algorithm.name, what, series.end.into()))
        });
        ended.collect()
    }

    fn begin(&mut self, before: Option<&dyn Watch>, shown: &mut Shown) -> f64 {
        mend(self, shown);
        before.map_or(1.0, Watch::now)
    }

    fn seek(&mut self, time: f64) {
        self.watch.seek(time as u32);
    }

    fn work(&mut self) -> bool {
        self.watch.work(SENDS)
    }

    fn draw(&self, panel: usize, size: Size, shown: &Shown) -> Option<Scene> {
        self.watch.series.get(panel)?;
        let focus = shown.focus_in(panel).map(place);
        let followed = shown.pointed_in(panel).unwrap_or(shown.message);
        let drawn = TreeShown { followed: Some(followed as u32), focus, bad_step: shown.built };
        Some(draw::draw(&self.watch, panel, &self.picture(size), &drawn))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, _shown: &Shown) -> Option<Place> {
        self.picture(size).hit(point, touch).map(code)
    }

    fn toward(&self, size: Size, from: Option<Place>, step: (i8, i8)) -> Option<Place> {
        let next = from.map(|from| self.picture(size).toward(place(from), step));
        Some(code(next.unwrap_or(TreeSpot::Processor(0))))
    }

    fn thing(&self, named: Named) -> Option<Thing> {
        let spot = match named {
            Named::Message(number) => return Some(Thing::Message(number)),
            Named::Node(processor) => TreeSpot::Processor(processor.0.try_into().ok()?),
            Named::Channel(place) => TreeSpot::Channel(place),
            Named::Link(_) => return None,
        };
        self.has(code(spot)).then_some(Thing::Place(code(spot)))
    }

    /// The first message of a processor; of a channel, the first one that is lost there in this cycle.
    fn message_at(&self, panel: usize, code: Place) -> Option<u64> {
        let found = match place(code) {
            TreeSpot::Processor(number) => watch::first_of(&self.watch, number),
            TreeSpot::Channel(place) => {
                let run = self.watch.series.get(panel)?.run();
                let here = |channel: TreeChannel| {
                    self.watch.trial.channels.place(channel).is_some_and(|other| {
                        (other.height, other.node, other.down) == (place.height, place.node, place.down)
                    })
                };
                (0..self.watch.trial.messages.len())
                    .find(|&message| matches!(run.fate(message), Fate::Lost(channel) if here(channel)))
            }
        };
        found.map(u64::from)
    }

    fn has(&self, code: Place) -> bool {
        match place(code) {
            TreeSpot::Processor(number) => number < self.watch.trial.channels.processors(),
            TreeSpot::Channel(place) => self.watch.trial.channels.at(place).is_some(),
        }
    }
}
