//! Pictures of whole permutations: the square of subcubes.

pub mod draw;
mod heat;
mod legend;
pub mod painter;
mod route;
pub mod squares;
mod worms;
