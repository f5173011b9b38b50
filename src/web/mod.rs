//! Page: Yew components, canvas, workers, links.

mod bench;
mod circuit;
mod delivery;
mod desk;
mod dom;
pub mod figure;
mod form;
mod jobs;
mod kinds;
mod message;
pub mod page;
mod pairs;
mod permutation;
mod player;
mod rules;
mod stage;
mod worm;
