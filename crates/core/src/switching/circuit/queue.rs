//! Priority queue of the next events of messages, earliest first: ends of transmissions, and retries.

/// 4-ary heap of events, each with its time and the slot of its message.
///
/// The engine compares the first times of its queues before every step, and removes only the first
/// event.
#[derive(Clone, Debug, Default)]
pub(super) struct EventQueue {
    heap: Vec<(f64, u32)>,
}

/// Number of children of a heap entry.
const ARITY: usize = 4;

impl EventQueue {
    /// Returns the time of the first event, infinite if there is none.
    #[inline(always)]
    pub(super) fn next_time(&self) -> f64 {
        self.heap.first().map_or(f64::INFINITY, |first| first.0)
    }

    /// Adds the event at `time` of the message in `slot`.
    #[inline]
    pub(super) fn push(&mut self, time: f64, slot: u32) {
        let mut place = self.heap.len();
        self.heap.push((time, slot));
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if self.heap[parent].0 <= time {
                break;
            }
            self.heap[place] = self.heap[parent];
            place = parent;
        }
        self.heap[place] = (time, slot);
    }

    /// Removes the events of the slots that `keeps` rejects.
    pub(super) fn retain(&mut self, keeps: impl Fn(u32) -> bool) {
        if self.heap.iter().all(|&(_, slot)| keeps(slot)) {
            return;
        }
        for (time, slot) in std::mem::take(&mut self.heap) {
            if keeps(slot) {
                self.push(time, slot);
            }
        }
    }

    /// Removes and returns the first event.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(f64, u32)> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else { return Some(last) };
        let mut place = 0;
        loop {
            let low = place * ARITY + 1;
            let Some(children) = self.heap.get(low..(low + ARITY).min(self.heap.len())) else { break };
            let mut least = (f64::INFINITY, low);
            for (child, &(time, _)) in children.iter().enumerate() {
                if time < least.0 {
                    least = (time, low + child);
                }
            }
            if least.0 >= last.0 {
                break;
            }
            self.heap[place] = self.heap[least.1];
            place = least.1;
        }
        self.heap[place] = last;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;

    #[test]
    fn pops_events_in_time_order() {
        let key = Key::from_seed(7);
        let mut ends = EventQueue::default();
        let mut out = Vec::new();
        for i in 0..2000u64 {
            ends.push((key.word_at(i) % 1000) as f64, i as u32);
            if i % 3 == 0 {
                let next = ends.next_time();
                let least = ends.heap.iter().map(|end| end.0).fold(f64::INFINITY, f64::min);
                assert_eq!(next, least);
                out.push(ends.pop().unwrap().1);
            }
        }
        let mut before = f64::NEG_INFINITY;
        while let Some((time, slot)) = ends.pop() {
            assert!(time >= before);
            before = time;
            out.push(slot);
        }
        out.sort_unstable();
        assert_eq!(out, (0..2000).collect::<Vec<u32>>());
    }
}
