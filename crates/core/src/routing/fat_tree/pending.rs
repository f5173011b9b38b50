//! Which messages have not arrived: all that an algorithm knows.

use crate::keep::keep_if;

/// The undelivered messages of a run. They are struck off a list only when somebody reads it.
#[derive(Clone, Debug)]
pub struct Pending {
    /// For each message the cycle in which it arrived, from 1; 0 if it has not.
    arrived: Vec<u32>,
    list: Vec<u32>,
    /// How many of the list have arrived meanwhile.
    stale: u32,
}

impl Pending {
    /// The messages of these numbers, ascending, out of `messages`.
    pub fn new(messages: u32, list: Vec<u32>) -> Self {
        Self { arrived: vec![0; messages as usize], list, stale: 0 }
    }

    /// Those of these numbers, ascending, as if they had not arrived; the others as they are.
    pub fn again(mut self, list: Vec<u32>) -> Self {
        for &message in &list {
            self.arrived.get_mut(message as usize).into_iter().for_each(|cycle| *cycle = 0);
        }
        Self { list, stale: 0, ..self }
    }

    /// The number of undelivered messages.
    #[inline]
    pub fn count(&self) -> u32 {
        self.list.len() as u32 - self.stale
    }

    /// Their numbers, ascending. Cost: a pass over them, if any has arrived since the last time.
    #[inline]
    pub fn list(&mut self) -> &[u32] {
        if self.stale > 0 {
            let arrived = &self.arrived[..];
            keep_if(&mut self.list, |message| arrived[message as usize] == 0);
            self.stale = 0;
        }
        &self.list
    }

    /// A message of the list has arrived in this cycle, counted from 1. Of others nothing is noted.
    #[inline]
    pub fn arrive(&mut self, message: u32, cycle: u32) {
        if let Some(arrived @ 0) = self.arrived.get_mut(message as usize) {
            *arrived = cycle;
            self.stale += 1;
        }
    }

    /// For each message the cycle in which it arrived, from 1; 0 if it has not.
    pub fn arrived(&self) -> &[u32] {
        &self.arrived
    }
}
