//! What a person sees and touches: Yew components, canvas, workers, links.

mod protocol;
pub mod worker;

#[cfg(feature = "web")]
mod canvas;
#[cfg(feature = "web")]
pub mod components;
#[cfg(feature = "web")]
mod dom;
#[cfg(feature = "web")]
mod pool;
#[cfg(feature = "web")]
mod runner;
#[cfg(feature = "web")]
mod stage;
#[cfg(feature = "web")]
mod state;

/// Starts the page.
#[cfg(feature = "web")]
pub fn start_page() {
    std::panic::set_hook(Box::new(|info| dom::crashed(&info.to_string())));
    let root = dom::document().and_then(|document| document.get_element_by_id("app"));
    if let Some(root) = root {
        yew::Renderer::<components::App>::with_root(root).render();
    }
}
