//! Tests of the built page in a real browser.
//!
//! `cargo xtask test page` serves the page, starts Chromium's driver and passes the addresses of
//! both. `cargo xtask test engines` does so for the other engines, with a subset of these tests.

mod axe;
mod bench;
mod boot;
mod browser;
mod charts;
mod circuits;
mod crashes;
mod engine;
mod engines;
mod fat_trees;
mod figures;
mod first_look;
mod fuzz;
mod gallery;
mod links;
mod manners;
mod measure;
mod mesh_views;
mod offline;
mod pairs;
mod papers;
mod permutations;
mod rest;
mod resume;
mod rules;
mod share;
mod solid;
mod stills;
#[path = "../core/texts.rs"]
mod texts;
mod watch;
mod words;
mod workers;
mod worms;
