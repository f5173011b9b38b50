//! Charts: their content, their layout, and their drawing by plotters in a scene.

pub mod axis;
#[cfg(feature = "charts")]
mod backend;
pub mod chart_point;
#[cfg(feature = "charts")]
mod clip;
#[cfg(feature = "charts")]
mod curve_names;
pub mod curve_style;
pub(crate) mod distribution;
#[cfg(feature = "charts")]
pub mod draw;
pub mod figure;
pub mod frame;
#[cfg(feature = "charts")]
mod map;
pub(crate) mod map_grid;
#[cfg(feature = "charts")]
mod marker;
pub(crate) mod over_time;
pub mod overlay;
#[cfg(feature = "charts")]
pub mod print;
pub mod scale;
mod stacked;
#[cfg(all(test, feature = "charts"))]
mod tests;
pub mod tip;
