//! Everything of the pure core, natively and compiled for wasm32: what it computes, against facts from outside of it.
//!
//! One program for all, because every test program is compiled and linked with the whole library once more. A part of
//! it runs by its name: `cargo test --test core mesh`.

mod activity;
mod affected_pairs;
mod algorithms;
mod answers;
mod captions;
mod chiu;
mod circuits;
mod closed_forms;
mod common;
mod compare;
mod cube_worms;
mod deadlock;
mod duato;
mod ends;
mod fat_trees;
mod fault_patterns;
mod golden;
mod gordon_stout;
mod greenberg_leiserson;
mod intervals;
mod lessons;
mod mesh;
mod networks;
mod oblivious;
mod promises;
mod properties;
mod reasons;
mod refute;
mod rules;
mod saturation;
mod sweep;
mod table_three;
mod texts;
mod thesis;
mod torus;
mod turn_model;
mod wormhole;
mod worst;
