//! What is watched as it happens: time, and what was counted over it.

mod history;
mod networks;
mod tape;

pub use history::History;
pub use networks::WatchedNetwork;
pub(crate) use networks::{Networks, Pace};
pub use tape::Tape;
