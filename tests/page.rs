//! The built page, used in a real browser as people use it.
//!
//! `cargo xtask test page` serves the page, starts the browser's driver and says where both are.

#[path = "page/browser.rs"]
mod browser;
#[path = "page/circuits.rs"]
mod circuits;
#[path = "page/fat_trees.rs"]
mod fat_trees;
#[path = "page/first_look.rs"]
mod first_look;
#[path = "page/links.rs"]
mod links;
#[path = "page/manners.rs"]
mod manners;
#[path = "page/measure.rs"]
mod measure;
#[path = "page/mesh_views.rs"]
mod mesh_views;
#[path = "page/pairs.rs"]
mod pairs;
#[path = "page/permutations.rs"]
mod permutations;
#[path = "page/solid.rs"]
mod solid;
#[path = "page/watch.rs"]
mod watch;
#[path = "page/workers.rs"]
mod workers;
#[path = "page/worms.rs"]
mod worms;
