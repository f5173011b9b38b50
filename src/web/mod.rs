//! What a person sees and touches: Yew components, canvas, workers, links.

mod bench;
mod circuit;
mod delivery;
mod dom;
mod form;
mod kinds;
mod message;
pub mod page;
mod pairs;
mod permutation;
mod run;
mod stage;
mod worm;

pub use run::worker;

/// Starts the page. Does nothing where there is none: in a worker.
pub fn start_page() {
    let root = dom::document().and_then(|document| document.get_element_by_id("app"));
    if let Some(root) = root {
        std::panic::set_hook(Box::new(|info| dom::crashed(&info.to_string())));
        yew::Renderer::<page::App>::with_root(root).render();
    }
}
