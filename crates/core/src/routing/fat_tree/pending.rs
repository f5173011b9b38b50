//! Undelivered messages, the only information that a scheduler has.

use crate::retain::retain_branchless;

/// The undelivered messages of a run. Arrived messages are removed from the list only when the list
/// is read.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The cycle in which each message arrived, from 1; 0 for undelivered messages.
    arrived: Vec<u32>,
    list: Vec<u32>,
    /// The number of arrived messages that are still in the list.
    stale: u32,
}

impl Pending {
    /// Creates the state of a run of `messages` messages, of which `list`, ascending, are
    /// undelivered.
    pub fn new(messages: u32, list: Vec<u32>) -> Self {
        Self { arrived: vec![0; messages as usize], list, stale: 0 }
    }

    /// Marks the messages in `list`, ascending, as undelivered again. The other messages keep their
    /// arrival cycles.
    pub fn with_undelivered(mut self, list: Vec<u32>) -> Self {
        for &message in &list {
            self.arrived.get_mut(message as usize).into_iter().for_each(|cycle| *cycle = 0);
        }
        Self { list, stale: 0, ..self }
    }

    /// Returns the number of undelivered messages.
    #[inline]
    pub fn count(&self) -> u32 {
        self.list.len() as u32 - self.stale
    }

    /// Returns the undelivered messages, ascending. Cost: one pass over the list if a message has
    /// arrived since the last call.
    #[inline]
    pub fn list(&mut self) -> &[u32] {
        if self.stale > 0 {
            let arrived = &self.arrived[..];
            retain_branchless(&mut self.list, |message| arrived[message as usize] == 0);
            self.stale = 0;
        }
        &self.list
    }

    /// Records that a message of the list arrived in `cycle`, counted from 1. Repeated arrivals
    /// have no effect.
    #[inline]
    pub fn arrive(&mut self, message: u32, cycle: u32) {
        if let Some(arrived @ 0) = self.arrived.get_mut(message as usize) {
            *arrived = cycle;
            self.stale += 1;
        }
    }

    /// Returns the cycle in which each message arrived, from 1; 0 for undelivered messages.
    pub fn arrived(&self) -> &[u32] {
        &self.arrived
    }
}
