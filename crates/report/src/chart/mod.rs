//! Charts: their content, their layout, and their drawing by plotters in a scene.

pub mod axis;
#[cfg(feature = "charts")]
mod backend;
#[cfg(feature = "charts")]
mod clip;
#[cfg(feature = "charts")]
pub mod draw;
pub mod figure;
pub mod frame;
pub(crate) mod grid;
pub mod look;
#[cfg(feature = "charts")]
mod map;
#[cfg(feature = "charts")]
mod marker;
#[cfg(feature = "charts")]
mod names;
pub(crate) mod over_time;
pub mod overlay;
#[cfg(feature = "charts")]
pub mod print;
pub mod scale;
pub mod spot;
pub(crate) mod spread;
mod stack;
#[cfg(all(test, feature = "charts"))]
mod tests;
