//! What controls are made of: fields, the keys behind them, and what several kinds set in the same words.

pub(crate) mod copy;
pub(crate) mod field;
pub(crate) mod focus;
pub(crate) mod keys;
pub(crate) mod messages;
pub(crate) mod word;
