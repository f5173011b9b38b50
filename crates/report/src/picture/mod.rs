//! Pictures of networks: scenes of shapes with roles, layouts, the hypercube.

pub mod cube;
pub mod cycle;
pub mod geometry;
pub(crate) mod labels;
pub(crate) mod layers;
pub mod layout;
pub mod mesh;
pub mod palette;
pub mod projection;
pub mod scene;
pub mod viewport;
