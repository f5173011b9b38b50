//! Circuits on meshes and tori.

pub mod check;
pub(crate) mod files;
pub(crate) mod picture;
pub mod play;
pub mod routes;
pub mod wording;
