//! Disconnected pairs: the view of matrices.

pub(crate) mod pair_counts;
pub(crate) mod view;
