//! Wormhole switching: pictures, descriptions, files and checks.

pub mod busiest_channel;
pub mod check;
pub mod files;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub mod routes;
pub mod watch;
pub mod wording;
