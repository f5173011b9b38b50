//! Figures in other pages: by an element or in a frame, all with one program and one worker pool.

mod app;
pub mod element;
mod embed_bridge;
mod frame;
