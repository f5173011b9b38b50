//! Seekable simulations for Watch, and their time series.

mod networks;
mod time_series;
mod timeline;

pub use networks::WatchedNetwork;
pub(crate) use networks::{LookaheadLimits, Networks};
pub use time_series::TimeSeries;
pub use timeline::Timeline;
