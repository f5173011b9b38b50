//! Pairs that faults cut off: the matrix, and its description.

pub mod matrix;
pub mod wording;
