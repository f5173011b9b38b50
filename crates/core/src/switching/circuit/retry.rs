//! Backtrack and retry: attempts to set up a whole path at once (Chiu, Chalasani & Raghavendra
//! section I).

use super::engine::CircuitNetwork;
use super::message::CircuitMessage;
use super::{CircuitObserver, WaitEnd, link};
use crate::traffic::exponential;

impl CircuitNetwork {
    /// Attempts to reserve a path for a message, which is at its source and holds no link.
    ///
    /// If the path meets only reserved legal links, all its links are released, and the next
    /// attempt takes place after an exponential time of mean `backoff`. Returns whether the circuit
    /// is complete.
    pub(super) fn attempt(&mut self, slot: u32, backoff: f64, observer: &mut impl CircuitObserver) -> bool {
        let start = self.messages[slot as usize];
        let mut message = start;
        message.attempts = message.attempts.saturating_add(1);
        message.blocked = (0, 0);
        let is_first = start.attempts == 0;
        let Some(legal) = self.extend_path(&mut message, slot, observer) else {
            if !is_first {
                self.backlog -= 1;
                let (node, since) = (start.position().here, start.since);
                observer.granted(&WaitEnd { number: message.number, node, dims: 0, since }, self.time);
            }
            message.since = self.time;
            self.complete(slot, message, observer);
            return true;
        };
        for (node, dim) in message.held_links() {
            self.links.free(node, dim);
            observer.released(link(node, dim), self.time);
        }
        let next_attempt = self.time + backoff * exponential(&mut self.backoffs);
        // The message is again as it was before the attempt, with its first header and no path.
        let blocked = (message.here, legal as u16);
        let waiting = CircuitMessage { attempts: message.attempts, blocked, next_attempt, ..start };
        self.messages[slot as usize] = waiting;
        self.retries.push(next_attempt, slot);
        if is_first {
            self.add_to_backlog(&waiting, observer);
        }
        false
    }
}
