//! Whole permutations and batches: their picture, in words, as files, and what is proved of them.

pub mod batch;
pub mod check;
pub mod files;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub(crate) mod routes;
pub mod watch;
pub mod words;
