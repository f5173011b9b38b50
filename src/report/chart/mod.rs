//! Charts: what they show, and how they are drawn on any plotters backend.

#[cfg(feature = "charts")]
mod clip;
#[cfg(feature = "charts")]
mod dash;
#[cfg(feature = "charts")]
pub mod draw;
pub mod figure;
pub mod frame;
pub(crate) mod grid;
pub mod look;
#[cfg(feature = "charts")]
mod map;
#[cfg(feature = "charts")]
mod names;
pub(crate) mod over_time;
pub mod overlay;
#[cfg(feature = "charts")]
mod pen;
#[cfg(feature = "charts")]
pub mod print;
pub(crate) mod scale;
#[cfg(feature = "charts")]
pub mod sheet;
pub mod spot;
pub(crate) mod spread;
mod stack;
#[cfg(feature = "charts")]
mod surface;
#[cfg(all(test, feature = "charts"))]
mod tests;
