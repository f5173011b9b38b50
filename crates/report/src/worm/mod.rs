//! Worms: their picture, in words, as files, and what is proved of them.

pub mod check;
pub mod files;
pub mod loads;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub mod routes;
pub mod watch;
pub mod words;
