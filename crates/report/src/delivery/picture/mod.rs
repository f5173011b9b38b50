//! Pictures of fat-trees.

pub(crate) mod bad_set;
mod bins;
pub mod draw;
mod follow;
mod legend;
pub mod painter;
pub mod tree;
