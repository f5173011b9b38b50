//! What a sweep measured, whatever its kind: its chart, and the words above it.

mod axes;
pub mod caption;
pub mod figure;
pub mod kept;
pub(crate) mod known;
pub mod panels;
pub mod reading;
