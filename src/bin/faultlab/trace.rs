//! Command `trace`: prints the messages of a collective operation.

use faultlab::experiment::write_messages;
use faultlab::traffic::Collective;

use crate::arguments::{InputArgs, TraceArgs};
use crate::input;
use crate::output::{CliError, print};

/// Runs `faultlab trace`.
pub(crate) fn trace(asked: &TraceArgs) -> Result<(), CliError> {
    let name = &asked.operation;
    let operation = Collective::parse(name).ok_or_else(|| {
        CliError::BadInput(format!("trace {name}: no such operation; accepted: {}", Collective::ACCEPTED))
    })?;
    let given = InputArgs { experiment: asked.experiment.clone(), rules: None, matrix: None, messages: None };
    let experiment = input::experiment(&given)?;
    let bad = |problem: String| CliError::BadInput(format!("trace {name}: {problem}"));
    let (network, rounds) = (experiment.network, asked.rounds);
    let schedule = operation.messages(network, asked.length, rounds).map_err(|error| bad(error.to_string()))?;
    if asked.inline {
        let with = experiment.with_key("messages", &schedule.to_text(network));
        return print(&with.map_err(|error| bad(error.to_string()))?.to_string());
    }
    print(&write_messages(network, &schedule))
}
