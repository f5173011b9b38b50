//! Delivery cycles: pictures, descriptions, files and checks.

pub mod channel_loads;
pub mod check;
pub mod files;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub(crate) mod routes;
pub(crate) mod trade_off;
pub mod watch;
