//! `route`: one message, hop by hop, with reasons; of fat-trees all messages, delivery cycle by delivery cycle.

use std::fmt::Write as _;

use faultlab::experiment::{
    CubeCell, DeliveryWatch, Experiment, Instance, KEYS, RelationInstance, Trace, WormInstance,
};
use faultlab::report::{csv, json, relation_files, tree_files, words, worm_routes};
use faultlab::switching::Switching;
use faultlab::topology::NodeId;

use crate::arguments::Route;
use crate::input;
use crate::output::{Failure, print};

/// `faultlab route`.
pub(crate) fn route(arguments: &Route) -> Result<(), Failure> {
    let mut experiment = input::experiment(&arguments.experiment)?;
    if let Some(text) = &arguments.from {
        experiment.from = Some(node(&experiment, "from", text)?);
    }
    if let Some(text) = &arguments.to {
        experiment.to = Some(node(&experiment, "to", text)?);
    }
    if experiment.switching == Switching::Delivery {
        return deliveries(arguments, &experiment);
    }
    let cell = CubeCell::new(&experiment, None).filter(|_| experiment.switching != Switching::Wormhole);
    let Some(cell) = cell else { return worms(arguments, &experiment) };
    if experiment.switching.is_oblivious() {
        return relation(arguments, &experiment);
    }
    if experiment.switching != Switching::Message {
        return Err(Failure::BadInput(
            "switch: route follows a single message, hop by hop; leave switch out (and break neither its source nor its \
             destination), or use faultlab check for what this kind of experiment permits"
                .into(),
        ));
    }
    experiment.validate().map_err(|error| Failure::BadInput(error.to_string()))?;
    let mut instance = Instance::new(&experiment, cell);
    print(&match arguments {
        Route { json: true, .. } => json::routes(&experiment, &mut instance),
        Route { csv: true, .. } => csv::routes(&experiment, &mut instance),
        _ => told(&experiment, &mut instance),
    })
}

/// One worm of each algorithm alone on a mesh or a hypercube.
fn worms(arguments: &Route, experiment: &Experiment) -> Result<(), Failure> {
    experiment.validate().map_err(|error| Failure::BadInput(error.to_string()))?;
    let instance = WormInstance::new(experiment).ok_or_else(|| {
        Failure::BadInput(format!("faults={}: no such set of isolated faults was found", experiment.faults.model))
    })?;
    print(&match arguments {
        Route { json: true, .. } => worm_routes::routes_json(experiment, &instance),
        Route { csv: true, .. } => worm_routes::routes_csv(experiment, &instance),
        _ => worm_routes::told(experiment, &instance),
    })
}

/// The cycles after which a batch that neither arrives nor freezes is left: none can, as in each cycle somebody moves.
const CYCLES: u32 = u32::MAX;

/// One message of each scheme, among all those of a permutation or a batch.
fn relation(arguments: &Route, experiment: &Experiment) -> Result<(), Failure> {
    let bad = Failure::BadInput;
    experiment.validate().map_err(|error| bad(error.to_string()))?;
    let instance = RelationInstance::new(experiment).ok_or_else(|| {
        bad(format!("net={}: route counts permutations in cubes of up to 20 dimensions", experiment.network))
    })?;
    let views = relation_files::views(experiment, &instance, CYCLES);
    let named = experiment.from.is_some() || experiment.to.is_some();
    if named && views.iter().all(|view| view.followed.is_none() && view.series.trial.is_ok()) {
        let name =
            |node: Option<NodeId>| node.map_or("anywhere".into(), |node| words::node_of(experiment.network, node));
        return Err(bad(format!(
            "from={}, to={}: none of the messages goes there; leave to out to follow the first message of a source, or list \
             the message: traffic=FROM-TO",
            name(experiment.from),
            name(experiment.to)
        )));
    }
    print(&match arguments {
        Route { json: true, .. } => relation_files::json(experiment, &instance, &views),
        Route { csv: true, .. } => relation_files::csv(experiment, &instance, &views),
        _ => relation_files::told(experiment, &instance, &views),
    })
}

/// All messages of a fat-tree, delivery cycle by delivery cycle.
fn deliveries(arguments: &Route, experiment: &Experiment) -> Result<(), Failure> {
    let bad = |why: String| Failure::BadInput(why);
    experiment.validate().map_err(|error| bad(error.to_string()))?;
    let mut watch = DeliveryWatch::new(experiment)
        .ok_or_else(|| bad(format!("net={}: no messages can be sent there as asked", experiment.network)))?;
    let followed = followed(experiment, &watch)?;
    let rows = tree_files::cycles(&mut watch);
    print(&match arguments {
        Route { json: true, .. } => tree_files::json(experiment, &watch, &rows),
        Route { csv: true, .. } => tree_files::cycles_csv(experiment, &watch, &rows),
        _ => tree_files::told(experiment, &watch, &rows, followed),
    })
}

/// The message that goes from and to where it is asked for; `None` if it is not.
fn followed(experiment: &Experiment, watch: &DeliveryWatch) -> Result<Option<u32>, Failure> {
    if experiment.from.is_none() && experiment.to.is_none() {
        return Ok(None);
    }
    let is = |asked: Option<NodeId>, end: u32| asked.is_none_or(|node| node.0 == u64::from(end));
    let fits = |&[from, to]: &[u32; 2]| is(experiment.from, from) && is(experiment.to, to);
    let found = watch.trial.messages.ends().iter().position(fits).map(|place| place as u32);
    let none = || Failure::BadInput("from, to: none of the messages goes there; list it: traffic=FROM-TO".into());
    found.ok_or_else(none).map(Some)
}

/// The node that the option called `name` gives.
fn node(experiment: &Experiment, name: &str, text: &str) -> Result<NodeId, Failure> {
    experiment.network.parse_node(text).ok_or_else(|| {
        let accepted = KEYS.iter().find(|key| key.name == name).map_or("", |key| key.accepted);
        Failure::BadInput(format!("--{name} {text}: no node of {}; accepted: {accepted}", experiment.network))
    })
}

/// All messages, for people.
fn told(experiment: &Experiment, instance: &mut Instance) -> String {
    let messages: String = instance.traces.clone().iter().map(|trace| message(instance, trace)).collect();
    format!("{experiment}\n{messages}")
}

fn message(instance: &mut Instance, trace: &Trace) -> String {
    let (cube, ends) = (instance.cell.cube, instance.cell.ends);
    let (from, to) = (words::node(cube, ends.from), words::node(cube, ends.to));
    let mut text = format!("\n{}, from {from} to {to}\n", trace.algorithm.name);
    let digits = trace.hops.len().to_string().len();
    for (number, hop) in trace.hops.iter().enumerate() {
        let (from, to) = (words::node(cube, hop.from), words::node(cube, hop.to));
        let mark = if hop.rule.is_detour() { '*' } else { ' ' };
        let reason = words::reason(instance, trace, number);
        let _ = writeln!(text, " {mark}{:>digits$}  {from} -> {to}  {reason}", number + 1);
    }
    let _ = writeln!(text, "{}", words::ending(&instance.cell, trace));
    text
}
