//! Wormhole switching in meshes and hypercubes, flit by flit (Boppana & Chalasani section V).
//!
//! A message is a worm of flits. Its header allocates one virtual channel after the other, the body
//! follows, and the tail frees the channels that it leaves. A header whose acceptable channels are
//! all in use waits, and holds its channels. The virtual channels of a physical channel share its
//! bandwidth of one flit per cycle.
//!
//! A cycle has these phases:
//! 1. Generation: nodes generate messages. A message above the injection limit is discarded, or
//!    waits in the source's queue.
//! 2. Route computation (RC) for headers that have just reached a node. A header for which faults
//!    leave no hop is lost.
//! 3. VC allocation (VA) for waiting headers, in the order of their waits, longest wait first. The
//!    pass begins at a random position of the list and wraps around. A header gets the virtual
//!    channel of its class if idle, else the lowest idle one of the pool. Of two available choices
//!    the header takes a random one.
//! 4. Switch allocation (SA): every channel selects a virtual channel that has a flit upstream and
//!    room downstream at the start of this phase, and moves that flit. Flits are consumed when they
//!    arrive at their destination. A virtual channel is idle again when the tail has left its
//!    buffer.
//!
//! A message without contention thus takes `hops + length - 1` cycles. With virtual cut-through a buffer
//! holds a whole message, so a waiting message leaves the channels behind it. With store-and-forward,
//! phase 2 waits for the tail: a message takes `hops * length` cycles. [`WormholeNetwork`] is the
//! network, which can be stepped and inspected. [`WormMeasurement`] runs a network and counts
//! events.

mod config;
mod engine;
mod flits;
mod header_tail;
mod measure;
mod message;
mod observer;
mod run;
mod schedule;
mod snapshot;
mod source;
mod transition;
mod vc_allocation;
mod walk;
mod warm_up;

pub use config::{Arbitration, Injection, InjectionPolicy, WormError, WormholeConfig};
pub use engine::WormholeNetwork;
pub use engine::deadlock::{HeldChannel, WormDeadlock, WormDeadlockMember, WormKnotMember};
pub use measure::{WormMeasurement, WormWindow};
pub use observer::{WormArrival, WormDelivery, WormObserver};
pub use run::{FlitCounts, WormBatch, WormEnd, WormRun};
pub use snapshot::{WormHold, WormMessageView, WormState};
pub use transition::TransitionCounts;
pub use walk::{WormHop, WormOutcome, worm_walk};
pub use warm_up::WormWarmUp;
