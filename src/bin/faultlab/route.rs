//! Command `route`: traces one message hop by hop, with reasons; on fat-trees, all messages by
//! delivery cycle.

use faultlab::experiment::Experiment;
use faultlab::report::asked;
use faultlab::topology::NodeId;

use crate::arguments::Route;
use crate::input;
use crate::output::{CliError, print_document};
use crate::work::{Spinner, check_memory};

/// Runs `faultlab route`.
pub(crate) fn route(arguments: &Route) -> Result<(), CliError> {
    let mut experiment = input::feasible_experiment(&arguments.given)?;
    if let Some(text) = &arguments.from {
        experiment.from = Some(node(&experiment, "from", text)?);
    }
    if let Some(text) = &arguments.to {
        experiment.to = Some(node(&experiment, "to", text)?);
    }
    check_memory(&experiment)?;
    let waiting = Spinner::new("routing");
    let routes = asked::routed(&experiment).map_err(CliError::BadInput)?;
    drop(waiting);
    print_document(&*routes, arguments.json, arguments.csv)
}

/// Parses the node of the option called `name`.
fn node(experiment: &Experiment, name: &str, text: &str) -> Result<NodeId, CliError> {
    experiment.network.parse_node(text).ok_or_else(|| {
        let accepted = experiment.kind().key(name).map_or(String::new(), |key| (key.accepted)(experiment));
        CliError::BadInput(format!("--{name} {text}: no node of {}; accepted: {accepted}", experiment.network))
    })
}
