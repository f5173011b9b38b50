//! Wormhole switching under load.

mod cost;
mod instance;
mod keys;
mod kind;
mod metrics;
mod records;
mod requirements;
mod setting;
mod steady;
mod tally;
pub(crate) mod trial;
pub(crate) mod watch;

pub use instance::{WormInstance, WormTrace};
pub use kind::KIND;
pub use records::{MessageOutcome, MessageRecord, RunRecords, message_records};
pub use setting::{FlitEnergy, Traffic, WormSetting};
pub use tally::WormTally;
use trial::{COARSE_RUNS, counted, cycles_for, has_deadlocked, has_fixed_faults, is_listed};
pub use trial::{ChannelEstimate, NodeEstimate, channel_estimates, check_channels, counted_runs, node_estimates};
pub use watch::{LoggedWorms, MessageHistory, WatchedHop, WatchedWorms, WormWatch, common_past};
