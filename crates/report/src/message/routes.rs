//! Paths of single messages, hop by hop: the output of `faultlab route`.

use std::fmt::Write as _;

use super::{files, wording};
use crate::document::Document;
use crate::error::ReportError;
use crate::wording::node;
use faultlab_experiment::{CubePointConfig, Experiment, Instance, Trace};

/// Message of each algorithm, with the reason of every hop.
struct MessageRoutes {
    experiment: Experiment,
    instance: Instance,
}

/// Returns the paths of the watched messages.
///
/// # Errors
/// Returns an error if the network is not a hypercube.
pub(crate) fn routes(experiment: &Experiment) -> Result<Box<dyn Document>, ReportError> {
    let other = || ReportError::UnsupportedNetwork { network: experiment.network, accepted: "hypercubes" };
    let cell = CubePointConfig::new(experiment, None).ok_or_else(other)?;
    Ok(Box::new(MessageRoutes { experiment: experiment.clone(), instance: Instance::new(experiment, cell) }))
}

/// Each format works on a copy of the instance, because explaining a hop queries the faults again.
impl Document for MessageRoutes {
    fn text(&self) -> String {
        let mut instance = self.instance.clone();
        let messages: String = self.instance.traces.iter().map(|trace| message(&mut instance, trace)).collect();
        format!("{}\n{messages}", self.experiment)
    }

    fn csv(&self) -> String {
        files::csv(&self.experiment, &mut self.instance.clone())
    }

    fn json(&self) -> String {
        files::json(&self.experiment, &mut self.instance.clone())
    }
}

fn message(instance: &mut Instance, trace: &Trace) -> String {
    let (cube, ends) = (instance.cell.cube, instance.cell.ends);
    let mut text = format!("\n{}, from {} to {}\n", trace.algorithm.name, node(cube, ends.from), node(cube, ends.to));
    let digits = trace.hops.len().to_string().len();
    for (number, hop) in trace.hops.iter().enumerate() {
        let (from, to) = (node(cube, hop.from), node(cube, hop.to));
        let mark = if hop.rule.is_detour() { '*' } else { ' ' };
        let reason = wording::reason(instance, trace, number);
        let _ = writeln!(text, " {mark}{:>digits$}  {from} -> {to}  {reason}", number + 1);
    }
    let _ = writeln!(text, "{}", wording::ending(&instance.cell, trace));
    text
}
