//! Playback of whole permutations: hops of the followed message, or cycles of batches.

use super::batch_state::hops_made;
use super::files;
use super::picture::draw;
use super::picture::painter::{BatchAtCycle, FollowedRoute, SubcubeViewOptions};
use super::picture::subcube_layout::SquaresPicture;
use super::watch;
use crate::document::Document;
use crate::picture::cube::NetworkElement;
use crate::picture::geometry::{Point, Size};
use crate::picture::scene::Scene;
use crate::watch::{Clock, HitId, Rows, TimeText, TimelineEvent, ViewState, Watch, WatchChart, clear_stale};
use faultlab_core::rich_text::RichText;
use faultlab_core::switching::BatchOutcome;
use faultlab_experiment::{Experiment, FollowedMessage, PermutationWatch};

/// Routes counted between two clock checks, a few milliseconds of work.
const ROUTES_PER_SLICE: u32 = 1 << 12;

/// Cubes of all compared algorithms as squares of subcubes.
pub struct PermutationPlay {
    experiment: Experiment,
    watch: PermutationWatch,
}

impl PermutationPlay {
    /// Returns the runs of the experiment at the start; their routes are counted later. Returns
    /// `None` for other networks and kinds, and for cubes that are too large.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        Some(Self { experiment: experiment.clone(), watch: PermutationWatch::start(experiment)? })
    }

    /// Returns the watched runs.
    pub fn watch(&self) -> &PermutationWatch {
        &self.watch
    }

    fn picture(&self, size: Size, shown: &ViewState) -> SquaresPicture {
        SquaresPicture { cube: self.watch.instance.cell.cube, size, zoom: shown.viewport.zoom() }
    }

    fn views(&self) -> Vec<files::SchemeView<'_>> {
        files::views(&self.experiment, &self.watch.instance, self.watch.now())
    }
}

impl Document for PermutationPlay {
    fn text(&self) -> String {
        files::text(&self.experiment, &self.watch.instance, &self.views())
    }

    fn csv(&self) -> String {
        files::csv(&self.experiment, &self.watch.instance, &self.views())
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &self.watch.instance, &self.views())
    }
}

/// Hit ids are the codes of nodes and links, see [`NetworkElement::code`]; only nodes can be
/// pointed at, and keys select links.
impl Watch for PermutationPlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn set_view(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.watch.instance.series.iter().map(|series| series.algorithm.name.to_string()).collect()
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
            said.push_str(&watch::describe_element(&self.watch, index, NetworkElement::from_code(place)));
        }
        said
    }

    fn chart(&self) -> Option<WatchChart> {
        let says = "Messages that have arrived, over time; the current numbers are listed beside the networks";
        let is_batch = self.watch.is_batch();
        is_batch.then(|| WatchChart { id: "arrived", alt_text: says, figure: watch::arrivals(&self.watch) })
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
        let batches = series
            .iter()
            .zip(&self.watch.watched)
            .filter_map(|(series, watched)| Some((series, watched.as_ref()?.batch.as_ref()?)));
        let ended = batches.map(|(one, batch)| {
            let what = match batch.outcome {
                BatchOutcome::Deadlock(_) => "deadlock",
                BatchOutcome::Delivered if batch.given_up > 0 => "last arrival",
                BatchOutcome::Delivered => "all arrived",
            };
            TimelineEvent::for_algorithm(series.len(), &one.algorithm.name, what, batch.end.into())
        });
        ended.collect()
    }

    /// Permutations begin at the end, so that the whole route is visible at once; worms begin at
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

    fn work(&mut self) -> bool {
        self.watch.work(ROUTES_PER_SLICE)
    }

    fn draw(&self, panel: usize, size: Size, shown: &ViewState) -> Option<Scene> {
        let series = self.watch.instance.series.get(panel)?;
        let watched = self.watch.watched.get(panel)?.as_ref();
        let batch = watched.and_then(|watched| watched.batch.as_ref());
        let pointed = shown.pointed_in(panel).zip(series.trial.as_ref().ok());
        let pointed = pointed.and_then(|(number, trial)| {
            let number = u32::try_from(number).ok().filter(|&number| number < trial.relation.len())?;
            Some(FollowedMessage::with_number(trial, number))
        });
        let followed = pointed.as_ref().or_else(|| watched?.followed.as_ref());
        let current = batch.zip(series.trial.as_ref().ok()).zip(followed);
        let current = current.map(|((batch, trial), followed)| batch.with_current_route(trial, followed));
        let followed = current.as_ref().or(followed);
        let route = followed.and_then(|followed| Some((followed.number, followed.route.as_ref().ok()?)));
        let route = route.map(|(number, route)| {
            let sent = batch.and_then(|batch| Some((batch.now(), batch.numbers.batch_index(number)?)));
            let hops = sent.map_or(self.watch.now(), |(batch, place)| hops_made(batch, place, route));
            FollowedRoute { route, hops: f64::from(hops) }
        });
        let number = followed.map(|followed| followed.number);
        let batch = batch.map(|batch| BatchAtCycle { batch: batch.now(), numbers: &batch.numbers, followed: number });
        let heat = watched.filter(|_| shown.heat && batch.is_none()).map(|watched| &watched.paths);
        let focus = shown.focus_in(panel).map(NetworkElement::from_code);
        let said = focus.map(|spot| (spot, watch::describe_element(&self.watch, panel, spot)));
        let focus = said.as_ref().map(|(spot, said)| (*spot, said.as_str()));
        let drawn = SubcubeViewOptions { series: panel as u8, route, heat, classes: heat.is_some(), batch, focus };
        Some(draw::draw(&self.watch.instance, series, &self.picture(size, shown), &drawn))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, shown: &ViewState) -> Option<HitId> {
        self.picture(size, shown).hit(point, touch).map(|node| node.0)
    }

    fn position(&self, size: Size, place: HitId, shown: &ViewState) -> Option<Point> {
        self.picture(size, shown).at(NetworkElement::from_code(place).node())
    }

    fn neighbor(&self, size: Size, place: Option<HitId>, step: (i8, i8)) -> Option<HitId> {
        let picture = self.picture(size, &ViewState::default());
        Some(place.map_or(0, |place| picture.toward(NetworkElement::from_code(place).node(), step).0))
    }

    fn contains(&self, place: HitId) -> bool {
        let (cube, spot) = (self.watch.instance.cell.cube, NetworkElement::from_code(place));
        cube.contains(spot.node()) && !matches!(spot, NetworkElement::Link(link) if link.dim >= cube.dimension())
    }

    /// Returns the first message that a node sends.
    fn message_at(&self, panel: usize, place: HitId) -> Option<u64> {
        let NetworkElement::Node(node) = NetworkElement::from_code(place) else { return None };
        let trial = self.watch.instance.series.get(panel)?.trial.as_ref().ok()?;
        (0..trial.relation.len()).find(|&number| trial.relation.ends(number).0 == node).map(u64::from)
    }
}
