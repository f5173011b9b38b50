//! Stage of the page: canvases, playback, hit tests, and export of pictures.

pub(crate) mod canvas;
pub(crate) mod circle;
pub(crate) mod entries;
pub(crate) mod files;
pub(crate) mod formula;
pub(crate) mod legend;
pub(crate) mod located;
pub(crate) mod panels;
pub(crate) mod picture;
pub(crate) mod play;
pub(crate) mod plot;
pub(crate) mod reader;
pub(crate) mod side;
pub(crate) mod sight;
pub(crate) mod transport;
pub(crate) mod view;
