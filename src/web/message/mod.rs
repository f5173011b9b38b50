//! Single messages: the view that plays them.

pub(crate) mod controls;
pub(crate) mod view;
