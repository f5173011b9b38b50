//! Wormhole switching under load.

mod cost;
mod instance;
mod keys;
mod kind;
mod metrics;
mod requirements;
mod setting;
mod steady;
mod tally;
pub(crate) mod trial;
pub(crate) mod watch;

pub use instance::{WormInstance, WormTrace};
pub use kind::KIND;
pub use setting::{Traffic, WormSetting};
pub use tally::WormTally;
use trial::{COARSE_RUNS, counted, cycles_for, has_deadlocked, has_fixed_faults, is_listed};
pub use trial::{ChannelEstimate, channel_estimates, check_channels, counted_runs};
pub use watch::{LoggedWorms, MessageHistory, WatchedHop, WatchedWorms, WormWatch, common_past};
