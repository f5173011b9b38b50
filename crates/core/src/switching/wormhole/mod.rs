//! Wormhole switching in meshes and hypercubes, flit by flit (Boppana & Chalasani section V).
//!
//! A message is a worm of flits. Its header takes one virtual channel after the other, the body follows, and the tail
//! gives back what it leaves; a header that finds all that it may take in use waits, and holds what it has. The virtual
//! channels of a physical channel share its bandwidth, one flit a cycle, among those that have a flit to send.
//!
//! A cycle has these phases:
//! 1. Nodes generate messages; one above the injection limit is discarded, or waits in the source's queue.
//! 2. Headers that have just come to a node are told what they may ask for; one that faults leave nothing is lost.
//! 3. Headers that wait, oldest wait first but from a random start around the list, take the virtual channel of their
//!    class if it is idle, else the lowest idle one of the pool. Of two choices that can both be had, a random one.
//! 4. Every channel picks a virtual channel that has a flit upstream and room downstream as this phase begins, and moves
//!    that flit. A flit that comes to its destination is consumed at once; a virtual channel is idle again when the tail
//!    has left its buffer.
//!
//! So a message alone takes hops + length - 1 cycles. [`Worms`] is the network: step it, look at it.
//! [`WormMeasurement`] runs it and counts.

mod allocate;
mod deadlock;
mod engine;
mod flits;
mod measure;
mod message;
mod observe;
mod run;
mod settle;
mod snapshot;
mod source;
mod terms;
mod walk;
mod warm_up;

pub use deadlock::{HeldChannel, WormDeadlock, WormKnot, WormWait};
pub use engine::Worms;
pub use measure::{WormMeasurement, WormWindow};
pub use observe::{WormArrival, WormDelivery, WormObserver};
pub use run::{WormBatch, WormEnd, WormRun};
pub use snapshot::{WormHold, WormMessage, WormState};
pub use terms::{Arbitration, Injection, InjectionPolicy, WormError, WormTerms};
pub use walk::{WormHop, WormOutcome, worm_walk};
pub use warm_up::WormWarmUp;
