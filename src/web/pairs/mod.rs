//! Disconnected pairs: the view of matrices.

pub(crate) mod counted;
pub(crate) mod view;
