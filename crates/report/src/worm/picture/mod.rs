//! Pictures of a mesh, its faults and its worms.

pub(crate) mod cycle;
pub(crate) mod density;
pub mod worms;
