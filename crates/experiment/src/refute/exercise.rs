//! Whether an exercise is solved.

use super::{Flaw, Flaws};
use crate::{Cell, Experiment};
use faultlab_core::routing::rules::{Exercise, RuleText};

/// Whether the first routing of `experiment` solves `exercise`, on its network, among the faults that are there: it has not its flaw, and
/// does not lose more messages, nor leave more going round, than its cure. Cost: as [`Flaws::of`] of two routings, on the few nodes that
/// exercises have; on another network it is not asked.
pub fn is_solved(experiment: &Experiment, exercise: &Exercise) -> bool {
    let found = || {
        let given = Experiment::with_rules(exercise.experiment, exercise.flawed).ok()?;
        if given.network != experiment.network {
            return None;
        }
        let faults = Cell::new(experiment, None).blocks(experiment.view.sample).ok()?;
        let uses = experiment.kind().uses;
        let cure = RuleText::parse(exercise.mended).ok()?;
        let own = Flaws::of(&faults, experiment.routing.first()?, uses)?;
        Some((own, Flaws::of(&faults, cure.routings().first()?, uses)?))
    };
    let flaw = Flaw::parse(exercise.flaw);
    flaw.zip(found()).is_some_and(|(flaw, (own, cure))| {
        let undelivered = |flaws: &Flaws| flaws.arrivals.lost + flaws.arrivals.circling;
        !own.has(flaw) && undelivered(&own) <= undelivered(&cure)
    })
}
