//! The way of one message among all those of a permutation or a batch: what `faultlab route` prints.

use super::files::{self, PermutationView};
use crate::document::Document;
use crate::error::ReportError;
use faultlab_experiment::{Experiment, Followed, PermutationInstance};

/// The cycles after which a batch that neither arrives nor freezes is left: none can, as in each cycle somebody moves.
const CYCLES: u32 = u32::MAX;

/// One message of each scheme, among all of them.
struct PermutationRoutes {
    experiment: Experiment,
    instance: PermutationInstance,
}

/// The message that is followed under each scheme.
///
/// # Errors
/// If the network is no cube of up to 20 dimensions, or no message goes from and to where the experiment asks for one.
pub(crate) fn of(experiment: &Experiment) -> Result<Box<dyn Document>, ReportError> {
    let network = experiment.network;
    let other = || ReportError::OtherNetwork { network, accepted: "cubes of up to 20 dimensions" };
    let instance = PermutationInstance::new(experiment).ok_or_else(other)?;
    let named = experiment.from.is_some() || experiment.to.is_some();
    let mut trials = instance.series.iter().map(|series| series.trial.as_ref());
    if named && trials.all(|trial| trial.is_ok_and(|trial| Followed::chosen(experiment, trial).is_none())) {
        return Err(ReportError::no_message(experiment));
    }
    Ok(Box::new(PermutationRoutes { experiment: experiment.clone(), instance }))
}

impl PermutationRoutes {
    fn views(&self) -> Vec<PermutationView<'_>> {
        files::views(&self.experiment, &self.instance, CYCLES)
    }
}

impl Document for PermutationRoutes {
    fn text(&self) -> String {
        files::told(&self.experiment, &self.instance, &self.views())
    }

    fn csv(&self) -> String {
        files::csv(&self.experiment, &self.instance, &self.views())
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &self.instance, &self.views())
    }
}
