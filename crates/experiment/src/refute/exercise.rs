//! Check of solutions to exercises.

use super::{Flaw, Flaws};
use crate::{Experiment, PointConfig};
use faultlab_core::routing::rules::{Exercise, RuleText};

/// Returns whether the first routing of `experiment` solves `exercise`, with the faults of its
/// watched trial.
///
/// A solution does not have the flaw, and leaves no more messages undelivered than the model
/// solution does. On another network than that of the exercise the result is false. Cost: as
/// [`Flaws::analyze`] for two routings, on the few nodes that exercises have.
pub fn is_solved(experiment: &Experiment, exercise: &Exercise) -> bool {
    let found = || {
        let given = Experiment::with_rules(exercise.experiment, exercise.flawed).ok()?;
        if given.network != experiment.network {
            return None;
        }
        let faults = PointConfig::new(experiment, None).blocks(experiment.view.sample).ok()?;
        let uses = experiment.kind().use_case;
        let cure = RuleText::parse(exercise.corrected).ok()?;
        let own = Flaws::analyze(&faults, experiment.routing.first()?, uses)?;
        Some((own, Flaws::analyze(&faults, cure.routings().first()?, uses)?))
    };
    let flaw = Flaw::parse(exercise.flaw);
    flaw.zip(found()).is_some_and(|(flaw, (own, cure))| {
        let undelivered = |flaws: &Flaws| flaws.arrivals.lost + flaws.arrivals.livelocked;
        !own.has(flaw) && undelivered(&own) <= undelivered(&cure)
    })
}
