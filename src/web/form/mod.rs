//! Form controls: fields, the keys behind them, and controls that several kinds share.

pub(crate) mod copy;
pub(crate) mod field;
pub(crate) mod focus;
pub(crate) mod glossary;
pub(crate) mod keys;
pub(crate) mod messages;
