//! Worms: the view that plays them, its controls and side panel.

pub(crate) mod controls;
pub(crate) mod side_panel;
pub(crate) mod tools;
pub(crate) mod view;
