//! Delivery cycles of a fat-tree (Greenberg & Leiserson section 2): all messages of a cycle start together, pass one
//! concentrator after the other, and arrive or are lost for this cycle.
//!
//! A cycle takes the up channels from the leaves to the top, then the down channels to the leaves. At each channel as many
//! survive as it has wires, of those that are still alive; who is lost does not contend any higher. The channel of a leaf is
//! a concentrator too. A message from a processor to itself needs no channel and arrives the first time it is sent.
//!
//! [`Concentrators`] is one cycle; [`Delivery`] runs an algorithm to its end and counts; [`OfflineSchedule`] compacts what
//! it found.

mod concentrators;
mod offline;
mod outcome;
mod run;
mod survivors;

pub use concentrators::{Concentrators, Fate};
pub use offline::{OfflineSchedule, ScheduleFault};
pub use outcome::{DeliveryCounts, DeliveryError, DeliveryOutcome};
pub use run::{Delivery, DeliveryTerms, Undeliverable};
pub use survivors::SurvivorPolicy;
