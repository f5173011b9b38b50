//! Looking on while the worms move.

use crate::routing::WormChoice;
use crate::topology::NodeId;

/// One message as it is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormArrival {
    /// Its number, counted from 0 as messages are generated, discarded ones included.
    pub number: u64,
    /// Its source.
    pub from: NodeId,
    /// Its destination; `None` if the pattern has only a faulty one, and then it is lost at once.
    pub to: Option<NodeId>,
    /// The cycle in which it is generated.
    pub cycle: u64,
}

/// One message as its tail is consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormDelivery {
    /// Its number.
    pub number: u64,
    /// Its source.
    pub from: NodeId,
    /// Its destination.
    pub to: NodeId,
    /// The cycle in which it was generated.
    pub generated: u64,
    /// The cycle from which it contended for the channels of its source; after `generated` if it waited in a queue.
    pub injected: u64,
    /// The cycle after that in which its tail was consumed.
    pub finished: u64,
    /// The channels that it took.
    pub hops: u32,
}

impl WormDelivery {
    /// Its latency in cycles: from generation to consumption of the tail, waiting at the source included.
    #[inline]
    pub fn latency(&self) -> u64 {
        self.finished - self.generated
    }
}

/// Is told everything that happens, in order. Messages are named by number.
///
/// Every method does nothing unless it is written anew: what is not looked at costs nothing. `()` looks at nothing.
///
/// One of one's own, which keeps the longest latency:
///
/// ```
/// # use std::sync::Arc;
/// # use faultlab_core::{fault::BlockFaults, random::Key, routing::find, switching::{WormTerms, Worms}, topology::Mesh};
/// use faultlab_core::switching::{WormDelivery, WormObserver};
///
/// #[derive(Default)]
/// struct Slowest(Option<WormDelivery>);
///
/// impl WormObserver for Slowest {
///     fn delivered(&mut self, message: &WormDelivery) {
///         if self.0.is_none_or(|slowest| message.latency() > slowest.latency()) {
///             self.0 = Some(*message);
///         }
///     }
/// }
///
/// # let routing = find("e-cube")?.worm.clone().expect("it sends worms");
/// # let faults = BlockFaults::new(Mesh::new(8, 8).expect("a mesh"), &[], &[]);
/// # let terms = WormTerms { load: 0.2, ..WormTerms::new(routing) };
/// # let mut worms = Worms::new(terms, Arc::new(faults), Key::from_seed(1))?;
/// let mut slowest = Slowest::default();
/// for _ in 0..1000 {
///     worms.step(&mut slowest);
/// }
/// let slowest = slowest.0.expect("messages have arrived");
/// // The header takes a cycle for each hop at least, and 19 flits follow it.
/// assert!(slowest.latency() >= u64::from(slowest.hops) + 19);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WormObserver {
    /// A message was generated.
    #[inline(always)]
    fn generated(&mut self, _message: &WormArrival) {}

    /// The message just generated was above the injection limit, and discarded.
    #[inline(always)]
    fn discarded(&mut self, _message: &WormArrival) {}

    /// The header of a message took a virtual channel out of `from`.
    #[inline(always)]
    fn hop(&mut self, _number: u64, _from: NodeId, _choice: &WormChoice, _virtual_channel: u8) {}

    /// The tail of a message was consumed.
    #[inline(always)]
    fn delivered(&mut self, _message: &WormDelivery) {}

    /// A message was taken out of the network, because faults leave it no way on.
    #[inline(always)]
    fn lost(&mut self, _number: u64) {}
}

impl WormObserver for () {}
