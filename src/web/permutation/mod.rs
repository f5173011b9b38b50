//! Whole permutations: the view that plays them.

pub(crate) mod controls;
pub(crate) mod rail;
pub(crate) mod view;
