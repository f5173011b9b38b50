//! Trials of circuits on meshes and tori.

use std::sync::Arc;

use super::setting::CircuitSetting;
use super::trial::RunNetworks;
use crate::kind::NO_DESTINATION;
use crate::sweep::Phase;
use crate::{Experiment, Infeasible, PointConfig, Problem};
use faultlab_core::fault::{BlockFaults, SampleError};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{LinkSelection, ProbeConfig, ProbeNetwork};

/// Networks of one point, with the faults of each run.
pub(crate) struct MeshNetworks {
    cell: PointConfig,
    algorithm: Arc<Algorithm>,
}

impl MeshNetworks {
    pub(crate) fn new(cell: PointConfig, algorithm: &Arc<Algorithm>) -> Self {
        Self { cell, algorithm: algorithm.clone() }
    }
}

impl RunNetworks for MeshNetworks {
    type Network = ProbeNetwork;

    fn cell(&self) -> &PointConfig {
        &self.cell
    }

    fn network(&self, number: u64) -> Option<ProbeNetwork> {
        network(&self.cell, &self.algorithm, number)
    }
}

/// Returns the faults of trial number `trial` of a mesh or torus, those that arrive later included.
///
/// # Errors
/// Returns the errors of [`PointConfig::blocks`], and one on other networks.
pub(crate) fn faults(cell: &PointConfig, trial: u64) -> Result<Arc<BlockFaults>, SampleError> {
    cell.network.mesh().ok_or(SampleError::OtherNetwork)?;
    cell.blocks(trial)
}

/// Returns the network of run number `number`; `None` if it cannot be built, or the algorithm sets up
/// no circuits on meshes.
///
/// Messages of a run are the same for every algorithm and in every phase.
pub(crate) fn network(cell: &PointConfig, algorithm: &Algorithm, number: u64) -> Option<ProbeNetwork> {
    let trial = Phase::index(number);
    let CircuitSetting { rate, traffic, avail, setup, hop, .. } = cell.setting.circuit()?.clone();
    let (faults, routing) = (cell.circuit_faults_at(trial, 0.0).ok()?, algorithm.probe()?);
    let config = ProbeConfig { faults, routing, avail, setup, hop, pattern: traffic, rate, cap: None };
    let mut circuits = ProbeNetwork::new(config, cell.trial(trial).child(1)).ok()?;
    for time in cell.setting.onsets() {
        circuits.add_onset(time, cell.circuit_faults_at(trial, time).ok()?).ok()?;
    }
    Some(circuits)
}

/// Checks that the faults of a trial leave two live nodes.
pub(super) fn check_trial(cell: &PointConfig, algorithm: &Algorithm, number: u64) -> Result<(), Infeasible> {
    faults(cell, Phase::index(number)).map_err(|error| error.to_string())?;
    match network(cell, algorithm, number) {
        Some(circuits) if circuits.live().count() < 2 => Err(NO_DESTINATION.into()),
        _ => Ok(()),
    }
}

/// Checks the constraints of circuits on meshes.
///
/// # Errors
/// Returns an error if a mesh is too large, or if the selection among links keeps probes from
/// searching.
pub(super) fn check(experiment: &Experiment, setting: &CircuitSetting) -> Result<(), Problem> {
    if experiment.mesh().is_none() {
        return Ok(());
    }
    let largest = experiment.networks().filter_map(|network| network.mesh()).max_by_key(|mesh| mesh.nodes());
    if let Some(mesh) = largest.filter(|mesh| mesh.nodes() > ProbeNetwork::MAX_NODES) {
        let why = format!(
            "switch=circuit supports meshes and tori of up to {} nodes; {mesh} has {}",
            ProbeNetwork::MAX_NODES,
            mesh.nodes()
        );
        return Err(Problem::new("vary", why));
    }
    if setting.avail == LinkSelection::LowestOnly {
        let why = "on meshes and tori a probe tries other links where the lowest is reserved: use lowest, random, \
                   highest or lowest-free";
        return Err(Problem::new("avail", why));
    }
    Ok(())
}
