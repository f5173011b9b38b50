//! Errors of reports.

use std::fmt;

use super::wording::node_of;
use faultlab_core::fault::{FaultModel, SampleError};
use faultlab_core::topology::{Network, NodeId};
use faultlab_experiment::Experiment;

/// Reason why there is no report on a valid experiment. The message names the key and the accepted
/// values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReportError {
    /// Unsupported network.
    UnsupportedNetwork {
        /// Network of the experiment.
        network: Network,
        /// Supported networks.
        accepted: &'static str,
    },
    /// No faults: network or model is unsupported, or no fault set was found.
    NoFaults {
        /// Fault model.
        model: FaultModel,
        /// Reason why there are no faults.
        why: SampleError,
    },
    /// No message with the requested source and destination.
    NoMessage {
        /// Network of the experiment.
        network: Network,
        /// Source; `None` for any.
        from: Option<NodeId>,
        /// Destination; `None` for any.
        to: Option<NodeId>,
    },
    /// Kind of experiment that does not count path lengths.
    LengthsNotCounted {
        /// Kind, a value of `switch`.
        kind: &'static str,
        /// Kinds that count path lengths.
        accepted: Vec<&'static str>,
    },
    /// No path lengths, because no message has arrived.
    NoLengths {
        /// Text of the experiment.
        experiment: String,
        /// Reason why the first point has ended.
        reason: String,
    },
}

impl ReportError {
    /// Returns the error that no message has the source and destination of `experiment`.
    pub(crate) fn no_message(experiment: &Experiment) -> Self {
        Self::NoMessage { network: experiment.network, from: experiment.from, to: experiment.to }
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnsupportedNetwork { network, accepted } => {
                write!(f, "net={network}: no report on this network; accepted: {accepted}")
            }
            Self::NoFaults { model, why } => write!(f, "faults={model}: {why}"),
            Self::NoMessage { network, from, to } => {
                let name = |node: &Option<NodeId>| node.map_or("anywhere".into(), |node| node_of(*network, node));
                write!(
                    f,
                    "from={}, to={}: no message has these ends; leave out to= to follow the first message of a \
                     source, or add the message: traffic=FROM-TO",
                    name(from),
                    name(to)
                )
            }
            Self::LengthsNotCounted { kind, accepted } => {
                write!(f, "--lengths: switch={kind} counts no path lengths; accepted: switch={}", accepted.join(", "))
            }
            Self::NoLengths { experiment, reason } => write!(
                f,
                "{experiment}: --lengths has nothing to print: no message has arrived ({reason}); \
                 --table prints what was measured"
            ),
        }
    }
}

impl std::error::Error for ReportError {}
