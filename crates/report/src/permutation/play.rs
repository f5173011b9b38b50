//! Whole permutations, as a stage plays them: hops of the followed message, or cycles of batches.

use super::batch::made;
use super::files;
use super::picture::draw;
use super::picture::painter::{BatchShown, RouteShown, SquaresShown};
use super::picture::squares::SquaresPicture;
use super::watch;
use crate::document::Document;
use crate::picture::cube::Spot;
use crate::picture::geometry::{Point, Size};
use crate::picture::scene::Scene;
use crate::watch::{Chart, Clock, Event, Place, Rows, Shown, Watch, mend};
use faultlab_core::switching::BatchOutcome;
use faultlab_experiment::{Experiment, Followed, PermutationWatch};

/// The routes counted between two looks at the clock, a few milliseconds' worth.
const ROUTES: u32 = 1 << 12;

/// The cubes of all compared algorithms as squares of subcubes.
pub struct PermutationPlay {
    experiment: Experiment,
    watch: PermutationWatch,
}

impl PermutationPlay {
    /// The experiment as it stands, at its start, its routes still to be counted. `None` on other networks and kinds, and on cubes that are too large.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        Some(Self { experiment: experiment.clone(), watch: PermutationWatch::begun(experiment)? })
    }

    /// What is watched.
    pub fn watch(&self) -> &PermutationWatch {
        &self.watch
    }

    fn views(&self) -> Vec<files::PermutationView<'_>> {
        files::views(&self.experiment, &self.watch.instance, self.watch.now())
    }
}

impl Document for PermutationPlay {
    fn text(&self) -> String {
        files::told(&self.experiment, &self.watch.instance, &self.views())
    }

    fn csv(&self) -> String {
        files::csv(&self.experiment, &self.watch.instance, &self.views())
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &self.watch.instance, &self.views())
    }
}

/// Places are nodes and links, see [`Spot::code`]; only nodes are pointed at.
impl Watch for PermutationPlay {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn look(&mut self, experiment: &Experiment) {
        self.experiment.clone_from(experiment);
    }

    fn names(&self) -> Vec<String> {
        self.watch.instance.series.iter().map(|series| series.algorithm.name.to_string()).collect()
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
            said.push_str(&watch::spot(&self.watch, index, Spot::of(place)));
        }
        said
    }

    fn chart(&self) -> Option<Chart> {
        let says = "Messages that have arrived, over time; the numbers of now are listed beside the networks";
        let is_batch = self.watch.is_batch();
        is_batch.then(|| Chart { id: "arrived", says, figure: watch::arrivals(&self.watch) })
    }

    fn clock(&self) -> Clock {
        let is_batch = self.watch.is_batch();
        let (step, unit, name) = if is_batch { ("cycle", "cycles", "Time") } else { ("hop", "hops", "Hop") };
        Clock { step, unit, name, whole: true, speed: 1.5, speeds: ["-1", "6", "0.25"] }
    }

    fn now(&self) -> f64 {
        self.watch.now().into()
    }

    fn said(&self) -> String {
        format!("{} {} of {}", self.clock().step, self.watch.now(), self.watch.end())
    }

    fn end(&self) -> f64 {
        self.watch.end().into()
    }

    fn events(&self) -> Vec<Event> {
        let series = &self.watch.instance.series;
        let batches = series
            .iter()
            .zip(&self.watch.watched)
            .filter_map(|(series, watched)| Some((series, watched.as_ref()?.batch.as_ref()?)));
        let ended = batches.map(|(one, batch)| {
            let what = if matches!(batch.outcome, BatchOutcome::Deadlock(_)) { "deadlock" } else { "all arrived" };
            Event::under(series.len(), &one.algorithm.name, what, batch.end.into())
        });
        ended.collect()
    }

    /// One sees at once where the message goes; worms are watched from the start.
    fn begin(&mut self, before: Option<&dyn Watch>, shown: &mut Shown) -> f64 {
        mend(self, shown);
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
        self.watch.work(ROUTES)
    }

    fn draw(&self, panel: usize, size: Size, shown: &Shown) -> Option<Scene> {
        let series = self.watch.instance.series.get(panel)?;
        let watched = self.watch.watched.get(panel)?.as_ref();
        let batch = watched.and_then(|watched| watched.batch.as_ref());
        let pointed = shown.pointed_in(panel).zip(series.trial.as_ref().ok());
        let pointed = pointed.and_then(|(number, trial)| {
            let number = u32::try_from(number).ok().filter(|&number| number < trial.relation.len())?;
            Some(Followed::of(trial, number))
        });
        let followed = pointed.as_ref().or_else(|| watched?.followed.as_ref());
        let route = followed.and_then(|followed| Some((followed.number, followed.route.as_ref().ok()?)));
        let route = route.map(|(number, route)| {
            let sent = batch.and_then(|batch| Some((batch.now(), batch.numbers.place(number)?)));
            let hops = sent.map_or(self.watch.now(), |(batch, place)| made(batch, place, route));
            RouteShown { route, hops: f64::from(hops) }
        });
        let number = followed.map(|followed| followed.number);
        let batch = batch.map(|batch| BatchShown { batch: batch.now(), numbers: &batch.numbers, followed: number });
        let heat = watched.filter(|_| shown.heat && batch.is_none()).map(|watched| &watched.paths);
        let focus = shown.focus_in(panel).map(Spot::of);
        let said = focus.map(|spot| (spot, watch::spot(&self.watch, panel, spot)));
        let focus = said.as_ref().map(|(spot, said)| (*spot, said.as_str()));
        let drawn = SquaresShown { series: panel as u8, route, heat, classes: heat.is_some(), batch, focus };
        let picture = SquaresPicture { cube: self.watch.instance.cell.cube, size };
        Some(draw::draw(&self.watch.instance, series, &picture, &drawn))
    }

    fn hit(&self, size: Size, point: Point, touch: bool, _shown: &Shown) -> Option<Place> {
        SquaresPicture { cube: self.watch.instance.cell.cube, size }.hit(point, touch).map(|node| node.0)
    }

    fn toward(&self, size: Size, place: Option<Place>, step: (i8, i8)) -> Option<Place> {
        let picture = SquaresPicture { cube: self.watch.instance.cell.cube, size };
        Some(place.map_or(0, |place| picture.toward(Spot::of(place).node(), step).0))
    }

    fn has(&self, place: Place) -> bool {
        let (cube, spot) = (self.watch.instance.cell.cube, Spot::of(place));
        cube.contains(spot.node()) && !matches!(spot, Spot::Link(link) if link.dim >= cube.dimension())
    }

    /// The first message that a node sends.
    fn message_at(&self, panel: usize, place: Place) -> Option<u64> {
        let Spot::Node(node) = Spot::of(place) else { return None };
        let trial = self.watch.instance.series.get(panel)?.trial.as_ref().ok()?;
        (0..trial.relation.len()).find(|&number| trial.relation.ends(number).0 == node).map(u64::from)
    }
}
