//! Picture of one algorithm on a fat-tree. The width of a channel shows its capacity, the strength
//! of its colour its load. A bar across a channel marks more messages than live wires.

use super::painter::{DeliveryPainter, SIZE, TreeViewOptions, ratio};
use super::tree_layout::{TRIANGLE, TreeElement, TreeLayout};
use super::{bad_set, bins, legend, message_path};
use crate::delivery::channel_loads;
use crate::delivery::channel_loads::ChannelCounts;
use crate::delivery::watch::short_number;
use crate::picture::geometry::{Point, text_width};
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use faultlab_core::topology::fat_tree::ChannelLocation;
use faultlab_core::traffic::MessageSet;
use faultlab_experiment::DeliveryWatch;

/// Draws algorithm number `series` of `watch` in the watched cycle. Cost: proportional to the
/// messages and the drawn channels.
pub fn draw(watch: &DeliveryWatch, series: usize, picture: &TreeLayout, shown: &TreeViewOptions) -> Scene {
    let Some(watched) = watch.series.get(series) else { return Scene { size: picture.size, shapes: Vec::new() } };
    let before = watch.now() == 0;
    let run = watched.run();
    let mut painter = DeliveryPainter { watch, index: series, run, picture, shown, before, shapes: Vec::new() };
    painter.draw_level_labels();
    match (shown.bad_step, &watch.bad) {
        (Some(step), Some(bad)) => bad_set::draw(&mut painter, bad, step),
        _ => {
            painter.channels();
            painter.nodes();
            bins::draw(&mut painter);
            message_path::draw(&mut painter);
            painter.focus();
            legend::draw(&mut painter);
        }
    }
    Scene { size: picture.size, shapes: painter.shapes }
}

impl DeliveryPainter<'_> {
    /// Returns the heights whose channels are drawn; the root's only if messages leave by it.
    fn heights(&self) -> std::ops::Range<u8> {
        let all = self.picture.heights();
        if self.run.messages().has_external_messages() {
            all
        } else {
            all.start..all.end.min(self.picture.channels.levels())
        }
    }

    /// Writes the number of wires of each level's channels at the left edge.
    fn draw_level_labels(&mut self) {
        let picture = self.picture;
        for height in self.heights() {
            let wires = picture.channels.wires_at(height);
            let y = picture.at(height, 0).y - 0.17 * picture.step().min(80.0);
            let text = match picture.is_narrow() {
                true => wires.to_string(),
                false => crate::wording::count(wires, "wire"),
            };
            self.text(Point::new(6.0, y), Anchor::Start, Role::Soft, SIZE, text);
        }
    }

    /// Draws all visible channels.
    fn channels(&mut self) {
        let quiet = channel_loads::has_ended_earlier(self.watch, self.index);
        for height in self.heights().rev() {
            let loads = self.before.then(|| channel_loads::loads(&self.watch.trial, height));
            for place in self.picture.places(height) {
                if place.down && height == self.picture.channels.levels() {
                    continue;
                }
                let tally = channel_loads::channel(self.run, place);
                self.draw_empty_channel(place, tally);
                match &loads {
                    Some(loads) => self.load(place, tally, loads[usize::from(place.down)][place.node as usize]),
                    None if !quiet => self.contest(place, tally),
                    None => {}
                }
            }
        }
        if self.run.messages().has_external_messages() {
            self.draw_departures();
        }
        if let Some(place) = self.watch.trial.load_factor.channel().filter(|_| self.before) {
            self.load_factor(place);
        }
    }

    /// Writes the number of messages that have left by the root.
    fn draw_departures(&mut self) {
        let both = self.run.messages().ends().iter().zip(self.run.arrived());
        let out = both.filter(|&(ends, &cycle)| ends[1] == MessageSet::OUT && cycle > 0).count();
        let Point { x, y } = self.picture.at(self.picture.channels.levels(), 0);
        let away = self.picture.width(self.picture.channels.levels()) / 2.0 + 6.0;
        self.text(Point::new(x + away, y - 18.0), Anchor::Start, Role::Done, SIZE, format!("{out} out"));
    }

    /// Draws the contention for a channel in the watched cycle.
    fn contest(&mut self, place: ChannelLocation, tally: ChannelCounts) {
        if tally.contenders == 0 {
            return;
        }
        let width = self.picture.width(place.height);
        let part = ratio(tally.contenders, tally.live).min(1.0);
        self.fill(place, width * ratio(tally.live, tally.wires) * part, part);
        let lost = tally.lost();
        if lost > 0 {
            let Point { x, y } = self.picture.mark_point(place);
            let half = (width / 2.0 + 3.0).min(0.9 * self.picture.spacing(place.height) / 2.0);
            let thick = (width * 0.6).clamp(2.0, 3.0);
            self.line(vec![Point::new(x - half, y), Point::new(x + half, y)], Role::Fault, thick, &[], 1.0);
        }
        let all = format!("{}/{}", tally.contenders, tally.live);
        let texts = match lost {
            0 => vec![(all, Role::Soft)],
            lost => vec![(format!("{all}, −{lost}"), Role::Fault), (format!("−{lost}"), Role::Fault)],
        };
        self.label(place, texts);
    }

    /// Draws the load of a channel by the whole message set.
    fn load(&mut self, place: ChannelLocation, tally: ChannelCounts, load: u32) {
        let most = self.watch.trial.load_factor.value();
        if load == 0 || most <= 0.0 || tally.live == 0 {
            return;
        }
        let part = (ratio(load, tally.live) / most).min(1.0);
        self.fill(place, self.picture.width(place.height) * ratio(tally.live, tally.wires) * part, part);
        if self.watch.trial.load_factor.channel() == Some(place) {
            let text = format!("{load}/{} = {}", tally.live, short_number(most));
            self.beside(place, Role::Ink, text);
        } else {
            self.label(place, vec![(format!("{load}/{}", tally.live), Role::Soft)]);
        }
    }

    fn fill(&mut self, place: ChannelLocation, width: f64, part: f64) {
        let role = Role::Series(self.index as u8);
        self.line(self.picture.band(place), role, width.max(0.7), &[], 0.45 + 0.5 * part);
    }

    /// Writes the first of `texts` that fits beside a channel.
    fn label(&mut self, place: ChannelLocation, texts: Vec<(String, Role)>) {
        let picture = self.picture;
        let half = picture.aside(place.height) + picture.width(place.height) / 2.0;
        let room = picture.spacing(place.height) / 2.0 - half - 9.0;
        let fits = |text: &str| text_width(text, SIZE) <= room;
        if let Some((text, role)) = texts.into_iter().find(|(text, _)| fits(text)) {
            self.beside(place, role, text);
        }
    }

    /// Marks the channel that attains the load factor with two bars.
    fn load_factor(&mut self, place: ChannelLocation) {
        let picture = self.picture;
        let Point { x, y } = match place.height.checked_sub(picture.floor()) {
            Some(_) => picture.mark_point(place),
            None => {
                let up = picture.floor() - place.height;
                let Point { x, y } = picture.at(picture.floor(), picture.channels.node_above(up, place.node));
                Point::new(x, y + 0.6 * TRIANGLE)
            }
        };
        let half = picture.width(place.height.max(picture.floor())) / 2.0 + 3.0;
        for y in [y - 4.0, y + 4.0] {
            self.line(vec![Point::new(x - half, y), Point::new(x + half, y)], Role::Ink, 2.0, &[], 1.0);
        }
    }

    /// Draws the mark of the element in focus.
    fn focus(&mut self) {
        match self.shown.focus {
            Some(TreeElement::Channel(place)) if self.picture.heights().contains(&place.height) => {
                let width = self.picture.width(place.height);
                for side in [-1.0, 1.0] {
                    let moved = |at: Point| Point::new(at.x + side * (width / 2.0 + 1.5), at.y);
                    let line = self.picture.band(place).into_iter().map(moved).collect();
                    self.line(line, Role::Ink, 1.4, &[], 1.0);
                }
            }
            Some(TreeElement::Processor(processor)) => {
                let at = self.picture.leaf(processor);
                let disc = Shape::Disc { at, radius: 4.5, fill: Role::Paper, stroke: Some((Role::Ink, 1.6)) };
                self.shapes.push(disc);
            }
            _ => {}
        }
    }
}
