//! Pairs cut off: the matrix, in words.

pub mod matrix;
pub mod words;
