//! Circuits: their picture, in words, as files.

pub mod files;
pub mod picture;
pub mod play;
pub mod watch;
pub mod words;
