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

pub use cell::{Cell, CubeCell};
pub use chart_view::ChartView;
pub use circuit::{CircuitWatch, Counts, LoggedCircuits, Watched};
#[cfg(feature = "threads")]
pub use compare::compare_parallel;
pub use compare::{Compared, Comparison, PairTask, PairedTrials, compare};
pub use delivery::{DeliveryTally, DeliveryTrial};
pub use delivery::{DeliveryWatch, WatchedDelivery};
pub use differing::Difference;
pub use family::Family;
pub use kind::{Behavior, Breaks, Ends, Kind};
pub use kinds::{Counts as KindCounts, KINDS, Setting, Tally};
pub use message::{Instance, MessageTally, Trace};
pub use metric::{Better, Counts as SpreadCounts, Metric, Plot, Spread, SpreadShape};
pub use parameter::{Parameter, Role};
pub use permutation::{BatchNumbers, Followed, PermutationWatch, WatchedBatch, WatchedPermutation};
pub use permutation::{PermutationInstance, PermutationSeries, PermutationTally, PermutationTrial};
pub use problem::{Infeasible, Problem};
pub use stats::{Estimate, RatioTally, Runs, mean_estimate, proportion, sigma_estimate};
pub use sweep::run;
#[cfg(feature = "threads")]
pub use sweep::{Company, Nobody, journal, run_on_all_threads, run_parallel};
pub use sweep::{Cost, Memory};
pub use sweep::{Need, Plan};
pub use sweep::{PointResult, Progress, Status, Sweep, Task};
pub use sweep::{Sampler, sampler};
pub use text::ExperimentError;
pub use text::Key;
pub use turn::Turned;
pub use value::{Experiment, Layout, Tab, View};
pub use vary::{Values, Vary};
pub use version::Version;
pub use watch::{History, Tape, WatchedNetwork};
pub use worm::{Journey, LoggedWorms, WatchedHop, WatchedWorms, WormWatch};
pub use worm::{WormInstance, WormTally, WormTrace};
