//! Playback of delivery cycles.

use std::borrow::Cow;

use super::picture::draw;
use super::picture::painter::TreeViewOptions;
use super::picture::tree_layout::{TreeElement, TreeLayout};
use super::{files, watch};
use crate::document::Document;
use crate::picture::geometry::{Point, Size};
use crate::picture::scene::Scene;
use crate::watch::{Clock, Highlight, HitId, Rows, TimeText, TimelineEvent, ViewState, Watch, WatchChart, clear_stale};
use faultlab_core::rich_text::{Entity, RichText};
use faultlab_core::switching::delivery::{CycleResult, DeliveryOutcome};
use faultlab_core::topology::fat_tree::{ChannelLocation, TreeChannel};
use faultlab_experiment::{DeliveryWatch, Experiment};

/// Messages sent between two clock checks, a few milliseconds of work.
const SENDS_PER_SLICE: u64 = 1 << 13;

/// Flag of a channel's hit id; ids without it are processors.
const CHANNEL: u64 = 1 << 40;
/// Flag of a channel that leads down.
const DOWN: u64 = 1 << 39;

/// Encodes an element as a hit id.
fn code(spot: TreeElement) -> HitId {
    match spot {
        TreeElement::Processor(number) => number.into(),
        TreeElement::Channel(place) => {
            CHANNEL | if place.down { DOWN } else { 0 } | u64::from(place.height) << 32 | u64::from(place.node)
        }
    }
}

/// Decodes a hit id.
fn decode_place(code: HitId) -> TreeElement {
    let node = code as u32;
    match code & CHANNEL {
        0 => TreeElement::Processor(node),
        _ => {
            let height = (code >> 32) as u8 & 0x7f;
            TreeElement::Channel(ChannelLocation { height, node, wire: 0, down: code & DOWN != 0 })
        }
    }
}

/// Fat-trees of all compared algorithms.
pub struct DeliveryPlay {
    experiment: Experiment,
    watch: DeliveryWatch,
}

impl DeliveryPlay {
    /// Returns the runs of the experiment, before the first cycle; their ends are computed later.
    /// Returns `None` for networks other than fat-trees.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        Some(Self { experiment: experiment.clone(), watch: DeliveryWatch::start(experiment)? })
    }

    /// Returns the watched runs.
    pub fn watch(&self) -> &DeliveryWatch {
        &self.watch
    }

    /// Describes an element under algorithm number `index`.
    pub fn describe_element(&self, index: usize, code: HitId) -> String {
        let mut said = watch::describe_element(&self.watch, index, decode_place(code));
        if let TreeElement::Channel(place) = decode_place(code)
            && let Some(by_hand) = self.by_hand(place)
        {
            said.push_str(&by_hand);
        }
        said
    }

    /// Returns the channel of a hit id.
    pub fn channel_at(&self, code: HitId) -> Option<ChannelLocation> {
        match decode_place(code) {
            TreeElement::Channel(place) => Some(place),
            TreeElement::Processor(_) => None,
        }
    }

    /// Returns the manual edits of a channel, named as in texts; `None` if there are none.
    fn by_hand(&self, channel: ChannelLocation) -> Option<String> {
        let (faults, leaves) = (&self.experiment.faults, self.experiment.network.leaves()?);
        let here = |other: ChannelLocation| ChannelLocation { wire: 0, ..other } == channel;
        let name = |channel| leaves.format_channel(channel);
        let broken = faults.dead_wires.iter().filter(|dead| here(dead.channel)).map(|dead| match dead.count {
            1 => format!("{} broken", name(dead.channel)),
            count => format!("{}*{count} broken", name(dead.channel)),
        });
        let mended = faults.live_channels.iter().filter(|&&other| here(other));
        let all: Vec<_> = broken.chain(mended.map(|&other| format!("{} mended", name(other)))).collect();
        (!all.is_empty()).then(|| format!(" By hand: {}.", all.join(", ")))
    }

    /// Returns the file of all cycles, as on the command line, from a second watch that runs to the
    /// end.
    fn written(&self, write: fn(&Experiment, &DeliveryWatch, &[Vec<files::CycleRow>]) -> String) -> String {
        let Some(mut watch) = DeliveryWatch::new(&self.experiment) else { return String::new() };
        let rows = files::cycles(&mut watch);
        write(&self.experiment, &watch, &rows)
    }

    fn picture(&self, size: Size, shown: &ViewState) -> TreeLayout {
        TreeLayout { channels: self.watch.trial.channels, size, zoom: shown.viewport.zoom() }
    }
}

impl Document for DeliveryPlay {
    fn text(&self) -> String {
        self.written(|experiment, watch, rows| files::text(experiment, watch, rows, None))
    }

    fn csv(&self) -> String {
        self.written(files::cycles_csv)
    }

    fn json(&self) -> String {
        self.written(files::json)
    }
}

/// Hit ids are processors and channels.
impl Watch for DeliveryPlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn set_view(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.watch.series.iter().map(|series| series.algorithm.name.to_string()).collect()
    }

    fn title(&self, _shown: &ViewState) -> String {
        watch::title(&self.watch)
    }

    fn subtitle(&self, shown: &ViewState) -> RichText {
        watch::subtitle(&self.watch, self.explained(shown))
    }

    fn status(&self, index: usize) -> String {
        watch::status(&self.watch, index)
    }

    fn counts(&self) -> Rows {
        watch::counts(&self.watch)
    }

    fn text_alternative(&self, shown: &ViewState) -> String {
        if shown.playing {
            return String::new();
        }
        let mut said = watch::mirror(&self.watch, self.explained(shown));
        if let Some((index, place)) = shown.focus {
            said.push_str(" In focus: ");
            said.push_str(&self.describe_element(index, place));
        }
        said
    }

    fn chart(&self) -> Option<WatchChart> {
        let says = "Messages that have arrived, over the delivery cycles";
        Some(WatchChart { id: "arrived", alt_text: says, figure: watch::arrivals(&self.watch) })
    }

    fn clock(&self) -> Clock {
        Clock {
            step: "cycle",
            unit: "cycles",
            name: "Cycle",
            is_discrete: true,
            initial_speed_log2: 1.5,
            speed_range_log2: ["-1", "6", "0.25"],
        }
    }

    fn now(&self) -> f64 {
        self.watch.now().into()
    }

    fn time_text(&self) -> TimeText {
        TimeText { now: format!("cycle {}", self.watch.now()), end: Some(self.watch.end().to_string()) }
    }

    fn end(&self) -> f64 {
        self.watch.end().into()
    }

    fn events(&self) -> Vec<TimelineEvent> {
        let names = self.watch.series.len();
        let ended = self.watch.series.iter().filter_map(|series| {
            let what: Cow<'static, str> = match series.outcome? {
                DeliveryOutcome::Delivered { .. } => {
                    watch::arrived_of_all(series).map_or("all arrived".into(), Cow::Owned)
                }
                DeliveryOutcome::Stuck { .. } => "stuck".into(),
                DeliveryOutcome::OutOfCycles { .. } => "stopped".into(),
            };
            Some(TimelineEvent::for_algorithm(names, &series.algorithm.name, what, series.end.into()))
        });
        ended.collect()
    }

    fn begin(&mut self, before: Option<&mut dyn Watch>, shown: &mut ViewState) -> f64 {
        clear_stale(self, shown);
        before.map_or(1.0, |before| before.now())
    }

    fn seek(&mut self, time: f64) {
        self.watch.seek(time as u32);
    }

    fn work(&mut self) -> bool {
        self.watch.work(SENDS_PER_SLICE)
    }

    fn draw(&self, panel: usize, size: Size, shown: &ViewState) -> Option<Scene> {
        self.watch.series.get(panel)?;
        let focus = shown.focus_in(panel).map(decode_place);
        let followed = shown.pointed_in(panel).unwrap_or(shown.message);
        let drawn = TreeViewOptions { followed: Some(followed as u32), focus, bad_step: shown.construction_step };
        Some(draw::draw(&self.watch, panel, &self.picture(size, shown), &drawn))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, shown: &ViewState) -> Option<HitId> {
        self.picture(size, shown).hit(point, touch).map(code)
    }

    fn position(&self, size: Size, place: HitId, shown: &ViewState) -> Option<Point> {
        let picture = self.picture(size, shown);
        Some(match decode_place(place) {
            TreeElement::Processor(processor) => picture.leaf(processor),
            TreeElement::Channel(place) => picture.mark_point(place),
        })
    }

    fn neighbor(&self, size: Size, from: Option<HitId>, step: (i8, i8)) -> Option<HitId> {
        let next = from.map(|from| self.picture(size, &ViewState::default()).toward(decode_place(from), step));
        Some(code(next.unwrap_or(TreeElement::Processor(0))))
    }

    fn highlight(&self, entity: Entity) -> Option<Highlight> {
        let spot = match entity {
            Entity::Message(number) => return Some(Highlight::Message(number)),
            Entity::Node(processor) => TreeElement::Processor(processor.0.try_into().ok()?),
            Entity::Channel(place) => TreeElement::Channel(place),
            Entity::Link(_) => return None,
        };
        self.contains(code(spot)).then_some(Highlight::Place(code(spot)))
    }

    /// Returns the first message of a processor; for a channel, the first message that is lost
    /// there in the current cycle.
    fn message_at(&self, panel: usize, code: HitId) -> Option<u64> {
        let found = match decode_place(code) {
            TreeElement::Processor(number) => watch::first_of(&self.watch, number),
            TreeElement::Channel(place) => {
                let run = self.watch.series.get(panel)?.run();
                let here = |channel: TreeChannel| {
                    self.watch.trial.channels.location(channel).is_some_and(|other| {
                        (other.height, other.node, other.down) == (place.height, place.node, place.down)
                    })
                };
                (0..self.watch.trial.messages.len())
                    .find(|&message| matches!(run.fate(message), CycleResult::Lost(channel) if here(channel)))
            }
        };
        found.map(u64::from)
    }

    fn contains(&self, code: HitId) -> bool {
        match decode_place(code) {
            TreeElement::Processor(number) => number < self.watch.trial.channels.processors(),
            TreeElement::Channel(place) => self.watch.trial.channels.channel_at(place).is_some(),
        }
    }
}
