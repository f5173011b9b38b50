//! Wormhole switching: pictures, descriptions, files and checks.

pub mod busiest_channel;
pub mod channels;
pub mod check;
pub mod files;
pub(crate) mod link_use;
pub mod messages;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub mod routes;
pub mod watch;
pub mod wording;
