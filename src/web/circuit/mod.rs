//! Circuit view: its player, controls and side panel.

pub(crate) mod controls;
pub(crate) mod rail;
pub(crate) mod view;
