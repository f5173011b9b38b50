//! Page: Yew components, canvas, workers, links.

mod app_context;
mod circuit;
mod delivery;
mod dom;
mod editor_state;
pub mod figure;
mod form;
mod jobs;
mod kinds;
mod message;
pub mod page;
mod pairs;
mod permutation;
mod player_controls;
mod rules;
mod stage;
mod worm;
