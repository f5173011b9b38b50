//! Rules of one's own in the page: the editor beside the network, what is found of them while somebody writes, the turns that they make.

pub(crate) mod away;
pub(crate) mod editor;
mod language;
pub(crate) mod start;
mod turns;
mod verdict;
