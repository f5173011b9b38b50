//! What is asked and answered: the [`Experiment`] value, its text, sweeps, statistics, published figures.

mod cell;
mod edit;
mod error;
mod estimate;
mod keys;
mod metric;
pub mod papers;
mod parallel;
pub mod presets;
pub mod published;
mod sample;
mod sweep;
mod tally;
mod text;
mod value;
mod vary;

pub use cell::Cell;
pub use error::ExperimentError;
pub use estimate::{Estimate, mean_estimate, proportion, sigma_estimate};
pub use keys::{KEYS, KeyInfo};
pub use metric::{LENGTHS, METRICS, Metric};
pub use parallel::run;
#[cfg(feature = "cli")]
pub use parallel::run_parallel;
pub use sample::{Instance, Sampler, Trace};
pub use sweep::{PointResult, Progress, Status, Sweep, Task};
pub use tally::Tally;
pub use value::{Experiment, Layout, Tab, View};
pub use vary::{Parameter, Vary};
