//! Searches of single probes on meshes and tori without other messages.

use std::sync::Arc;

use super::mesh::faults;
use crate::{Experiment, PointConfig};
use faultlab_core::fault::{BlockFaults, SampleError};
use faultlab_core::routing::{Algorithm, ProbeDecision, ProbeSearch};
use faultlab_core::switching::select_port;
use faultlab_core::topology::{NodeId, Port};

/// Move of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeMoveKind {
    /// Over a link that leads nearer to the destination; under e-cube over the only permitted link.
    Nearer,
    /// Over a link that leads no nearer.
    Misroute,
    /// Back over the last link of the path, which becomes free.
    Back,
}

/// Move of a probe from one node to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeMove {
    /// Node that the probe leaves.
    pub from: NodeId,
    /// Port by which it leaves.
    pub port: Port,
    /// Kind of the move.
    pub kind: ProbeMoveKind,
}

/// Outcome of a search without other messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeOutcome {
    /// The probe reached the destination.
    Arrived,
    /// The source or the destination is faulty.
    FaultyEnd,
    /// Every permitted path has a fault.
    NoPath,
}

/// Search of one probe in a network without other messages.
#[derive(Clone, Debug)]
pub struct ProbeTrace {
    /// Algorithm of the search.
    pub algorithm: Arc<Algorithm>,
    /// Moves, in order.
    pub moves: Vec<ProbeMove>,
    /// Number of links of the circuit; 0 unless the probe arrived.
    pub hops: u64,
    /// Outcome of the search.
    pub outcome: ProbeOutcome,
}

/// Searches of the followed pair of an experiment, one for each algorithm.
#[derive(Clone, Debug)]
pub struct ProbeTraces {
    /// Point of the experiment.
    pub cell: PointConfig,
    /// Faults of the watched trial.
    pub faults: Arc<BlockFaults>,
    /// Searches, in the order of the experiment's algorithms.
    pub traces: Vec<ProbeTrace>,
}

impl ProbeTraces {
    /// Returns the searches of `experiment`. Algorithms that set up no circuits on meshes are left out.
    ///
    /// # Errors
    /// Returns an error on other networks, and if faults cannot be sampled.
    pub fn new(experiment: &Experiment) -> Result<Self, SampleError> {
        let cell = PointConfig::new(experiment, None);
        let faults = faults(&cell, experiment.view.sample)?;
        let traces = experiment.routing.iter().filter_map(|algorithm| {
            algorithm.probe()?;
            Some(trace(&cell, &faults, algorithm, experiment.view.sample))
        });
        let traces = traces.collect();
        Ok(Self { cell, faults, traces })
    }
}

/// Returns the search of `algorithm` for the ends of `cell`.
fn trace(cell: &PointConfig, faults: &BlockFaults, algorithm: &Arc<Algorithm>, sample: u64) -> ProbeTrace {
    let (from, to) = (cell.ends.from, cell.ends.to);
    let mut trace =
        ProbeTrace { algorithm: algorithm.clone(), moves: Vec::new(), hops: 0, outcome: ProbeOutcome::FaultyEnd };
    let (Some(routing), Some(setting)) = (algorithm.probe(), cell.setting.circuit()) else { return trace };
    if faults.is_faulty(from) || faults.is_faulty(to) {
        return trace;
    }
    let mut generator = cell.trial(sample).child(2).generator();
    let mut search = ProbeSearch::new(routing, from, to);
    trace.outcome = ProbeOutcome::NoPath;
    while !search.has_arrived() {
        let here = search.here();
        let select = |permitted, free| select_port(setting.avail, permitted, free, &mut generator);
        let next = match search.decide(faults, u32::MAX, select) {
            ProbeDecision::Forward { port, is_misroute } => {
                search.go_forward(faults, port);
                let kind = if is_misroute { ProbeMoveKind::Misroute } else { ProbeMoveKind::Nearer };
                ProbeMove { from: here, port, kind }
            }
            ProbeDecision::Back => match search.go_back() {
                Some((_, port)) => ProbeMove { from: here, port: port.opposite(), kind: ProbeMoveKind::Back },
                None => return trace,
            },
            ProbeDecision::Blocked(_) | ProbeDecision::Failed => return trace,
        };
        trace.moves.push(next);
    }
    (trace.outcome, trace.hops) = (ProbeOutcome::Arrived, search.hops() as u64);
    trace
}
