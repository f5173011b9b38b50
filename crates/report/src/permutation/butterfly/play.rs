//! Playback of messages between the rows of a butterfly: hops of the followed message, or cycles of
//! batches.

use super::picture::{ButterflyPicture, ButterflyView, FollowedRow, draw};
use super::{Hop, Scheme, csv, hop_words, json, text};
use crate::chart::over_time::curves_over_time;
use crate::document::Document;
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, Size};
use crate::picture::scene::Scene;
use crate::watch::{Clock, HitId, Rows, TimeText, TimelineEvent, ViewState, Watch, WatchChart, clear_stale};
use crate::wording::count;
use faultlab_core::rich_text::RichText;
use faultlab_core::switching::BatchOutcome;
use faultlab_core::topology::{Link, NodeId};
use faultlab_experiment::Experiment;
use faultlab_experiment::permutation::{ButterflyWatch, WatchedButterfly};

/// Butterflies of all compared algorithms.
pub struct ButterflyPlay {
    experiment: Experiment,
    watch: ButterflyWatch,
}

impl ButterflyPlay {
    /// Returns the runs of the experiment at the start; `None` for other networks and kinds, and
    /// for butterflies that are too large.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        Some(Self { experiment: experiment.clone(), watch: ButterflyWatch::new(experiment)? })
    }

    /// Returns the watched runs.
    pub fn watch(&self) -> &ButterflyWatch {
        &self.watch
    }

    fn schemes(&self) -> impl Iterator<Item = Scheme<'_>> {
        let all = self.watch.instance.series.iter().zip(&self.watch.watched);
        all.map(|((algorithm, trial), watched)| Scheme {
            algorithm,
            trial,
            paths: &watched.paths,
            batch: watched.batch.as_ref().map(|batch| batch.now()),
            number: watched.followed,
        })
    }

    fn scheme(&self, index: usize) -> Option<Scheme<'_>> {
        self.schemes().nth(index)
    }

    fn picture(&self, size: Size) -> ButterflyPicture {
        ButterflyPicture { butterfly: self.watch.butterfly(), size }
    }

    /// Returns the number of the message that is followed under a scheme.
    fn message(&self, index: usize, shown: &ViewState) -> Option<u32> {
        let scheme = self.scheme(index)?;
        let pointed = shown.pointed_in(index).or(shown.chosen_in(index)).and_then(|number| u32::try_from(number).ok());
        pointed.filter(|&number| number < scheme.trial.relation.len()).or(scheme.number)
    }

    /// Returns the followed message of a scheme in one sentence, and its hops, each with its words.
    pub fn history(&self, index: usize) -> Option<(RichText, Vec<(Link, String)>)> {
        let scheme = self.scheme(index)?;
        let (number, route) = scheme.followed()?;
        let hops = route.map(|route| scheme.hops(route)).unwrap_or_default();
        let hops = hops.iter().map(|hop: &Hop| (hop.link, hop_words(hop))).collect();
        Some((scheme.message(number, &route).into(), hops))
    }

    /// Returns the outcome of a batch in words; `None` without batches.
    pub fn ending(&self, index: usize) -> Option<String> {
        let end = &self.watch.watched.get(index)?.batch.as_ref()?.end;
        let cycles = count(end.cycle, "cycle");
        Some(match end.outcome {
            BatchOutcome::Delivered => format!("All messages with a route have arrived after {cycles}."),
            BatchOutcome::Deadlock(_) => {
                format!("Deadlocked after {cycles}: messages wait for each other in a circle.")
            }
        })
    }

    /// Returns the cycle in which a batch ends; `None` without batches.
    pub fn batch_end(&self, index: usize) -> Option<u32> {
        Some(self.watch.watched.get(index)?.batch.as_ref()?.end.cycle)
    }

    /// Describes a node or link under a scheme.
    pub fn describe_element(&self, index: usize, spot: NetworkElement) -> String {
        let butterfly = self.watch.butterfly();
        let name = |node| butterfly.format_node(node);
        let Some(scheme) = self.scheme(index) else { return String::new() };
        match spot {
            NetworkElement::Link(link) => {
                let end = butterfly.link_end(link).map(name).unwrap_or_default();
                let messages = count(scheme.paths.congestion_of(link), "message");
                format!("link {} → {end}: {messages}", name(link.from))
            }
            NetworkElement::Node(node) if self.watch.instance.faults.contains(node) => {
                format!("node {}: faulty", name(node))
            }
            NetworkElement::Node(node) => {
                let row = butterfly.row(node);
                let [out, into] = scheme.trial.routing.faulty_paths(row);
                let state = if scheme.trial.routing.is_active(row) { "active" } else { "not active" };
                format!("node {}; row {row} is {state}: {out} faulty paths out of it, {into} into it", name(node))
            }
        }
    }

    /// Returns the next element in the cycle from a node through its links and back to the node.
    pub fn next_link(&self, place: HitId) -> HitId {
        let next = NetworkElement::from_code(place).next_link(2);
        if self.contains(next.code()) { next.code() } else { NetworkElement::Node(next.node()).code() }
    }
}

impl Document for ButterflyPlay {
    fn text(&self) -> String {
        text(&self.experiment, self.schemes())
    }

    fn csv(&self) -> String {
        csv(&self.experiment, self.schemes())
    }

    fn json(&self) -> String {
        json(&self.experiment, self.schemes())
    }
}

/// Hit ids are the codes of nodes and links, see [`NetworkElement::code`]; only nodes can be
/// pointed at, and keys select links.
impl Watch for ButterflyPlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn set_view(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.watch.instance.series.iter().map(|(algorithm, _)| algorithm.name.to_string()).collect()
    }

    fn title(&self, _shown: &ViewState) -> String {
        let butterfly = self.watch.butterfly();
        let what = if self.watch.is_batch() { "all at once" } else { "one path after the other" };
        format!("Messages between the {} rows of a butterfly, {what}", butterfly.rows())
    }

    fn subtitle(&self, shown: &ViewState) -> RichText {
        self.scheme(self.explained(shown)).map(|scheme| scheme.ending()).unwrap_or_default().into()
    }

    fn status(&self, index: usize) -> String {
        let Some(scheme) = self.scheme(index) else { return String::new() };
        match scheme.batch {
            Some(batch) if matches!(batch.outcome(), Some(BatchOutcome::Deadlock(_))) => "deadlocked".into(),
            Some(batch) => {
                format!("{} of {} arrived", batch.finished().iter().flatten().count(), batch.finished().len())
            }
            None => format!("{} active", scheme.rows()[0]),
        }
    }

    fn counts(&self) -> Rows {
        let row =
            |name, value: fn(&Scheme<'_>) -> String| (name, self.schemes().map(|scheme| value(&scheme)).collect());
        let mut rows = vec![
            row("Active rows", |scheme| scheme.rows()[0].to_string()),
            row("Messages", |scheme| scheme.trial.relation.len().to_string()),
            row("Not sent", |scheme| scheme.trial.relation.excluded_count().to_string()),
            row("Without a route", |scheme| (scheme.trial.relation.len() - scheme.paths.delivered()).to_string()),
            row("Congestion", |scheme| scheme.paths.max_congestion().to_string()),
            row("Load", |scheme| scheme.paths.max_load().to_string()),
        ];
        if self.watch.is_batch() {
            let arrived = |scheme: &Scheme<'_>| scheme.batch.map_or(0, |it| it.finished().iter().flatten().count());
            rows.push(("Arrived", self.schemes().map(|scheme| arrived(&scheme).to_string()).collect()));
        }
        rows
    }

    fn text_alternative(&self, shown: &ViewState) -> String {
        if shown.playing {
            return String::new();
        }
        let mut said = format!("{}. {}", self.title(shown), self.subtitle(shown));
        if let Some((index, place)) = shown.focus {
            said.push_str(&format!(" In focus: {}.", self.describe_element(index, NetworkElement::from_code(place))));
        }
        said
    }

    fn chart(&self) -> Option<WatchChart> {
        let arrived = |watched: &WatchedButterfly| {
            let counts = watched.batch.as_ref().map_or(&[][..], |batch| &batch.end.arrived);
            let points = (0u32..).zip(counts).map(|(cycle, &count)| (f64::from(cycle), f64::from(count)));
            points.collect::<Vec<_>>()
        };
        let all = self.watch.instance.series.iter().zip(&self.watch.watched);
        let curves: Vec<_> = all.map(|((algorithm, _), watched)| (&*algorithm.name, arrived(watched))).collect();
        let alt_text = "Messages that have arrived, over time; the current numbers are listed beside the networks";
        let figure = curves_over_time(&curves, self.now(), self.end(), ["cycle", "arrived"]);
        self.watch.is_batch().then_some(WatchChart { id: "arrived", alt_text, figure })
    }

    fn clock(&self) -> Clock {
        let is_batch = self.watch.is_batch();
        let (step, unit, name) = if is_batch { ("cycle", "cycles", "Time") } else { ("hop", "hops", "Hop") };
        Clock { step, unit, name, is_discrete: true, initial_speed_log2: 1.5, speed_range_log2: ["-1", "6", "0.25"] }
    }

    fn now(&self) -> f64 {
        self.watch.now().into()
    }

    fn time_text(&self) -> TimeText {
        let now = format!("{} {}", self.clock().step, self.watch.now());
        TimeText { now, end: Some(self.watch.end().to_string()) }
    }

    fn end(&self) -> f64 {
        self.watch.end().into()
    }

    fn events(&self) -> Vec<TimelineEvent> {
        let series = &self.watch.instance.series;
        let ended = series.iter().zip(&self.watch.watched).filter_map(|((algorithm, _), watched)| {
            let end = &watched.batch.as_ref()?.end;
            let what = if matches!(end.outcome, BatchOutcome::Deadlock(_)) { "deadlock" } else { "all arrived" };
            Some(TimelineEvent::for_algorithm(series.len(), &algorithm.name, what, end.cycle.into()))
        });
        ended.collect()
    }

    /// Permutations begin at the end, so that the whole route is visible at once; batches begin at
    /// the start.
    fn begin(&mut self, before: Option<&mut dyn Watch>, shown: &mut ViewState) -> f64 {
        clear_stale(self, shown);
        match before {
            Some(before) => before.now(),
            None => {
                shown.heat = true;
                if self.watch.is_batch() { 0.0 } else { f64::INFINITY }
            }
        }
    }

    fn seek(&mut self, time: f64) {
        self.watch.seek(time as u32);
    }

    fn draw(&self, panel: usize, size: Size, shown: &ViewState) -> Option<Scene> {
        let (scheme, watched) = (self.scheme(panel)?, self.watch.watched.get(panel)?);
        let number = self.message(panel, shown);
        let route = number.and_then(|number| scheme.trial.route(number).ok());
        let batch = watched.batch.as_ref();
        let view = ButterflyView {
            series: panel as u8,
            heat: Some(&watched.paths).filter(|_| shown.heat && batch.is_none()),
            route: route.map(|route| FollowedRow { route, hops: self.watch.now() }),
            batch: batch.map(|batch| (batch, number.and_then(|number| batch.place(number)))),
            focus: shown.focus_in(panel).map(|place| {
                let spot = NetworkElement::from_code(place);
                (spot, self.describe_element(panel, spot))
            }),
        };
        Some(draw(&self.picture(size), &scheme.trial.routing, &view))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, _shown: &ViewState) -> Option<HitId> {
        self.picture(size).hit(point, touch).map(|node| node.0)
    }

    fn position(&self, size: Size, place: HitId, _shown: &ViewState) -> Option<Point> {
        self.picture(size).at(NetworkElement::from_code(place).node())
    }

    fn neighbor(&self, size: Size, place: Option<HitId>, step: (i8, i8)) -> Option<HitId> {
        let here = place.map(|place| NetworkElement::from_code(place).node());
        Some(here.map_or(0, |node| self.picture(size).toward(node, step).0))
    }

    fn contains(&self, place: HitId) -> bool {
        match NetworkElement::from_code(place) {
            NetworkElement::Node(node) => self.watch.butterfly().contains(node),
            NetworkElement::Link(link) => self.watch.butterfly().link_end(link).is_some(),
        }
    }

    /// Returns the first message that the row of a node sends.
    fn message_at(&self, panel: usize, place: HitId) -> Option<u64> {
        let NetworkElement::Node(node) = NetworkElement::from_code(place) else { return None };
        let row = NodeId(self.watch.butterfly().row(node).into());
        let relation = &self.scheme(panel)?.trial.relation;
        relation.iter().position(|(from, _)| from == row).map(|number| number as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scene::Shape;

    fn play(text: &str) -> ButterflyPlay {
        ButterflyPlay::new(&text.parse().unwrap()).unwrap()
    }

    const SIZE: Size = Size { width: 500.0, height: 400.0 };

    #[test]
    fn every_node_is_hit_where_it_is_drawn() {
        let play = play("net=butterfly:4&switch=permutation&break=5.1&route=bit-fixing");
        let shown = ViewState::default();
        for node in 0..80 {
            let at = play.position(SIZE, node, &shown).unwrap();
            assert_eq!(play.hit(SIZE, at, false, &shown), Some(node));
        }
        assert_eq!((play.position(SIZE, 80, &shown), play.contains(80)), (None, false));
        // Rows below each other, levels beside each other, without a step beyond the border.
        assert_eq!(play.neighbor(SIZE, Some(0), (1, 0)), Some(16));
        assert_eq!(play.neighbor(SIZE, Some(16), (0, 1)), Some(17));
        assert_eq!(play.neighbor(SIZE, Some(79), (1, 1)), Some(79));
        let links = std::iter::successors(Some(3), |&place| Some(play.next_link(place)).filter(|&next| next != 3));
        assert_eq!((links.count(), play.next_link(70)), (3, 70));
    }

    #[test]
    fn the_route_grows_hop_by_hop_and_faults_are_crossed_out() {
        let mut play = play("net=butterfly:3&switch=permutation&break=5.1&route=algorithm-a&tolerance=0.5");
        let shown = ViewState::default();
        assert_eq!(play.end(), 6.0);
        for hops in 0..=6 {
            play.seek(f64::from(hops));
            let scene = play.draw(0, SIZE, &shown).unwrap();
            let strokes = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Stroke { .. })).count();
            let crosses = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Cross { .. })).count();
            // A line and an arrow for each hop.
            assert_eq!((strokes, crosses), (2 * hops as usize, 1));
        }
        let (said, hops) = play.history(0).unwrap();
        assert!(said.to_string().contains("by way of row") && hops.len() == 6, "{said}");
        assert!(play.describe_element(0, NetworkElement::Node(NodeId(13))).contains("faulty"));
    }

    #[test]
    fn a_batch_arrives_and_goes_back() {
        let mut play = play("net=butterfly:3&switch=batch&route=bit-fixing,algorithm-a&length=2&flow=cut-through");
        let arrived = |play: &ButterflyPlay| -> Vec<String> {
            play.counts().into_iter().find(|row| row.0 == "Arrived").map(|row| row.1).unwrap_or_default()
        };
        assert_eq!((play.now(), arrived(&play)), (0.0, vec!["0".to_owned(), "0".to_owned()]));
        play.seek(f64::INFINITY);
        let messages = play.counts().into_iter().find(|row| row.0 == "Messages").unwrap().1;
        assert_eq!(arrived(&play), messages);
        assert!(
            play.events().iter().all(|event| event.description.ends_with("all arrived") && event.time <= play.end())
        );
        assert!(play.draw(1, SIZE, &ViewState::default()).is_some() && play.chart().is_some());
        play.seek(1.0);
        assert_eq!(arrived(&play), ["0", "0"]);
        assert!(ButterflyPlay::new(&"net=butterfly:9&switch=permutation".parse().unwrap()).is_none());
    }
}
