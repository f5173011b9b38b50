//! Paths of single messages as files, with the reason of every hop.

use std::borrow::Cow;

use serde::Serialize;

use super::wording;
use crate::files::csv::{line, source_header};
use crate::files::json::{ResultSource, to_json};
use crate::files::trace;
use crate::files::trace::TraceRow;
use faultlab_core::switching::Hop;
use faultlab_experiment::{Experiment, Instance, Trace};

/// Returns the CSV of `route`: `series,outcome,hop,from,to,class,rule,reason`, a line for each hop
/// of each message of `instance`, which belongs to `experiment`. Hops count from 1. A message
/// without hops has one line, empty from `hop` on.
pub(crate) fn csv(experiment: &Experiment, instance: &mut Instance) -> String {
    let mut csv = source_header([experiment]);
    csv.push_str("series,outcome,hop,from,to,class,rule,reason\n");
    for trace in instance.traces.clone() {
        let (series, outcome) = (&trace.algorithm.id, trace.outcome.id());
        for (made, hop) in trace.hops.iter().enumerate() {
            let reason = wording::reason(instance, &trace, made);
            // A single message needs only one virtual-channel class.
            line(&mut csv, &[&series, &outcome, &(made + 1), &hop.from, &hop.to, &0, &hop.rule.id, &reason]);
        }
        if trace.hops.is_empty() {
            line(&mut csv, &[&series, &outcome, &"", &"", &"", &"", &"", &""]);
        }
    }
    csv
}

/// Returns the JSON of `route`: a line `{experiment, seed, version, series, outcome, hops: [{from,
/// to, class, rule, reason}], ending}` for each message of `instance`, which belongs to
/// `experiment`.
///
/// `from` and `to` are decimal numbers in strings, because JavaScript's numbers cannot represent
/// all of them.
pub(crate) fn json(experiment: &Experiment, instance: &mut Instance) -> String {
    let traces = instance.traces.clone();
    traces.iter().map(|trace| route(experiment, instance, trace) + "\n").collect()
}

/// Returns the hops of one message.
pub(crate) fn trace_csv(experiment: &Experiment, instance: &mut Instance, trace: &Trace) -> String {
    let row = |(place, hop): (usize, &Hop)| TraceRow {
        from: hop.from.to_string(),
        to: hop.to.to_string(),
        reason: wording::reason(instance, trace, place),
        ..TraceRow::default()
    };
    let rows: Vec<_> = trace.hops.iter().enumerate().map(row).collect();
    trace::csv(experiment, &trace.algorithm.id, &0, &rows)
}

fn route(experiment: &Experiment, instance: &mut Instance, trace: &Trace) -> String {
    let ending = wording::ending(&instance.cell, trace).to_string();
    let hops = trace.hops.iter().enumerate().map(|(number, hop)| MessageHopRecord {
        from: hop.from.to_string(),
        to: hop.to.to_string(),
        class: 0,
        rule: hop.rule.id,
        reason: wording::reason(instance, trace, number).to_string(),
    });
    to_json(&MessageRouteRecord {
        made: ResultSource::new(experiment),
        series: trace.algorithm.id.clone(),
        outcome: trace.outcome.id(),
        hops: hops.collect(),
        ending,
    })
}

#[derive(Serialize)]
struct MessageRouteRecord {
    #[serde(flatten)]
    made: ResultSource,
    series: Cow<'static, str>,
    outcome: &'static str,
    hops: Vec<MessageHopRecord>,
    ending: String,
}

#[derive(Serialize)]
struct MessageHopRecord {
    from: String,
    to: String,
    /// Virtual-channel class; a single message needs only one.
    class: u8,
    rule: &'static str,
    reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::CubePointConfig;
    use serde_json::Value;

    fn cell(experiment: &Experiment) -> CubePointConfig {
        CubePointConfig::new(experiment, None).unwrap()
    }

    #[test]
    fn messages_without_hops_have_a_line() {
        let experiment: Experiment = "net=cube:2&break=1,2&route=random,deterministic-blind&seed=3".parse().unwrap();
        let csv = csv(&experiment, &mut Instance::new(&experiment, cell(&experiment)));
        let lines: Vec<_> = csv.lines().skip(2).collect();
        assert_eq!(lines[0], "# seed 3");
        assert_eq!(lines[2], "random,blocked-at-source,,,,,,");
        assert_eq!(lines[3], "deterministic-blind,lost,1,0,2,0,highest-wrong,dimension 1 is the highest wrong bit");
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn json_names_large_nodes_exactly() {
        let experiment: Experiment = "net=cube:64".parse().unwrap();
        let mut instance = Instance::new(&experiment, cell(&experiment));
        let line: Value = serde_json::from_str(&json(&experiment, &mut instance)).unwrap();
        assert_eq!(line["outcome"], "delivered");
        assert_eq!(line["hops"][63]["to"], u64::MAX.to_string());
        assert!(line["hops"][0]["reason"].is_string() && line["hops"][0]["class"] == 0);
    }
}
