//! Delivery cycles: their picture, in words, as files, and what is proved of them.

pub mod check;
pub mod files;
pub mod load;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub(crate) mod routes;
pub(crate) mod trade_off;
pub mod watch;
