//! Single messages: the view that plays them, and their controls.

pub(crate) mod controls;
pub(crate) mod view;
