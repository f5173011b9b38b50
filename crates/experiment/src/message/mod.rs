//! Single messages.

mod all_fault_sets;
mod cost;
mod keys;
mod kind;
mod metrics;
mod setting;
mod tally;
pub(crate) mod trial;

pub use kind::KIND;
pub use setting::MessageSetting;
pub use tally::MessageTally;
pub use trial::{Instance, Trace};
