//! User-defined rules in the page: the editor beside the network, the flaws found during editing,
//! and the turns that the rules permit.

pub(crate) mod counterexample;
pub(crate) mod editor;
mod language_reference;
pub(crate) mod starting_rules;
mod turn_diagram;
mod verdict;
