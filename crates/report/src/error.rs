//! Why there is nothing to report.

use std::fmt;

use super::words::node_of;
use faultlab_core::fault::{FaultModel, NoDrawing};
use faultlab_core::topology::{Network, NodeId};
use faultlab_experiment::Experiment;

/// Why something cannot be reported of an experiment that is one: its message names the key and what would be right.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReportError {
    /// This is not reported of its network.
    OtherNetwork {
        /// The network.
        network: Network,
        /// Those of which it is.
        accepted: &'static str,
    },
    /// There are no faults for worms to meet.
    NoFaults {
        /// The model of the faults.
        model: FaultModel,
        /// Why there are none.
        why: NoDrawing,
    },
    /// No message goes from and to where one was asked for.
    NoMessage {
        /// The network.
        network: Network,
        /// The source; `None` for any.
        from: Option<NodeId>,
        /// The destination; `None` for any.
        to: Option<NodeId>,
    },
    /// Experiments of this kind count no path lengths.
    CountsNoLengths {
        /// The kind, a value of `switch`.
        kind: &'static str,
        /// The kinds that count path lengths.
        accepted: Vec<&'static str>,
    },
    /// No message has arrived, so there are no path lengths.
    NoLengths {
        /// The text of the experiment.
        experiment: String,
        /// The reason why its first point has ended.
        reason: String,
    },
}

impl ReportError {
    /// No message goes from and to where `experiment` asks for one.
    pub(crate) fn no_message(experiment: &Experiment) -> Self {
        Self::NoMessage { network: experiment.network, from: experiment.from, to: experiment.to }
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherNetwork { network, accepted } => {
                write!(f, "net={network}: nothing is reported of this network; accepted: {accepted}")
            }
            Self::NoFaults { model, why } => write!(f, "faults={model}: {why}"),
            Self::NoMessage { network, from, to } => {
                let name = |node: &Option<NodeId>| node.map_or("anywhere".into(), |node| node_of(*network, node));
                write!(
                    f,
                    "from={}, to={}: none of the messages goes there; leave to out to follow the first message of a source, \
                     or list the message: traffic=FROM-TO",
                    name(from),
                    name(to)
                )
            }
            Self::CountsNoLengths { kind, accepted } => {
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
