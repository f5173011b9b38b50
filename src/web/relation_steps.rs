//! Whole permutations, step by step: hops of the followed message, or cycles of batches.

use super::step_stage::{Spot, StepTick, Steps};
use crate::experiment::RelationWatch;
use crate::report::relation_batch::made;
use crate::report::relation_told;
use crate::report::scene::Scene;
use crate::report::squares::SquaresPicture;
use crate::report::squares_scene::{self, BatchShown, RouteShown, SquaresShown};
use crate::topology::NodeId;

/// Places are nodes, by their numbers.
impl Steps for RelationWatch {
    fn names(&self) -> Vec<&'static str> {
        self.instance.series.iter().map(|series| series.algorithm.name).collect()
    }

    fn now(&self) -> u32 {
        self.now()
    }

    /// One sees at once where the message goes; worms are watched from the start.
    fn opening(&self) -> u32 {
        if self.is_batch() { 0 } else { u32::MAX }
    }

    fn end(&self) -> u32 {
        self.end()
    }

    fn seek(&mut self, step: u32) {
        self.seek(step);
    }

    fn draw(&self, panel: usize, size: (f64, f64), tick: &StepTick) -> Option<Scene> {
        let series = self.instance.series.get(panel)?;
        let watched = self.watched.get(panel)?.as_ref();
        let batch = watched.and_then(|watched| watched.batch.as_ref());
        let followed = watched.and_then(|watched| watched.followed.as_ref());
        let route = followed.and_then(|followed| Some((followed.number, followed.route.as_ref().ok()?)));
        let route = route.map(|(number, route)| {
            let sent = batch.and_then(|batch| Some((batch.now(), batch.numbers.place(number)?)));
            let hops = sent.map_or(self.now(), |(batch, place)| made(batch, place, route));
            RouteShown { route, hops: f64::from(hops) }
        });
        let number = followed.map(|followed| followed.number);
        let batch = batch.map(|batch| BatchShown { batch: batch.now(), numbers: &batch.numbers, followed: number });
        let heat = watched.filter(|_| tick.heat && batch.is_none()).map(|watched| &watched.paths);
        let focus = tick.focus.filter(|focus| focus.0 == panel).map(|focus| NodeId(focus.1));
        let said = focus.map(|node| (node, relation_told::spot(self, panel, node)));
        let focus = said.as_ref().map(|(node, said)| (*node, said.as_str()));
        let shown = SquaresShown { series: panel as u8, route, heat, classes: heat.is_some(), batch, focus };
        let picture = SquaresPicture { cube: self.instance.cell.cube, size };
        Some(squares_scene::draw(&self.instance, series, &picture, &shown))
    }

    fn hit(&self, size: (f64, f64), point: (f64, f64), touch: bool) -> Option<Spot> {
        SquaresPicture { cube: self.instance.cell.cube, size }.hit(point, touch).map(|node| node.0)
    }

    fn toward(&self, size: (f64, f64), spot: Option<Spot>, step: (i8, i8)) -> Spot {
        let picture = SquaresPicture { cube: self.instance.cell.cube, size };
        spot.map_or(0, |node| picture.toward(NodeId(node), step).0)
    }

    fn has(&self, spot: Spot) -> bool {
        self.instance.cell.cube.contains(NodeId(spot))
    }
}
