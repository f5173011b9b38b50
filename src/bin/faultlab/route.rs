//! Command `route`: traces one message hop by hop, with reasons; on fat-trees, all messages by
//! delivery cycle.

use faultlab::experiment::Experiment;
use faultlab::report::asked;
use faultlab::topology::NodeId;

use crate::arguments::Route;
use crate::input;
use crate::output::{Failure, document};
use crate::work::{Waiting, refuse_without_room};

/// Runs `faultlab route`.
pub(crate) fn route(arguments: &Route) -> Result<(), Failure> {
    let mut experiment = input::possible(&arguments.given)?;
    if let Some(text) = &arguments.from {
        experiment.from = Some(node(&experiment, "from", text)?);
    }
    if let Some(text) = &arguments.to {
        experiment.to = Some(node(&experiment, "to", text)?);
    }
    refuse_without_room(&experiment)?;
    let waiting = Waiting::new("routing");
    let routes = asked::routed(&experiment).map_err(Failure::BadInput)?;
    drop(waiting);
    document(&*routes, arguments.json, arguments.csv)
}

/// Parses the node of the option called `name`.
fn node(experiment: &Experiment, name: &str, text: &str) -> Result<NodeId, Failure> {
    experiment.network.parse_node(text).ok_or_else(|| {
        let accepted = experiment.kind().key(name).map_or(String::new(), |key| (key.accepted)(experiment));
        Failure::BadInput(format!("--{name} {text}: no node of {}; accepted: {accepted}", experiment.network))
    })
}
