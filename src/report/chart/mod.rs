//! Charts: what they show, and how they are drawn on any plotters backend.

#[cfg(feature = "charts")]
pub mod draw;
pub mod figure;
#[cfg(feature = "charts")]
mod map;
pub(crate) mod over_time;
pub mod overlay;
#[cfg(feature = "charts")]
pub mod sheet;
pub(crate) mod spread;
mod stack;
#[cfg(feature = "charts")]
mod surface;
