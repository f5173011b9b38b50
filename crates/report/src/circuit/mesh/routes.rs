//! Searches of single probes: as text, CSV and JSON.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use serde::Serialize;

use super::wording::hop_reason;
use crate::document::Document;
use crate::error::ReportError;
use crate::files::csv;
use crate::files::json::{ResultSource, to_json};
use crate::wording::count;
use faultlab_core::routing::wording::mesh_node;
use faultlab_core::topology::Mesh;
use faultlab_experiment::{Experiment, ProbeMove, ProbeMoveKind, ProbeOutcome, ProbeTrace, ProbeTraces};

/// Probe of each algorithm, alone in the network.
struct ProbeRoutes {
    experiment: Experiment,
    traces: ProbeTraces,
}

/// Returns the searches of the followed pair.
///
/// # Errors
/// Returns an error if the fault model is unsupported, or no fault set was found.
pub(crate) fn routes(experiment: &Experiment) -> Result<Box<dyn Document>, ReportError> {
    let none = |why| ReportError::NoFaults { model: experiment.faults.model, why };
    let traces = ProbeTraces::new(experiment).map_err(none)?;
    Ok(Box::new(ProbeRoutes { experiment: experiment.clone(), traces }))
}

/// Returns the id of an outcome, as in files.
pub(super) fn outcome_id(outcome: ProbeOutcome) -> &'static str {
    match outcome {
        ProbeOutcome::Arrived => "delivered",
        ProbeOutcome::FaultyEnd => "faulty-end",
        ProbeOutcome::NoPath => "no-route",
    }
}

/// Returns the id of a move, as in files.
fn move_id(kind: ProbeMoveKind) -> &'static str {
    match kind {
        ProbeMoveKind::Nearer => "nearer",
        ProbeMoveKind::Misroute => "misroute",
        ProbeMoveKind::Back => "back",
    }
}

#[derive(Serialize)]
struct ProbeRouteRecord {
    #[serde(flatten)]
    made: ResultSource,
    series: Cow<'static, str>,
    outcome: &'static str,
    hops: Vec<MoveRecord>,
    ending: String,
}

#[derive(Serialize)]
struct MoveRecord {
    from: String,
    to: String,
    port: &'static str,
    #[serde(rename = "move")]
    kind: &'static str,
    reason: String,
}

impl ProbeRoutes {
    fn mesh(&self) -> Mesh {
        self.traces.faults.mesh()
    }

    fn hop_time(&self) -> f64 {
        self.traces.cell.setting.circuit().map_or(0.0, |setting| setting.hop)
    }

    fn move_record(&self, trace: &ProbeTrace, hop: &ProbeMove) -> MoveRecord {
        let mesh = self.mesh();
        let backtracks = trace.algorithm.probe().is_some_and(|routing| routing.backtracks());
        let reason = match hop.kind {
            ProbeMoveKind::Back => "every other permitted link is faulty or tried: back over the last link".into(),
            _ => hop_reason(mesh, backtracks, hop.from, hop.port, self.traces.cell.ends.to),
        };
        MoveRecord {
            from: mesh.format_node(hop.from),
            to: mesh.neighbor(hop.from, hop.port).map_or_else(String::new, |next| mesh.format_node(next)),
            port: mesh.port_name(hop.port),
            kind: move_id(hop.kind),
            reason: reason.to_string(),
        }
    }

    /// Returns the outcome of a search in one sentence.
    fn ending(&self, trace: &ProbeTrace) -> String {
        let moves = trace.moves.len() as u64;
        match trace.outcome {
            ProbeOutcome::Arrived => {
                let beyond = trace.hops.saturating_sub(u64::from(self.traces.cell.distance()));
                let path = match beyond {
                    0 => "a minimal path".to_owned(),
                    _ => format!("{beyond} more than a minimal path"),
                };
                let setup = self.hop_time() * (moves + trace.hops) as f64;
                format!(
                    "Arrived after {}; the circuit has {}, {path}. Without other messages the setup takes {setup:.4} mean \
                     transmission times: {moves} moves of the probe and {} hops of the acknowledgement.",
                    count(moves as u32, "move"),
                    count(trace.hops as u32, "link"),
                    trace.hops
                )
            }
            ProbeOutcome::FaultyEnd => "Refused: source or destination is faulty.".into(),
            ProbeOutcome::NoPath => {
                format!("Refused: after {} every permitted path has proved faulty.", count(moves as u32, "move"))
            }
        }
    }
}

impl Document for ProbeRoutes {
    fn text(&self) -> String {
        let mut text = format!("{}\n", self.experiment);
        let mesh = self.mesh();
        for trace in &self.traces.traces {
            let [from, to] = [self.traces.cell.ends.from, self.traces.cell.ends.to].map(|node| mesh_node(mesh, node));
            let _ = writeln!(text, "\n{}, from {from} to {to}", trace.algorithm.name);
            let digits = trace.moves.len().to_string().len();
            for (number, hop) in trace.moves.iter().enumerate() {
                let MoveRecord { from, to, reason, .. } = self.move_record(trace, hop);
                let mark = match hop.kind {
                    ProbeMoveKind::Nearer => ' ',
                    ProbeMoveKind::Misroute => '*',
                    ProbeMoveKind::Back => '<',
                };
                let _ = writeln!(text, " {mark}{:>digits$}  {from:>5} -> {to:<5}  {reason}", number + 1);
            }
            let _ = writeln!(text, "{}", self.ending(trace));
        }
        text
    }

    /// Returns `series,outcome,hop,from,to,port,move,reason`, a line for each move. A probe that does not
    /// move has one line, empty from `hop` on.
    fn csv(&self) -> String {
        let mut text = csv::source_header([&self.experiment]);
        text.push_str("series,outcome,hop,from,to,port,move,reason\n");
        for trace in &self.traces.traces {
            let (id, outcome) = (&trace.algorithm.id, outcome_id(trace.outcome));
            if trace.moves.is_empty() {
                csv::line(&mut text, &[&id, &outcome, &"", &"", &"", &"", &"", &""]);
            }
            for (number, hop) in trace.moves.iter().enumerate() {
                let MoveRecord { from, to, port, kind, reason } = self.move_record(trace, hop);
                let fields: [&dyn Display; 8] = [&id, &outcome, &(number + 1), &from, &to, &port, &kind, &reason];
                csv::line(&mut text, &fields);
            }
        }
        text
    }

    /// Returns a line `{experiment, seed, version, series, outcome, hops: [{from, to, port, move,
    /// reason}], ending}` for each probe.
    fn json(&self) -> String {
        let line = |trace: &ProbeTrace| {
            to_json(&ProbeRouteRecord {
                made: ResultSource::new(&self.experiment),
                series: trace.algorithm.id.clone(),
                outcome: outcome_id(trace.outcome),
                hops: trace.moves.iter().map(|hop| self.move_record(trace, hop)).collect(),
                ending: self.ending(trace),
            }) + "\n"
        };
        self.traces.traces.iter().map(line).collect()
    }
}
