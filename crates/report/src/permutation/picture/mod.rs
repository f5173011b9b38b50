//! Pictures of whole permutations: the square of subcubes.

pub(crate) mod congestion;
pub mod draw;
mod legend;
pub mod painter;
mod route;
pub mod subcube_layout;
mod worms;
