//! Tests of the pure crates against independent facts, run natively and on wasm32.
//!
//! A single test program, because each program is compiled and linked with the whole library again.
//! To run a part, name its module: `cargo test --test core mesh`.

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
mod cost;
mod cube_worms;
mod deadlock;
mod duato;
mod fat_trees;
mod fault_patterns;
mod golden;
mod gordon_stout;
mod greenberg_leiserson;
mod intervals;
mod lessons;
mod linear_traffic;
mod mesh;
mod networks;
mod oblivious;
mod outcomes;
mod promises;
mod properties;
mod random_texts;
mod reasons;
mod refute;
mod rules;
mod saturation;
mod sweep;
mod table_three;
mod thesis;
mod torus;
mod turn_model;
mod wormhole;
mod worst;
