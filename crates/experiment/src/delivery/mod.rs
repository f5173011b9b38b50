//! Delivery cycles of fat-trees.

mod cost;
mod keys;
mod kind;
mod metrics;
mod setting;
mod tally;
pub(crate) mod trial;
mod watch;
mod wire_edits;

pub use kind::KIND;
pub use setting::{CongestionParameter, DeliveryDemand, DeliverySetting};
pub use tally::DeliveryTally;
pub use trial::DeliveryTrial;
pub use watch::{DeliveryWatch, WatchedDelivery};
