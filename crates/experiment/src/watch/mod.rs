//! Seekable simulations for Watch, and their time series.

mod history;
mod networks;
mod tape;

pub use history::History;
pub use networks::WatchedNetwork;
pub(crate) use networks::{Networks, Pace};
pub use tape::Tape;
