//! Whole permutations and batches: pictures, descriptions, files and checks.

pub mod batch_state;
pub mod butterfly;
pub mod check;
pub mod files;
pub(crate) mod overlay;
pub mod picture;
pub mod play;
pub(crate) mod routes;
pub mod watch;
pub mod wording;
