//! Delivery cycles, cycle by cycle.

use super::step_stage::{Spot, StepTick, Steps};
use crate::experiment::DeliveryWatch;
use crate::report::scene::Scene;
use crate::report::tree::{TreePicture, TreeSpot};
use crate::report::tree_scene::{self, TreeShown};
use crate::topology::fat_tree::ChannelPlace;

/// The messages sent between two looks at the clock, a few milliseconds' worth.
const SENDS: u64 = 1 << 15;

/// Marks the place of a channel; without it, a place is a processor.
const CHANNEL: u64 = 1 << 40;
/// Marks a channel that leads down.
const DOWN: u64 = 1 << 39;

/// The number of a place.
pub(super) fn code(spot: TreeSpot) -> Spot {
    match spot {
        TreeSpot::Processor(number) => number.into(),
        TreeSpot::Channel(place) => {
            CHANNEL | if place.down { DOWN } else { 0 } | u64::from(place.height) << 32 | u64::from(place.node)
        }
    }
}

/// The place of a number.
pub(super) fn place(code: Spot) -> TreeSpot {
    let node = code as u32;
    match code & CHANNEL {
        0 => TreeSpot::Processor(node),
        _ => {
            let height = (code >> 32) as u8 & 0x7f;
            TreeSpot::Channel(ChannelPlace { height, node, wire: 0, down: code & DOWN != 0 })
        }
    }
}

impl Steps for DeliveryWatch {
    fn names(&self) -> Vec<&'static str> {
        self.series.iter().map(|series| series.algorithm.name).collect()
    }

    fn now(&self) -> u32 {
        self.now()
    }

    fn opening(&self) -> u32 {
        1
    }

    fn end(&self) -> u32 {
        self.end()
    }

    fn work(&mut self) -> bool {
        self.work(SENDS)
    }

    fn seek(&mut self, step: u32) {
        self.seek(step);
    }

    fn draw(&self, panel: usize, size: (f64, f64), tick: &StepTick) -> Option<Scene> {
        self.series.get(panel)?;
        let focus = tick.focus.filter(|focus| focus.0 == panel).map(|focus| place(focus.1));
        let shown = TreeShown { followed: Some(tick.message), focus, bad_step: tick.built };
        Some(tree_scene::draw(self, panel, &TreePicture { channels: self.trial.channels, size }, &shown))
    }

    fn hit(&self, size: (f64, f64), point: (f64, f64), touch: bool) -> Option<Spot> {
        TreePicture { channels: self.trial.channels, size }.hit(point, touch).map(code)
    }

    fn toward(&self, size: (f64, f64), spot: Option<Spot>, step: (i8, i8)) -> Spot {
        let picture = TreePicture { channels: self.trial.channels, size };
        let first = TreeSpot::Processor(0);
        code(spot.map_or(first, |spot| picture.toward(place(spot), step)))
    }

    fn has(&self, spot: Spot) -> bool {
        match place(spot) {
            TreeSpot::Processor(number) => number < self.trial.channels.processors(),
            TreeSpot::Channel(place) => self.trial.channels.at(place).is_some(),
        }
    }
}
