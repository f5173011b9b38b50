//! Observers of the running network.

use crate::routing::VcRequest;
use crate::topology::NodeId;

/// A message as it is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormArrival {
    /// Number of the message, counted from 0 in the order of generation, including discarded
    /// messages.
    pub number: u64,
    /// Source of the message.
    pub from: NodeId,
    /// Destination; `None` if the pattern has only a faulty destination. The message is then lost
    /// at once.
    pub to: Option<NodeId>,
    /// Cycle in which the message is generated.
    pub cycle: u64,
    /// Length of the message, in flits.
    pub length: u16,
}

/// A message as its tail is consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormDelivery {
    /// Number of the message.
    pub number: u64,
    /// Source of the message.
    pub from: NodeId,
    /// Destination of the message.
    pub to: NodeId,
    /// Cycle in which the message was generated.
    pub generated: u64,
    /// Cycle of injection, from which the message contended for channels. Later than `generated`
    /// after a wait in a queue.
    pub injected: u64,
    /// Cycle after the one in which the tail was consumed.
    pub finished: u64,
    /// Number of channels that the message took.
    pub hops: u32,
    /// Length of the message, in flits.
    pub length: u16,
}

impl WormDelivery {
    /// Returns the latency in cycles from generation to consumption of the tail, including
    /// queueing.
    #[inline]
    pub fn latency(&self) -> u64 {
        self.finished - self.generated
    }
}

/// An observer that receives every event in order.
///
/// Messages are identified by number. The default methods do nothing and cost no time. `()` ignores
/// all events.
///
/// # Example
/// An observer that keeps the message with the longest latency:
///
/// ```
/// # use std::sync::Arc;
/// # use faultlab_core::{fault::BlockFaults, random::Key, routing::find, switching::{WormholeConfig, WormholeNetwork}, topology::Mesh};
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
/// # let config = WormholeConfig { load: 0.2, ..WormholeConfig::new(routing) };
/// # let mut worms = WormholeNetwork::new(config, Arc::new(faults), Key::from_seed(1))?;
/// let mut slowest = Slowest::default();
/// for _ in 0..1000 {
///     worms.step(&mut slowest);
/// }
/// let slowest = slowest.0.expect("messages have arrived");
/// // The header takes at least one cycle for each hop, and 19 flits follow it.
/// assert!(slowest.latency() >= u64::from(slowest.hops) + 19);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WormObserver {
    /// Called when a message is generated.
    #[inline(always)]
    fn generated(&mut self, _message: &WormArrival) {}

    /// Called when the message just generated exceeds the injection limit and is discarded.
    #[inline(always)]
    fn discarded(&mut self, _message: &WormArrival) {}

    /// Called when the header of a message allocates a virtual channel out of `from`.
    #[inline(always)]
    fn hop(&mut self, _number: u64, _from: NodeId, _choice: &VcRequest, _virtual_channel: u8) {}

    /// Called when the tail of a message is consumed.
    #[inline(always)]
    fn delivered(&mut self, _message: &WormDelivery) {}

    /// Called when a message is lost, because faults leave it no route.
    #[inline(always)]
    fn lost(&mut self, _number: u64) {}
}

impl WormObserver for () {}
