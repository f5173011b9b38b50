//! Whole permutations: the view that plays them, and its controls.

pub(crate) mod butterfly_view;
pub(crate) mod controls;
pub(crate) mod side_panel;
pub(crate) mod view;
