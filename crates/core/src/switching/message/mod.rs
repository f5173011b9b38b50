//! Single messages, alone in the network.

mod path;
mod trap;
mod walk;

pub use path::PathFinder;
pub use trap::{TRAP_SEARCH_LIMIT, Trap, TrapKind};
pub use walk::{Hop, MessageWalk, Outcome, StepResult, WalkContext};
