//! Experiments on fault-tolerant networks: the [`Experiment`] value and its text, sweeps,
//! statistics, and searches for worst faults and counterexamples.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod activity;
mod cell;
mod chart_view;
pub mod circuit;
mod compare;
pub mod crossover;
pub mod deadlock;
pub mod delivery;
mod differing;
mod edit;
mod family;
pub mod fault_sets;
mod key_name;
mod kind;
mod kinds;
mod limits;
pub mod message;
mod metric;
mod opening;
pub mod pairs;
mod parameter;
pub mod permutation;
pub mod presets;
mod problem;
pub mod refute;
pub mod stats;
mod sweep;
mod text;
mod turn;
pub mod ui;
mod validate;
mod value;
mod vary;
mod version;
mod watch;
pub mod worm;
pub mod worst;

pub use cell::{CubePointConfig, PointConfig};
pub use chart_view::ChartOptions;
pub use circuit::{CircuitCounts, CircuitWatch, LoggedCircuits, Watched};
#[cfg(feature = "threads")]
pub use compare::compare_parallel;
pub use compare::{ComparedPoint, Comparison, PairTask, PairedTrials, compare};
pub use delivery::{DeliveryTally, DeliveryTrial};
pub use delivery::{DeliveryWatch, WatchedDelivery};
pub use differing::FieldDiff;
pub use family::NetworkFamily;
pub use kind::{Behavior, EndpointRole, FaultDomain, Kind};
pub use kinds::{KINDS, KindCounts, Setting, Tally};
pub use message::{Instance, MessageTally, Trace};
pub use metric::{Direction, Distribution, DistributionKind, HistogramFn, Metric, Plot};
pub use parameter::{Parameter, ParameterRole};
pub use permutation::{BatchIndex, FollowedMessage, PermutationWatch, WatchedBatch, WatchedPermutation};
pub use permutation::{PermutationInstance, PermutationSeries, PermutationTally, PermutationTrial};
pub use problem::{Infeasible, Problem};
pub use stats::{Estimate, RatioTally, Runs, mean_estimate, proportion, sigma_estimate};
pub use sweep::run;
pub use sweep::{Cost, Memory};
pub use sweep::{Demand, StoppingRule};
#[cfg(feature = "threads")]
pub use sweep::{NoopObserver, SweepObserver, journal, run_on_all_threads, run_parallel};
pub use sweep::{PointResult, Progress, Shard, Status, Sweep, Task};
pub use sweep::{Sampler, sampler};
pub use text::ExperimentError;
pub use text::Key;
pub use turn::Converted;
pub use value::{Experiment, Layout, Tab, ViewOptions};
pub use vary::{Values, Vary};
pub use version::Version;
pub use watch::{TimeSeries, Timeline, WatchedNetwork};
pub use worm::{LoggedWorms, MessageHistory, WatchedHop, WatchedWorms, WormWatch};
pub use worm::{WormInstance, WormTally, WormTrace};
