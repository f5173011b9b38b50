//! What is asked and answered: the [`Experiment`] value, its text, sweeps, statistics, published figures.

mod cell;
mod circuit;
pub mod crossover;
mod delivery;
mod delivery_watch;
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
mod relation;
mod relation_instance;
mod relation_watch;
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
pub use delivery::DeliveryTrial;
pub use delivery_watch::{DeliveryWatch, WatchedDelivery};
pub use error::ExperimentError;
pub use estimate::{Estimate, mean_estimate, proportion, sigma_estimate};
pub use keys::{KEYS, KeyInfo};
pub use metric::{
    CHANNELS, DIMENSIONS, LATENCIES, LENGTHS, METRICS, Metric, ROUTE_LENGTHS, SETUPS, SPREADS, Spread, TRADE_OFF,
};
pub use parallel::run;
#[cfg(feature = "cli")]
pub use parallel::run_parallel;
pub use relation_instance::{RelationInstance, RelationSeries, RelationTrial};
pub use relation_watch::{BatchNumbers, Followed, RelationWatch, WatchedBatch, WatchedRelation};
pub use sample::{Instance, Trace};
pub use sampler::Sampler;
pub use sweep::{PointResult, Progress, Status, Sweep, Task};
pub use tally::{DeliveryTally, RatioTally, RelationTally, Tally, WormTally};
pub use value::{
    Experiment, Layout, RelationSetting, Tab, TreeDemand, TreeSetting, View, WormSetting, runs_on, switching_fits,
};
pub use vary::{Parameter, Vary};
pub use watched::{CircuitWatch, Counts, History, Watched};
pub use worm_instance::{WormInstance, WormTrace};
pub use worm_watched::{Journey, WatchedHop, WatchedWorms, WormWatch};
