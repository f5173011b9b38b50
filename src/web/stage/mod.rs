//! Stage of the page: canvases, playback, hit tests, and export of pictures.

pub(crate) mod canvas;
pub(crate) mod cyclic_wait;
pub(crate) mod entity_links;
pub(crate) mod entries;
pub(crate) mod files;
pub(crate) mod formula;
pub(crate) mod interactive_chart;
pub(crate) mod kind_view;
pub(crate) mod legend;
pub(crate) mod panels;
pub(crate) mod picture;
pub(crate) mod player;
pub(crate) mod plot;
pub(crate) mod transport;
pub(crate) mod view;
pub(crate) mod visibility;
pub(crate) mod zoom;
