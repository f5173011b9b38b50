//! Tests of the pure crates against independent facts, run natively and on wasm32.
//!
//! A single test program, because each program is compiled and linked with the whole library again.
//! To run a part, name its module: `cargo test --test core mesh`.
//!
//! Modules of slow statistics of closed forms and published values are native only: the golden results
//! show that WebAssembly computes the same bits.

mod activity;
mod affected_pairs;
mod algorithms;
mod answers;
mod captions;
#[cfg(not(target_arch = "wasm32"))]
mod chiu;
mod circuits;
mod closed_forms;
#[cfg(not(target_arch = "wasm32"))]
mod collectives;
mod common;
#[cfg(not(target_arch = "wasm32"))]
mod compare;
mod cost;
mod cube_worms;
mod deadlock;
mod duato;
mod embedding;
mod fat_trees;
#[cfg(not(target_arch = "wasm32"))]
mod fault_patterns;
mod golden;
#[cfg(not(target_arch = "wasm32"))]
mod gordon_stout;
#[cfg(not(target_arch = "wasm32"))]
mod greenberg_leiserson;
#[cfg(not(target_arch = "wasm32"))]
mod intervals;
mod lessons;
mod linear_traffic;
mod mesh;
mod mesh_circuits;
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
#[cfg(not(target_arch = "wasm32"))]
mod thesis;
mod torus;
mod turn_model;
mod wormhole;
mod worst;
