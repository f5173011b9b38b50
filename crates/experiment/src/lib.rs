//! Experiments on fault-tolerant networks: the [`Experiment`] value and its text, sweeps,
//! statistics, and searches for worst faults and counterexamples.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod activity;
mod chart_options;
pub mod circuit;
mod compare;
mod convert;
pub mod crossover;
pub mod deadlock;
mod defaults;
pub mod delivery;
mod diff;
mod experiment;
mod family;
mod fault_edits;
pub mod fault_sets;
pub mod figure_options;
mod kind;
mod kinds;
mod later_faults;
mod limits;
pub mod message;
mod message_file;
mod metric;
pub mod pairs;
mod parameter;
pub mod permutation;
mod point_config;
pub mod presets;
mod problem;
mod random_key_name;
pub mod refute;
mod return_point;
pub mod saturation;
pub mod stats;
mod sweep;
mod text;
mod validate;
mod vary;
mod version;
mod watch;
pub mod worm;
pub mod worst;

pub use chart_options::ChartOptions;
pub use circuit::{
    CircuitCounts, CircuitWatch, LoggedCircuits, MeshCircuitWatch, ProbeMove, ProbeMoveKind, ProbeOutcome, ProbeTrace,
    ProbeTraces, Watched, WatchedProbes,
};
#[cfg(feature = "threads")]
pub use compare::compare_parallel;
pub use compare::{ComparedPoint, Comparison, PairTask, PairedTrials, compare};
pub use convert::Converted;
pub use delivery::{DeliveryTally, DeliveryTrial};
pub use delivery::{DeliveryWatch, WatchedDelivery};
pub use diff::FieldDiff;
pub use experiment::{Experiment, Layout, Tab, ViewOptions};
pub use family::NetworkFamily;
pub use kind::{Behavior, EndpointRole, FaultDomain, Kind};
pub use kinds::{KINDS, KindCounts, Setting, Tally};
pub use later_faults::{FaultyElement, LaterFault};
pub use message::{Instance, MessageTally, Trace};
pub use message_file::{MESSAGE_FILE_ACCEPTED, read_messages, write_messages};
pub use metric::{Direction, Distribution, DistributionKind, HistogramFn, Metric, Plot};
pub use parameter::{Parameter, ParameterRole};
pub use permutation::{BatchIndex, FollowedMessage, PermutationWatch, WatchedBatch, WatchedPermutation};
pub use permutation::{PermutationInstance, PermutationSeries, PermutationTally, PermutationTrial};
pub use point_config::{CubePointConfig, PointConfig};
pub use problem::{Infeasible, Problem};
pub use return_point::ReturnPoint;
pub use stats::{Estimate, RatioTally, Runs, mean_estimate, proportion, sigma_estimate};
pub use sweep::run;
pub use sweep::{Cost, Memory};
pub use sweep::{Demand, StoppingRule};
#[cfg(feature = "threads")]
pub use sweep::{NoopObserver, SweepObserver, journal, run_on_all_threads, run_parallel};
pub use sweep::{PointResult, Progress, Shard, Status, Sweep, Task};
pub use sweep::{Sampler, sampler};
pub use text::TextKey;
pub use text::{ExperimentError, TextReading};
pub use vary::{Values, Vary};
pub use version::Version;
pub use watch::{TimeSeries, Timeline, WatchedNetwork};
pub use worm::{LoggedWorms, MessageHistory, WatchedHop, WatchedWorms, WormWatch, common_past};
pub use worm::{WormInstance, WormTally, WormTrace};
