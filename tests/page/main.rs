//! Tests of the built page in a real browser.
//!
//! `cargo xtask test page` serves the page, starts Chromium's driver and passes the addresses of
//! both. `cargo xtask test engines` does so for the other engines, with a subset of these tests.

mod accessibility;
mod axe;
mod benchmark;
mod browser;
mod charts;
mod circuits;
mod crashes;
mod engine;
mod engines;
mod explanations;
mod fat_trees;
mod figures;
mod first_visit;
mod fuzz;
mod gallery;
mod idle;
mod links;
mod measure;
mod mesh_3d;
mod mesh_views;
mod offline;
mod open_files;
mod pairs;
mod papers;
mod permutations;
#[path = "../core/random_texts.rs"]
mod random_texts;
mod resume;
mod rules;
mod session;
mod share;
mod startup;
mod stills;
mod watch;
mod workers;
mod worms;
