//! User-defined rules in the page: the editor beside the network, the flaws found during editing,
//! and the turns that the rules permit.

pub(crate) mod away;
pub(crate) mod editor;
mod language;
pub(crate) mod start;
mod turns;
mod verdict;
