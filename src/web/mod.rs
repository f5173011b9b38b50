//! What a person sees and touches: Yew components, canvas, workers, links.

mod canvas;
mod circuit_stage;
pub mod components;
mod delivery_steps;
mod dom;
mod player;
mod pool;
mod protocol;
mod relation_steps;
mod runner;
mod stage;
mod state;
mod step_stage;
pub mod worker;
mod worm_stage;

/// Starts the page. Does nothing where there is none: in a worker.
pub fn start_page() {
    let root = dom::document().and_then(|document| document.get_element_by_id("app"));
    if let Some(root) = root {
        std::panic::set_hook(Box::new(|info| dom::crashed(&info.to_string())));
        yew::Renderer::<components::App>::with_root(root).render();
    }
}
