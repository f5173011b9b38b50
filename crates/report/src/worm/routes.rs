//! Paths of single worms: as text, CSV and JSON.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use serde::Serialize;

use super::wording;
use crate::document::Document;
use crate::error::ReportError;
use crate::files::csv;
use crate::files::json::{ResultSource, to_json};
use crate::wording::count;
use faultlab_core::routing::{WormPosition, WormStatus};
use faultlab_core::switching::{WormHop, WormOutcome};
use faultlab_experiment::{Experiment, WormInstance, WormTrace};

/// Worm of each algorithm, alone in the network.
struct WormRoutes {
    experiment: Experiment,
    instance: WormInstance,
}

/// Returns the paths of the watched worms.
///
/// # Errors
/// Returns an error if the network or the fault model is unsupported, or no fault set was found.
pub(crate) fn routes(experiment: &Experiment) -> Result<Box<dyn Document>, ReportError> {
    let none = |why| ReportError::NoFaults { model: experiment.faults.model, why };
    let instance = WormInstance::new(experiment).map_err(none)?;
    Ok(Box::new(WormRoutes { experiment: experiment.clone(), instance }))
}

impl Document for WormRoutes {
    fn text(&self) -> String {
        text(&self.experiment, &self.instance)
    }

    fn csv(&self) -> String {
        routes_csv(&self.experiment, &self.instance)
    }

    fn json(&self) -> String {
        routes_json(&self.experiment, &self.instance)
    }
}

/// Returns the reason of hop number `number` (from 0) of a worm.
fn reason(instance: &WormInstance, trace: &WormTrace, number: usize) -> String {
    let (Some(routing), Some(hop)) = (trace.algorithm.worm.as_deref(), trace.hops.get(number)) else {
        return String::new();
    };
    let before = number.checked_sub(1).and_then(|number| trace.hops.get(number));
    let came = before.map(|hop| hop.choice.port);
    let at = WormPosition { here: hop.from, to: instance.config.ends.to, input_port: came, header: hop.before };
    wording::why(routing, &instance.faults, &at, &hop.choice).to_string()
}

/// Returns the outcome of a worm in a sentence.
pub fn ending(instance: &WormInstance, trace: &WormTrace) -> String {
    let hops = count(trace.hops.len() as u32, "hop");
    let here = trace.hops.last().map_or(instance.config.ends.from, |hop| hop.to);
    let beyond = (trace.hops.len() as u32).saturating_sub(instance.config.distance());
    match trace.outcome {
        WormOutcome::Delivered if beyond == 0 => format!("Delivered in {hops}, a minimal path."),
        WormOutcome::Delivered => format!("Delivered in {hops}, {beyond} more than a minimal path."),
        WormOutcome::FaultyEnd => "Not sent: source or destination is faulty, by itself or by block closure.".into(),
        WormOutcome::NoRoute => {
            format!("Lost at {} after {hops}: faults leave no permitted hop.", wording::node(instance.mesh, here))
        }
        WormOutcome::LimitReached => format!("Not delivered within {hops}: the worm circles forever."),
    }
}

/// Returns the paths of all worms as text.
pub fn text(experiment: &Experiment, instance: &WormInstance) -> String {
    let mut text = format!("{experiment}\n");
    for trace in &instance.traces {
        let ends = [instance.config.ends.from, instance.config.ends.to];
        let [from, to] = ends.map(|node| wording::node(instance.mesh, node));
        let _ = writeln!(text, "\n{}, from {from} to {to}", trace.algorithm.name);
        let digits = trace.hops.len().to_string().len();
        for (number, hop) in trace.hops.iter().enumerate() {
            let told = HopRecord::new(instance, trace, number, hop);
            let mark = if hop.choice.rule.is_detour() { '*' } else { ' ' };
            let _ = writeln!(
                text,
                " {mark}{:>digits$}  {:>5} -> {:<5}  {:<5}  class {}  {:<2} {:<9}  {}",
                number + 1,
                told.from,
                told.to,
                told.port,
                told.class,
                told.kind,
                told.status,
                told.reason
            );
        }
        let _ = writeln!(text, "{}", ending(instance, trace));
    }
    text
}

/// Returns the CSV of `route` on a mesh:
/// `series,outcome,hop,from,to,port,class,type,status,direction,rule,reason`, a line for each hop
/// of each worm. Hops count from 1. A worm without hops has one line, empty from `hop` on.
pub fn routes_csv(experiment: &Experiment, instance: &WormInstance) -> String {
    let mut text = csv::source_header([experiment]);
    text.push_str("series,outcome,hop,from,to,port,class,type,status,direction,rule,reason\n");
    for trace in &instance.traces {
        let (id, outcome) = (&trace.algorithm.id, trace.outcome.id());
        if trace.hops.is_empty() {
            csv::line(&mut text, &[&id, &outcome, &"", &"", &"", &"", &"", &"", &"", &"", &"", &""]);
        }
        for (number, hop) in trace.hops.iter().enumerate() {
            let told = HopRecord::new(instance, trace, number, hop);
            let way = told.direction.unwrap_or_default();
            let fields: [&dyn Display; 12] = [
                &id,
                &outcome,
                &(number + 1),
                &told.from,
                &told.to,
                &told.port,
                &told.class,
                &told.kind,
                &told.status,
                &way,
                &told.rule,
                &told.reason,
            ];
            csv::line(&mut text, &fields);
        }
    }
    text
}

/// Returns the JSON of `route` on a mesh: a line `{experiment, seed, version, series, outcome,
/// hops: [{from, to, port, class, type, status, direction, rule, reason}], ending}` for each worm.
/// `direction` is null where there is none.
pub fn routes_json(experiment: &Experiment, instance: &WormInstance) -> String {
    let route = |trace: &WormTrace| {
        let told = |(number, hop): (usize, &WormHop)| HopRecord::new(instance, trace, number, hop);
        let hops = trace.hops.iter().enumerate().map(told).collect();
        let (series, outcome) = (trace.algorithm.id.clone(), trace.outcome.id());
        let ending = ending(instance, trace);
        to_json(&WormRouteRecord { made: ResultSource::new(experiment), series, outcome, hops, ending }) + "\n"
    };
    instance.traces.iter().map(route).collect()
}

#[derive(Serialize)]
struct WormRouteRecord {
    #[serde(flatten)]
    made: ResultSource,
    series: Cow<'static, str>,
    outcome: &'static str,
    hops: Vec<HopRecord>,
    ending: String,
}

/// Hop in words; type, status and direction are the values with which the worm leaves the node.
#[derive(Serialize)]
struct HopRecord {
    from: String,
    to: String,
    port: &'static str,
    class: u8,
    #[serde(rename = "type")]
    kind: &'static str,
    status: &'static str,
    direction: Option<&'static str>,
    rule: &'static str,
    reason: String,
}

impl HopRecord {
    fn new(instance: &WormInstance, trace: &WormTrace, number: usize, hop: &WormHop) -> Self {
        let header = hop.choice.header;
        let (kind, status) = match header.status {
            _ if instance.mesh.is_cube() => ("-", "normal"),
            WormStatus::Normal => (header.message_type.name(), "normal"),
            WormStatus::Misrouted => (header.message_type.name(), "misrouted"),
            WormStatus::Affected => (header.message_type.affected_name(), "affected"),
        };
        Self {
            from: instance.mesh.format_node(hop.from),
            to: instance.mesh.format_node(hop.to),
            port: instance.mesh.port_name(hop.choice.port),
            class: hop.choice.class,
            kind,
            status,
            direction: header.orientation.map(|orientation| orientation.name()),
            rule: hop.choice.rule.id,
            reason: reason(instance, trace, number),
        }
    }
}
