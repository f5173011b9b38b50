//! Command `route`: traces one message hop by hop, with reasons; on fat-trees, all messages by
//! delivery cycle.

use faultlab::api::{self, native::check_memory};
use faultlab::experiment::Experiment;
use faultlab::topology::NodeId;

use crate::arguments::RouteArgs;
use crate::input;
use crate::output::{CliError, print_document};
use crate::work::Spinner;

/// Runs `faultlab route`.
pub(crate) fn route(arguments: &RouteArgs) -> Result<(), CliError> {
    let mut experiment = input::experiment(&arguments.given)?;
    if let Some(text) = &arguments.from {
        experiment.from = Some(parse_node(&experiment, "from", text)?);
    }
    if let Some(text) = &arguments.to {
        experiment.to = Some(parse_node(&experiment, "to", text)?);
    }
    check_memory(&experiment)?;
    let waiting = Spinner::new("routing");
    let routes = api::route(&experiment).map_err(CliError::BadInput)?;
    drop(waiting);
    print_document(&*routes, arguments.json, arguments.csv)
}

/// Parses the node of the option called `name`.
fn parse_node(experiment: &Experiment, name: &str, text: &str) -> Result<NodeId, CliError> {
    experiment.network.parse_node(text).ok_or_else(|| {
        let accepted = experiment.kind().key(name).map_or(String::new(), |key| (key.accepted)(experiment));
        CliError::BadInput(format!("--{name} {text}: not a node of {}; accepted: {accepted}", experiment.network))
    })
}
