//! Setting of circuit experiments.

use crate::LaterFault;
use faultlab_core::switching::{LinkSelection, ProbeConfig, SetupPolicy, WaitPolicy};
use faultlab_core::traffic::Pattern;

/// Parameters that are specific to circuit experiments.
#[derive(Clone, Debug, PartialEq)]
pub struct CircuitSetting {
    /// Messages that each node generates in a unit of time, which is the mean transmission time;
    /// 0.0001 to 10.
    pub rate: f64,
    /// Traffic pattern, which selects destinations.
    pub traffic: Pattern,
    /// Rule that selects one of several free legal links.
    pub avail: LinkSelection,
    /// Rule that selects the legal links for which a message waits when none is free.
    pub wait: WaitPolicy,
    /// Reserve and hold, or backtrack and retry.
    pub setup: SetupPolicy,
    /// Time of a hop of a probe on a mesh or torus, in mean transmission times; 0 to 1. On hypercubes
    /// reservations take no time.
    pub hop: f64,
    /// Time at which the faults arrive, in mean transmission times, at most
    /// [`CircuitSetting::LATEST_FAULT`]; 0 if they exist before the first message.
    pub onset: f64,
    /// Nodes and links that break later, ascending by time.
    pub later: Vec<LaterFault>,
}

impl CircuitSetting {
    /// Latest time at which faults arrive, in mean transmission times.
    pub const LATEST_FAULT: f64 = 1_000_000.0;

    /// Default setting: uniform traffic under the paper's strategies.
    pub const USUAL: Self = Self {
        rate: 0.3,
        traffic: Pattern::Uniform,
        avail: LinkSelection::Lowest,
        wait: WaitPolicy::First,
        setup: SetupPolicy::Hold,
        hop: ProbeConfig::DEFAULT_HOP,
        onset: 0.0,
        later: Vec::new(),
    };
}
