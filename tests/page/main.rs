//! The built page, used in a real browser as people use it.
//!
//! `cargo xtask test page` serves the page, starts the browser's driver and says where both are.

mod axe;
mod bench;
mod browser;
mod circuits;
mod fat_trees;
mod first_look;
mod links;
mod manners;
mod measure;
mod mesh_views;
mod pairs;
mod permutations;
mod rest;
mod solid;
mod watch;
mod workers;
mod worms;
