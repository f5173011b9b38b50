//! Circuit view: its player, controls and side panel.

pub(crate) mod controls;
pub(crate) mod mesh_side_panel;
pub(crate) mod mesh_view;
pub(crate) mod side_panel;
pub(crate) mod view;
