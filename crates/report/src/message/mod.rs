//! Single messages: their picture, their hops in words, and what is proved of them.

pub mod check;
mod files;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub(crate) mod routes;
pub mod watch;
pub mod words;
