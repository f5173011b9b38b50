//! Delivery cycles of a fat-tree (Greenberg & Leiserson section 2).
//!
//! All messages of a cycle start together and pass one concentrator after the other. Each arrives
//! or is lost for this cycle.
//!
//! A cycle takes the up channels from the leaves to the top, then the down channels to the leaves.
//! At each channel, as many of the remaining messages survive as the channel has wires. Lost
//! messages do not contend at later channels. The channel of a leaf is a concentrator too. A
//! message from a processor to itself needs no channel and arrives when it is first sent.
//!
//! [`Concentrators`] simulates one cycle. [`DeliveryRun`] runs an algorithm to its end and counts.
//! [`OfflineSchedule`] compacts the result of a run.

mod concentrators;
mod offline;
mod outcome;
mod run;
mod survivors;

pub use concentrators::{Concentrators, CycleResult};
pub use offline::{OfflineSchedule, ScheduleError};
pub use outcome::{DeliveryCounts, DeliveryError, DeliveryOutcome};
pub use run::{DeliveryConfig, DeliveryRun, Undeliverable};
pub use survivors::SurvivorPolicy;
