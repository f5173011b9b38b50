//! Delivery cycles of a fat-tree (Greenberg & Leiserson section 2).
//!
//! All messages of a cycle start together and pass one concentrator after the other. Each message
//! arrives or is lost in the cycle.
//!
//! A cycle simulates the up channels from the leaves to the top, then the down channels to the
//! leaves. At each channel, as many of the remaining messages survive as the channel has wires.
//! Lost messages do not contend at later channels. The channel of a leaf is a concentrator too. A
//! message from a processor to itself needs no channel and arrives when it is first sent.
//!
//! [`Concentrators`] simulates one cycle. [`DeliveryRun`] runs an algorithm and counts its cycles.
//! [`OfflineSchedule`] compacts the result of a run.

mod concentrators;
mod level_schedule;
mod offline;
mod outcome;
mod run;
mod survivors;

pub use concentrators::{Concentrators, CycleResult};
pub use offline::{OfflineSchedule, ScheduleError};
pub use outcome::{DeliveryCounts, DeliveryError, DeliveryOutcome};
pub use run::{DeliveryConfig, DeliveryRun, Undeliverable};
pub use survivors::SurvivorPolicy;
