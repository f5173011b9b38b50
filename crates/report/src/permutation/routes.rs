//! Path of one message among all messages of a permutation or a batch: the output of `faultlab
//! route`.

use super::files::{self, SchemeView};
use crate::document::Document;
use crate::error::ReportError;
use faultlab_experiment::{Experiment, FollowedMessage, PermutationInstance};

/// Maximum number of cycles of a batch. It is never reached: in each cycle at least one message
/// moves, until all have arrived or the batch is deadlocked.
const CYCLES: u32 = u32::MAX;

/// Followed message of each scheme, among all messages.
struct PermutationRoutes {
    experiment: Experiment,
    instance: PermutationInstance,
}

/// Returns the message that is followed under each scheme.
///
/// # Errors
/// Returns an error if the network is not a cube of up to 20 dimensions, or no message has the
/// requested source and destination.
pub(crate) fn routes(experiment: &Experiment) -> Result<Box<dyn Document>, ReportError> {
    let network = experiment.network;
    let other = || ReportError::UnsupportedNetwork { network, accepted: "cubes of up to 20 dimensions" };
    let instance = PermutationInstance::new(experiment).ok_or_else(other)?;
    let named = experiment.from.is_some() || experiment.to.is_some();
    let mut trials = instance.series.iter().map(|series| series.trial.as_ref());
    if named
        && trials.all(|trial| trial.is_ok_and(|trial| FollowedMessage::from_experiment(experiment, trial).is_none()))
    {
        return Err(ReportError::no_message(experiment));
    }
    Ok(Box::new(PermutationRoutes { experiment: experiment.clone(), instance }))
}

impl PermutationRoutes {
    fn views(&self) -> Vec<SchemeView<'_>> {
        files::views(&self.experiment, &self.instance, CYCLES)
    }
}

impl Document for PermutationRoutes {
    fn text(&self) -> String {
        files::text(&self.experiment, &self.instance, &self.views())
    }

    fn csv(&self) -> String {
        files::csv(&self.experiment, &self.instance, &self.views())
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &self.instance, &self.views())
    }
}
