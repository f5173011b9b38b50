//! How messages move in time.

mod message;
mod path;
mod trap;

pub use message::{Event, Hop, MessageWalk, Outcome, Walker};
pub use path::PathFinder;
pub use trap::{TRAP_SEARCH_LIMIT, Trap, Trapping};
