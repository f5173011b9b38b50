//! Results of sweeps of any kind: charts and captions.

mod axes;
pub mod caption;
pub mod figure;
pub mod kept;
pub(crate) mod known;
pub mod panels;
pub mod reading;
