//! Wormhole switching: pictures, descriptions, files and checks.

pub mod check;
pub mod files;
pub mod loads;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub mod routes;
pub mod watch;
pub mod words;
