//! Messages of a fat-tree, delivery cycle by delivery cycle: the output of `faultlab route`.

use super::files::{self, CycleRow};
use crate::document::Document;
use crate::error::ReportError;
use faultlab_core::topology::NodeId;
use faultlab_experiment::{DeliveryWatch, Experiment};

/// Delivery cycles of each algorithm, run to their ends.
struct DeliveryRoutes {
    experiment: Experiment,
    watch: DeliveryWatch,
    rows: Vec<Vec<CycleRow>>,
    followed: Option<u32>,
}

/// Returns the delivery cycles of the watched messages.
///
/// # Errors
/// Returns an error if the network is not a fat-tree, or no message has the requested source and
/// destination.
pub(crate) fn routes(experiment: &Experiment) -> Result<Box<dyn Document>, ReportError> {
    let other = || ReportError::UnsupportedNetwork {
        network: experiment.network,
        accepted: "the fat-trees tree:N, tree2:N and tree2-3d:N",
    };
    let mut watch = DeliveryWatch::new(experiment).ok_or_else(other)?;
    let followed = requested_message(experiment, &watch)?;
    let rows = files::cycles(&mut watch);
    Ok(Box::new(DeliveryRoutes { experiment: experiment.clone(), watch, rows, followed }))
}

/// Returns the message with the requested source and destination; `None` if none is requested.
fn requested_message(experiment: &Experiment, watch: &DeliveryWatch) -> Result<Option<u32>, ReportError> {
    if experiment.from.is_none() && experiment.to.is_none() {
        return Ok(None);
    }
    let is = |asked: Option<NodeId>, end: u32| asked.is_none_or(|node| node.0 == u64::from(end));
    let fits = |&[from, to]: &[u32; 2]| is(experiment.from, from) && is(experiment.to, to);
    let found = watch.trial.messages.ends().iter().position(fits).map(|place| place as u32);
    found.ok_or_else(|| ReportError::no_message(experiment)).map(Some)
}

impl Document for DeliveryRoutes {
    fn text(&self) -> String {
        files::text(&self.experiment, &self.watch, &self.rows, self.followed)
    }

    fn csv(&self) -> String {
        files::cycles_csv(&self.experiment, &self.watch, &self.rows)
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &self.watch, &self.rows)
    }
}
