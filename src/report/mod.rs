//! How an answer is written: tables, CSV, JSON; charts and scenes; words.

#[cfg(feature = "charts")]
pub mod chart;
pub mod check;
pub mod circuits;
pub mod csv;
pub mod cube;
mod cube_worm_words;
pub mod cycle;
pub mod facts;
pub mod figure;
pub mod json;
pub mod layout;
#[cfg(feature = "charts")]
mod map;
pub mod matrix;
pub mod mesh;
pub mod mesh_check;
pub mod mesh_cycle;
pub mod mesh_faults;
pub mod mesh_files;
mod mesh_layers;
mod mesh_layout;
pub mod mesh_told;
pub mod mesh_worms;
pub mod network;
pub mod overlay;
pub mod pairs;
pub mod palette;
#[cfg(feature = "charts")]
pub mod png;
pub mod relation_batch;
pub mod relation_check;
pub mod relation_files;
mod relation_overlay;
pub mod relation_told;
pub mod relation_words;
pub mod scene;
pub mod snapshot;
mod spread;
pub mod squares;
mod squares_batch;
mod squares_heat;
mod squares_legend;
mod squares_route;
pub mod squares_scene;
#[cfg(feature = "charts")]
mod surface;
pub mod table;
pub mod trade_off;
pub mod tree;
mod tree_bad;
mod tree_bins;
pub mod tree_check;
pub mod tree_files;
mod tree_follow;
mod tree_legend;
mod tree_overlay;
pub mod tree_scene;
pub mod tree_tally;
pub mod tree_told;
pub mod words;
pub mod worm_routes;
pub mod worm_words;

/// What every exported picture carries: the version, and the experiment's text, seed included.
pub fn notes(experiment: &crate::experiment::Experiment) -> String {
    let seed = experiment.seed;
    format!("Faultlab {}; seed {seed}; {experiment}", crate::VERSION)
}
