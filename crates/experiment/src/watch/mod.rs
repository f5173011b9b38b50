//! Seekable simulations for Watch, and their time series.

mod history;
mod networks;
mod tape;

pub use history::TimeSeries;
pub use networks::WatchedNetwork;
pub(crate) use networks::{LookaheadLimits, Networks};
pub use tape::Timeline;
