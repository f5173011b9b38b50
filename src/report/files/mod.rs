//! Answers as files: tables, CSV, JSON, notes inside pictures.

pub mod csv;
pub mod json;
#[cfg(feature = "charts")]
pub mod png;
pub(crate) mod record;
pub(crate) mod rows;
pub mod table;
