//! Messages that start in given cycles, or when others have arrived.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use crate::topology::NodeId;
use crate::traffic::{MessageSchedule, ScheduledMessage};

/// Progress of the messages of a schedule.
///
/// A message that is lost never arrives, so those that depend on it never start.
#[derive(Clone, Debug)]
pub(super) struct ScheduleProgress {
    schedule: Arc<MessageSchedule>,
    /// Number of dependencies of each message that have not arrived.
    missing: Vec<u32>,
    /// Messages that will start, by cycle and index.
    ready: BinaryHeap<Reverse<(u64, u32)>>,
    /// Numbers of the messages that have started, ascending, with their indices.
    started: Vec<(u64, u32)>,
}

impl ScheduleProgress {
    /// Creates the progress before cycle 0.
    pub(super) fn new(schedule: Arc<MessageSchedule>) -> Self {
        let messages = (0..).zip(schedule.messages());
        let free = messages.filter(|(_, message)| message.after.is_empty());
        Self {
            missing: schedule.messages().iter().map(|message| message.after.len() as u32).collect(),
            ready: free.map(|(index, message)| Reverse((u64::from(message.cycle), index))).collect(),
            started: Vec::new(),
            schedule,
        }
    }

    /// Removes and returns the next message that starts in `cycle`, by index, as message number
    /// `number`.
    pub(super) fn start_next(&mut self, cycle: u64, number: u64) -> Option<(NodeId, NodeId, u16)> {
        let &Reverse((_, index)) = self.ready.peek().filter(|Reverse((start, _))| *start <= cycle)?;
        self.ready.pop();
        self.started.push((number, index));
        let ScheduledMessage { from, to, length, .. } = self.schedule.messages().get(index as usize)?;
        Some((*from, *to, *length))
    }

    /// Notes that message `number` has arrived, so that others can start from `cycle` on.
    #[cold]
    #[inline(never)]
    pub(super) fn arrive(&mut self, number: u64, cycle: u64) {
        let Ok(place) = self.started.binary_search_by_key(&number, |&(number, _)| number) else { return };
        for &next in self.schedule.dependents(self.started[place].1 as usize) {
            let missing = &mut self.missing[next as usize];
            *missing -= 1;
            if *missing == 0 {
                let delay = self.schedule.messages().get(next as usize).map_or(0, |message| message.cycle);
                self.ready.push(Reverse((cycle + u64::from(delay), next)));
            }
        }
    }

    /// Returns whether messages will start without further arrivals.
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns the number of messages that have not started.
    pub(super) fn unstarted(&self) -> u64 {
        (self.missing.len() - self.started.len()) as u64
    }

    /// Returns the memory of the tables, in bytes.
    pub(super) fn footprint(&self) -> usize {
        4 * self.missing.capacity() + 16 * (self.ready.capacity() + self.started.capacity())
    }
}
