//! What is asked and answered: the [`Experiment`] value, its text, sweeps, statistics, published figures.

mod cell;
mod circuit;
pub mod crossover;
mod edit;
mod error;
mod estimate;
mod keys;
mod metric;
mod pairs;
pub mod papers;
mod parallel;
mod plan;
pub mod presets;
pub mod published;
mod sample;
mod sampler;
mod sweep;
mod tally;
mod text;
mod validate;
mod value;
mod vary;
mod watched;
mod worm;
mod worm_instance;
mod worm_watched;

pub use cell::{Cell, CubeCell};
pub use error::ExperimentError;
pub use estimate::{Estimate, mean_estimate, proportion, sigma_estimate};
pub use keys::{KEYS, KeyInfo};
pub use metric::{DIMENSIONS, LATENCIES, LENGTHS, METRICS, Metric, SETUPS, SPREADS, Spread};
pub use parallel::run;
#[cfg(feature = "cli")]
pub use parallel::run_parallel;
pub use sample::{Instance, Trace};
pub use sampler::Sampler;
pub use sweep::{PointResult, Progress, Status, Sweep, Task};
pub use tally::{PairTally, Tally, WormTally};
pub use value::{Experiment, Layout, Tab, View, WormSetting, switching_fits};
pub use vary::{Parameter, Vary};
pub use watched::{CircuitWatch, Counts, History, Watched};
pub use worm_instance::{WormInstance, WormTrace};
pub use worm_watched::{Journey, WatchedHop, WatchedWorms, WormWatch};
