//! Pictures of fat-trees.

pub(crate) mod bad_set;
mod bins;
pub mod draw;
mod legend;
mod message_path;
pub mod painter;
pub mod tree_layout;
