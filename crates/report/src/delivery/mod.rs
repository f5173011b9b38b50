//! Delivery cycles: pictures, descriptions, files and checks.

pub mod check;
pub mod files;
pub mod load;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub(crate) mod routes;
pub(crate) mod trade_off;
pub mod watch;
