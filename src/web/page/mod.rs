//! Page: its header, its control panel, its four views.

pub(crate) mod app;
pub(crate) mod check;
pub(crate) mod controls;
pub(crate) mod dialogs;
pub(crate) mod exports;
pub(crate) mod faults;
mod gallery;
pub(crate) mod header;
mod help;
mod lesson_links;
pub(crate) mod measure;
pub(crate) mod network;
mod open_file;
pub(crate) mod papers;
mod routing;
pub(crate) mod share;
pub(crate) mod state;
pub(crate) mod story;
pub(crate) mod sweep;
pub(crate) mod worst;

pub use app::App;
