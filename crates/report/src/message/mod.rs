//! Single messages: pictures, descriptions of hops, and checks.

pub mod check;
mod files;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub(crate) mod routes;
pub mod watch;
pub mod wording;
