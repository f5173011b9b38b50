//! What is asked and answered: the [`Experiment`] value, its text, sweeps, statistics, published figures.

pub mod activity;
mod cell;
pub mod circuit;
mod compare;
pub mod crossover;
pub mod delivery;
mod edit;
mod kind;
mod kinds;
mod limits;
pub mod message;
mod metric;
pub mod pairs;
pub mod papers;
mod parameter;
pub mod permutation;
pub mod presets;
mod problem;
pub mod stats;
mod sweep;
mod text;
mod validate;
mod value;
mod vary;
mod watch;
pub mod worm;
pub mod worst;

pub use cell::{Cell, CubeCell};
pub use circuit::{CircuitWatch, Counts, LoggedCircuits, Watched};
#[cfg(feature = "cli")]
pub use compare::compare_parallel;
pub use compare::{Compared, Comparison, PairTask, PairedTrials, compare};
pub use delivery::{DeliveryTally, DeliveryTrial};
pub use delivery::{DeliveryWatch, WatchedDelivery};
pub use kind::{Breaks, Ends, Kind};
pub use kinds::{Counts as KindCounts, KINDS, Setting, Tally};
pub use message::{Instance, MessageTally, Trace};
pub use metric::{Better, Counts as SpreadCounts, Metric, Plot, Spread, SpreadShape};
pub use parameter::{Parameter, Role};
pub use permutation::{BatchNumbers, Followed, PermutationWatch, WatchedBatch, WatchedPermutation};
pub use permutation::{PermutationInstance, PermutationSeries, PermutationTally, PermutationTrial};
pub use problem::Problem;
pub use stats::{Estimate, RatioTally, Runs, mean_estimate, proportion, sigma_estimate};
pub use sweep::run;
#[cfg(feature = "cli")]
pub use sweep::run_parallel;
pub use sweep::{Need, Plan};
pub use sweep::{PointResult, Progress, Status, Sweep, Task};
pub use sweep::{Sampler, sampler};
pub use text::ExperimentError;
pub use text::Key;
pub use value::{Experiment, Layout, Tab, View};
pub use vary::{Values, Vary};
pub use watch::{History, Tape, WatchedNetwork};
pub use worm::{Journey, LoggedWorms, WatchedHop, WatchedWorms, WormWatch};
pub use worm::{WormInstance, WormTally, WormTrace};
