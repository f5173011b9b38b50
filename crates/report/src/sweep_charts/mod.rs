//! Results of sweeps of any kind: charts and captions.

mod axes;
pub mod caption;
pub mod figure;
pub mod left_out;
pub mod panels;
pub mod pinned;
pub mod point_description;
pub(crate) mod reference_values;
pub mod saturation;
