//! Figures in other people's pages: by a tag, in a frame, on one program and one pool of workers.

mod app;
pub mod element;
mod frame;
mod seat;
